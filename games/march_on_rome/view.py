"""A reign as its readers see it: rows for the table, what may be said now, whom the table waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from engine.play import play
from engine.title import Branch, Field, Offer, Rows, SeatInfo, Standing, Waiting
from games.march_on_rome import moves, words
from games.march_on_rome.board import LOST, PC, SENATE, npc
from games.march_on_rome.position import Position
from games.march_on_rome.scenario import Scenario

COLOUR = "#9c2f24"
LAST_LINK = 1000
GROUPS = {"devote": "battle", "answer": "offer", "begin": "year", "continue": "year"}


def seats(scenario: Scenario) -> list[SeatInfo]:
    """The one seat, under the general's name."""
    return [SeatInfo(PC, scenario.general, COLOUR, words.book()["seat"])]


def generals(position: Position) -> list[str]:
    """All generals there have been, the dead too: their ledgers stay."""
    return [PC, *(npc(n) for n in range(1, position.npc_seq + 1))]


def rows(position: Position) -> Rows:
    """The position as title-neutral rows. Battles end within a move or two and are told by their effects: no contests."""
    everyone = generals(position)
    accounts = {(who, "legions"): position.legions.get(who, 0) for who in everyone}
    accounts[SENATE, "garrison"] = sum(position.garrison.values())
    accounts[LOST, "armies"] = sum(position.barbarians.values())
    return Rows(
        holders={who: {"living": who in position.legions, "provinces": len(position.lands(who))} for who in everyone}
        | {who: {"provinces": len(position.lands(who))} for who in (SENATE, LOST)},
        accounts=accounts,
        holdings={
            key: {"owner": owner, "garrison": position.garrison.get(key), "armies": position.barbarians.get(key)}
            for key, owner in position.owner.items()
        },
        items={},
        contests={},
    )


def view(position: Position, seat: str | None) -> dict[str, Any]:
    """The state of RULES, open to everybody; beside it `slot`: the player's seat while the game goes on."""
    return position.encode() | {"slot": None if position.phase == "over" else PC}


def waiting(position: Position) -> list[Waiting]:
    """What the player must do for the game to go on."""
    pending = position.pending
    if position.phase == "over":
        return []
    if pending is not None and pending["kind"] == "devote":
        assert position.battle is not None
        return [Waiting(PC, Say("wait-devote", "4.5", {"target": position.battle["target"]}))]
    if pending is not None:
        return [Waiting(PC, Say("wait-answer", "5.5", {"general": pending["from"], "target": pending["target"]}))]
    if position.phase == "setup":
        return [Waiting(PC, Say("wait-begin", "2"))]
    return [Waiting(PC, Say("wait-year" if position.phase == "pc" else "wait-continue", "3", {"turn": position.turn}))]


def offers(position: Position, seat: str, by: str) -> list[Offer]:
    """All seven moves, each with its values or the rule that forbids it; nobody but the player has any."""
    return [_offer(position, cls, by) for cls in moves.MOVES.values()] if seat == PC else []


def _offer(position: Position, cls: type[moves.MarchMove], by: str) -> Offer:
    def allowed(key: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        if key == "target":
            return position.targets()
        if key == "accept":
            return [True, False]
        least, most = moves.bounds(position)
        return range(least, most + 1)

    kinds = {"target": "province", "accept": "flag", "legions": "number"}
    fields = tuple(Field(key, kinds[key]) for key in cls.form)
    offer = Offer(cls.name, cls.name, GROUPS.get(cls.name, "turn"), by, PC, fields=fields, allowed=allowed)
    try:
        cls.probe(position, by)
    except IllegalMove as refusal:
        offer.refusal = refusal
    return offer


def branches(position: Position, move: moves.MarchMove) -> list[Branch]:
    """The one way a move without dice turns out; none where dice decide. Raises `IllegalMove` if it is not possible."""
    try:
        played = play(position, move, Dice(LAST_LINK))
    except IllegalMove as refusal:
        if refusal.code != "no-dice":
            raise
        return []
    return [Branch(Say("certain"), (1, 1), played.effects, played.after)]


def links_due(position: Position) -> int:
    """How many links are published now: link n when year n + 1 opens, the last year's when the reign is over."""
    if position.phase == "setup":
        return 0
    return min(position.turn + (position.phase == "over"), LAST_LINK + 1)


def score(position: Position) -> list[Standing] | None:
    """A won reign is a point; None while it lasts."""
    if position.result is None:
        return None
    facts = {
        "result": position.result,
        "year": position.turn,
        "provinces": len(position.lands(PC)),
        "legions": position.legions.get(PC, 0),
    }
    return [Standing(PC, int(position.result == "won"), 1, facts)]
