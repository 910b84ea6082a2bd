"""What the person of the token is told: his notices, how many are new, marked as read."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.serializers import notices as form
from api.views.base import Resource, here, written
from notices import selectors, services
from notices.models import Notice

NEW = OpenApiParameter("unread", {"type": "boolean"}, description="Those alone that are not read yet and still in force.")
OF = OpenApiParameter("campaign", {"type": "string", "maxLength": 80}, description="Of this campaign alone, by its `ref`.")


class Mine(Resource):
    """401 for who brings no token."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not request.user.is_authenticated:
            raise NotAuthenticated


class NoticesView(Mine):
    @extend_schema(summary="Your notices", responses=form.NoticePage, parameters=[*pages.PARAMETERS, NEW, OF])
    def get(self, request: Request) -> Response:
        """The newest first."""
        found = selectors.unread(request.user) if request.GET.get("unread") == "true" else selectors.notices(request.user)
        if "campaign" in request.GET:
            found = found.filter(campaign=here(request, request.GET["campaign"]).campaign)
        return pages.page(request, found, lambda some: written(form.NoticeLine, lines(request, some)))


def lines(request: Request, some: list[Notice]) -> list[dict[str, Any]]:
    return [
        {
            "id": one.notice.pk, "campaign": one.notice.campaign.address, "entry": one.notice.entry.number,
            "kind": one.notice.kind, "title": one.title, "body": one.body, "at": one.notice.at,
            "read": one.notice.read_at is not None, "struck": one.struck,
            "page": request.build_absolute_uri(reverse("notice", args=[one.notice.pk])),
        }
        for one in selectors.told(some)
    ]  # fmt: skip


class UnreadView(Mine):
    @extend_schema(summary="How many notices are new", responses=form.NoticeCount)
    def get(self, request: Request) -> Response:
        return self.told(form.NoticeCount, {"unread": selectors.unread(request.user).count()})


class ReadView(Mine):
    @extend_schema(summary="Mark notices as read", request=form.NoticesRead, responses=form.NoticeCount)
    def post(self, request: Request) -> Response:
        """Those of `notices`, those of a `campaign`, or all. Answers how many are still new."""
        asked = form.NoticesRead(data=request.data)
        asked.is_valid(raise_exception=True)
        said = asked.validated_data
        campaign = here(request, said["campaign"]).campaign if "campaign" in said else None
        services.mark_read(request.user, notices=said.get("notices"), campaign=campaign)
        return self.told(form.NoticeCount, {"unread": selectors.unread(request.user).count()})
