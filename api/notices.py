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
    """A notice."""

    id = s.IntegerField()
    campaign = s.CharField(help_text="The campaign's `ref`.")
    entry = s.IntegerField(
        allow_null=True,
        help_text="The entry that it is about; null if not everyone may see the entry.",
    )
    kind = s.CharField()
    title = s.CharField()
    body = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    read = s.BooleanField()
    struck = s.CharField(
        allow_blank=True, help_text="What has happened to the entry; empty while it is in force."
    )
    page = s.CharField(help_text="Opens the notice in a browser, and marks it as read.")


class NoticePage(s.Serializer):
    """One page of notices."""

    results = NoticeLine(many=True)
    next = s.CharField(allow_null=True)


class NoticeCount(s.Serializer):
    """The number of unread notices."""

    unread = s.IntegerField(help_text="Struck notices are not counted.")


class NoticesRead(s.Serializer):
    """The notices that are to be marked as read. An empty body means all."""

    notices = s.ListField(
        child=s.IntegerField(min_value=0, max_value=2**62), required=False, max_length=1000
    )
    campaign = s.CharField(required=False, max_length=80)

    def body(self) -> NoticesReadBody:
        """Return the validated body."""
        return NoticesReadBody(**self.validated_data)


@dataclass(frozen=True, slots=True)
class NoticesReadBody:
    """A body of `NoticesRead`."""

    notices: list[int] | None = None
    campaign: str | None = None


# Addresses of notices

NEW = OpenApiParameter(
    "unread",
    {"type": "boolean"},
    description="Only notices that you have not read and that are still in force.",
)
OF = OpenApiParameter(
    "campaign",
    {"type": "string", "maxLength": 80},
    description="Only notices of this campaign, by its `ref`.",
)


class OwnResource(Resource):
    """An address of the user of the token. It answers 401 without a token."""

    def initial(self, request: Request, *args: object, **kwargs: str | int) -> None:
        """Check that the request has a token before it is handled."""
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


class NoticesView(OwnResource):
    """The notices of the user of the token."""

    @extend_schema(
        summary="Your notices", responses=NoticePage, parameters=[*paging.PARAMETERS, NEW, OF]
    )
    def get(self, request: Request) -> Response:
        """Return your notices, the newest first."""
        is_unread = request.GET.get("unread") == "true"
        notices = selectors.unread(request.user) if is_unread else selectors.notices(request.user)
        if "campaign" in request.GET:
            here = campaign_of_address(request, request.GET["campaign"])
            notices = notices.filter(campaign=here.campaign)
        return paging.page(
            request, notices, NoticeLine, lambda shown: notices_facts(request, shown)
        )


def notices_facts(request: Request, notices: Iterable[Notice]) -> list[NoticeFacts]:
    """Return notices in words. `page` is the absolute address of each for a browser."""
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


class UnreadView(OwnResource):
    """The number of unread notices."""

    @extend_schema(summary="The number of unread notices", responses=NoticeCount)
    def get(self, request: Request) -> Response:
        """Return how many notices in force you have not read."""
        return self.answer(NoticeCount, {"unread": selectors.unread(request.user).count()})


class ReadView(OwnResource):
    """The marking of notices as read."""

    @extend_schema(summary="Mark notices as read", request=NoticesRead, responses=NoticeCount)
    def post(self, request: Request) -> Response:
        """Mark the given notices, those of one campaign, or all as read.

        The answer is the number of notices that are still unread.
        """
        body = read(NoticesRead, request)
        campaign = None
        if body.campaign is not None:
            campaign = campaign_of_address(request, body.campaign).campaign
        services.mark_read(request.user, notices=body.notices, campaign=campaign)
        return self.answer(NoticeCount, {"unread": selectors.unread(request.user).count()})
