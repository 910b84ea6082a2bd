"""A campaign record: scenario, options, dice and moves; everything else follows by replay (RECORD)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.dice import Dice, chain, sha256
from engine.errors import IllegalMove, MalformedRecord
from engine.play import perform
from engine.position import Position
from engine.strict_json import is_text
from engine.title import Title

MOST_MOVES = 50_000
LINK = re.compile(r"[0-9a-f]{64}", re.ASCII)
KEYS = {"format", "scenario", "options", "dice", "moves"}


@dataclass(slots=True)
class Record:
    """A record whose four parts have been read; its moves are still raw, since each is judged in its turn."""

    title: Title
    scenario: Any
    options: Any
    dice: Dice
    moves: list[Any]


def only_keys(where: str, raw: object, known: set[str], needed: set[str] = frozenset()) -> dict[str, Any]:  # type: ignore[assignment]
    """The object, if it is one and has all `needed` and only `known` keys."""
    if type(raw) is not dict:
        raise MalformedRecord(where, "object")
    for key in raw:
        if key not in known:
            raise MalformedRecord(f"{where}.{key[:40]}" if where else key[:40], "unknown-key")
    for key in sorted(needed):
        if key not in raw:
            raise MalformedRecord(f"{where}.{key}" if where else key, "missing")
    return raw


def parse(raw: object, titles: Mapping[str, Title]) -> Record:
    """Read a record's parts by the title its format names. Raises `MalformedRecord` with the key that is wrong."""
    whole = only_keys("", raw, KEYS, {"format"})
    form = whole["format"]
    title = titles.get(form) if type(form) is str else None
    if title is None:
        raise MalformedRecord("format", "one-of", values=sorted(titles))
    default = getattr(title, "default_scenario", None)
    only_keys("", raw, KEYS, {"dice", "moves"} if default else {"scenario", "dice", "moves"})
    moves = whole["moves"]
    if type(moves) is not list:
        raise MalformedRecord("moves", "list")
    if len(moves) > MOST_MOVES:
        raise MalformedRecord("moves", "too-many-moves")
    scenario = title.scenario(whole.get("scenario", default))
    options = title.options(whole.get("options", {}))
    return Record(title, scenario, options, _dice(title, scenario, options, whole["dice"]), moves)


def _dice(title: Title, scenario: Any, options: Any, raw: object) -> Dice:
    parts = only_keys("dice", raw, {"seed", "fixed", "links"})
    turns = title.last_link(scenario)
    seed = parts.get("seed")
    if "seed" in parts and not is_text(seed):
        raise MalformedRecord("dice.seed", "text")
    fixed = parts.get("fixed", {})
    if type(fixed) is not dict:
        raise MalformedRecord("dice.fixed", "object")
    check = title.check_roll
    for purpose, value in fixed.items():
        check(scenario, options, purpose, value)
        if type(value) is list and any(f"{purpose}/{n}" in fixed for n in range(1, len(value) + 1)):
            raise MalformedRecord(f"dice.fixed.{purpose}", "thrown-twice")
    links = parts.get("links", [])
    if type(links) is not list or len(links) > turns + 1:
        raise MalformedRecord("dice.links", "too-many-links", most=turns + 1)
    for n, link in enumerate(links):
        if type(link) is not str or not LINK.fullmatch(link):
            raise MalformedRecord(f"dice.links.{n}", "link")
        if n and sha256(link) != links[n - 1]:
            raise MalformedRecord(f"dice.links.{n}", "link-before")
    if links and seed is not None and chain(seed, turns)[: len(links)] != links:
        raise MalformedRecord("dice.links", "links-of-seed")
    return Dice(turns, seed=seed, links=links, fixed=fixed)


def replay(record: Record, upto: int | None = None) -> Position:
    """The position after the first `upto` moves (all by default).

    Raises `IllegalMove` with `index` set to the number of the move, from 0, that stops it.
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
