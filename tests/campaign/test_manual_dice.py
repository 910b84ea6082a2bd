"""Dice that are thrown elsewhere.

An announced move waits for its die; the die is entered once, and everyone can see that it was.
"""

from __future__ import annotations

from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from campaign import services
from campaign.dice import selectors as dice_selectors
from campaign.errors import NotAllowed, NotNow, Refused
from campaign.log import positions, record, selectors
from campaign.models import DiceRoll
from campaign.seats import standing_orders
from engine.errors import IllegalMove
from tests.web.contests import play_to_turn
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["grand_table", "new_campaign"]

CARDS = {
    f"turn-1/card/{nation}": value
    for value, nation in enumerate(
        ("huns", "romans", "sassanids", "vandals", "hephtalites", "kushans"), 11
    )
}


@pytest.fixture
def waiting(grand: Any) -> Any:
    """Return a campaign whose start is announced and waiting for a die that is thrown elsewhere."""
    services.set_manual_dice(grand.campaign, grand.people["gm"], True)
    play_move(grand, "start")
    return grand


def play_move(grand: Any, move: str, who: str = "gm", **given: Any) -> Any:
    user = grand.people[who]
    result = services.play(
        grand.campaign,
        user,
        {"by": "gm", "move": move, **given},
        selectors.seen(grand.campaign, user),
    )
    grand.campaign = result.campaign
    return result


def story_lines(grand: Any) -> list[str]:
    grand.campaign.refresh_from_db()
    return [line.text for line in selectors.log(grand.campaign, None)]


def check_audit(grand: Any) -> None:
    out = StringIO()
    call_command("audit", grand.campaign.public_id, stdout=out)
    assert "all as replayed" in out.getvalue()


def test_the_announcement_waits_and_nothing_of_it_is_applied(waiting: Any) -> None:
    campaign = waiting.campaign
    campaign.refresh_from_db()
    assert dice_selectors.awaited_die(campaign) == ({"by": "gm", "move": "start"}, "start", 6)
    assert (campaign.turn, campaign.started) == (0, False)
    assert not DiceRoll.objects.filter(entry__campaign=campaign).exists()
    assert (
        story_lines(waiting)[0]
        == "Game master: starts the campaign. This move is waiting for a die: start."
    )
    assert dice_selectors.dice_of_parked_move(campaign, positions.current(campaign)) == [
        ("start", 6),
        *(
            (purpose, 100)
            for purpose in sorted(
                CARDS,
                key=lambda one: [*positions.scenario(campaign).order].index(one.rsplit("/", 1)[1]),
            )
        ),
    ]


def test_no_move_is_made_while_a_die_is_missing(waiting: Any) -> None:
    with pytest.raises(NotNow, match="waiting for a die"):
        play_move(waiting, "adjust", nation="huns", account="income", change=5, reason="x")


def test_the_move_is_played_when_its_dice_are_entered(waiting: Any) -> None:
    gm = waiting.people["gm"]
    entries = services.give_dice(
        waiting.campaign, gm, {"start": 4, **CARDS}, "https://forum.example/roll/7"
    )
    waiting.campaign.refresh_from_db()
    assert (waiting.campaign.turn, waiting.campaign.parked) == (1, None)
    assert entries[-1].content == {"by": "gm", "move": "start"}
    assert entries[-1].actor == gm
    rolls = dict(
        DiceRoll.objects.filter(entry__campaign=waiting.campaign).values_list("purpose", "value")
    )
    assert rolls == {"start": 4, **CARDS}
    assert dice_selectors.links(waiting.campaign)["start"] == "https://forum.example/roll/7"
    assert "Thrown elsewhere: start is 4. Source: https://forum.example/roll/7" in story_lines(
        waiting
    )
    assert record.full_record(waiting.campaign)["dice"]["fixed"] == {"start": 4, **CARDS}
    positions.memory.clear()
    assert (
        positions.current(waiting.campaign).encode()
        == positions.history(waiting.campaign).after.encode()
    )
    check_audit(waiting)


def test_dice_are_entered_one_after_the_other(waiting: Any) -> None:
    gm = waiting.people["gm"]
    services.give_die(waiting.campaign, gm, "start", 2)
    waiting.campaign.refresh_from_db()
    known = dice_selectors.awaited_die(waiting.campaign)
    assert known is not None
    assert (known.purpose.rsplit("/", 1)[0], known.sides) == ("turn-1/card", 100)
    assert waiting.campaign.turn == 0


@pytest.mark.parametrize("value", [0, 7, -1, "4", 4.0, True, None])
def test_a_value_that_is_not_on_the_die_is_refused(waiting: Any, value: Any) -> None:
    with pytest.raises(Refused, match="whole number from 1 to 6"):
        services.give_die(waiting.campaign, waiting.people["gm"], "start", value)


def test_a_die_is_entered_only_once(waiting: Any) -> None:
    gm = waiting.people["gm"]
    services.give_dice(waiting.campaign, gm, {"start": 4, **CARDS})
    for purpose in ("start", "turn-1/card/huns"):
        with pytest.raises(Refused, match="already been thrown"):
            services.give_die(waiting.campaign, gm, purpose, 1)


def test_only_the_game_master_enters_dice(waiting: Any) -> None:
    for who in ("ant", "stranger"):
        with pytest.raises(NotAllowed):
            services.give_die(waiting.campaign, waiting.people[who], "start", 1)
        with pytest.raises(NotAllowed):
            services.set_manual_dice(waiting.campaign, waiting.people[who], False)


def test_a_waiting_move_may_be_taken_back(waiting: Any) -> None:
    with pytest.raises(NotAllowed):
        services.drop_parked_move(waiting.campaign, waiting.people["ant"])
    services.drop_parked_move(waiting.campaign, waiting.people["gm"], "Not yet")
    assert "Not yet" in story_lines(waiting)[0]
    play_move(waiting, "start")
    waiting.campaign.refresh_from_db()
    assert waiting.campaign.parked


def test_a_die_can_be_entered_before_it_is_needed(grand: Any) -> None:
    """A roll is entered by hand while the program throws the rest; unknown purposes are refused."""
    gm = grand.people["gm"]
    services.give_die(grand.campaign, gm, "turn-1/card/huns", 35, "https://forum.example/1")
    for purpose in ("turn-1/card/goths", "nonsense", "turn-99/card/huns", ""):
        with pytest.raises(Refused):
            services.give_die(grand.campaign, gm, purpose, 35)
    grand.campaign.refresh_from_db()
    play_move(grand, "start")
    rolls = dict(
        DiceRoll.objects.filter(entry__campaign=grand.campaign).values_list("purpose", "value")
    )
    assert rolls["turn-1/card/huns"] == 35
    check_audit(grand)


def test_the_game_master_lets_the_program_throw_again(waiting: Any) -> None:
    gm = waiting.people["gm"]
    with pytest.raises(NotNow, match="waiting for a die"):
        services.set_manual_dice(waiting.campaign, gm, False)
    services.give_dice(waiting.campaign, gm, {"start": 4, **CARDS})
    services.set_manual_dice(waiting.campaign, gm, False)
    waiting.campaign.refresh_from_db()
    assert not waiting.campaign.by_hand
    while waiting.campaign.active_seat:
        play_move(waiting, "end-slot", **{"for": waiting.campaign.active_seat})
    play_move(waiting, "open-turn")
    assert waiting.campaign.turn == 2
    check_audit(waiting)


def test_an_illegal_move_does_not_wait_for_dice(waiting: Any) -> None:
    services.drop_parked_move(waiting.campaign, waiting.people["gm"])
    with pytest.raises(IllegalMove):
        play_move(waiting, "open-turn")


def test_campaigns_with_hidden_hands_have_no_manual_dice(people: Any) -> None:
    campaign = services.found_campaign(
        people["gm"], "grand_campaign", "Hidden", "420ad", {"hands": "hidden"}
    )
    with pytest.raises(Refused, match="every die is open"):
        services.set_manual_dice(campaign, people["gm"], True)


@pytest.mark.parametrize(
    ("title", "scenario", "options", "purpose"),
    [
        ("grand_campaign", "420ad", {"hands": "hidden"}, "turn-1/card/huns"),
        ("roman_empire", "standard", {}, "turn-1/draw-people-1"),
    ],
)
def test_with_hidden_hands_no_die_is_entered_beforehand(
    people: Any, title: str, scenario: str, options: Any, purpose: str
) -> None:
    campaign = services.found_campaign(people["gm"], title, "Hidden", scenario, options)
    with pytest.raises(Refused, match="cannot be entered by hand in this campaign"):
        services.give_die(campaign, people["gm"], purpose, 5)
    campaign.refresh_from_db()
    assert campaign.entered_dice == {}


# A result for an unanswered challenge over the sea: the acceptance throws dice, then the result is
# entered or refused


@pytest.fixture
def crossing(grand_table: GrandTable) -> GrandTable:
    """Return a campaign in which the Vandals attack the Romans, who have a fleet, over the sea.

    The game master has entered a result, and dice are thrown elsewhere.
    """
    position = selectors.position(grand_table.campaign)
    own = {key for key, owner in position.owner.items() if owner == "vandals"}
    start, target = next(
        (a, b)
        for a in sorted(own)
        for b in position.scenario.sea.get(a, ())
        if position.owner[b] == "romans" and b not in position.scenario.land[a]
    )
    play_to_turn(
        grand_table,
        3,
        {"vandals": [("fleet", {"province": start})], "romans": [("fleet", {"province": target})]},
    )
    grand_table.slot_to("vandals")
    grand_table.play("gm", "adjust", nation="vandals", account="actions", change=2, reason="test")
    grand_table.play("vandals", "attack", kind="amphibious", **{"from": start, "target": target})
    services.set_manual_dice(grand_table.campaign, grand_table.people["gm"], True)
    grand_table.play("gm", "report", attack=1, winner="attacker")
    grand_table.campaign.refresh_from_db()
    return grand_table


def moves_since(grand_table: GrandTable, before: int) -> list[str]:
    entries = grand_table.campaign.entries.filter(sequence__gt=before, kind="move").order_by(
        "sequence"
    )
    return [str(entry.content["move"]) for entry in entries]


def test_9_1_a_result_that_waits_for_the_dice_of_the_acceptance_is_not_forgotten(
    crossing: GrandTable,
) -> None:
    waits = dice_selectors.awaited_die(crossing.campaign)
    assert waits is not None
    assert waits.move == {"attack": 1, "by": "gm", "move": "report", "winner": "attacker"}
    before = crossing.campaign.last_sequence
    turn = waits.purpose.rsplit("/", 1)[0]
    services.give_dice(
        crossing.campaign,
        crossing.people["gm"],
        {f"{turn}/attacker": 90, f"{turn}/defender": 5},
        "https://forum.example/1",
    )
    crossing.campaign.refresh_from_db()
    assert moves_since(crossing, before) == ["respond", "report"]
    assert selectors.position(crossing.campaign).attacks[0].status == "resolved"
    check_audit(crossing)


def test_orders_react_to_the_accepted_part_if_the_rest_is_refused(
    crossing: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """8.1: the encounter is lost, and the attack with it, so no result is left to enter."""
    heard: list[str] = []
    monkeypatch.setattr(
        standing_orders,
        "carry_out_at_once",
        lambda table, entry, before, at: heard.append(entry.content["move"]),
    )
    before, waits = crossing.campaign.last_sequence, dice_selectors.awaited_die(crossing.campaign)
    assert waits is not None
    turn = waits.purpose.rsplit("/", 1)[0]
    services.give_dice(
        crossing.campaign, crossing.people["gm"], {f"{turn}/attacker": 5, f"{turn}/defender": 90}
    )
    crossing.campaign.refresh_from_db()
    assert moves_since(crossing, before) == ["respond"]
    assert heard == ["respond"]
    assert crossing.campaign.parked is None
    assert (
        story_lines(crossing)[0] == "Game master: the move that was waiting for a die is withdrawn."
    )
    check_audit(crossing)
