"""Reports on forums, for the game masters of a campaign: its threads, the outbox, each of its posts
and what may be done.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import Here, OfCampaign, read
from api.fields import optional_text
from api.once import answer_once
from campaign import access
from campaign.errors import Refused
from campaign.log import selectors
from forum import services
from forum.models import Post, Thread
from forum.posts import outbox, reports
from forum.posts.outbox import State, Whole
from people.models import User


class ThreadLine(s.Serializer):
    """A forum thread or channel that gets the reports. Its password and token are not shown."""

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
    locked = s.BooleanField(
        help_text="It refused us: nothing goes there until a game master says so."
    )
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

    def body(self) -> DraftingBody:
        return DraftingBody(**self.validated_data)


class PostAct(s.Serializer):
    act = s.ChoiceField(
        ["ready", "unready", "posted", "unposted", "absent", "again", "aside", "back"]
    )
    part = s.IntegerField(required=False, default=1, min_value=1, max_value=1000)
    url = optional_text(500, "posted: where it stands.")

    def body(self) -> PostActBody:
        return PostActBody(**self.validated_data)


# What the bodies say


@dataclass(frozen=True, slots=True)
class DraftingBody:
    """A body of `Drafting`."""

    thread: int
    report: str


@dataclass(frozen=True, slots=True)
class PostActBody:
    """A body of `PostAct`."""

    act: str
    part: int
    url: str


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class ThreadFacts:
    """The facts of `ThreadLine`."""

    id: int
    name: str
    transport: str
    address: str
    dialect: str
    language: str
    tone: str
    limit: int
    kinds: Sequence[str]
    at_once: bool
    active: bool
    locked: bool
    locked_why: str


@dataclass(frozen=True, slots=True)
class PostFacts:
    """The facts of `PostLine`."""

    number: int
    report: str
    kind: str
    subject: str
    thread: str
    state: str
    asks: bool
    struck: bool
    parts: int
    permalink: str
    made_at: datetime
    posted_at: datetime | None


@dataclass(frozen=True, slots=True)
class PostTextFacts:
    """The facts of `PostText`."""

    part: int
    subject: str
    text: str
    state: str
    permalink: str
    posted_at: datetime | None
    next_at: datetime | None
    last_error: str


@dataclass(frozen=True, slots=True)
class PostWholeFacts(PostFacts):
    """The facts of `PostWhole`."""

    texts: list[PostTextFacts]
    corrects: list[int]
    corrected: list[int]


class OfHost(OfCampaign):
    """An address of what only who looks after the campaign reads; never a guest, who reaches no
    other people.
    """

    def initial(self, request: Request, *args: object, **kwargs: str | int) -> None:
        super().initial(request, *args, **kwargs)
        if not self.here.access.host:
            raise PermissionDenied(_("Only the game master may do this."))
        access.must_have_account(self.here.user)


class ThreadsView(OfHost):
    @extend_schema(summary="Where a campaign is told", responses=Threads)
    def get(self, request: Request, ref: str) -> Response:
        """For game masters. The answer never has passwords or secret addresses."""
        threads = outbox.threads(self.here.campaign)
        return self.answer(Threads, {"results": [thread_facts(thread) for thread in threads]})


def thread_facts(thread: Thread) -> ThreadFacts:
    return ThreadFacts(
        id=thread.pk,
        name=thread.name,
        transport=thread.transport,
        address=thread.settings.get("address", ""),
        dialect=thread.dialect,
        language=thread.language,
        tone=thread.tone,
        limit=reports.limit(thread),
        kinds=thread.drafted_kinds,
        at_once=thread.at_once,
        active=thread.active,
        locked=thread.locked_at is not None,
        locked_why=thread.locked_why,
    )


class PostsView(OfHost):
    @extend_schema(
        summary="What is posted elsewhere, and what is on its way",
        responses=PostPage,
        parameters=paging.PARAMETERS,
    )
    def get(self, request: Request, ref: str) -> Response:
        """For game masters. Players see the address of a post together with its report."""
        wholes = outbox.outbox(self.here.campaign)
        return paging.page(
            request, wholes, PostLine, lambda shown: [post_facts(whole) for whole in shown]
        )

    @extend_schema(
        summary="Draft a report for a place", request=Drafting, responses={201: PostWhole}
    )
    def post(self, request: Request, ref: str) -> Response:
        """The draft that is there already, else a new one."""
        here, body = self.here, read(Drafting, request)

        def make() -> Response:
            thread = outbox.thread(here.campaign, body.thread)
            if thread is None:
                raise Refused("no-thread", _("Choose where it is to be posted."))
            draft = services.draft(here.campaign, here.user, thread, body.report)
            whole = whole_post(here, draft.number)
            return self.answer(PostWhole, whole_post_facts(here, whole), 201)

        return answer_once(request, make)


class PostView(OfHost):
    @extend_schema(summary="One post, with its text", responses=PostWhole)
    def get(self, request: Request, ref: str, number: int) -> Response:
        """Of a draft as it would be now: its text is made from the log until it is found ready."""
        whole = whole_post(self.here, number)
        return self.answer(PostWhole, whole_post_facts(self.here, whole))


class PostActsView(OfHost):
    @extend_schema(summary="Say something of a post", request=PostAct, responses={201: PostWhole})
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Ready, posted by hand with its link, not posted after all, put aside, brought back, tried
        again. Answers the post as it stands.
        """
        here, body = self.here, read(PostAct, request)

        def make() -> Response:
            part = part_of(whole_post(here, number), body.part, body.act)
            acts_of(part, here.user, body.url, body.part)[body.act]()
            whole = whole_post(here, number)
            return self.answer(PostWhole, whole_post_facts(here, whole), 201)

        return answer_once(request, make)


def part_of(whole: Whole, number: int, act: str) -> Post:
    """Return the part of this number. Raises `Http404`.

    A draft has only its head. If one part is marked as posted, the draft is divided into its parts.
    """
    for part in whole.parts:
        if part.part == number:
            return part
    if act != "posted":
        raise Http404
    return whole.head


def acts_of(
    part: Post, user: User | AnonymousUser, url: str, number: int
) -> dict[str, Callable[[], object]]:
    """Return what each act does with a part of a post."""
    return {
        "ready": lambda: services.ready(part, user),
        "unready": lambda: services.unready(part, user),
        "posted": lambda: services.posted(part, user, url, part=number),
        "unposted": lambda: services.unposted(part, user),
        "absent": lambda: services.absent(part, user),
        "again": lambda: services.again(part, user),
        "aside": lambda: services.aside(part, user),
        "back": lambda: services.resume_post(part, user),
    }


def whole_post(here: Here, number: int) -> Whole:
    """Return the report that the post of this number is of. Raises `Http404`."""
    whole = outbox.whole(here.campaign, number)
    if whole is None:
        raise Http404
    return whole


def post_facts(whole: Whole) -> PostFacts:
    head = whole.head
    return PostFacts(
        number=head.number,
        report=head.report,
        kind=head.kind,
        subject=head.subject,
        thread=head.thread.name,
        state=whole.now.state,
        asks=whole.asks,
        struck=whole.struck,
        parts=len(whole.parts),
        permalink=head.permalink,
        made_at=head.made_at,
        posted_at=head.posted_at,
    )


def whole_post_facts(here: Here, whole: Whole) -> PostWholeFacts:
    head = whole.head
    return PostWholeFacts(
        **asdict(post_facts(whole)),
        texts=texts_of_draft(here, head) if head.state == State.DRAFT else texts_of(whole),
        corrects=[post.number for post in head.corrects.all()],
        corrected=[post.number for post in head.corrections.all()],
    )


def texts_of_draft(here: Here, head: Post) -> list[PostTextFacts]:
    """Return the posts that a draft would take now."""
    masters = [user.username for user in selectors.game_masters(here.campaign, here.places)]
    parts = reports.parts(head, here.seats, masters)
    return [
        text_facts(head, number, part.subject, part.text) for number, part in enumerate(parts, 1)
    ]


def texts_of(whole: Whole) -> list[PostTextFacts]:
    """Return the posts that a report takes; none if its moves are struck."""
    return [
        text_facts(part, part.part, part.subject, part.text) for part in whole.parts if part.text
    ]


def text_facts(post: Post, number: int, subject: str, text: str) -> PostTextFacts:
    return PostTextFacts(
        part=number,
        subject=subject,
        text=text,
        state=post.state,
        permalink=post.permalink,
        posted_at=post.posted_at,
        next_at=post.next_at,
        last_error=post.last_error,
    )
