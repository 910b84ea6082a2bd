"""Texts that are reported to the moderators of the site."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Resource, must_be_signed_in, read
from api.fields import optional_text
from api.idempotency import answer_once
from moderation import services
from moderation.models import AbuseReport, Kind

SHOWN = 50


class TextReport(s.Serializer):
    """A report of a text, with the reason."""

    kind = s.ChoiceField(Kind.values)
    ref = s.CharField(
        max_length=60,
        help_text=(
            "`abcdefgh.12` for an entry or evidence, `key.4` for a message, `abcdefgh` for a name,"
            " lobby or scenario."
        ),
    )
    reason = optional_text(services.LONGEST_REASON)

    def body(self) -> TextReportBody:
        """Return the validated body."""
        return TextReportBody(**self.validated_data)


class ReportMade(s.Serializer):
    """A report that you have made, with its outcome."""

    kind = s.ChoiceField(Kind.values)
    ref = s.CharField()
    at = s.DateTimeField()
    to_masters = s.BooleanField(
        help_text="Whether the game masters of the campaign can read it too."
    )
    outcome = s.ChoiceField(
        ["", *AbuseReport.Outcome.values], help_text="Empty until the moderators have decided."
    )
    words = s.CharField(
        allow_blank=True, help_text="The moderators' explanation, if they leave the text as it is."
    )


class ReportsMade(s.Serializer):
    """The reports that you have made."""

    results = ReportMade(many=True)


@dataclass(frozen=True, slots=True)
class TextReportBody:
    """A body of `TextReport`."""

    kind: str
    ref: str
    reason: str


@dataclass(frozen=True, slots=True)
class ReportFacts:
    """The facts of `ReportMade`."""

    kind: str
    ref: str
    at: datetime
    to_masters: bool
    outcome: str
    words: str


class TextReportsView(Resource):
    """The reports that the user of the token has made."""

    @extend_schema(summary="Your reports of texts", responses=ReportsMade)
    def get(self, request: Request) -> Response:
        """Return your reports with their outcomes, the latest first."""
        must_be_signed_in(request)
        reports = services.reports_by(request.user)[:SHOWN]
        return self.answer(ReportsMade, {"results": [report_facts(report) for report in reports]})

    @extend_schema(summary="Report a text", request=TextReport, responses={201: ReportMade})
    def post(self, request: Request) -> Response:
        """Report a text to the moderators of the site.

        The game masters of its campaign get the report too, unless they are involved.
        """
        must_be_signed_in(request)
        body = read(TextReport, request)

        def make() -> Response:
            filed = services.report(request.user, body.kind, body.ref, body.reason)
            return self.answer(ReportMade, report_facts(filed), 201)

        return answer_once(request, make)


def report_facts(report: AbuseReport) -> ReportFacts:
    """Return a report. The moderators' words are shown only if the text stays as it is."""
    is_dismissed = report.outcome == AbuseReport.Outcome.DISMISSED
    return ReportFacts(
        kind=report.kind,
        ref=report.ref,
        at=report.at,
        to_masters=report.to_masters,
        outcome=report.outcome,
        words=report.words if is_dismissed else "",
    )
