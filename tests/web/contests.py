"""Battles for the tests of pages: a challenge, a siege, and how one answers and reports through the
forms.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from campaign.log import selectors
from tests.web.five import Five, huns_slot


def plain(response: Any) -> str:
    """The words of a page, tags and runs of space taken away."""
    text = response if isinstance(response, str) else response.content.decode()
    text = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", text, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(text))


def seen(table: Five, who: str = "gm") -> str:
    return str(selectors.seen(table.campaign, table.people[who]))


def answer(table: Five, who: str, number: int, choice: str, **more: Any) -> Any:
    return table.post(
        who, f"b/{number}/", move="respond", choice=choice, seen=seen(table, who), **more
    )


def result(
    table: Five, number: int, by: str, *, sure: bool = True, who: str = "gm", **typed: str
) -> Any:
    more = {"sure": "1"} if sure else {}
    return table.post(who, f"b/{number}/", by=by, seen=seen(table, who), **typed, **more)


def known(table: Five, number: int = 1) -> Any:
    table.campaign.refresh_from_db()
    return table.campaign.game.rows(selectors.position(table.campaign)).contests[number]


def hun_attack(table: Five, at: datetime | None = None, **more: Any) -> None:
    table.play(
        "huns", "attack", at, kind="land", **{"from": "pannonia", "target": "dalmatia"}, **more
    )


def covert_attack(table: Five) -> None:
    """The Huns attack an independent province: the Vandals may lead it."""
    table.play(
        "huns", "attack", kind="independent", **{"from": "tarraconensis", "target": "carpetania"}
    )


def to_turn(table: Five, turn: int, deeds: dict[str, list[tuple[str, dict[str, str]]]]) -> None:
    """Go on to this turn; each nation does its deeds in the first slot it has."""
    while table.campaign.turn < turn:
        if table.campaign.phase == "closed":
            table.play("gm", "open-turn")
            continue
        seat = table.campaign.active_seat
        for move, given in deeds.pop(seat, ()):
            table.play(seat, move, **given)
        table.play(seat, "end-slot")


@pytest.fixture
def challenge(new_campaign: Callable[..., Five]) -> Five:
    """The Huns attack Dalmatia; the Romans have not answered."""
    return huns_slot(new_campaign, "challenge", hun_attack)


@pytest.fixture
def siege(new_campaign: Callable[..., Five]) -> Five:
    """The Huns, with a siege train, are at the Walls of Dalmatia, accepted. All at 6, 6, 450t, 1600
    points.
    """
    return huns_slot(new_campaign, "siege", at_the_walls)


def at_the_walls(five: Five) -> None:
    to_turn(five, 2, {"romans": [("fortify", {"province": "dalmatia"})] * 2})
    five.slot_to("huns")
    position = selectors.position(five.campaign)
    for nation in ("huns", "romans"):
        for account, level in (("stability", 6), ("prestige", 6), ("income", 450), ("army", 1600)):
            change = level - getattr(position.nations[nation], account)
            if change:
                five.play(
                    "gm", "adjust", nation=nation, account=account, change=change, reason="even"
                )
    if position.nations["huns"].actions < 3:
        five.play("gm", "adjust", nation="huns", account="actions", change=2, reason="even")
    five.play("huns", "siege-train")
    hun_attack(five, siege_train=True)
    five.play("romans", "respond", attack=1, choice="accept")
