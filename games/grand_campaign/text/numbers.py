"""The numbers of the rules, in words: for the guide to scenarios, and for amendments in play."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import deepcopy
from typing import Any

from engine.effects import Effect
from games.contract.title import RuleNumber, WouldHave
from games.grand_campaign.english import NUMBERS
from games.grand_campaign.rules.attacks import attack_cost
from games.grand_campaign.rules.numbers import MOST, TABLES, TRACK_ACCOUNT, Rules, default_rules, value_at
from games.grand_campaign.rules.numbers import NUMBERS as RULES
from games.grand_campaign.rules.position import Position
from games.grand_campaign.text.words import half, nation_name, province_name, structure_name


def rule_numbers(rules: Rules) -> list[RuleNumber]:
    """Every number that an amendment can change by itself, in the order of the rules: all but the die, the bands of cards and
    events, and the event turns."""
    texts = NUMBERS.read()
    singles = [one for one in RULES if one.path != "die"]
    rows = [
        RuleNumber(one.path, one.rule, one.unit, texts["meaning"][one.path], value_at(rules.raw, one.path)) for one in singles
    ]
    forms = texts["cells"]
    for n, (least, given) in enumerate(rules.raw["income_actions"]):
        label = forms["income_actions"].format(name=least)
        rows.append(RuleNumber(f"income_actions.{n}.1", "3.1", "actions", label, given))
    for path in ("architecture.civilized", "architecture.barbarian", "religious", "commercial"):
        account = TRACK_ACCOUNT[path.partition(".")[0]]
        for n, row in enumerate(value_at(rules.raw, path)):
            units = (("actions", "actions"), (account, "talents" if account == "income" else "levels"), ("points", "points"))
            for column, (form, unit) in enumerate(units, 1):
                label = forms[form].format(name=structure_name(row[0]))
                rows.append(RuleNumber(f"{path}.{n}.{column}", TABLES[path], unit, label, row[column]))
    for n, row in enumerate(rules.raw["fortifications"]):
        name = structure_name(row[0])
        rows.append(RuleNumber(f"fortifications.{n}.1", "3.7", "actions", forms["actions"].format(name=name), row[1]))
        rows.append(RuleNumber(f"fortifications.{n}.2", "9.7", "roll", forms["holds"].format(name=name), row[2]))
    return sorted(rows, key=lambda one: tuple(int(part) for part in one.rule.split(".")))


TABLE = re.compile(r"(?m)^\|.*\n\|(?:---\|)+\n\| `die` \|.*\n(?:\|.*\n)*")


def with_numbers(guide: str) -> str:
    """The text of the guide to scenarios with `numbers_table` in the place of the one that stands there."""
    return TABLE.sub(lambda _old: numbers_table(), guide)


def numbers_table() -> str:
    """Every key of `rules` as a table in Markdown: its rule, meaning, unit, bounds and default."""
    texts, rules = NUMBERS.read(), default_rules().raw
    lines = [texts["heading"], "|---|---|---|---|---|---|"]
    for one in RULES:
        form = "any" if one.least < 0 else "from" if one.most == MOST - 1 else "from-to"
        bounds = texts[form].format(least=one.least, most=one.most)
        lines.append(
            f"| `{one.path}` | {one.rule} | {texts['meaning'][one.path]} | {texts['units'][one.unit]} | {bounds} "
            f"| {value_at(rules, one.path)} |"
        )
    for path, rule in TABLES.items():
        default = json.dumps(value_at(rules, path), default=float).replace(".0,", ",").replace(".0]", "]")
        lines.append(f"| `{path}` | {rule} | {texts['meaning'][path]} | {texts['units']['table']} | | `{default}` |")
    return "\n".join(lines) + "\n"


def amendment(rules: Rules, numbers: Mapping[str, Any]) -> dict[str, Any]:
    """The `rules` of the move `amend`, from new numbers by the paths of `rule_numbers`: a table is given whole."""
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
                inner = inner.setdefault(key, deepcopy(standing) if isinstance(standing, list) else {})
        if isinstance(inner, list):
            inner[int(last)] = value
        else:
            inner[last] = value
    return changed


# What other numbers would have done to what was played. Nothing is played again.

Step = tuple[Position, Mapping[str, Any], Sequence[Effect]]
SIMPLE = ("tax-exemption", "barracks", "siege-train", "fleet", "provincial-levy")


def would_have_changed(steps: Iterable[Step], now: Rules) -> list[WouldHave]:
    """Sieges that would have ended otherwise, by the roll that was thrown, and actions that would have been spent."""
    sieges: list[str] = []
    thrown, spent = 0, dict[str, list[int]]()
    for before, move, effects in steps:
        for effect in effects:
            if effect.cause.id in ("siege-held", "siege-taken"):
                thrown += 1
                line = _siege_line(before, effect, now)
                sieges += [line] if line else []
        for name, was, cost in _costs(before, move, now):
            row = spent.setdefault(name, [0, 0, 0])
            row[0], row[1], row[2] = row[0] + 1, row[1] + was, row[2] + cost
    texts = NUMBERS.read()["would"]
    shown = []
    if sieges:
        shown.append(WouldHave(texts["sieges"].format(n=len(sieges), all=thrown), tuple(sieges)))
    costs = [
        texts["cost"].format(name=name, n=times, was=half(was), now=half(cost))
        for name, (times, was, cost) in spent.items()
        if was != cost
    ]
    if costs:
        shown.append(WouldHave(texts["costs"], tuple(costs)))
    return shown


def _siege_line(before: Position, effect: Effect, now: Rules) -> str:
    """The line of a siege that would have ended otherwise; empty for every other."""
    attack = before.attacks[int(effect.subject)]
    level = before.fortification.get(attack.target, 0)
    if not 0 < level <= len(now.fortifications):
        return ""
    holds = max(0, now.fortifications[level - 1].holds - (now.siege_train if attack.siege_train else 0))
    roll, ended = effect.facts["roll"], effect.facts["siege"]
    if (roll <= holds) == (ended == "held"):
        return ""
    texts, scenario = NUMBERS.read()["would"], before.scenario
    return str(
        texts[f"siege-{ended}"].format(
            turn=before.turn, nation=nation_name(scenario, attack.attacker), province=province_name(scenario, attack.target),
            roll=roll, was=effect.cause.facts["holds"], now=holds,
        )
    )  # fmt: skip


def _costs(before: Position, move: Mapping[str, Any], now: Rules) -> Iterator[tuple[str, int, int]]:
    """What a move that costs actions is called, what it cost then and what it would cost, in half-actions."""
    then, name = before.rules, move["move"]
    nation = move.get("for", move["by"])
    texts = NUMBERS.read()["would"]["names"]
    if name in SIMPLE:
        yield texts[name], then.costs[name], now.costs[name]
    elif name == "attack":
        kind = move["kind"]
        yield texts[kind], *(attack_cost(before, kind, move["target"], rules) for rules in (then, now))
    elif name == "build":
        culture, key = before.scenario.nations[nation].culture, move["structure"]
        if key in now.structures[culture]:
            yield structure_name(key), then.structures[culture][key].cost, now.structures[culture][key].cost
    elif name == "fortify":
        level = before.fortification.get(move["province"], 0)
        if level < min(len(then.fortifications), len(now.fortifications)):
            row = then.fortifications[level]
            yield structure_name(row.name), row.cost, now.fortifications[level].cost
