"""The page of the rules."""

from __future__ import annotations

import re
from pathlib import Path

from django.test import Client

from games.march_on_rome.rules import position
from tests.march_on_rome.table import TITLE

NUMBERS = re.findall(r"^- (\d+\.\d+) ", TITLE.rules_text(), re.M)


def test_every_paragraph_has_its_anchor(client: Client, db: None) -> None:
    html = client.get("/rules/march_on_rome/").content.decode()
    assert len(NUMBERS) == len(set(NUMBERS)) == 41
    for number in [*NUMBERS, *"1234567"]:
        assert html.count(f'id="r-{number}"') == 1
    assert '<a href="#r-7.2">7.2</a>' in html
    assert "barbarian_initiative" in html


def test_chapters_for_records_are_not_shown(client: Client, db: None) -> None:
    html = client.get("/rules/march_on_rome/").content.decode()
    assert "mor-01" not in html
    assert "npc_seq" not in html
    assert "mor-01" in (position.HERE / "RULES.md").read_text(encoding="utf-8")


def test_all_rulings_are_shown() -> None:
    text = TITLE.rules_text()
    assert sorted(int(n) for n in re.findall(r"R(\d+)[,)]", text)) == sorted([*range(1, 18), 5, 7])


def test_every_cited_rule_exists() -> None:
    """Every reference of moves and effects is a paragraph or a chapter."""
    cited = set()
    for chapter in sorted((Path(position.HERE) / "rules").glob("*.py")):
        cited |= set(re.findall(r'"([1-7](?:\.\d+)?)"', chapter.read_text(encoding="utf-8")))
    assert cited <= {*NUMBERS, *"1234567"}
    assert len(cited) > 20
