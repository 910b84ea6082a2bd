"""The frame of a turn: start, the opening of turns, the end of slots (1.2, 1.3, 3.2)."""

from __future__ import annotations

from typing import ClassVar

from engine.dice import Dice
from engine.effects import Say
from games.grand_campaign.rules.construction import build_free, destroy
from games.grand_campaign.rules.form import MasterMove, SlotMove, register
from games.grand_campaign.rules.numbers import table
from games.grand_campaign.rules.position import Position

DRAWS, LAPSE, SLOT_ENDS = Say("draws", "4"), Say("actions-lapse", "3.2"), Say("slot-ends", "3.2")


def order_of_play(position: Position, turn: int) -> list[str]:
    """The nations that stand, in their order of that turn: the fallen keep their place in the rotation (1.2)."""
    circle = position.scenario.order
    first = (position.opener + turn - 2) % len(circle)
    return [k for k in circle[first:] + circle[:first] if not position.nations[k].fallen]


def open_turn(position: Position, dice: Dice) -> None:
    """Open the next turn: order of play, a card for each nation, on event turns an event for each (1.2, 1.3)."""
    position.turn += 1
    turn = position.turn
    position.order = order_of_play(position, turn)
    position.place, position.slot, position.phase = 0, None, "slots"
    position.attacked.clear()
    position.sources.clear()
    position.truces = [truce for truce in position.truces if truce.until >= turn]
    for nation in position.nations.values():
        nation.raided_before, nation.raided = nation.raided, ()
        nation.own_attack = nation.covert_attack = 0
        nation.spies = nation.event_actions = 0
        nation.event = ""
    position.note("turn", None, "opened", Say("turn-opens", "1.2", {"turn": turn}), order=list(position.order))
    rules = position.rules
    for key in position.order:
        audience = position.private(key)
        for n in range(1, rules.cards_per_turn + 1):
            roll = dice.roll(f"turn-{turn}/card/{key}" if n == 1 else f"turn-{turn}/card/{key}/{n}", rules.die, turn, audience)
            position.gain_card(key, rules.card(roll), DRAWS, audience)
    if turn in rules.event_turns:
        for key in position.order:
            random_event(position, key, dice.roll(f"turn-{turn}/event/{key}", rules.die, turn))


@register("start")
class Start(MasterMove):
    """Rolls who opens turn 1, and opens it (1.2)."""

    phases: ClassVar[tuple[str, ...]] = ("setup",)

    def apply(self, position: Position, dice: Dice) -> None:
        position.opener = dice.roll("start", len(position.scenario.order), 0)
        open_turn(position, dice)


@register("open-turn")
class OpenTurn(MasterMove):
    """Opens the next turn after one has closed (1.3)."""

    phases: ClassVar[tuple[str, ...]] = ("closed",)

    def apply(self, position: Position, dice: Dice) -> None:
        open_turn(position, dice)


@register("end-slot")
class EndSlot(SlotMove):
    """Ends the slot; unused actions lapse (3.2)."""

    def apply(self, position: Position, dice: Dice) -> None:
        nation = position.nations[self.seat]
        if nation.actions:
            position.change(self.seat, "actions", -nation.actions, LAPSE)
        position.note("slot", self.seat, "ended", SLOT_ENDS)
        position.slot = None
        position.place += 1


# Random events of turns 2, 4 and 6 (5).


def random_event(position: Position, who: str, roll: int) -> None:
    """What the roll brings the nation, at once; gained or lost actions count when its slot opens (3.2)."""
    event = position.rules.event(roll)
    nation = position.nations[who]
    nation.event = event
    cause = Say(f"event-{event}", "5")
    position.note("event", who, event, cause, roll=roll)
    if event == "earthquake":
        standing = [s for s in position.rules.track(_culture(position, who), "religious") if s.name in nation.structures]
        if standing:
            destroy(position, who, standing[-1], cause)
    elif event == "commercial-efforts":
        missing = [s for s in position.rules.track(_culture(position, who), "commercial") if s.name not in nation.structures]
        if missing:
            build_free(position, who, missing[0], cause)
    else:
        account, amount = table("effects")["events"][event]
        if type(amount) is str:
            talents = position.rules.talents[amount.removeprefix("-")]
            amount = -talents if amount.startswith("-") else talents
        if account == "actions":
            nation.event_actions = amount
        else:
            position.change(who, account, amount, cause)


def _culture(position: Position, who: str) -> str:
    return position.scenario.nations[who].culture
