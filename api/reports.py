"""Reports in every dialect and language, the addresses of their posts, and the replies to them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import CampaignContext, CampaignResource
from campaign.log import selectors
from engine.language import LANGUAGES
from forum import dialects, reading
from forum.dialects import DEFAULT, DIALECTS, Context
from forum.models import ImportedPost, Post
from forum.posts import all_reports, outbox, reports
from games.contract.report import (
    Block,
    Bullets,
    Code,
    Contents,
    Fold,
    Heading,
    Paragraph,
    Report,
    Span,
    Spans,
)


class ReportLine(s.Serializer):
    """A report as a list shows it."""

    key = s.CharField()
    kind = s.CharField()
    name = s.CharField()
    turn = s.IntegerField()
    complete = s.BooleanField(help_text="Whether everything in it has happened.")
    url = s.CharField()


class Dialect(s.Serializer):
    """A dialect of forum markup."""

    key = s.CharField()
    name = s.CharField()
    limit = s.IntegerField(help_text="The largest size of a post.")


class Reports(s.Serializer):
    """The reports of a campaign, with the dialects and languages in which they can be read."""

    results = ReportLine(many=True)
    dialects = Dialect(many=True)
    languages = s.ListField(child=s.CharField())


class ReportSpan(s.Serializer):
    """A piece of a line with its format."""

    text = s.CharField(allow_blank=True)
    bold = s.BooleanField()
    italic = s.BooleanField()
    seat = s.CharField(allow_blank=True, help_text="The seat that the text names.")
    link = s.CharField(allow_blank=True)
    picture = s.CharField(allow_blank=True)


class ReportBlock(s.Serializer):
    """A block of a report.

    `heading` and `paragraph` have one line, `bullets` and `code` have several; a `table` has `head`
    and `rows`. A `fold` has one line, its heading; the blocks that a reader opens follow it up to
    the block `fold-end`.
    """

    kind = s.ChoiceField(["heading", "paragraph", "bullets", "table", "code", "fold", "fold-end"])
    level = s.IntegerField(help_text="The level of a heading, 1 to 3; otherwise 0.")
    lines = s.ListField(child=ReportSpan(many=True))
    head = s.ListField(child=s.CharField(allow_blank=True))
    rows = s.ListField(child=s.ListField(child=s.CharField(allow_blank=True)))


class ReportPart(s.Serializer):
    """The text of one post of a report."""

    subject = s.CharField()
    text = s.CharField()
    weight = s.IntegerField(help_text="The size, counted as for the dialect's limit.")


class PostReceipt(s.Serializer):
    """The address of a post that has been sent."""

    permalink = s.CharField(allow_blank=True)
    posted_at = s.DateTimeField()
    state = s.ChoiceField(Post.State.choices)


class ReportWhole(ReportLine):
    """A report with its text."""

    title = s.CharField()
    dialect = s.CharField()
    language = s.CharField()
    tone = s.CharField()
    first = s.IntegerField(help_text="The first entry that it reports; 0 if it reports none.")
    last = s.IntegerField()
    blocks = ReportBlock(many=True)
    posts = ReportPart(
        many=True, help_text="The report in the dialect, in as many posts as it needs."
    )
    receipts = PostReceipt(many=True)


class ForumPostLine(s.Serializer):
    """A forum post that was read in a thread of the campaign."""

    thread = s.CharField()
    author = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    text = s.CharField(allow_blank=True)
    permalink = s.CharField(allow_blank=True)
    ours = s.BooleanField()
    report = s.CharField(allow_null=True, help_text="The report that it contains or quotes.")


class ForumPostPage(s.Serializer):
    """One page of forum posts."""

    results = ForumPostLine(many=True)
    next = s.CharField(allow_null=True)


# Facts for the serializers. `Dialect` and `PostReceipt` show those of the domain.


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """The facts of `ReportLine`."""

    key: str
    kind: str
    name: str
    turn: int
    complete: bool
    url: str


@dataclass(frozen=True, slots=True)
class ReportsFacts:
    """The facts of `Reports`."""

    results: list[ReportFacts]
    dialects: list[dialects.Dialect]
    languages: list[str]


@dataclass(frozen=True, slots=True)
class SpanFacts:
    """The facts of `ReportSpan`."""

    text: str
    bold: bool
    italic: bool
    seat: str
    link: str
    picture: str


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """The facts of `ReportBlock`."""

    kind: str
    level: int = 0
    lines: Sequence[Sequence[SpanFacts]] = ()
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class PartFacts:
    """The facts of `ReportPart`."""

    subject: str
    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class ReportWholeFacts(ReportFacts):
    """The facts of `ReportWhole`."""

    title: str
    dialect: str
    language: str
    tone: str
    first: int
    last: int
    blocks: list[BlockFacts]
    posts: list[PartFacts]
    receipts: Sequence[Post]


@dataclass(frozen=True, slots=True)
class ForumPostFacts:
    """The facts of `ForumPostLine`."""

    thread: str
    author: str
    at: datetime
    text: str
    permalink: str
    ours: bool
    report: str | None


def choice(name: str, values: Iterable[str], description: str) -> OpenApiParameter:
    """Return a parameter of an address that takes one of these values."""
    return OpenApiParameter(name, {"type": "string", "enum": list(values)}, description=description)


CHOICES = [
    choice("dialect", DIALECTS, "The dialect of the posts; by default phpBB."),
    choice(
        "language", LANGUAGES, ("The language of the report; by default that of `Accept-Language`.")
    ),
    choice("tone", reports.TONES, "The tone, instead of the one that the game master has chosen."),
]


class ReportsView(CampaignResource):
    """The reports of a campaign."""

    @extend_schema(summary="Reports of a campaign", responses=Reports)
    def get(self, request: Request, ref: str) -> Response:
        """Return the reports, those of the latest turn first."""
        facts = ReportsFacts(
            results=[report_facts(self.here, item) for item in all_reports.contents(self.here)],
            dialects=list(DIALECTS.values()),
            languages=list(LANGUAGES),
        )
        return self.answer(Reports, facts)


class ReportView(CampaignResource):
    """One report."""

    @extend_schema(summary="One report", responses=ReportWhole, parameters=CHOICES)
    def get(self, request: Request, ref: str, key: str) -> Response:
        """Return a report as blocks, and as posts in a dialect.

        The content is that of the page, with the game master's own text in it.
        """
        choices = choices_asked(request)
        site = request.build_absolute_uri("/").rstrip("/")
        return self.answer(ReportWhole, whole_report_facts(self.here, key, choices, site))


class Choices(NamedTuple):
    """Dialect, language and tone of a report; None for the usual tone."""

    dialect: dialects.Dialect
    language: str
    tone: str | None


def choices_asked(request: Request) -> Choices:
    """Return the choices in the address. Raises `ValidationError`."""
    dialect = chosen(request, "dialect", DIALECTS)
    language = chosen(request, "language", LANGUAGES)
    tone = chosen(request, "tone", reports.TONES)
    return Choices(
        dialect=DIALECTS[dialect or DEFAULT],
        language=language or translation.get_language() or LANGUAGES[0],
        tone=tone,
    )


def chosen(request: Request, name: str, values: Iterable[str]) -> str | None:
    """Return the value in the address; None if there is none. Raises `ValidationError`."""
    value = request.GET.get(name)
    if value is not None and value not in values:
        raise ValidationError({name: [", ".join(values)]})
    return value


def whole_report_facts(
    here: CampaignContext, key: str, choices: Choices, site: str
) -> ReportWholeFacts:
    """Return a report in the language and the dialect of these choices. Raises `Http404`."""
    with reports.in_language(choices.language):
        speaking = CampaignContext(here.campaign, here.user, here.access)
        speaking.places = here.places  # names in the report's language
        template, comment = reports.template_and_comment(here.campaign, key)
        template = template._replace(tone=choices.tone or template.tone)
        report = all_reports.report_by_key(speaking, key, tone=template.tone)
        if report is None:
            raise Http404
        contents, bare = report
        masters = [user.username for user in selectors.game_masters(here.campaign, here.places)]
        dressed = reports.full_report(
            here.campaign, contents, bare, site, template, comment, masters
        )
        title, blocks = (
            dressed.title,
            [facts for block in dressed.blocks for facts in block_facts(block)],
        )
        posts = parts_facts(speaking, dressed, choices.dialect)
    return ReportWholeFacts(
        **asdict(report_facts(here, contents)),
        title=title,
        dialect=choices.dialect.key,
        language=choices.language,
        tone=template.tone,
        first=bare.first,
        last=bare.last,
        blocks=blocks,
        posts=posts,
        receipts=outbox.receipts(here.campaign, contents.key),
    )


def parts_facts(
    here: CampaignContext, report: Report, dialect: dialects.Dialect
) -> list[PartFacts]:
    """Return a report as posts in a dialect."""
    context = Context({seat.key: seat.info.colour for seat in here.seats})
    facts = []
    for part in dialect.parts(report, context):
        text = dialect.text(part, context)
        facts.append(PartFacts(part.title, text, dialect.weight(text)))
    return facts


def report_facts(here: CampaignContext, contents: Contents) -> ReportFacts:
    """Return a report as a list shows it."""
    return ReportFacts(
        key=contents.key,
        kind=contents.kind,
        name=contents.name,
        turn=contents.turn,
        complete=contents.complete,
        url=reverse("api:report", args=[here.campaign.address, contents.key]),
    )


def block_facts(block: Block) -> list[BlockFacts]:
    """Return a block of a report; for a fold also the blocks in it, and its end."""
    match block:
        case Heading():
            return [BlockFacts("heading", block.level, lines=[line_facts(block.spans)])]
        case Paragraph():
            return [BlockFacts("paragraph", lines=[line_facts(block.spans)])]
        case Bullets():
            return [BlockFacts("bullets", lines=[line_facts(spans) for spans in block.items])]
        case Code():
            lines = [line_facts((Span(line),)) for line in block.lines]
            return [BlockFacts("code", lines=lines)]
        case Fold():
            inside = [facts for part in block.blocks for facts in block_facts(part)]
            head = BlockFacts("fold", lines=[line_facts(block.heading)])
            return [head, *inside, BlockFacts("fold-end")]
        case table:
            return [BlockFacts("table", head=table.head, rows=table.rows)]


def line_facts(spans: Spans) -> list[SpanFacts]:
    """Return a line of a report as pieces."""
    return [span_facts(span) for span in spans]


def span_facts(span: Span) -> SpanFacts:
    """Return a piece of a line with its format."""
    return SpanFacts(
        text=str(span.text),
        bold=span.bold,
        italic=span.italic,
        seat=span.seat,
        link=span.link,
        picture=span.picture,
    )


class ForumPostsView(CampaignResource):
    """The forum posts that were read in the threads of a campaign."""

    @extend_schema(
        summary="Forum posts in the threads of a campaign",
        responses=ForumPostPage,
        parameters=paging.PARAMETERS,
    )
    def get(self, request: Request, ref: str) -> Response:
        """Return the posts, the newest first, for members of the campaign.

        Players see only the posts of threads that are shown to players.
        """
        if not self.here.access.member:
            raise PermissionDenied(_("Only members of this campaign can read this page."))
        posts = reading.replies(self.here.campaign, everything=self.here.access.host)
        return paging.page(
            request, posts, ForumPostLine, lambda shown: [forum_post_facts(post) for post in shown]
        )


def forum_post_facts(post: ImportedPost) -> ForumPostFacts:
    """Return a forum post with the report that it is or quotes."""
    return ForumPostFacts(
        thread=post.thread.name,
        author=post.author,
        at=post.posted_at or post.imported_at,
        text=post.text,
        permalink=post.permalink,
        ours=post.is_own_report,
        report=post.post.report if post.post else None,
    )
