"""Names inside English sentences (docs/contribute/translating.md)."""

import pytest

from engine.language import sentence


@pytest.mark.parametrize(
    ("name", "inside", "first"),
    [
        ("Huns", "the Huns", "The Huns"),
        ("Carthage", "Carthage", "Carthage"),
        ("The Bee", "the Bee", "The Bee"),
        ("Western Empire", "the Western Empire", "The Western Empire"),
        ("The East", "the East", "The East"),
        ("seat A", "seat A", "Seat A"),
        ("Galba", "Galba", "Galba"),
        ("Civilis", "Civilis", "Civilis"),
        ("game master", "the game master", "The game master"),
    ],
)
def test_a_name_has_one_article_or_none(name: str, inside: str, first: str) -> None:
    assert sentence("Slot of {seat:the}", seat=name) == f"Slot of {inside}"
    assert sentence("{seat:The} are away", seat=name) == f"{first} are away"
