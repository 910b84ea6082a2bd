"""The events of a year (6)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.dice import Dice
from engine.effects import Say
from games.march_on_rome.rules import battle
from games.march_on_rome.rules.position import (
    BARBARIANS,
    CORE,
    INVASIONS,
    LOST,
    NUMBERED,
    PC,
    PROVINCES,
    RING,
    SENATE,
    TABLES,
    Position,
    npc,
    row,
)

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


def _note(position: Position, event: str, holder: str | None, province: str = "", **facts: Any) -> None:
    position.note(
        "event", holder, province, RULES[event], no=position.event_no, event=event, province=province, holder=holder, **facts
    )


def _province(position: Position, dice: Dice, what: str, sides: int, wanted: Callable[[str], bool]) -> str:
    """A province by its number on the die, again while there is none of that number or it is not wanted."""
    again = 0
    while True:
        mark = f"/reroll-{again}" if again else ""
        province = NUMBERED.get(dice.roll(_purpose(position, f"/{what}{mark}"), sides, position.turn))
        if province is not None and wanted(province):
            return province
        again += 1


def assassination(position: Position, dice: Dice) -> None:
    """A living general dies; a rival's provinces go to procurators without legions (R13)."""
    living = position.generals()
    victim = living[0]
    if len(living) > 1:
        victim = living[dice.within(_purpose(position, "/victim"), len(living), position.turn) - 1]
    _note(position, "assassination", victim, victim=victim)
    cause = Say("assassinated", "6.2", {"general": victim})
    if victim != PC:
        for province in position.lands(victim):
            position.set_owner(province, SENATE, cause)
    position.remove(victim, cause)


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
    cause = Say("declares", "6.3", {"general": who, "province": province})
    position.legions[who] = 0
    position.set_owner(province, who, cause)
    position.change_legions(who, legions + joined, cause)
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
    cause = Say(event, RULES[event], {"province": province})
    if holder == SENATE:
        position.change_garrison(province, change, cause)
    else:
        position.change_legions(holder, change, cause)
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


# The course of a year: the rivals' acts, recruiting, events, its end (3).

D6, D20 = 6, 20
TO_WIN = 3
"""Provinces that the player needs to win (3.5)."""


def go_on(position: Position, dice: Dice) -> None:
    """One step of the year: what `continue` does."""
    if position.phase == "npc" and position.queue is None:
        order(position, dice)
    elif position.phase == "npc":
        npc_acts(position, dice)
    elif position.phase == "recruit":
        recruit(position)
    elif position.events_left is None:
        position.events_left = dice.roll(f"turn-{position.turn}/events", D6, position.turn)
        position.note("events", None, "", "3.4", events=position.events_left)
    else:
        if position.events_left:
            happen(position, dice)
        advance(position)


def advance(position: Position) -> None:
    """After an act or an event with all that came of it: the next phase, where this one is done (3)."""
    if position.pending is not None or position.phase == "over":
        return
    if position.phase == "pc":
        position.phase = "npc"
    elif position.phase == "npc" and not position.queue:
        position.phase = "recruit"
    elif position.phase == "events" and not position.events_left:
        close(position)


def order(position: Position, dice: Dice) -> None:
    """Who acts when: the lowest d20 first; those tied roll again for the places they share (3.2a)."""
    rivals = position.npcs()
    if not rivals:
        position.phase = "recruit"
        return
    position.queue = _sorted(position, dice, rivals, 0)
    position.note("order", None, "", "3.2", queue=list(position.queue))


def _sorted(position: Position, dice: Dice, tied: list[str], again: int) -> list[str]:
    turn, mark = position.turn, f"/reroll-{again}" if again else ""
    rolled = {who: dice.roll(f"turn-{turn}/npc-order/{who}{mark}", D20, turn) for who in tied}
    placed: list[str] = []
    for value in sorted(set(rolled.values())):
        same = [who for who in tied if rolled[who] == value]
        placed += same if len(same) == 1 else _sorted(position, dice, same, again + 1)
    return placed


def npc_acts(position: Position, dice: Dice) -> None:
    """The next rival in the queue who lives does what his dice say (3.2b to 3.2e)."""
    queue = [who for who in position.queue or () if position.lands(who)]
    position.queue = queue[1:]
    if queue:
        _act(position, dice, queue[0])
    advance(position)


def _act(position: Position, dice: Dice, who: str) -> None:
    turn = position.turn
    action = str(row("npc_action", dice.roll(f"turn-{turn}/{who}/action", D6, turn))["action"])
    if action == "nothing" or (action == "attack" and not position.legions[who]):
        position.note("idle", who, who, "3.2", general=who, why="rest" if action == "nothing" else "no-legions")
        return
    lands = position.lands(who)
    home = lands[0]
    if len(lands) > 1:
        home = lands[dice.within(f"turn-{turn}/{who}/home", len(lands), turn) - 1]
    counted = dice.roll(f"turn-{turn}/{who}/neighbour", D6, turn) - 1
    ring = RING[home]
    round_from = [ring[(counted + step) % len(ring)] for step in range(len(ring))]
    target = next((key for key in round_from if position.owner[key] != who), None)
    if target is None:
        position.note("idle", who, home, "3.2", general=who, why="all-own", home=home)
        return
    position.note("marches", who, target, "3.2", general=who, action=action, home=home, counted=round_from[0], target=target)
    if action == "attack":
        battle.begin(position, dice, who, target, "attack")
    else:
        battle.offer(position, dice, who, target)


def recruit(position: Position) -> None:
    """A legion a province for every general (3.3)."""
    for who in position.generals():
        gain = len(position.lands(who))
        position.note("recruited", who, who, "3.3", general=who, legions=gain)
        position.change_legions(who, gain, Say("recruited", "3.3", {"general": who}))
    position.phase = "events"


def close(position: Position) -> None:
    """The year ends: strengths are forgotten; the player has won, or another year begins (3.5)."""
    for province, known in position.barbarians.items():
        position.change_barbarians(province, -known, Say("forgotten", "3.5", {"province": province}))
    position.barbarians = {}
    if len(position.lands(PC)) >= TO_WIN and not position.npcs():
        position.end("won", "no-rivals")
        return
    position.turn += 1
    position.phase = "pc"
    position.queue = None
    position.events_left = None
    position.event_no = 0
    position.battle_no = 0
    position.note("year", None, "", "3.5", turn=position.turn)
