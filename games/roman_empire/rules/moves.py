"""The moves: their form, the seat that makes them, when they are possible (RULES, Moves).

The module also sets up the game and deals the counters (3, 4).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Phrase
from engine.errors import IllegalMove
from games.kit.records import ENGINE, GM, MOST, FormMove, bad, read_voice, register
from games.kit.records import decode as decode_move
from games.roman_empire.rules import combat, events, placing
from games.roman_empire.rules import phases as rules_phases
from games.roman_empire.rules.position import (
    DONE,
    FACTION,
    FLAGS,
    PEOPLE,
    SETS,
    STACK,
    START,
    STARTS,
    WHOLE,
    Draw,
    F,
    P,
    Pending,
    Position,
    cards_of,
)
from games.roman_empire.rules.position import Place as Holding

MOVES: dict[str, type[EmpireMove]] = {}
ACTING = (PEOPLE, FACTION)


class EmpireMove(FormMove):
    """A move of the game.

    `admit` checks in this order: whether the game is over, whose turn it is, the phase, and whether
    a decision is pending. `decides` is the kind of decision that this move makes.
    """

    __slots__ = ()
    least: ClassVar[int] = -MOST
    phases: ClassVar[tuple[str, ...]] = ACTING
    automatic: ClassVar[bool] = False
    decides: ClassVar[str] = ""
    only_start: ClassVar[bool] = False

    @classmethod
    def speaker(cls, position: Position) -> str | None:
        """Return the seat that makes this move now; None if any seat may."""
        if cls.decides:
            return (
                position.pending.seat
                if position.pending is not None and position.pending.kind == cls.decides
                else None
            )
        return None if cls.automatic else position.active

    def admit(self, position: Position) -> None:
        if position.phase == "over":
            raise IllegalMove("game-over", "11")
        speaker = self.speaker(position)
        if speaker is not None and self.seat != speaker:
            raise IllegalMove("not-your-turn", "4.4", seat=speaker)
        if self.decides:
            self.admit_decision(position)
            return
        self.admit_phase(position)
        if position.pending is not None:
            raise IllegalMove(
                "pending-decision",
                "8.5",
                f"pending-{position.pending.kind}",
                seat=position.pending.seat,
            )
        if self.only_start and position.step != START:
            raise IllegalMove("too-late", "6.2")

    def admit_decision(self, position: Position) -> None:
        if position.pending is None or position.pending.kind != self.decides:
            raise IllegalMove("nothing-pending", "8.5")

    def admit_phase(self, position: Position) -> None:
        if position.phase not in self.phases:
            raise IllegalMove("wrong-phase", "4", f"wrong-phase-{position.phase}")
        if position.phase in ACTING and position.step == DONE:
            raise IllegalMove("wrong-phase", "4", "phase-done")

    @classmethod
    def read_voice(cls, raw: Mapping[str, Any], position: Position) -> tuple[str, str]:
        """Return the seat that makes the move, and the seat that it is made for.

        Without `by` the move is by the seat that may make it, an automatic move by the game master.
        """
        speaker = GM if cls.automatic else cls.speaker(position) or next(iter(position.seats), GM)
        led = (GM, *position.seats) if cls.automatic else position.seats
        return read_voice(raw, speaker, position.seats, led, (GM, ENGINE))


def decode(raw: object, position: Position) -> EmpireMove:
    """Read a move of a record.

    Raises:
        IllegalMove: The form of the move is wrong.
    """
    return decode_move(raw, MOVES, position)


# Automatic moves, the dealing of counters, the moves of every phase and the decisions of other
# seats (RULES, Moves).


@register(MOVES, "begin")
class Begin(EmpireMove):
    """The set-up of Cities and hands (3)."""

    automatic: ClassVar[bool] = True

    def admit_phase(self, position: Position) -> None:
        # A position that was read from a record has no set-up phase. The game has not begun if its
        # board and hands are empty.
        bare = (
            position.period == 1
            and not any(position.hand.values())
            and set(position.lands.values()) == {Holding()}
        )
        if position.phase != "setup" and not (
            bare and position.draw is None and not position.has_counters
        ):
            raise IllegalMove("wrong-phase", "3", "begun-already")

    def apply(self, position: Position, dice: Dice) -> None:
        begin(position, dice)


@register(MOVES, "order")
class Order(EmpireMove):
    """The drawing order of a turn (4.1)."""

    phases: ClassVar[tuple[str, ...]] = ("draw",)
    automatic: ClassVar[bool] = True

    def check(self, position: Position) -> None:
        if position.draw is not None:
            raise IllegalMove("wrong-phase", "4.1", "ordered")

    def apply(self, position: Position, dice: Dice) -> None:
        set_order(position, dice)


@register(MOVES, "open")
class Open(EmpireMove):
    """The beginning of the next phase or turn, or the end of the game (4.4, 11)."""

    automatic: ClassVar[bool] = True

    def admit_phase(self, position: Position) -> None:
        if position.phase != "turns" and (
            position.phase not in self.phases or position.step != DONE
        ):
            raise IllegalMove("wrong-phase", "4.4", "not-done")

    def apply(self, position: Position, dice: Dice) -> None:
        rules_phases.next_phase(position, dice)


class Dealing(EmpireMove):
    """A move of the dealing (4.2). `looking`: a counter must have been drawn."""

    __slots__ = ()
    phases: ClassVar[tuple[str, ...]] = ("draw",)
    looking: ClassVar[bool] = True

    def admit_phase(self, position: Position) -> None:
        EmpireMove.admit_phase(self, position)
        if position.draw is None:
            raise IllegalMove("wrong-phase", "4.1", "not-ordered")
        if (position.draw.open is not None) != self.looking:
            code = "nothing-pending" if self.looking else "pending-decision"
            raise IllegalMove(
                code,
                "4.2",
                "nothing-drawn" if self.looking else "counter-drawn",
                seat=position.active,
            )


@register(MOVES, "draw")
class DrawCounter(Dealing):
    """The drawing of a counter, which its seat sees (4.2)."""

    looking: ClassVar[bool] = False

    def apply(self, position: Position, dice: Dice) -> None:
        draw(position, dice)


@register(MOVES, "keep")
class Keep(Dealing):
    """The keeping of a drawn counter (4.2)."""

    def apply(self, position: Position, dice: Dice) -> None:
        pass_counter(position, None)


@register(MOVES, "pass_counter")
class PassCounter(Dealing):
    """The passing of a drawn counter, face down, to a seat that has none (4.2)."""

    form: ClassVar[dict[str, str]] = {"to": "text"}
    to: str

    def check(self, position: Position) -> None:
        assert position.draw is not None
        if self.to not in position.seats or self.to == position.active:
            raise IllegalMove("bad-target", "4.2", "no-other-seat", name=self.to[:40])
        if position.counters[self.to][position.draw.what] is not None:
            raise IllegalMove("has-counter", "4.2", seat=self.to)

    def apply(self, position: Position, dice: Dice) -> None:
        pass_counter(position, self.to)


@register(MOVES, "place")
class Place(EmpireMove):
    """The placing of an army (5.3, 6.3 to 6.5)."""

    form: ClassVar[dict[str, str]] = {
        "land": "text",
        "from": "text",
        "loot": "flag",
        "fort": "text",
    }
    optional: ClassVar[frozenset[str]] = frozenset({"loot", "fort"})
    ways: ClassVar[dict[str, tuple[str, ...]]] = {"fort": ("take", "destroy")}
    land: str
    source: str
    loot: bool | None = None
    fort: str | None = None

    def check(self, position: Position) -> None:
        placing.judge(position, self.land, self.source, bool(self.loot), self.fort)

    def apply(self, position: Position, dice: Dice) -> None:
        way = placing.judge(position, self.land, self.source, bool(self.loot), self.fort)
        placing.put(
            position, dice, self.land, self.source, bool(self.loot), self.fort or "take", way
        )


@register(MOVES, "take_up")
class TakeUp(EmpireMove):
    """The return of armies from the map into the hand (5.2, 6.2)."""

    only_start: ClassVar[bool] = True
    form: ClassVar[dict[str, str]] = {"land": "text", "n": "number"}
    land: str
    n: int

    def check(self, position: Position) -> None:
        placing.read_places(self.land)
        place = position.lands[self.land]
        if place.who != position.current or not place.n:
            raise IllegalMove("not-controlled", "5.2", land=self.land)
        if not 1 <= self.n <= place.n:
            raise IllegalMove("bad-number", "5.2", most=place.n)
        walled = place.fort is not None and place.fort.who == position.current
        if position.is_faction and self.n == place.n and not walled:
            raise IllegalMove("would-leave-vacant", "6.2", land=self.land)

    def apply(self, position: Position, dice: Dice) -> None:
        cause = Phrase("taken_up", "5.2", {"group": position.current, "n": self.n})
        position.settle(self.land, cause, n=position.lands[self.land].n - self.n)
        position.in_hand += self.n
        position.note(
            "taken_up",
            position.active,
            self.land,
            "5.2",
            land=self.land,
            group=position.current,
            n=self.n,
        )


@register(MOVES, "play_event")
class PlayEvent(EmpireMove):
    """The play of a card, with exactly the arguments that it needs (9)."""

    form: ClassVar[dict[str, str]] = {
        "card": "text",
        "land": "text",
        "area": "text",
        "people": "text",
        "use": "text",
        "loot": "flag",
    }
    optional: ClassVar[frozenset[str]] = frozenset(form) - {"card"}
    ways: ClassVar[dict[str, tuple[str, ...]]] = {"use": (events.FORTS, events.BRIDGES)}
    card: str
    land: str | None = None
    area: str | None = None
    people: str | None = None
    use: str | None = None
    loot: bool | None = None

    def play(self, position: Position) -> events.Play:
        """Return the card with its arguments.

        Raises:
            IllegalMove: An argument is missing, or the card does not have it.
        """
        card = events.admit(position, self.seat, self.card)
        needed = events.ARGUMENTS.get(card.kind, frozenset())
        for key in ("land", "area", "people", "use"):
            given = getattr(self, key)
            if given is None and key in needed:
                raise bad("argument-missing", key=key)
            if given is not None and key not in needed:
                raise bad("unknown-argument", key=key, move=self.card)
        if self.loot is not None and card.kind != "treachery":
            raise bad("unknown-argument", key="loot", move=self.card)
        return events.Play(
            card,
            self.land or "",
            self.area or "",
            self.people or "",
            self.use or "",
            bool(self.loot),
        )

    def check(self, position: Position) -> None:
        events.judge(position, self.play(position))

    def apply(self, position: Position, dice: Dice) -> None:
        events.perform(position, dice, self.play(position))


@register(MOVES, "end_sub")
class EndSub(EmpireMove):
    """The end of the sub-turn of a Kingdom, a Minor People or a revived People (9.2)."""

    def check(self, position: Position) -> None:
        if position.resume is None:
            raise IllegalMove("wrong-phase", "9.2", "no-sub-turn")

    def apply(self, position: Position, dice: Dice) -> None:
        events.end_sub(position)


@register(MOVES, "end_phase")
class EndPhase(EmpireMove):
    """The end of a phase; a Faction builds Cities at its end (5.4, 6.7, 6.8)."""

    form: ClassVar[dict[str, str]] = {"cities": "texts"}
    optional: ClassVar[frozenset[str]] = frozenset({"cities"})
    cities: tuple[str, ...] | None = None

    def check(self, position: Position) -> None:
        if position.resume is not None:
            raise IllegalMove("sub-turn", "9.2", "end-sub-first", group=position.current)
        if self.cities and not position.is_faction:
            raise bad("no-cities-here")
        if self.cities:
            rules_phases.judge_cities(position, self.cities)

    def apply(self, position: Position, dice: Dice) -> None:
        rules_phases.close_phase(position, self.cities or ())


@register(MOVES, "retreat")
class Retreat(EmpireMove):
    """The defender's retreat, or their decision to hold (8.5, 9.3, R10).

    They hold for this round, or with `hold` for the whole combat or Rebellion. From a start land,
    all armies that have room go to `to`, or `lands` names a land for each army; with neither, the
    default of 8.6 applies (12.5).
    """

    decides: ClassVar[str] = "retreat"
    form: ClassVar[dict[str, str]] = {"to": "text", "hold": "flag", "lands": "texts"}
    optional: ClassVar[frozenset[str]] = frozenset({"to", "hold", "lands"})
    to: str | None = None
    hold: bool | None = None
    lands: tuple[str, ...] | None = None

    def check(self, position: Position) -> None:
        assert position.pending is not None
        if self.lands is not None:
            self.check_lands(position, position.pending)
        if self.to is None:
            return
        if self.hold:
            raise bad("retreat-or-hold")
        placing.read_places(self.to)
        if self.to not in position.pending.to:
            raise IllegalMove("bad-target", "8.5", "no-shelter", land=self.to)

    def check_lands(self, position: Position, asked: Pending) -> None:
        """Check that each army has a land, and no land gets more than it has room for (12.5)."""
        if not position.makes_way or self.to is not None or self.hold:
            raise bad("retreat-or-hold")
        lands = self.lands or ()
        if len(lands) != position.lands[asked.land].n:
            raise IllegalMove("bad-number", "12.5", "a-land-each", n=position.lands[asked.land].n)
        for land in lands:
            placing.read_places(land)
            if land not in asked.to or position.lands[land].n + lands.count(land) > STACK:
                raise IllegalMove("bad-target", "8.6", "no-shelter", land=land)

    def apply(self, position: Position, dice: Dice) -> None:
        assert position.pending is not None
        asked, makes_way = position.pending, position.makes_way
        position.pending = None
        if position.rebellion is not None:
            events.answer_rebellion(position, dice, self.to, bool(self.hold))
            return
        if makes_way:
            goals = self.lands or ((self.to,) * position.lands[asked.land].n if self.to else ())
            placing.arrive(position, dice, asked.land, asked.loot, goals)
            return
        assert position.combat is not None
        if self.to is not None:
            combat.retreat(position, asked.land, self.to)
        else:
            position.combat = position.combat._replace(hold=bool(self.hold))
            position.note(
                "stood",
                asked.seat,
                asked.land,
                "8.5",
                seat=asked.seat,
                land=asked.land,
                hold=bool(self.hold),
            )
        combat.go_on(position, dice, asked=True)


@register(MOVES, "offer")
class Offer(EmpireMove):
    """The attacked Faction's offer of points before the first round; with 0 it fights (12)."""

    decides: ClassVar[str] = "offer"
    form: ClassVar[dict[str, str]] = {"amount": "number"}
    amount: int

    def check(self, position: Position) -> None:
        if self.amount < 0:
            raise IllegalMove("bad-number", "12", "not-negative")
        if self.amount > position.vp[self.seat][F]:
            raise IllegalMove(
                "not-enough-vp", "12", cost=self.amount, points=position.vp[self.seat][F]
            )

    def apply(self, position: Position, dice: Dice) -> None:
        assert position.pending is not None
        asked, position.pending = position.pending, None
        position.note(
            "offered",
            asked.seat,
            asked.land,
            "12",
            seat=asked.seat,
            land=asked.land,
            points=self.amount,
        )
        if self.amount:
            position.pending = Pending("answer", str(position.active), asked.land, (), self.amount)
        else:
            combat.go_on(position, dice)


@register(MOVES, "answer")
class Answer(EmpireMove):
    """The attacker's answer to an offer: they take the points and leave, or fight (12)."""

    decides: ClassVar[str] = "answer"
    form: ClassVar[dict[str, str]] = {"accept": "flag"}
    accept: bool

    def apply(self, position: Position, dice: Dice) -> None:
        assert position.pending is not None
        asked, position.pending = position.pending, None
        colour = str(position.lands[asked.land].who)
        facts: dict[str, Any] = {
            "seat": position.active,
            "land": asked.land,
            "colour": colour,
            "points": asked.amount,
            "group": position.current,
        }
        if not self.accept:
            position.note("declined", position.active, asked.land, "12", **facts)
            combat.go_on(position, dice)
            return
        cause = Phrase("accepted", "12", facts)
        position.note("accepted", position.active, asked.land, "12", **facts)
        position.score(str(position.seat_of(colour)), F, -asked.amount, cause)
        position.score(str(position.active), P, asked.amount, cause)
        position.bribed.append((str(position.current), colour))
        position.in_hand += 1
        combat.leave(position)


# Set-up, the order of drawing, the dealing of counters (3, 4).

D6 = 6
EMPEROR = "emperor"
COUNTERS = {PEOPLE: 5, EMPEROR: 6}


def begin(position: Position, dice: Dice) -> None:
    """Found the four Cities, then deal each seat a card from every set (3.1, 3.3)."""
    for land in STARTS:
        position.settle(land, Phrase("founded", "3.1"), city=WHOLE)
    for number in SETS:
        cards = cards_of(number, FLAGS[0] in position.options.flags)
        for seat in position.seats:
            at = draw_hidden(dice, f"setup/hand/{seat}/set-{number}", len(cards), 0)
            position.deal_card(seat, cards.pop(at - 1))
    position.phase = "draw"
    position.note("begun", None, "", "3", seats=len(position.seats))


def draw_hidden(dice: Dice, purpose: str, sides: int, turn: int) -> int:
    """Draw a value that only the game master sees.

    Even its number among the remaining ones would show other seats which are left.
    """
    value = dice.roll_within(purpose, sides, turn)
    dice.thrown[-1] = dice.thrown[-1]._replace(audience=())
    return value


def set_order(position: Position, dice: Dice) -> None:
    """Set the drawing order of the turn (4.1)."""
    if position.period == 1:
        seats = list(_by_dice(position, dice, position.seats, 0))
    else:
        seats = sorted(
            position.seats,
            key=lambda seat: (sum(position.vp[seat].values()), position.prev_people.get(seat) or 0),
        )
    position.draw = Draw(tuple(seats))
    position.active = seats[0]
    position.note("order", None, "", "4.1", order=seats)


def _by_dice(position: Position, dice: Dice, seats: tuple[str, ...], reroll: int) -> Iterator[str]:
    """Yield the seats, the lowest total first; seats that tie throw again."""
    again = f"/reroll-{reroll}" if reroll else ""
    totals = {
        seat: sum(
            dice.roll_several(f"turn-{position.period}/order/{seat}{again}", D6, 2, position.period)
        )
        for seat in seats
    }
    for total in sorted(set(totals.values())):
        tied = tuple(seat for seat in seats if totals[seat] == total)
        if len(tied) == 1:
            yield tied[0]
        else:
            yield from _by_dice(position, dice, tied, reroll + 1)


def counters_left(position: Position, what: str) -> list[int]:
    """Return the counters that no seat has, in rising order (4.2)."""
    dealt = {counters[what] for counters in position.counters.values()}
    return [n for n in range(1, COUNTERS[what] + 1) if n not in dealt]


def draw(position: Position, dice: Dice) -> None:
    """Draw a counter for the seat whose turn it is, which looks at it (4.2)."""
    assert position.draw is not None
    now = position.draw
    choices = counters_left(position, now.what)
    seat = now.order[now.i]
    at = draw_hidden(
        dice, f"turn-{position.period}/draw-{now.what}-{now.n + 1}", len(choices), position.period
    )
    position.draw = now._replace(n=now.n + 1, open=choices[at - 1])
    position.note("drawn", seat, now.what, "4.2", seat=seat, what=now.what)
    position.note(
        "looked",
        seat,
        now.what,
        "4.2",
        audience=(seat,),
        seat=seat,
        what=now.what,
        n=choices[at - 1],
    )


def pass_counter(position: Position, to: str | None) -> None:
    """Keep the counter, or pass it on face down (4.2); then the next seat draws."""
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
    """End the dealing: Peoples and Emperors play alternately by number (4.4)."""
    position.draw, position.active, position.phase = None, None, "turns"
    peoples = sorted(position.seats, key=lambda seat: position.counters[seat][PEOPLE] or 0)
    emperors = sorted(position.seats, key=lambda seat: position.counters[seat][EMPEROR] or 0)
    position.queue = [
        turn
        for pair in zip(peoples, emperors, strict=True)
        for turn in ((pair[0], PEOPLE), (pair[1], FACTION))
    ]
    position.note("dealt_out", None, "", "4.4", period=position.period)
