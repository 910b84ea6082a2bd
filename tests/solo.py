"""Patience: a game of one seat with its own page, to test campaigns for one player.

`begin` rolls the digger's first gold. Each year they dig as deep as they like (`dig`, a die for
each yard: a one is a cave-in) or rest (`rest`), then the world takes two steps (`pass`), the second
of which rolls for what is found on the road. Twenty gold are a victory, a cave-in is a defeat.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Effect, Phrase, Roll
from engine.errors import IllegalMove, MalformedRecord
from engine.play import Move, frozen
from games.contract.pages import Die, Fame, Frame, LoggedMove, Page, Question, Reader
from games.contract.title import Account, Branch, Field, Offer, Rows, SeatInfo, Standing, Waiting

SEAT = "mole"
ARGUMENTS = {"begin": set(), "dig": {"depth"}, "rest": set(), "pass": set()}


class Position:
    def __init__(self, goal: int) -> None:
        self.effects: list[Effect] = []
        self.turn, self.phase, self.gold, self.goal, self.result = 0, "setup", 0, goal, ""

    def copy(self) -> Position:
        return deepcopy(self)

    def encode(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "effects"}

    def finish_move(self) -> None:
        if self.gold >= self.goal and not self.result:
            self.result = "rich"
        if self.result:
            self.phase = "over"

    def gain(self, change: int, why: str) -> None:
        self.gold += change
        self.effects.append(Effect("account", SEAT, "gold", Phrase(why), change, self.gold))


@frozen
class PatienceMove(Move):
    name: ClassVar[str] = "patience"
    move: str
    depth: int = 0

    def admit(self, p: Position) -> None:
        wanted = {
            "begin": ("setup",),
            "dig": ("his",),
            "rest": ("his",),
            "pass": ("road", "night"),
        }[self.move]
        if p.phase not in wanted:
            raise IllegalMove("wrong-phase", "1")

    def check(self, p: Position) -> None:
        if self.move == "dig" and not 1 <= self.depth <= 3:
            raise IllegalMove("bad-depth", "2")

    def apply(self, p: Position, dice: Dice) -> None:
        match self.move:
            case "begin":
                p.turn, p.phase = 1, "his"
                p.gain(dice.roll("setup/gold", 6, 0), "begins")
            case "dig":
                p.phase = "road"
                for yard in range(1, self.depth + 1):
                    value = dice.roll(f"year-{p.turn}/yard-{yard}", 6, p.turn)
                    if value == 1:
                        p.result = "buried"
                        p.effects.append(Effect("end", SEAT, "mole", Phrase("buried")))
                        return
                    p.gain(1, "digs")
            case "rest":
                p.phase = "road"
            case "pass" if p.phase == "road":
                p.phase = "night"
                if dice.roll(f"year-{p.turn}/road", 2, p.turn) == 1:
                    p.gain(1, "finds")
            case "pass":
                p.turn, p.phase = p.turn + 1, "his"

    def to_json(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "move": self.move,
            **({"depth": self.depth} if self.move == "dig" else {}),
        }


@dataclass(frozen=True, slots=True)
class HillPage:
    """The data for the template of Patience."""

    gold: int
    lines: Sequence[str]
    hall: Sequence[Fame]
    depth: str
    name: str
    can_dig: bool
    mood: str


class Hill:
    """The page and the founding of Patience."""

    styles = ("css/rules.css",)
    about = "A mole digs for gold."
    picture = "mark.svg"
    together = False
    questions = (
        Question(
            "mole", "Name of the mole", help="It only stands in the words.", default="Moldwarp"
        ),
        Question("soft", "Soft earth", "flag"),
    )

    def terms(self, answers: Mapping[str, str]) -> tuple[Any, dict[str, Any]]:
        mole = answers.get("mole", "").strip()
        if not 1 <= len(mole) <= 40:
            raise MalformedRecord("mole", "has 1 to 40 characters")
        return {"key": "hill", "mole": mole, "goal": 20}, {"soft": bool(answers.get("soft"))}

    def division(self, facts: Mapping[str, Any]) -> str:
        return ""

    def proposed_name(self, answers: Mapping[str, str]) -> str:
        return f"The hill of {answers.get('mole', '').strip() or 'Moldwarp'}"

    def outcome_line(self, scenario: Any, facts: Mapping[str, Any]) -> str:
        return f"{scenario.mole} {facts['end']} after {facts['years']}"

    def facts(self, scenario: Any, options: Any) -> Sequence[tuple[str, str]]:
        return [("Earth", "soft" if options.get("soft") else "hard")]

    def page(
        self, position: Position, log: Sequence[LoggedMove], reader: Reader, hall: Sequence[Fame]
    ) -> Page[HillPage]:
        lines = [
            f"{line.number} {line.move['move']} {[r.value for r in line.rolls]} {len(line.effects)}"
            for line in log
        ]
        own = HillPage(
            gold=position.gold,
            lines=lines,
            hall=hall,
            depth=reader.form_values.get("depth", "1"),
            name=reader.name,
            can_dig=reader.plays and position.phase == "his",
            mood=f"{','.join(reader.seats)} {reader.query.get('told', '')}",
        )
        return Page("page.html", own, f"Year {position.turn}")

    def read_move(self, position: Position, form: Mapping[str, str]) -> Mapping[str, Any]:
        if form.get("do") not in ("dig", "rest"):
            raise IllegalMove("bad-argument", "")
        if form["do"] == "rest":
            return {"move": "rest"}
        depth = form.get("depth", "")
        if not (depth.isascii() and depth.isdecimal() and len(depth) < 4):
            raise IllegalMove("bad-depth", "2")
        return {"move": "dig", "depth": int(depth)}

    def automatic_move(self, position: Position) -> Mapping[str, Any] | None:
        return {
            "setup": {"move": "begin"},
            "road": {"move": "pass"},
            "night": {"move": "pass"},
        }.get(position.phase)

    def program_move(self, position: Position) -> Mapping[str, Any] | None:
        return (
            None
            if position.result
            else {"move": "rest"}
            if position.phase == "his"
            else self.automatic_move(position)
        )

    def film(self, before: Position, log: Sequence[LoggedMove]) -> Sequence[Frame]:
        return [
            Frame(
                intro=f"from {before.gold} gold: {entry.move['move']}",
                dice=tuple(
                    Die(roll.value, "gold", roll.purpose, roll.sides) for roll in entry.rolls
                ),
                say=", ".join(f"{effect.cause.id} {effect.change}" for effect in entry.effects),
                at=entry.number,
            )
            for entry in log
        ]


class Patience:
    key, name, format = "patience", "Patience", "patience/1"
    accounts = (Account("gold", "gold"),)
    reporter, players, lesson = None, None, None
    pages, founding = Hill(), Hill()
    own_words = MappingProxyType({"turn": "night", "turn_number": "night {n}", "campaign": "dig"})

    def scenario(self, raw: object) -> Any:
        raw = self.scenarios().get(raw, raw) if isinstance(raw, str) else raw
        if (
            not isinstance(raw, dict)
            or set(raw) != {"key", "mole", "goal"}
            or type(raw["goal"]) is not int
        ):
            raise MalformedRecord("scenario", "must be a hill")
        if not isinstance(raw["mole"], str) or not 1 <= len(raw["mole"]) <= 40:
            raise MalformedRecord("scenario.mole", "has 1 to 40 characters")
        return SimpleNamespace(**raw)

    def options(self, raw: object) -> Any:
        if raw not in ({}, {"soft": True}, {"soft": False}):
            raise MalformedRecord("options", "must be none or soft")
        return raw

    def hides(self, options: Any) -> bool:
        return False

    def last_link(self, scenario: Any) -> int:
        return 100

    def check_roll(self, scenario: Any, options: Any, purpose: str, value: object) -> None:
        pass

    def setup(self, scenario: Any, options: Any) -> Position:
        return Position(scenario.goal)

    def decode(self, raw: object, position: Position) -> PatienceMove:
        if not isinstance(raw, dict) or raw.get("move") not in ARGUMENTS:
            raise IllegalMove("unknown-move", "")
        given = {k: v for k, v in raw.items() if k not in ("by", "move")}
        if (
            raw.get("by") != SEAT
            or set(given) != ARGUMENTS[raw["move"]]
            or any(type(v) is not int for v in given.values())
        ):
            raise IllegalMove("bad-argument", "")
        return PatienceMove(by=SEAT, seat=SEAT, move=raw["move"], **given)

    def state(self, position: Position) -> dict[str, Any]:
        return position.encode()

    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        return {"hill": {"key": "hill", "mole": "Moldwarp", "goal": 20}}

    def seats(self, scenario: Any, options: Any) -> Sequence[SeatInfo]:
        return [SeatInfo(SEAT, scenario.mole, "#664422")]

    def rows(self, p: Position) -> Rows:
        holdings = {"hill": {"owner": SEAT}}
        return Rows(
            holders={SEAT: {}},
            accounts={(SEAT, "gold"): p.gold},
            holdings=holdings,
            items={},
            contests={},
        )

    def view(self, p: Position, seat: str | None) -> dict[str, Any]:
        return {
            "turn": p.turn,
            "phase": p.phase,
            "slot": SEAT if p.phase == "his" else None,
            "gold": p.gold,
        }

    def waiting(self, p: Position) -> Sequence[Waiting]:
        return [] if p.result else [Waiting(SEAT, Phrase("wait"))]

    def offers(self, p: Position, seat: str, by: str | None = None) -> Sequence[Offer]:
        created = []
        for name in ARGUMENTS if seat == SEAT else ():
            fields = (Field("depth", "number"),) if name == "dig" else ()
            offer = Offer(
                name, name, "moves", by or seat, seat, fields=fields, allowed=lambda k, c: (1, 2, 3)
            )
            try:
                PatienceMove(by=seat, seat=seat, move=name, depth=1).admit(p)
            except IllegalMove as refusal:
                offer.refusal = refusal
            created.append(offer)
        return created

    def expand(self, p: Position, move: PatienceMove) -> Sequence[dict[str, Any]]:
        return [move.to_json()]

    def branches(self, p: Position, move: PatienceMove) -> Sequence[Branch]:
        return []

    def audience(self, p: Position, move: PatienceMove) -> tuple[str, ...] | None:
        return None

    def links_due(self, p: Position) -> int:
        return p.turn

    def score(self, p: Position) -> Sequence[Standing] | None:
        return [Standing(SEAT, p.gold, 1, {"end": p.result, "years": p.turn})] if p.result else None

    def speak(self, scenario: Any, phrase: Phrase) -> str:
        return phrase.id

    def move_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str:
        return f"{scenario.mole} does: {move['move']}"

    def planned_line(self, scenario: Any, move: Mapping[str, Any]) -> str:
        return self.move_line(scenario, move)

    def refusal(self, scenario: Any, refusal: IllegalMove) -> str:
        return f"{scenario.mole} cannot: {refusal.message}"

    def roll_line(self, scenario: Any, roll: Roll) -> str:
        return f"{roll.purpose}: {roll.value}"
