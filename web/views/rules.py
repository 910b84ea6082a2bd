"""The rules of a title, a paragraph an anchor: `#r-7.1`."""

from __future__ import annotations

from functools import cache

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from games.registry import TITLES
from web.rules_text import Chapter, parse
from web.titles import extras


@cache
def chapters(title: str) -> tuple[str, list[Chapter]]:
    """Name and chapters of a title's rules; nothing where it has no text."""
    own = extras(title, "rules") if title in TITLES else None
    return parse(own.text()) if own else ("", [])


def with_rules() -> list[str]:
    """The titles that have a rules text."""
    return [key for key in TITLES if extras(key, "rules")]


def index(request: HttpRequest) -> HttpResponse:
    """A citation without title: browsers keep its anchor through the redirection."""
    first = with_rules()
    if not first:
        raise Http404
    return redirect("rules", first[0])


def rules(request: HttpRequest, title: str) -> HttpResponse:
    name, parts = chapters(title)
    if not parts:
        raise Http404
    return render(request, "rules.html", {"name": name, "chapters": parts, "title": title})
