"""Moves from outdated pages: made if they mean the same, refused if their consequences changed."""

from __future__ import annotations

import html
import re
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from campaign import services
from campaign.errors import TableMovedOn
from campaign.log import selectors
from people import tokens
from tests.conftest import confirm
from tests.web.contests import attack_independents, challenge, siege, visible_text  # noqa: F401
from tests.web.grand_table import GrandTable, grand_table, new_campaign  # noqa: F401

pytestmark = pytest.mark.django_db


def announce(table: GrandTable, seen: int, offer: str, who: str = "hun", **more: str) -> Any:
    """Send the form of an offer from a page whose last entry was `seen`, confirmed."""
    data = {"seat": "huns", "offer": offer, "seen": str(seen), "sure": "1", **more}
    return table.clients[who].post(f"{table.home}move/", data)


def by_master(table: GrandTable, **move: Any) -> None:
    """Let the game master enter a move of their own."""
    services.play(table.campaign, table.people["gm"], {"by": "gm", **move}, table.seen("gm"))
    table.campaign.refresh_from_db()


def accepted_and_won(table: GrandTable) -> None:
    """Let the Romans accept the first battle and the Huns win it, so that their prestige rises."""
    table.play("romans", "respond", attack=1, choice="accept")
    by_master(table, move="report", attack=1, routed={"attacker": 10, "defender": 80})


def moves(table: GrandTable) -> list[str]:
    """Return the moves of the log, in order."""
    return list(
        table.campaign.entries.filter(kind="move")
        .order_by("sequence")
        .values_list("act", flat=True)
    )


def test_an_answer_that_does_not_touch_the_move_lets_it_pass(challenge: GrandTable) -> None:  # noqa: F811
    before = challenge.seen("hun")
    challenge.play("romans", "respond", attack=1, choice="accept")
    answer = announce(challenge, before, "build-architecture", structure="hamlets")
    assert answer.status_code == 303
    assert moves(challenge)[-2:] == ["respond", "build"]


def test_a_result_that_does_not_touch_the_move_lets_it_pass(challenge: GrandTable) -> None:  # noqa: F811
    before = challenge.seen("hun")
    accepted_and_won(challenge)
    answer = announce(challenge, before, "fortify-ramparts", province="pannonia")
    assert answer.status_code == 303
    assert moves(challenge)[-1] == "fortify"


def test_a_result_that_changes_the_consequences_is_shown_first(challenge: GrandTable) -> None:  # noqa: F811
    before = challenge.seen("hun")
    accepted_and_won(challenge)
    answer = announce(challenge, before, "build-architecture", structure="hamlets")
    assert answer.status_code == 409
    assert (
        "Your move was not made, because it would now have other consequences. It is still "
        "possible."
    ) in visible_text(answer)
    assert moves(challenge)[-1] == "report"
    form = dict(
        re.findall(
            r'<input type="hidden" name="([^"]+)" value="([^"]*)"',
            html.unescape(answer.content.decode()),
        )
    )
    form.pop("csrfmiddlewaretoken", None)
    assert challenge.clients["hun"].post(f"{challenge.home}move/", form).status_code == 303
    assert moves(challenge)[-1] == "build"


def test_the_number_of_a_battle_that_begins_is_no_consequence(grand_table: GrandTable) -> None:  # noqa: F811
    before = grand_table.seen("hun")
    attack = {
        "move": "attack",
        "by": "huns",
        "kind": "land",
        "from": "pannonia",
        "target": "dalmatia",
    }
    attack_independents(grand_table)
    services.play(grand_table.campaign, grand_table.people["hun"], attack, before)
    position = selectors.position(
        type(grand_table.campaign).objects.get(pk=grand_table.campaign.pk)
    )
    assert [attack.target for attack in position.attacks] == ["carpetania", "dalmatia"]


def test_changed_odds_of_a_siege_are_shown_before_the_attack(grand_table: GrandTable) -> None:  # noqa: F811
    by_master(
        grand_table,
        move="set-fortification",
        province="dalmatia",
        fortification="ramparts",
        reason="As agreed",
    )
    before = grand_table.seen("hun")
    by_master(
        grand_table,
        move="set-fortification",
        province="dalmatia",
        fortification="walls",
        reason="A slip",
    )
    attack = {"from": "pannonia", "target": "dalmatia", "battle": "open"}
    answer = announce(grand_table, before, "attack-land", **attack)
    assert answer.status_code == 409
    assert "Your move was not made, because it would now have other consequences." in visible_text(
        answer
    )
    assert moves(grand_table)[-1] == "set-fortification"
    assert (
        announce(grand_table, grand_table.seen("hun"), "attack-land", **attack).status_code == 303
    )
    assert moves(grand_table)[-1] == "attack"


def test_a_correction_elsewhere_lets_the_result_of_a_siege_pass(siege: GrandTable) -> None:  # noqa: F811
    before = str(siege.seen("gm"))
    form = {"by": "shares", "attacker": "30", "defender": "70", "sure": "1", "seen": before}
    by_master(
        siege, move="adjust", nation="vandals", account="prestige", change=1, reason="As agreed"
    )
    assert siege.clients["gm"].post(f"{siege.home}b/1/", form).status_code == 302
    assert moves(siege)[-1] == "report"


def test_a_double_click_makes_one_move_despite_moves_between(
    challenge: GrandTable,  # noqa: F811
) -> None:
    before = challenge.seen("hun")
    assert announce(challenge, before, "build-architecture", structure="hamlets").status_code == 303
    challenge.play("romans", "respond", attack=1, choice="accept")
    assert announce(challenge, before, "build-architecture", structure="hamlets").status_code == 303
    assert moves(challenge)[-2:] == ["build", "respond"]


def test_a_move_that_is_possible_no_longer_says_why(challenge: GrandTable) -> None:  # noqa: F811
    before = challenge.seen("hun")
    challenge.play("huns", "end-slot")
    answer = announce(challenge, before, "build-architecture", structure="hamlets")
    assert answer.status_code == 409
    assert "It is no longer possible as it is" in visible_text(answer)
    with pytest.raises(TableMovedOn, match="your move is no longer possible"):
        services.play(
            challenge.campaign, challenge.people["hun"], {"move": "tax-exemption"}, before
        )


def test_a_page_from_before_an_undo_is_refused(grand_table: GrandTable) -> None:  # noqa: F811
    before = grand_table.seen("hun")
    number = grand_table.campaign.last_number
    grand_table.play("huns", "tax-exemption")
    services.undo_to(
        grand_table.campaign, grand_table.people["gm"], number, "A slip", grand_table.seen("gm")
    )
    with pytest.raises(TableMovedOn, match=r"since you loaded this page\.$"):
        services.play(
            grand_table.campaign, grand_table.people["hun"], {"move": "tax-exemption"}, before
        )


def test_a_page_of_an_earlier_turn_is_refused(grand_table: GrandTable) -> None:  # noqa: F811
    before = grand_table.seen("hun")
    grand_table.slot_to(grand_table.order[-1])
    grand_table.play(grand_table.order[-1], "end-slot")
    grand_table.play("gm", "open-turn")
    grand_table.slot_to("huns")
    with pytest.raises(TableMovedOn):
        services.play(grand_table.campaign, grand_table.people["hun"], {"move": "end-slot"}, before)


# Several moves in one go --------------------------------------------------------------------------


def planned(table: GrandTable, *raws: dict[str, Any]) -> Any:
    """Return the Hun's plan of these moves."""
    for raw in raws:
        plan = services.plan_move(
            table.campaign, table.people["hun"], "huns", {"by": "huns", **raw}
        )
    return plan


FORTIFY = {"move": "fortify", "province": "pannonia"}
HAMLETS = {"move": "build", "structure": "hamlets"}


def test_a_plan_from_an_older_page_is_announced_as_it_was_foreseen(
    challenge: GrandTable,  # noqa: F811
) -> None:
    before, plan = challenge.seen("hun"), planned(challenge, FORTIFY, HAMLETS)
    challenge.play("romans", "respond", attack=1, choice="accept")
    form = {"do": "all", "version": str(plan.version), "seen": str(before), "sure": "1"}
    assert challenge.clients["hun"].post(f"{challenge.home}n/huns/plan/", form).status_code == 303
    assert moves(challenge)[-2:] == ["fortify", "build"]


def test_a_plan_stops_at_the_move_whose_consequences_changed(challenge: GrandTable) -> None:  # noqa: F811
    before, plan = challenge.seen("hun"), planned(challenge, FORTIFY, HAMLETS)
    accepted_and_won(challenge)
    form = {"do": "all", "version": str(plan.version), "seen": str(before), "sure": "1"}
    answer = challenge.clients["hun"].post(f"{challenge.home}n/huns/plan/", form, follow=True)
    assert "your move would now have other consequences" in visible_text(answer)
    assert moves(challenge)[-2:] == ["report", "fortify"]


def test_lines_of_text_from_an_older_page_are_announced(challenge: GrandTable) -> None:  # noqa: F811
    before = challenge.seen("hun")
    challenge.play("romans", "respond", attack=1, choice="accept")
    form = {"do": "announce", "text": "tax-exemption\nbuild structure=hamlets", "seen": str(before)}
    assert challenge.clients["hun"].post(f"{challenge.home}orders/", form).status_code == 303
    assert moves(challenge)[-2:] == ["tax-exemption", "build"]


# Programs -----------------------------------------------------------------------------------------


def test_the_interface_for_programs_has_the_same_checks(challenge: GrandTable) -> None:  # noqa: F811
    before = challenge.seen("hun")
    secret = tokens.make_token(confirm(challenge.people["hun"]), "play", "play", timezone.now())[1]
    program = Client(headers={"authorization": f"Bearer {secret}"})
    address = f"/api/v1/campaigns/{challenge.campaign.address}/moves/"
    challenge.play("romans", "respond", attack=1, choice="accept")
    fortify = {"move": {"by": "huns", **FORTIFY}, "seen": before}
    assert program.post(address, fortify, "application/json").status_code == 201
    by_master(challenge, move="report", attack=1, routed={"attacker": 10, "defender": 80})
    again = program.post(address, fortify, "application/json")
    assert (again.status_code, again.json()["entries"][0]["said"]["move"]) == (200, "fortify")
    hamlets = {"move": {"by": "huns", **HAMLETS}, "seen": before}
    changed = program.post(address, hamlets, "application/json")
    assert (changed.status_code, changed.json()["code"]) == (409, "table-moved-on")
    assert "your move would now have other consequences" in changed.json()["detail"]
    seen = changed.json()["seen"]
    assert program.post(address, {**hamlets, "seen": seen}, "application/json").status_code == 201
    assert moves(challenge)[-4:] == ["respond", "fortify", "report", "build"]
