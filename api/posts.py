"""What is told elsewhere: places, the outbox, a post."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import OfCampaign, answer_once, written
from campaign import access
from campaign.errors import Refused
from campaign.log import selectors
from forum import services
from forum.models import Post, Thread
from forum.posts import outbox as posting
from forum.posts import reports
from forum.posts.outbox import State, Whole


class ThreadLine(s.Serializer):
    """A place where the campaign is told; what it is opened with is told nowhere."""

    id = s.IntegerField()
    name = s.CharField()
    transport = s.CharField()
    address = s.CharField(allow_blank=True)
    dialect = s.CharField()
    language = s.CharField()
    tone = s.CharField(allow_blank=True)
    limit = s.IntegerField(help_text="How much a post there may weigh.")
    kinds = s.ListField(child=s.CharField(), help_text="Of reports that are drafted by themselves.")
    at_once = s.BooleanField(help_text="Is what is drafted posted without anybody looking at it?")
    active = s.BooleanField()
    locked = s.BooleanField(help_text="It refused us: nothing goes there until a game master says so.")
    locked_why = s.CharField(allow_blank=True)


class Threads(s.Serializer):
    results = ThreadLine(many=True)


class PostLine(s.Serializer):
    """A report on its way to a place, or there."""

    number = s.IntegerField()
    report = s.CharField()
    kind = s.CharField()
    subject = s.CharField(allow_blank=True)
    thread = s.CharField()
    state = s.ChoiceField(Post.State.choices, help_text="Of the first part that is not there yet.")
    asks = s.BooleanField(help_text="Does it wait for a person?")
    struck = s.BooleanField(help_text="Does it tell of moves that are struck?")
    parts = s.IntegerField()
    permalink = s.CharField(allow_blank=True)
    made_at = s.DateTimeField()
    posted_at = s.DateTimeField(allow_null=True)


class PostPage(s.Serializer):
    results = PostLine(many=True)
    next = s.CharField(allow_null=True)


class PostText(s.Serializer):
    """One of the posts that a report takes."""

    part = s.IntegerField()
    subject = s.CharField(allow_blank=True)
    text = s.CharField()
    state = s.ChoiceField(Post.State.choices)
    permalink = s.CharField(allow_blank=True)
    posted_at = s.DateTimeField(allow_null=True)
    next_at = s.DateTimeField(allow_null=True, help_text="When it is sent, or tried again.")
    last_error = s.CharField(allow_blank=True)


class PostWhole(PostLine):
    texts = PostText(many=True, help_text="None where what it was to tell is struck.")
    corrects = s.ListField(child=s.IntegerField(), help_text="The posts that it corrects.")
    corrected = s.ListField(child=s.IntegerField(), help_text="Those that correct it.")


class Drafting(s.Serializer):
    thread = s.IntegerField(min_value=0, help_text="`id` of the place.")
    report = s.CharField(max_length=80, help_text="Its key, as `reports/` has it.")


class PostAct(s.Serializer):
    act = s.ChoiceField(["ready", "unready", "posted", "unposted", "absent", "again", "aside", "back"])
    part = s.IntegerField(required=False, default=1, min_value=1, max_value=1000)
    url = s.CharField(required=False, allow_blank=True, default="", max_length=500, help_text="posted: where it stands.")


# What is told elsewhere, for who looks after a campaign: its places, the outbox, each of its posts and what may be done.


class OfHost(OfCampaign):
    """An address of what only who looks after the campaign reads; never a guest, who reaches no other people."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not self.here.access.host:
            raise PermissionDenied(_("Only the game master may do this."))
        access.must_have_account(self.here.user)


class ThreadsView(OfHost):
    @extend_schema(summary="Where a campaign is told", responses=Threads)
    def get(self, request: Request, ref: str) -> Response:
        """For game masters. Passwords and addresses that are secrets are told nowhere."""
        rows = [thread(one) for one in posting.threads(self.here.campaign)]
        return self.answer(Threads, {"results": rows})


def thread(one: Thread) -> dict[str, Any]:
    names = ("name", "transport", "dialect", "language", "tone", "at_once", "active", "locked_why")
    return {
        **{name: getattr(one, name) for name in names}, "id": one.pk, "address": one.open_settings.get("address", ""),
        "limit": reports.limit(one), "kinds": one.drafted, "locked": one.locked_at is not None,
    }  # fmt: skip


class PostsView(OfHost):
    @extend_schema(summary="What is posted elsewhere, and what is on its way", responses=PostPage, parameters=base.PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """For game masters; where a report stands is told to everybody with the report."""
        wholes = posting.outbox(self.here.campaign)
        return base.page(request, wholes, lambda some: written(PostLine, [post_row(one) for one in some]))

    @extend_schema(summary="Draft a report for a place", request=Drafting, responses={201: PostWhole})
    def post(self, request: Request, ref: str) -> Response:
        """The draft that is there already, else a new one."""
        sent = Drafting(data=request.data)
        sent.is_valid(raise_exception=True)
        here, given = self.here, sent.validated_data

        def make() -> Response:
            place = posting.thread(here.campaign, given["thread"])
            if place is None:
                raise Refused("no-thread", _("Choose where it is to be posted."))
            post_row_made = services.draft(here.campaign, here.user, place, given["report"])
            return self.answer(PostWhole, self.whole(post_row_made.number), 201)

        return answer_once(request, make)

    def whole(self, number: int) -> dict[str, Any]:
        return whole(self, find(self, number))


class PostView(OfHost):
    @extend_schema(summary="One post, with its text", responses=PostWhole)
    def get(self, request: Request, ref: str, number: int) -> Response:
        """Of a draft as it would be now: its text is made from the log until it is found ready."""
        return self.answer(PostWhole, whole(self, find(self, number)))


class PostActsView(OfHost):
    @extend_schema(summary="Say something of a post", request=PostAct, responses={201: PostWhole})
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Ready, posted by hand with its link, not posted after all, put aside, brought back, tried again. Answers the post as it
        stands."""
        sent = PostAct(data=request.data)
        sent.is_valid(raise_exception=True)
        given, user = sent.validated_data, self.here.user

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
                "back": lambda: services.resume_post(row, user),
            }
            acts[given["act"]]()
            return self.answer(PostWhole, whole(self, find(self, number)), 201)

        return answer_once(request, make)


def find(view: OfCampaign, number: int) -> Whole:
    """The report that the post of this number is of. Raises `Http404`."""
    whole_post = posting.whole(view.here.campaign, number)
    if whole_post is None:
        raise Http404
    return whole_post


def post_row(one: Whole) -> dict[str, Any]:
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
        texts = [part(head, n, each.subject, each.text) for n, each in enumerate(reports.parts(head, here.seats, masters), 1)]
    else:
        texts = [part(row, row.part, row.subject, row.text) for row in one.parts if row.text]
    return {
        **post_row(one), "texts": texts, "corrects": [old.number for old in head.corrects.all()],
        "corrected": [new.number for new in head.corrections.all()],
    }  # fmt: skip


def part(row: Post, number: int, subject: str, text: str) -> dict[str, Any]:
    names = ("state", "permalink", "posted_at", "next_at", "last_error")
    return {"part": number, "subject": subject, "text": text, **{name: getattr(row, name) for name in names}}
