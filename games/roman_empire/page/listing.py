"""A list of placements announced at once: what each would be, and what stops it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from engine.errors import IllegalMove
from games.roman_empire.page.placing import Deed, places
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


def listing(
    position: Position, plan: Sequence[Mapping[str, Any]], asked: str | None
) -> dict[str, Any]:
    """The list as the page shows it: each placement with what it would be after those before it,
    what could follow them that cannot be said now, and the stops with those that are `asked` for in
    the address.
    """
    open_now = position.pending is None
    rows, end = (
        foreseen(position, plan)
        if open_now
        else ([{"line": placement_sentence(position, one), "state": ""} for one in plan], position)
    )
    more: list[Deed] = []
    if open_now and plan:
        now = [one["fields"] for one in places(position, str(position.active))]
        more = [one for one in places(end, str(position.active)) if one["fields"] not in now]
    chosen = TICKED if asked is None else asked.split(BETWEEN)
    return {
        "rows": rows,
        "open": open_now,
        "more": more,
        "most": range(1, max(2, min(9, end.in_hand)) + 1),
        "ready": bool(rows) and rows[0]["state"] in ("certain", "die"),
        "stops": [
            {"key": key, "name": phrase_text(f"stop-{key}"), "chosen": key in chosen}
            for key in STOPS
        ],
    }


def foreseen(
    position: Position, plan: Sequence[Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], Position]:
    """Each with its state (certain, die, refused, beyond) and why it is refused; the position after
    them, in which every fight is won by one army.
    """
    rows: list[dict[str, Any]] = []
    here, shut = position, False
    for raw in plan:
        row = {"line": placement_sentence(position, raw), "state": "beyond", "why": "", "rule": ""}
        rows.append(row)
        if shut:
            continue
        try:
            ways = view.branches(here, decode(dict(raw), here))
        except IllegalMove as refused:
            row |= {
                "state": "refused",
                "why": refusal(position.scenario, refused),
                "rule": refused.rule,
            }
            shut = True
            continue
        sure = bool(ways) and ways[0].after.pending is None
        row["state"] = "certain" if sure else "die"
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
