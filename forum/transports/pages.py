"""A board's page of HTML: its forms, what it says went wrong, where it leads."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import parse_qs, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag

from outside.answer import Answer

_BLANK = re.compile(r"\s+")
# What is pressed, chosen from the disk, or sent by another button than ours.
_PRESSED = {"submit", "button", "image", "reset", "file"}
SAID = 300
"""Characters of a board's own words that are kept."""


@dataclass(frozen=True, slots=True)
class Form:
    """Where it goes, and what it would send untouched: of two fields of one name the last counts, as at the board."""

    action: str
    fields: dict[str, str]


@dataclass(slots=True)
class Page:
    """An answer read as HTML."""

    answer: Answer
    soup: BeautifulSoup = field(init=False)

    def __post_init__(self) -> None:
        self.soup = BeautifulSoup(self.answer.text, "html.parser")

    @property
    def status(self) -> int:
        return self.answer.status

    def form(self, choose: str) -> Form | None:
        """The first form that this CSS selector names."""
        found = self.soup.select_one(choose)
        if found is None:
            return None
        return Form(urljoin(self.answer.url, str(found.get("action") or "")), dict(_fields(found)))

    def said(self, choose: str) -> str:
        """What stands in the elements of this selector, on one line; "" if there are none."""
        return one_line(" ".join(one.get_text(" ") for one in self.soup.select(choose)))

    def leads_to(self) -> str:
        """Where the page leads on by itself; "" if it stays."""
        for found in self.soup.find_all("meta"):
            if str(found.get("http-equiv") or "").lower() == "refresh":
                _, _, where = str(found.get("content") or "").partition(";")
                return urljoin(self.answer.url, where.strip().partition("=")[2].strip(" '\""))
        return ""


def _fields(form: Tag) -> list[tuple[str, str]]:
    made = []
    for found in form.find_all(["input", "textarea", "select"]):
        name, kind = str(found.get("name") or ""), str(found.get("type") or "text").lower()
        if not name or (found.name == "input" and kind in _PRESSED):
            continue
        if kind in ("checkbox", "radio") and not found.has_attr("checked"):
            continue
        if found.name == "textarea":
            made.append((name, found.get_text().removeprefix("\n")))
        elif found.name == "select":
            chosen = found.select_one("option[selected]") or found.select_one("option")
            if chosen is not None:
                made.append((name, str(chosen.get("value") or chosen.get_text())))
        else:
            made.append((name, str(found.get("value") or ("on" if kind == "checkbox" else ""))))
    return made


def one_line(text: str) -> str:
    return _BLANK.sub(" ", text).strip()[:SAID]


def shortened(subject: str, most: int) -> str:
    """A subject of at most so many characters, cut between words: boards refuse longer ones, or cut them anywhere."""
    plain = _BLANK.sub(" ", subject).strip()
    if len(plain) <= most:
        return plain
    whole, _, rest = plain[: most - 1].rpartition(" ")
    return (whole or rest).rstrip(" ,.:;–-") + "…"


def text_of(html: str | Tag) -> str:
    """A post as it is read: line breaks stay, marks of form go."""
    soup = BeautifulSoup(html, "html.parser") if isinstance(html, str) else BeautifulSoup(str(html), "html.parser")
    for piece in soup.find_all(string=lambda said: "\n" in said):
        if piece.find_parent("pre") is None and piece.find_parent("code") is None:
            piece.replace_with(piece.replace("\n", " "))
    for broken in soup.find_all(["br"]):
        broken.replace_with("\n")
    for block in soup.find_all(["p", "div", "li", "blockquote", "tr", "h1", "h2", "h3", "h4", "pre"]):
        block.append("\n")
    lines = [" ".join(line.split()) for line in soup.get_text().splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def number_in(address: str, key: str) -> int | None:
    """The number of this key in an address's query."""
    found = parse_qs(urlsplit(address).query).get(key, [""])[-1]
    return int(found) if found.isascii() and found.isdigit() and len(found) < 12 else None


def holds(text: str, marker: str) -> bool:
    """Is the marker in this text, by itself? Brackets may have become something else on the way."""
    return re.search(rf"(?<![\w-]){re.escape(marker.strip('[]'))}(?![\w-])", text) is not None


def when(text: str) -> datetime | None:
    """A time as XML and JSON write it; None where there is none."""
    try:
        found = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
