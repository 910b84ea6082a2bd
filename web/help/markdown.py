"""Conversion of Markdown to HTML."""

from __future__ import annotations

from collections.abc import Callable

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.token import Token


def html_of(text: str, change_link: Callable[[Token], None] | None = None) -> SafeString:
    """Return Markdown as HTML, without its first heading, which the page shows itself.

    HTML in the text is shown as text, and no link runs a script.

    Args:
        text: The Markdown.
        change_link: A function that is called with each link and may change its address.
    """
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(text)
    if change_link is not None:
        for link in links_of(tokens):
            change_link(link)
    body = tokens[end_of_title(tokens) :]
    return SafeString(parser.renderer.render(body, parser.options, {}))


def links_of(tokens: list[Token]) -> list[Token]:
    """Return the tokens at which links begin."""
    inline = [child for token in tokens for child in token.children or ()]
    return [token for token in inline if token.type == "link_open"]


def end_of_title(tokens: list[Token]) -> int:
    """Return the index after the first heading of the first level; 0 if there is none."""
    for index, token in enumerate(tokens):
        if token.type == "heading_close" and token.tag == "h1":
            return index + 1
    return 0
