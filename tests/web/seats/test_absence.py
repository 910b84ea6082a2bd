"""Absences: entered on the user's own page, shown where the user is awaited, with a note."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any
from unittest import mock

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from campaign.seats import standing_orders
from people.models import Absence
from tests.web.contests import challenge, visible_text
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["challenge", "grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db
PAGE = "/me/absence/"


def days(first: int, last: int) -> tuple[date, date]:
    today = timezone.localdate()
    return today + timedelta(days=first), today + timedelta(days=last)


def form(first: int, last: int, **more: str) -> dict[str, str]:
    one, other = days(first, last)
    return {"first": one.isoformat(), "last": other.isoformat(), "whom": "all", **more}


def test_an_absence_is_entered_changed_and_removed(grand_table: GrandTable) -> None:
    page = grand_table.text("hun", PAGE)
    assert "The Long Frontier" in page
    assert re.search(r'<input type="radio" name="whom" value="all"[^>]* checked', page)
    assert (
        f'<input type="checkbox" name="campaigns" value="{grand_table.campaign.public_id}"' in page
    )
    assert grand_table.post("hun", PAGE, **form(2, 9, note="Ask <Ole>")).status_code == 302
    (kept_one,) = Absence.objects.all()
    assert (kept_one.first, kept_one.last) == days(2, 9)
    assert kept_one.everywhere
    page = grand_table.text("hun", PAGE)
    assert "Ask &lt;Ole&gt;" in page
    assert f'href="?change={kept_one.pk}#say"' in page
    opened = grand_table.text("hun", PAGE, change=str(kept_one.pk))
    assert f'value="{days(2, 9)[0].isoformat()}"' in opened
    answer = grand_table.post(
        "hun", PAGE, absence=str(kept_one.pk), **form(3, 9, masters_only="on")
    )
    assert answer.status_code == 302
    kept_one.refresh_from_db()
    assert (kept_one.first, kept_one.masters_only, kept_one.note) == (days(3, 9)[0], True, "")
    assert (
        grand_table.post("hun", PAGE, absence=str(kept_one.pk), do="take-back").status_code == 302
    )
    assert 'id="h-said"' not in grand_table.text("hun", PAGE)
    assert "after all" in visible_text(grand_table.get("nobody", "log/"))


def test_only_the_chosen_campaigns_show_an_absence(
    grand_table: GrandTable, new_campaign: Any
) -> None:
    other = new_campaign(name="The Other War")
    assert grand_table.post("hun", PAGE, **{**form(2, 9), "whom": "some"}).status_code == 422
    chosen = {**form(2, 9), "whom": "some", "campaigns": other.campaign.public_id}
    assert grand_table.post("hun", PAGE, **chosen).status_code == 302
    assert "Is away" not in grand_table.text("gm", "log/")
    assert "Ingrid" in visible_text(other.get("gm", "seats/")).split("Away")[1]
    assert "The Other War" in grand_table.text("hun", PAGE)


@pytest.mark.parametrize(
    ("typed", "content"),
    [
        ({"first": "soon"}, "Enter a valid date"),
        ({"last": "2001-01-01", "first": "2001-01-01"}, "already passed"),
        ({"note": "x" * 300}, "at most 200"),
        ({"note": "\u202e"}, "cannot be displayed"),
        ({"whom": "nobody"}, "Select a valid choice"),
        ({"first": "2999-01-01"}, "before the first"),
        ({"whom": "some", "campaigns": "aaaaaaaa"}, "not one of the available choices"),
    ],
)
def test_invalid_dates_come_back_as_typed(
    grand_table: GrandTable, typed: dict[str, str], content: str
) -> None:
    answer = grand_table.post("hun", PAGE, **{**form(1, 2, note="kept as typed"), **typed})
    assert answer.status_code == 422
    assert content in visible_text(answer)
    assert ("kept as typed" in answer.content.decode()) == ("note" not in typed)
    assert not Absence.objects.exists()


def test_another_users_absence_is_not_found(grand_table: GrandTable) -> None:
    one = standing_orders.announce_absence(grand_table.people["hun"], *days(2, 9))
    assert grand_table.post("roman", PAGE, absence=str(one.pk), do="take-back").status_code == 404
    assert grand_table.post("roman", PAGE, absence=str(one.pk), **form(1, 2)).status_code == 404
    assert 'name="absence"' not in grand_table.text("roman", PAGE, change=str(one.pk))
    one.refresh_from_db()
    assert one.taken_back_at is None


def test_an_absence_is_shown_where_the_user_is_awaited(challenge: GrandTable) -> None:
    for who in ("gm", "hun", "nobody"):
        assert "is away" not in visible_text(challenge.get(who))
    standing_orders.announce_absence(challenge.people["roman"], *days(0, 9))
    last = challenge.campaign and days(0, 9)[1]
    content = f"Benedetto is away until {last:%-d} {last:%b}"
    for who in ("gm", "hun", "nobody"):
        assert content in visible_text(challenge.get(who)), who
        assert content in visible_text(challenge.get(who, "b/1/")), who
    assert content not in visible_text(challenge.get("nobody", "n/vandals/"))


def test_a_distant_absence_is_shown_only_in_the_list_of_people(challenge: GrandTable) -> None:
    standing_orders.announce_absence(challenge.people["roman"], *days(20, 30))
    assert "Benedetto is away" not in visible_text(challenge.get("gm"))
    for page in ("about/", "seats/"):
        assert "Benedetto away from" in visible_text(challenge.get("gm", page)).replace("  ", " ")


@pytest.mark.parametrize(
    ("private", "who"), [(False, {"gm", "hun", "roman"}), (True, {"gm", "roman"})]
)
def test_these_readers_see_the_note(grand_table: GrandTable, private: bool, who: set[str]) -> None:
    standing_orders.announce_absence(
        grand_table.people["roman"], *days(0, 9), note="Maternity ward", masters_only=private
    )
    reads = {
        reader
        for reader in grand_table.clients
        if "Maternity ward" in grand_table.text(reader, "about/")
    }
    assert reads == who
    for page in ("", "log/", "notices/", "log.csv", "record.json"):
        for reader in ("hun", "stranger", "nobody"):
            assert "Maternity" not in grand_table.text(reader, page)


def test_a_page_in_a_browser_is_out_of_date_when_an_absence_begins(challenge: GrandTable) -> None:
    """An absence begins at midnight in some time zone, without a log entry."""
    absence = standing_orders.announce_absence(challenge.people["roman"], *days(1, 9))
    challenge.get("hun")  # this marks notices as read, and such a page has no tag
    tags = []
    for moment in (absence.begins_at - timedelta(seconds=1), absence.begins_at):
        with mock.patch("django.utils.timezone.now", return_value=moment):
            tags.append(challenge.get("hun")["ETag"])
            assert challenge.get("hun")["ETag"] == tags[-1]
    assert tags[0] != tags[1]


def test_queries_do_not_grow_with_absences(challenge: GrandTable) -> None:
    def many() -> int:
        with CaptureQueriesContext(connection) as queries:
            challenge.get("gm")
        return len(queries)

    challenge.get("gm")
    before = many()
    standing_orders.announce_absence(challenge.people["roman"], *days(0, 9))
    challenge.get("gm", "notices/")
    challenge.get("gm")
    assert many() == before
