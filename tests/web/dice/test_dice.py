"""The dice log: the promise, the published links, and every roll with its purpose and meaning."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import services
from campaign.log import record
from engine.dice import sha256
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign
from tests.web.titles.test_table import visible_text
from web.dice import page as dice

__all__ = ["draft", "grand_table", "new_campaign"]


def test_all_readers_may_read_the_dice(grand_table: GrandTable) -> None:
    assert grand_table.statuses("dice/") == dict.fromkeys(WHO, 200)


def test_strangers_may_not_read_the_dice_of_a_members_campaign(
    new_campaign: Callable[..., GrandTable],
) -> None:
    table = new_campaign("members")
    assert table.statuses("dice/") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }


def test_every_roll_is_listed(grand_table: GrandTable) -> None:
    text = visible_text(grand_table.text("nobody", "dice/"))
    assert "7, newest first, including struck moves" in text
    assert re.search(
        "3 today \\d\\d:\\d\\d turn-1/card/romans 42 d100 Romans draw Traitor with key 1 not yet",
        text,
    )
    assert re.search(r"3 today \d\d:\d\d start 5 d6 Sassanids open turn 1 ", text)
    assert f'href="{grand_table.home}e/3/"' in grand_table.text("nobody", "dice/")


def test_rolls_are_listed_in_pages(
    grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The totals on each page are those of all rolls."""
    monkeypatch.setattr(dice, "PAGE", 3)

    def page(**asked: str) -> tuple[list[str], list[str]]:
        text = grand_table.text("nobody", "dice/", **asked)
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
    assert grand_table.get("nobody", "dice/", before="x").status_code == 404


def test_the_page_has_the_promise_and_the_published_links(grand_table: GrandTable) -> None:
    text = visible_text(grand_table.text("nobody", "dice/"))
    assert grand_table.campaign.commitment in text
    (link,) = record.published_links(grand_table.campaign)
    assert f"Key 0 {link}" in text
    assert sha256(link) == grand_table.campaign.commitment


def test_there_are_no_rolls_before_the_start(draft: GrandTable) -> None:
    text = visible_text(draft.text("nobody", "dice/"))
    assert "No die has been thrown. The first die is thrown at the start." in text
    assert "Key 0 is published at the start" in text
    assert draft.campaign.commitment in text


def test_rolls_of_struck_moves_stay(grand_table: GrandTable) -> None:
    services.undo_to(
        grand_table.campaign,
        grand_table.people["gm"],
        2,
        "A slip",
        len(grand_table.campaign.entries.all()) - 1,
    )
    text = visible_text(grand_table.text("nobody", "dice/"))
    assert "Romans draw Traitor struck" in text
    assert text.count(" struck ") == 1 + 7


@pytest.mark.parametrize(
    ("who", "rolls"), [("gm", 7), ("hun", 2), ("roman", 2), ("stranger", 1), ("nobody", 1)]
)
def test_only_the_holder_of_a_seat_sees_its_hidden_draws(
    new_campaign: Callable[..., GrandTable], who: str, rolls: int
) -> None:
    table = new_campaign(hands="hidden")
    table.open_hands()
    table.play("gm", "start")
    text = visible_text(table.text(who, "dice/"))
    assert f"{rolls}, newest first" in text
    assert len(re.findall(r"turn-1/card/\w+", text)) == rolls - 1
    assert "Hands are hidden, so all keys are published at the end." in text


def test_the_page_of_dice_needs_few_queries(grand_table: GrandTable) -> None:
    grand_table.get("hun", "dice/")
    with CaptureQueriesContext(connection) as queries:
        grand_table.get("hun", "dice/")
    assert len(queries) <= 12
