"""Constructions that docstrings, comments and names must not have (CONTRIBUTING.md)."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (
    "api",
    "battles",
    "campaign",
    "config",
    "engine",
    "forum",
    "games",
    "moderation",
    "nations",
    "notices",
    "outgoing",
    "people",
    "talk",
    "tests",
    "web",
)
FORBIDDEN = {
    "What …": r"^What(?:ever)?\b(?!.*\?)",
    "Who …": r"^Who(?:ever)?\b(?!.*\?)",
    "The same, …": r"^The same,",
    "is otherwise": r"\bis otherwise\b",
    "stands": r"\bstands?\b(?! (?:in|by|for|at sea)\b)",
    "tells": r"\btells\b",
    "is told": r"\b(?:is|are|was|were) told\b",
    "is said": r"\b(?:is|are) said\b",
    "hears": r"\bhears?\b",
    "somebody": r"\b(?:some|any|every|no)body\b",
    "whoever": r"\bwho(?:m)?ever\b",
    "he": r"\b(?:he|him|his|himself)\b",
    "ours": r"\bours\b",
    "of now": r"\bof now\b",
    "comes about": r"\bcomes? about\b",
    "as it stands": r"\bas (?:it|they) stands?\b",
}
PATTERNS = {name: re.compile(pattern) for name, pattern in FORBIDDEN.items()}
ALLOWED: frozenset[tuple[str, str]] = frozenset()
"""Exceptions: the file and the construction, for terms of a game and quotations."""


TEMPLATE_LOOP = re.compile(r"\{%[-+]?\s*for\s+([\w\s,()]+?)\s+in\s")


def modules() -> Iterator[Path]:
    """Yield the modules of the project, without migrations."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                yield path


def prose(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the docstrings and comments of a module, each with its line."""
    source = path.read_text(encoding="utf-8")
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Expr(value=ast.Constant(value=str(text))):
                yield node.lineno, " ".join(text.split())
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string.lstrip("# ")


def faults(path: Path) -> Iterator[str]:
    """Yield the forbidden constructions of a module."""
    name = path.relative_to(ROOT).as_posix()
    for line, text in prose(path):
        plain = re.sub(r"`[^`]*`|“[^”]*”|\"[^\"]*\"", "", text)
        for construction, pattern in PATTERNS.items():
            if pattern.search(plain) and (name, construction) not in ALLOWED:
                yield f"{name}:{line}: “{construction}”: {text[:80]}"


def loop_variables_named_one(path: Path) -> Iterator[str]:
    """Yield the loops of a module whose variable is called `one`."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
            for name in ast.walk(node.target):
                if isinstance(name, ast.Name) and name.id == "one":
                    yield f"{path.relative_to(ROOT).as_posix()}:{name.lineno}: loop variable `one`"


def template_loops_named_one(path: Path) -> Iterator[str]:
    """Yield the loops of a template whose variable is called `one`."""
    source = path.read_text(encoding="utf-8")
    for loop in TEMPLATE_LOOP.finditer(source):
        if "one" in re.split(r"[\s,()]+", loop[1]):
            line = source.count("\n", 0, loop.start()) + 1
            yield f"{path.relative_to(ROOT).as_posix()}:{line}: loop variable `one`"


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_and_comments_are_plain_english(package: str) -> None:
    """Docstrings and comments name their subject and use common verbs."""
    assert [
        fault
        for path in modules()
        if path.relative_to(ROOT).parts[0] == package and path != Path(__file__).resolve()
        for fault in faults(path)
    ] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_loop_variables_say_what_they_are(package: str) -> None:
    """A loop variable is the noun of what it holds."""
    assert [
        fault
        for path in modules()
        if path.relative_to(ROOT).parts[0] == package
        for fault in loop_variables_named_one(path)
    ] == []


def test_loop_variables_of_templates_say_what_they_are() -> None:
    """A loop variable in a template is a noun for its content."""
    folders = ("templates", "people/templates", "tests/templates")
    templates = [path for folder in folders for path in (ROOT / folder).rglob("*")]
    assert [
        fault
        for path in sorted(templates)
        if path.is_file()
        for fault in template_loops_named_one(path)
    ] == []
