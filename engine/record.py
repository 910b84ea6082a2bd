"""Campaign records: scenario, options, dice and moves. Replay derives the rest (RECORD)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.dice import Dice, Renewal, chain, sha256
from engine.errors import IllegalMove, MalformedRecord
from engine.play import Position, perform
from engine.strict_json import canonical, check_keys, is_text

MOST_MOVES = 50_000
LINK = re.compile(r"[0-9a-f]{64}", re.ASCII)
KEYS = {"format", "scenario", "options", "dice", "moves"}
DICE = {"seed", "fixed", "links", "renewals", "mixed"}
LONGEST_PHRASE = 200
"""The most code points of a text that is mixed into the dice of a turn."""


@dataclass(slots=True)
class Record:
    """A record whose parts have been read, except its moves.

    Moves remain raw, since each is checked in the position before it.
    """

    title: Any
    scenario: Any
    options: Any
    dice: Dice
    moves: list[Any]


def parse(raw: object, titles: Mapping[str, Any]) -> Record:
    """Read the parts of a record, by the title that its format names.

    Raises `MalformedRecord` with the key that is wrong.
    """
    whole = check_keys("", raw, KEYS, {"format"})
    form = whole["format"]
    title = titles.get(form) if type(form) is str else None
    if title is None:
        raise MalformedRecord("format", "one-of", values=sorted(titles))
    default = getattr(title, "default_scenario", None)
    check_keys("", raw, KEYS, {"dice", "moves"} if default else {"scenario", "dice", "moves"})
    moves = whole["moves"]
    if type(moves) is not list:
        raise MalformedRecord("moves", "list")
    if len(moves) > MOST_MOVES:
        raise MalformedRecord("moves", "too-many-moves")
    scenario = title.scenario(whole.get("scenario", default))
    options = title.options(whole.get("options", {}))
    return Record(title, scenario, options, _dice(title, scenario, options, whole["dice"]), moves)


def _dice(title: Any, scenario: Any, options: Any, raw: object) -> Dice:
    parts = check_keys("dice", raw, DICE)
    turns = title.last_link(scenario)
    fixed = parts.get("fixed", {})
    if type(fixed) is not dict:
        raise MalformedRecord("dice.fixed", "object")
    check = title.check_roll
    for purpose, value in fixed.items():
        check(scenario, options, purpose, value)
        if type(value) is list and any(f"{purpose}/{n}" in fixed for n in range(1, len(value) + 1)):
            raise MalformedRecord(f"dice.fixed.{purpose}", "thrown-twice")
    seed, links = _chain_of("dice", parts, turns)
    renewals = (
        _renewals(title, scenario, options, parts["renewals"], turns) if "renewals" in parts else ()
    )
    mixed = _mixed(title, scenario, options, parts["mixed"], turns) if "mixed" in parts else None
    return Dice(turns, seed=seed, links=links, fixed=fixed, renewals=renewals, mixed=mixed)


def _chain_of(where: str, parts: dict[str, Any], turns: int) -> tuple[str | None, list[str]]:
    """Return the seed and the published links of a chain.

    Both are optional but must belong together.
    """
    seed = parts.get("seed")
    if "seed" in parts and not is_text(seed):
        raise MalformedRecord(f"{where}.seed", "text")
    links = parts.get("links", [])
    if type(links) is not list or len(links) > turns + 1:
        raise MalformedRecord(f"{where}.links", "too-many-links", most=turns + 1)
    for n, link in enumerate(links):
        if type(link) is not str or not LINK.fullmatch(link):
            raise MalformedRecord(f"{where}.links.{n}", "link")
        if n and sha256(link) != links[n - 1]:
            raise MalformedRecord(f"{where}.links.{n}", "link-before")
    if links and seed is not None and chain(seed, turns)[: len(links)] != links:
        raise MalformedRecord(f"{where}.links", "links-of-seed")
    return seed, links


def _renewals(title: Any, scenario: Any, options: Any, raw: object, turns: int) -> list[Renewal]:
    """Return the renewals of the dice: each has its own chain and the purposes drawn from it."""
    if type(raw) is not list:
        raise MalformedRecord("dice.renewals", "list")
    renewals, listed = list[Renewal](), set[str]()
    for n, renewal in enumerate(raw):
        where = f"dice.renewals.{n}"
        parts = check_keys(
            where, renewal, {"commitment", "seed", "links", "purposes"}, {"commitment", "purposes"}
        )
        promised = parts["commitment"]
        if type(promised) is not str or not LINK.fullmatch(promised):
            raise MalformedRecord(f"{where}.commitment", "link")
        purposes = parts["purposes"]
        if type(purposes) is not list:
            raise MalformedRecord(f"{where}.purposes", "list")
        for at, purpose in enumerate(purposes):
            if not _is_purpose(title, scenario, options, purpose):
                raise MalformedRecord(f"{where}.purposes.{at}", "unknown-purpose")
            if purpose in listed:
                raise MalformedRecord(f"{where}.purposes.{at}", "listed-twice")
            listed.add(purpose)
        seed, links = _chain_of(where, parts, turns)
        known = links if seed is None else chain(seed, turns)
        if known and sha256(known[0]) != promised:
            raise MalformedRecord(
                f"{where}.{'seed' if links is not known else 'links'}", "commitment-other"
            )
        renewals.append(Renewal(promised, known, tuple(purposes)))
    return renewals


def _is_purpose(title: Any, scenario: Any, options: Any, purpose: object) -> bool:
    """Return whether the title has dice of this purpose.

    The value 0 is checked, which no die shows. The check therefore always fails, and its message
    says whether the purpose or only the value is wrong.
    """
    if type(purpose) is not str:
        return False
    try:
        title.check_roll(scenario, options, purpose, 0)
    except MalformedRecord as wrong:
        return wrong.message != "unknown-purpose"
    return True


def _mixed(title: Any, scenario: Any, options: Any, raw: object, turns: int) -> dict[int, str]:
    """Return the mixture of each mixed turn, as the text that is hashed.

    It has the phrases and the draw of the turn as canonical JSON.
    """
    if type(raw) is not dict:
        raise MalformedRecord("dice.mixed", "object")
    numbers = {str(turn): turn for turn in range(turns + 1)}
    seats = {seat.key for seat in title.seats(scenario, options)}
    mixtures = {}
    for key, mixture in raw.items():
        where = f"dice.mixed.{key[:40]}"
        if key not in numbers:
            raise MalformedRecord(where, "turn-number", most=turns)
        parts = check_keys(where, mixture, {"phrases", "draw"})
        if not parts:
            raise MalformedRecord(where, "nothing-mixed")
        if "phrases" in parts and not check_keys(f"{where}.phrases", parts["phrases"], seats):
            raise MalformedRecord(f"{where}.phrases", "nothing-mixed")
        texts = {f"phrases.{seat}": text for seat, text in parts.get("phrases", {}).items()}
        for name, text in (texts | ({"draw": parts["draw"]} if "draw" in parts else {})).items():
            if not is_text(text) or not 1 <= len(text) <= LONGEST_PHRASE:
                raise MalformedRecord(f"{where}.{name}", "phrase", most=LONGEST_PHRASE)
        mixtures[numbers[key]] = canonical(parts)
    return mixtures


def replay(record: Record, upto: int | None = None) -> Position:
    """Return the position after the first `upto` moves (all by default).

    Raises `IllegalMove` with `index` set to the number of the refused move, counted from 0.
    """
    title, dice = record.title, record.dice
    position: Position = title.setup(record.scenario, record.options)
    decode = title.decode
    played = 0
    try:
        for raw in record.moves if upto is None else record.moves[: max(upto, 0)]:
            perform(position, decode(raw, position), dice)
            dice.thrown.clear()
            played += 1
    except IllegalMove as refusal:
        refusal.index = played
        raise
    return position
