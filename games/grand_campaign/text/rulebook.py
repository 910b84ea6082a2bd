"""The text of the rules, with the numbers and names of a scenario.

RULES.md and its translations contain placeholders instead of numbers of `rules` and names of a
scenario:

    {army.full}             the value at this path of the rules, of the levels at the start, of the
    number of turns
    {army.victory:signed}   with its sign; `:actions` "1/2 action"; `:word`, `:Word` "six", `:times`
    "2 × ", nothing for 1
    {turns?one turn|# turns}   the first for 1, the second for every other number, which replaces
    the #
    {fortifications}        a phrase of PHRASES
    {?own_forts}A{:}B{/}    A if the test of TESTS is true, otherwise B

A value that differs from the usual rules is marked (`games.contract.title.mark_difference`), with
the usual value in its note.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from engine.effects import Effect
from engine.language import Texts, localize_number, text_of_file
from games.contract.title import RuleConsequence, RuleNumber, mark_difference, strip_marks
from games.grand_campaign.rules.attacks import attack_cost
from games.grand_campaign.rules.form import ESCORT_DIE
from games.grand_campaign.rules.numbers import (
    CULTURES,
    MOST,
    TABLES,
    TRACK_ACCOUNT,
    Rules,
    default_rules,
    halves,
    value_at,
)
from games.grand_campaign.rules.numbers import NUMBERS as RULES
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import USUAL, Scenario, load, shipped
from games.grand_campaign.text import sheet, words
from games.grand_campaign.text.english import RULEBOOK
from games.grand_campaign.text.words import half, nation_name, province_name, structure_name

FOLDER = Path(__file__).parent.parent
SECTION = re.compile(r"\{\?(\w+)\}(.*?)\{:\}(.*?)\{/\}", re.DOTALL)
PLACE = re.compile(r"\{([\w.-]+)(?::(\w+)|\?([^{}|]*)\|([^{}]*))?\}")
PUNCTUATION = re.compile(r"([\\`*_\[\]<>&#])")


class Edition(NamedTuple):
    """The scenario and rules that apply from a turn on; `since` is 0 for those of the start."""

    scenario: Scenario
    rules: Rules
    since: int = 0

    def value(self, path: str) -> Any:
        """Return the value at a path; raises KeyError if there is none."""
        if path == "turns":
            return self.scenario.turns
        if path == "nations":
            return len(self.scenario.nations)
        group, _, level = path.partition(".")
        if group == "start":
            return self.scenario.start[level]
        value: Any = self.rules.raw
        for key in path.split("."):
            value = value[key]
        return value


def rendered(usual: Edition, scenario: Edition, amendments: Sequence[Edition] = ()) -> str:
    """Return the text of the rules after the amendments, in the reader's language."""
    return Rendering((usual, scenario, *amendments)).fill(text_of_file(FOLDER, "RULES"))


def usual_text() -> str:
    """Return the text of the rules for the usual scenario."""
    return rendered(usual_edition(), usual_edition())


def usual_edition() -> Edition:
    scenario = load(USUAL)
    return Edition(scenario, scenario.rules)


PhraseMaker = Callable[[Edition], str]


class Rendering:
    """A rendering of a text with the values of the last of these editions.

    The editions are the usual one, that of the scenario, and its amendments.
    """

    def __init__(self, editions: Sequence[Edition]) -> None:
        self.editions = editions
        self.now = editions[-1]

    def fill(self, text: str) -> str:
        chosen = SECTION.sub(
            lambda match: match[2] if TESTS[match[1]](self.now) else match[3], text
        )
        return PLACE.sub(self._place, chosen)

    def _place(self, match: re.Match[str]) -> str:
        path, form, singular, plural = match.groups()
        if singular is not None:
            return self.mark(lambda edition: counted(edition.value(path), singular, plural))
        if form in UNMARKED:
            return UNMARKED[form](self, path)
        if path in ROWS:
            return ROWS[path](self)
        created: PhraseMaker = (
            PHRASES[path] if path in PHRASES else lambda edition: written(path, form, edition)
        )
        return created(self.now) if path in NAMES else self.mark(created)

    def mark(self, created: Callable[[Edition], str | None], shown: str = "") -> str:
        """Return the text that `created` makes of the present edition, or `shown` in its place.

        It is marked if the text for the usual edition differs. `created` returns None for a part
        that an edition does not have.
        """
        usual, own, *amended = [created(edition) for edition in self.editions]
        now = amended[-1] if amended else own
        shown = shown or now or ""
        since = 0
        for before, after, edition in zip(
            [own, *amended], amended, self.editions[2:], strict=False
        ):
            if before != after:
                since = edition.since
        notes = [book("default", value=usual or book("not-there"))] if now != usual or since else []
        if since:
            notes += [book("own", value=own or book("not-there"))] if own != usual else []
            notes.append(book("since", turn=since))
        return mark_difference(shown, "; ".join(notes), bool(since)) if notes else shown


def book(key: str, **named: object) -> str:
    return RULEBOOK.text(key, **named)


# Values in the form of the text.


def number(value: Any) -> str:
    """Return a number as people write it."""
    return localize_number(f"{value:f}" if not isinstance(value, int) else str(value))


def in_halves(half_actions: int) -> str:
    """Return an amount of actions, such as "1/2", "1" or "1 1/2"."""
    whole, rest = divmod(half_actions, 2)
    return " ".join(filter(None, [str(whole) if whole or not rest else "", "1/2" if rest else ""]))


def in_actions(half_actions: int) -> str:
    """Return an amount of actions with the noun, such as "1/2 action" or "1 1/2 actions"."""
    return f"{in_halves(half_actions)} {noun(half_actions)}"


def noun(half_actions: int) -> str:
    return book("action" if 0 < half_actions <= 2 else "actions")


def word(value: int) -> str:
    """Return a small number as a word."""
    known = RULEBOOK.read()["numbers"]
    return str(known[value]) if 0 < value < len(known) else str(value)


def counted(value: int, singular: str, plural: str) -> str:
    return (singular if value == 1 else plural).replace("#", str(value))


def written(path: str, form: str | None, edition: Edition) -> str:
    value = edition.value(path)
    if form == "signed":
        return f"{value:+d}"
    if form in ("word", "Word"):
        return word(value) if form == "word" else word(value).capitalize()
    if form == "times":
        return "" if value == 1 else f"{value} × "
    of_actions = path.startswith("costs.") or path.endswith("_actions")
    if form == "actions":
        return in_actions(halves(value))
    return in_halves(halves(value)) if of_actions else number(value)


def named(name: str) -> str:
    """Return a name that a user typed as text without Markdown."""
    return PUNCTUATION.sub(r"\\\1", strip_marks(name))


def code(name: str) -> str:
    """Return a key of moves and records as code."""
    return f"`{strip_marks(name).replace('`', '’')}`"


def keyed(name: str) -> str:
    """Return a structure by its key, in other languages by its name and key."""
    return book("keyed", name=named(words.structure_name(name)), code=code(name))


def listed(names: Sequence[str]) -> str:
    *most, last = names or [""]
    return book("list", most=", ".join(most), last=last) if most else last


# Phrases of a whole edition.


def nation_names(edition: Edition) -> list[str]:
    return [named(words.nation_name(edition.scenario, key)) for key in edition.scenario.nations]


def of_culture(edition: Edition, culture: str) -> list[str]:
    nations = edition.scenario.nations
    return [
        named(words.nation_name(edition.scenario, key))
        for key in nations
        if nations[key].culture == culture
    ]


def cultures(edition: Edition) -> str:
    """Return which nations are civilized and which are barbarian."""
    kinds = [(culture, of_culture(edition, culture)) for culture in CULTURES]
    return "; ".join(
        book(f"{key}-one" if len(names) == 1 else key, names=listed(names))
        for key, names in kinds
        if names
    )


def escorts(edition: Edition) -> list[str]:
    scenario = edition.scenario
    return [
        named(words.nation_name(scenario, key))
        for key, nation in scenario.nations.items()
        if nation.escort
    ]


def escort_lists(edition: Edition) -> list[str]:
    """Return the army lists against which no escort is allowed, without repetition (7.8)."""
    nations = edition.scenario.nations.values()
    return [f"“{named(army)}”" for army in dict.fromkeys(n.army for n in nations if n.escort)]


def map_file(edition: Edition) -> str:
    key = edition.scenario.key
    ours = key in shipped() and load(key).name == edition.scenario.name
    return f"`scenarios/{key}/`" if ours else book("own-map", name=named(edition.scenario.name))


def own_starts(edition: Edition) -> str:
    """Return the nations with other starting values."""
    scenario = edition.scenario
    accounts = words.book()["accounts"]
    nations = []
    for key, given in scenario.given.items():
        levels = [f"{accounts[level]} {given[level]}" for level in sheet.LEVELS if level in given]
        rest = [level for level in given if level not in sheet.LEVELS]
        about = ", ".join([*levels, *([book("and-more")] if rest else [])])
        nations.append(f"{named(words.nation_name(scenario, key))} ({about})")
    return " " + book("own-starts", nations="; ".join(nations)) if nations else ""


def event_turns(
    edition: Edition, form: str, joined: Callable[[Sequence[str]], str] = ", ".join
) -> str:
    turns = [str(turn) for turn in sorted(edition.rules.event_turns)]
    return book(
        form if len(turns) == 1 else f"{form}s" if turns else f"{form}-none", turns=joined(turns)
    )


def listed_and(names: Sequence[str]) -> str:
    return words.listed_all(names)


def escort_range(edition: Edition) -> str:
    return span(max(1, edition.rules.escort_from), ESCORT_DIE)


def span(first: int, last: int) -> str:
    if first > last:
        return book("no-roll")
    return str(first) if first == last else f"{first}-{last}"


def _same_cultures(edition: Edition) -> bool:
    """Return whether the architectures of both cultures have the same costs and gains."""
    first, second = (rows_of(edition, f"architecture.{culture}") for culture in CULTURES)
    return [row[1:] for row in first] == [row[1:] for row in second]


PHRASES: Mapping[str, PhraseMaker] = {
    "name": lambda e: named(e.scenario.name),
    "map": map_file,
    "nation_keys": lambda e: " ".join(code(key) for key in e.scenario.nations),
    "nation_names": lambda e: listed(nation_names(e)),
    "cultures": cultures,
    "escort_names": lambda e: listed(escorts(e)) or book("nobody"),
    "escort_lists": lambda e: ", ".join(escort_lists(e)) or book("nobody"),
    "own_starts": own_starts,
    "event_turns": lambda e: event_turns(e, "on-turn", listed_and),
    "event_turns_listed": lambda e: event_turns(e, "turn"),
    "truce": lambda e: words.truce_text(e.rules),
    "escort_range": escort_range,
}
NAMES = frozenset(
    {
        "name",
        "map",
        "nation_keys",
        "nation_names",
        "cultures",
        "escort_names",
        "escort_lists",
        "own_starts",
    }
)
"""Parts that come from the scenario itself; they differ as a whole and are not marked."""
TESTS: Mapping[str, Callable[[Edition], bool]] = {
    "same_cultures": _same_cultures,
    "ours": lambda e: e.scenario.raw == load(USUAL).raw,
}


# Tables with a cell or two in each text, so that only the differences are marked.


def income_actions(rendering: Rendering) -> str:
    """Return the table of incomes and their actions (3.1)."""
    rows = rendering.now.rules.raw["income_actions"]
    if not rows:
        return rendering.mark(
            lambda e: None if e.rules.raw["income_actions"] else book("no-actions")
        )
    cells = (
        [book("income-under", income=rendering.mark(lambda e: _income(e, 0, 0)))]
        if rows[0][0]
        else []
    )
    for n in range(len(rows)):
        income, given = (
            rendering.mark(partial(_income, place=n, column=column)) for column in (0, 1)
        )
        last = n == len(rows) - 1 and n > 0
        cells.append(
            book(
                "income-most" if last else "income" if n else "income-from",
                income=income,
                actions=given,
            )
        )
    return "; ".join(cells)


def _income(edition: Edition, place: int, column: int) -> str | None:
    rows = edition.rules.raw["income_actions"]
    if place >= len(rows):
        return None
    return in_halves(halves(rows[place][1])) if column else f"{rows[place][0]}t"


def rolls(rendering: Rendering, path: str) -> str:
    """Return the rolls that bring a card or an event."""
    table, _, key = path.partition(".")
    return rendering.mark(partial(_rolls, table=table, key=key))


def _rolls(edition: Edition, table: str, key: str) -> str:
    bands = sorted((first, last) for first, last, name in edition.rules.raw[table] if name == key)
    return ", ".join(span(*band) for band in bands) or book("no-roll")


Row = Sequence[Any]
"""A name, then numbers.

They are cost in actions, gain and points of a structure, or cost and highest failing roll of a
fortification.
"""


def rows_of(edition: Edition, track: str) -> Sequence[Row]:
    rows: Sequence[Row] = edition.value(track)
    return rows


def counterpart(rows: Sequence[Row], now: Sequence[Row], place: int) -> Row | None:
    """Return the row of another edition that corresponds to a row of the present edition.

    It has the same name, or the same place and a name that no longer exists.
    """
    named_so = next((row for row in rows if row[0] == now[place][0]), None)
    if named_so is not None or place >= len(rows):
        return named_so
    return None if rows[place][0] in {row[0] for row in now} else rows[place]


def cell(rendering: Rendering, track: str, place: int, created: Callable[[Row], str]) -> str:
    """Return a cell of this row of a track, marked if it differs."""

    def row_text(edition: Edition) -> str | None:
        row = counterpart(rows_of(edition, track), rows_of(rendering.now, track), place)
        return None if row is None else created(row)

    return rendering.mark(row_text)


def cost_of(row: Row) -> str:
    return in_halves(halves(row[1]))


def structures(rendering: Rendering, track: str, pattern: str, names: Sequence[str] = ()) -> str:
    """Return the structures of a track in order, with costs and gains."""
    rows, shown = rows_of(rendering.now, track), []
    for n, row in enumerate(rows):
        name = names[n] if names else keyed(row[0])
        cost = cell(rendering, track, n, cost_of)
        gain = cell(rendering, track, n, lambda r: f"+{r[2]}")
        worth = cell(rendering, track, n, lambda r: str(r[3]))
        text = book(
            pattern if n else f"{pattern}-first",
            name=name,
            cost=cost,
            action=noun(halves(row[1])),
            gain=gain,
        )
        shown.append(text if worth == "0" else book("and-points", structure=text, points=worth))
    return "; ".join(shown) or book("none")


def architecture(rendering: Rendering) -> str:
    """Return the architectures (3.3), of both cultures together if costs and gains are the same."""
    tracks = [f"architecture.{culture}" for culture in CULTURES]
    rows, others = (rows_of(rendering.now, track) for track in tracks)
    if [row[1:] for row in rows] == [row[1:] for row in others]:
        return structures(
            rendering,
            tracks[0],
            "architecture",
            [_paired(*pair) for pair in zip(rows, others, strict=True)],
        )
    names = words.book()["tracks"]["architecture"]
    return ". ".join(
        f"{names[culture]}: {structures(rendering, track, 'architecture')}"
        for culture, track in zip(CULTURES, tracks, strict=True)
    )


def _paired(first: Row, second: Row) -> str:
    name = "/".join(named(words.structure_name(row[0])) for row in (first, second))
    return book("keyed", name=name, code=f"{code(first[0])}/{code(second[0])}")


def commercial(rendering: Rendering) -> str:
    """Return the commercial structures (3.5), all together if costs and gains are the same."""
    rows = rows_of(rendering.now, "commercial")
    if not rows or len({tuple(row[1:]) for row in rows}) > 1 or rows[0][3]:
        listed = structures(rendering, "commercial", "commercial")
        return book("commercial-listed", structures=listed)
    cost = cell(rendering, "commercial", 0, lambda r: in_actions(halves(r[1])))
    gain = cell(rendering, "commercial", 0, lambda r: f"+{r[2]}t")
    return book(
        "commercial-each", cost=cost, gain=gain, names=", ".join(keyed(row[0]) for row in rows)
    )


def fortifications(rendering: Rendering) -> str:
    """Return the fortifications with their costs (3.7)."""
    rows = rows_of(rendering.now, "fortifications")
    shown = [
        f"{keyed(row[0])} {cell(rendering, 'fortifications', n, cost_of)}"
        for n, row in enumerate(rows)
    ]
    return ", ".join(shown) or book("none")


def fort_levels(rendering: Rendering) -> str:
    """Return the points of a level, and of the highest one, which includes the others (3.7)."""
    names = [row[0] for row in rows_of(rendering.now, "fortifications")]
    each = rendering.mark(lambda e: str(e.rules.points["fortification_level"]))
    if len(names) < 2:
        return book("level", each=each)
    *below, last = [named(words.structure_name(name)) for name in names]
    points = rendering.mark(lambda e: str(len(names) * e.rules.points["fortification_level"]))
    return book(
        "levels" if names == SHIPPED_FORTS else "levels-own",
        each=each,
        last=last,
        below=listed_and(below[::-1]),
        points=points,
    )


SHIPPED_FORTS = ["ramparts", "walls", "great-walls"]
"""The fortifications for which the translations have their own phrase."""


def sieges(rendering: Rendering) -> str:
    """Return the rolls at which sieges fail, by fortification (9.7)."""
    shown = []
    for n, row in enumerate(rows_of(rendering.now, "fortifications")):
        name = named(words.structure_name(row[0]))
        rolled = cell(
            rendering, "fortifications", n, lambda r: span(1, min(r[2], rendering.now.rules.die))
        )
        shown.append(book("siege", rolls=rolled, name=name, lower=name.lower()))
    return ", ".join(shown) or book("no-roll")


ROWS: Mapping[str, Callable[[Rendering], str]] = {
    "income_actions": income_actions,
    "architecture": architecture,
    "religious": lambda rendering: structures(rendering, "religious", "religious"),
    "commercial": commercial,
    "fortifications": fortifications,
    "fort_levels": fort_levels,
    "sieges": sieges,
}
UNMARKED: Mapping[str | None, Callable[[Rendering, str], str]] = {"rolls": rolls}
"""Functions for forms that mark their parts themselves."""


# The numbers of the rules in words, for the guide to scenarios and for amendments in play.


NUMBERS = Texts(
    "grand_campaign.numbers",
    {
        "meaning": {
            "die": "the large die: its sides",
            "cards_per_turn": "cards that each nation draws when a turn opens",
            "prestigious": "prestige from which a covert attack against a nation costs more",
            "army.victory": "army points that a victory gives",
            "army.defeat": "change of the army after a defeat",
            "army.maximum": "army: highest value that victories can reach",
            "army.minimum": "army: lowest value that defeats can reach",
            "costs.tax-exemption": "tax exemption: actions that it costs",
            "tax_increase_actions": "tax increase: actions that it gives",
            "tax_increases_per_slot": "most tax increases in a nation’s turn",
            "costs.barracks": "barracks: actions that they cost",
            "costs.siege-train": "siege train: actions that it costs",
            "costs.fleet": "fleet: actions that it costs",
            "costs.provincial-levy": "provincial levy: actions that it costs",
            "army.levy": "provincial levy: army points that it gives",
            "army.full": "full army: highest value that levies and mercenaries can reach",
            "chancellor_actions": "Chancellor: actions that it gives",
            "truce_turns": "Diplomat: turns of a truce, counting the one in which it is made",
            "talents.card_conquest": "Diplomat and Traitor: talents for the province",
            "naval_technology": "Naval Technology: what it adds to the die of a naval encounter",
            "army.reinforcements": "Reinforcements: army points for one battle",
            "army.mercenaries": "Mercenaries: army points that they give",
            "army.mercenaries_talents": "Mercenaries: talents that they cost",
            "talents.plague": "plague: talents lost",
            "talents.agrarian-improvements": "agrarian improvements: talents gained",
            "capital_protected_before_turn": "first turn in which a capital can be attacked",
            "costs.land": "land attack: actions that it costs",
            "costs.amphibious": "amphibious attack: actions that it costs",
            "costs.independent": "covert attack: actions that it costs",
            "costs.independent-prestigious": (
                "covert attack on a prestigious nation: actions that it costs"
            ),
            "attacks_per_turn.overt": "land and amphibious attacks of a nation in a turn, at most",
            "attacks_per_turn.covert": "covert attacks of a nation in a turn, at most",
            "escort_from": "escort: lowest roll of its die that forces it",
            "army.independent": "army points of independent and insurgent troops",
            "rout.decisive": "share of the enemy routed that wins a battle",
            "rout.early": "share of the enemy routed that wins if one’s own losses are small",
            "rout.early_own_losses": "small losses of one’s own: at most this share",
            "victory_points.battle": "victory points for a victory",
            "victory_points.independent_defence": (
                "victory points for leading independent troops to victory"
            ),
            "talents.ravage": "talents that change hands after a draw",
            "siege_train": "siege train: how much it lowers the roll that a siege needs",
            "victory_points.conquest": "victory points for a conquest",
            "talents.conquest": "talents for a conquest",
            "talents.loss": "talents lost with a province",
            "victory_points.stability": "victory points at the end for each level of stability",
            "victory_points.prestige": "victory points at the end for each level of prestige",
            "victory_points.fortification_level": (
                "victory points at the end for each level of fortification"
            ),
            "victory_points.barracks": "victory points at the end for barracks",
            "victory_points.fleet": "victory points at the end for each fleet",
            "income_actions": "rows of an income and the actions that it gives, rising",
            "architecture.civilized": (
                "rows of a structure: name, actions, prestige, victory points"
            ),
            "architecture.barbarian": (
                "rows of a structure: name, actions, prestige, victory points"
            ),
            "religious": "rows of a structure: name, actions, stability, victory points",
            "commercial": "rows of a structure: name, actions, talents, victory points",
            "fortifications": "rows of a level: name, actions, highest roll at which a siege fails",
            "cards": "rows of a card: first roll, last roll, card; they cover the die",
            "event_turns": "the turns with random events",
            "events": "rows of an event: first roll, last roll, event; they cover the die",
        },
        "cells": {
            "actions": "{name}: actions that it costs",
            "stability": "{name}: stability that it gives",
            "prestige": "{name}: prestige that it gives",
            "income": "{name}: talents that it gives",
            "points": "{name}: victory points that it gives",
            "holds": "{name}: highest roll at which a siege fails",
            "income_actions": "actions from an income of {name}",
        },
        "units": {
            "sides": "sides",
            "cards": "cards",
            "levels": "levels",
            "army": "army points",
            "actions": "actions, whole or half",
            "times": "times",
            "turns": "turns",
            "turn": "turn",
            "talents": "talents",
            "roll": "points of the die",
            "attacks": "attacks",
            "percent": "percent",
            "points": "victory points",
            "table": "table",
        },
        "would": {
            "sieges": "Sieges: {n} of {all} would have ended differently",
            "siege-held": (
                "Turn {turn}, {nation} against {province}: the roll {roll} held at {was}; "
                "at {now} the province is taken."
            ),
            "siege-taken": (
                "Turn {turn}, {nation} against {province}: the roll {roll} took it at {was}; "
                "at {now} the province holds."
            ),
            "costs": "Actions spent so far",
            "cost": "{name}, {n}×: {was} spent, {now} with the new number.",
            "names": {
                "tax-exemption": "Tax exemption",
                "barracks": "Barracks",
                "siege-train": "Siege train",
                "fleet": "Fleet",
                "provincial-levy": "Provincial levy",
                "land": "Land attack",
                "amphibious": "Amphibious attack",
                "independent": "Covert attack",
            },
        },
        "heading": "| key | rule | meaning | unit | from, to | default |",
        "any": "any",
        "from": "from {least}",
        "from-to": "{least} to {most}",
    },
)


def rule_numbers(rules: Rules) -> list[RuleNumber]:
    """Return every number that an amendment can change alone, in the order of the rules.

    The die, the bands of cards and events, and the event turns are left out.
    """
    texts = NUMBERS.read()
    singles = [entry for entry in RULES if entry.path != "die"]
    rows = [
        RuleNumber(
            entry.path,
            entry.rule,
            entry.unit,
            texts["meaning"][entry.path],
            value_at(rules.raw, entry.path),
        )
        for entry in singles
    ]
    forms = texts["cells"]
    for n, (least, given) in enumerate(rules.raw["income_actions"]):
        label = forms["income_actions"].format(name=least)
        rows.append(RuleNumber(f"income_actions.{n}.1", "3.1", "actions", label, given))
    for path in ("architecture.civilized", "architecture.barbarian", "religious", "commercial"):
        account = TRACK_ACCOUNT[path.partition(".")[0]]
        for n, row in enumerate(value_at(rules.raw, path)):
            units = (
                ("actions", "actions"),
                (account, "talents" if account == "income" else "levels"),
                ("points", "points"),
            )
            for column, (form, unit) in enumerate(units, 1):
                label = forms[form].format(name=structure_name(row[0]))
                rows.append(
                    RuleNumber(f"{path}.{n}.{column}", TABLES[path], unit, label, row[column])
                )
    for n, row in enumerate(rules.raw["fortifications"]):
        name = structure_name(row[0])
        rows.append(
            RuleNumber(
                f"fortifications.{n}.1",
                "3.7",
                "actions",
                forms["actions"].format(name=name),
                row[1],
            )
        )
        rows.append(
            RuleNumber(
                f"fortifications.{n}.2", "9.7", "roll", forms["holds"].format(name=name), row[2]
            )
        )
    return sorted(rows, key=lambda row: tuple(int(part) for part in row.rule.split(".")))


TABLE = re.compile(r"(?m)^\|.*\n\|(?:---\|)+\n\| `die` \|.*\n(?:\|.*\n)*")


def with_numbers(guide: str) -> str:
    """Return the text of the guide to scenarios with an up-to-date table of numbers."""
    return TABLE.sub(lambda _old: numbers_table(), guide)


def numbers_table() -> str:
    """Return all keys of `rules` as a table in Markdown, with meaning, bounds and default."""
    texts, rules = NUMBERS.read(), default_rules().raw
    lines = [texts["heading"], "|---|---|---|---|---|---|"]
    for entry in RULES:
        form = "any" if entry.least < 0 else "from" if entry.most == MOST - 1 else "from-to"
        bounds = texts[form].format(least=entry.least, most=entry.most)
        lines.append(
            f"| `{entry.path}` | {entry.rule} | {texts['meaning'][entry.path]} |"
            f" {texts['units'][entry.unit]} | {bounds} | {value_at(rules, entry.path)} |"
        )
    for path, rule in TABLES.items():
        default = (
            json.dumps(value_at(rules, path), default=float).replace(".0,", ",").replace(".0]", "]")
        )
        lines.append(
            f"| `{path}` | {rule} | {texts['meaning'][path]} | {texts['units']['table']} | |"
            f" `{default}` |"
        )
    return "\n".join(lines) + "\n"


def amendment(rules: Rules, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the `rules` of the move `amend`, from new numbers by the paths of `rule_numbers`.

    A table is always given as a whole.
    """
    changed: dict[str, Any] = {}
    for path, value in numbers.items():
        *way, last = path.split(".")
        standing: Any = rules.raw
        inner: Any = changed
        for key in way:
            standing = standing[int(key)] if isinstance(standing, list) else standing[key]
            if isinstance(inner, list):
                inner = inner[int(key)]
            else:
                inner = inner.setdefault(
                    key, deepcopy(standing) if isinstance(standing, list) else {}
                )
        if isinstance(inner, list):
            inner[int(last)] = value
        else:
            inner[last] = value
    return changed


# The effects that other numbers would have had on moves already made; nothing is played again.

Step = tuple[Position, Mapping[str, Any], Sequence[Effect]]
SIMPLE = ("tax-exemption", "barracks", "siege-train", "fleet", "provincial-levy")


def would_have_changed(steps: Iterable[Step], new: Rules) -> list[RuleConsequence]:
    """Return the sieges and costs that would have differed with other rules.

    A siege is judged by the roll that was made.
    """
    sieges: list[str] = []
    thrown, spent = 0, dict[str, list[int]]()
    for before, move, effects in steps:
        for effect in effects:
            if effect.cause.id in ("siege-held", "siege-taken"):
                thrown += 1
                line = _siege_line(before, effect, new)
                sieges += [line] if line else []
        for name, was, cost in _costs(before, move, new):
            row = spent.setdefault(name, [0, 0, 0])
            row[0], row[1], row[2] = row[0] + 1, row[1] + was, row[2] + cost
    texts = NUMBERS.read()["would"]
    shown = []
    if sieges:
        shown.append(
            RuleConsequence(texts["sieges"].format(n=len(sieges), all=thrown), tuple(sieges))
        )
    costs = [
        texts["cost"].format(name=name, n=times, was=half(was), now=half(cost))
        for name, (times, was, cost) in spent.items()
        if was != cost
    ]
    if costs:
        shown.append(RuleConsequence(texts["costs"], tuple(costs)))
    return shown


def _siege_line(before: Position, effect: Effect, new: Rules) -> str:
    """Return the line of a siege that would have ended differently, empty for any other siege."""
    attack = before.attacks[int(effect.subject) - 1]
    level = before.fortification.get(attack.target, 0)
    if not 0 < level <= len(new.fortifications):
        return ""
    holds = max(
        0, new.fortifications[level - 1].holds - (new.siege_train if attack.siege_train else 0)
    )
    roll, ended = effect.facts["roll"], effect.facts["siege"]
    if (roll <= holds) == (ended == "held"):
        return ""
    texts, scenario = NUMBERS.read()["would"], before.scenario
    return str(
        texts[f"siege-{ended}"].format(
            turn=before.turn,
            nation=nation_name(scenario, attack.attacker),
            province=province_name(scenario, attack.target),
            roll=roll,
            was=effect.cause.facts["holds"],
            now=holds,
        )
    )


def _costs(before: Position, move: Mapping[str, Any], new: Rules) -> Iterator[tuple[str, int, int]]:
    """Yield the name of a paid move, its cost and its cost with other rules, in half-actions."""
    old, name = before.rules, move["move"]
    nation = move.get("for", move["by"])
    texts = NUMBERS.read()["would"]["names"]
    if name in SIMPLE:
        yield texts[name], old.costs[name], new.costs[name]
    elif name == "attack":
        kind = move["kind"]
        yield (
            texts[kind],
            *(attack_cost(before, kind, move["target"], rules) for rules in (old, new)),
        )
    elif name == "build":
        culture, key = before.scenario.nations[nation].culture, move["structure"]
        if key in new.structures[culture]:
            yield (
                structure_name(key),
                old.structures[culture][key].cost,
                new.structures[culture][key].cost,
            )
    elif name == "fortify":
        level = before.fortification.get(move["province"], 0)
        if level < min(len(old.fortifications), len(new.fortifications)):
            row = old.fortifications[level]
            yield structure_name(row.name), row.cost, new.fortifications[level].cost
