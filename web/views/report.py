"""Reports, ready for the forum: in its dialect and language, as they will look, with the game master's own words in them.

The same for every reader; a game master also chooses the tone and writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy
from django.views.decorators.http import require_http_methods

from engine.language import LANGUAGES
from engine.report import Contents, Report
from forum import dressing, telling, tones
from forum import selectors as posting
from forum.dialects import DEFAULT, DIALECTS, Context
from forum.services import tone as writing
from web import looks, reporting
from web.views.common import TableContext, campaign_page, see_other, show

TAG = re.compile(r"(\[/?(?:b|i|list|code|size|color|url|img)(?:=[^\]\u2060]*)?\]|\[\*\])")

KINDS = {
    "announcement": pgettext_lazy("report", "announcement"),
    "turn": pgettext_lazy("report", "turn report"),
    "opening": pgettext_lazy("report", "turn opened"),
    "slot": pgettext_lazy("report", "slot"),
    "challenge": pgettext_lazy("report", "challenge"),
    "setup": pgettext_lazy("report", "set-up"),
    "result": pgettext_lazy("report", "result"),
    "battle": pgettext_lazy("report", "battle"),
    "trade": pgettext_lazy("report", "trade"),
    "undo": pgettext_lazy("report", "undo"),
    "restore": pgettext_lazy("report", "restoration"),
    "standings": pgettext_lazy("report", "standings"),
    "final": pgettext_lazy("report", "final"),
}


class Choice(NamedTuple):
    """How a report is shown; `tone` is empty for the template's."""

    dialect: str
    language: str
    tone: str

    def query(self, **other: str) -> str:
        """What follows an address to say so, with something else in it."""
        return "?" + urlencode({key: value for key, value in {**self._asdict(), **other}.items() if value})


def _choice(request: HttpRequest, said: Mapping[str, str]) -> Choice:
    """What the reader asked for; his own language and phpBB where he asked for nothing that there is."""
    dialect, language, tone = said.get("dialect", ""), said.get("language", ""), said.get("tone", "")
    return Choice(
        dialect if dialect in DIALECTS else DEFAULT,
        language if language in LANGUAGES else translation.get_language() or LANGUAGES[0],
        tone if tone in tones.TONES else "",
    )


@contextmanager
def speaking(table: TableContext, language: str) -> Iterator[TableContext]:
    """The table with its names in this language."""
    if language == translation.get_language():
        yield table
        return
    with telling.speaking(language):
        other = TableContext(table.request, table.campaign, table.access)
        other.places = table.places
        yield other


@campaign_page
def reports(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Every report there is, the latest turn first."""
    turns = [
        {
            "number": number,
            "reports": [
                {
                    "name": item.name, "kind": KINDS.get(item.kind, item.kind), "complete": item.complete,
                    "url": table.url("report", item.key),
                }
                for item in items
            ],
        }
        for number, items in groupby(reporting.contents(table), key=lambda item: item.turn)
    ]  # fmt: skip
    context = {
        "turns": turns,
        "has_reports": telling.reporter(table.campaign) is not None,
        "tone_url": table.url("report_tone") if table.host else "",
    }
    return show(request, table, "campaign/reports.html", context, here="reports")


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def report(request: HttpRequest, table: TableContext, key: str) -> HttpResponse:
    """One report; `?dialect=`, `?language=`, `?tone=`. A game master posts his own words in it."""
    choice = _choice(request, request.POST if request.method == "POST" else request.GET)
    typed, wrong = None, None
    if request.method == "POST":
        typed = dressing.Said(request.POST.get("before", ""), request.POST.get("after", ""))
        _find(table, key)  # there is no other to write in
        try:
            writing.set_flavour(table.campaign, request.user, key, choice.language, before=typed.before, after=typed.after)
        except writing.Wrong as refusal:
            wrong = refusal
        else:
            messages.success(request, _("Your words stand in the report."))
            return see_other(table.url("report", key) + choice.query())
    with speaking(table, choice.language) as told:
        context = _written(request, told, key, choice)
    if choice.language != translation.get_language():
        context["item"] = context["item"]._replace(name=_find(table, key)[0].name)
    context |= {
        "choice": choice, "reports_url": table.url("reports"),
        "tone_url": f"{table.url('report_tone')}?language={choice.language}",
        "dialects": [(one.short, choice.query(dialect=one.key), one.key == choice.dialect) for one in DIALECTS.values()],
        "tongues": [(name, code, choice.query(language=code), code == choice.language) for code, name in looks.languages()],
        "tones": [(name, choice.query(tone=code), code == context["tone"]) for code, name in tones.TONES.items()],
        "receipts": posting.receipts(table.campaign, key), "post_url": _post_url(table, key),
        "said": typed or context["said"], "wrong": wrong, "longest": writing.FLAVOUR,
    }  # fmt: skip
    return show(request, table, "campaign/report.html", context, here="reports", status=400 if wrong else 200)


def _post_url(table: TableContext, key: str) -> str:
    """Where a game master posts this report; empty for everybody else, and for what no outbox tells (a set-up sheet)."""
    if not table.host or table.user.guest or reporting.SINGLE.fullmatch(key):
        return ""
    return f"{table.url('posts')}?report={key}#h-draft"


def _find(table: TableContext, key: str) -> tuple[Contents, Report]:
    """The report of this key, in the language of now. Raises `Http404`."""
    found = reporting.found(table, key)
    if found is None:
        raise Http404
    return found


def _written(request: HttpRequest, table: TableContext, key: str, choice: Choice) -> dict[str, Any]:
    """The report in its dialect, in the language of now."""
    item, told = _find(table, key)
    masters = [user.username for user in table.game_masters]
    site = request.build_absolute_uri("/").rstrip("/")
    how = dressing.template(table.campaign)
    said = dressing.flavour(table.campaign, key)
    tone = choice.tone or how.tone
    dressed = dressing.dressed(table.campaign, item, told, site, how._replace(tone=tone), said, masters)
    context = Context({seat.key: seat.info.colour for seat in table.seats})
    board = DIALECTS[choice.dialect]
    colours = context.colours if board.colours else {}
    parts = board.parts(dressed, context)
    texts = [board.text(part, context) for part in parts]
    picture = looks.picture(dressed)
    unseen = not picture and not reporting.shown(table.campaign) and bool(reporting.pictured(table.campaign, item, told))
    return {
        "item": item,
        "report": dressed,
        "board": board,
        "posts": [
            {"text": _marked(text) if board.key in ("phpbb", "mybb") else text, "count": board.weight(text),
             "look": looks.letter(text) if board.key == "plain" else looks.post(part, colours, board.tables)}
            for part, text in zip(parts, texts, strict=True)
        ],
        "limit": board.limit,
        "plain": DIALECTS["plain"].text(dressed, context) + "\n",
        "picture_url": picture,
        "picture_unseen": unseen,
        "said": said,
        "tone": tone,
    }  # fmt: skip


def _marked(post: str) -> SafeString:
    """BBCode with its tags set off. The text is the post to the letter: it is what is copied."""
    return SafeString(TAG.sub(r'<span class="tag">\1</span>', escape(post)))
