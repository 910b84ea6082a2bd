"""The sheet of a campaign that runs elsewhere: typed or pasted, checked as it is typed, shown as it
will stand, taken over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from campaign import access, limited, services
from campaign.errors import TableError
from campaign.limited import LimitExceeded
from campaign.models import Look
from engine.errors import IllegalMove
from engine.language import language, reading_in
from games.contract.title import Portable
from games.grand_campaign.english import SHEET
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.turn import order_of_play
from games.grand_campaign.text import resume_sheet, words
from games.grand_campaign.text.resume_sheet import COLUMNS, LINES, Typed, Wrong
from web.frame.campaign_page import TableContext, show
from web.moves import deeds
from web.titles.grand_campaign import atlas

LONGEST = 100_000
"""Characters of a file or of what is pasted."""
SMALL = 8_000
"""The most characters of a sheet that is read without a child process."""
MOST_SHOWN = 100
"""The most faults that the page shows."""
NARROW = ("stability", "prestige", "income", "army", "victory_points", "siege_trains")
HEAD = ("turn", "first", "appointed", "reason")


def rows(table: TableContext) -> list[list[Any]]:
    """The sheet of the campaign as it stands, with the hands that the reader may see; numbers are
    numbers.
    """
    cells, _move = _sheet(table)
    return [[int(cell) if cell.lstrip("-").isdecimal() else cell for cell in row] for row in cells]


def move(table: TableContext) -> dict[str, Any]:
    """The same as the move `resume`, which brings a new campaign to just this position."""
    return _sheet(table)[1]


def _sheet(table: TableContext) -> tuple[list[list[str]], dict[str, Any]]:
    hidden, title, may = access.hides(table.campaign), table.title, table.access
    assert isinstance(title, Portable)
    if hidden and may.game_master:
        services.log_access_to_all(table.campaign, table.user, Look.Way.RECORD)
    why = _("As it stood at %(address)s") % {
        "address": table.request.build_absolute_uri(table.home)
    }
    return title.sheet(
        table.position, lambda seat: not hidden or may.game_master or may.opens(seat), why
    )


def page(request: HttpRequest, table: TableContext) -> HttpResponse:
    """GET shows the sheet as the campaign begins; POST does `look`, `paste` or `take`."""
    table.must_be_game_master()
    if table.campaign.started:
        messages.error(
            request,
            _("This campaign has begun. One that runs elsewhere is taken over before the start."),
        )
        return redirect(table.home)
    scenario, position = table.scenario, table.position
    pasted = None
    if request.method == "POST":
        sheet = _typed(request.POST, position)
        pasted = _pasted(request) if request.POST.get("do") == "paste" else None
    else:
        sheet = resume_sheet.starting(scenario, position)
    try:
        sheet, raw, wrong = _read_within_limits(sheet, pasted, position)
    except LimitExceeded as refused:
        raw, wrong = {"provinces": {}}, [Wrong("", str(refused))]
    after = None
    if not wrong:
        try:
            move = table.title.decode(raw, position)
            move.admit(position)
            (branch,) = table.title.branches(position, move)
            after = branch.after
        except IllegalMove as refusal:
            wrong = [Wrong("", table.why_not(refusal))]
    if after is not None and request.POST.get("do") == "take":
        try:
            deed = deeds.make_move(table, raw, request.POST)
        except TableError as refusal:
            wrong = [Wrong("", str(refusal))]
        else:
            if deed.done:
                return redirect(table.home)
            wrong = [Wrong("", deed.wrong)]
    context = _context(table, sheet, raw, wrong, position)
    if after is not None:
        context |= _as_it_will_stand(table, after)
    # Somebody who has only just come is not told yet what is missing.
    context["quiet"] = request.method != "POST"
    return show(request, table, "titles/grand_campaign/resume.html", context, tab="table")


class ReadSheet(NamedTuple):
    """A sheet with the pasted table in it, the move `resume` that it gives, and its faults.

    If there are faults, the move contains only the provinces, which the map shows.
    """

    sheet: Typed
    raw: dict[str, Any]
    wrong: list[Wrong]


def _read_within_limits(sheet: Typed, pasted: str | None, position: Position) -> ReadSheet:
    """Read a sheet, in a child process if it has more than SMALL characters. Raises
    `LimitExceeded`.
    """
    cells = [cell for row in sheet.nations.values() for cell in row.values()]
    lines = [line for part in LINES for line in getattr(sheet, part)]
    if sum(len(text) + 1 for text in (*cells, *lines, pasted or "")) <= SMALL:
        return read_sheet(sheet, pasted, position, language())
    return limited.run(read_sheet, sheet, pasted, position, language(), with_django=True)


def read_sheet(sheet: Typed, pasted: str | None, position: Position, tongue: str) -> ReadSheet:
    """Read the pasted table into a sheet and judge it by the rules; faults are in the language
    `tongue`.
    """
    scenario = position.scenario
    with reading_in(tongue):
        wrong = [] if pasted is None else resume_sheet.read_table(pasted, scenario, position, sheet)
        raw, unread = resume_sheet.judge(sheet, scenario, position)
        wrong += unread
        # If some cells cannot be read, the rules judge the others, and the page shows the faults of
        # both.
        places = {fault.place for fault in wrong}
        wrong += [
            fault
            for fault in resume_sheet.faults_of(position, raw)
            if not _stands_for(fault.place, places)
        ]
    return ReadSheet(sheet, {"provinces": raw["provinces"]} if wrong else raw, wrong[:MOST_SHOWN])


def _pasted(request: HttpRequest) -> str:
    sent = request.FILES.get("file")
    if sent is not None:
        return sent.read(LONGEST).decode("utf-8-sig", "replace")
    return request.POST.get("pasted", "")[:LONGEST].removeprefix("\ufeff")


def _typed(posted: QueryDict, position: Position) -> Typed:
    sheet = Typed()
    for key in HEAD:
        setattr(sheet, key, posted.get(key, "")[:1000])
    for key in position.nations:
        sheet.nations[key] = {
            column: posted.get(f"n.{key}.{column}", "")[:400] for column in COLUMNS
        }
    for part in LINES:
        setattr(sheet, part, posted.get(part, "")[:LONGEST].splitlines())
    return sheet


def _context(
    table: TableContext,
    sheet: Typed,
    raw: Mapping[str, Any],
    wrong: list[Wrong],
    position: Position,
) -> dict[str, Any]:
    texts = SHEET.read()
    at = {one.place for one in wrong}
    nations = [
        {
            "key": key,
            "name": table.name_of(key),
            "cells": [
                {
                    "name": f"n.{key}.{column}",
                    "column": texts["columns"][column],
                    "value": row.get(column, ""),
                    "wrong": f"nations.{key}.{column}" in at,
                    "narrow": column in NARROW,
                }
                for column in COLUMNS
            ],
        }
        for key, row in ((key, sheet.nations.get(key, {})) for key in position.nations)
    ]
    return {
        "sheet": sheet,
        "nations": nations,
        "columns": [texts["columns"][column] for column in COLUMNS],
        "wrong": wrong,
        "at": at,
        "faults": [(_place(table, one.place, texts), one.sentence) for one in wrong],
        "choices": [
            (str(name), str(name))
            for name in (resume_sheet.name_of(table.scenario, key) for key in position.nations)
        ],
        "turns": range(1, table.scenario.turns),
        "lines": {part: "\n".join(getattr(sheet, part)) for part in LINES},
        "nobody": texts["nobody"],
        "fleet": texts["fleet"],
        **_paintable(table, raw, position, texts),
        "known": {
            "cards": [words.card_name(card) for card in sorted(words.book()["cards"])],
            "walls": [words.structure_name(row.name) for row in position.rules.fortifications],
        },
    }


def _paintable(
    table: TableContext, raw: Mapping[str, Any], position: Position, texts: Mapping[str, Any]
) -> dict[str, Any]:
    """The map to paint on, as the lines that can be read have it, and how each province begins, in
    the words of the lines.
    """
    scenario = table.scenario
    view = table.title.view(position, None)
    state = atlas.from_record(view, [level.name for level in position.rules.fortifications])
    provinces = dict(state["provinces"])
    for key, one in raw["provinces"].items():
        if key in provinces:  # a line says all that stands there
            walls = {"fortification": one.get("fortification"), "fleet": bool(one.get("fleet"))}
            provinces[key] = {"owner": one.get("owner", provinces[key]["owner"]), **walls}  # type: ignore[typeddict-item]
    drawing = atlas.drawing_for(table.campaign)
    names = {key: str(resume_sheet.name_of(scenario, key)) for key in position.nations}
    levels = [words.structure_name(row.name) for row in position.rules.fortifications]
    begins = {
        key: [
            words.province_name(scenario, key),
            names.get(scenario.provinces[key].owner or "", texts["nobody"]),
            levels[position.fortification[key] - 1] if position.fortification.get(key) else "",
            key in position.fleets,
        ]
        for key in scenario.provinces
    }
    return {
        "paint": {
            "map": {
                "svg": atlas.map_svg(
                    drawing,
                    scenario.raw,
                    {**state, "provinces": provinces},
                    links=lambda key: f"?province={key}",
                    uid="paint",
                )
            }
        },
        "brushes": [*names.items(), ("independent", texts["nobody"])],
        "painted": {
            "begins": begins,
            "names": {**names, "independent": texts["nobody"]},
            "walls": levels,
            "fleet": texts["fleet"],
        },
    }


def _place(table: TableContext, place: str, texts: Mapping[str, Any]) -> str:
    """Where it is wrong, in words."""
    part, _dot, rest = place.partition(".")
    if part == "nations":
        nation, _dot, column = rest.partition(".")
        return ", ".join(
            [
                table.name_of(nation),
                *([texts["columns"][column]] if column in texts["columns"] else []),
            ]
        )
    if part == "provinces" and rest in table.scenario.provinces:
        return words.province_name(table.scenario, rest)
    if part == "targets" and rest in table.names:
        return f"{texts['parts'][part].split('|')[0]} {table.name_of(rest)}"
    if part in LINES:
        return _("%(part)s, line %(n)s") % {"part": texts["parts"][part].split("|")[0], "n": rest}
    return str(texts[part]) if part in HEAD else ""


def _stands_for(place: str, unread: set[str]) -> bool:
    """Does a cell or line that cannot be read stand for this fault?"""
    part = place.partition(".")[0]
    return (
        place in unread
        or (part in LINES and any(one.startswith(part) for one in unread))
        or (not place and bool(unread))
    )


def _without_regions(drawn: atlas.FramedMap) -> atlas.FramedMap:
    return replace(drawn, regions=())


def _as_it_will_stand(table: TableContext, after: Position) -> dict[str, Any]:
    """The map, the standings, and the order in which the next turn will open."""
    view = table.title.view(after, None)
    state = atlas.from_record(view, [level.name for level in after.rules.fortifications])
    nations = view["nations"]
    order = sorted(
        nations, key=lambda key: (-nations[key]["victory_points"], -nations[key]["income"], key)
    )
    drawing = atlas.drawing_for(table.campaign)
    file = atlas.outlines_address(drawing, table.campaign)
    held = {key: sum(1 for owner in after.owner.values() if owner == key) for key in nations}
    return {
        "map": _without_regions(atlas.framed_map(drawing, table.scenario.raw, state, file=file)),
        "standings": [
            {"key": key, "name": table.name_of(key), "provinces": held[key], **nations[key]}
            for key in order
        ],
        "next_turn": after.turn + 1,
        "next_order": [(key, table.name_of(key)) for key in order_of_play(after, after.turn + 1)],
        "stands": True,
    }
