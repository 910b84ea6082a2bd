"""Markup without the line breaks and indents of its templates, and with one spelling of quotes."""

import re

RAW = re.compile(r"(<(pre|textarea|script|style)\b[^<>]*>)(.*?)(</\2>)", re.DOTALL)
GAP = re.compile(r" *\n\s*|  +")
"""A line break with the indent after it, or only an indent, because Jinja2 removes the line break
after its tags.
"""
AFTER_TAG = re.compile(r">(?: *\n\s*|  +)")
BEFORE_TAG = re.compile(r"(?: *\n\s*|  +)<")
SPREAD_TAG = re.compile(r"<[a-zA-Z][^<>\n]*?(?:\n|  )[^<>]*>")
"""A tag on several lines, or with an indent in it."""


def without_layout(page: str) -> str:
    """Return a page on one line, with single spaces in texts and tags.

    Scripts and text areas do not change.
    """
    raw: list[str] = []

    def keep(element: re.Match[str]) -> str:
        raw.append(element[3])
        return f"{element[1]}\0{len(raw) - 1}\0{element[4]}"

    page = RAW.sub(keep, page)
    page = SPREAD_TAG.sub(lambda tag: GAP.sub(" ", tag[0]).replace(" >", ">"), page)
    page = GAP.sub(" ", BEFORE_TAG.sub("<", AFTER_TAG.sub(">", page)))
    page = re.sub(r"\0(\d+)\0", lambda place: raw[int(place[1])], page)
    return page.replace("&#34;", "&quot;").replace("&#39;", "&#x27;")
