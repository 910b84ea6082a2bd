"""The notices of the user of the token."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import Resource, campaign_of_address, read
from notices import selectors, services
from notices.models import Notice
from notices.wording import notices_in_words


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

    def body(self) -> NoticesReadBody:
        return NoticesReadBody(**self.validated_data)


@dataclass(frozen=True, slots=True)
class NoticesReadBody:
    """A body of `NoticesRead`."""

    notices: list[int] | None = None
    campaign: str | None = None


# The notices of the user of the token: all, the number of new ones, marked as read.

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
    """An address of a user. It answers 401 without a token."""

    def initial(self, request: Request, *args: object, **kwargs: str | int) -> None:
        super().initial(request, *args, **kwargs)
        if not request.user.is_authenticated:
            raise NotAuthenticated


@dataclass(frozen=True, slots=True)
class NoticeFacts:
    """The facts of `NoticeLine`."""

    id: int
    campaign: str
    entry: int | None
    kind: str
    title: str
    body: str
    at: datetime
    read: bool
    struck: str
    page: str


class NoticesView(Mine):
    @extend_schema(
        summary="Your notices", responses=NoticePage, parameters=[*paging.PARAMETERS, NEW, OF]
    )
    def get(self, request: Request) -> Response:
        """The newest first."""
        is_unread = request.GET.get("unread") == "true"
        notices = selectors.unread(request.user) if is_unread else selectors.notices(request.user)
        if "campaign" in request.GET:
            here = campaign_of_address(request, request.GET["campaign"])
            notices = notices.filter(campaign=here.campaign)
        return paging.page(
            request, notices, NoticeLine, lambda shown: notices_facts(request, shown)
        )


def notices_facts(request: Request, notices: Iterable[Notice]) -> list[NoticeFacts]:
    """Return notices in words. `page` is the whole address of each for a browser."""
    return [
        NoticeFacts(
            id=worded.notice.pk,
            campaign=worded.notice.campaign.address,
            entry=worded.notice.entry.number,
            kind=worded.notice.kind,
            title=worded.title,
            body=worded.body,
            at=worded.notice.at,
            read=worded.notice.read_at is not None,
            struck=worded.struck,
            page=request.build_absolute_uri(reverse("notice", args=[worded.notice.pk])),
        )
        for worded in notices_in_words(notices)
    ]


class UnreadView(Mine):
    @extend_schema(summary="How many notices are new", responses=NoticeCount)
    def get(self, request: Request) -> Response:
        return self.answer(NoticeCount, {"unread": selectors.unread(request.user).count()})


class ReadView(Mine):
    @extend_schema(summary="Mark notices as read", request=NoticesRead, responses=NoticeCount)
    def post(self, request: Request) -> Response:
        """Those of `notices`, those of a `campaign`, or all. Answers how many are still new."""
        body = read(NoticesRead, request)
        campaign = None
        if body.campaign is not None:
            campaign = campaign_of_address(request, body.campaign).campaign
        services.mark_read(request.user, notices=body.notices, campaign=campaign)
        return self.answer(NoticeCount, {"unread": selectors.unread(request.user).count()})
