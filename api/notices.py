"""What the person of the token is told."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import Resource, campaign_of_address, written
from notices import selectors, services
from notices.models import Notice


class NoticeLine(s.Serializer):
    id = s.IntegerField()
    campaign = s.CharField(help_text="Its `ref`.")
    entry = s.IntegerField(
        allow_null=True, help_text="The entry it tells of; null of one that not everybody may see."
    )
    kind = s.CharField()
    title = s.CharField()
    body = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    read = s.BooleanField()
    struck = s.CharField(
        allow_blank=True, help_text="What became of the entry; empty while it is in force."
    )
    page = s.CharField(help_text="Opens it in a browser, and marks it as read.")


class NoticePage(s.Serializer):
    results = NoticeLine(many=True)
    next = s.CharField(allow_null=True)


class NoticeCount(s.Serializer):
    unread = s.IntegerField(help_text="What is struck aside.")


class NoticesRead(s.Serializer):
    """What is to be marked; nothing means all."""

    notices = s.ListField(
        child=s.IntegerField(min_value=0, max_value=2**62), required=False, max_length=1000
    )
    campaign = s.CharField(required=False, max_length=80)


# What the person of the token is told: their notices, how many are new, marked as read.

NEW = OpenApiParameter(
    "unread",
    {"type": "boolean"},
    description="Those alone that are not read yet and still in force.",
)
OF = OpenApiParameter(
    "campaign",
    {"type": "string", "maxLength": 80},
    description="Of this campaign alone, by its `ref`.",
)


class Mine(Resource):
    """401 for who brings no token."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not request.user.is_authenticated:
            raise NotAuthenticated


class NoticesView(Mine):
    @extend_schema(
        summary="Your notices", responses=NoticePage, parameters=[*base.PARAMETERS, NEW, OF]
    )
    def get(self, request: Request) -> Response:
        """The newest first."""
        rows = (
            selectors.unread(request.user)
            if request.GET.get("unread") == "true"
            else selectors.notices(request.user)
        )
        if "campaign" in request.GET:
            rows = rows.filter(
                campaign=campaign_of_address(request, request.GET["campaign"]).campaign
            )
        return base.page(
            request, rows, lambda some: written(NoticeLine, notice_rows(request, some))
        )


def notice_rows(request: Request, some: list[Notice]) -> list[dict[str, object]]:
    return [
        {
            "id": one.notice.pk,
            "campaign": one.notice.campaign.address,
            "entry": one.notice.entry.number,
            "kind": one.notice.kind,
            "title": one.title,
            "body": one.body,
            "at": one.notice.at,
            "read": one.notice.read_at is not None,
            "struck": one.struck,
            "page": request.build_absolute_uri(reverse("notice", args=[one.notice.pk])),
        }
        for one in selectors.notices_in_words(some)
    ]


class UnreadView(Mine):
    @extend_schema(summary="How many notices are new", responses=NoticeCount)
    def get(self, request: Request) -> Response:
        return self.answer(NoticeCount, {"unread": selectors.unread(request.user).count()})


class ReadView(Mine):
    @extend_schema(summary="Mark notices as read", request=NoticesRead, responses=NoticeCount)
    def post(self, request: Request) -> Response:
        """Those of `notices`, those of a `campaign`, or all. Answers how many are still new."""
        asked = NoticesRead(data=request.data)
        asked.is_valid(raise_exception=True)
        content = asked.validated_data
        campaign = (
            campaign_of_address(request, content["campaign"]).campaign
            if "campaign" in content
            else None
        )
        services.mark_read(request.user, notices=content.get("notices"), campaign=campaign)
        return self.answer(NoticeCount, {"unread": selectors.unread(request.user).count()})
