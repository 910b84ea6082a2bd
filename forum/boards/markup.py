"""The HTML of boards: pages and posts, with their forms, texts, marks and numbers."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import UTC, datetime
from urllib.parse import parse_qs, urljoin, urlsplit

from bs4 import BeautifulSoup, Tag
from django.utils.translation import gettext as _

from forum.boards import ChangedThere
from outgoing.client import Answer

_BLANK = re.compile(r"\s+")
# Fields that are buttons or files, which this client does not send.
_PRESSED = {"submit", "button", "image", "reset", "file"}
MOST_CHARACTERS = 300
"""The maximum number of characters that are kept of a board's own words."""


@dataclass(frozen=True, slots=True)
class Form:
    """The address to which a form is sent, and the values of its fields before it is filled in.

    If two fields have the same name, the last counts, as at the board.
    """

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
        """The status of the answer."""
        return self.answer.status

    def form(self, choose: str) -> Form | None:
        """Return the first form that this CSS selector selects."""
        tag = self.soup.select_one(choose)
        if tag is None:
            return None
        return Form(urljoin(self.answer.url, str(tag.get("action") or "")), dict(_fields(tag)))

    def text_at(self, choose: str) -> str:
        """Return the text of the elements of this selector on one line; empty if there are none."""
        return one_line(" ".join(element.get_text(" ") for element in self.soup.select(choose)))

    def leads_to(self) -> str:
        """Return the address to which the page redirects after a moment; empty if it does not."""
        for tag in self.soup.find_all("meta"):
            if str(tag.get("http-equiv") or "").lower() == "refresh":
                _, _, where = str(tag.get("content") or "").partition(";")
                return urljoin(self.answer.url, where.strip().partition("=")[2].strip(" '\""))
        return ""


def _fields(form: Tag) -> list[tuple[str, str]]:
    fields = []
    for tag in form.find_all(["input", "textarea", "select"]):
        name, kind = str(tag.get("name") or ""), str(tag.get("type") or "text").lower()
        if not name or (tag.name == "input" and kind in _PRESSED):
            continue
        if kind in ("checkbox", "radio") and not tag.has_attr("checked"):
            continue
        if tag.name == "textarea":
            fields.append((name, tag.get_text().removeprefix("\n")))
        elif tag.name == "select":
            chosen = tag.select_one("option[selected]") or tag.select_one("option")
            if chosen is not None:
                fields.append((name, str(chosen.get("value") or chosen.get_text())))
        else:
            fields.append((name, str(tag.get("value") or ("on" if kind == "checkbox" else ""))))
    return fields


def one_line(text: str) -> str:
    """Return the beginning of a text, on one line."""
    return _BLANK.sub(" ", text).strip()[:MOST_CHARACTERS]


def shorten(subject: str, most: int) -> str:
    """Shorten a subject to at most `most` characters, cut between words.

    Boards refuse longer subjects, or cut them anywhere.
    """
    plain = _BLANK.sub(" ", subject).strip()
    if len(plain) <= most:
        return plain
    whole, _, rest = plain[: most - 1].rpartition(" ")
    return (whole or rest).rstrip(" ,.:;–-") + "…"


_NUMBER = re.compile(r"(?<=\[size=)\d{1,3}(?=\])")


def replace_text(text: str, was: str, now: str) -> str | None:
    """Return the text of a post with `now` in place of `was`.

    None means that the post has the new text already. Without `was`, `now` is put above the text.
    Differences of line ends, spaces and letter sizes do not count. Raises `ChangedThere` if the
    post has neither text.
    """
    plain = _plain_text(text)
    if _plain_text(now) in plain:
        return None
    current = text.replace("\r\n", "\n")
    if not was.strip():
        return f"{now.rstrip()}\n\n{current}".rstrip()
    if match := _pattern(was).search(current):
        return current[: match.start()] + now + current[match.end() :]
    if _plain_text(was) == plain:
        return now
    raise ChangedThere(_("The post has since been changed on the board. Change it there yourself."))


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern of a text with any spaces and letter sizes."""
    words = (_NUMBER.sub("0", word) for word in text.split())
    return re.compile(
        r"\s+".join(re.escape(word).replace(r"\[size=0\]", r"\[size=\d{1,3}\]") for word in words)
    )


def _plain_text(text: str) -> str:
    return _BLANK.sub(" ", _NUMBER.sub("", text)).strip()


_BEGINS = "\x1e"
"""A character that marks the beginning of a block, which also begins a line."""


def own_words(html: str | Tag) -> tuple[str, str]:
    """Return the writer's own words of a post, and the words that it quotes."""
    soup = BeautifulSoup(str(html), "html.parser")
    quotations = soup.select("blockquote, aside.quote")
    outer = [
        quotation
        for quotation in quotations
        if not any(quotation in other.descendants for other in quotations if other is not quotation)
    ]
    quoted = "\n".join(text_of(quotation.extract()) for quotation in outer)
    return text_of(soup), quoted


def text_of(html: str | Tag) -> str:
    """Return a post as plain text with its line breaks."""
    soup = BeautifulSoup(str(html), "html.parser")
    for piece in soup.find_all(string=lambda text: "\n" in text):
        if piece.find_parent("pre") is None and piece.find_parent("code") is None:
            piece.replace_with(piece.replace("\n", " "))
    for broken in soup.find_all(["br"]):
        broken.replace_with("\n")
    for block in soup.find_all(
        ["p", "div", "ul", "ol", "li", "blockquote", "tr", "h1", "h2", "h3", "h4", "pre"]
    ):
        if block.name not in ("ul", "ol"):
            block.append("\n")
        block.insert_before(_BEGINS)
    text = re.sub(rf"\n?[ \t]*{_BEGINS}", "\n", soup.get_text())
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def number_in(address: str, key: str) -> int | None:
    """Return the number that this key has in an address's query."""
    digits = parse_qs(urlsplit(address).query).get(key, [""])[-1]
    return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 12 else None


def has_mark(text: str, marker: str) -> bool:
    """Return whether a text contains the mark as a separate word, with or without its brackets."""
    return re.search(rf"(?<![\w-]){re.escape(marker.strip('[]'))}(?![\w-])", text) is not None


def read_time(text: str) -> datetime | None:
    """Return a time that is written as in XML and JSON; None if there is none."""
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
