"""Battles for tests of pages: fixtures and functions that send the forms of battles."""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from campaign.log import selectors
from tests.web.grand_table import GrandTable, campaign_in_huns_slot


def visible_text(response: Any) -> str:
    """Return the text of a page without tags and repeated spaces."""
    text = response if isinstance(response, str) else response.content.decode()
    text = re.sub(r"<(script|style)\b.*?</\1>|<[^>]+>", " ", text, flags=re.S)
    return re.sub(r"\s+", " ", html.unescape(text))


def seen_number(table: GrandTable, who: str = "gm") -> str:
    """Return the entry number that a form of a fresh page contains, as text."""
    return str(selectors.seen(table.campaign, table.people[who]))


def answer_challenge(table: GrandTable, who: str, number: int, choice: str, **more: Any) -> Any:
    """Send this user's answer to a challenge and return the response."""
    return table.post(
        who, f"b/{number}/", move="respond", choice=choice, seen=seen_number(table, who), **more
    )


def report_result(
    table: GrandTable, number: int, by: str, *, sure: bool = True, who: str = "gm", **typed: str
) -> Any:
    """Report the result of a battle and return the response; `sure` skips the confirmation."""
    more = {"sure": "1"} if sure else {}
    return table.post(who, f"b/{number}/", by=by, seen=seen_number(table, who), **typed, **more)


def stored_contest(table: GrandTable, number: int = 1) -> Any:
    """Return the row of this battle in the current position."""
    table.campaign.refresh_from_db()
    return table.campaign.game.rows(selectors.position(table.campaign)).contests[number]


def attack_dalmatia(table: GrandTable, at: datetime | None = None, **more: Any) -> None:
    """Let the Huns attack Dalmatia, which belongs to the Romans."""
    table.play(
        "huns", "attack", at, kind="land", **{"from": "pannonia", "target": "dalmatia"}, **more
    )


def attack_independents(table: GrandTable) -> None:
    """Let the Huns attack an independent province, which the Vandals may lead."""
    table.play(
        "huns", "attack", kind="independent", **{"from": "tarraconensis", "target": "carpetania"}
    )


def play_to_turn(
    table: GrandTable, turn: int, deeds: dict[str, list[tuple[str, dict[str, str]]]]
) -> None:
    """Play to this turn; each nation makes the moves of `deeds` in its first slot."""
    while table.campaign.turn < turn:
        if table.campaign.phase == "closed":
            table.play("gm", "open-turn")
            continue
        seat = table.campaign.active_seat
        for move, given in deeds.pop(seat, ()):
            table.play(seat, move, **given)
        table.play(seat, "end-slot")


@pytest.fixture
def challenge(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    """Return a campaign in which the Huns attack Dalmatia and the Romans have not answered."""
    return campaign_in_huns_slot(new_campaign, "challenge", attack_dalmatia)


@pytest.fixture
def siege(new_campaign: Callable[..., GrandTable]) -> GrandTable:
    """Return a campaign in which the Huns besiege Dalmatia and the Romans have accepted.

    The Huns have a siege train. Both nations have stability 6, prestige 6, 450t and 1600 points.
    """
    return campaign_in_huns_slot(new_campaign, "siege", play_to_siege)


def play_to_siege(grand_table: GrandTable) -> None:
    """Play to the siege of the fixture `siege`."""
    play_to_turn(grand_table, 2, {"romans": [("fortify", {"province": "dalmatia"})] * 2})
    grand_table.slot_to("huns")
    position = selectors.position(grand_table.campaign)
    for nation in ("huns", "romans"):
        for account, level in (("stability", 6), ("prestige", 6), ("income", 450), ("army", 1600)):
            change = level - getattr(position.nations[nation], account)
            if change:
                grand_table.play(
                    "gm", "adjust", nation=nation, account=account, change=change, reason="even"
                )
    if position.nations["huns"].actions < 3:
        grand_table.play("gm", "adjust", nation="huns", account="actions", change=2, reason="even")
    grand_table.play("huns", "siege-train")
    attack_dalmatia(grand_table, siege_train=True)
    grand_table.play("romans", "respond", attack=1, choice="accept")
