"""Somebody who has been erased: one name for all, each unique in the database."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.utils import translation

from people.models import Former, User, called, find


def former(person: Any, name: str) -> Any:
    created = person(name)
    User.objects.filter(pk=created.pk).update(
        username=f"@former {created.pk}", username_folded=f"@former {created.pk}"
    )
    return User.objects.get(pk=created.pk)


def test_all_are_called_alike_in_the_language_of_who_reads(person: Any) -> None:
    one, other = former(person, "Max"), former(person, "Moritz")
    assert (one.username, str(other)) == ("a former player", "a former player")
    with translation.override("it"):
        names = User.objects.filter(pk__in=(one.pk, other.pk)).values_list("username", flat=True)
        assert list(names) == ["un ex giocatore"] * 2


def test_saved_again_he_keeps_what_stands_in_the_database(person: Any) -> None:
    one = former(person, "Max")
    assert isinstance(one.username, Former)
    one.save()
    one.save(update_fields=["username"])
    one.refresh_from_db()
    assert (one.username, one.username.kept, one.username_folded) == (
        "a former player",
        f"@former {one.pk}",
        f"@former {one.pk}",
    )


@pytest.mark.parametrize(
    "name", ["a former player", "A FORMER PLAYER", "Un ex giocatore", "@former 3"]
)
def test_nobody_takes_the_name_and_nobody_is_found_by_it(person: Any, name: str) -> None:
    former(person, "Max")
    assert called(name) is None
    assert find(name) is None
    with pytest.raises(ValidationError):
        User(username=name, email="x@example.org").full_clean()
