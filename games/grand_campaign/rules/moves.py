"""A reader of all moves of the Grand Campaign in the form of a record."""

from __future__ import annotations

from typing import Any

from engine.errors import IllegalMove
from games.grand_campaign.rules import attacks, cards, construction, corrections, turn
from games.grand_campaign.rules.form import SPECS, GrandMove, Spec, a_nation, bad
from games.grand_campaign.rules.position import Position

CHAPTERS = (turn, construction, attacks, cards, corrections)
"""The modules that register the moves when they are imported."""


def decode(raw: object, position: Position) -> GrandMove:
    """Read a move of a record.

    Raises `IllegalMove` if its form is wrong; the rules are not checked yet.
    """
    if type(raw) is not dict:
        raise bad("not-a-move")
    by, name = raw.get("by"), raw.get("move")
    if type(by) is not str:
        raise bad("argument-missing", key="by")
    if type(name) is not str:
        raise bad("argument-missing", key="move")
    spec = SPECS.get(name)
    if spec is None:
        raise IllegalMove("unknown-move", "", name=name[:40])
    if by != "gm" and by not in position.nations:
        raise IllegalMove("unknown-nation", "1.1", name=by[:40])
    if not spec.known.issuperset(raw):
        raise bad(
            "unknown-argument", key=str(next(k for k in raw if k not in spec.known))[:40], move=name
        )
    for key in spec.needed:
        if key not in raw:
            raise bad("argument-missing", key=key)
    seat = by if "for" not in raw and by != "gm" else _seat(raw, by, spec, position)
    given: dict[str, Any] = {"by": by, "seat": seat}
    for key, attribute, read in spec.readers:
        if key in raw:
            given[attribute] = read(position, raw[key])
    move = spec.make(**given)
    if "for" in raw and by != "gm":
        # The check of the seat comes after phase and fallen nations. The check of the slot is
        # skipped, because it is not known whose slot it would have to be.
        try:
            move.admit(position)
        except IllegalMove as refusal:
            if refusal.code != "not-your-slot":
                raise
        raise IllegalMove("not-allowed", "", "for-others", nation=by)
    return move


def _seat(raw: dict[str, Any], by: str, spec: Spec, position: Position) -> str:
    if "for" not in raw:
        if by == "gm" and not spec.make.by_master:
            raise bad("master-needs-for", move=spec.make.name)
        return by
    if by == "gm" and spec.make.by_master:
        raise bad("master-for-nobody", move=spec.make.name)
    seat = a_nation(position, raw["for"])
    return seat if by == "gm" else by
