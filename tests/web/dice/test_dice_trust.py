"""The text about each dice mode: its proof, possible fraud by a server, and its prevention."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from campaign import services
from tests.web.contests import visible_text
from tests.web.grand_table import GrandTable, new_campaign

__all__ = ["new_campaign"]
pytestmark = pytest.mark.django_db

SEEDS = "It could try many sealed numbers at the founding, and again at each renewal"
PREVENTED = "Players’ words prevent that: they come after the commitment"
NO_SEEDS = "It cannot choose sealed numbers that suit it, neither at the founding nor at a renewal"
LAST_WORDS = "It could try many words for a seat that it controls and that speaks last"
TOO_LATE = "It could claim that a draw was named before it took place."
CUT = "It could cut off the end of the log, or show different logs to different people."
WITNESS = (
    "everyone who added words to a later turn sees that they are missing from a log that was"
    " cut off"
)
HASH = "keep the last hash of the audit pack"
ALL = (SEEDS, PREVENTED, NO_SEEDS, LAST_WORDS, TOO_LATE, CUT, WITNESS)


@pytest.mark.parametrize(
    ("chance", "sentences"),
    [
        ("", {SEEDS, PREVENTED, CUT}),
        ("words", {NO_SEEDS, LAST_WORDS, CUT, WITNESS}),
        ("draw", {NO_SEEDS, TOO_LATE, CUT}),
        ("both", {TOO_LATE, CUT, WITNESS}),
    ],
)
def test_the_page_says_what_a_lying_server_could_do(
    new_campaign: Callable[..., GrandTable], chance: str, sentences: set[str]
) -> None:
    page = visible_text(new_campaign(chance=chance).text("nobody", "dice/"))
    assert "If this server lied from the beginning" in page
    assert {sentence for sentence in ALL if sentence in page} == sentences
    assert HASH in page.lower()


def test_dice_thrown_elsewhere_prove_nothing(new_campaign: Callable[..., GrandTable]) -> None:
    table = new_campaign()
    services.set_manual_dice(table.campaign, table.people["gm"], True)
    page = visible_text(table.text("nobody", "dice/"))
    assert "No computation proves a die that was thrown elsewhere." in page
    assert CUT in page
    assert SEEDS not in page


def test_the_document_has_the_same_chapters_in_every_language() -> None:
    docs = Path(__file__).resolve().parents[3] / "docs"
    shapes = set()
    for place in ("", "de", "es", "it"):
        text = (docs / place / "play/trust.md").read_text("utf-8")
        chapters = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
        rows = [len(re.findall(r"^\| ", chapter, re.MULTILINE)) for chapter in chapters]
        points = [len(re.findall(r"^\d\. ", chapter, re.MULTILINE)) for chapter in chapters]
        shapes.add((tuple(rows[:2]), tuple(points)))
    assert shapes == {((5, 0), (0, 5, 0))}
