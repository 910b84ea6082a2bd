"""What is shown beside the board: seats, supply, fleets, and the ribbon of Emperors."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from games.contract.pages import Reader
from games.kit.records import GM
from games.tetrarchia.rules.position import EMPERORS, ZONES, Position
from games.tetrarchia.rules.view import mover, seats
from games.tetrarchia.text.words import counted_phrase, emperor, phrase_text, seat_within, space


def voice(position: Position) -> str:
    """The seat that speaks now; the table's owner before the beginning where several play."""
    return mover(position) or GM


def speaks(position: Position, reader: Reader) -> bool:
    """Is it the reader's move? The game master may make every seat's."""
    return voice(position) in reader.seats or GM in reader.seats


def seat_name(position: Position) -> str:
    """Whose move it is, by the name of the seat."""
    return next(
        (
            info.name
            for info in seats(position.scenario, position.options)
            if info.key == mover(position)
        ),
        "",
    )


def own_names(position: Position, reader: Reader) -> list[str]:
    """The reader's seats within a sentence, where several play."""
    seats_here = position.options.seats
    return (
        [seat_within(one) for one in seats_here if one in reader.seats]
        if len(seats_here) > 1
        else []
    )


def shared(position: Position) -> str:
    """With three players: who enters the moves of the Caesar whom nobody has, when it is his turn
    (2.1).
    """
    seat = mover(position)
    if (
        position.options.players != 3
        or position.phase != "roman"
        or seat is None
        or seat == position.emperor
    ):
        return ""
    return phrase_text("shared", name=emperor(position.emperor), augustus=emperor(seat))


def named(key: str) -> dict[str, str]:
    return {"key": key, "name": emperor(key)}


def variants(position: Position) -> list[str]:
    """What is played otherwise, in words."""
    return [
        phrase_text(f"variant-{one}")
        for one in sorted(position.options.variants | position.options.extras)
    ]


def supply(position: Position) -> list[dict[str, Any]]:
    """The tokens that each Emperor has left, and his borders."""
    borders = [position.tokens[one] for one in position.secured()]
    return [
        {
            **named(key),
            "left": position.supply[key],
            "borders": borders.count(key),
            "glory": position.glory[key],
            "removed": position.removed[key],
        }
        for key in EMPERORS
    ]


def fleets(position: Position) -> list[dict[str, str]]:
    """The ways to place the fleets."""
    return [
        {"value": "-".join(zones), "text": ", ".join(ZONES[zone] for zone in zones)}
        for zones in combinations(ZONES, position.options.level[1])
    ]


def ribbon(position: Position) -> list[dict[str, Any]]:
    """The four Emperors in the order of their turns."""
    rows, passed = [], position.phase == "roman"
    for key in EMPERORS:
        at, name = position.figures[key], emperor(key)
        now = position.phase == "roman" and key == position.emperor
        passed = passed and not now
        state = (
            counted_phrase("points", position.ip)
            if now
            else phrase_text("stands", space=space(at))
            if at
            else phrase_text("off")
        )
        rows.append(
            {
                "key": key,
                "name": name,
                "short": name[:3],
                "is": "now" if now else "done" if passed else "later",
                "state": state,
            }
        )
    return rows
