"""The dice log: the promise, what is published, every roll with its purpose and meaning."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import record
from engine.dice import sha256
from tests.web.five import WHO, Five, draft, five, new_campaign
from tests.web.titles.test_table import plain
from web.dice import page as dice

__all__ = ["draft", "five", "new_campaign"]


def test_everybody_may_read_the_dice(five: Five) -> None:
    assert five.statuses("dice/") == dict.fromkeys(WHO, 200)


def test_not_of_a_table_for_members(new_campaign: Callable[..., Five]) -> None:
    table = new_campaign("members")
    assert table.statuses("dice/") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }


def test_every_roll(five: Five) -> None:
    text = plain(five.text("nobody", "dice/"))
    assert "7, newest first, including struck moves" in text
    assert re.search(
        r"3 today \d\d:\d\d turn-1/card/romans 42 d100 Romans draw Traitor with link 1 not yet",
        text,
    )
    assert re.search(r"3 today \d\d:\d\d start 5 d6 Sassanids open turn 1 ", text)
    assert f'href="{five.home}e/3/"' in five.text("nobody", "dice/")


def test_the_rolls_by_their_pages(five: Five, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums are those of all."""
    monkeypatch.setattr(dice, "PAGE", 3)

    def page(**asked: str) -> tuple[list[str], list[str]]:
        text = five.text("nobody", "dice/", **asked)
        assert "7, newest first, including struck moves" in text
        assert "6 rolls" in text
        purposes = re.findall(r'<td><span class="hash">([^<]+)</span></td>', text)
        return purposes, re.findall(r'href="\?([^"]*)#h-dice"', text)

    every, links = page(all="")
    assert (len(every), links) == (7, [])
    assert page() == (every[:3], ["before=5", "all"])
    assert page(before="5") == (every[3:6], ["before=8", "before=2", "all"])
    assert page(before="2") == (every[6:], ["before=5", "all"])
    assert page(before="99999") == page()
    assert five.get("nobody", "dice/", before="x").status_code == 404


def test_the_promise_and_what_is_published(five: Five) -> None:
    text = plain(five.text("nobody", "dice/"))
    assert five.campaign.commitment in text
    (link,) = record.published_links(five.campaign)
    assert f"Link 0 {link}" in text
    assert sha256(link) == five.campaign.commitment


def test_before_the_start(draft: Five) -> None:
    text = plain(draft.text("nobody", "dice/"))
    assert "No die has been thrown. The start throws the first." in text
    assert "Link 0 is published at the start" in text
    assert draft.campaign.commitment in text


def test_rolls_of_struck_moves_stay(five: Five) -> None:
    services.undo_to(
        five.campaign, five.people["gm"], 2, "A slip", len(five.campaign.entries.all()) - 1
    )
    text = plain(five.text("nobody", "dice/"))
    assert "Romans draw Traitor struck" in text
    assert text.count(" struck ") == 1 + 7


@pytest.mark.parametrize(
    ("who", "rolls"), [("gm", 7), ("hun", 2), ("roman", 2), ("stranger", 1), ("nobody", 1)]
)
def test_hidden_draws_are_for_their_holder(
    new_campaign: Callable[..., Five], who: str, rolls: int
) -> None:
    table = new_campaign(hands="hidden")
    table.open_hands()
    table.play("gm", "start")
    text = plain(table.text(who, "dice/"))
    assert f"{rolls}, newest first" in text
    assert len(re.findall(r"turn-1/card/\w+", text)) == rolls - 1
    assert "Hands are hidden: all are published at the end." in text


def test_queries(five: Five) -> None:
    five.get("hun", "dice/")
    with CaptureQueriesContext(connection) as queries:
        five.get("hun", "dice/")
    assert len(queries) <= 12
