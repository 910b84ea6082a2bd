"""Dice thrown elsewhere: an announcement waits for its die, the die is entered once, everybody can
see that it was.
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
from tests.web.contests import to_turn
from tests.web.five import Five, five, new_campaign

__all__ = ["five", "new_campaign"]

CARDS = {
    f"turn-1/card/{nation}": value
    for value, nation in enumerate(
        ("huns", "romans", "sassanids", "vandals", "hephtalites", "kushans"), 11
    )
}


@pytest.fixture
def waiting(grand: Any) -> Any:
    """The start is announced; its die is thrown elsewhere."""
    services.throw_by(grand.campaign, grand.people["gm"], True)
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


def lines(grand: Any) -> list[str]:
    grand.campaign.refresh_from_db()
    return [line.text for line in selectors.log(grand.campaign, None)]


def audited(grand: Any) -> None:
    out = StringIO()
    call_command("audit", grand.campaign.public_id, stdout=out)
    assert "all as replayed" in out.getvalue()


def test_the_announcement_waits_and_nothing_of_it_is_applied(waiting: Any) -> None:
    campaign = waiting.campaign
    campaign.refresh_from_db()
    assert dice_selectors.awaited(campaign) == ({"by": "gm", "move": "start"}, "start", 6)
    assert (campaign.turn, campaign.started) == (0, False)
    assert not DiceRoll.objects.filter(entry__campaign=campaign).exists()
    assert lines(waiting)[0] == "Game master: starts the campaign. It waits for a die: start."
    assert dice_selectors.ahead(campaign, positions.current(campaign)) == [
        ("start", 6),
        *(
            (purpose, 100)
            for purpose in sorted(
                CARDS,
                key=lambda one: [*positions.scenario(campaign).order].index(one.rsplit("/", 1)[1]),
            )
        ),
    ]


def test_nothing_is_said_meanwhile(waiting: Any) -> None:
    with pytest.raises(NotNow, match="waits for a die"):
        play_move(waiting, "adjust", nation="huns", account="income", change=5, reason="x")


def test_the_dice_are_entered_and_it_is_played(waiting: Any) -> None:
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
    assert "Thrown elsewhere: start is 4. Seen at https://forum.example/roll/7" in lines(waiting)
    assert record.whole(waiting.campaign)["dice"]["fixed"] == {"start": 4, **CARDS}
    positions.memory.clear()
    assert (
        positions.current(waiting.campaign).encode()
        == positions.history(waiting.campaign).after.encode()
    )
    audited(waiting)


def test_one_die_after_the_other(waiting: Any) -> None:
    gm = waiting.people["gm"]
    services.give_die(waiting.campaign, gm, "start", 2)
    waiting.campaign.refresh_from_db()
    known = dice_selectors.awaited(waiting.campaign)
    assert known is not None
    assert (known.purpose.rsplit("/", 1)[0], known.sides) == ("turn-1/card", 100)
    assert waiting.campaign.turn == 0


@pytest.mark.parametrize("value", [0, 7, -1, "4", 4.0, True, None])
def test_a_value_that_is_not_on_the_die(waiting: Any, value: Any) -> None:
    with pytest.raises(Refused, match="whole number from 1 to 6"):
        services.give_die(waiting.campaign, waiting.people["gm"], "start", value)


def test_a_die_falls_once(waiting: Any) -> None:
    gm = waiting.people["gm"]
    services.give_dice(waiting.campaign, gm, {"start": 4, **CARDS})
    for purpose in ("start", "turn-1/card/huns"):
        with pytest.raises(Refused, match="thrown already"):
            services.give_die(waiting.campaign, gm, purpose, 1)


def test_only_the_game_master_enters_dice(waiting: Any) -> None:
    for who in ("ant", "stranger"):
        with pytest.raises(NotAllowed):
            services.give_die(waiting.campaign, waiting.people[who], "start", 1)
        with pytest.raises(NotAllowed):
            services.throw_by(waiting.campaign, waiting.people[who], False)


def test_what_waits_may_be_taken_back(waiting: Any) -> None:
    with pytest.raises(NotAllowed):
        services.drop(waiting.campaign, waiting.people["ant"])
    services.drop(waiting.campaign, waiting.people["gm"], "Not yet")
    assert "Not yet" in lines(waiting)[0]
    play_move(waiting, "start")
    waiting.campaign.refresh_from_db()
    assert waiting.campaign.parked


def test_a_die_that_is_known_before_it_is_wanted(grand: Any) -> None:
    """One roll by hand in a campaign whose program throws the rest; an unknown purpose is none."""
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
    audited(grand)


def test_the_program_throws_again(waiting: Any) -> None:
    gm = waiting.people["gm"]
    with pytest.raises(NotNow, match="waits for a die"):
        services.throw_by(waiting.campaign, gm, False)
    services.give_dice(waiting.campaign, gm, {"start": 4, **CARDS})
    services.throw_by(waiting.campaign, gm, False)
    waiting.campaign.refresh_from_db()
    assert not waiting.campaign.by_hand
    while waiting.campaign.active_seat:
        play_move(waiting, "end-slot", **{"for": waiting.campaign.active_seat})
    play_move(waiting, "open-turn")
    assert waiting.campaign.turn == 2
    audited(waiting)


def test_what_the_rules_forbid_waits_for_nothing(waiting: Any) -> None:
    services.drop(waiting.campaign, waiting.people["gm"])
    with pytest.raises(IllegalMove):
        play_move(waiting, "open-turn")


def test_hidden_hands_have_no_dice_by_hand(people: Any) -> None:
    campaign = services.found_campaign(
        people["gm"], "grand_campaign", "Hidden", "420ad", {"hands": "hidden"}
    )
    with pytest.raises(Refused, match="hidden hands"):
        services.throw_by(campaign, people["gm"], True)


@pytest.mark.parametrize(
    ("title", "scenario", "options", "purpose"),
    [
        ("grand_campaign", "420ad", {"hands": "hidden"}, "turn-1/card/huns"),
        ("roman_empire", "standard", {}, "turn-1/draw-people-1"),
    ],
)
def test_nor_has_one_die_a_value_beforehand_there(
    people: Any, title: str, scenario: str, options: Any, purpose: str
) -> None:
    campaign = services.found_campaign(people["gm"], title, "Hidden", scenario, options)
    with pytest.raises(Refused, match="entered by hand where every die is open"):
        services.give_die(campaign, people["gm"], purpose, 5)
    campaign.refresh_from_db()
    assert campaign.entered_dice == {}


# A result on a challenge that nobody has answered, over the sea: the acceptance throws, then the result stands or not  # noqa: E501


@pytest.fixture
def crossing(five: Five) -> Five:
    """The Vandals attack the Romans over the sea, who have a fleet; the game master has entered a
    result, and dice are thrown elsewhere.
    """
    position = selectors.position(five.campaign)
    own = {key for key, owner in position.owner.items() if owner == "vandals"}
    start, target = next(
        (a, b)
        for a in sorted(own)
        for b in position.scenario.sea.get(a, ())
        if position.owner[b] == "romans" and b not in position.scenario.land[a]
    )
    to_turn(
        five,
        3,
        {"vandals": [("fleet", {"province": start})], "romans": [("fleet", {"province": target})]},
    )
    five.slot_to("vandals")
    five.play("gm", "adjust", nation="vandals", account="actions", change=2, reason="test")
    five.play("vandals", "attack", kind="amphibious", **{"from": start, "target": target})
    services.throw_by(five.campaign, five.people["gm"], True)
    five.play("gm", "report", attack=1, winner="attacker")
    five.campaign.refresh_from_db()
    return five


def moves_since(five: Five, before: int) -> list[str]:
    entries = five.campaign.entries.filter(sequence__gt=before, kind="move").order_by("sequence")
    return [str(entry.content["move"]) for entry in entries]


def test_9_1_a_result_that_waits_for_the_dice_of_the_acceptance_is_not_forgotten(
    crossing: Five,
) -> None:
    waits = dice_selectors.awaited(crossing.campaign)
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
    audited(crossing)


def test_orders_hear_the_part_that_stands_where_the_rest_is_refused(
    crossing: Five, monkeypatch: pytest.MonkeyPatch
) -> None:
    """8.1: the encounter is lost, and with it the attack: no result is left to enter."""
    heard: list[str] = []
    monkeypatch.setattr(
        standing_orders,
        "at_once",
        lambda table, entry, before, at: heard.append(entry.content["move"]),
    )
    before, waits = crossing.campaign.last_sequence, dice_selectors.awaited(crossing.campaign)
    assert waits is not None
    turn = waits.purpose.rsplit("/", 1)[0]
    services.give_dice(
        crossing.campaign, crossing.people["gm"], {f"{turn}/attacker": 5, f"{turn}/defender": 90}
    )
    crossing.campaign.refresh_from_db()
    assert moves_since(crossing, before) == ["respond"]
    assert heard == ["respond"]
    assert crossing.campaign.parked is None
    assert lines(crossing)[0] == "Game master: what waited for a die is taken back."
    audited(crossing)
