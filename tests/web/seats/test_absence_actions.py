"""Absences at the desk: their consequences, and the remedies of RULES 11 within a click or two."""

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
from tests.web.contests import challenge, siege, stored_contest, visible_text
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["challenge", "grand_table", "new_campaign", "siege"]
pytestmark = pytest.mark.django_db
PAGE = "desk/away/huns/"


def away(grand_table: GrandTable, who: str, first: int, last: int, note: str = "") -> None:
    today = timezone.localdate()
    standing_orders.announce_absence(
        grand_table.people[who],
        today + timedelta(days=first),
        today + timedelta(days=last),
        note=note,
    )


def do(grand_table: GrandTable, what: str, **typed: Any) -> Any:
    grand_table.campaign.refresh_from_db()
    return grand_table.post("gm", PAGE, do=what, seen=str(grand_table.seen("gm")), **typed)


def absence_impact(grand_table: GrandTable) -> str:
    """Return the text of the desk about absences."""
    page = grand_table.text("gm", "desk/")
    return (
        visible_text(page.split('id="gone"')[1].split("</section>")[0])
        if 'id="gone"' in page
        else ""
    )


def test_the_desk_shows_no_absence_without_consequences(grand_table: GrandTable) -> None:
    assert absence_impact(grand_table) == ""
    away(grand_table, "roman", 200, 210)
    assert absence_impact(grand_table) == ""


def test_an_open_slot_and_one_to_come(grand_table: GrandTable) -> None:
    """The Hun's slot is open for three days; each other player may take three more."""
    away(grand_table, "hun", 0, 1, note="Feverish")
    assert "Ingrid is away until" in absence_impact(grand_table)
    assert "the current turn until" in absence_impact(grand_table)
    assert "Feverish" in absence_impact(grand_table)
    order = grand_table.order
    if order.index("romans") > order.index("huns"):
        away(grand_table, "roman", 3 * (order.index("romans") - order.index("huns")), 40)
        assert "the next turn until" in absence_impact(grand_table)
        assert (
            "The player’s turn has not come yet. Once it comes, you can give them more time"
            in visible_text(grand_table.text("gm", "desk/away/romans/"))
        )


def test_a_challenge_and_a_battle(challenge: GrandTable) -> None:
    away(challenge, "roman", 1, 30)
    assert "a challenge to answer #1 until" in absence_impact(challenge)
    challenge.play("romans", "respond", attack=1, choice="accept")
    assert "a battle to play #1 until" in absence_impact(challenge)
    assert f'href="{challenge.home}desk/away/romans/"' in challenge.text("gm", "desk/")
    assert "See what you can do" not in challenge.text("gm")


def test_time_out(siege: GrandTable) -> None:
    page = visible_text(siege.get("gm", PAGE))
    assert "are away" in page.split("No absence has been announced.")[0].rpartition("If the")[2]
    assert "Pause the campaign" in page
    assert do(siege, "time-out", reason="Ingrid is in hospital.").status_code == 303
    siege.campaign.refresh_from_db()
    assert siege.campaign.paused
    assert "Ingrid is in hospital." in visible_text(siege.get("nobody", "log/"))
    assert "The campaign is already paused." in visible_text(siege.get("gm", PAGE))


def test_no_time_out_before_a_battle_has_begun(challenge: GrandTable) -> None:
    page = visible_text(challenge.get("gm", PAGE))
    assert "Pause the campaign" not in page
    assert "The rules allow this only if a battle of this player has begun, and none has." in page


def test_a_substitute_in_two_clicks(siege: GrandTable) -> None:
    answer = siege.post("gm", "b/1/", do="substitute", side="huns", back="desk", name="sid")
    assert answer.status_code == 302
    away(siege, "hun", 0, 30)
    assert "a battle to play #1" in absence_impact(siege)
    assert "covered" in absence_impact(siege)
    assert "There is already a substitute." in visible_text(siege.get("gm", PAGE))


def test_the_opponent_plays_it_solo(siege: GrandTable) -> None:
    siege.campaign.refresh_from_db()
    assert do(siege, "solo", battle="1").status_code == 303
    content = "The Huns are away: their opponent plays this battle solo, on empire difficulty."
    for who in ("gm", "roman", "nobody"):
        assert content in visible_text(siege.get(who, "b/1/"))
        assert "their opponent plays battle #1 solo, on empire difficulty." in visible_text(
            siege.get(who, "log/")
        )
    assert "the Huns were away (§11), and the Romans played it solo" in visible_text(
        siege.get("nobody", "reports/battle-1/")
    )
    assert ("solo", "Battle #1 is now played differently") in [
        (k, t) for k, t, _ in notices_shown(siege.people["roman"])
    ]
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []
    # The table does not wait for an absent player; the game master rules on the other player's
    # claim.
    page = visible_text(siege.get("nobody"))
    assert "Ingrid and Benedetto" not in page
    siege.post("roman", "b/1/", do="claim", by="winner", side="defender")
    assert "Marozia has to decide." in visible_text(siege.get("roman", "b/1/"))
    assert do(siege, "both", battle="1").status_code == 303
    assert content not in visible_text(siege.get("gm", "b/1/"))
    assert "Ingrid has to confirm" in visible_text(siege.get("roman", "b/1/"))


def test_a_remedy_survives_an_undo_and_a_restoration(siege: GrandTable) -> None:
    do(siege, "solo", battle="1")
    gm, launch = siege.people["gm"], Battle.objects.get().entry.number
    services.undo_to(siege.campaign, gm, launch - 1, "A slip", siege.seen("gm"))
    assert not Battle.objects.exists()
    siege.campaign.refresh_from_db()
    services.restore(siege.campaign, gm, siege.campaign.last_number, "No slip", siege.seen("gm"))
    assert Battle.objects.get().solo == "huns"
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []


def test_no_solo_before_the_answer(challenge: GrandTable) -> None:
    assert "The challenge has not been answered yet." in visible_text(challenge.get("gm", PAGE))
    assert do(challenge, "solo", battle="1").status_code == 422
    assert do(challenge, "solo", battle="9").status_code == 404


def test_a_battle_is_attributed_after_its_consequences_are_shown(siege: GrandTable) -> None:
    page = visible_text(siege.get("gm", PAGE))
    assert "Award the battle to the opponent" in page
    assert "stability" in page.casefold()
    assert do(siege, "forfeit", battle="1").status_code == 303
    assert stored_contest(siege)["outcome"] == "defender"


def test_replaced_for_good(siege: GrandTable) -> None:
    services.join_waiting_list(siege.campaign, siege.people["stranger"])
    page = siege.text("gm", PAGE)
    assert "Sid" in page
    siege.campaign.refresh_from_db()
    heir = str(siege.people["stranger"].pk)
    assert do(siege, "replace", forfeits="1", person=heir).status_code == 303
    assert stored_contest(siege)["outcome"] == "defender"
    seats = {seat.key: seat.holder for seat in selectors.seats(siege.campaign)}
    assert seats["huns"] == siege.people["stranger"]
    siege.campaign.refresh_from_db()
    assert list(differences(siege.campaign)) == []


def test_a_seat_is_freed_without_a_successor_and_no_battle_is_attributed(siege: GrandTable) -> None:
    assert do(siege, "replace", person="").status_code == 303
    seats = {seat.key: seat.holder for seat in selectors.seats(siege.campaign)}
    assert seats["huns"] is None
    assert stored_contest(siege)["status"] == "fighting"


def test_all_of_it_or_nothing(siege: GrandTable) -> None:
    """The number belongs to no waiting user, so the battle is not attributed either."""
    assert do(siege, "replace", forfeits="1", person="999999").status_code == 422
    assert stored_contest(siege)["status"] == "fighting"
    assert {seat.key: seat.holder for seat in selectors.seats(siege.campaign)}[
        "huns"
    ] == siege.people["hun"]
    assert (
        siege.post("gm", PAGE, do="replace", forfeits="1", person="", seen="1").status_code == 409
    )


@pytest.mark.parametrize("what", ["time-out", "solo", "forfeit", "replace", "both"])
def test_only_the_game_master_uses_remedies(siege: GrandTable, what: str) -> None:
    for who, status in (("hun", 403), ("roman", 403), ("stranger", 403), ("nobody", 302)):
        assert siege.post(who, PAGE, do=what, battle="1", seen="1").status_code == status


def test_remedies_need_few_queries(siege: GrandTable) -> None:
    """An absence adds one query to the desk; the page of remedies needs few."""

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
