"""Results of battles (shares, winners, modules, sieges, encounters, forfeits) and their preview."""

from __future__ import annotations

import html

import pytest

from campaign.log import selectors
from tests.web.contests import (
    attack_dalmatia,
    challenge,
    play_to_turn,
    report_result,
    siege,
    stored_contest,
    visible_text,
)
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign

__all__ = ["challenge", "draft", "grand_table", "new_campaign", "siege"]


def test_9_7_31_46_before_the_walls_with_a_train_shows_30_and_70_before_and_applies_after(
    siege: GrandTable,
) -> None:
    page = siege.get("gm", "b/1/", by="shares", attacker="31", defender="46")
    text = visible_text(page)
    assert "The Huns win. Romans 45% or more §9.1" in text
    assert 'aria-label="Routed 31 and 46 per cent: Huns win"' in page.content.decode()
    assert "held, 30%" in text
    assert "taken, 70%" in text
    assert "Stability 6 → 7" in text
    assert "Army 1600 → 1630" in text
    assert "VP 0 → 1 0 → 3" in text
    assert "Siege train §9.9 destroyed stays" in text
    assert "Dalmatia §9.8 stays with the Romans to the Huns, Walls lost" in text
    assert stored_contest(siege)["status"] == "fighting"
    response = report_result(siege, 1, "shares", attacker="31", defender="46")
    assert (response.status_code, response["Location"]) == (302, siege.home + "b/1/")
    assert (stored_contest(siege)["outcome"], stored_contest(siege)["siege"]) == (
        "attacker",
        "taken",
    )
    text = visible_text(siege.get("nobody", "b/1/"))
    assert "Huns won and took the province" in text
    assert "Routed 31–46. The Huns win. Romans 45% or more. §9.1" in text
    assert "96 Dalmatia: siege d100" in text
    assert "What followed" in text
    assert (
        "Huns stability 6 → 7 , prestige 6 → 7 , VP 0 → 3 , army 1600 → 1630 , income 450t → 500t"
        in text
    )
    assert "Siege: succeeds §9.7 Dalmatia: to the Huns, Walls lost §9.8" in text


def test_an_unconfirmed_result_is_shown_before_it_is_entered(siege: GrandTable) -> None:
    assert "taken, 70%" in visible_text(
        report_result(siege, 1, "shares", sure=False, attacker="31", defender="46")
    )
    assert stored_contest(siege)["status"] == "fighting"


@pytest.mark.parametrize(
    ("attacker", "defender"), [("", "46"), ("101", "46"), ("<b>", "46"), ("-1", "3")]
)
def test_invalid_shares_come_back_as_typed(siege: GrandTable, attacker: str, defender: str) -> None:
    response = report_result(siege, 1, "shares", attacker=attacker, defender=defender)
    text = response.content.decode()
    assert response.status_code == 422
    assert "Give two shares, each from 0 to 100 per cent" in text
    assert f'value="{html.escape(attacker)}"' in text
    assert 'value="46"' in text or defender != "46"
    assert stored_contest(siege)["status"] == "fighting"


def test_9_1_halves_are_typed_with_comma_or_point(siege: GrandTable) -> None:
    report_result(siege, 1, "shares", attacker="44,5", defender="45.5")
    assert stored_contest(siege)["outcome"] == "attacker"
    assert "Routed 44.5–45.5." in visible_text(siege.get("hun", "b/1/"))


def test_9_1_a_module_takes_no_shares(grand_table: GrandTable) -> None:
    attack_dalmatia(grand_table, battle="remove-the-head")
    grand_table.play("romans", "respond", attack=1, choice="accept")
    text = visible_text(grand_table.get("gm", "b/1/"))
    assert (
        "Remove the Head has no house rule. Enter the winner that the game reported. §9.1" in text
    )
    assert "See the consequences" in text
    response = report_result(grand_table, 1, "shares", attacker="31", defender="46")
    assert response.status_code == 422
    assert (
        "Remove the Head has no house rule. Report the winner that the game declared. §9.1"
        in visible_text(response)
    )
    assert grand_table.get("gm", "b/1/", by="called-off").status_code == 200
    assert report_result(grand_table, 1, "called-off").status_code == 422
    assert stored_contest(grand_table)["status"] == "fighting"
    # A user who comes from the desk returns to it.
    assert 'name="back" value="desk"' in grand_table.text(
        "gm", "b/1/", by="winner", side="attacker", back="desk"
    )
    assert (
        report_result(grand_table, 1, "winner", side="attacker", back="desk").headers["Location"]
        == f"{grand_table.home}desk/"
    )
    assert stored_contest(grand_table)["outcome"] == "attacker"


def test_9_6_a_battle_called_off_is_a_draw(siege: GrandTable) -> None:
    text = visible_text(siege.get("gm", "b/1/", by="called-off"))
    assert "No close combat of non-light troops in the first 6 turns: a draw §9.1" in text
    assert "income 450t → 475t" in text
    assert "income 450t → 425t" in text
    assert report_result(siege, 1, "called-off").status_code == 302
    assert stored_contest(siege)["outcome"] == "draw"
    assert "Enters the result of #1 Dalmatia: called off." in visible_text(
        siege.get("nobody", "b/1/")
    )


def test_10_a_forfeit_is_entered(siege: GrandTable) -> None:
    text = visible_text(siege.get("gm", "b/1/", by="forfeit", side="attacker"))
    assert "Side that loses §10" in text
    assert "Award by forfeit" in text
    assert report_result(siege, 1, "forfeit", side="attacker").status_code == 302
    assert stored_contest(siege)["outcome"] == "defender"
    assert report_result(siege, 1, "forfeit", side="attacker").status_code == 422


def test_a_choice_left_open_is_asked_for(siege: GrandTable) -> None:
    assert "Choose the winner. Without a winner there is no result." in visible_text(
        report_result(siege, 1, "winner")
    )
    assert "Choose the winner. Without a winner there is no result." in visible_text(
        report_result(siege, 1, "forfeit", side="draw")
    )
    assert stored_contest(siege)["status"] == "fighting"


@pytest.fixture
def voyage(grand_table: GrandTable) -> GrandTable:
    """Let the Huns attack a Roman province by sea.

    The Romans have a fleet and have not answered.
    """
    position = selectors.position(grand_table.campaign)
    own = {key for key, owner in position.owner.items() if owner == "vandals"}
    start, target = next(
        (a, b)
        for a in sorted(own)
        for b in position.scenario.sea.get(a, ())
        if position.owner[b] == "romans" and b not in position.scenario.land[a]
    )
    grand_table.play("gm", "give-card", nation="romans", card="naval-technology", reason="test")
    play_to_turn(
        grand_table,
        3,
        {"vandals": [("fleet", {"province": start})], "romans": [("fleet", {"province": target})]},
    )
    grand_table.slot_to("vandals")
    grand_table.play("gm", "adjust", nation="vandals", account="actions", change=2, reason="test")
    grand_table.play("vandals", "attack", kind="amphibious", **{"from": start, "target": target})
    return grand_table


def test_8_1_the_encounter_comes_before_a_report_on_an_unanswered_challenge(
    voyage: GrandTable,
) -> None:
    text = visible_text(voyage.get("gm", "b/1/", by="shares", attacker="31", defender="46"))
    assert (
        "The challenge has not been answered. If you enter a result, it counts as accepted. §9.1"
        in text
    )
    assert (
        "The encounter at sea is rolled first. If it ends the attack, no result is entered. §8.1"
        in text
    )
    assert (
        "the Vandals win at sea, about 50% the Romans win at sea, about 49% draw at sea, 1%" in text
    )
    assert "Carthaginiensis §8.1 stays with the Vandals fleet lost stays with the Vandals" in text
    assert (
        "Accept First an encounter at sea; if the attackers win it, 1600 points against"
        in visible_text(voyage.get("roman", "b/1/"))
    )
    before = voyage.campaign.entries.count()
    response = report_result(voyage, 1, "shares", attacker="31", defender="46")
    assert response.status_code == 302
    # The acceptance and its dice stay, whatever the result is.
    ended = stored_contest(voyage)["outcome"] == "naval-repulse"
    assert voyage.campaign.entries.count() == before + (1 if ended else 2)
    assert stored_contest(voyage)["encountered"] is True
    text = visible_text(voyage.get("gm", "b/1/"))
    assert (
        "there is no battle to report" if ended else "Enters the result of #1".lower()
    ) in text.lower()


def test_8_2_a_naval_battle_replaces_encounter_and_battle(voyage: GrandTable) -> None:
    text = visible_text(voyage.get("gm", "b/1/", by="naval", side="draw"))
    assert "Winner of the naval battle §8.2" in text
    assert (
        report_result(
            voyage, 1, "naval", side="attacker", reason="Both said so in the thread"
        ).status_code
        == 302
    )
    assert (stored_contest(voyage)["outcome"], stored_contest(voyage)["naval"]) == (
        "attacker",
        True,
    )
    assert not voyage.campaign.entries.latest("sequence").rolls.exists()
    assert "In play at sea" in visible_text(voyage.get("nobody", "b/1/"))


@pytest.mark.parametrize(
    ("attacker", "defender"), [("abc", "20"), ("-1", "20"), ("101", "20"), ("1e3", "20")]
)
def test_an_impossible_share_is_named_and_kept(
    siege: GrandTable, attacker: str, defender: str
) -> None:
    page = siege.text("gm", "b/1/", by="shares", attacker=attacker, defender=defender)
    assert "Give two shares, each from 0 to 100 per cent" in page
    assert f'value="{attacker}"' in page
