"""The tables beside the board: seats, supply, fleets, and the ribbon of Emperors."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from games.contract.pages import Reader
from games.kit.records import GM
from games.tetrarchia.page.outlook import FEW, tokens_of
from games.tetrarchia.rules.position import EMPERORS, ZONES, Position
from games.tetrarchia.rules.view import mover, seats
from games.tetrarchia.text.words import counted_phrase, emperor, phrase_text, seat_within, space


def moving_seat(position: Position) -> str:
    """Return the seat that moves now; the game master before a game of several players begins."""
    return mover(position) or GM


def may_move(position: Position, reader: Reader) -> bool:
    """Return whether the reader may make the next move; the game master may move for every seat."""
    return moving_seat(position) in reader.seats or GM in reader.seats


def seat_name(position: Position) -> str:
    """Return the name of the seat that moves now."""
    return next(
        (
            info.name
            for info in seats(position.scenario, position.options)
            if info.key == mover(position)
        ),
        "",
    )


def own_names(position: Position, reader: Reader) -> list[str]:
    """Return the names of the reader's seats for a sentence, if there are several seats."""
    seats_here = position.options.seats
    return (
        [seat_within(seat) for seat in seats_here if seat in reader.seats]
        if len(seats_here) > 1
        else []
    )


def shared(position: Position) -> str:
    """Return which Augustus moves for the Caesar without a player, in that Caesar's turn (2.1).

    There is such a Caesar with three players.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedEmperor:
    """An Emperor with a name."""

    key: str
    name: str


def named_emperor(key: str) -> NamedEmperor:
    """Return an Emperor with a name."""
    return NamedEmperor(key=key, name=emperor(key))


def variants(position: Position) -> list[str]:
    """Return the variants and options that are on, in words."""
    return [
        phrase_text(f"variant-{variant}")
        for variant in sorted(position.options.variants | position.options.extras)
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply:
    """The tokens that an Emperor has left, and the borders they have secured."""

    key: str
    name: str
    left: int
    borders: int


def supply(position: Position) -> list[Supply]:
    """Return the tokens that each Emperor has left."""
    borders = [position.tokens[key] for key in position.secured()]
    return [
        Supply(key=key, name=emperor(key), left=position.supply[key], borders=borders.count(key))
        for key in EMPERORS
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fleets:
    """A way to place the fleets, as a choice in a form."""

    value: str
    text: str


def fleets(position: Position) -> list[Fleets]:
    """Return the ways to place the fleets."""
    return [
        Fleets(value="-".join(zones), text=", ".join(ZONES[zone] for zone in zones))
        for zones in combinations(ZONES, position.options.level[1])
    ]


@dataclass(frozen=True, slots=True, kw_only=True)
class EmperorOnRibbon:
    """An Emperor on the ribbon. `when` is `done`, `now` or `later`."""

    key: str
    name: str
    short: str
    when: str
    state: str
    left: int
    """The number of tokens in reserve."""
    tokens: str
    """The number of tokens in reserve, in words."""
    is_low: bool
    """Whether only few tokens are left."""


def ribbon(position: Position) -> list[EmperorOnRibbon]:
    """Return the four Emperors in the order of their turns."""
    rows, passed = [], position.phase == "roman"
    for key in EMPERORS:
        at, name = position.figures[key], emperor(key)
        now = position.phase == "roman" and key == position.emperor
        passed = passed and not now
        state = (
            counted_phrase("ip", position.ip)
            if now
            else phrase_text("stands", space=space(at))
            if at
            else phrase_text("off")
        )
        rows.append(
            EmperorOnRibbon(
                key=key,
                name=name,
                short=name[:3],
                when="now" if now else "done" if passed else "later",
                state=state,
                left=position.supply[key],
                tokens=tokens_of(position, key),
                is_low=position.supply[key] <= FEW,
            )
        )
    return rows
