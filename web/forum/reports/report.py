"""One report: as a board shows it, as text to copy, and with the game master's own text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.http import Http404, HttpRequest
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.log import selectors
from forum.dialects import DIALECTS, Context, Dialect
from forum.models import Post
from forum.posts import all_reports, report_parts, reports
from forum.posts import outbox as posting
from forum.posts.outbox import OutboxReport
from games.contract.report import Contents, Report
from people import services as people_services
from web import titles
from web.forum.common import Tab, language_names, size_of
from web.forum.posts.rows import outbox_row
from web.forum.reports import preview
from web.forum.reports.forms import Choice, WordsForm
from web.forum.reports.page import has_outbox
from web.frame.chip import Chip
from web.frame.table import TableContext
from web.templatetags.tabula import put

PLAIN = "plain"
"""The key of the dialect without markup."""
BBCODE = frozenset({"phpbb", "mybb"})
"""The keys of the dialects whose tags the page highlights."""


@dataclass(frozen=True, slots=True)
class WrittenReport:
    """A report in its own language, without the sentences of the page about it."""

    item: Contents
    report: Report
    posts: list[WrittenPost]
    plain_text: str
    tone: str
    own_words: reports.Comment
    hides_picture: bool

    @property
    def chapters(self) -> list[str]:
        """The headings; empty if there is only one."""
        headings = preview.chapters(self.report)
        return headings if len(headings) > 1 else []


class WrittenPost(NamedTuple):
    """One post of a report: its text, its size for the board, and a preview."""

    text: str
    weight: int
    look: SafeString


@dataclass(frozen=True, slots=True)
class PostPreview:
    """One post of the report, with the sentences about it."""

    text: str
    look: SafeString
    look_heading: str
    text_heading: str
    copy_label: str
    size: str


@dataclass(frozen=True, slots=True)
class OutboxLink:
    """A link to the post of this report, if it has not been posted yet."""

    url: str
    icon: str
    text: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """The place and the time at which the report was posted."""

    permalink: str
    posted_at: datetime
    chip: Chip | None


@dataclass(frozen=True, slots=True)
class OwnWords:
    """The form for the game master's own text in this report."""

    form: WordsForm
    choice: Choice
    tone_tabs: list[Tab]
    template_url: str


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A report with its links and buttons."""

    name: str
    home: Tab
    position: str
    """The turn and the entries of the report."""
    chip: Chip
    extent: str
    choice: Choice
    posts: list[PostPreview]
    plain_text: str
    """The text without tags; empty if the chosen dialect is plain text."""
    waits_for_picture: bool
    outbox_link: OutboxLink | None
    post_url: str
    dialect_tabs: list[Tab]
    language_tabs: list[Tab]
    picture_url: str
    hides_picture: bool
    history_url: str
    receipts: list[Receipt]
    chapters: list[str]
    reportable_words: int | None
    """The number under which a reader can report the game master's text; None if there is none."""
    own_words: OwnWords | None

    @property
    def is_plain(self) -> bool:
        return self.choice.dialect == PLAIN

    @property
    def copy_now_url(self) -> str:
        """The address for copying the report before its picture is drawn."""
        return f"{self.choice.query()}&now=1"


def report_page(
    request: HttpRequest,
    table: TableContext,
    key: str,
    choice: Choice,
    form: WordsForm | None = None,
    *,
    is_impatient: bool = False,
) -> ReportPage:
    """Return the page of a report. `form` contains the game master's text if it was refused.

    An impatient reader does not wait for the picture. Raises `Http404`.
    """
    with table_in_language(table, choice.language) as other_table:
        written = written_report(request, other_table, key, choice)
    item, report, board = written.item, written.report, DIALECTS[choice.dialect]
    waits = not is_impatient and all_reports.picture_waits(
        table.campaign, item.kind, report.last, choice.language
    )
    posts_it = (
        table.host
        and not people_services.is_guest(table.user)
        and not all_reports.SETUP_KEY.fullmatch(key)
    )
    outbox = posting.outbox_reports(table.campaign, report=key) if has_outbox(table) else None
    shows_history = report.last and titles.remembers(table)
    return ReportPage(
        name=name_of(table, item, choice.language),
        home=home_of(table),
        position=position_of(item, report),
        chip=Chip(pgettext("state", "complete"), "good")
        if item.complete
        else Chip(pgettext("state", "still running"), "warn"),
        extent=extent_of(item),
        choice=choice,
        posts=post_previews(board, written.posts),
        plain_text="" if choice.dialect == PLAIN else written.plain_text,
        waits_for_picture=waits,
        outbox_link=outbox_link(table, outbox),
        post_url=f"{table.url('posts')}?report={key}#h-draft" if posts_it else "",
        dialect_tabs=dialect_tabs(choice),
        language_tabs=language_tabs(choice),
        picture_url=preview.picture_address(report),
        hides_picture=written.hides_picture,
        history_url=f"{table.url('history')}?at={report.last}" if shows_history else "",
        receipts=receipts(table, key, outbox),
        chapters=written.chapters,
        reportable_words=reportable_words(table, written.own_words),
        own_words=own_words(table, written, choice, form) if table.host else None,
    )


# The report in its own language


@contextmanager
def table_in_language(table: TableContext, language: str) -> Iterator[TableContext]:
    """Yield the table with names in this language, while the language is active."""
    if language == translation.get_language():
        yield table
        return
    with reports.in_language(language):
        other = TableContext(table.request, table.campaign, table.access, notes=table.notes)
        other.memberships, other.places = table.memberships, table.places
        yield other


def report_or_404(
    table: TableContext, key: str, tone: str = reports.DEFAULT
) -> tuple[Contents, Report]:
    """Return the report of this key in the current language. Raises `Http404`."""
    pair = all_reports.report_by_key(table, key, table.memberships, tone)
    if pair is None:
        raise Http404
    return pair


def written_report(
    request: HttpRequest, table: TableContext, key: str, choice: Choice
) -> WrittenReport:
    """Return the report in its dialect and in the current language."""
    campaign = table.campaign
    template, own_words = reports.template_and_comment(campaign, key)
    tone = choice.tone or template.tone
    item, bare = report_or_404(table, key, tone)
    masters = [user.username for user in selectors.game_masters(campaign, table.places)]
    site = request.build_absolute_uri("/").rstrip("/")
    report = reports.full_report(
        campaign, item, bare, site, template._replace(tone=tone), own_words, masters
    )
    context = Context({seat.key: seat.info.colour for seat in table.seats})
    shows_picture = preview.picture_address(report) or report_parts.allows_picture(campaign)
    caption = "" if shows_picture else report_parts.picture_caption(campaign, item, bare)
    return WrittenReport(
        item=item,
        report=report,
        posts=written_posts(DIALECTS[choice.dialect], report, context),
        plain_text=DIALECTS[PLAIN].text(report, context) + "\n",
        tone=tone,
        own_words=own_words,
        hides_picture=bool(caption),
    )


def written_posts(board: Dialect, report: Report, context: Context) -> list[WrittenPost]:
    """Return the posts into which a report is divided on a board."""
    colours = context.colours if board.colours else {}
    posts = []
    for part in board.parts(report, context):
        text = board.text(part, context)
        is_text = board.key == PLAIN
        look = preview.letter(text) if is_text else preview.board_post(part, colours, board.tables)
        shown = preview.bbcode(text) if board.key in BBCODE else text
        posts.append(WrittenPost(shown, board.weight(text), look))
    return posts


# Sentences about the report


def name_of(table: TableContext, item: Contents, language: str) -> str:
    """Return the report's name in the reader's language."""
    if language == translation.get_language():
        return item.name
    return all_reports.name_of(table, item)


def home_of(table: TableContext) -> Tab:
    """Return the link to the outbox for readers who have one, or else to the reports."""
    if has_outbox(table):
        return Tab(pgettext("tab", "Outbox"), table.url("posts"), is_open=False)
    return Tab(pgettext("tab", "Reports"), table.url("reports"), is_open=False)


def position_of(item: Contents, report: Report) -> str:
    """Return the report's turn and the entries that it covers."""
    turn = (
        _("turn %(number)s") % {"number": item.turn}
        if item.turn
        else pgettext("forum", "before the start")
    )
    if not report.last:
        return turn
    if report.first == report.last:
        entries = pgettext("forum", "entry %(first)s") % {"first": report.first}
    else:
        entries = _("entries %(first)s–%(last)s") % {"first": report.first, "last": report.last}
    return f"{turn} · {entries}"


def extent_of(item: Contents) -> str:
    """Return a sentence that says whether the report covers everything."""
    if item.complete:
        return _("The report covers everything that has happened.")
    return _("The report covers what has happened so far.")


def post_previews(board: Dialect, posts: list[WrittenPost]) -> list[PostPreview]:
    """Return the posts of a report with the sentences about them."""
    if len(posts) == 1:
        only = posts[0]
        return [
            PostPreview(
                text=only.text,
                look=only.look,
                look_heading=_("As it will look in the thread"),
                text_heading=str(board.short),
                copy_label=put(_("Copy for {board}"), board=board.short),
                size=size_of(board, only.weight, board.limit),
            )
        ]
    return [
        PostPreview(
            text=post.text,
            look=post.look,
            look_heading=_("As it will look, %(number)s") % {"number": number},
            text_heading=_("%(board)s, %(number)s of %(all)s")
            % {"board": board.short, "number": number, "all": len(posts)},
            copy_label=_("Copy post %(number)s") % {"number": number},
            size=size_of(board, post.weight, board.limit),
        )
        for number, post in enumerate(posts, 1)
    ]


def outbox_link(table: TableContext, outbox: Sequence[OutboxReport] | None) -> OutboxLink | None:
    """Return the link to the waiting post of this report, for a reader with an outbox.

    `outbox` has the posts of the report; None for other readers.
    """
    for group in outbox or ():
        row = outbox_row(table, group)
        if not row.is_over and not row.current.settled:
            place = _("In the outbox")
            return OutboxLink(row.url, row.icon, f"{place}: {row.state}")
    return None


def dialect_tabs(choice: Choice) -> list[Tab]:
    """Return the links to the same report in other dialects."""
    return [
        Tab(str(board.short), choice.query(dialect=board.key), board.key == choice.dialect)
        for board in DIALECTS.values()
    ]


def language_tabs(choice: Choice) -> list[Tab]:
    """Return the links to the same report in other languages."""
    return [
        Tab(name, choice.query(language=code), code == choice.language, code)
        for code, name in language_names().items()
    ]


def receipts(table: TableContext, key: str, outbox: Sequence[OutboxReport] | None) -> list[Receipt]:
    """Return the places where a report was posted, the latest first. `outbox` has its posts."""
    if outbox is None:
        posts = posting.receipts(table.campaign, key)
    else:
        posts = posting.receipts_of(outbox)
    return [receipt(post) for post in posts]


def receipt(post: Post) -> Receipt:
    """Return the place and the time of a post."""
    chip = None
    if post.state == Post.State.SUPERSEDED:
        chip = Chip(post.get_state_display())
    elif post.state == Post.State.AWAITING:
        chip = Chip(post.get_state_display(), "warn")
    assert post.posted_at is not None
    return Receipt(post.permalink, post.posted_at, chip)


def reportable_words(table: TableContext, own_words: reports.Comment) -> int | None:
    """Return the number of the game master's text; None for a host, or if there is no text."""
    has_words = own_words.before or own_words.after
    return own_words.number if has_words and not table.host else None


def own_words(
    table: TableContext, written: WrittenReport, choice: Choice, form: WordsForm | None
) -> OwnWords:
    """Return the form for the game master's own text."""
    stored = {"before": written.own_words.before, "after": written.own_words.after}
    return OwnWords(
        form=form or WordsForm(initial=stored),
        choice=choice,
        tone_tabs=[
            Tab(str(name), choice.query(tone=key), key == written.tone)
            for key, name in reports.TONES.items()
        ],
        template_url=f"{table.url('report_tone')}?language={choice.language}",
    )
