"""What a campaign plays otherwise than the rules have it, in words: for who thinks of sitting down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from engine.sentence import sentence
from games.grand_campaign import words
from games.grand_campaign.scenario import START, Scenario
from games.grand_campaign.tables import table
from pages.grand_campaign.founding_words import GROUPS, TABLES

LEVELS = {"stability": "2.1", "prestige": "2.4", "income": "2.5", "army": "2.8"}
NAMED = {"cards": words.card_name, "events": words.event_name}


class Change(NamedTuple):
    """A rule that is played otherwise: which, how it is here, how it is in the rules, its paragraph."""

    name: str
    here: str
    usual: str
    rule: str


def changes(scenario: Scenario, options: Any) -> list[Change]:
    """The options and the scenario's own numbers and tables that differ, in the rules' order."""
    made = []
    if options.external_attacks:
        made.append(Change(_("External provinces"), _("may be starting points of attacks"), _("never"), "6.1"))
    for account, usual in START.items():
        if scenario.start[account] != usual:
            name = sentence(_("Start: {account}"), account=words.book()["accounts"][account])
            made.append(Change(name, str(scenario.start[account]), str(usual), LEVELS[account]))
    own, base = scenario.raw.get("rules", {}), table("rules")
    for title, entries in GROUPS:
        for path, label, rule in entries:
            now, usual = _at(own, path), _at(base, path)
            if now is not None and now != usual:
                made.append(Change(f"{_(title)}: {_(label)}", _written(now), _written(usual), rule))
    for path, title, rule, _columns in TABLES:
        now, usual = _at(own, path), _at(base, path)
        if now is not None and [list(row) for row in now] != [list(row) for row in usual]:
            made.append(Change(_(title), _rows(path, now, usual), _rows(path, usual, now), rule))
    return made


def _at(rules: Mapping[str, Any], path: str) -> Any:
    """The number or table of this path; None where there is none."""
    found: Any = rules
    for key in path.split("."):
        if not isinstance(found, Mapping) or key not in found:
            return None
        found = found[key]
    return found


def _written(value: Any) -> str:
    return ", ".join(map(str, value)) or _("none") if isinstance(value, list) else str(value).replace("-", "−")


def rows_told(path: str, rows: Sequence[Sequence[Any]]) -> str:
    """A whole table in one line."""
    return "; ".join(_row(path, row) for row in rows)


def _rows(path: str, rows: Sequence[Sequence[Any]], others: Sequence[Sequence[Any]]) -> str:
    """The rows that the other table has not."""
    known = [list(row) for row in others]
    told = [_row(path, row) for row in rows if list(row) not in known]
    return "; ".join(told) or _("none of these")


def _row(path: str, row: Sequence[Any]) -> str:
    if path in NAMED:
        first, last, key = row
        return f"{first}–{last} {NAMED[path](str(key))}"
    if path == "income_actions":
        return sentence(_("from {income}t {actions}"), income=row[0], actions=row[1])
    key, *rest = row
    return f"{words.structure_name(str(key))} {', '.join(map(_written, rest))}"
