"""Set-up, the order of drawing, the dealing of counters (3, 4)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.dice import Dice
from engine.effects import Say
from games.roman_empire.board import SETS, STARTS, WHOLE, cards_of
from games.roman_empire.position import FACTION, PEOPLE, Draw, Position
from games.roman_empire.scenario import FLAGS

D6 = 6
EMPEROR = "emperor"
COUNTERS = {PEOPLE: 5, EMPEROR: 6}


def begin(position: Position, dice: Dice) -> None:
    """The four Cities, then the hands: of every set each seat gets a card (3.1, 3.3)."""
    for land in STARTS:
        position.settle(land, Say("founded", "3.1"), city=WHOLE)
    for number in SETS:
        cards = cards_of(number, FLAGS[0] in position.options.flags)
        for seat in position.seats:
            at = hidden(dice, f"setup/hand/{seat}/set-{number}", len(cards), 0)
            position.deal_card(seat, cards.pop(at - 1))
    position.phase = "draw"
    position.note("begun", None, "", "3", seats=len(position.seats))


def hidden(dice: Dice, purpose: str, sides: int, turn: int) -> int:
    """A draw that nobody but the game master sees: even its place among the rest would tell which are left."""
    value = dice.within(purpose, sides, turn)
    dice.thrown[-1] = dice.thrown[-1]._replace(audience=())
    return value


def order(position: Position, dice: Dice) -> None:
    """The drawing order of the turn (4.1)."""
    if position.period == 1:
        found = list(_by_dice(position, dice, position.seats, 0))
    else:
        found = sorted(position.seats, key=lambda seat: (sum(position.vp[seat].values()), position.prev_people.get(seat) or 0))
    position.draw = Draw(tuple(found))
    position.active = found[0]
    position.note("order", None, "", "4.1", order=found)


def _by_dice(position: Position, dice: Dice, seats: tuple[str, ...], reroll: int) -> Iterator[str]:
    """Lowest total first; those who tie throw again among themselves."""
    again = f"/reroll-{reroll}" if reroll else ""
    totals = {seat: sum(dice.several(f"turn-{position.period}/order/{seat}{again}", D6, 2, position.period)) for seat in seats}
    for total in sorted(set(totals.values())):
        tied = tuple(seat for seat in seats if totals[seat] == total)
        if len(tied) == 1:
            yield tied[0]
        else:
            yield from _by_dice(position, dice, tied, reroll + 1)


def left(position: Position, what: str) -> list[int]:
    """The counters nobody has, in rising order (4.2)."""
    dealt = {counters[what] for counters in position.counters.values()}
    return [n for n in range(1, COUNTERS[what] + 1) if n not in dealt]


def draw(position: Position, dice: Dice) -> None:
    """The seat whose place it is takes a counter and looks at it (4.2)."""
    assert position.draw is not None
    now = position.draw
    choices = left(position, now.what)
    seat = now.order[now.i]
    at = hidden(dice, f"turn-{position.period}/draw-{now.what}-{now.n + 1}", len(choices), position.period)
    position.draw = now._replace(n=now.n + 1, open=choices[at - 1])
    position.note("drawn", seat, now.what, "4.2", seat=seat, what=now.what)
    position.note("looked", seat, now.what, "4.2", audience=(seat,), seat=seat, what=now.what, n=choices[at - 1])


def give(position: Position, to: str | None) -> None:
    """The counter is kept, or passed on face down (4.2); then it is the next seat's place."""
    assert position.draw is not None
    now = position.draw
    seat = now.order[now.i]
    position.counters[to or seat][now.what] = now.open
    if to is None:
        position.note("kept", seat, now.what, "4.2", seat=seat, what=now.what)
    else:
        position.passed.setdefault(to, {})[now.what] = seat
        position.note("passed", seat, now.what, "4.2", seat=seat, to=to, what=now.what)
    waiting = [other for other in now.order if position.counters[other][now.what] is None]
    if waiting:
        following = [*now.order[now.i + 1 :], *now.order[: now.i + 1]]
        turn = next(other for other in following if other in waiting)
        position.draw = now._replace(i=now.order.index(turn), open=None)
        position.active = turn
    elif now.what == PEOPLE:
        position.draw = Draw(now.order, EMPEROR)
        position.active = now.order[0]
    else:
        _deal_out(position)


def _deal_out(position: Position) -> None:
    """Everybody has both counters: Peoples and Emperors play alternately by number (4.4)."""
    position.draw, position.active, position.phase = None, None, "turns"
    peoples = sorted(position.seats, key=lambda seat: position.counters[seat][PEOPLE] or 0)
    emperors = sorted(position.seats, key=lambda seat: position.counters[seat][EMPEROR] or 0)
    position.queue = [one for pair in zip(peoples, emperors, strict=True) for one in ((pair[0], PEOPLE), (pair[1], FACTION))]
    position.note("dealt_out", None, "", "4.4", period=position.period)
