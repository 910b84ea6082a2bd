"""Reports on forums, for the game masters of a campaign: threads, outbox, posts and their acts."""

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
from api.base import CampaignContext, CampaignResource, read
from api.fields import optional_text
from api.idempotency import answer_once
from campaign import access
from campaign.errors import Refused
from campaign.log import selectors
from forum import services
from forum.models import Post, Thread
from forum.posts import outbox, reports
from forum.posts.outbox import OutboxReport, State
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
    limit = s.IntegerField(help_text="The largest size of a post there.")
    kinds = s.ListField(
        child=s.CharField(), help_text="The kinds of reports that are drafted automatically."
    )
    at_once = s.BooleanField(help_text="Whether drafts are posted without review.")
    can_fold = s.BooleanField(help_text="Whether the board has a tag that folds details.")
    active = s.BooleanField()
    locked = s.BooleanField(
        help_text=(
            "Whether the thread has refused a post; nothing more is sent there until a game"
            " master allows it."
        )
    )
    locked_why = s.CharField(allow_blank=True)


class Threads(s.Serializer):
    """The threads of a campaign."""

    results = ThreadLine(many=True)


class PostLine(s.Serializer):
    """A report that has been posted to a thread, or will be."""

    number = s.IntegerField()
    report = s.CharField()
    kind = s.CharField()
    subject = s.CharField(allow_blank=True)
    thread = s.CharField()
    state = s.ChoiceField(
        Post.State.choices, help_text="The state of the first part that has not been posted yet."
    )
    asks = s.BooleanField(help_text="Whether a game master must act.")
    struck = s.BooleanField(help_text="Whether it reports moves that have been struck.")
    parts = s.IntegerField()
    permalink = s.CharField(allow_blank=True)
    made_at = s.DateTimeField()
    posted_at = s.DateTimeField(allow_null=True)


class PostPage(s.Serializer):
    """One page of posts."""

    results = PostLine(many=True)
    next = s.CharField(allow_null=True)


class PostText(s.Serializer):
    """One of the posts into which a report is divided."""

    part = s.IntegerField()
    subject = s.CharField(allow_blank=True)
    text = s.CharField()
    state = s.ChoiceField(Post.State.choices)
    permalink = s.CharField(allow_blank=True)
    posted_at = s.DateTimeField(allow_null=True)
    next_at = s.DateTimeField(allow_null=True, help_text="When it is sent, or tried again.")
    last_error = s.CharField(allow_blank=True)


class PostWhole(PostLine):
    """A report for a thread with the texts of its posts."""

    texts = PostText(many=True, help_text="Empty if the moves that it reports are struck.")
    corrects = s.ListField(child=s.IntegerField(), help_text="The posts that it corrects.")
    corrected = s.ListField(child=s.IntegerField(), help_text="The posts that correct it.")


class Drafting(s.Serializer):
    """The report and the thread of a new draft."""

    thread = s.IntegerField(min_value=0, help_text="The `id` of the thread.")
    report = s.CharField(max_length=80, help_text="The report's key, as in `reports/`.")

    def body(self) -> DraftingBody:
        """Return the validated body."""
        return DraftingBody(**self.validated_data)


class PostAct(s.Serializer):
    """An act about a post."""

    act = s.ChoiceField(
        ["ready", "unready", "posted", "unposted", "absent", "again", "aside", "back"]
    )
    part = s.IntegerField(required=False, default=1, min_value=1, max_value=1000)
    url = optional_text(500, "posted: the address of the post.")

    def body(self) -> PostActBody:
        """Return the validated body."""
        return PostActBody(**self.validated_data)


# Bodies of requests


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
    can_fold: bool
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


class HostResource(CampaignResource):
    """An address for game masters with an account. Guests get 403, because they cannot post."""

    def initial(self, request: Request, *args: object, **kwargs: str | int) -> None:
        """Check that the reader is a game master with an account before the request is handled."""
        super().initial(request, *args, **kwargs)
        if not self.here.access.host:
            raise PermissionDenied(_("Only the game master may do this."))
        access.must_have_account(self.here.user)


class ThreadsView(HostResource):
    """The threads of a campaign."""

    @extend_schema(summary="Threads of a campaign", responses=Threads)
    def get(self, request: Request, ref: str) -> Response:
        """Return the threads, for game masters. Passwords and secret addresses are never shown."""
        threads = outbox.threads(self.here.campaign)
        return self.answer(Threads, {"results": [thread_facts(thread) for thread in threads]})


def thread_facts(thread: Thread) -> ThreadFacts:
    """Return a thread without its secrets."""
    return ThreadFacts(
        id=thread.pk,
        name=thread.name,
        transport=thread.transport,
        address=thread.settings.get("address", ""),
        dialect=thread.dialect,
        language=thread.language,
        tone=thread.tone,
        limit=reports.post_limit(thread),
        kinds=thread.drafted_kinds,
        at_once=thread.at_once,
        can_fold=thread.can_fold,
        active=thread.active,
        locked=thread.locked_at is not None,
        locked_why=thread.locked_why,
    )


class PostsView(HostResource):
    """The outbox of a campaign."""

    @extend_schema(
        summary="Posts in the outbox and on forums",
        responses=PostPage,
        parameters=paging.PARAMETERS,
    )
    def get(self, request: Request, ref: str) -> Response:
        """Return the posts, for game masters. Players see the address of a post with its report."""
        wholes = outbox.outbox_reports(self.here.campaign)
        return paging.page(
            request, wholes, PostLine, lambda shown: [post_facts(whole) for whole in shown]
        )

    @extend_schema(
        summary="Draft a report for a thread", request=Drafting, responses={201: PostWhole}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Draft a report for a thread. An existing draft of the same report is returned."""
        here, body = self.here, read(Drafting, request)

        def make() -> Response:
            thread = outbox.thread(here.campaign, body.thread)
            if thread is None:
                raise Refused("no-thread", _("Choose where to post the report."))
            draft = services.draft(here.campaign, here.user, thread, body.report)
            whole = whole_post(here, draft.number)
            return self.answer(PostWhole, whole_post_facts(here, whole), 201)

        return answer_once(request, make)


class PostView(HostResource):
    """One post."""

    @extend_schema(summary="One post, with its text", responses=PostWhole)
    def get(self, request: Request, ref: str, number: int) -> Response:
        """Return a post with its text. The text of a draft is made from the log as it is now."""
        whole = whole_post(self.here, number)
        return self.answer(PostWhole, whole_post_facts(self.here, whole))


class PostActsView(HostResource):
    """The acts about a post."""

    @extend_schema(summary="Act on a post", request=PostAct, responses={201: PostWhole})
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Do something with a post, and return it.

        The acts: mark it as ready or not ready, as posted by hand (with its link), as not posted,
        or as absent from the forum; send it again; put it aside or bring it back.
        """
        here, body = self.here, read(PostAct, request)

        def make() -> Response:
            part = part_of(whole_post(here, number), body.part, body.act)
            acts_of(part, here.user, body.url, body.part)[body.act]()
            whole = whole_post(here, number)
            return self.answer(PostWhole, whole_post_facts(here, whole), 201)

        return answer_once(request, make)


def part_of(whole: OutboxReport, number: int, act: str) -> Post:
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
    """Return a function for each act, which does the act with a part of a post."""
    return {
        "ready": lambda: services.mark_ready(part, user),
        "unready": lambda: services.return_to_draft(part, user),
        "posted": lambda: services.record_posted(part, user, url, part=number),
        "unposted": lambda: services.undo_posted(part, user),
        "absent": lambda: services.record_absent(part, user),
        "again": lambda: services.retry(part, user),
        "aside": lambda: services.skip(part, user),
        "back": lambda: services.resume_post(part, user),
    }


def whole_post(here: CampaignContext, number: int) -> OutboxReport:
    """Return the report to which the post of this number belongs. Raises `Http404`."""
    whole = outbox.outbox_report(here.campaign, number)
    if whole is None:
        raise Http404
    return whole


def post_facts(whole: OutboxReport) -> PostFacts:
    """Return a report on its way to a thread, without its texts."""
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


def whole_post_facts(here: CampaignContext, whole: OutboxReport) -> PostWholeFacts:
    """Return a report on its way to a thread, with its texts and corrections."""
    head = whole.head
    return PostWholeFacts(
        **asdict(post_facts(whole)),
        texts=texts_of_draft(here, head) if head.state == State.DRAFT else texts_of(whole),
        corrects=[post.number for post in head.corrects.all()],
        corrected=[post.number for post in head.corrections.all()],
    )


def texts_of_draft(here: CampaignContext, head: Post) -> list[PostTextFacts]:
    """Return the posts into which a draft would be divided now."""
    masters = [user.username for user in selectors.game_masters(here.campaign, here.places)]
    parts = reports.post_parts(head, here.seats, masters)
    return [
        text_facts(head, number, part.subject, part.text) for number, part in enumerate(parts, 1)
    ]


def texts_of(whole: OutboxReport) -> list[PostTextFacts]:
    """Return the posts into which a report is divided; none if its moves are struck."""
    return [
        text_facts(part, part.part, part.subject, part.text) for part in whole.parts if part.text
    ]


def text_facts(post: Post, number: int, subject: str, text: str) -> PostTextFacts:
    """Return one of the posts of a report."""
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
