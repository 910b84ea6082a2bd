"""The glossaries: the terms that each language uses for the English ones."""

import csv
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).resolve().parent.parent / "locale" / "glossary"
COLUMNS = ("source", "target", "context", "translator_comments", "developer_comments")
"""The names that Weblate gives the columns of a CSV file."""
NOT = "Not: "


class Term(NamedTuple):
    """An English term in one sense, with its translations and the forbidden ones."""

    source: str
    targets: tuple[str, ...]
    context: str
    wrong: tuple[str, ...]


def terms(language: str) -> list[Term]:
    """Return the terms of a language in the order of its file."""
    with (FOLDER / f"{language}.csv").open(encoding="utf-8", newline="") as opened:
        reader = csv.DictReader(opened)
        assert tuple(reader.fieldnames or ()) == COLUMNS, f"{language}.csv: other columns"
        return [
            Term(
                row["source"],
                tuple(row["target"].split("; ")),
                row["context"],
                _words(row["developer_comments"]),
            )
            for row in reader
        ]


def _words(comment: str) -> tuple[str, ...]:
    assert not comment or comment.startswith(NOT), f"{comment!r} does not begin with {NOT!r}"
    return tuple(comment.removeprefix(NOT).split("; ")) if comment else ()
