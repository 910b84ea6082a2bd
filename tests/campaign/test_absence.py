"""A person is away: said once, in their own zone, and told to the campaigns they play in."""

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


def heard(campaign: Any) -> list[str]:
    """What the log says of absence, oldest first."""
    return [
        line.text for line in reversed(selectors.log(campaign, None)) if line.entry.act == "absence"
    ]


def away(table: Any, who: str, now: datetime) -> seats_selectors.Away | None:
    places = seats_selectors.with_absences(access.places(table.campaign), now)
    (result,) = [
        seats_selectors.away(one, now) for one in places if one.user_id == table.people[who].pk
    ]
    return result


def test_all_campaigns_that_run_are_told_in_his_own_zone(running: Any) -> None:
    ant = running.people["ant"]
    ant.time_zone = "Pacific/Auckland"
    ant.save()
    kept = standing_orders.announce(ant, THIRD, LAST, note="Sailing", now=NOW)
    # Auckland is twelve hours ahead in August.
    assert kept.begins_at == datetime(2026, 8, 2, 12, tzinfo=UTC)
    assert kept.ends_at == datetime(2026, 8, 17, 12, tzinfo=UTC)
    running.fresh()
    entry = running.campaign.entries.last()
    assert entry.content == {
        "act": "absence",
        "how": "announced",
        "user": ant.pk,
        "first": "2026-08-03",
        "last": "2026-08-17",
    }
    assert heard(running.campaign) == ["Is away from 3 Aug 2026 to 17 Aug 2026."]
    assert "Sailing" not in entry.content_json
    assert list(differences(running.campaign)) == []
    assert away(running, "ant", NOW) == (THIRD, LAST, False, False)
    assert away(running, "ant", datetime(2026, 7, 26, 12, tzinfo=UTC)) == (THIRD, LAST, False, True)
    assert away(running, "ant", kept.begins_at) == (THIRD, LAST, True, True)
    assert away(running, "ant", kept.ends_at) is None
    assert away(running, "bee", NOW) is None


def test_nobody_has_to_look_again_because_somebody_goes_away(running: Any) -> None:
    before = running.seen("bee")
    standing_orders.announce(running.people["ant"], THIRD, LAST, now=NOW)
    running.fresh()
    assert running.campaign.active_seat == "bee"
    running.play("bee", "add", stones=1, seen=before)


def test_only_the_chosen_campaigns_are_told(running: Any, grand: SimpleNamespace) -> None:
    ant = running.people["ant"]
    kept = standing_orders.announce(ant, THIRD, LAST, campaigns=[grand.campaign], now=NOW)
    running.fresh()
    assert heard(running.campaign) == []
    assert away(running, "ant", NOW) is None
    assert [one.pk for one in seats_selectors.of_campaign(grand.campaign, NOW)] == [kept.pk]
    assert seats_selectors.of_campaign(running.campaign, NOW) == []
    assert heard(grand.campaign) == [], "one that has not begun knows of it without a word"
    standing_orders.change(ant, kept.pk, THIRD, LAST, campaigns=[running.campaign], now=NOW)
    assert heard(running.fresh()) == ["Is away from 3 Aug 2026 to 17 Aug 2026."]
    assert seats_selectors.of_campaign(grand.campaign, NOW) == []


def test_changed_and_taken_back(running: Any) -> None:
    ant = running.people["ant"]
    kept = standing_orders.announce(ant, THIRD, LAST, now=NOW)
    standing_orders.change(ant, kept.pk, THIRD, LAST, note="only a note", now=NOW)
    standing_orders.change(ant, kept.pk, THIRD, LAST + timedelta(days=3), now=NOW)
    standing_orders.take_back(ant, kept.pk, now=NOW)
    assert heard(running.fresh()) == [
        "Is away from 3 Aug 2026 to 17 Aug 2026.",
        "Is away from 3 Aug 2026 to 20 Aug 2026; these days replace the earlier ones.",
        "Is not away from 3 Aug 2026 to 20 Aug 2026 after all.",
    ]
    assert away(running, "ant", NOW) is None
    assert Absence.objects.count() == 1, "nothing is deleted"
    with pytest.raises(NoSuchEntry):
        standing_orders.take_back(ant, kept.pk, now=NOW)
    standing_orders.announce(ant, THIRD, LAST, now=NOW)


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
def test_what_makes_no_sense_is_refused(
    running: Any, first: date, last: date, note: str, code: str
) -> None:
    with pytest.raises(Refused) as refused:
        standing_orders.announce(running.people["ant"], first, last, note=note, now=NOW)
    assert refused.value.code == code
    assert not Absence.objects.exists()
    assert heard(running.fresh()) == []


def test_the_same_days_are_announced_once(running: Any) -> None:
    ant = running.people["ant"]
    standing_orders.announce(ant, THIRD, LAST, now=NOW)
    with pytest.raises(Refused) as refused:
        standing_orders.announce(ant, LAST, LAST + timedelta(days=2), now=NOW)
    assert refused.value.code == "overlaps"
    standing_orders.announce(running.people["bee"], THIRD, LAST, now=NOW)


def test_nobody_tells_a_campaign_that_is_not_his(running: Any, grand: SimpleNamespace) -> None:
    with pytest.raises(Refused) as refused:
        standing_orders.announce(
            running.stranger, THIRD, LAST, campaigns=[running.campaign], now=NOW
        )
    assert refused.value.code == "no-campaign"
    with pytest.raises(Refused):
        standing_orders.announce(running.people["ant"], THIRD, LAST, campaigns=[], now=NOW)
    kept = standing_orders.announce(running.people["ant"], THIRD, LAST, now=NOW)
    with pytest.raises(NoSuchEntry):
        standing_orders.change(running.people["bee"], kept.pk, THIRD, LAST, now=NOW)
    with pytest.raises(NoSuchEntry):
        standing_orders.take_back(running.gm, kept.pk, now=NOW)


def test_a_guest_plays_alone(db: None) -> None:
    with pytest.raises(NotAllowed):
        standing_orders.announce(people_services.make(), THIRD, LAST, now=NOW)


def test_who_leaves_a_table_is_no_more_missed_there(
    running: Any, person: Callable[..., Any]
) -> None:
    standing_orders.announce(running.people["ant"], THIRD, LAST, now=NOW)
    services.vacate(running.campaign, running.gm, "ant")
    assert seats_selectors.of_campaign(running.campaign, NOW) == []
