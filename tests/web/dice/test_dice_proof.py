"""What anybody may check of the dice: the list of rolls, the picture of the chain, verify_dice.py without the site."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from campaign.dice import selectors
from campaign.log import record
from engine.dice import draw, worked
from tests.web.five import WHO, Five, draft, five, new_campaign
from tests.web.titles.test_table import plain

__all__ = ["draft", "five", "new_campaign"]

SCRIPT = Path(__file__).resolve().parents[3] / "static" / "verify_dice.py"


@pytest.fixture
def two(five: Five) -> Five:
    """Turn 2 has opened: links 0 and 1 are published."""
    while five.campaign.active_seat:
        five.play(five.campaign.active_seat, "end-slot")
    five.play("gm", "open-turn")
    return five


@pytest.fixture
def verify(tmp_path: Path) -> Callable[..., tuple[int, list[str]]]:
    def run(*given: Any) -> tuple[int, list[str]]:
        words = []
        for n, one in enumerate(given):
            if not isinstance(one, str):
                (tmp_path / f"{n}.json").write_text(json.dumps(one))
                one = f"{n}.json"
            words.append(one)
        done = subprocess.run(
            [sys.executable, "-I", str(SCRIPT), *words], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )
        assert done.stderr == ""
        return done.returncode, done.stdout.splitlines()

    return run


def rolls(table: Five, who: str = "nobody") -> dict[str, Any]:
    return dict(json.loads(table.get(who, "dice/rolls.json").content))


def test_the_script_is_short_and_asks_for_nothing_installed() -> None:
    text = SCRIPT.read_text()
    assert len(text.splitlines()) <= 120
    imported = {line.split()[1] for line in text.splitlines() if line.startswith(("import ", "from "))}
    assert imported == {"hashlib", "hmac", "json", "re", "sys", "pathlib"}


def test_everybody_may_take_the_list(five: Five) -> None:
    assert five.statuses("dice/rolls.json") == dict.fromkeys(WHO, 200)
    answer = five.get("nobody", "dice/rolls.json")
    assert answer["Content-Disposition"] == f'attachment; filename="{five.campaign.address}-rolls.json"'


def test_the_list(five: Five) -> None:
    given = rolls(five)
    assert {key: given[key] for key in ("format", "title", "imported", "chains")} == {
        "format": "tabula-rolls/2", "title": "grand_campaign", "imported": False,
        "chains": [{"commitment": five.campaign.commitment, "entry": 0, "links": record.published_links(five.campaign)}],
    }  # fmt: skip
    assert len(given["rolls"]) == 7
    start = next(roll for roll in given["rolls"] if roll["purpose"] == "start")
    assert start == {"entry": 3, "purpose": "start", "sides": 6, "value": 5, "link": 0, "chain": 0, "struck": False}


def test_hidden_rolls_are_not_in_it(new_campaign: Callable[..., Five]) -> None:
    table = new_campaign(hands="hidden")
    table.open_hands()
    table.play("gm", "start")
    assert {who: len(rolls(table, who)["rolls"]) for who in WHO} == {"gm": 7, "hun": 2, "roman": 2, "stranger": 1, "nobody": 1}


def test_what_is_true(two: Five, verify: Callable[..., tuple[int, list[str]]]) -> None:
    given = rolls(two)
    assert verify(given, two.campaign.commitment) == (
        0, ["2 links, 19 rolls: 7 computed, 12 await a link, 0 by hand", "Nothing is wrong."],
    )  # fmt: skip


def test_the_record_gives_the_same(two: Five, verify: Callable[..., tuple[int, list[str]]]) -> None:
    given = json.loads(two.get("gm", "record.json").content)
    assert verify(given, two.campaign.commitment) == (
        0, ["2 links, 19 rolls: 7 computed, 12 await a link, 0 by hand", "Nothing is wrong."],
    )  # fmt: skip
    assert verify(given, rolls(two))[0] == 0


def test_what_is_wrong(two: Five, verify: Callable[..., tuple[int, list[str]]]) -> None:
    """A change, an extra roll, a gap, another chain, another commitment: each is named, and the script ends with 1."""

    def rendered(change: Callable[[dict[str, Any], dict[str, dict[str, Any]]], Any], *more: str) -> list[str]:
        given = rolls(two)
        change(given, {roll["purpose"]: roll for roll in given["rolls"]})
        code, lines = verify(given, *more)
        assert code == 1
        return lines[1:]

    true = {roll["purpose"]: roll["value"] for roll in rolls(two)["rolls"]}["turn-1/card/huns"]
    other = true % 100 + 1
    assert rendered(lambda all, by: by["turn-1/card/huns"].update(value=other)) == [
        f"turn-1/card/huns gives {true}, not {other}",
    ]
    twice = rendered(lambda all, by: all["rolls"].append({**by["turn-1/card/huns"], "value": other}))
    assert twice[0] == f"turn-1/card/huns was rolled twice, with {true} and {other}"
    assert rendered(lambda all, by: all["rolls"].remove(by["turn-1/card/huns"])) == ["turn-1/card/huns of entry 3 is missing"]
    link = record.published_links(two.campaign)[0]  # a server that proves a roll by whichever link suits it
    chosen = {"link": 0, "value": draw(link, "turn-1/card/huns", 100)}
    assert rendered(lambda all, by: by["turn-1/card/huns"].update(chosen)) == ["turn-1/card/huns does not belong to link 0"]
    assert rendered(lambda all, by: all["chains"][0]["links"].__setitem__(1, "0" * 64))[0] == "link 1 does not belong to link 0"
    assert rendered(lambda all, by: None, "f" * 64) == [f"no links belong to the commitment {'f' * 64}"]


def test_a_struck_roll_made_again_is_one_roll(two: Five, verify: Callable[..., tuple[int, list[str]]]) -> None:
    given = rolls(two)
    again = [{**roll, "entry": 99, "struck": True} for roll in given["rolls"]]
    assert verify({**given, "rolls": again + given["rolls"]})[0] == 0


def test_the_page_tells_how_a_roll_comes_about(two: Five) -> None:
    html = two.text("nobody", "dice/")
    text = plain(html)
    link = record.published_links(two.campaign)[0]
    attempt, mac, number = worked(link, "start", 6)
    assert f'HMAC-SHA256(link 0, "start#{attempt}") = {mac.hex()[:16]}… {number} mod 6 + 1 = 5' in text.replace("&quot;", '"')
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
