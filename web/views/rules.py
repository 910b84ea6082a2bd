"""The rules of a title, a paragraph an anchor: `#r-7.1`; within a campaign with its rulings."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from campaign import rulings
from campaign.rulebook import chapters, marked, searched, translated, with_rules
from engine.language import FIRST, language, spoken
from games.registry import TITLES
from web.views.common import TableContext, campaign_page, show

LONGEST = 60


def index(request: HttpRequest) -> HttpResponse:
    """A citation without title: browsers keep its anchor through the redirection."""
    first = with_rules()
    if not first:
        raise Http404
    return redirect("rules", first[0])


def rules(request: HttpRequest, title: str) -> HttpResponse:
    """A title's rules, with the way to those of every other."""
    titles = [(key, TITLES[key].name) for key in with_rules()]
    return render(request, "rules.html", {**context(request, title), "titles": titles})


@require_safe
@campaign_page
def of_campaign(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The rules with this campaign's rulings at their paragraphs."""
    whole = context(request, table.campaign.title, rulings.by_rule(table.campaign))
    return show(request, table, "campaign/rules.html", whole, here="rules")


def context(request: HttpRequest, title: str, said: dict[str, list[rulings.Ruling]] | None = None) -> dict[str, Any]:
    """What `parts/rules.html` shows: all, or with `?q=` the paragraphs that hold every word, marked.

    In the reader's language, with `?text=en` in English: that text decides where they differ. `original` says of which
    of the two the page is, and is empty where there is only one; `tongue` the text's language where it is not the page's.
    """
    ours = translated(title)
    english = ours and request.GET.get("text") == FIRST
    with spoken(FIRST if english else language()):
        name, parts = chapters(title)
    if not parts:
        raise Http404
    asked = " ".join(request.GET.get("q", "")[:LONGEST].split())
    words = asked.split()
    shown, hits = [], 0
    for chapter in parts:
        found = [p for p in chapter.paragraphs if not words or searched(p, words)]
        hits += len(found) if chapter.number else 0
        if found and (chapter.number or not words):
            rows = [
                {"number": p.number, "html": marked(p.html, words), "rulings": (said or {}).get(p.number, ()) if p.number else ()}
                for p in found
            ]
            on_chapter = (said or {}).get(chapter.number, ()) if chapter.number else ()
            shown.append({"number": chapter.number, "name": chapter.name, "paragraphs": rows, "rulings": on_chapter})
    free = (said or {}).get("", ())
    return {"name": name, "chapters": shown, "contents": [c for c in parts if c.number], "title": title, "q": asked,
            "hits": hits, "back": back(request), "free": free, "original": ("shown" if english else "beside") if ours else "",
            "tongue": FIRST if language() != FIRST and (english or not ours) else ""}  # fmt: skip


def back(request: HttpRequest) -> str:
    """The page of this site that one came from, unless it is the rules."""
    came = urlsplit(request.META.get("HTTP_REFERER", ""))
    if came.netloc != request.get_host() or not came.path.startswith("/") or came.path.startswith("//"):
        return ""
    if came.path == request.path or came.path.startswith("/rules/"):
        return ""
    return came.path + (f"?{came.query}" if came.query else "")
