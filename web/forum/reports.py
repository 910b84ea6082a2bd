"""Reports, ready for the forum: in its dialect and language, as they will look, with the game
master's own words in them.

The same for every reader; a game master also chooses the tone and writes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import forecasts, rulebook
from campaign.log import positions, selectors
from campaign.models import Campaign
from engine.language import LANGUAGES
from forum.dialects import DEFAULT, DIALECTS, Context, clean, readable, rows_of
from forum.posts import outbox as posting
from forum.posts import reports as posts_reports
from forum.posts import threads as writing
from games.contract.report import (
    Block,
    Bullets,
    Contents,
    Heading,
    Paragraph,
    Report,
    Span,
    Spans,
    Table,
)
from games.contract.title import Title
from web import practice, titles
from web.exports import images
from web.frame import page_cache
from web.frame.campaign_page import TableContext, campaign_page, see_other, show
from web.titles import extras

TAG = re.compile(r"(\[/?(?:b|i|list|code|size|color|url|img)(?:=[^\]\u2060]*)?\]|\[\*\])")

KINDS = {
    **posts_reports.NAMES,
    "chronicle": pgettext_lazy("report", "chronicle"),
    "setup": pgettext_lazy("report", "set-up"),
    "trade": pgettext_lazy("report", "trade"),
}


class Choice(NamedTuple):
    """How a report is shown; `tone` is empty for the template's."""

    dialect: str
    language: str
    tone: str

    def query(self, **other: str) -> str:
        """What follows an address to say so, with something else in it."""
        return "?" + urlencode(
            {key: value for key, value in {**self._asdict(), **other}.items() if value}
        )


def _choice(request: HttpRequest, typed: Mapping[str, str]) -> Choice:
    """What the reader asked for; their own language and phpBB where they asked for nothing that
    there is.
    """
    dialect, language, tone = (
        typed.get("dialect", ""),
        typed.get("language", ""),
        typed.get("tone", ""),
    )
    return Choice(
        dialect if dialect in DIALECTS else DEFAULT,
        language if language in LANGUAGES else translation.get_language() or LANGUAGES[0],
        tone if tone in posts_reports.TONES else "",
    )


@contextmanager
def speaking(table: TableContext, language: str) -> Iterator[TableContext]:
    """The table with its names in this language."""
    if language == translation.get_language():
        yield table
        return
    with posts_reports.speaking(language):
        other = TableContext(table.request, table.campaign, table.access, notes=table.notes)
        other.places = table.places
        yield other


@campaign_page
def reports(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Every report there is, the latest turn first; who looks after the campaign finds them in the
    outbox.
    """
    if has_outbox(table):
        return see_other(table.url("posts"))
    context = {
        "turns": page_cache.of_log(table, "reports", lambda: _by_turn(table)),
        "has_reports": posts_reports.reporter(table.campaign) is not None,
        "tone_url": table.url("report_tone") if table.host else "",
    }
    return show(request, table, "forum/reports.html", context, here="reports")


def _by_turn(table: TableContext) -> list[dict[str, Any]]:
    """The turns with their reports, the latest first."""
    return [
        {
            "number": number,
            "reports": page_cache.Listed(
                {
                    "name": item.name,
                    "kind": KINDS.get(item.kind, item.kind),
                    "complete": item.complete,
                    "url": table.url("report", item.key),
                }
                for item in items
            ),
        }
        for number, items in groupby(contents(table), key=lambda item: item.turn)
    ]


def has_outbox(table: TableContext) -> bool:
    """Does this reader post the campaign's reports?"""
    return bool(
        table.host
        and not table.solo
        and not table.user.guest
        and posts_reports.reporter(table.campaign)
    )


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def report(request: HttpRequest, table: TableContext, key: str) -> HttpResponse:
    """One report; `?dialect=`, `?language=`, `?tone=`. A game master posts their own words
    in it.
    """
    choice = _choice(request, request.POST if request.method == "POST" else request.GET)
    typed, wrong = None, None
    if request.method == "POST":
        typed = posts_reports.Said(request.POST.get("before", ""), request.POST.get("after", ""))
        _find(table, key)  # there is no other to write in
        try:
            writing.set_flavour(
                table.campaign,
                request.user,
                key,
                choice.language,
                before=typed.before,
                after=typed.after,
            )
        except writing.Wrong as refusal:
            wrong = refusal
        else:
            messages.success(request, _("Your words are in the report."))
            return see_other(table.url("report", key) + choice.query())
    with speaking(table, choice.language) as speaking_table:
        context = _written(request, speaking_table, key, choice)
    if choice.language != translation.get_language():
        names = {item.key: item.name for item in contents(table)}
        context["item"] = context["item"]._replace(name=names[key])
    context |= {
        "choice": choice,
        "reports_url": table.url("posts" if has_outbox(table) else "reports"),
        "outbox": has_outbox(table),
        "tone_url": f"{table.url('report_tone')}?language={choice.language}",
        "dialects": [
            (one.short, choice.query(dialect=one.key), one.key == choice.dialect)
            for one in DIALECTS.values()
        ],
        "tongues": [
            (name, code, choice.query(language=code), code == choice.language)
            for code, name in languages()
        ],
        "tones": [
            (name, choice.query(tone=code), code == context["tone"])
            for code, name in posts_reports.TONES.items()
        ],
        "receipts": posting.receipts(table.campaign, key),
        "post_url": _post_url(table, key),
        "on_its_way": _on_its_way(table, key),
        "chapters": _chapters(context["report"]),
        "waits": (
            not request.GET.get("now")
            and picture_waits(
                table.campaign, context["item"].kind, context["report"].last, choice.language
            )
        ),
        "remembers": titles.remembers(table),
        "said": typed or context["said"],
        "wrong": wrong,
        "longest": writing.FLAVOUR,
    }
    return show(
        request, table, "forum/report.html", context, here="reports", status=400 if wrong else 200
    )


def _post_url(table: TableContext, key: str) -> str:
    """Where a game master posts this report; empty for everybody else, and for what no outbox tells
    (a set-up sheet).
    """
    if not table.host or table.user.guest or SINGLE.fullmatch(key):
        return ""
    return f"{table.url('posts')}?report={key}#h-draft"


def _on_its_way(table: TableContext, key: str) -> dict[str, Any] | None:
    """The post of this report that is not there yet, for who posts it."""
    from web.forum import posts as pages

    if not has_outbox(table):
        return None
    rows = [pages.outbox_row(table, one) for one in posting.outbox(table.campaign, report=key)]
    return next((row for row in rows if not row["over"] and not row["now"].settled), None)


def _chapters(report: Report) -> list[str]:
    """The headings of a report."""
    headings = [block for block in report.blocks if isinstance(block, Heading) and block.level == 2]
    return [clean("".join(span.text for span in block.spans)) for block in headings]


def _find(table: TableContext, key: str) -> tuple[Contents, Report]:
    """The report of this key, in the language of now. Raises `Http404`."""
    pair = report_by_key(table, key)
    if pair is None:
        raise Http404
    return pair


def _written(request: HttpRequest, table: TableContext, key: str, choice: Choice) -> dict[str, Any]:
    """The report in its dialect, in the language of now."""
    item, whole_report = _find(table, key)
    masters = [user.username for user in selectors.game_masters(table.campaign, table.places)]
    site = request.build_absolute_uri("/").rstrip("/")
    how = posts_reports.template(table.campaign)
    own_words = posts_reports.flavour(table.campaign, key)
    tone = choice.tone or how.tone
    dressed = posts_reports.dressed(
        table.campaign, item, whole_report, site, how._replace(tone=tone), own_words, masters
    )
    context = Context({seat.key: seat.info.colour for seat in table.seats})
    board = DIALECTS[choice.dialect]
    colours = context.colours if board.colours else {}
    parts = board.parts(dressed, context)
    texts = [board.text(part, context) for part in parts]
    picture = preview_picture(dressed)
    unseen = (
        not picture
        and not picture_allowed(table.campaign)
        and bool(pictured(table.campaign, item, whole_report))
    )
    return {
        "item": item,
        "report": dressed,
        "board": board,
        "posts": [
            {
                "text": _marked(text) if board.key in ("phpbb", "mybb") else text,
                "count": board.weight(text),
                "look": (
                    preview_letter(text)
                    if board.key == "plain"
                    else preview_post(part, colours, board.tables)
                ),
            }
            for part, text in zip(parts, texts, strict=True)
        ],
        "limit": board.limit,
        "plain": DIALECTS["plain"].text(dressed, context) + "\n",
        "picture_url": picture,
        "picture_unseen": unseen,
        "said": own_words,
        "own_words_number": own_words.number if own_words.before or own_words.after else None,
        "tone": tone,
    }


def _marked(post: str) -> SafeString:
    """BBCode with its tags set off. The text is the post to the letter: it is what is copied."""
    return SafeString(TAG.sub(r'<span class="tag">\1</span>', escape(post)))


# What stands in every report of a campaign: tone, subject, greeting, signature, parts and their
# order, in each language.

LAST = "address"
"""The part whose place is the end."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def tone(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?language=` says of which one; by default the reader's."""
    table.must_be_host()
    asked = (request.POST if request.method == "POST" else request.GET).get("language", "")
    language = asked if asked in LANGUAGES else translation.get_language() or LANGUAGES[0]
    with speaking(table, language):
        how = posts_reports.template(table.campaign)
    if request.method == "POST":
        how = _typed(request.POST)
        try:
            writing.set_template(
                table.campaign,
                request.user,
                language,
                tone=how.tone,
                subject=how.subject,
                greeting=how.greeting,
                signature=how.signature,
                parts=how.order,
            )
        except writing.Wrong as wrong:
            return _page(request, table, language, how, wrong)
        messages.success(request, _("This is how the reports will read."))
        return see_other(f"{table.url('report_tone')}?language={language}")
    return _page(request, table, language, how, None)


def _typed(posted: QueryDict) -> posts_reports.Template:
    """What the form says; parts in the order of their numbers, those without a tick left out."""
    places = {part: posted.get(f"place-{part}", "") for part in posts_reports.PARTS}
    shown = [
        part
        for part in posts_reports.PARTS
        if part in posts_reports.NEEDED or f"show-{part}" in posted
    ]
    number = {
        part: int(at) if at.isascii() and at.isdigit() and len(at) < 3 else 99
        for part, at in places.items()
    }
    order = sorted(
        shown, key=lambda part: (part == LAST, number[part], list(posts_reports.PARTS).index(part))
    )
    subject, greeting, signature = (
        posted.get(name, "").replace("\r\n", "\n") for name in ("subject", "greeting", "signature")
    )
    return posts_reports.Template(
        posted.get("tone", ""), subject, greeting, signature, tuple(order)
    )


def _page(
    request: HttpRequest,
    table: TableContext,
    language: str,
    how: posts_reports.Template,
    wrong: writing.Wrong | None,
) -> HttpResponse:
    order = [part for part in how.order if part in posts_reports.PARTS]
    rows: list[dict[str, Any]] = [
        {
            "key": part,
            "name": posts_reports.PARTS[part],
            "needed": part in posts_reports.NEEDED,
            "shown": part in how.order,
            "place": n,
        }
        for n, part in enumerate(
            [*order, *(part for part in posts_reports.PARTS if part not in order)], 1
        )
    ]
    rows.sort(key=lambda row: row["key"] == LAST)
    context = {
        "how": how,
        "rows": rows,
        "places": range(1, len(rows)),
        "last": LAST,
        "language": language,
        "wrong": wrong,
        "tongue": dict(languages())[language],
        "tongues": [(name, code, code == language) for code, name in languages()],
        "tones": [(code, *str(name).split(": ", 1)) for code, name in posts_reports.TONES.items()],
        "placeholders": [
            (f"{{{name}}}", meaning) for name, meaning in posts_reports.NAMES_OF_PARTS.items()
        ],
        "most_subject": writing.SUBJECT,
        "most_text": writing.TEXT,
        "reports_url": table.url("reports"),
    }
    return show(
        request,
        table,
        "forum/report_tone.html",
        context,
        here="reports",
        status=400 if wrong else 200,
    )


# What a report shows of the site: the picture of the map, the rules and what is played otherwise.
#
# Which reports a table has, set-up sheets among them: `table` is a `TableContext`, or anything with
# its `campaign`, `scenario`, `rows` and `seats`.

PICTURED = frozenset({"opening", "turn", "standings", "final", "battle", "result"})
SINGLE = re.compile(r"setup-([1-9][0-9]{0,8})", re.ASCII)


def contents(table: Any) -> list[Contents]:
    """Every report there is, the latest turn first."""
    own = extras(table.campaign.title, "battle")
    return sorted(
        [*posts_reports.contents(table.campaign), *(own.sheets(table) if own else ())],
        key=lambda item: -item.turn,
    )


def report_by_key(table: Any, key: str) -> tuple[Contents, Report] | None:
    """The report of this key, in the language of now; None where there is none."""
    own, single = extras(table.campaign.title, "battle"), SINGLE.fullmatch(key)
    if single is None:
        return posts_reports.report_with_line(table.campaign, key, table.seats)
    sheet = own.sheet(table, int(single[1])) if own else None
    if own is None or sheet is None:
        return None
    return next(item for item in own.sheets(table) if item.key == key), sheet


def parts(
    campaign: Campaign, item: Contents, report_told: Report, site: str
) -> dict[str, Sequence[Block]]:
    """The parts `picture`, `rules` and `forecast` of a report, in the language of now."""
    parts_here: dict[str, Sequence[Block]] = {}
    if site and picture_allowed(campaign) and (picture := pictured(campaign, item, report_told)):
        where = site + reverse(
            "map_picture_at", args=[campaign.address, report_told.last, get_language() or "en"]
        )
        parts_here["picture"] = [Paragraph((Span(picture, picture=where),))]
    if item.turn <= 1 and posts_reports.opens(campaign, item):
        where = (
            site + reverse("campaign_rules", args=[campaign.address])
            if site and rulebook.rules_text(campaign.title)
            else ""
        )
        parts_here["rules"] = posts_reports.rules_of(
            positions.plays(campaign), where, house_rules(campaign)
        )
    whole = item.kind in posts_reports.WHOLE and item.complete
    if (
        whole
        and forecasts.reported(campaign)
        and (chapter := practice.chapter(campaign, item.turn))
    ):
        parts_here["forecast"] = chapter
    return parts_here


def picture_allowed(campaign: Campaign) -> bool:
    """Does a board that asks for a picture of this campaign get it?"""
    return bool(campaign.visibility != Campaign.Visibility.MEMBERS)


def pictured(campaign: Campaign, item: Contents, report_told: Report) -> str:
    """What is on the picture of the map that goes with this report; empty where none does."""
    if item.kind not in PICTURED or not report_told.last or not titles.draws(campaign):
        return ""
    at = images.place(campaign, report_told.last)
    return images.caption(campaign, at) if at is not None else ""


def picture_waits(campaign: Campaign, kind: str, number: int | None, language: str) -> bool:
    """Is the picture in a report of this kind, whose last entry this is, still to be drawn? Then
    the worker is asked for it: a report is copied when its picture is there.
    """
    if kind not in PICTURED or not number or not picture_allowed(campaign):
        return False
    with posts_reports.speaking(language):
        return images.wanted_soon(campaign, number)


def house_rules(campaign: Campaign) -> list[tuple[str, str, str, str]]:
    """What is played otherwise: which rule, how it is here, how it is usually, its paragraph."""
    rules = titles.house_rules(
        campaign.title, positions.scenario(campaign), positions.options(campaign)
    )
    return [(str(one.name), str(one.here), str(one.usual), str(one.rule)) for one in rules]


def drawing(title: Title, scenario: Mapping[str, Any]) -> str:
    """The drawing that is shipped with a scenario, as JSON; empty where none is."""
    part = extras(title.key, "shown")
    return str(part.drawing_of(scenario)) if part else ""


# A report as a board will show it: the preview beside the text that is copied.

MARKUP = re.compile("[&<>\"']")

# A report has thousands of pieces: each is escaped as it is joined, and the whole is marked as safe
# once.


def preview_post(report_told: Report, colours: Mapping[str, str], tables: bool) -> SafeString:
    """The blocks as a forum shows them: with `colours` of the seats, if it has any; `tables` says
    whether it has these.
    """
    return SafeString("\n".join(_block(block, colours, tables) for block in report_told.blocks))


def preview_letter(text: str) -> SafeString:
    """Plain text as a letter shows it."""
    return SafeString(f'<pre class="post__plain">{escape(text)}</pre>')


def preview_picture(report_told: Report) -> str:
    """The address of the picture in a report; empty where it has none."""
    spans = (
        span for block in report_told.blocks if isinstance(block, Paragraph) for span in block.spans
    )
    return next((span.picture for span in spans if span.picture), "")


def languages() -> list[tuple[str, str]]:
    """The languages in which a report may be read, each with its own name."""
    return [(code, name) for code, name in settings.LANGUAGES]


def _block(block: Block, colours: Mapping[str, str], tables: bool) -> str:
    if isinstance(block, Table):
        return (
            _table(block)
            if tables
            else f'<code tabindex="0">{escape(chr(10).join(rows_of(block)))}</code>'
        )
    if isinstance(block, Bullets):
        return (
            "<ul>" + "".join(f"<li>{_spans(item, colours)}</li>" for item in block.items) + "</ul>"
        )
    inside = _spans(block.spans, colours)
    if isinstance(block, Heading):
        return f'<p class="is-title-{block.level}"><b>{inside}</b></p>'
    return f'<p class="is-small">{inside}</p>' if block.small else f"<p>{inside}</p>"


def _table(table: Table) -> str:
    head = "".join(
        f"<th>{escape(clean(cell))}</th>" if cell else "<td></td>" for cell in table.head
    )
    rows = ("".join(f"<td>{escape(clean(cell))}</td>" for cell in row) for row in table.rows)
    parts = (f"<tr>{row}</tr>" for row in (head, *rows))
    return f'<div class="post__table" tabindex="0"><table>{"".join(parts)}</table></div>'


def _spans(spans: Spans, colours: Mapping[str, str]) -> str:
    return "".join(_span(span, colours) for span in spans)


def _span(span: Span, colours: Mapping[str, str]) -> str:
    """A piece of a line as HTML; its text and its address are whoever's, its colour is
    `readable`.
    """
    text = clean(span.text)
    if MARKUP.search(text):
        text = escape(text)
    if span.picture:
        shown = f'<img src="{escape(span.picture)}" alt="{text}" loading="lazy">'
        return (
            f'<a href="{escape(span.picture)}">{shown}</a><br><span class="is-small">{text}</span>'
        )
    if span.link:
        text = f'<a href="{escape(span.link)}">{text}</a>'
    if span.italic:
        text = f"<i>{text}</i>"
    colour = readable(colours.get(span.seat, "")) if span.seat else ""
    if colour:
        return f'<b style="color:{colour}">{text}</b>'
    return f"<b>{text}</b>" if span.bold or span.seat else text
