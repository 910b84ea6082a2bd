"""The history of a reign: the board after any entry, for readers who may see the table."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from games.march_on_rome.rules.position import World
from tests.march_on_rome.founded import founded
from tests.march_on_rome.reigns import steps


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_board_of_a_position_equals_the_board_of_its_effects(seed: int) -> None:
    """Both boards are equal throughout a reign.

    `past` draws the position; the page of the table draws the effects that were shown.
    """
    shown, seen = World(), 0
    for _, _, played in steps("history", random.Random(seed)):
        shown = shown.after(played.effects)
        after = played.after
        assert World(after.owner, after.garrison, after.legions) == shown
        seen += 1
    assert seen > 10


def holder(page: str, province: str) -> str:
    return re.findall(rf'<use href="#m-{province}" class="m-prov" data-nation="([\w-]+)"', page)[0]


@pytest.mark.django_db
def test_a_reign_has_its_history(person: Callable[..., Any]) -> None:
    owen = person("Owen")
    campaign = founded(owen, 1, lambda position: position.turn > 1)
    table, client = f"/c/{campaign.address}/", Client()
    client.force_login(owen)
    pages = {n: client.get(f"{table}history/?at={n}").content.decode() for n in (2, 3, 4)}
    assert [holder(page, "syria") for page in pages.values()] == ["npc-3", "npc-3", "pc"]
    assert re.findall(r'<use href="#m-(\w+)" class="m-lit', pages[4]) == ["syria"]
    assert "Entry 4 in the log" in pages[4]
    assert "Holders" in pages[4]
    assert "Standings after" not in pages[4]
    assert 'method="post"' not in pages[4].partition('id="main"')[2].partition("<footer")[0], (
        "nothing is decided here"
    )
    part = client.get(f"{table}history/?at=4", headers={"HX-Target": "moment"}).content.decode()
    assert holder(part[part.index('data-then="past"') :], "syria") == "pc"
    assert f'href="{table}history/?at=4"' in client.get(table + "e/4/").content.decode()
