"""The public proof of the dice: rolls, log, chain, and verify.py without the site."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaign.dice import selectors
from campaign.log import record
from engine.dice import work_out_roll
from tests.web.dice.unpacked import SCRIPT, run_script, unpack_audit_pack
from tests.web.grand_table import WHO, GrandTable, draft, grand_table, new_campaign
from tests.web.titles.test_table import visible_text

__all__ = ["draft", "grand_table", "new_campaign"]


@pytest.fixture
def two(grand_table: GrandTable) -> GrandTable:
    """Open turn 2, so that links 0 and 1 are published."""
    while grand_table.campaign.active_seat:
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    grand_table.play("gm", "open-turn")
    return grand_table


@pytest.fixture
def verify(tmp_path: Path) -> Callable[..., tuple[int, list[str]]]:
    """Return a function that unpacks the audit pack of a campaign and runs its script there."""

    def check(table: GrandTable, *hashes: str) -> tuple[int, list[str]]:
        return run_script(
            unpack_audit_pack(table.campaign, tmp_path / f"pack-{len(list(tmp_path.iterdir()))}"),
            *hashes,
        )

    return check


def rolls(table: GrandTable, who: str = "nobody") -> dict[str, Any]:
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


def test_all_readers_may_download_the_list(grand_table: GrandTable) -> None:
    assert grand_table.statuses("dice/rolls.json") == dict.fromkeys(WHO, 200)
    answer = grand_table.get("nobody", "dice/rolls.json")
    assert (
        answer["Content-Disposition"]
        == f'attachment; filename="{grand_table.campaign.address}-rolls.json"'
    )


def test_the_list_has_each_roll_with_its_link(grand_table: GrandTable) -> None:
    given = rolls(grand_table)
    assert {key: given[key] for key in ("format", "title", "imported", "chains")} == {
        "format": "tabula-rolls/3",
        "title": "grand_campaign",
        "imported": False,
        "chains": [
            {
                "commitment": grand_table.campaign.commitment,
                "entry": 0,
                "links": record.published_links(grand_table.campaign),
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


def test_hidden_rolls_are_not_in_it(new_campaign: Callable[..., GrandTable]) -> None:
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


def test_an_honest_list_passes_the_script(
    two: GrandTable, verify: Callable[..., tuple[int, list[str]]]
) -> None:
    assert verify(two, two.campaign.commitment) == (
        0,
        [
            f"entry 0 has the commitment {two.campaign.commitment}",
            "19 rolls; 12 wait for the key of their turn",
            f"{two.campaign.last_sequence + 1} entries, the last hash is {two.campaign.last_hash}",
            "No faults were found.",
        ],
    )


def test_the_page_gets_the_log_that_a_pack_has(two: GrandTable, tmp_path: Path) -> None:
    assert two.statuses("dice/log.jsonl") == dict.fromkeys(WHO, 200)
    pack = unpack_audit_pack(two.campaign, tmp_path / "pack")
    assert two.text("nobody", "dice/log.jsonl") == (pack / "log.jsonl").read_text("utf-8")


def test_with_hidden_hands_the_page_gets_open_entries_without_hashes(
    new_campaign: Callable[..., GrandTable],
) -> None:
    """A hash would reveal that a hidden move exists, and the text of the move would name it."""
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


def test_the_page_explains_how_a_roll_is_computed(two: GrandTable) -> None:
    html = two.text("nobody", "dice/")
    text = visible_text(html)
    link = record.published_links(two.campaign)[0]
    attempt, mac, number = work_out_roll(link, "start", 6)
    assert (
        f'HMAC-SHA256(key 0, "start#{attempt}") = {mac.hex()[:16]}… {number} mod 6 + 1 = 5'
        in text.replace("&quot;", '"')
    )
    assert "key 0 " in text
    assert "turn 1 has closed" in text
    assert "until turn 2 closes" in text
    assert text.count("with key 2 not yet") == 12
    assert html.count("data-roll=") == 7


def test_a_title_without_a_last_turn_shows_a_few_of_its_links() -> None:
    links = ["x"] * 20
    shown, before, behind = selectors.boxes(links, 1000)
    assert ([box.number for box in shown], before, behind) == (list(range(14, 27)), 14, 974)
    assert [bool(box.link) for box in shown] == [True] * 6 + [False] * 7
    assert selectors.boxes([], 6) == ([(n, "") for n in range(7)], 0, 0)
