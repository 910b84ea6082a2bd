"""A prepared query gives what the query itself gives, for whatever arguments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.db.models import F, QuerySet
from django.test.utils import CaptureQueriesContext

from campaign.prepared import Prepared
from people.models import Absence, User

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def named(name: str, number: int) -> QuerySet[User]:
    return (
        User.objects.filter(username=name, pk__gte=number)
        .annotate(twice=F("pk") * 2)
        .order_by("pk")
    )


def test_rows_are_those_of_the_query(person: Callable[..., Any]) -> None:
    prepared = Prepared(named, str, int)
    for one in (person("Ingrid"), person("Benedetto")):
        (row,) = prepared.rows(one.username, one.pk)
        assert (row, row.email, row.date_joined, row.twice) == (
            one,
            one.email,
            one.date_joined,
            2 * one.pk,
        )
        assert not row.get_deferred_fields()
        assert prepared.rows(one.username, one.pk + 1) == []
    assert prepared.rows("O'Neill %s", 0) == []


def test_moments_objects_beside_and_plain_rows(person: Callable[..., Any]) -> None:
    at = datetime(2030, 5, 1, 12, tzinfo=UTC)
    ingrid = person("Ingrid")
    Absence.objects.create(
        user=ingrid,
        first=at,
        last=at,
        begins_at=at,
        ends_at=at + timedelta(days=1),
        time_zone="UTC",
        announced_at=at,
        changed_at=at,
    )
    later = Prepared(
        lambda moment: Absence.objects.filter(ends_at__gt=moment).select_related("user"), datetime
    )
    assert [one.user.username for one in later.rows(at)] == ["Ingrid"]
    assert later.rows(at + timedelta(days=1)) == []
    plain = Prepared(lambda pk: User.objects.filter(pk=pk).values_list("pk", "username"), int)
    with CaptureQueriesContext(connection) as queries:
        assert plain.rows(ingrid.pk) == [(ingrid.pk, "Ingrid")]
    assert len(queries) == 1


def test_what_else_decides_how_it_looks_has_a_text_of_its_own(person: Callable[..., Any]) -> None:
    people = [person(name) for name in ("Ada", "Bea", "Cleo")]
    listed = Prepared(
        lambda pk, turned, most: User.objects.filter(pk__gte=pk).order_by(
            "-pk" if turned else "pk"
        )[:most],
        int,
    )
    first = people[0].pk
    assert [one.username for one in listed.rows(first, same=(False, 2))] == ["Ada", "Bea"]
    assert [one.username for one in listed.rows(first, same=(True, 1))] == ["Cleo"]


def test_an_argument_that_does_not_stand_in_the_text_is_refused() -> None:
    within = Prepared(lambda text: User.objects.filter(username__contains=text), str)
    with pytest.raises(TypeError, match="as it is given"):
        within.rows("a")
