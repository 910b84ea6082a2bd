"""Absences: announced once, in the member's own time zone, to the campaigns they play in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Any

import pytest

from campaign import access, services
from campaign.errors import NoSuchEntry, NotAllowed, Refused
from campaign.hosting.audit import differences
from campaign.log import selectors
from campaign.seats import selectors as seats_selectors
from campaign.seats import standing_orders
from people import services as people_services
from people.models import Absence

pytestmark = [pytest.mark.django_db, pytest.mark.clock]
NOW = datetime(2026, 7, 20, 12, tzinfo=UTC)
THIRD, LAST = date(2026, 8, 3), date(2026, 8, 17)


def absence_lines(campaign: Any) -> list[str]:
    """Return the lines of the log about absences, oldest first."""
    return [
        line.text for line in reversed(selectors.log(campaign, None)) if line.entry.act == "absence"
    ]


def away(table: Any, who: str, now: datetime) -> seats_selectors.ShownAbsence | None:
    places = seats_selectors.with_absences(access.places(table.campaign), now)
    (result,) = [
        seats_selectors.absence_of(place, now)
        for place in places
        if place.user_id == table.people[who].pk
    ]
    return result


def test_an_absence_is_announced_to_all_running_campaigns_in_the_members_time_zone(
    running: Any,
) -> None:
    ant = running.people["ant"]
    ant.time_zone = "Pacific/Auckland"
    ant.save()
    kept = standing_orders.announce_absence(ant, THIRD, LAST, note="Sailing", now=NOW)
    # Auckland is twelve hours ahead in August.
    assert kept.begins_at == datetime(2026, 8, 2, 12, tzinfo=UTC)
    assert kept.ends_at == datetime(2026, 8, 17, 12, tzinfo=UTC)
    running.reload()
    entry = running.campaign.entries.last()
    assert entry.content == {
        "act": "absence",
        "how": "announced",
        "user": ant.pk,
        "first": "2026-08-03",
        "last": "2026-08-17",
    }
    assert absence_lines(running.campaign) == ["Is away from 3 Aug 2026 to 17 Aug 2026."]
    assert "Sailing" not in entry.content_json
    assert list(differences(running.campaign)) == []
    assert away(running, "ant", NOW) == (THIRD, LAST, False, False)
    assert away(running, "ant", datetime(2026, 7, 26, 12, tzinfo=UTC)) == (THIRD, LAST, False, True)
    assert away(running, "ant", kept.begins_at) == (THIRD, LAST, True, True)
    assert away(running, "ant", kept.ends_at) is None
    assert away(running, "bee", NOW) is None


def test_an_absence_makes_no_page_stale(running: Any) -> None:
    before = running.seen("bee")
    standing_orders.announce_absence(running.people["ant"], THIRD, LAST, now=NOW)
    running.reload()
    assert running.campaign.active_seat == "bee"
    running.play("bee", "add", stones=1, seen=before)


def test_an_absence_is_announced_only_to_the_chosen_campaigns(
    running: Any, grand: SimpleNamespace
) -> None:
    ant = running.people["ant"]
    kept = standing_orders.announce_absence(ant, THIRD, LAST, campaigns=[grand.campaign], now=NOW)
    running.reload()
    assert absence_lines(running.campaign) == []
    assert away(running, "ant", NOW) is None
    assert [
        campaign.pk for campaign in seats_selectors.absences_of_campaign(grand.campaign, NOW)
    ] == [kept.pk]
    assert seats_selectors.absences_of_campaign(running.campaign, NOW) == []
    assert absence_lines(grand.campaign) == [], "one that has not begun knows of it without a word"
    standing_orders.change_absence(ant, kept.pk, THIRD, LAST, campaigns=[running.campaign], now=NOW)
    assert absence_lines(running.reload()) == ["Is away from 3 Aug 2026 to 17 Aug 2026."]
    assert seats_selectors.absences_of_campaign(grand.campaign, NOW) == []


def test_an_absence_can_be_changed_and_taken_back(running: Any) -> None:
    ant = running.people["ant"]
    kept = standing_orders.announce_absence(ant, THIRD, LAST, now=NOW)
    standing_orders.change_absence(ant, kept.pk, THIRD, LAST, note="only a note", now=NOW)
    standing_orders.change_absence(ant, kept.pk, THIRD, LAST + timedelta(days=3), now=NOW)
    standing_orders.take_back_absence(ant, kept.pk, now=NOW)
    assert absence_lines(running.reload()) == [
        "Is away from 3 Aug 2026 to 17 Aug 2026.",
        "Is away from 3 Aug 2026 to 20 Aug 2026; these days replace the earlier ones.",
        "Is not away from 3 Aug 2026 to 20 Aug 2026 after all.",
    ]
    assert away(running, "ant", NOW) is None
    assert Absence.objects.count() == 1, "nothing is deleted"
    with pytest.raises(NoSuchEntry):
        standing_orders.take_back_absence(ant, kept.pk, now=NOW)
    standing_orders.announce_absence(ant, THIRD, LAST, now=NOW)


@pytest.mark.parametrize(
    ("first", "last", "note", "code"),
    [
        (LAST, THIRD, "", "backwards"),
        (date(2026, 7, 1), date(2026, 7, 19), "", "past"),
        (THIRD, date(2027, 9, 1), "", "too-long"),
        (date(2029, 1, 1), date(2029, 1, 2), "", "too-long"),
        (THIRD, LAST, "x" * 201, "bad-note"),
        (THIRD, LAST, "two\nlines", "bad-note"),
        (THIRD, LAST, "\u202e", "unseen-mark"),
    ],
)
def test_impossible_absences_are_refused(
    running: Any, first: date, last: date, note: str, code: str
) -> None:
    with pytest.raises(Refused) as refused:
        standing_orders.announce_absence(running.people["ant"], first, last, note=note, now=NOW)
    assert refused.value.code == code
    assert not Absence.objects.exists()
    assert absence_lines(running.reload()) == []


def test_the_same_days_are_announced_only_once(running: Any) -> None:
    ant = running.people["ant"]
    standing_orders.announce_absence(ant, THIRD, LAST, now=NOW)
    with pytest.raises(Refused) as refused:
        standing_orders.announce_absence(ant, LAST, LAST + timedelta(days=2), now=NOW)
    assert refused.value.code == "overlaps"
    standing_orders.announce_absence(running.people["bee"], THIRD, LAST, now=NOW)


def test_an_absence_cannot_be_announced_to_a_campaign_of_others(
    running: Any, grand: SimpleNamespace
) -> None:
    with pytest.raises(Refused) as refused:
        standing_orders.announce_absence(
            running.stranger, THIRD, LAST, campaigns=[running.campaign], now=NOW
        )
    assert refused.value.code == "no-campaign"
    with pytest.raises(Refused):
        standing_orders.announce_absence(running.people["ant"], THIRD, LAST, campaigns=[], now=NOW)
    kept = standing_orders.announce_absence(running.people["ant"], THIRD, LAST, now=NOW)
    with pytest.raises(NoSuchEntry):
        standing_orders.change_absence(running.people["bee"], kept.pk, THIRD, LAST, now=NOW)
    with pytest.raises(NoSuchEntry):
        standing_orders.take_back_absence(running.gm, kept.pk, now=NOW)


def test_a_guest_cannot_announce_an_absence(db: None) -> None:
    with pytest.raises(NotAllowed):
        standing_orders.announce_absence(people_services.make_guest(), THIRD, LAST, now=NOW)


def test_an_absence_ends_in_a_campaign_that_the_member_leaves(
    running: Any, person: Callable[..., Any]
) -> None:
    standing_orders.announce_absence(running.people["ant"], THIRD, LAST, now=NOW)
    services.vacate(running.campaign, running.gm, "ant")
    assert seats_selectors.absences_of_campaign(running.campaign, NOW) == []
