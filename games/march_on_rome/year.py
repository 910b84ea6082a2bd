"""The course of a year: the rivals' acts, recruiting, events, its end (3)."""

from __future__ import annotations

from engine.dice import Dice
from engine.effects import Say
from games.march_on_rome import alliance, battle, events
from games.march_on_rome.board import PC, RING, row
from games.march_on_rome.position import Position

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
            events.happen(position, dice)
        onward(position)


def onward(position: Position) -> None:
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
    onward(position)


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
        alliance.offer(position, dice, who, target)


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
