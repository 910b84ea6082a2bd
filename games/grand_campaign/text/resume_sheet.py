"""The sheet of a campaign between two turns (RECORD, Taking over a campaign that runs elsewhere).

It is written as a table for a spreadsheet, and read from what people type or paste, as the move
`resume`. All texts of the sheet are names in any of our languages, or keys.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, NamedTuple

from engine.errors import IllegalMove
from engine.language import LANGUAGES, use_language
from games.grand_campaign.rules.moves import decode
from games.grand_campaign.rules.numbers import CARDS, TRACK_ACCOUNT
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.rules.turn import Resume
from games.grand_campaign.text.english import SHEET
from games.grand_campaign.text.words import card_name, nation_name, province_name, structure_name
from games.grand_campaign.text.words import refusal as why_not
from games.kit.reading.tokens import without_accents

LEVELS = ("stability", "prestige", "income", "army", "victory_points")
TRACKS = tuple(TRACK_ACCOUNT)
COLUMNS = (*LEVELS, "hand", "table", *TRACKS, "barracks", "siege_trains", "fallen")
"""The columns of a nation's row.

The column of a track has the last structure that is built; all structures before it are built too.
"""
LINES = ("provinces", "truces", "targets")
FORMER_HEADS = {
    "Turno chiuso": "turn",
    "Turno que se ha cerrado": "turn",
    "Ha aperto il turno 1": "first",
    "Abrió el turno 1": "first",
}
FORMER_COLUMNS = {
    "Baukunst": "architecture",
    "Architettura": "architecture",
    "Arquitectura": "architecture",
    "Belagerungsparks": "siege_trains",
}
"""Headings of sheets that were written before the translations changed."""


class SheetFault(NamedTuple):
    """A fault at a place of the sheet.

    Places are such as `nations.huns.hand`, `provinces.3` and `turn`, or empty for the whole sheet.
    """

    place: str
    sentence: str


@dataclass
class TypedSheet:
    """The sheet as typed, which contains only texts.

    `provinces`, `truces` and `targets` are lists of lines.
    """

    turn: str = ""
    first: str = ""
    appointed: str = ""
    reason: str = ""
    nations: dict[str, dict[str, str]] = field(default_factory=dict)
    provinces: list[str] = field(default_factory=list)
    truces: list[str] = field(default_factory=list)
    targets: list[str] = field(default_factory=list)


# From a position ----------------------------------------------------------------------------------


def typed_from(position: Position, sees: Callable[[str], bool]) -> TypedSheet:
    """Return the sheet of a position.

    `sees` says whether the reader may see a nation's hand; other hands stay empty.
    """
    scenario = position.scenario
    sheet = TypedSheet(
        str(position.turn),
        name_of(scenario, scenario.order[(position.opener - 1) % len(scenario.order)]),
    )
    sheet.appointed = name_of(scenario, position.led_last) if position.led_last else ""
    for key, nation in position.nations.items():
        known = position.rules.structures[scenario.nations[key].culture]
        last = dict.fromkeys(TRACKS, "")
        for structure in nation.structures:
            last[known[structure].track] = structure_name(structure)
        sheet.nations[key] = {
            **{level: str(getattr(nation, level)) for level in LEVELS},
            "hand": ", ".join(map(card_name, nation.hand)) if sees(key) else "",
            "table": ", ".join(map(card_name, nation.table)),
            **last,
            "barracks": yes(nation.barracks),
            "siege_trains": str(nation.siege_trains),
            "fallen": yes(nation.fallen),
        }
    for key, info in scenario.provinces.items():
        owner, level, fleet = (
            position.owner[key],
            position.fortification.get(key, 0),
            key in position.fleets,
        )
        if (owner, level, fleet) != (
            info.owner,
            scenario.fortification.get(key, 0),
            key in scenario.fleets,
        ):
            wall = structure_name(position.rules.fortifications[level - 1].name) if level else ""
            cells = [
                province_name(scenario, key),
                name_of(scenario, owner),
                wall,
                str(words("fleet")) if fleet else "",
            ]
            sheet.provinces.append(", ".join(cell for cell in cells if cell))
    sheet.truces = [
        ", ".join([*(name_of(scenario, key) for key in truce.nations), str(truce.until)])
        for truce in position.truces
    ]
    for key, nation in position.nations.items():
        if nation.raided:
            attacked = ", ".join(province_name(scenario, province) for province in nation.raided)
            sheet.targets.append(f"{name_of(scenario, key)}: {attacked}")
    return sheet


def name_of(scenario: Scenario, key: str | None) -> str:
    return str(nation_name(scenario, key)) if key else words("nobody")


def words(key: str) -> str:
    return str(SHEET.read()[key])


def yes(value: bool) -> str:
    return words("yes") if value else ""


def as_table(sheet: TypedSheet, scenario: Scenario) -> list[list[str]]:
    """Return the sheet as rows of cells for a spreadsheet, in four parts with headings."""
    headings = SHEET.read()["columns"]
    rows = [[words(key), getattr(sheet, key)] for key in ("turn", "first", "appointed", "reason")]
    rows += [[], [words("nation"), *(headings[column] for column in COLUMNS)]]
    rows += [
        [name_of(scenario, key), *(row[column] for column in COLUMNS)]
        for key, row in sheet.nations.items()
    ]
    for part in LINES:
        rows += [[], SHEET.read()["parts"][part].split("|")]
        rows += [re.split(r"\s*[:,]\s*", line) for line in getattr(sheet, part)]
    return rows


# From what people type ----------------------------------------------------------------------------


class Names:
    """The keys of names in each of our languages, and of the keys themselves.

    Capitals and accents do not matter.
    """

    def __init__(self, scenario: Scenario, position: Position) -> None:
        self.nations: dict[str, str] = {}
        self.provinces: dict[str, str] = {}
        self.cards: dict[str, str] = {}
        self.structures: dict[str, str] = {}
        self.walls: dict[str, str] = {}
        self.columns = {plain(name): key for name, key in FORMER_COLUMNS.items()}
        self.heads = {plain(name): key for name, key in FORMER_HEADS.items()}
        self.no_nation = {"", "-", "none", "nobody"}
        self.yes, self.fleet = {"x", "1", "true"}, {"fleet"}
        for language in LANGUAGES:
            with use_language(language):
                self.nations |= {
                    plain(name): key
                    for key in scenario.nations
                    for name in (key, name_of(scenario, key))
                }
                self.provinces |= {
                    plain(name): key
                    for key in scenario.provinces
                    for name in (key, province_name(scenario, key))
                }
                self.cards |= {plain(name): key for key in CARDS for name in (key, card_name(key))}
                rows = {key for rows in position.rules.structures.values() for key in rows}
                self.structures |= {
                    plain(name): key for key in rows for name in (key, structure_name(key))
                }
                walls = [row.name for row in position.rules.fortifications]
                self.walls |= {
                    plain(name): key for key in walls for name in (key, structure_name(key))
                }
                texts = SHEET.read()
                self.columns |= {
                    plain(name): key for key in COLUMNS for name in (key, texts["columns"][key])
                }
                self.heads |= {
                    plain(texts[key]): key
                    for key in ("turn", "first", "appointed", "reason", "nation")
                }
                self.heads |= {plain(texts["parts"][part].split("|")[0]): part for part in LINES}
                self.no_nation |= {plain(texts["nobody"]), plain(texts["independent"])}
                self.yes.add(plain(texts["yes"]))
                self.fleet.add(plain(texts["fleet"]))


def plain(text: object) -> str:
    """Return a name without capitals, spaces, hyphens and accents, for comparison."""
    return re.sub(r"[\s_\-’']+", "", without_accents(str(text)))


def read_table(
    text: str, scenario: Scenario, position: Position, sheet: TypedSheet
) -> list[SheetFault]:
    """Read a table pasted from a spreadsheet or from one of our files into the sheet.

    Only the parts and columns with headings are read. Return the lines that were not understood.
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max("\t;,", key=first.count)
    table = _TableReader(scenario, position, sheet)
    for n, cells in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter), 1):
        stripped = [cell.strip() for cell in cells]
        if any(stripped):
            table.read(n, stripped)
    for key, lines in table.lines.items():
        setattr(sheet, key, lines)
    return table.faults


class _TableReader:
    """A reader of a table, line by line; `part` is the part of the sheet that it has reached."""

    def __init__(self, scenario: Scenario, position: Position, sheet: TypedSheet) -> None:
        self.scenario, self.sheet = scenario, sheet
        self.names = Names(scenario, position)
        self.part, self.columns = "", list[str]()
        self.lines: dict[str, list[str]] = {}
        self.faults: list[SheetFault] = []

    def read(self, n: int, cells: list[str]) -> None:
        """Read line `n`, which is the head of a part or a line of the part."""
        head = self.names.heads.get(plain(cells[0]), "")
        if head == "nation" and len(cells) > 2:
            self._begin_nations(cells)
        elif self._begins_lines(head, cells):
            self.part, self.lines[head] = head, []
        elif head in ("turn", "first", "appointed", "reason") and self.part == "":
            setattr(self.sheet, head, cells[1] if len(cells) > 1 else "")
        elif self.part == "nation":
            self._nation(n, cells)
        elif self.part in LINES:
            self.lines[self.part].append(", ".join(cell for cell in cells if cell))
        else:
            text = SHEET.text("unknown-line", line=str(n), text=cells[0][:40])
            self.faults.append(SheetFault("", text))

    def _begins_lines(self, head: str, cells: list[str]) -> bool:
        """Return whether a part of lines begins; a nation may have the name of its own part."""
        if head not in LINES or len(cells) < 2:
            return False
        is_name = plain(cells[0]) in self.names.provinces | self.names.nations
        return head != self.part or not is_name

    def _begin_nations(self, cells: list[str]) -> None:
        self.part = "nation"
        self.columns = [self.names.columns.get(plain(cell), "") for cell in cells[1:]]
        for cell, column in zip(cells[1:], self.columns, strict=True):
            if cell and not column:
                self.faults.append(SheetFault("", SHEET.text("unknown-column", name=cell)))

    def _nation(self, n: int, cells: list[str]) -> None:
        key = self.names.nations.get(plain(cells[0]))
        if key is None:
            text = SHEET.text("unknown-nation", line=str(n), text=cells[0][:40])
            near = nearest_name(cells[0], self.names.nations, self.scenario)
            self.faults.append(SheetFault("", f"{text} {near}".rstrip()))
            return
        row = self.sheet.nations.setdefault(key, {})
        columns = zip(self.columns, cells[1:], strict=False)
        row |= {column: cell for column, cell in columns if column}


def nearest_name(text: str, known: Mapping[str, str], scenario: Scenario | None = None) -> str:
    """Return a question that proposes the nearest known name; empty if no name is similar."""
    close = get_close_matches(plain(text), list(known), 1, 0.7)
    key = known[close[0]] if close else ""
    named = name_of(scenario, key) if scenario is not None and key in scenario.nations else key
    if key and scenario is not None and key in scenario.provinces:
        named = province_name(scenario, key)
    elif key in CARDS:
        named = card_name(key)
    elif key and (scenario is None or key not in scenario.nations):
        named = structure_name(key)
    return SHEET.text("near", name=named) if key else ""


def read_move(
    sheet: TypedSheet, scenario: Scenario, position: Position
) -> tuple[dict[str, Any], list[SheetFault]]:
    """Return the move `resume` of the sheet, and everything that cannot be read.

    The rules decide later whether the move is consistent.
    """
    return SheetReader(sheet, scenario, position).move()


class SheetReader:
    """A reader of a sheet; each of its methods returns a value and notes faults."""

    def __init__(self, sheet: TypedSheet, scenario: Scenario, position: Position) -> None:
        self.sheet, self.scenario, self.position = sheet, scenario, position
        self.names = Names(scenario, position)
        self.faults: list[SheetFault] = []

    def move(self) -> tuple[dict[str, Any], list[SheetFault]]:
        sheet = self.sheet
        move: dict[str, Any] = {
            "by": "gm",
            "move": "resume",
            "turn": self.number("turn", sheet.turn),
        }
        move["first"] = self.known("first", sheet.first, self.names.nations, "no-nation")
        if not sheet.reason.strip():
            self.fault("reason", "no-reason")
        move["reason"] = sheet.reason.strip()
        move["nations"] = {
            key: self.nation(key, sheet.nations.get(key, {})) for key in self.scenario.nations
        }
        move["provinces"] = dict(
            province
            for n, line in enumerate(sheet.provinces, 1)
            if (province := self.province(f"provinces.{n}", line))
        )
        truces = [
            self.truce(f"truces.{n}", line)
            for n, line in enumerate(sheet.truces, 1)
            if line.strip()
        ]
        attacked = (self.target(f"targets.{n}", line) for n, line in enumerate(sheet.targets, 1))
        targets = dict(target for target in attacked if target)
        move |= ({"truces": truces} if truces else {}) | ({"targets": targets} if targets else {})
        if plain(sheet.appointed) not in self.names.no_nation:
            move["appointed"] = self.known(
                "appointed", sheet.appointed, self.names.nations, "no-nation"
            )
        return move, self.faults

    def fault(self, place: str, key: str, **named: str) -> None:
        self.faults.append(SheetFault(place, SHEET.text(key, **named)))

    def number(self, place: str, text: str) -> int:
        clean = text.strip().replace("\N{MINUS SIGN}", "-").replace(" ", "")
        if not re.fullmatch(r"-?[0-9]{1,9}", clean, re.ASCII):
            self.fault(place, "no-number", text=text[:20])
            return 0
        return int(clean)

    def known(self, place: str, text: str, names: Mapping[str, str], fault: str) -> str:
        key = names.get(plain(text))
        if key is None:
            near = nearest_name(text, names, self.scenario)
            sentence = SHEET.text(fault, text=text[:40])
            self.faults.append(SheetFault(place, f"{sentence} {near}".rstrip()))
        return key or ""

    def flag(self, place: str, text: str) -> bool:
        if plain(text) in self.names.yes:
            return True
        if plain(text) not in {*self.names.no_nation, "no", "0", "false"}:
            self.fault(place, "yes-or-no", text=text[:20])
        return False

    def nation(self, key: str, row: Mapping[str, str]) -> dict[str, Any]:
        at = f"nations.{key}"
        given: dict[str, Any] = {
            level: self.number(f"{at}.{level}", row.get(level, "")) for level in LEVELS
        }
        for zone in ("hand", "table"):
            cards = [
                name
                for name in re.split(r"\s*[,;+]\s*", row.get(zone, ""))
                if plain(name) not in self.names.no_nation
            ]
            given[zone] = sorted(
                self.known(f"{at}.{zone}", card, self.names.cards, "no-card") for card in cards
            )
        given["structures"] = [
            name
            for track in TRACKS
            for name in self.track(f"{at}.{track}", key, track, row.get(track, ""))
        ]
        given["barracks"], given["fallen"] = (
            self.flag(f"{at}.{column}", row.get(column, "")) for column in ("barracks", "fallen")
        )
        given["siege_trains"] = self.number(
            f"{at}.siege_trains", row.get("siege_trains", "") or "0"
        )
        return given

    def track(self, place: str, nation: str, track: str, text: str) -> list[str]:
        """Return the structures of a track, up to the named structure or the typed number."""
        rows = [
            structure.name
            for structure in self.position.rules.track(self.scenario.nations[nation].culture, track)
        ]
        if plain(text) in self.names.no_nation | {"0"}:
            return []
        if text.strip().isdecimal() and int(text) <= len(rows):
            return rows[: int(text)]
        named = self.names.structures.get(plain(text))
        if named not in rows:
            self.fault(
                place, "no-structure", text=text[:40], known=", ".join(map(structure_name, rows))
            )
            return []
        return rows[: rows.index(named) + 1]

    def province(self, place: str, line: str) -> tuple[str, dict[str, Any]] | None:
        """Read a province that differs from the scenario.

        A line is such as "Dalmatia, Huns, Walls, fleet".
        """
        cells = [cell.strip() for cell in re.split(r"[:,;\t]", line)]
        if not any(cells):
            return None
        key = self.known(place, cells[0], self.names.provinces, "no-province")
        owner = cells[1] if len(cells) > 1 else ""
        given: dict[str, Any] = {"owner": None}
        if plain(owner) not in self.names.no_nation:
            given["owner"] = self.known(place, owner, self.names.nations, "no-nation")
        for cell in cells[2:]:
            if plain(cell) in self.names.walls:
                given["fortification"] = self.names.walls[plain(cell)]
            elif plain(cell) in self.names.fleet | self.names.yes:
                given["fleet"] = True
            elif plain(cell) not in self.names.no_nation:
                self.fault(place, "no-wall", text=cell[:40])
        return key, given

    def truce(self, place: str, line: str) -> dict[str, Any]:
        """Read two nations and the last turn of their truce, such as "Huns, Romans, 5"."""
        cells = [cell.strip() for cell in re.split(r"[,;\t]", line)]
        if len(cells) != 3:
            self.fault(place, "no-truce", text=line[:60])
            return {"nations": [], "until": 0}
        pair = [self.known(place, cell, self.names.nations, "no-nation") for cell in cells[:2]]
        return {"nations": pair, "until": self.number(place, cells[2])}

    def target(self, place: str, line: str) -> tuple[str, list[str]] | None:
        """Read what a nation attacked in the turn that has closed.

        A line is such as "Huns: Dalmatia, Italia".
        """
        first, *rest = [cell.strip() for cell in re.split(r"[:,;\t]", line)]
        if not first:
            return None
        key = self.known(place, first, self.names.nations, "no-nation")
        return key, [
            self.known(place, cell, self.names.provinces, "no-province") for cell in rest if cell
        ]


def move_of(position: Position, sees: Callable[[str], bool], why: str) -> dict[str, Any]:
    """Return the move `resume` that brings a new campaign to this position.

    Hands that the reader may not see are left out.
    """
    scenario = position.scenario
    nations: dict[str, dict[str, Any]] = {}
    for key, nation in position.nations.items():
        given: dict[str, Any] = {level: getattr(nation, level) for level in LEVELS}
        given |= {"hand": list(nation.hand)} if sees(key) else {}
        given |= {
            "table": list(nation.table),
            "structures": list(nation.structures),
            "barracks": nation.barracks,
        }
        nations[key] = given | {"siege_trains": nation.siege_trains, "fallen": nation.fallen}
    provinces = {}
    for key, info in scenario.provinces.items():
        owner, level, fleet = (
            position.owner[key],
            position.fortification.get(key, 0),
            key in position.fleets,
        )
        if (owner, level, fleet) != (
            info.owner,
            scenario.fortification.get(key, 0),
            key in scenario.fleets,
        ):
            wall = position.rules.fortifications[level - 1].name if level else None
            provinces[key] = {"owner": owner, "fortification": wall, "fleet": fleet}
    move: dict[str, Any] = {
        "by": "gm",
        "move": "resume",
        "turn": position.turn,
        "reason": why,
        "nations": nations,
        "provinces": provinces,
        "first": scenario.order[(position.opener - 1) % len(scenario.order)],
        "truces": [
            {"nations": list(truce.nations), "until": truce.until} for truce in position.truces
        ],
        "targets": {
            key: list(nation.raided) for key, nation in position.nations.items() if nation.raided
        },
    }
    return move | ({"appointed": position.led_last} if position.led_last else {})


def faults_of(position: Position, raw: Mapping[str, Any]) -> list[SheetFault]:
    """Return all faults of a move `resume` by the rules.

    Each part is first checked alone, in a sheet whose other parts are correct; then the parts are
    checked for contradictions.
    """
    sound: dict[str, Any] = {
        **move_of(position, lambda _nation: False, "."),
        "turn": 1,
        "provinces": {},
        "targets": {},
    }
    wrong: list[SheetFault] = []

    def judged(place: str, **parts: Any) -> bool:
        try:
            decode({**sound, **parts}, position)
        except IllegalMove as refusal:
            wrong.append(SheetFault(place, why_not(position.scenario, refusal)))
            return False
        return True

    for key in ("turn", "first", "reason", "appointed"):
        if key in raw:
            judged(key, **{key: raw[key]})
    listed: dict[str, Any] = {
        key: raw.get(key)
        for key in ("nations", "provinces", "targets")
        if type(raw.get(key)) is dict
    }
    for key, given in listed.get("nations", {}).items():
        usual = sound["nations"].get(key)
        before = len(wrong)
        for column, value in given.items() if type(given) is dict and usual else ():
            beside = {"fallen": given.get("fallen", False)} if column == "stability" else {}
            judged(
                f"nations.{key}.{column}",
                nations={**sound["nations"], key: {**usual, **beside, column: value}},
            )
        if len(wrong) == before:
            judged(f"nations.{key}", nations={**sound["nations"], key: given})
    for part in ("provinces", "targets"):
        for key, given in listed.get(part, {}).items():
            judged(f"{part}.{key}", **{part: {key: given}})
    truces = raw.get("truces")
    for n, truce in enumerate(truces if type(truces) is list else (), 1):
        judged(f"truces.{n}", truces=[truce])
    if wrong:
        return wrong
    try:
        move = decode(dict(raw), position)
        assert isinstance(move, Resume)
        wrong += [
            SheetFault(place, why_not(position.scenario, refusal))
            for place, refusal in move.contradictions(position)
        ]
        if not wrong:
            move.admit(position)
    except IllegalMove as refusal:
        wrong.append(SheetFault("", why_not(position.scenario, refusal)))
    return wrong


def starting(scenario: Scenario, position: Position) -> TypedSheet:
    """Return the sheet of the campaign's start, to be filled in."""
    sheet = typed_from(position, lambda _nation: True)
    sheet.turn, sheet.first = "1", name_of(scenario, scenario.order[0])
    return sheet
