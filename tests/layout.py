"""Markup without the line breaks and indents of its templates, and with one spelling of quotes."""

import re

RAW = re.compile(r"(<(pre|textarea|script|style)\b[^<>]*>)(.*?)(</\2>)", re.DOTALL)
TAG = re.compile(r"<[a-zA-Z][^<>]*>")
GAP = r"(?:[ ]*\n\s*|[ ]{2,})"
"""A line break and the indent after it, or only an indent: Jinja2 removes the line break after its
tags.
"""


def without_layout(page: str) -> str:
    """Return a page on one line, with single spaces in texts and tags. Scripts and text
    areas stay.
    """
    raw: list[str] = []

    def keep(element: re.Match[str]) -> str:
        raw.append(element[3])
        return f"{element[1]}\0{len(raw) - 1}\0{element[4]}"

    page = RAW.sub(keep, page)
    page = TAG.sub(lambda tag: re.sub(GAP, " ", tag[0]).replace(" >", ">"), page)
    page = re.sub(f"(?<=>){GAP}|{GAP}(?=<)", "", page)
    page = re.sub(r"\0(\d+)\0", lambda place: raw[int(place[1])], re.sub(GAP, " ", page))
    return page.replace("&#34;", "&quot;").replace("&#39;", "&#x27;")
