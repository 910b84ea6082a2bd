"""What may be said now, and how it may turn out: the offers of moves whose classes declare their arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from engine.moves import Move
from engine.play import play
from games.contract.title import Branch, Field, Offer
from games.kit.moves import ATTRIBUTES, FormMove

Given = Mapping[str, Any]
"""The arguments of a move in record form."""
M = TypeVar("M", bound=FormMove)


def make_move(cls: type[M], seat: str, by: str, given: Given) -> M:
    """The move of a seat with these arguments."""
    named = {ATTRIBUTES.get(key, key): tuple(value) if type(value) is list else value for key, value in given.items()}
    return cls(by=by, seat=seat, **named)


def legal_choices(
    position: Any, cls: type[FormMove], seat: str, by: str, candidates: Iterable[Given]
) -> tuple[list[Given], IllegalMove | None]:
    """The candidates that make a legal move of this kind for this seat, and why there are none."""
    legal: list[Given] = []
    refused: IllegalMove | None = None
    admitted = False
    for given in candidates:
        move = make_move(cls, seat, by, given)
        try:
            if not admitted:
                move.admit(position)
                admitted = True
            move.check(position)
        except IllegalMove as refusal:
            refused = refused or refusal
            if not admitted:
                break
        else:
            legal.append(given)
    return legal, None if legal else refused


def offer_choices(
    cls: type[FormMove],
    seat: str,
    by: str,
    group: str,
    kinds: Mapping[str, str],
    choices: tuple[Sequence[Given], IllegalMove | None],
) -> Offer:
    """The offer of a move with these legal choices, or the rule that forbids it. `kinds` says of an argument what it is,
    where it is more than a choice."""
    legal, refused = choices
    keys = list(cls.form)
    fields = tuple(
        Field(key, kinds.get(key, "choice"), optional=key in cls.optional, depends=tuple(keys[:at]))
        for at, key in enumerate(keys)
    )

    def allowed(key: str, chosen: Mapping[str, Any]) -> Sequence[Any]:
        fit = [given.get(key) for given in legal if all(given.get(k) == value for k, value in chosen.items())]
        return [value for at, value in enumerate(fit) if value not in fit[:at]]

    return Offer(cls.name, cls.name, group, by, seat, fields=fields, refusal=refused, allowed=allowed)


def certain_branch(position: Any, move: Move, last_link: int) -> list[Branch]:
    """The one way a move without dice turns out; none where dice decide. Raises `IllegalMove` if it is not possible."""
    try:
        played = play(position, move, Dice(last_link))
    except IllegalMove as refusal:
        if refusal.code != "no-dice":
            raise
        return []
    return [Branch(Say("certain"), (1, 1), played.effects, played.after)]


def links_by_turn(phase: str, turn: int, last_link: int) -> int:
    """How many links are published: link n when turn n + 1 opens, the last turn's when all is over."""
    if phase == "setup":
        return 0
    return min(turn + (phase == "over"), last_link + 1)
