"""A list of placements announced at once: what each would be, and what stops it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import IllegalMove
from games.roman_empire.page.placing import Way, places
from games.roman_empire.rules import view
from games.roman_empire.rules.moves import decode
from games.roman_empire.rules.position import FACTION, PEOPLE, WHOLE, Position
from games.roman_empire.text.words import land_name, move_line, phrase_text, refusal, seat_name

PLACE = "place"
STOPS = ("lost", "taken", "looted")
TICKED = ("taken",)
"""What is ticked before anybody chose: what follows was meant for a land still to be fought for."""
BETWEEN = "."
"""Between the chosen stops in an address."""


def announcer(position: Position) -> str | None:
    """Who places armies now."""
    return (
        position.active
        if position.phase in (PEOPLE, FACTION) and view.automatic(position) is None
        else None
    )


def stopped(before: Position, after: Position, seat: str, chosen: Collection[str]) -> str:
    """See `games.contract.pages.Announcing`."""
    if after.pending is not None:
        mine = after.pending.seat == seat
        return phrase_text(
            "stopped-you" if mine else "stopped-asked", seat=seat_name(after.pending.seat)
        )
    if announcer(before) is None:
        return ""  # counters are dealt: nothing of a march
    if after.active != seat or announcer(after) is None:
        return phrase_text("stopped-turn")
    if "lost" in chosen and armies(after) < armies(before):
        return phrase_text("stopped-lost")
    group = before.current
    for key, was in before.lands.items():
        now = after.lands[key]
        if "looted" in chosen and was.city == WHOLE != now.city:
            return phrase_text("stopped-looted", land=land_name(key))
        held = was.who is not None or was.fort is not None
        if (
            "taken" in chosen
            and held
            and was.who != group == now.who
            and before.seat_of(was.who) != seat
        ):
            return phrase_text("stopped-taken", land=land_name(key))
    return ""


def armies(position: Position) -> int:
    """What the acting group has, on the map and to be placed. Elite Troops that come back are not
    lost.
    """
    revolt = position.working.get("revolt")
    return (
        position.on_map(position.current) + position.in_hand + (int(revolt["n"]) if revolt else 0)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPlacement:
    """A placement on the list.

    `state` is `certain`, `die`, `refused` (`why` with its `rule`), `beyond` (after a refused one),
    or empty while another seat is asked.
    """

    line: str
    state: str = ""
    why: str = ""
    rule: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """A condition that stops the list."""

    key: str
    name: str
    chosen: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacementList:
    """The list of planned placements as the page shows it."""

    rows: Sequence[ListedPlacement]
    open: bool
    """Whether no other seat is asked now."""
    more: Sequence[Way]
    """What could follow the list and cannot be done now."""
    most: range
    """How often a placement can be put on the list."""
    ready: bool
    """Whether the list can be announced."""
    stops: Sequence[Stop]


def listing(
    position: Position, plan: Sequence[Mapping[str, Any]], asked: str | None
) -> PlacementList:
    """Return the list as the page shows it. `asked` are the stops in the address."""
    open_now = position.pending is None
    rows, end = (
        foreseen(position, plan)
        if open_now
        else ([ListedPlacement(line=placement_sentence(position, raw)) for raw in plan], position)
    )
    more: list[Way] = []
    if open_now and plan:
        now = [way.fields for way in places(position, str(position.active))]
        more = [way for way in places(end, str(position.active)) if way.fields not in now]
    chosen = TICKED if asked is None else asked.split(BETWEEN)
    return PlacementList(
        rows=rows,
        open=open_now,
        more=more,
        most=range(1, max(2, min(9, end.in_hand)) + 1),
        ready=bool(rows) and rows[0].state in ("certain", "die"),
        stops=[
            Stop(key=key, name=phrase_text(f"stop-{key}"), chosen=key in chosen) for key in STOPS
        ],
    )


def foreseen(
    position: Position, plan: Sequence[Mapping[str, Any]]
) -> tuple[list[ListedPlacement], Position]:
    """Return each placement with its state, and the position after them, in which one army wins
    every fight.
    """
    rows: list[ListedPlacement] = []
    here, shut = position, False
    for raw in plan:
        row = ListedPlacement(line=placement_sentence(position, raw), state="beyond")
        if shut:
            rows.append(row)
            continue
        try:
            ways = view.branches(here, decode(dict(raw), here))
        except IllegalMove as refused:
            why = refusal(position.scenario, refused)
            rows.append(replace(row, state="refused", why=why, rule=refused.rule))
            shut = True
            continue
        sure = bool(ways) and ways[0].after.pending is None
        rows.append(replace(row, state="certain" if sure else "die"))
        here = ways[0].after if sure else won(here, raw)
    return rows, here


def won(position: Position, raw: Mapping[str, Any]) -> Position:
    """As if the placement had taken its land."""
    after, land = position.copy(), str(raw["land"])
    after.lands[land] = after.lands[land]._replace(who=after.current, n=1, fort=None, of=None)
    after.combat, after.step = None, "expand"
    if raw["from"] == "revolt":
        revolt = after.bonus["revolt"]
        after.bonus["revolt"] = {**revolt, "n": revolt["n"] - 1}
    else:
        after.in_hand -= 1
    return after


def placement_sentence(position: Position, raw: Mapping[str, Any]) -> str:
    """A placement in words, beginning with a capital."""
    text = move_line(position.scenario, raw)
    return text[:1].upper() + text[1:]
