"""The events of a year (6)."""

from __future__ import annotations

from collections.abc import Callable

from engine.dice import Dice
from engine.effects import Say
from games.march_on_rome import battle
from games.march_on_rome.board import BARBARIANS, CORE, INVASIONS, LOST, NUMBERED, PC, PROVINCES, SENATE, TABLES, npc, row
from games.march_on_rome.position import Position

D6, D8, D20 = 6, 8, 20
RULES = {
    "assassination": "6.2",
    "new_general": "6.3",
    "epidemic": "6.4",
    "prosperity": "6.5",
    "rebellion": "6.6",
    "invasion": "6.7",
}
CROWDED = 2
"""So many generals may live that a new one appears (6.3)."""


def happen(position: Position, dice: Dice) -> None:
    """The next event of the year."""
    assert position.events_left is not None
    position.event_no += 1
    position.events_left -= 1
    rolled = dice.roll(_purpose(position, ""), D20, position.turn)
    EVENTS[str(row("events", rolled)["event"])](position, dice)


def _purpose(position: Position, what: str) -> str:
    return f"turn-{position.turn}/event-{position.event_no}{what}"


def _note(position: Position, event: str, holder: str | None, province: str = "", **facts: object) -> None:
    position.note(
        "event", holder, province, RULES[event], no=position.event_no, event=event, province=province, holder=holder, **facts
    )


def _province(position: Position, dice: Dice, what: str, sides: int, wanted: Callable[[str], bool]) -> str:
    """A province by its number on the die, again while there is none of that number or it is not wanted."""
    again = 0
    while True:
        mark = f"/reroll-{again}" if again else ""
        found = NUMBERED.get(dice.roll(_purpose(position, f"/{what}{mark}"), sides, position.turn))
        if found is not None and wanted(found):
            return found
        again += 1


def assassination(position: Position, dice: Dice) -> None:
    """A living general dies; a rival's provinces go to procurators without legions (R13)."""
    living = position.generals()
    victim = living[0]
    if len(living) > 1:
        victim = living[dice.within(_purpose(position, "/victim"), len(living), position.turn) - 1]
    _note(position, "assassination", victim, victim=victim)
    said = Say("assassinated", "6.2", {"general": victim})
    if victim != PC:
        for province in position.lands(victim):
            position.set_owner(province, SENATE, said)
    position.remove(victim, said)


def new_general(position: Position, dice: Dice) -> None:
    """Legions make another general emperor, where few live and land is left."""
    if len(position.legions) > CROWDED or all(owner in position.legions for owner in position.owner.values()):
        _note(position, "new_general", None, nothing=True)
        return
    legions = int(TABLES["setup"]["new_general"]["legions"]["base"])
    legions += dice.roll(_purpose(position, "/legions"), D6, position.turn)

    def free(province: str) -> bool:
        return position.owner[province] not in position.legions

    if any(free(key) for key in CORE):
        province = _province(position, dice, "core", D8, free)
    else:
        province = _province(position, dice, "province", D20, free)
    position.npc_seq += 1
    who, joined = npc(position.npc_seq), position.garrison.get(province, 0)
    _note(position, "new_general", who, province, legions=legions, garrison=joined)
    said = Say("declares", "6.3", {"general": who, "province": province})
    position.legions[who] = 0
    position.set_owner(province, who, said)
    position.change_legions(who, legions + joined, said)
    position.note("new_general", who, province, "6.3", general=who, province=province, legions=legions + joined)


def _struck(position: Position, dice: Dice, event: str, change: int) -> str | None:
    """An event of one province adds or takes a legion of its owner; the province, if it is in the Empire."""
    province = _province(position, dice, "province", D20, PROVINCES.__contains__)
    holder = position.owner[province]
    if holder == LOST:
        _note(position, event, holder, province, nothing=True)
        return None
    own = position.garrison[province] if holder == SENATE else position.legions[holder]
    change = max(change, -own)
    _note(position, event, holder, province, change=change, was=own, now=own + change)
    said = Say(event, RULES[event], {"province": province})
    if holder == SENATE:
        position.change_garrison(province, change, said)
    else:
        position.change_legions(holder, change, said)
    return province


def epidemic(position: Position, dice: Dice) -> None:
    """An owner loses a legion and keeps the province."""
    _struck(position, dice, "epidemic", -1)


def prosperity(position: Position, dice: Dice) -> None:
    """An owner gains a legion."""
    _struck(position, dice, "prosperity", 1)


def rebellion(position: Position, dice: Dice) -> None:
    """An owner loses a legion; with none left the province is lost too (R14)."""
    province = _struck(position, dice, "rebellion", -1)
    if province is None:
        return
    holder = position.owner[province]
    if (position.garrison[province] if holder == SENATE else position.legions[holder]) == 0:
        position.set_owner(province, LOST, Say("province_lost", "6.6", {"by": "rebellion", "holder": holder}))
        if holder != SENATE and not position.lands(holder):
            position.remove(holder, Say("no_province", "4.9", {"general": holder}))


def invasion(position: Position, dice: Dice) -> None:
    """A people follows its route to the first province in the Empire, and attacks it."""
    people = INVASIONS[dice.roll(_purpose(position, "/invader"), D8, position.turn)]
    target = next((key for key in people.route if position.owner[key] != LOST), None)
    if target is None:
        _note(position, "invasion", None, invader=people.key, nothing=True)
        return
    horde = int(TABLES["barbarians"]["base"]) + dice.roll(_purpose(position, "/strength"), D6, position.turn)
    _note(position, "invasion", position.owner[target], target, invader=people.key, horde=horde)
    battle.begin(position, dice, BARBARIANS, target, battle.INVASION, horde)


EVENTS: dict[str, Callable[[Position, Dice], None]] = {
    "assassination": assassination,
    "new_general": new_general,
    "epidemic": epidemic,
    "prosperity": prosperity,
    "rebellion": rebellion,
    "invasion": invasion,
}
