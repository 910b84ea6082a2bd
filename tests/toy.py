"""Heap: a small game of two seats, to test the site without knowledge of other titles.

Each in turn adds stones to the heap (`add`), digs by a die (`dig`), hides a number that only its
player knows (`hide`), or challenges the other (`duel`), who answers with a die (`answer`); the game
master settles the duel (`settle`), and rolls the die of a missing answer. Ten stones of one seat
end the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from types import MappingProxyType, SimpleNamespace
from typing import Any, ClassVar

from engine.dice import Dice
from engine.effects import Effect, Phrase, Roll
from engine.errors import IllegalMove, MalformedRecord
from engine.play import Move, frozen, play
from games.contract.title import Account, Branch, Field, Offer, Rows, SeatInfo, Standing, Waiting

SEATS = ("ant", "bee")
WHO = {"start": "gm", "settle": "gm", "answer": "other"}
ARGUMENTS = {"add": {"stones"}, "hide": {"secret"}, "settle": {"winner"}}


class Position:
    def __init__(self, stones: int) -> None:
        self.effects: list[Effect] = []
        self.turn, self.digs = 0, 0
        self.slot: str | None = None
        self.stones = dict.fromkeys(SEATS, stones)
        self.actions = dict.fromkeys(SEATS, 0)
        self.secret = dict.fromkeys(SEATS, 0)
        self.duels: list[dict[str, Any]] = []

    def copy(self) -> Position:
        return deepcopy(self)

    def encode(self) -> dict[str, Any]:
        return {k: v for k, v in vars(self).items() if k != "effects"}

    def finish_move(self) -> None:
        if (
            self.turn
            and not any(duel["status"] == "challenged" for duel in self.duels)
            and self.slot is None
        ):
            self.turn += 1
            self.slot = SEATS[self.turn % 2]
            self.change("actions", self.slot, 2, "allowance")

    def change(self, account: str, seat: str, change: int, why: str) -> None:
        book = getattr(self, account)
        book[seat] += change
        self.effects.append(Effect("account", seat, account, Phrase(why), change, book[seat]))

    @property
    def duel(self) -> dict[str, Any]:
        return self.duels[-1] if self.duels and self.duels[-1]["status"] != "resolved" else {}


@frozen
class HeapMove(Move):
    name: ClassVar[str] = "toy"
    move: str
    given: Mapping[str, Any]

    def admit(self, p: Position) -> None:
        wanted = WHO.get(self.move, "slot")
        if wanted == "gm" and self.by != "gm":
            raise IllegalMove("not-allowed", "1")
        if (self.move == "start") == bool(p.turn):
            raise IllegalMove("wrong-phase", "1")
        if wanted == "slot" and self.seat != p.slot:
            raise IllegalMove("not-your-slot", "2", slot=p.slot)
        if self.move in ("answer", "settle") and not p.duel:
            raise IllegalMove("unknown-attack", "3")
        if self.move == "answer" and (
            p.duel["defender"] != self.seat or p.duel["status"] != "challenged"
        ):
            raise IllegalMove("not-challenged", "3")

    def check(self, p: Position) -> None:
        if self.move == "add" and p.actions[self.seat] < 1:
            raise IllegalMove("not-enough-actions", "2")

    def apply(self, p: Position, dice: Dice) -> None:
        getattr(self, "do_" + self.move)(p, dice)

    def do_start(self, p: Position, dice: Dice) -> None:
        p.turn = dice.roll("setup/opener", 2, 0)

    def do_add(self, p: Position, dice: Dice) -> None:
        p.change("actions", self.seat, -1, "spends")
        p.change("stones", self.seat, self.given["stones"], "adds")

    def do_end(self, p: Position, dice: Dice) -> None:
        p.slot = None

    def do_dig(self, p: Position, dice: Dice) -> None:
        p.digs += 1
        p.change("stones", self.seat, dice.roll(f"round-{p.turn}/dig/{p.digs}", 6, p.turn), "digs")

    def do_hide(self, p: Position, dice: Dice) -> None:
        p.secret[self.seat] = self.given["secret"]
        p.effects.append(
            Effect(
                "card", self.seat, "number", Phrase("hides"), 1, 0, {"zone": "hand"}, (self.seat,)
            )
        )

    def do_duel(self, p: Position, dice: Dice) -> None:
        other = SEATS[1 - SEATS.index(self.seat)]
        head = {
            "kind": "duel",
            "attacker": self.seat,
            "defender": other,
            "source": None,
            "target": "heap",
        }
        p.duels.append({**head, "status": "challenged", "outcome": None, "answer": 0})
        p.effects.append(Effect("attack", self.seat, str(len(p.duels)), Phrase("duels")))

    def do_answer(self, p: Position, dice: Dice) -> None:
        roll = dice.roll(f"round-{p.turn}/duel/{len(p.duels)}", 6, p.turn)
        p.duel.update(answer=roll, status="fighting")
        if roll == 6:
            p.duel.update(status="resolved", outcome="draw")

    def do_settle(self, p: Position, dice: Dice) -> None:
        p.change("stones", p.duel[self.given["winner"]], 2, "wins")
        p.duel.update(status="resolved", outcome=self.given["winner"])

    def to_json(self) -> dict[str, Any]:
        return {
            "by": self.by,
            "move": self.move,
            **({} if self.by == self.seat else {"for": self.seat}),
            **self.given,
        }


class Toy:
    key, name, format = "heap", "Heap", "heap/1"
    accounts = (Account("stones", "stones"), Account("actions", "actions"))
    reporter: Any = None
    players, pages, founding, lesson = None, None, None, None
    own_words: Mapping[str, str] = MappingProxyType({})

    def scenario(self, raw: object) -> Any:
        raw = self.scenarios().get(raw, raw) if isinstance(raw, str) else raw
        if (
            not isinstance(raw, dict)
            or set(raw) != {"key", "stones"}
            or type(raw["stones"]) is not int
        ):
            raise MalformedRecord("scenario", "must be a heap")
        return SimpleNamespace(**raw)

    def options(self, raw: object) -> Any:
        if raw not in ({}, {"quick": True}, {"secret": True}):
            raise MalformedRecord("options", "must be none, quick or secret")
        return raw

    def hides(self, options: Any) -> bool:
        return "secret" in options

    def last_link(self, scenario: Any) -> int:
        return 40

    def check_roll(self, scenario: Any, options: Any, purpose: str, value: object) -> None:
        if purpose.split("/")[0].split("-")[0] not in ("setup", "round"):
            raise MalformedRecord("dice.fixed", "unknown purpose")

    def setup(self, scenario: Any, options: Any) -> Position:
        return Position(scenario.stones)

    def decode(self, raw: object, position: Position) -> HeapMove:
        if (
            not isinstance(raw, dict)
            or not isinstance(raw.get("move"), str)
            or not hasattr(HeapMove, "do_" + raw["move"])
        ):
            raise IllegalMove("unknown-move", "")
        move, by = raw["move"], raw.get("by")
        given = {k: v for k, v in raw.items() if k not in ("by", "for", "move")}
        if by not in (*SEATS, "gm") or set(given) != ARGUMENTS.get(move, set()):
            raise IllegalMove("bad-argument", "")
        if move == "add" and given["stones"] not in (1, 2, 3):
            raise IllegalMove("bad-argument", "2")
        return HeapMove(by=by, seat=str(raw.get("for", by)), move=move, given=given)

    def state(self, position: Position) -> dict[str, Any]:
        return {**self.view(position, None), "secret": position.secret}

    def scenarios(self) -> Mapping[str, Mapping[str, Any]]:
        return {"small": {"key": "small", "stones": 0}, "large": {"key": "large", "stones": 3}}

    def seats(self, scenario: Any, options: Any) -> Sequence[SeatInfo]:
        return [SeatInfo("ant", "The Ant", "#aa2211"), SeatInfo("bee", "The Bee", "#ddaa00")]

    def rows(self, p: Position) -> Rows:
        return Rows(
            holders={seat: {"secret": p.secret[seat] > 0} for seat in SEATS},
            accounts={(s, a): getattr(p, a)[s] for s in SEATS for a in ("stones", "actions")},
            holdings={
                "heap": {
                    "owner": max(SEATS, key=p.stones.__getitem__) if p.turn else None,
                    "height": sum(p.stones.values()),
                }
            },
            items={(seat, "hand", "number"): p.secret[seat] for seat in SEATS},
            contests=dict(enumerate(deepcopy(p.duels), 1)),
            private={(seat, "hand"): (seat,) for seat in SEATS},
        )

    def view(self, p: Position, seat: str | None) -> dict[str, Any]:
        phase = "setup" if not p.turn else "finished" if self.score(p) else "slots"
        created = {
            "turn": p.turn,
            "phase": phase,
            "slot": p.slot,
            "stones": dict(p.stones),
            "duels": deepcopy(p.duels),
        }
        return {**created, "mine": p.secret if seat == "gm" else p.secret.get(seat or "")}

    def waiting(self, p: Position) -> Sequence[Waiting]:
        return [Waiting(p.slot or "gm", Phrase("wait"))]

    def offers(self, p: Position, seat: str, by: str | None = None) -> Sequence[Offer]:
        fields = {
            "add": (Field("stones"),),
            "hide": (Field("secret", "number"),),
            "settle": (Field("winner"),),
        }
        values = {"stones": (1, 2, 3), "winner": ("attacker", "defender"), "secret": None}
        created = []
        for name in ("start", "add", "dig", "hide", "duel", "answer", "end", "settle"):
            if (WHO.get(name) == "gm") != (seat == "gm"):
                continue
            offer = Offer(
                name,
                name,
                "moves",
                by or seat,
                seat,
                fields=fields.get(name, ()),
                allowed=lambda k, c: values[k],
            )
            try:
                content = HeapMove(by=by or seat, seat=seat, move=name, given={})
                content.admit(p)
                content.check(p)
            except IllegalMove as refusal:
                offer.refusal = refusal
            created.append(offer)
        return created

    def expand(self, p: Position, move: HeapMove) -> Sequence[dict[str, Any]]:
        if move.move == "settle" and p.duel["status"] == "challenged":
            return [{"by": "gm", "move": "answer", "for": p.duel["defender"]}, move.to_json()]
        return [move.to_json()]

    def branches(self, p: Position, move: HeapMove) -> Sequence[Branch]:
        if move.move != "dig":
            played = play(p, move, Dice(40))
            return [Branch(Phrase("certain"), (1, 1), played.effects, played.after)]
        thrown = [
            (n, play(p, move, Dice(40, fixed={f"round-{p.turn}/dig/{p.digs + 1}": n})))
            for n in range(1, 7)
        ]
        return [
            Branch(Phrase("digs", "", {"n": n}), (1, 6), played.effects, played.after)
            for n, played in thrown
        ]

    def audience(self, p: Position, move: HeapMove) -> tuple[str, ...] | None:
        return (move.seat,) if move.move == "hide" else None

    def links_due(self, p: Position) -> int:
        return p.turn

    def score(self, p: Position) -> Sequence[Standing] | None:
        if max(p.stones.values()) < 10:
            return None
        order: Iterator[tuple[int, str]] = enumerate(sorted(SEATS, key=lambda s: -p.stones[s]), 1)
        return [Standing(seat, p.stones[seat], rank, {}) for rank, seat in order]

    def speak(self, scenario: Any, phrase: Phrase) -> str:
        return phrase.id

    def move_line(
        self, scenario: Any, move: Mapping[str, Any], effects: Iterable[Effect] = ()
    ) -> str:
        return f"{move.get('for', move['by'])}: {move['move']}"

    def planned_line(self, scenario: Any, move: Mapping[str, Any]) -> str:
        return self.move_line(scenario, move)

    def refusal(self, scenario: Any, refusal: IllegalMove) -> str:
        return f"No: {refusal.message}"

    def roll_line(self, scenario: Any, roll: Roll) -> str:
        return f"{roll.purpose}: {roll.value}"
