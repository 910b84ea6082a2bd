"""The form of a move: who speaks, what it names, when it may be said (RULES, Moves)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Say
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
    """`admit` asks in this order: is the game over, whose turn it is, the phase, whether a decision
    is pending (`decides`: which kind this move is).
    """

    __slots__ = ()
    least: ClassVar[int] = -MOST
    phases: ClassVar[tuple[str, ...]] = ACTING
    automatic: ClassVar[bool] = False
    decides: ClassVar[str] = ""
    only_start: ClassVar[bool] = False

    @classmethod
    def speaker(cls, position: Position) -> str | None:
        """The seat whose move it is; None if it is nobody's in particular."""
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
        """Without `by` the seat speaks that may; what goes on by itself, the table."""
        speaker = GM if cls.automatic else cls.speaker(position) or next(iter(position.seats), GM)
        led = (GM, *position.seats) if cls.automatic else position.seats
        return read_voice(raw, speaker, position.seats, led, (GM, ENGINE))


def decode(raw: object, position: Position) -> EmpireMove:
    """Read a move of a record. Raises `IllegalMove` where its form is wrong."""
    return decode_move(raw, MOVES, position)


# What goes on by itself, the dealing of counters, the moves of every phase and the decisions of
# others (RULES, Moves).


@register(MOVES, "begin")
class Begin(EmpireMove):
    """The Cities and the hands (3)."""

    automatic: ClassVar[bool] = True

    def admit_phase(self, position: Position) -> None:
        # A told position has no phase before the first: there it is one where nothing lies on the
        # board and in the hands.
        bare = (
            position.period == 1
            and not any(position.hand.values())
            and set(position.lands.values()) == {Holding()}
        )
        if position.phase != "setup" and not (
            bare and position.draw is None and not position.dealt
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
        order(position, dice)


@register(MOVES, "open")
class Open(EmpireMove):
    """The next phase, the next turn, or the end (4.4, 11)."""

    automatic: ClassVar[bool] = True

    def admit_phase(self, position: Position) -> None:
        if position.phase != "turns" and (
            position.phase not in self.phases or position.step != DONE
        ):
            raise IllegalMove("wrong-phase", "4.4", "not-done")

    def apply(self, position: Position, dice: Dice) -> None:
        rules_phases.next_phase(position, dice)


class Dealing(EmpireMove):
    """A move of the dealing (4.2): `looking` is whether a counter must have been drawn."""

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
    """Draws a counter and looks at it (4.2)."""

    looking: ClassVar[bool] = False

    def apply(self, position: Position, dice: Dice) -> None:
        draw(position, dice)


@register(MOVES, "keep")
class Keep(Dealing):
    """Keeps the counter drawn (4.2)."""

    def apply(self, position: Position, dice: Dice) -> None:
        pass_counter(position, None)


@register(MOVES, "pass_counter")
class PassCounter(Dealing):
    """Passes the counter drawn, face down, to a seat that has none (4.2)."""

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
    """Places an army (5.3, 6.3 to 6.5)."""

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
    """Takes armies from the map into the hand (5.2, 6.2)."""

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
        cause = Say("taken_up", "5.2", {"group": position.current, "n": self.n})
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
    """Plays a card, naming what it needs and nothing else (9)."""

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
        """The card with what it names. Raises `IllegalMove` where it names too little or
        too much.
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
    """Ends a Kingdom's, a Minor People's or a revived People's acting (9.2)."""

    def check(self, position: Position) -> None:
        if position.resume is None:
            raise IllegalMove("wrong-phase", "9.2", "no-sub-turn")

    def apply(self, position: Position, dice: Dice) -> None:
        events.end_sub(position)


@register(MOVES, "end_phase")
class EndPhase(EmpireMove):
    """Ends the phase, a Faction's with Cities (5.4, 6.7, 6.8)."""

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
        rules_phases.close(position, self.cities or ())


@register(MOVES, "retreat")
class Retreat(EmpireMove):
    """The defender retreats, or stays this round, or for the whole combat or Rebellion (8.5, 9.3,
    R10).

    From a start land: `to` is where as many go as have room, `lands` names a land for each army;
    neither of them leaves it to the usual way (8.6, 12.5).
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
        """A land for each army, none for more than it has room for (12.5)."""
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
    """The attacked Faction offers points before the first round; 0: it fights (12)."""

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
    """The attacker takes the points and goes, or fights (12)."""

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
        cause = Say("accepted", "12", facts)
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
    """A draw that nobody but the game master sees: even its place among the rest would tell which
    are left.
    """
    value = dice.within(purpose, sides, turn)
    dice.thrown[-1] = dice.thrown[-1]._replace(audience=())
    return value


def order(position: Position, dice: Dice) -> None:
    """The drawing order of the turn (4.1)."""
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
    """Lowest total first; those who tie throw again among themselves."""
    again = f"/reroll-{reroll}" if reroll else ""
    totals = {
        seat: sum(
            dice.several(f"turn-{position.period}/order/{seat}{again}", D6, 2, position.period)
        )
        for seat in seats
    }
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
    at = hidden(
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
    position.queue = [
        one
        for pair in zip(peoples, emperors, strict=True)
        for one in ((pair[0], PEOPLE), (pair[1], FACTION))
    ]
    position.note("dealt_out", None, "", "4.4", period=position.period)
