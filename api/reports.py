"""What is told: reports, where they were posted, what others wrote there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import Here, OfCampaign, answer_once, written
from campaign import access, hooks
from campaign.errors import Refused
from campaign.log import selectors
from engine.language import LANGUAGES
from forum import dialects, reading, services
from forum.dialects import DEFAULT, DIALECTS, Context
from forum.models import HeardPost, Post, Thread
from forum.posts import outbox as posting
from forum.posts import reports
from forum.posts.outbox import State, Whole
from games.contract.report import (
    Block,
    Bullets,
    Contents,
    Heading,
    Paragraph,
    Report,
    Span,
    Spans,
)


class ReportLine(s.Serializer):
    """A report that there is."""

    key = s.CharField()
    kind = s.CharField()
    name = s.CharField()
    turn = s.IntegerField()
    complete = s.BooleanField(help_text="Has all of it happened?")
    url = s.CharField()


class Dialect(s.Serializer):
    key = s.CharField()
    name = s.CharField()
    limit = s.IntegerField(help_text="Most of one post.")


class Reports(s.Serializer):
    results = ReportLine(many=True)
    dialects = Dialect(many=True)
    languages = s.ListField(child=s.CharField())


class SpanTold(s.Serializer):
    """A piece of a line."""

    text = s.CharField(allow_blank=True)
    bold = s.BooleanField()
    italic = s.BooleanField()
    seat = s.CharField(allow_blank=True, help_text="The seat that it names.")
    link = s.CharField(allow_blank=True)
    picture = s.CharField(allow_blank=True)


class BlockTold(s.Serializer):
    """`heading` and `paragraph` have one line, `bullets` several; a `table` has `head` and
    `rows`.
    """

    kind = s.ChoiceField(["heading", "paragraph", "bullets", "table"])
    level = s.IntegerField(help_text="Of a heading, 1 to 3; else 0.")
    lines = s.ListField(child=SpanTold(many=True))
    head = s.ListField(child=s.CharField(allow_blank=True))
    rows = s.ListField(child=s.ListField(child=s.CharField(allow_blank=True)))


class PartTold(s.Serializer):
    """What goes into one post."""

    subject = s.CharField()
    text = s.CharField()
    weight = s.IntegerField(help_text="As the dialect counts its limit.")


class PostReceipt(s.Serializer):
    """Where it stands."""

    permalink = s.CharField(allow_blank=True)
    posted_at = s.DateTimeField()
    state = s.ChoiceField(Post.State.choices)


class ReportWhole(ReportLine):
    title = s.CharField()
    dialect = s.CharField()
    language = s.CharField()
    tone = s.CharField()
    first = s.IntegerField(help_text="The first entry it tells of; 0 where it tells of none.")
    last = s.IntegerField()
    blocks = BlockTold(many=True)
    posts = PartTold(
        many=True, help_text="The report as the dialect writes it, in as many posts as it takes."
    )
    receipts = PostReceipt(many=True)


class HeardLine(s.Serializer):
    """A post of somebody's where the campaign is told."""

    thread = s.CharField()
    author = s.CharField(allow_blank=True)
    at = s.DateTimeField()
    text = s.CharField(allow_blank=True)
    permalink = s.CharField(allow_blank=True)
    ours = s.BooleanField()
    report = s.CharField(allow_null=True, help_text="The report that it is, or quotes.")


class HeardPage(s.Serializer):
    results = HeardLine(many=True)
    next = s.CharField(allow_null=True)


# What is told: reports in every dialect and language, where they were posted, what others wrote
# there.


def _choice(name: str, values: list[str], says: str) -> OpenApiParameter:
    return OpenApiParameter(name, {"type": "string", "enum": values}, description=says)


HOW = [
    _choice("dialect", list(DIALECTS), "In which it is written; phpBB's by default."),
    _choice(
        "language", list(LANGUAGES), "In which it is told; that of `Accept-Language` by default."
    ),
    _choice("tone", list(reports.TONES), "In place of the one that the game master chose."),
]


class ReportsView(OfCampaign):
    @extend_schema(summary="The reports there are", responses=Reports)
    def get(self, request: Request, ref: str) -> Response:
        """The latest turn first."""
        contents = hooks.reports(self.here)
        dialects = [
            {"key": one.key, "name": one.name, "limit": one.limit} for one in DIALECTS.values()
        ]
        results = [report_row(self.here, item) for item in contents]
        return self.answer(
            Reports, {"results": results, "dialects": dialects, "languages": list(LANGUAGES)}
        )


class ReportView(OfCampaign):
    @extend_schema(summary="One report", responses=ReportWhole, parameters=HOW)
    def get(self, request: Request, ref: str, key: str) -> Response:
        """As blocks, and as the dialect writes it: what the page shows, with the game master's own
        words in it.
        """
        asked = choices_asked(request)
        language = asked["language"] or translation.get_language() or LANGUAGES[0]
        with reports.speaking(language):
            there = Here(self.here.campaign, self.here.user, self.here.access)
            there.places = self.here.places  # names in the report's language
            pair = hooks.report(there, key)
            if pair is None:
                raise Http404
            site = request.build_absolute_uri("/").rstrip("/")
            dialect = DIALECTS[asked["dialect"] or DEFAULT]
            whole_report = report_in_dialect(there, pair, dialect, asked["tone"], site)
        item, _report = pair
        whole = {**report_row(self.here, item), "language": language, **whole_report}
        return self.answer(ReportWhole, whole)


def choices_asked(request: Request) -> dict[str, str | None]:
    """Return dialect, language and tone that an address asks for. Raises `ValidationError`."""
    asked = {parameter.name: request.GET.get(parameter.name) for parameter in HOW}
    known = {"dialect": DIALECTS, "language": LANGUAGES, "tone": reports.TONES}
    for name, values in known.items():
        if asked[name] is not None and asked[name] not in values:
            raise ValidationError({name: [", ".join(values)]})
    return asked


def report_in_dialect(
    here: Here,
    pair: tuple[Contents, Report],
    dialect: dialects.Dialect,
    tone: str | None,
    site: str,
) -> dict[str, object]:
    """Return a report as blocks and as a dialect writes it, in the current language."""
    item, bare = pair
    tone = tone or reports.template(here.campaign).tone
    masters = [user.username for user in selectors.game_masters(here.campaign, here.places)]
    dressed = reports.dress(here.campaign, item, bare, site, tone, masters)
    context = Context({seat.key: seat.info.colour for seat in here.seats})
    posts = [(part.title, dialect.text(part, context)) for part in dialect.parts(dressed, context)]
    return {
        "title": dressed.title,
        "dialect": dialect.key,
        "tone": tone,
        "first": bare.first,
        "last": bare.last,
        "blocks": [block(part) for part in dressed.blocks],
        "posts": [
            {"subject": subject, "text": text, "weight": dialect.weight(text)}
            for subject, text in posts
        ],
        "receipts": [
            {"permalink": post.permalink, "posted_at": post.posted_at, "state": post.state}
            for post in posting.receipts(here.campaign, item.key)
        ],
    }


def report_row(here: Here, item: Contents) -> dict[str, object]:
    return {
        "key": item.key,
        "kind": item.kind,
        "name": item.name,
        "turn": item.turn,
        "complete": item.complete,
        "url": reverse("api:report", args=[here.campaign.address, item.key]),
    }


def block(one: Block) -> dict[str, object]:
    facts: dict[str, object] = {"kind": "table", "level": 0, "lines": [], "head": [], "rows": []}
    if isinstance(one, Heading):
        return {**facts, "kind": "heading", "level": one.level, "lines": [spans(one.spans)]}
    if isinstance(one, Paragraph):
        return {**facts, "kind": "paragraph", "lines": [spans(one.spans)]}
    if isinstance(one, Bullets):
        return {**facts, "kind": "bullets", "lines": [spans(item) for item in one.items]}
    return {**facts, "head": list(one.head), "rows": [list(row) for row in one.rows]}


def spans(some: Spans) -> list[dict[str, object]]:
    return [span(one) for one in some]


def span(one: Span) -> dict[str, object]:
    return {**one._asdict(), "text": str(one.text)}


class HeardView(OfCampaign):
    @extend_schema(
        summary="What others wrote where the campaign is told",
        responses=HeardPage,
        parameters=base.PARAMETERS,
    )
    def get(self, request: Request, ref: str) -> Response:
        """For who sits at the table: the newest first, of the places that are shown to the
        players.
        """
        if not self.here.access.member:
            raise PermissionDenied(_("Only people who sit at this table read this page."))
        rows = reading.of_campaign(self.here.campaign, everything=self.here.access.host)
        return base.page(
            request, rows, lambda some: written(HeardLine, [heard_line(one) for one in some])
        )


def heard_line(one: HeardPost) -> dict[str, object]:
    return {
        "thread": one.thread.name,
        "author": one.author,
        "at": one.said_at or one.heard_at,
        "text": one.text,
        "permalink": one.permalink,
        "ours": one.ours,
        "report": one.post.report if one.post else None,
    }


# Places, the outbox, a post.


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


class PostAct(s.Serializer):
    act = s.ChoiceField(
        ["ready", "unready", "posted", "unposted", "absent", "again", "aside", "back"]
    )
    part = s.IntegerField(required=False, default=1, min_value=1, max_value=1000)
    url = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=500,
        help_text="posted: where it stands.",
    )


# What is told elsewhere, for who looks after a campaign: its places, the outbox, each of its posts
# and what may be done.


class OfHost(OfCampaign):
    """An address of what only who looks after the campaign reads; never a guest, who reaches no
    other people.
    """

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


def thread(one: Thread) -> dict[str, object]:
    names = ("name", "transport", "dialect", "language", "tone", "at_once", "active", "locked_why")
    return {
        **{name: getattr(one, name) for name in names},
        "id": one.pk,
        "address": one.open_settings.get("address", ""),
        "limit": reports.limit(one),
        "kinds": one.drafted,
        "locked": one.locked_at is not None,
    }


class PostsView(OfHost):
    @extend_schema(
        summary="What is posted elsewhere, and what is on its way",
        responses=PostPage,
        parameters=base.PARAMETERS,
    )
    def get(self, request: Request, ref: str) -> Response:
        """For game masters; where a report stands is told to everybody with the report."""
        wholes = posting.outbox(self.here.campaign)
        return base.page(
            request, wholes, lambda some: written(PostLine, [post_row(one) for one in some])
        )

    @extend_schema(
        summary="Draft a report for a place", request=Drafting, responses={201: PostWhole}
    )
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

    def whole(self, number: int) -> dict[str, object]:
        return whole(self, find(self, number))


class PostView(OfHost):
    @extend_schema(summary="One post, with its text", responses=PostWhole)
    def get(self, request: Request, ref: str, number: int) -> Response:
        """Of a draft as it would be now: its text is made from the log until it is found ready."""
        return self.answer(PostWhole, whole(self, find(self, number)))


class PostActsView(OfHost):
    @extend_schema(summary="Say something of a post", request=PostAct, responses={201: PostWhole})
    def post(self, request: Request, ref: str, number: int) -> Response:
        """Ready, posted by hand with its link, not posted after all, put aside, brought back, tried
        again. Answers the post as it stands.
        """
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
            acts: Mapping[str, Callable[[], object]] = {
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


def post_row(one: Whole) -> dict[str, object]:
    head = one.head
    return {
        "number": head.number,
        "report": head.report,
        "kind": head.kind,
        "subject": head.subject,
        "thread": head.thread.name,
        "state": one.now.state,
        "asks": one.asks,
        "struck": one.struck,
        "parts": len(one.parts),
        "permalink": head.permalink,
        "made_at": head.made_at,
        "posted_at": head.posted_at,
    }


def whole(view: OfCampaign, one: Whole) -> dict[str, object]:
    here, head = view.here, one.head
    if head.state == State.DRAFT:
        masters = [user.username for user in selectors.game_masters(here.campaign, here.places)]
        texts = [
            part(head, n, each.subject, each.text)
            for n, each in enumerate(reports.parts(head, here.seats, masters), 1)
        ]
    else:
        texts = [part(row, row.part, row.subject, row.text) for row in one.parts if row.text]
    return {
        **post_row(one),
        "texts": texts,
        "corrects": [old.number for old in head.corrects.all()],
        "corrected": [new.number for new in head.corrections.all()],
    }


def part(row: Post, number: int, subject: str, text: str) -> dict[str, object]:
    names = ("state", "permalink", "posted_at", "next_at", "last_error")
    return {
        "part": number,
        "subject": subject,
        "text": text,
        **{name: getattr(row, name) for name in names},
    }
