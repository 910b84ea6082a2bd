"""What anybody may check of the dice: the list of rolls, the log, the picture of the chain,
verify.py without the site.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaign.dice import selectors
from campaign.log import record
from engine.dice import worked
from tests.web.dice.unpacked import SCRIPT, run, unpack
from tests.web.five import WHO, Five, draft, five, new_campaign
from tests.web.titles.test_table import plain

__all__ = ["draft", "five", "new_campaign"]


@pytest.fixture
def two(five: Five) -> Five:
    """Turn 2 has opened: links 0 and 1 are published."""
    while five.campaign.active_seat:
        five.play(five.campaign.active_seat, "end-slot")
    five.play("gm", "open-turn")
    return five


@pytest.fixture
def verify(tmp_path: Path) -> Callable[..., tuple[int, list[str]]]:
    """`verify(table, commitment)` unpacks the campaign's audit pack and runs its script there."""

    def check(table: Five, *hashes: str) -> tuple[int, list[str]]:
        return run(
            unpack(table.campaign, tmp_path / f"pack-{len(list(tmp_path.iterdir()))}"), *hashes
        )

    return check


def rolls(table: Five, who: str = "nobody") -> dict[str, Any]:
    return dict(json.loads(table.get(who, "dice/rolls.json").content))


def test_the_script_is_short_and_asks_for_nothing_installed() -> None:
    text = SCRIPT.read_text("utf-8")
    assert len(text.splitlines()) <= 250
    assert max(map(len, text.splitlines())) <= 100
    imported = {
        line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))
    }
    assert imported == {"argparse", "hashlib", "hmac", "json", "re", "sys", "datetime", "pathlib"}
    assert [
        line.strip()
        for line in text.splitlines()
        if line.startswith("  ") and " import " in line and "from" in line
    ] == ["from games.replaying import Replay"]


def test_everybody_may_take_the_list(five: Five) -> None:
    assert five.statuses("dice/rolls.json") == dict.fromkeys(WHO, 200)
    answer = five.get("nobody", "dice/rolls.json")
    assert (
        answer["Content-Disposition"]
        == f'attachment; filename="{five.campaign.address}-rolls.json"'
    )


def test_the_list(five: Five) -> None:
    given = rolls(five)
    assert {key: given[key] for key in ("format", "title", "imported", "chains")} == {
        "format": "tabula-rolls/3",
        "title": "grand_campaign",
        "imported": False,
        "chains": [
            {
                "commitment": five.campaign.commitment,
                "entry": 0,
                "links": record.published_links(five.campaign),
            }
        ],
    }
    assert len(given["rolls"]) == 7
    start = next(roll for roll in given["rolls"] if roll["purpose"] == "start")
    assert start == {
        "entry": 3,
        "purpose": "start",
        "sides": 6,
        "value": 5,
        "link": 0,
        "chain": 0,
        "struck": False,
    }


def test_hidden_rolls_are_not_in_it(new_campaign: Callable[..., Five]) -> None:
    table = new_campaign(hands="hidden")
    table.open_hands()
    table.play("gm", "start")
    assert {who: len(rolls(table, who)["rolls"]) for who in WHO} == {
        "gm": 7,
        "hun": 2,
        "roman": 2,
        "stranger": 1,
        "nobody": 1,
    }


def test_what_is_true(two: Five, verify: Callable[..., tuple[int, list[str]]]) -> None:
    assert verify(two, two.campaign.commitment) == (
        0,
        [
            f"entry 0 promises {two.campaign.commitment}",
            "19 rolls, of which 12 await their link",
            f"{two.campaign.last_sequence + 1} entries, the last hash is {two.campaign.last_hash}",
            "Nothing is wrong.",
        ],
    )


def test_the_page_gets_the_log_that_a_pack_has(two: Five, tmp_path: Path) -> None:
    assert two.statuses("dice/log.jsonl") == dict.fromkeys(WHO, 200)
    pack = unpack(two.campaign, tmp_path / "pack")
    assert two.text("nobody", "dice/log.jsonl") == (pack / "log.jsonl").read_text("utf-8")


def test_while_hands_are_hidden_the_page_gets_what_is_open_and_no_hash(
    new_campaign: Callable[..., Five],
) -> None:
    """A hash would tell that something hidden was said; a move's words would name it."""
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    lines = [json.loads(line) for line in table.text("roman", "dice/log.jsonl").splitlines()]
    assert all(list(line) == ["body"] for line in lines)
    assert [json.loads(line["body"]["what"])["act"] for line in lines if line["body"]["what"]] == [
        "genesis"
    ]
    (move,) = (line["body"] for line in lines if line["body"]["kind"] == "move")
    assert [roll[0] for roll in move["rolls"]] == ["start", "turn-1/card/romans"]
    assert (move["what"], move["seat"], move["at"]) == (None, "", "")


def test_the_page_tells_how_a_roll_comes_about(two: Five) -> None:
    html = two.text("nobody", "dice/")
    text = plain(html)
    link = record.published_links(two.campaign)[0]
    attempt, mac, number = worked(link, "start", 6)
    assert (
        f'HMAC-SHA256(link 0, "start#{attempt}") = {mac.hex()[:16]}… {number} mod 6 + 1 = 5'
        in text.replace("&quot;", '"')
    )
    assert "link 0 " in text
    assert "turn 1 has closed" in text
    assert "until turn 2 closes" in text
    assert text.count("with link 2 not yet") == 12
    assert html.count("data-roll=") == 7


def test_a_title_without_a_last_turn_shows_a_few_of_its_links() -> None:
    links = ["x"] * 20
    shown, before, behind = selectors.boxes(links, 1000)
    assert ([box.number for box in shown], before, behind) == (list(range(14, 27)), 14, 974)
    assert [bool(box.link) for box in shown] == [True] * 6 + [False] * 7
    assert selectors.boxes([], 6) == ([(n, "") for n in range(7)], 0, 0)
