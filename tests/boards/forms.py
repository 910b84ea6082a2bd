"""Forms of real boards: the imitations serve the captured pages, and refuse other fields."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

HERE = Path(__file__).parent / "captured"
BUTTONS = ("submit", "button", "image", "reset", "file")
ABOVE = "\x1eabove\x1e"


@dataclass(frozen=True, slots=True)
class CapturedForm:
    """A form on the page of a real board, which an imitation fills in."""

    file: str
    form: str
    """A CSS selector."""
    values: tuple[str, ...] = ()
    """The names of the fields whose values an imitation sets."""
    texts: tuple[tuple[str, str], ...] = ()
    """Names for texts that an imitation sets, with the selectors of their elements."""
    optional: frozenset[str] = frozenset()
    """Fields that may be missing although a browser would send them."""

    def page(self, action: str, values: Mapping[str, str], above: str = "") -> str:
        """Return the page. `above` is HTML that is put at the top of the form."""
        assert set(values) == {*self.values, *(name for name, _selector in self.texts)}
        page = _template(self).replace(ABOVE, above).replace(_mark("action"), escape(action))
        for name, value in values.items():
            page = page.replace(_mark(name), escape(value))
        return page

    def refusal(self, sent: Collection[str]) -> str:
        """Return why these fields do not come from the form; empty if they do."""
        known, required = _fields(self)
        if invented := set(sent) - known:
            return f"The form has no field {', '.join(sorted(invented))}."
        if missing := required - set(sent) - self.optional:
            return f"The field {', '.join(sorted(missing))} is missing."
        return ""


def _mark(name: str) -> str:
    return f"\x1e{name}\x1e"


def _parsed(captured: CapturedForm) -> tuple[BeautifulSoup, Tag]:
    soup = BeautifulSoup((HERE / captured.file).read_text(), "html.parser")
    form = soup.select_one(captured.form)
    assert form is not None
    return soup, form


@cache
def _template(captured: CapturedForm) -> str:
    """Return the page with marks in place of what an imitation sets."""
    soup, form = _parsed(captured)
    form["action"] = _mark("action")
    form.insert(0, ABOVE)
    for name in captured.values:
        fields = form.select(f'[name="{name}"]')
        assert fields, name
        # Other forms of the page have the same keys.
        for tag in [*fields, *soup.select(f'input[type="hidden"][name="{name}"]')]:
            if tag.name == "textarea":
                tag.string = "\n" + _mark(name)
            else:
                tag["value"] = _mark(name)
    for name, selector in captured.texts:
        element = soup.select_one(selector)
        assert element is not None, name
        text = element.find(string=True)
        assert isinstance(text, NavigableString)
        text.replace_with(_mark(name))
    return str(soup)


@cache
def _fields(captured: CapturedForm) -> tuple[frozenset[str], frozenset[str]]:
    """Return the names of all fields, and of those that a browser sends without a click."""
    _soup, form = _parsed(captured)
    known, required = set[str](), set[str]()
    for tag in form.find_all(["input", "textarea", "select"]):
        name, kind = str(tag.get("name") or ""), str(tag.get("type") or "text")
        known.add(name)
        is_ticked = kind not in ("checkbox", "radio") or tag.has_attr("checked")
        if name and kind not in BUTTONS and is_ticked:
            required.add(name)
    return frozenset(known - {""}), frozenset(required)
