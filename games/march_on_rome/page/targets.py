"""What the player may do in a year: each neighbour with its chances (3.1)."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from engine.language import pointed
from games.march_on_rome.rules import odds
from games.march_on_rome.rules.position import (
    LOST,
    PC,
    PROVINCES,
    RING,
    SENATE,
    Position,
    devotes,
    is_general,
)
from games.march_on_rome.text.telling import holder_with_paint, phrase_text
from games.march_on_rome.text.words import province_name

FIRST_HOLDERS = {SENATE: 1, LOST: 2}
"""Generals stand first, then procurators, then peoples."""


def chance(value: Fraction) -> dict[str, Any]:
    """A chance as a page shows it: a word, the length of its bar, whether it is certain."""
    sure = "sure" if value == 1 else "none" if value == 0 else ""
    return {
        "text": phrase_text(sure) if sure else odds.percent(value),
        "share": f"{float(value * 100):.1f}",
        "sure": value == 1,
    }


def won_and_lost(win: Fraction) -> list[dict[str, Any]]:
    """Return the chances of victory and defeat. If neither is certain, the numbers that are shown
    add up to 100.
    """
    both = [win, 1 - win]
    if win in (0, 1):
        return [chance(value) for value in both]
    return [
        chance(value) | {"text": text}
        for value, text in zip(both, odds.percents(both), strict=True)
    ]


def targets(position: Position, open_one: str = "") -> list[dict[str, Any]]:
    """The neighbours: generals first, the likeliest attack of each kind on top."""
    rows = [target(position, key, key == open_one) for key in position.targets()]
    rows.sort(
        key=lambda one: (
            FIRST_HOLDERS.get(one["owner"], 0),
            -one["odds"].win,
            PROVINCES[one["key"]].n,
        )
    )
    return rows


def target(position: Position, key: str, opened: bool) -> dict[str, Any]:
    """One neighbour: who holds it, what an attack and an offer may bring."""
    owner, mine = position.owner[key], position.legions[PC]
    battle, offer = odds.attack(position, key), odds.ally(position, key)
    facts: dict[str, Any] = {
        "key": key,
        "name": province_name(key),
        "owner": owner,
        "who": holder_with_paint(position.scenario, owner),
        "open": opened,
        "kind": "general" if is_general(owner) else owner,
        "odds": battle,
        "mine": mine,
        "do_attack": phrase_text("do-attack", land=province_name(key)),
        "do_ally": phrase_text("do-ally", land=province_name(key)),
        "can_attack": mine > 0,
        "attack": chance(battle.win),
        "first": chance(battle.first),
        "second": chance(battle.second),
        "walkover": battle.walkover,
        "kept_won": rounded(battle.kept_won),
        "kept_lost": rounded(battle.kept_lost),
        "yearly": len(position.lands(PC)) + 1,
        "absorbed": offer.absorbed,
        "ally": chance(offer.win),
        "yes": chance(offer.yes),
        "new": [
            province_name(one)
            for one in RING[key]
            if position.owner[one] != PC and not position.neighbours_pc(one)
        ],
    }
    if owner == SENATE:
        facts["legions"] = position.garrison[key]
    elif owner == LOST:
        facts["legions"] = position.barbarians.get(key)
    else:
        legions = position.legions[owner]
        brings = sorted(
            {devotes(die, legions, mine, first) for die in range(1, 7) for first in (False, True)}
        )
        facts |= {
            "legions": legions,
            "least": brings[0],
            "most": brings[-1],
            "also": [province_name(one) for one in position.lands(owner) if one != key],
            "lands": len(position.lands(owner)),
        }
    return facts


def rounded(value: Fraction | None) -> str:
    """Legions on the average, to a whole one; empty where it never comes to that."""
    return "" if value is None else str(int(value + Fraction(1, 2)))


def tenths(value: Fraction | None) -> str:
    """Legions on the average, to a tenth."""
    return "–" if value is None else pointed(f"{float(value):.1f}")
