"""The generic rooms know no title: what they say of one, they ask it (docs/decisions/0008)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from games.registry import KNOWN

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("engine", "campaign", "nations", "battles", "forum", "notices", "people", "outside", "web", "api", "config")
OWN = ("templates/titles", "static/pictures")


def sources() -> list[str]:
    """Every source of a generic room, every template that is no title's own, every script."""
    found = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    found += [*(ROOT / "templates").rglob("*.*"), *(ROOT / "static/js").rglob("*.js")]
    paths = [path.relative_to(ROOT).as_posix() for path in found]
    return sorted(path for path in paths if not path.startswith(OWN) and "/migrations/" not in path)


def names() -> dict[str, re.Pattern[str]]:
    """How one would name a title: its key, its module, its name."""
    made = {}
    for key, title in KNOWN.items():
        made[key] = re.compile(rf"\b{key}\b|\bgames\.{key}|\bpages\.{key}|{re.escape(title.name)}")
    return made


@pytest.mark.parametrize("title", sorted(KNOWN))
def test_no_generic_room_names_a_title(title: str) -> None:
    wanted = names()[title]
    assert [path for path in sources() if wanted.search((ROOT / path).read_text(encoding="utf-8"))] == []


def test_the_search_would_find_one() -> None:
    assert len(sources()) > 150
    for key, wanted in names().items():
        assert wanted.search((ROOT / "games" / "registry.py").read_text(encoding="utf-8")) is not None
        assert wanted.search(f"from games.{key}.title import x")


def test_what_drives_a_browser_stands_together() -> None:
    """`script/test` looks for it nowhere else."""
    marked = re.compile(r"\bmark\.browser\b(?!\\)")
    found = [path for path in (ROOT / "tests").rglob("*.py") if marked.search(path.read_text(encoding="utf-8"))]
    assert {path.parent.relative_to(ROOT).as_posix() for path in found} == {"tests/browser"}
