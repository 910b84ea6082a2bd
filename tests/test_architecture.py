"""Rules about the code: generic pages know no title and ask it (docs/decisions/0008)."""

from __future__ import annotations

import ast
import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grimp
import pytest

from campaign.log.acts.registry import ACTS
from engine.play import Move
from games.registry import TITLES

ROOT = Path(__file__).resolve().parent.parent
ROOMS = (
    "engine",
    "campaign",
    "nations",
    "battles",
    "forum",
    "notices",
    "talk",
    "moderation",
    "people",
    "outgoing",
    "web",
    "api",
    "config",
)
OWN = ("templates/titles", "static/pictures", "static/js/titles/", "web/titles/")


def sources() -> list[str]:
    """Yield all sources and scripts of generic pages, and templates that belong to no title."""
    result = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    result += [*(ROOT / "templates").rglob("*.*"), *(ROOT / "static/js").rglob("*.js")]
    paths = [path.relative_to(ROOT).as_posix() for path in result]
    return sorted(path for path in paths if not path.startswith(OWN) and "/migrations/" not in path)


def names() -> dict[str, re.Pattern[str]]:
    """Return the names of a title: its key, its module, its name."""
    created = {}
    for key, title in TITLES.items():
        created[key] = re.compile(
            rf"\b{key}\b|\bgames\.{key}|\btitles\.{key}|{re.escape(title.name)}"
        )
    return created


@pytest.mark.parametrize("title", sorted(TITLES))
def test_no_generic_room_names_a_title(title: str) -> None:
    wanted = names()[title]
    assert [
        path for path in sources() if wanted.search((ROOT / path).read_text(encoding="utf-8"))
    ] == []


def test_the_search_would_find_one() -> None:
    assert len(sources()) > 150
    for key, wanted in names().items():
        assert (
            wanted.search((ROOT / "games" / "registry.py").read_text(encoding="utf-8")) is not None
        )
        assert wanted.search(f"from games.{key}.title import x")


def test_tests_with_a_browser_are_in_their_folders() -> None:
    """`script/test` looks only in tests/browser; `script/test --frozen` looks in tests/frozen."""
    marked = re.compile(r"\bmark\.browser\b(?!\\)")
    result = [
        path
        for path in (ROOT / "tests").rglob("*.py")
        if marked.search(path.read_text(encoding="utf-8"))
    ]
    assert {path.parent.relative_to(ROOT).as_posix() for path in result} == {
        "tests/browser",
        "tests/frozen",
    }


def test_nothing_searches_in_json_text() -> None:
    """A LIKE on JSON reads every row, so searched values are columns."""
    asks = re.compile(
        r"\b(?:content_json|effects|cause|facts)__(?:i?contains|i?startswith|i?endswith|i?regex)\b"
    )
    rooms = (*ROOMS, "pages")
    result = [
        path
        for room in rooms
        for path in (ROOT / room).rglob("*.py")
        if asks.search(path.read_text(encoding="utf-8"))
    ]
    assert result == []


def test_no_move_has_the_name_of_an_act() -> None:
    """Both are in one column, and acts without effects make no page outdated."""
    assert len(list(TITLES.values())) == 4  # this loads their modules
    names = {getattr(move, "name", "") for move in _moves(Move)}
    assert {"attack", "end_turn"} <= names
    assert not names & set(ACTS)


def _moves(kind: type[Move]) -> list[type[Move]]:
    return [move for subclass in kind.__subclasses__() for move in (subclass, *_moves(subclass))]


def test_formats_name_their_titles() -> None:
    assert {title.format: key for key, title in TITLES.items()} == {
        "grand-campaign/1": "grand_campaign",
        "march_on_rome/1": "march_on_rome",
        "tetrarchia/1": "tetrarchia",
        "roman_empire/1": "roman_empire",
    }


REPLAY = """
from games.replay import replay
start = {"by": "gm", "move": "start"}
record = {"format": "grand-campaign/1", "scenario": "420ad", "options": {}, "dice": {"seed": "x"}, "moves": [start]}
assert replay(record)["turn"] == 1
"""  # noqa: E501


def loaded_by(program: str) -> list[str]:
    """Return the modules that are loaded when this program ends."""
    done = subprocess.run(
        [sys.executable, "-c", f"{program}\nimport sys\nprint('\\n'.join(sys.modules))"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    return done.stdout.splitlines()


def test_a_record_is_replayed_without_django_and_geometry() -> None:
    """`manage.py replay` must start quickly.

    numpy and shapely take as long to load as all titles.
    """
    loaded = loaded_by(REPLAY)
    needless = re.compile(r"^(django|web|campaign|numpy|shapely)\b")
    assert "games.grand_campaign.rules.turn" in loaded
    assert [name for name in loaded if needless.search(name)] == []


@pytest.mark.parametrize("title", sorted(TITLES))
def test_the_rules_of_a_title_need_nothing_above_them(title: str) -> None:
    """Rules and their words can be used without pages, programs, maps and reports."""
    loaded = loaded_by(f"import games.{title}.rules.moves, games.{title}.rules.view")
    needless = re.compile(
        rf"^games\.{title}\.(title|bots|drawing|page|text\.(report|telling))\b|^django|^web\b"
    )
    others = {name.split(".")[1] for name in loaded if name.startswith("games.")}
    assert others & set(TITLES) == {title}
    assert [name for name in loaded if needless.search(name)] == []


OLD_FILES = frozenset(
    {
        "otherwise",
        "falls",
        "eyes",
        "kept",
        "unchanged",
        "beside",
        "own",
        "onward",
        "leads",
        "looks",
        "closing",
        "due",
        "fair",
        "packed",
        "talked",
        "shown_once",
        "dictation",
        "heard",
        "follow",
        "courses",
        "by_hand",
        "told",
        "played",
        "sequence",
        "remedies",
        "standing",
        "orders",
        "deed",
        "unseen",
        "hand",
        "concerning",
        "proof",
        "asking",
        "undone",
        "dressing",
        "wishes",
        "sense",
    }
)
"""Names of files that said nothing to a reader."""
STANDS = frozenset(
    {
        "people/address_proof.py",
        "games/roman_empire/rules/choices.py",
        "campaign/clocks/services.py",
    }
)
"""Places where the word is the right name.

A proof of an address, a title's own orders, clocks that are due.
"""
NO_FUNCTION = frozenset(
    {
        "told",
        "say",
        "of",
        "said",
        "found",
        "made",
        "tell",
        "otherwise",
        "falls",
        "wishes",
        "remedies",
    }
)


NO_LOCAL = frozenset({"found", "made", "said", "told", "say"})
PERHAPS = re.compile(
    r"\bdef"
    rf" _*(?:{'|'.join(NO_FUNCTION)})_*\b|\b(?:{'|'.join(NO_LOCAL)})\s*(?:[=:,)\]]|[-+*/|&^]=|in\b)"
)
"""A file without this pattern has none of the names.

To parse all files would take seconds.
"""


def _banned(tree: ast.Module) -> Iterator[str]:
    """Return functions, parameters and locals with these names.

    Fields of models, rows and answers may have them.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            if node.name.strip("_") in NO_FUNCTION:
                yield node.name
            for inner in ast.walk(node):
                if (
                    isinstance(inner, ast.Name)
                    and isinstance(inner.ctx, ast.Store)
                    and inner.id in NO_LOCAL
                ):
                    yield inner.id
                if isinstance(inner, ast.arg) and inner.arg in NO_LOCAL:
                    yield inner.arg


def test_old_names_stay_away() -> None:
    rooms = [
        path
        for room in (*ROOMS, "games")
        for path in (ROOT / room).rglob("*.py")
        if "migrations" not in path.parts
    ]
    named = {path.relative_to(ROOT).as_posix() for path in rooms if path.stem in OLD_FILES}
    assert named <= STANDS
    everywhere = [*rooms, *(ROOT / "tests").rglob("*.py")]
    assert {
        f"{path.relative_to(ROOT).as_posix()} {name}"
        for path in everywhere
        if PERHAPS.search(source := path.read_text(encoding="utf-8"))
        for name in _banned(ast.parse(source))
    } == set()


def test_a_style_with_has_names_its_elements() -> None:
    """Chromium applies `body:has(.play) > *` to the whole page after each update.

    Only the boards, whose pages are small, have such rules (docs/decisions/0057).
    """
    rules = {
        f"{path.name} {rule.strip()}"
        for path in (ROOT / "static/css").glob("*.css")
        for rule in re.findall(
            r"([^{}]+)\{", re.sub(r"/\*.*?\*/", "", path.read_text("utf-8"), flags=re.S)
        )
        if re.search(r":has\(.*[\s>~+(]\*", rule, re.S)
    }
    assert rules == {
        "board.css body:has(.play-main) > *",
        "board.css body:has(.play-main) > main > *",
    }


MODULES_IN_CIRCLES = {
    "__init__": "",
    "door": "from circling import key\n",
    "key": "def open_door():\n    from circling import door\n",
    "map": "import circling.legend\n",
    "legend": "if TYPE_CHECKING:\n    from circling.map import Map\n",
    "mirror": "from circling.mirror import image\n",
    "reader": "from circling import door, map\n",
}


def test_a_circle_is_found_wherever_its_imports_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "circling").mkdir()
    for name, text in MODULES_IN_CIRCLES.items():
        (tmp_path / "circling" / f"{name}.py").write_text(text, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    script = runpy.run_path(str(ROOT / "script/circles"))
    graph = grimp.build_graph("circling", cache_dir=None)
    assert sorted(sorted(set(circle)) for circle in script["circles"](graph)) == [
        ["circling.door", "circling.key"],
        ["circling.legend", "circling.map"],
        ["circling.mirror"],
    ]
    assert list(script["places"](graph, ["circling.key", "circling.door", "circling.key"])) == [
        "circling.key, line 2: from circling import door",
        "circling.door, line 1: from circling import key",
    ]
