"""Markup without the line breaks and indents of its templates, which no test is about, and with one spelling of quotes."""

import re

RAW = re.compile(r"(<(pre|textarea|script|style)\b[^<>]*>)(.*?)(</\2>)", re.DOTALL)
TAG = re.compile(r"<[a-zA-Z][^<>]*>")
GAP = r"(?:[ ]*\n\s*|[ ]{2,})"
"""The end of a line, and the indent of the next; after a tag of the template its line break is gone."""


def without_layout(page: str) -> str:
    """Return a page on one line: nothing between tags, one space in texts and in tags; scripts and typed text stay."""
    raw: list[str] = []

    def keep(element: re.Match[str]) -> str:
        raw.append(element[3])
        return f"{element[1]}\0{len(raw) - 1}\0{element[4]}"

    page = RAW.sub(keep, page)
    page = TAG.sub(lambda tag: re.sub(GAP, " ", tag[0]).replace(" >", ">"), page)
    page = re.sub(f"(?<=>){GAP}|{GAP}(?=<)", "", page)
    page = re.sub(r"\0(\d+)\0", lambda place: raw[int(place[1])], re.sub(GAP, " ", page))
    return page.replace("&#34;", "&quot;").replace("&#39;", "&#x27;")
