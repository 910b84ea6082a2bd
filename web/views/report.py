"""Reports, ready for the forum: as it will look, as BBCode, as plain text. The same for every reader."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial
from html import escape
from itertools import groupby
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext_lazy

from campaign import positions, selectors, undone
from campaign.models import LogEntry
from engine.report import Block, Bullets, Contents, Line, Paragraph, Report, Reporter, Span, Spans
from engine.report import Table as ReportTable
from forum.dialects import DIALECTS, Context
from forum.dialects.aligned import rows_of
from forum.dialects.colours import readable
from forum.dialects.inert import clean
from forum.undone import Struck, undo_report
from games import registry
from web import pictures
from web.titles import extras
from web.views.common import TableContext, campaign_page, show

TAG = re.compile(r"(\[/?(?:b|i|list|code|size|color|url|img)(?:=[^\]\u2060]*)?\]|\[\*\])")
MARKUP = re.compile("[&<>\"']")

TURNS = {"undo": gettext_noop("Undo, entry %(number)s"), "restore": gettext_noop("Restoration, entry %(number)s")}
PICTURED = frozenset({"opening", "turn", "standings", "final"})
SINGLE = re.compile(r"(undo|restore|setup)-([1-9][0-9]{0,8})", re.ASCII)
KINDS = {
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


def _told(table: TableContext) -> tuple[Reporter | None, Any, list[Line]]:
    """Who tells, the position before the first line, the entries in force that everybody may see."""
    teller = registry.REPORTERS.get(table.campaign.title)
    if teller is None:
        return None, None, []
    told = positions.Retold(table.campaign)
    lines = [
        Line(deed.number, deed.said, deed.effects, deed.rolls, replay=partial(told.after, n))
        for n, deed in enumerate(told.deeds)
        if deed.number is not None
    ]
    return teller, told.start, lines


def _turns(acts: Sequence[LogEntry]) -> list[LogEntry]:
    """The game masters' undos and restorations among these acts, the latest first."""
    return [one for one in reversed(acts) if one.audience is None and not one.said.get("own")]


def _undone(table: TableContext, acts: Sequence[LogEntry], kind: str, number: int) -> Report | None:
    entry = next((one for one in _turns(acts) if (one.act, one.number) == (kind, number)), None)
    if entry is None:
        return None
    turned = undone.turned(table.campaign, entry, acts)
    found = table.campaign.entries.filter(pk__in=[*turned, entry.pk], audience=None).select_related("actor", "struck_by")
    *moves, said = selectors.lines(table.campaign, None, found.order_by("sequence"))
    told = [
        Struck(line.number, line.entry.seat, table.name_of(line.entry.seat), line.text)
        for line in moves
        if line.number is not None
    ]
    by = said.entry.actor.username if said.entry.actor else ""
    restored = said.entry.struck_by.number if said.entry.struck_by else None
    return undo_report(table.campaign.name, kind, number, said.text, by, told, restored)


def _contents(table: TableContext, teller: Reporter | None, lines: list[Line], acts: Sequence[LogEntry]) -> list[Contents]:
    """Every report there is, the latest turn first."""
    found = list(teller.contents(table.scenario, lines)) if teller else []
    own = extras(table.campaign.title, "report")
    found += own.sheets(table) if own else []
    for one in _turns(acts) if teller else ():
        found.append(Contents(f"{one.act}-{one.number}", one.act, _(TURNS[one.act]) % {"number": one.number}, one.turn, True))
    return sorted(found, key=lambda item: -item.turn)


@campaign_page
def reports(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Every report there is, the latest turn first."""
    teller, _, lines = _told(table)
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
        for number, items in groupby(_contents(table, teller, lines, undone.acts(table.campaign)), key=lambda item: item.turn)
    ]  # fmt: skip
    return show(request, table, "campaign/reports.html", {"turns": turns, "has_reports": teller is not None}, here="reports")


@campaign_page
def report(request: HttpRequest, table: TableContext, key: str) -> HttpResponse:
    """One report. It stays as it is while nothing happens."""
    teller, start, lines = _told(table)
    if teller is None:
        raise Http404
    people = {seat.key: seat.holder.username for seat in table.seats if seat.holder is not None}
    own, single, acts = extras(table.campaign.title, "report"), SINGLE.fullmatch(key), undone.acts(table.campaign)
    if single and single[1] in TURNS:
        told = _undone(table, acts, single[1], int(single[2]))
    elif single:
        told = own.sheet(table, int(single[2])) if own else None
    else:
        told = teller.report(table.scenario, start, lines, key, table.campaign.name, people)
    if told is None:
        raise Http404
    item = next(item for item in _contents(table, teller, lines, acts) if item.key == key)
    shown = _picture(table, item, told)
    told = told._replace(blocks=(*told.blocks, *shown, _where(request.build_absolute_uri(table.home))))
    colours = {seat.key: seat.info.colour for seat in table.seats}
    board, context_of = DIALECTS["phpbb"], Context(colours)
    posts = board.render(told, context_of)
    context = {
        "item": item,
        "report": told,
        "posts": [{"text": _marked(post), "count": board.weight(post)} for post in posts],
        "limit": board.limit,
        "plain": DIALECTS["plain"].text(told, context_of),
        "preview": _preview(told, colours),
        "reports_url": table.url("reports"),
        "picture_url": shown[0].spans[0].picture if shown else "",
    }
    return show(request, table, "campaign/report.html", context, here="reports")


def _picture(table: TableContext, item: Contents, told: Report) -> tuple[Paragraph, ...]:
    """The map after the last entry of what is told of a whole turn; none where a forum could not load it."""
    public = table.campaign.visibility != table.campaign.Visibility.MEMBERS
    if item.kind not in PICTURED or not public or not told.last or not pictures.draws(table.campaign):
        return ()
    where = table.request.build_absolute_uri(f"{table.url('map_picture')}?at={told.last}")
    return (Paragraph((Span(_("Map after entry %(number)s") % {"number": told.last}, picture=where),)),)


def _where(address: str) -> Paragraph:
    return Paragraph((Span(_("Map and ledgers: ")), Span(address, link=address)), small=True)


# A report has thousands of pieces: each is escaped as it is joined, and the whole is marked as safe once.


def _marked(post: str) -> SafeString:
    """BBCode with its tags set off. The text is the post to the letter: it is what is copied."""
    return SafeString(TAG.sub(r'<span class="tag">\1</span>', escape(post)))


def _preview(told: Report, colours: Mapping[str, str]) -> SafeString:
    """The blocks as a forum shows them."""
    return SafeString("\n".join(_block(block, colours) for block in told.blocks))


def _block(block: Block, colours: Mapping[str, str]) -> str:
    if isinstance(block, ReportTable):
        return f'<code tabindex="0">{escape(chr(10).join(rows_of(block)))}</code>'
    if isinstance(block, Bullets):
        return "<ul>" + "".join(f"<li>{_spans(item, colours)}</li>" for item in block.items) + "</ul>"
    inside = _spans(block.spans, colours)
    if isinstance(block, Paragraph):
        return f'<p class="is-small">{inside}</p>' if block.small else f"<p>{inside}</p>"
    return f'<p class="is-title-{block.level}"><b>{inside}</b></p>'


def _spans(spans: Spans, colours: Mapping[str, str]) -> str:
    return "".join(_span(span, colours) for span in spans)


def _span(span: Span, colours: Mapping[str, str]) -> str:
    """A piece of a line as HTML; its text and its address are whoever's, its colour is `readable`."""
    made = clean(span.text)
    if MARKUP.search(made):
        made = escape(made)
    if span.picture:
        return f'<a href="{escape(span.picture)}"><img src="{escape(span.picture)}" alt="{made}" loading="lazy"></a>'
    if span.link:
        made = f'<a href="{escape(span.link)}">{made}</a>'
    if span.italic:
        made = f"<i>{made}</i>"
    colour = readable(colours.get(span.seat, "")) if span.seat else ""
    if colour:
        return f'<b style="color:{colour}">{made}</b>'
    return f"<b>{made}</b>" if span.bold or span.seat else made
