"""What goes on by itself, the dealing of counters, the moves of every phase and the decisions of others (RULES, Moves)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from games.roman_empire import combat, draws, events, phases, placing
from games.roman_empire.form import EmpireMove, bad, register
from games.roman_empire.position import DONE, F, P, Pending, Position
from games.roman_empire.position import Place as Holding


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Begin(EmpireMove):
    """The Cities and the hands (3)."""

    name: ClassVar[str] = "begin"
    automatic: ClassVar[bool] = True

    def admit_phase(self, position: Position) -> None:
        # A told position has no phase before the first: there it is one where nothing lies on the board and in the hands.
        bare = position.period == 1 and not any(position.hand.values()) and set(position.lands.values()) == {Holding()}
        if position.phase != "setup" and not (bare and position.draw is None and not position.dealt):
            raise IllegalMove("wrong-phase", "3", "begun-already")

    def apply(self, position: Position, dice: Dice) -> None:
        draws.begin(position, dice)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Order(EmpireMove):
    """The drawing order of a turn (4.1)."""

    name: ClassVar[str] = "order"
    phases: ClassVar[tuple[str, ...]] = ("draw",)
    automatic: ClassVar[bool] = True

    def check(self, position: Position) -> None:
        if position.draw is not None:
            raise IllegalMove("wrong-phase", "4.1", "ordered")

    def apply(self, position: Position, dice: Dice) -> None:
        draws.order(position, dice)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Open(EmpireMove):
    """The next phase, the next turn, or the end (4.4, 11)."""

    name: ClassVar[str] = "open"
    automatic: ClassVar[bool] = True

    def admit_phase(self, position: Position) -> None:
        if position.phase != "turns" and (position.phase not in self.phases or position.step != DONE):
            raise IllegalMove("wrong-phase", "4.4", "not-done")

    def apply(self, position: Position, dice: Dice) -> None:
        phases.follow(position, dice)


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
            raise IllegalMove(code, "4.2", "nothing-drawn" if self.looking else "counter-drawn", seat=position.active)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class DrawCounter(Dealing):
    """Draws a counter and looks at it (4.2)."""

    name: ClassVar[str] = "draw"
    looking: ClassVar[bool] = False

    def apply(self, position: Position, dice: Dice) -> None:
        draws.draw(position, dice)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Keep(Dealing):
    """Keeps the counter drawn (4.2)."""

    name: ClassVar[str] = "keep"

    def apply(self, position: Position, dice: Dice) -> None:
        draws.give(position, None)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class PassCounter(Dealing):
    """Passes the counter drawn, face down, to a seat that has none (4.2)."""

    name: ClassVar[str] = "pass_counter"
    form: ClassVar[dict[str, str]] = {"to": "text"}
    to: str

    def check(self, position: Position) -> None:
        assert position.draw is not None
        if self.to not in position.seats or self.to == position.active:
            raise IllegalMove("bad-target", "4.2", "no-other-seat", name=self.to[:40])
        if position.counters[self.to][position.draw.what] is not None:
            raise IllegalMove("has-counter", "4.2", seat=self.to)

    def apply(self, position: Position, dice: Dice) -> None:
        draws.give(position, self.to)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Place(EmpireMove):
    """Places an army (5.3, 6.3 to 6.5)."""

    name: ClassVar[str] = "place"
    form: ClassVar[dict[str, str]] = {"land": "text", "from": "text", "loot": "flag", "fort": "text"}
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
        placing.put(position, dice, self.land, self.source, bool(self.loot), self.fort or "take", way)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class TakeUp(EmpireMove):
    """Takes armies from the map into the hand (5.2, 6.2)."""

    name: ClassVar[str] = "take_up"
    only_start: ClassVar[bool] = True
    form: ClassVar[dict[str, str]] = {"land": "text", "n": "number"}
    land: str
    n: int

    def check(self, position: Position) -> None:
        placing.known(self.land)
        place = position.lands[self.land]
        if place.who != position.current or not place.n:
            raise IllegalMove("not-controlled", "5.2", land=self.land)
        if not 1 <= self.n <= place.n:
            raise IllegalMove("bad-number", "5.2", most=place.n)
        walled = place.fort is not None and place.fort.who == position.current
        if position.is_faction and self.n == place.n and not walled:
            raise IllegalMove("would-leave-vacant", "6.2", land=self.land)

    def apply(self, position: Position, dice: Dice) -> None:
        said = Say("taken_up", "5.2", {"group": position.current, "n": self.n})
        position.settle(self.land, said, n=position.lands[self.land].n - self.n)
        position.in_hand += self.n
        position.note("taken_up", position.active, self.land, "5.2", land=self.land, group=position.current, n=self.n)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class PlayEvent(EmpireMove):
    """Plays a card, naming what it needs and nothing else (9)."""

    name: ClassVar[str] = "play_event"
    form: ClassVar[dict[str, str]] = {
        "card": "text", "land": "text", "area": "text", "people": "text", "use": "text", "loot": "flag",
    }  # fmt: skip
    optional: ClassVar[frozenset[str]] = frozenset(form) - {"card"}
    ways: ClassVar[dict[str, tuple[str, ...]]] = {"use": (events.FORTS, events.BRIDGES)}
    card: str
    land: str | None = None
    area: str | None = None
    people: str | None = None
    use: str | None = None
    loot: bool | None = None

    def play(self, position: Position) -> events.Play:
        """The card with what it names. Raises `IllegalMove` where it names too little or too much."""
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
        return events.Play(card, self.land or "", self.area or "", self.people or "", self.use or "", bool(self.loot))

    def check(self, position: Position) -> None:
        events.judge(position, self.play(position))

    def apply(self, position: Position, dice: Dice) -> None:
        events.perform(position, dice, self.play(position))


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class EndSub(EmpireMove):
    """Ends a Kingdom's, a Minor People's or a revived People's acting (9.2)."""

    name: ClassVar[str] = "end_sub"

    def check(self, position: Position) -> None:
        if position.resume is None:
            raise IllegalMove("wrong-phase", "9.2", "no-sub-turn")

    def apply(self, position: Position, dice: Dice) -> None:
        events.end_sub(position)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class EndPhase(EmpireMove):
    """Ends the phase, a Faction's with Cities (5.4, 6.7, 6.8)."""

    name: ClassVar[str] = "end_phase"
    form: ClassVar[dict[str, str]] = {"cities": "texts"}
    optional: ClassVar[frozenset[str]] = frozenset({"cities"})
    cities: tuple[str, ...] | None = None

    def check(self, position: Position) -> None:
        if position.resume is not None:
            raise IllegalMove("sub-turn", "9.2", "end-sub-first", group=position.current)
        if self.cities and not position.is_faction:
            raise bad("no-cities-here")
        if self.cities:
            phases.judge_cities(position, self.cities)

    def apply(self, position: Position, dice: Dice) -> None:
        phases.close(position, self.cities or ())


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Retreat(EmpireMove):
    """The defender retreats, or stays this round, or for the whole combat (8.5, R10)."""

    name: ClassVar[str] = "retreat"
    decides: ClassVar[str] = "retreat"
    form: ClassVar[dict[str, str]] = {"to": "text", "hold": "flag"}
    optional: ClassVar[frozenset[str]] = frozenset({"to", "hold"})
    to: str | None = None
    hold: bool | None = None

    def check(self, position: Position) -> None:
        assert position.pending is not None
        if self.to is None:
            return
        if self.hold:
            raise bad("retreat-or-hold")
        placing.known(self.to)
        if self.to not in position.pending.to:
            raise IllegalMove("bad-target", "8.5", "no-shelter", land=self.to)

    def apply(self, position: Position, dice: Dice) -> None:
        assert position.pending is not None
        assert position.combat is not None
        asked, position.pending = position.pending, None
        if self.to is not None:
            combat.retreat(position, self.to)
        else:
            position.combat = position.combat._replace(hold=bool(self.hold))
            position.note("stood", asked.seat, asked.land, "8.5", seat=asked.seat, land=asked.land, hold=bool(self.hold))
        combat.go_on(position, dice, asked=True)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Offer(EmpireMove):
    """The attacked Faction offers points before the first round; 0: it fights (12)."""

    name: ClassVar[str] = "offer"
    decides: ClassVar[str] = "offer"
    form: ClassVar[dict[str, str]] = {"amount": "number"}
    amount: int

    def check(self, position: Position) -> None:
        if self.amount < 0:
            raise IllegalMove("bad-number", "12", "not-negative")
        if self.amount > position.vp[self.seat][F]:
            raise IllegalMove("not-enough-vp", "12", cost=self.amount, points=position.vp[self.seat][F])

    def apply(self, position: Position, dice: Dice) -> None:
        assert position.pending is not None
        asked, position.pending = position.pending, None
        position.note("offered", asked.seat, asked.land, "12", seat=asked.seat, land=asked.land, points=self.amount)
        if self.amount:
            position.pending = Pending("answer", str(position.active), asked.land, (), self.amount)
        else:
            combat.go_on(position, dice)


@register
@dataclass(frozen=True, slots=True, kw_only=True)
class Answer(EmpireMove):
    """The attacker takes the points and goes, or fights (12)."""

    name: ClassVar[str] = "answer"
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
        said = Say("accepted", "12", facts)
        position.note("accepted", position.active, asked.land, "12", **facts)
        position.score(str(position.seat_of(colour)), F, -asked.amount, said)
        position.score(str(position.active), P, asked.amount, said)
        position.bribed.append((str(position.current), colour))
        position.in_hand += 1
        combat.leave(position)
