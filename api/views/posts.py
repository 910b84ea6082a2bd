"""What is told elsewhere, for who looks after a campaign: its places, the outbox, each of its posts and what may be done."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import pages
from api.once import once
from api.serializers import posts as form
from api.views.base import OfCampaign, written
from campaign import access, selectors
from campaign.errors import Refused
from forum import selectors as posting
from forum import services, telling
from forum.models import Post, Thread
from forum.selectors import Whole
from forum.services.rows import State


class OfHost(OfCampaign):
    """An address of what only who looks after the campaign reads; never a guest, who reaches no other people."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not self.here.access.host:
            raise PermissionDenied(_("Only the game master may do this."))
        access.must_have_account(self.here.user)


class ThreadsView(OfHost):
    @extend_schema(summary="Where a campaign is told", responses=form.Threads)
    def get(self, request: Request, ref: str) -> Response:
        """For game masters. Passwords and addresses that are secrets are told nowhere."""
        found = [thread(one) for one in posting.threads(self.here.campaign)]
        return self.told(form.Threads, {"results": found})


def thread(one: Thread) -> dict[str, Any]:
    names = ("name", "transport", "dialect", "language", "tone", "at_once", "active", "locked_why")
    return {
        **{name: getattr(one, name) for name in names}, "id": one.pk, "address": one.told.get("address", ""),
        "limit": telling.limit(one), "kinds": one.drafted, "locked": one.locked_at is not None,
    }  # fmt: skip


class PostsView(OfHost):
    @extend_schema(
        summary="What is posted elsewhere, and what is on its way", responses=form.PostPage, parameters=pages.PARAMETERS
    )
    def get(self, request: Request, ref: str) -> Response:
        """For game masters; where a report stands is told to everybody with the report."""
        found = posting.outbox(self.here.campaign)
        return pages.page(request, found, lambda some: written(form.PostLine, [line(one) for one in some]))

    @extend_schema(summary="Draft a report for a place", request=form.Drafting, responses={201: form.PostWhole})
    def post(self, request: Request, ref: str) -> Response:
        """The draft that is there already, else a new one."""
        said = form.Drafting(data=request.data)
        said.is_valid(raise_exception=True)
        here, given = self.here, said.validated_data

        def make() -> Response:
            place = posting.thread(here.campaign, given["thread"])
            if place is None:
                raise Refused("no-thread", _("Choose where it is to be posted."))
            made = services.draft(here.campaign, here.user, place, given["report"])
            return self.told(form.PostWhole, self.whole(made.number), 201)

        return once(request, make)

    def whole(self, number: int) -> dict[str, Any]:
        return whole(self, find(self, number))


class PostView(OfHost):
    @extend_schema(summary="One post, with its text", responses=form.PostWhole)
    def get(self, request: Request, ref: str, number: int) -> Response:
        """Of a draft as it would be now: its text is made from the log until it is found ready."""
        return self.told(form.PostWhole, whole(self, find(self, number)))


class PostActsView(OfHost):
    @extend_schema(summary="Say something of a post", request=form.PostAct, responses={201: form.PostWhole})
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Ready, posted by hand with its link, not posted after all, put aside, brought back, tried again. Answers the post as it
        stands."""
        said = form.PostAct(data=request.data)
        said.is_valid(raise_exception=True)
        given, user = said.validated_data, self.here.user

        def make() -> Response:
            one = find(self, number)
            row = next((part for part in one.parts if part.part == given["part"]), None)
            if row is None and given["act"] == "posted":
                row = one.head  # of a draft, which is divided into its parts now
            if row is None:
                raise Http404
            acts: Mapping[str, Callable[[], Any]] = {
                "ready": lambda: services.ready(row, user),
                "unready": lambda: services.unready(row, user),
                "posted": lambda: services.posted(row, user, given["url"], part=given["part"]),
                "unposted": lambda: services.unposted(row, user),
                "absent": lambda: services.absent(row, user),
                "again": lambda: services.again(row, user),
                "aside": lambda: services.aside(row, user),
                "back": lambda: services.back(row, user),
            }
            acts[given["act"]]()
            return self.told(form.PostWhole, whole(self, find(self, number)), 201)

        return once(request, make)


def find(view: OfCampaign, number: int) -> Whole:
    """The report that the post of this number is of. Raises `Http404`."""
    found = posting.whole(view.here.campaign, number)
    if found is None:
        raise Http404
    return found


def line(one: Whole) -> dict[str, Any]:
    head = one.head
    return {
        "number": head.number, "report": head.report, "kind": head.kind, "subject": head.subject, "thread": head.thread.name,
        "state": one.now.state, "asks": one.asks, "struck": one.struck, "parts": len(one.parts), "permalink": head.permalink,
        "made_at": head.made_at, "posted_at": head.posted_at,
    }  # fmt: skip


def whole(view: OfCampaign, one: Whole) -> dict[str, Any]:
    here, head = view.here, one.head
    if head.state == State.DRAFT:
        masters = [user.username for user in selectors.game_masters(here.campaign, here.places)]
        texts = [part(head, n, each.subject, each.text) for n, each in enumerate(telling.parts(head, here.seats, masters), 1)]
    else:
        texts = [part(row, row.part, row.subject, row.text) for row in one.parts if row.text]
    return {
        **line(one), "texts": texts, "corrects": [old.number for old in head.corrects.all()],
        "corrected": [new.number for new in head.corrections.all()],
    }  # fmt: skip


def part(row: Post, number: int, subject: str, text: str) -> dict[str, Any]:
    names = ("state", "permalink", "posted_at", "next_at", "last_error")
    return {"part": number, "subject": subject, "text": text, **{name: getattr(row, name) for name in names}}
