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
from api.base import Here, OfCampaign
from campaign.log import selectors
from engine.language import LANGUAGES
from forum import dialects, reading
from forum.dialects import DEFAULT, DIALECTS, Context
from forum.models import ImportedPost, Post
from forum.posts import all_reports, outbox, reports
from games.contract.report import (
    Block,
    Bullets,
    Contents,
    Heading,
    Paragraph,
    Report,
    Span,
    Spans,
)


class ReportLine(s.Serializer):
    """A report that there is."""

    key = s.CharField()
    kind = s.CharField()
    name = s.CharField()
    turn = s.IntegerField()
    complete = s.BooleanField(help_text="Has all of it happened?")
    url = s.CharField()


class Dialect(s.Serializer):
    key = s.CharField()
    name = s.CharField()
    limit = s.IntegerField(help_text="Most of one post.")


class Reports(s.Serializer):
    results = ReportLine(many=True)
    dialects = Dialect(many=True)
    languages = s.ListField(child=s.CharField())


class SpanTold(s.Serializer):
    """A piece of a line."""

    text = s.CharField(allow_blank=True)
    bold = s.BooleanField()
    italic = s.BooleanField()
    seat = s.CharField(allow_blank=True, help_text="The seat that it names.")
    link = s.CharField(allow_blank=True)
    picture = s.CharField(allow_blank=True)


class BlockTold(s.Serializer):
    """`heading` and `paragraph` have one line, `bullets` several; a `table` has `head` and
    `rows`.
    """

    kind = s.ChoiceField(["heading", "paragraph", "bullets", "table"])
    level = s.IntegerField(help_text="Of a heading, 1 to 3; else 0.")
    lines = s.ListField(child=SpanTold(many=True))
    head = s.ListField(child=s.CharField(allow_blank=True))
    rows = s.ListField(child=s.ListField(child=s.CharField(allow_blank=True)))


class PartTold(s.Serializer):
    """What goes into one post."""

    subject = s.CharField()
    text = s.CharField()
    weight = s.IntegerField(help_text="As the dialect counts its limit.")


class PostReceipt(s.Serializer):
    """Where it stands."""

    permalink = s.CharField(allow_blank=True)
    posted_at = s.DateTimeField()
    state = s.ChoiceField(Post.State.choices)


class ReportWhole(ReportLine):
    title = s.CharField()
    dialect = s.CharField()
    language = s.CharField()
    tone = s.CharField()
    first = s.IntegerField(help_text="The first entry it tells of; 0 where it tells of none.")
    last = s.IntegerField()
    blocks = BlockTold(many=True)
    posts = PartTold(
        many=True, help_text="The report as the dialect writes it, in as many posts as it takes."
    )
    receipts = PostReceipt(many=True)


class HeardLine(s.Serializer):
    """A post of somebody's where the campaign is told."""

    thread = s.CharField()
    author = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    text = s.CharField(allow_blank=True)
    permalink = s.CharField(allow_blank=True)
    ours = s.BooleanField()
    report = s.CharField(allow_null=True, help_text="The report that it is, or quotes.")


class HeardPage(s.Serializer):
    results = HeardLine(many=True)
    next = s.CharField(allow_null=True)


# Facts for the serializers. `Dialect` and `PostReceipt` write those of the domain.


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
    """The facts of `SpanTold`."""

    text: str
    bold: bool
    italic: bool
    seat: str
    link: str
    picture: str


@dataclass(frozen=True, slots=True)
class BlockFacts:
    """The facts of `BlockTold`."""

    kind: str
    level: int = 0
    lines: Sequence[Sequence[SpanFacts]] = ()
    head: Sequence[str] = ()
    rows: Sequence[Sequence[str]] = ()


@dataclass(frozen=True, slots=True)
class PartFacts:
    """The facts of `PartTold`."""

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
class HeardFacts:
    """The facts of `HeardLine`."""

    thread: str
    author: str
    at: datetime
    text: str
    permalink: str
    ours: bool
    report: str | None


def choice(name: str, values: Iterable[str], description: str) -> OpenApiParameter:
    """Return a parameter of an address that has one of these values."""
    return OpenApiParameter(name, {"type": "string", "enum": list(values)}, description=description)


CHOICES = [
    choice("dialect", DIALECTS, "In which it is written; phpBB's by default."),
    choice("language", LANGUAGES, "In which it is told; that of `Accept-Language` by default."),
    choice("tone", reports.TONES, "In place of the one that the game master chose."),
]


class ReportsView(OfCampaign):
    @extend_schema(summary="The reports there are", responses=Reports)
    def get(self, request: Request, ref: str) -> Response:
        """The latest turn first."""
        facts = ReportsFacts(
            results=[report_facts(self.here, item) for item in all_reports.contents(self.here)],
            dialects=list(DIALECTS.values()),
            languages=list(LANGUAGES),
        )
        return self.answer(Reports, facts)


class ReportView(OfCampaign):
    @extend_schema(summary="One report", responses=ReportWhole, parameters=CHOICES)
    def get(self, request: Request, ref: str, key: str) -> Response:
        """As blocks, and as the dialect writes it: what the page shows, with the game master's own
        words in it.
        """
        choices = choices_asked(request)
        site = request.build_absolute_uri("/").rstrip("/")
        return self.answer(ReportWhole, whole_report_facts(self.here, key, choices, site))


class Choices(NamedTuple):
    """Dialect, language and tone that an address asks for; None for the usual tone."""

    dialect: dialects.Dialect
    language: str
    tone: str | None


def choices_asked(request: Request) -> Choices:
    """Return what an address asks for. Raises `ValidationError`."""
    dialect = chosen(request, "dialect", DIALECTS)
    language = chosen(request, "language", LANGUAGES)
    tone = chosen(request, "tone", reports.TONES)
    return Choices(
        dialect=DIALECTS[dialect or DEFAULT],
        language=language or translation.get_language() or LANGUAGES[0],
        tone=tone,
    )


def chosen(request: Request, name: str, values: Iterable[str]) -> str | None:
    """Return one of these values; None if the address says nothing. Raises `ValidationError`."""
    value = request.GET.get(name)
    if value is not None and value not in values:
        raise ValidationError({name: [", ".join(values)]})
    return value


def whole_report_facts(here: Here, key: str, choices: Choices, site: str) -> ReportWholeFacts:
    """Return a report in the language and the dialect of these choices. Raises `Http404`."""
    with reports.speaking(choices.language):
        speaking = Here(here.campaign, here.user, here.access)
        speaking.places = here.places  # names in the report's language
        report = all_reports.report_by_key(speaking, key)
        if report is None:
            raise Http404
        contents, bare = report
        tone = choices.tone or reports.template(here.campaign).tone
        dressed = dressed_report(speaking, contents, bare, site, tone)
        title, blocks = dressed.title, [block_facts(block) for block in dressed.blocks]
        posts = parts_facts(speaking, dressed, choices.dialect)
    return ReportWholeFacts(
        **asdict(report_facts(here, contents)),
        title=title,
        dialect=choices.dialect.key,
        language=choices.language,
        tone=tone,
        first=bare.first,
        last=bare.last,
        blocks=blocks,
        posts=posts,
        receipts=outbox.receipts(here.campaign, contents.key),
    )


def dressed_report(here: Here, contents: Contents, bare: Report, site: str, tone: str) -> Report:
    """Return a report with the game master's own words in it."""
    masters = [user.username for user in selectors.game_masters(here.campaign, here.places)]
    return reports.dress(here.campaign, contents, bare, site, tone, masters)


def parts_facts(here: Here, report: Report, dialect: dialects.Dialect) -> list[PartFacts]:
    """Return a report as a dialect writes it, in as many posts as it takes."""
    context = Context({seat.key: seat.info.colour for seat in here.seats})
    facts = []
    for part in dialect.parts(report, context):
        text = dialect.text(part, context)
        facts.append(PartFacts(part.title, text, dialect.weight(text)))
    return facts


def report_facts(here: Here, contents: Contents) -> ReportFacts:
    return ReportFacts(
        key=contents.key,
        kind=contents.kind,
        name=contents.name,
        turn=contents.turn,
        complete=contents.complete,
        url=reverse("api:report", args=[here.campaign.address, contents.key]),
    )


def block_facts(block: Block) -> BlockFacts:
    match block:
        case Heading():
            return BlockFacts("heading", block.level, lines=[line_facts(block.spans)])
        case Paragraph():
            return BlockFacts("paragraph", lines=[line_facts(block.spans)])
        case Bullets():
            return BlockFacts("bullets", lines=[line_facts(spans) for spans in block.items])
        case table:
            return BlockFacts("table", head=table.head, rows=table.rows)


def line_facts(spans: Spans) -> list[SpanFacts]:
    return [span_facts(span) for span in spans]


def span_facts(span: Span) -> SpanFacts:
    return SpanFacts(
        text=str(span.text),
        bold=span.bold,
        italic=span.italic,
        seat=span.seat,
        link=span.link,
        picture=span.picture,
    )


class HeardView(OfCampaign):
    @extend_schema(
        summary="What others wrote where the campaign is told",
        responses=HeardPage,
        parameters=paging.PARAMETERS,
    )
    def get(self, request: Request, ref: str) -> Response:
        """For who sits at the table: the newest first, of the places that are shown to the
        players.
        """
        if not self.here.access.member:
            raise PermissionDenied(_("Only people who sit at this table read this page."))
        posts = reading.of_campaign(self.here.campaign, everything=self.here.access.host)
        return paging.page(
            request, posts, HeardLine, lambda shown: [heard_facts(post) for post in shown]
        )


def heard_facts(post: ImportedPost) -> HeardFacts:
    return HeardFacts(
        thread=post.thread.name,
        author=post.author,
        at=post.posted_at or post.imported_at,
        text=post.text,
        permalink=post.permalink,
        ours=post.ours,
        report=post.post.report if post.post else None,
    )
