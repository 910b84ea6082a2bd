"""Somebody is away: the desk says what falls into it, and each remedy of RULES 11 is a click or two
from there.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from battles.models import Battle
from campaign import services
from campaign.hosting.audit import differences
from campaign.log import selectors
from campaign.seats import standing_orders
from tests.notices.test_notices import notices_shown
from tests.web.contests import challenge, known, plain, siege
from tests.web.five import Five, five, new_campaign

__all__ = ["challenge", "five", "new_campaign", "siege"]
pytestmark = pytest.mark.django_db
PAGE = "desk/away/huns/"


def away(five: Five, who: str, first: int, last: int, note: str = "") -> None:
    today = timezone.localdate()
    standing_orders.announce(
        five.people[who], today + timedelta(days=first), today + timedelta(days=last), note=note
    )


def do(five: Five, what: str, **typed: Any) -> Any:
    five.campaign.refresh_from_db()
    return five.post("gm", PAGE, do=what, seen=str(five.seen("gm")), **typed)


def absence_impact(five: Five) -> str:
    """What the desk says of absences, in words."""
    page = five.text("gm", "desk/")
    return plain(page.split('id="gone"')[1].split("</section>")[0]) if 'id="gone"' in page else ""


def test_nothing_is_said_where_nothing_falls_into_it(five: Five) -> None:
    assert absence_impact(five) == ""
    away(five, "roman", 200, 210)
    assert absence_impact(five) == ""


def test_an_open_slot_and_one_to_come(five: Five) -> None:
    """The Hun's slot is open, for three days; every other may take three more."""
    away(five, "hun", 0, 1, note="Feverish")
    assert "Ingrid is away until" in absence_impact(five)
    assert "the open slot until" in absence_impact(five)
    assert "Feverish" in absence_impact(five)
    order = five.order
    if order.index("romans") > order.index("huns"):
        away(five, "roman", 3 * (order.index("romans") - order.index("huns")), 40)
        assert "a slot to come until" in absence_impact(five)
        assert "The slot has not opened yet: once it opens you can give it more time" in plain(
            five.text("gm", "desk/away/romans/")
        )


def test_a_challenge_and_a_battle(challenge: Five) -> None:
    away(challenge, "roman", 1, 30)
    assert "a challenge to answer #1 until" in absence_impact(challenge)
    challenge.play("romans", "respond", attack=1, choice="accept")
    assert "a battle to play #1 until" in absence_impact(challenge)
    assert f'href="{challenge.home}desk/away/romans/"' in challenge.text("gm", "desk/")
    assert "What can be done" not in challenge.text("gm")


def test_time_out(siege: Five) -> None:
    page = plain(siege.get("gm", PAGE))
    assert "are away" in page.split("No absence is announced.")[0].rpartition("If the")[2]
    assert "Pause the campaign" in page
    assert do(siege, "time-out", reason="Ingrid is in hospital.").status_code == 303
    siege.campaign.refresh_from_db()
    assert siege.campaign.paused
    assert "Ingrid is in hospital." in plain(siege.get("nobody", "log/"))
    assert "The campaign is paused already." in plain(siege.get("gm", PAGE))


def test_no_time_out_before_a_battle_has_begun(challenge: Five) -> None:
    page = plain(challenge.get("gm", PAGE))
    assert "Pause the campaign" not in page
    assert "The rules allow it only where a battle of this player has begun; none has." in page


def test_a_substitute_in_two_clicks(siege: Five) -> None:
    answer = siege.post("gm", "b/1/", do="substitute", side="huns", back="desk", name="sid")
    assert answer.status_code == 302
    away(siege, "hun", 0, 30)
    assert "a battle to play #1" in absence_impact(siege)
    assert "covered" in absence_impact(siege)
    assert "There is a substitute already." in plain(siege.get("gm", PAGE))


def test_the_opponent_plays_it_solo(siege: Five) -> None:
    siege.campaign.refresh_from_db()
    assert do(siege, "solo", battle="1").status_code == 303
    content = "The Huns are away: their opponent plays this battle solo, on empire difficulty."
    for who in ("gm", "roman", "nobody"):
        assert content in plain(siege.get(who, "b/1/"))
        assert "their opponent plays battle #1 solo, on empire difficulty." in plain(
            siege.get(who, "log/")
        )
    assert "the Huns were away (§11), and the Romans played it solo" in plain(
        siege.get("nobody", "reports/battle-1/")
    )
    assert ("solo", "Battle #1: how it is played changes") in [
        (k, t) for k, t, _ in notices_shown(siege.people["roman"])
    ]
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []
    # Who is away is not waited for; what the other claims, the game master judges.
    page = plain(siege.get("nobody"))
    assert "Benedetto and Ingrid" not in page
    siege.post("roman", "b/1/", do="claim", by="winner", side="defender")
    assert "Marozia to judge" in plain(siege.get("roman", "b/1/"))
    assert do(siege, "both", battle="1").status_code == 303
    assert content not in plain(siege.get("gm", "b/1/"))
    assert "Ingrid to confirm" in plain(siege.get("roman", "b/1/"))


def test_it_stands_through_an_undo_and_a_restoration(siege: Five) -> None:
    do(siege, "solo", battle="1")
    gm, launch = siege.people["gm"], Battle.objects.get().entry.number
    services.undo_to(siege.campaign, gm, launch - 1, "A slip", siege.seen("gm"))
    assert not Battle.objects.exists()
    siege.campaign.refresh_from_db()
    services.restore(siege.campaign, gm, siege.campaign.last_number, "No slip", siege.seen("gm"))
    assert Battle.objects.get().solo == "huns"
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []


def test_no_solo_before_the_answer(challenge: Five) -> None:
    assert "The challenge is not answered yet." in plain(challenge.get("gm", PAGE))
    assert do(challenge, "solo", battle="1").status_code == 422
    assert do(challenge, "solo", battle="9").status_code == 404


def test_a_battle_is_attributed_with_what_follows_shown_before(siege: Five) -> None:
    page = plain(siege.get("gm", PAGE))
    assert "Attribute it to the opponent" in page
    assert "stability" in page.casefold()
    assert do(siege, "forfeit", battle="1").status_code == 303
    assert known(siege)["outcome"] == "defender"


def test_replaced_for_good(siege: Five) -> None:
    services.wait(siege.campaign, siege.people["stranger"])
    page = siege.text("gm", PAGE)
    assert "Sid" in page
    siege.campaign.refresh_from_db()
    heir = str(siege.people["stranger"].pk)
    assert do(siege, "replace", forfeits="1", person=heir).status_code == 303
    assert known(siege)["outcome"] == "defender"
    seats = {seat.key: seat.holder for seat in selectors.seats(siege.campaign)}
    assert seats["huns"] == siege.people["stranger"]
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []


def test_replaced_by_nobody_yet_and_no_battle_attributed(siege: Five) -> None:
    assert do(siege, "replace", person="").status_code == 303
    seats = {seat.key: seat.holder for seat in selectors.seats(siege.campaign)}
    assert seats["huns"] is None
    assert known(siege)["status"] == "fighting"


def test_all_of_it_or_nothing(siege: Five) -> None:
    """Nobody waits under this number: the battle is not attributed either."""
    assert do(siege, "replace", forfeits="1", person="999999").status_code == 422
    assert known(siege)["status"] == "fighting"
    assert {seat.key: seat.holder for seat in selectors.seats(siege.campaign)}[
        "huns"
    ] == siege.people["hun"]
    assert (
        siege.post("gm", PAGE, do="replace", forfeits="1", person="", seen="1").status_code == 409
    )


@pytest.mark.parametrize("what", ["time-out", "solo", "forfeit", "replace", "both"])
def test_nobody_else_does_any_of_it(siege: Five, what: str) -> None:
    for who, status in (("hun", 403), ("roman", 403), ("stranger", 403), ("nobody", 302)):
        assert siege.post(who, PAGE, do=what, battle="1", seen="1").status_code == status


def test_they_ask_little(siege: Five) -> None:
    """An absence costs the desk one question, and the page of remedies few."""

    def asked(path: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert siege.get("gm", path).status_code == 200
        return len(queries)

    siege.get("gm", "desk/")
    before = asked("desk/")
    away(siege, "hun", 0, 30)
    away(siege, "roman", 0, 30)
    siege.get("gm", "notices/")
    siege.get("gm", "desk/")
    assert asked("desk/") == before + 1
    assert asked(PAGE) <= 12
