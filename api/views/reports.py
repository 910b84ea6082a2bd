"""What is told: reports in every dialect and language, where they were posted, what others wrote there."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.serializers import reports as form
from api.views.base import Here, OfCampaign, by_pages, written
from campaign import selectors
from engine.language import LANGUAGES
from engine.report import Block, Bullets, Contents, Heading, Paragraph, Span, Spans
from forum import dressing, heard, telling, tones
from forum import selectors as posting
from forum.dialects import DEFAULT, DIALECTS, Context
from forum.models import HeardPost


def _choice(name: str, values: list[str], says: str) -> OpenApiParameter:
    return OpenApiParameter(name, {"type": "string", "enum": values}, description=says)


HOW = [
    _choice("dialect", list(DIALECTS), "In which it is written; phpBB's by default."),
    _choice("language", list(LANGUAGES), "In which it is told; that of `Accept-Language` by default."),
    _choice("tone", list(tones.TONES), "In place of the one that the game master chose."),
]


class ReportsView(OfCampaign):
    @extend_schema(summary="The reports there are", responses=form.Reports)
    def get(self, request: Request, ref: str) -> Response:
        """The latest turn first."""
        found = by_pages("reports")(self.here)
        dialects = [{"key": one.key, "name": one.name, "limit": one.limit} for one in DIALECTS.values()]
        results = [line(self.here, item) for item in found]
        return self.told(form.Reports, {"results": results, "dialects": dialects, "languages": list(LANGUAGES)})


class ReportView(OfCampaign):
    @extend_schema(summary="One report", responses=form.ReportWhole, parameters=HOW)
    def get(self, request: Request, ref: str, key: str) -> Response:
        """As blocks, and as the dialect writes it: what the page shows, with the game master's own words in it."""
        here, asked = self.here, {one.name: request.GET.get(one.name) for one in HOW}
        for name, values in (("dialect", DIALECTS), ("language", LANGUAGES), ("tone", tones.TONES)):
            if asked[name] is not None and asked[name] not in values:
                raise ValidationError({name: [", ".join(values)]})
        language = asked["language"] or translation.get_language() or LANGUAGES[0]
        dialect = DIALECTS[asked["dialect"] or DEFAULT]
        masters = [user.username for user in selectors.game_masters(here.campaign, here.places)]
        with telling.speaking(language):
            there = Here(here.campaign, here.user, here.access)  # names in the report's language
            there.places = here.places
            found = by_pages("report")(there, key)
            if found is None:
                raise Http404
            item, told = found
            tone = asked["tone"] or dressing.template(here.campaign).tone
            site = request.build_absolute_uri("/").rstrip("/")
            dressed = dressing.dress(here.campaign, item, told, site, tone, masters)
            context = Context({seat.key: seat.info.colour for seat in there.seats})
            parts = [(part.title, dialect.text(part, context)) for part in dialect.parts(dressed, context)]
        whole = {
            **line(here, item), "title": dressed.title, "dialect": dialect.key, "language": language, "tone": tone,
            "first": told.first, "last": told.last, "blocks": [block(one) for one in dressed.blocks],
            "posts": [{"subject": subject, "text": text, "weight": dialect.weight(text)} for subject, text in parts],
            "receipts": [
                {"permalink": one.permalink, "posted_at": one.posted_at, "state": one.state}
                for one in posting.receipts(here.campaign, key)
            ],
        }  # fmt: skip
        return self.told(form.ReportWhole, whole)


def line(here: Here, item: Contents) -> dict[str, Any]:
    return {
        "key": item.key, "kind": item.kind, "name": item.name, "turn": item.turn, "complete": item.complete,
        "url": reverse("api:report", args=[here.campaign.address, item.key]),
    }  # fmt: skip


def block(one: Block) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": "table", "level": 0, "lines": [], "head": [], "rows": []}
    if isinstance(one, Heading):
        return {**made, "kind": "heading", "level": one.level, "lines": [spans(one.spans)]}
    if isinstance(one, Paragraph):
        return {**made, "kind": "paragraph", "lines": [spans(one.spans)]}
    if isinstance(one, Bullets):
        return {**made, "kind": "bullets", "lines": [spans(item) for item in one.items]}
    return {**made, "head": list(one.head), "rows": [list(row) for row in one.rows]}


def spans(some: Spans) -> list[dict[str, Any]]:
    return [span(one) for one in some]


def span(one: Span) -> dict[str, Any]:
    return {**one._asdict(), "text": str(one.text)}


class HeardView(OfCampaign):
    @extend_schema(summary="What others wrote where the campaign is told", responses=form.HeardPage, parameters=pages.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """For who sits at the table: the newest first, of the places that are shown to the players."""
        if not self.here.access.member:
            raise PermissionDenied(_("Only who sits at this table reads this page."))
        found = heard.of_campaign(self.here.campaign, everything=self.here.access.host)
        return pages.page(request, found, lambda some: written(form.HeardLine, [heard_line(one) for one in some]))


def heard_line(one: HeardPost) -> dict[str, Any]:
    return {
        "thread": one.thread.name, "author": one.author, "at": one.said_at or one.heard_at, "text": one.text,
        "permalink": one.permalink, "ours": one.ours, "report": one.post.report if one.post else None,
    }  # fmt: skip
