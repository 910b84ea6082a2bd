"""The list of placements to be announced at once: the result of each, and the stops of the list."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import IllegalMove
from games.roman_empire.page.placing import Way, places
from games.roman_empire.rules import view
from games.roman_empire.rules.moves import decode
from games.roman_empire.rules.position import FACTION, PEOPLE, WHOLE, Position
from games.roman_empire.text.words import land_name, phrase_text, refusal, seat_name

PLACE = "place"
OUTSIDE = ("start", "sea", "reentry", "revolt")
"""The sources of an army that are no lands."""
STOPS = ("lost", "taken", "looted")
TICKED = ("taken",)
"""The stops that are ticked by default.

After a land is taken, the list stops: the next placements may have been meant for that fight.
"""
BETWEEN = "."
"""The separator of the chosen stops in an address."""


def announcer(position: Position) -> str | None:
    """Return the seat that places armies now; None if none does."""
    return (
        position.active
        if position.phase in (PEOPLE, FACTION) and view.automatic(position) is None
        else None
    )


def stopped(before: Position, after: Position, seat: str, chosen: Collection[str]) -> str:
    """Return why the list stops here; see `games.contract.pages.WithMoveList`."""
    if after.pending is not None:
        mine = after.pending.seat == seat
        return phrase_text(
            "stopped-you" if mine else "stopped-asked", seat=seat_name(after.pending.seat)
        )
    if announcer(before) is None:
        return ""  # counters are being dealt: no placement is concerned
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
    """Return how many armies the acting group has, on the map and still to be placed.

    Elite Troops that return to the hand are not lost.
    """
    revolt = position.active_bonuses.get("revolt")
    return (
        position.on_map(position.current) + position.in_hand + (int(revolt["n"]) if revolt else 0)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedPlacement:
    """A placement on the list.

    `state` is `certain`, `die`, `refused` (with `why` and its `rule`), `beyond` (after a refused
    placement), or empty while another seat has to decide.
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
    """The ways that will be possible after the list and are not possible now."""
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
        forecast_placements(position, plan)
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


def forecast_placements(
    position: Position, plan: Sequence[Mapping[str, Any]]
) -> tuple[list[ListedPlacement], Position]:
    """Return each placement with its state, and the position after all of them.

    It is assumed that a single army wins each fight.
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
    """Return the position as if the placement had taken its land."""
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
    """Return a planned placement in words, as in "Place an army in Belgica from Lugdunensis"."""
    source, target = str(raw["from"]), str(raw["land"])
    # A plan can hold a source that does not exist: the rules refuse it only when it is announced.
    kind = "same" if source == target else source if source in OUTSIDE else "land"
    return phrase_text(f"list-{kind}", land=land_name(target), source=land_name(source))
