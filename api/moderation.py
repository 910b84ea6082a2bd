"""Reporting a text to the moderators of the site."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import Resource, answer_once
from api.founding import must_be_somebody
from moderation import selectors, services
from moderation.models import Kind, Report

SHOWN = 50


class TextReport(s.Serializer):
    """Which text, and why."""

    kind = s.ChoiceField(Kind.values)
    ref = s.CharField(
        max_length=60, help_text="`abcdefgh.12` an entry or evidence, `key.4` a message, `abcdefgh` a name, lobby or scenario."
    )
    reason = s.CharField(required=False, allow_blank=True, default="", max_length=services.REASON)


class ReportMade(s.Serializer):
    kind = s.ChoiceField(Kind.values)
    ref = s.CharField()
    at = s.DateTimeField()
    to_masters = s.BooleanField(help_text="The game masters of the campaign read it, too.")
    outcome = s.ChoiceField(["", *Report.Outcome.values], help_text="Empty: nobody has decided.")
    words = s.CharField(allow_blank=True, help_text="The moderators', where they leave the text as it is.")


class ReportsMade(s.Serializer):
    results = ReportMade(many=True)


class TextReportsView(Resource):
    @extend_schema(summary="What you have reported", responses=ReportsMade)
    def get(self, request: Request) -> Response:
        """The latest first, with what came of it."""
        must_be_somebody(request)
        return self.answer(ReportsMade, {"results": [row(one) for one in selectors.made_by(request.user)[:SHOWN]]})

    @extend_schema(summary="Report a text", request=TextReport, responses={201: ReportMade})
    def post(self, request: Request) -> Response:
        """To the moderators of the site, and to the game masters of its campaign where they are no party."""
        must_be_somebody(request)
        sent = TextReport(data=request.data)
        sent.is_valid(raise_exception=True)
        content = sent.validated_data

        def make() -> Response:
            made_now = services.report(request.user, content["kind"], content["ref"], content["reason"])
            return self.answer(ReportMade, row(made_now), 201)

        return answer_once(request, make)


def row(one: Report) -> dict[str, Any]:
    words = one.words if one.outcome == Report.Outcome.DISMISSED else ""
    return {"kind": one.kind, "ref": one.ref, "at": one.at, "to_masters": one.to_masters, "outcome": one.outcome, "words": words}
