"""What is told: reports, where they were posted, what others wrote there."""

from __future__ import annotations

from typing import Any

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

from api import base
from api.base import Here, OfCampaign, written
from campaign import hooks
from campaign.log import selectors
from engine.language import LANGUAGES
from forum import reading
from forum.dialects import DEFAULT, DIALECTS, Context
from forum.models import HeardPost, Post
from forum.posts import outbox as posting
from forum.posts import render, reports
from games.contract.report import Block, Bullets, Contents, Heading, Paragraph, Span, Spans


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
    """`heading` and `paragraph` have one line, `bullets` several; a `table` has `head` and `rows`."""

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
    posts = PartTold(many=True, help_text="The report as the dialect writes it, in as many posts as it takes.")
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


# What is told: reports in every dialect and language, where they were posted, what others wrote there.


def _choice(name: str, values: list[str], says: str) -> OpenApiParameter:
    return OpenApiParameter(name, {"type": "string", "enum": values}, description=says)


HOW = [
    _choice("dialect", list(DIALECTS), "In which it is written; phpBB's by default."),
    _choice("language", list(LANGUAGES), "In which it is told; that of `Accept-Language` by default."),
    _choice("tone", list(render.TONES), "In place of the one that the game master chose."),
]


class ReportsView(OfCampaign):
    @extend_schema(summary="The reports there are", responses=Reports)
    def get(self, request: Request, ref: str) -> Response:
        """The latest turn first."""
        contents = hooks.reports(self.here)
        dialects = [{"key": one.key, "name": one.name, "limit": one.limit} for one in DIALECTS.values()]
        results = [report_row(self.here, item) for item in contents]
        return self.answer(Reports, {"results": results, "dialects": dialects, "languages": list(LANGUAGES)})


class ReportView(OfCampaign):
    @extend_schema(summary="One report", responses=ReportWhole, parameters=HOW)
    def get(self, request: Request, ref: str, key: str) -> Response:
        """As blocks, and as the dialect writes it: what the page shows, with the game master's own words in it."""
        here, asked = self.here, {one.name: request.GET.get(one.name) for one in HOW}
        for name, values in (("dialect", DIALECTS), ("language", LANGUAGES), ("tone", render.TONES)):
            if asked[name] is not None and asked[name] not in values:
                raise ValidationError({name: [", ".join(values)]})
        language = asked["language"] or translation.get_language() or LANGUAGES[0]
        dialect = DIALECTS[asked["dialect"] or DEFAULT]
        masters = [user.username for user in selectors.game_masters(here.campaign, here.places)]
        with reports.speaking(language):
            there = Here(here.campaign, here.user, here.access)  # names in the report's language
            there.places = here.places
            pair = hooks.report(there, key)
            if pair is None:
                raise Http404
            item, report_told = pair
            tone = asked["tone"] or render.template(here.campaign).tone
            site = request.build_absolute_uri("/").rstrip("/")
            dressed = render.dress(here.campaign, item, report_told, site, tone, masters)
            context = Context({seat.key: seat.info.colour for seat in there.seats})
            parts = [(part.title, dialect.text(part, context)) for part in dialect.parts(dressed, context)]
        whole = {
            **report_row(here, item), "title": dressed.title, "dialect": dialect.key, "language": language, "tone": tone,
            "first": report_told.first, "last": report_told.last, "blocks": [block(one) for one in dressed.blocks],
            "posts": [{"subject": subject, "text": text, "weight": dialect.weight(text)} for subject, text in parts],
            "receipts": [
                {"permalink": one.permalink, "posted_at": one.posted_at, "state": one.state}
                for one in posting.receipts(here.campaign, key)
            ],
        }  # fmt: skip
        return self.answer(ReportWhole, whole)


def report_row(here: Here, item: Contents) -> dict[str, Any]:
    return {
        "key": item.key, "kind": item.kind, "name": item.name, "turn": item.turn, "complete": item.complete,
        "url": reverse("api:report", args=[here.campaign.address, item.key]),
    }  # fmt: skip


def block(one: Block) -> dict[str, Any]:
    facts: dict[str, Any] = {"kind": "table", "level": 0, "lines": [], "head": [], "rows": []}
    if isinstance(one, Heading):
        return {**facts, "kind": "heading", "level": one.level, "lines": [spans(one.spans)]}
    if isinstance(one, Paragraph):
        return {**facts, "kind": "paragraph", "lines": [spans(one.spans)]}
    if isinstance(one, Bullets):
        return {**facts, "kind": "bullets", "lines": [spans(item) for item in one.items]}
    return {**facts, "head": list(one.head), "rows": [list(row) for row in one.rows]}


def spans(some: Spans) -> list[dict[str, Any]]:
    return [span(one) for one in some]


def span(one: Span) -> dict[str, Any]:
    return {**one._asdict(), "text": str(one.text)}


class HeardView(OfCampaign):
    @extend_schema(summary="What others wrote where the campaign is told", responses=HeardPage, parameters=base.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """For who sits at the table: the newest first, of the places that are shown to the players."""
        if not self.here.access.member:
            raise PermissionDenied(_("Only people who sit at this table read this page."))
        rows = reading.of_campaign(self.here.campaign, everything=self.here.access.host)
        return base.page(request, rows, lambda some: written(HeardLine, [heard_line(one) for one in some]))


def heard_line(one: HeardPost) -> dict[str, Any]:
    return {
        "thread": one.thread.name, "author": one.author, "at": one.said_at or one.heard_at, "text": one.text,
        "permalink": one.permalink, "ours": one.ours, "report": one.post.report if one.post else None,
    }  # fmt: skip
