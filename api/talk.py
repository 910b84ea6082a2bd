"""Messages between seats, and proclamations: the same as on the pages Talk and Press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignResource, read
from api.fields import FAR, optional_number, optional_text
from api.idempotency import answer_once
from api.paging import PARAMETERS, page
from api.receipts import ActResource, Receipt
from campaign.founding import SIGHTS
from campaign.log.talk import HEADLINE, PROCLAMATION, proclaim, proclamations
from campaign.models import LogEntry
from moderation.models import Kind
from moderation.services import LONGEST_REASON, report
from talk import selectors, services
from talk.models import Conversation, Message

ACTS = ("read", "mute", "unmute", "report")


class MessageLine(s.Serializer):
    """A message.

    `text` is empty if it was deleted with its author's account; `removed` then says why.
    """

    thread = s.CharField()
    number = s.IntegerField()
    seat = s.CharField()
    person = s.CharField()
    text = s.CharField(
        allow_blank=True,
        help_text="Plain text: *strong*, _stress_, > a quoted line, #12 an entry of the log.",
    )
    removed = s.CharField(allow_blank=True, help_text="The text that replaces a removed message.")
    quotes = s.IntegerField(allow_null=True, help_text="The number of the entry that is quoted.")
    at = s.DateTimeField()


class MessagePage(s.Serializer):
    """One page of messages."""

    results = MessageLine(many=True)
    next = s.CharField(allow_null=True)


class MessageThread(s.Serializer):
    """A thread of messages, named by the seats that can read it.

    `gm` stands for the game masters. `seats` is empty for a thread of the whole table.
    """

    key = s.CharField()
    everybody = s.BooleanField()
    seats = s.ListField(child=s.CharField())
    unread = s.IntegerField()
    muted = s.BooleanField()
    mine = s.BooleanField(
        help_text=(
            "Whether one of your seats takes part. False: you read it as game master, by the"
            " rule of the campaign."
        )
    )
    last = MessageLine()


class MessageThreads(s.Serializer):
    """The threads that you can read."""

    sight = s.ChoiceField(list(SIGHTS), help_text="The messages that the game master can read.")
    results = MessageThread(many=True)


class MessageSent(s.Serializer):
    """A message to these seats. It goes into the thread that they share with your seat."""

    to = s.ListField(
        child=s.CharField(max_length=40),
        min_length=1,
        max_length=60,
        help_text="Seats, `gm` for the game masters, `*` for everyone.",
    )
    text = s.CharField(max_length=selectors.LONGEST_MESSAGE)
    seat = optional_text(40, "The seat that sends it; by default your first.")
    quotes = optional_number("The number of an entry to quote.")

    def body(self) -> MessageBody:
        """Return the validated body."""
        return MessageBody(**self.validated_data)


class ThreadAct(s.Serializer):
    """An act about a thread. `act` decides which fields it needs."""

    act = s.ChoiceField(ACTS)
    message = s.IntegerField(
        required=False,
        min_value=1,
        max_value=FAR,
        default=0,
        help_text="report: the number of the message.",
    )
    reason = optional_text(LONGEST_REASON, "report.")

    def body(self) -> ThreadActBody:
        """Return the validated body."""
        return ThreadActBody(**self.validated_data)


class ThreadState(s.Serializer):
    """The state of a thread after an act."""

    unread = s.IntegerField()
    muted = s.BooleanField()
    reported_to = s.ChoiceField(
        ["", "gm", "host"],
        help_text="report: the readers of the report; `gm` means the game masters too.",
    )


class Proclamation(s.Serializer):
    """A public proclamation of a seat."""

    number = s.IntegerField()
    seat = s.CharField()
    person = s.CharField(allow_blank=True)
    headline = s.CharField()
    text = s.CharField()
    turn = s.IntegerField()
    at = s.DateTimeField()


class Proclamations(s.Serializer):
    """One page of proclamations."""

    results = Proclamation(many=True)
    next = s.CharField(allow_null=True)


class ProclamationSent(s.Serializer):
    """A new proclamation."""

    headline = s.CharField(max_length=HEADLINE)
    text = s.CharField(max_length=PROCLAMATION)
    seat = optional_text(40)

    def body(self) -> ProclamationBody:
        """Return the validated body."""
        return ProclamationBody(**self.validated_data)


# Bodies of requests


@dataclass(frozen=True, slots=True)
class MessageBody:
    """A body of `MessageSent`."""

    to: list[str]
    text: str
    seat: str
    quotes: int | None


@dataclass(frozen=True, slots=True)
class ThreadActBody:
    """A body of `ThreadAct`."""

    act: str
    message: int
    reason: str


@dataclass(frozen=True, slots=True)
class ProclamationBody:
    """A body of `ProclamationSent`."""

    headline: str
    text: str
    seat: str


# Facts for the serializers. `ReportMade` shows those of the domain.


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """The facts of `MessageLine`."""

    thread: str
    number: int
    seat: str
    person: str
    text: str
    removed: str
    quotes: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class MessageThreadFacts:
    """The facts of `MessageThread`."""

    key: str
    everybody: bool
    seats: Sequence[str]
    unread: int
    muted: bool
    mine: bool
    last: MessageFacts


@dataclass(frozen=True, slots=True)
class MessageThreadsFacts:
    """The facts of `MessageThreads`."""

    sight: str
    results: list[MessageThreadFacts]


@dataclass(frozen=True, slots=True)
class ThreadStateFacts:
    """The facts of `ThreadState`."""

    unread: int
    muted: bool
    reported_to: str


@dataclass(frozen=True, slots=True)
class ProclamationFacts:
    """The facts of `Proclamation`."""

    number: int | None
    seat: str
    person: str
    headline: str
    text: str
    turn: int
    at: datetime


class MessagesView(CampaignResource):
    """The threads of messages that a user can read."""

    @extend_schema(summary="Your threads", responses=MessageThreads)
    def get(self, request: Request, ref: str) -> Response:
        """Return the threads of your seats, the latest first.

        `sight` says what the game master can read of them.
        """
        campaign = self.here.campaign
        reader = selectors.reader(campaign, self.here.user)
        results = [thread_facts(summary) for summary in selectors.threads(reader)]
        return self.answer(MessageThreads, MessageThreadsFacts(campaign.sight, results))

    @extend_schema(
        summary="Send a message to other seats", request=MessageSent, responses={201: MessageLine}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Send a message to other seats.

        The log does not mention it, and only its readers see it.
        """
        here, body = self.here, read(MessageSent, request)

        def write() -> Response:
            message = services.write(
                here.campaign,
                here.user,
                body.to,
                body.text,
                seat=body.seat,
                quoted=body.quotes,
            )
            return self.answer(MessageLine, message_facts(message), 201)

        return answer_once(request, write)


def thread_facts(summary: selectors.ThreadSummary) -> MessageThreadFacts:
    """Return a thread with its last message."""
    return MessageThreadFacts(
        key=summary.thread.key,
        everybody=summary.thread.is_whole_table,
        seats=summary.thread.seats,
        unread=summary.unread,
        muted=summary.muted,
        mine=summary.mine,
        last=message_facts(summary.last),
    )


class ThreadView(CampaignResource):
    """The messages of one thread."""

    @extend_schema(summary="The messages of a thread", responses=MessagePage, parameters=PARAMETERS)
    def get(self, request: Request, ref: str, key: str) -> Response:
        """Return the messages, the latest first.

        Reading them here does not mark them as read; `acts/` does.
        """
        reader = selectors.reader(self.here.campaign, self.here.user)
        thread = selectors.thread_of(reader, key)
        messages = selectors.messages(reader).filter(conversation=thread).order_by("-number")
        return page(
            request,
            messages,
            MessageLine,
            lambda shown: [message_facts(message) for message in shown],
        )


class MessageActsView(CampaignResource):
    """The acts about a thread."""

    @extend_schema(
        summary="Act on a thread",
        request=ThreadAct,
        responses={201: ThreadState},
    )
    def post(self, request: Request, ref: str, key: str) -> Response:
        """Mark a thread as read, mute or unmute it, or report a message."""
        body = read(ThreadAct, request)
        reader = selectors.reader(self.here.campaign, self.here.user)
        thread = selectors.thread_of(reader, key)
        reported_to = act(reader, thread, body)
        unread, muted = selectors.unread_and_muted(reader, thread)
        return self.answer(ThreadState, ThreadStateFacts(unread, muted, reported_to), 201)


def act(reader: selectors.Reader, thread: Conversation, body: ThreadActBody) -> str:
    """Do an act about a thread; return the reader of a reported message (`gm` or `host`)."""
    match body.act:
        case "read":
            services.mark_read(reader, thread)
        case "report":
            ref = f"{thread.key}.{body.message}"
            filed = report(reader.user, Kind.MESSAGE, ref, body.reason)
            return "gm" if filed.to_masters else "host"
        case wish:
            services.mute(reader, thread, wish == "mute")
    return ""


def message_facts(message: Message) -> MessageFacts:
    """Return a message."""
    return MessageFacts(
        thread=message.conversation.key,
        number=message.number,
        seat=message.seat,
        person=message.author.username,
        text=message.text,
        removed=message.gap,
        quotes=message.quoted.number if message.quoted is not None else None,
        at=message.at,
    )


class PressView(ActResource):
    """The proclamations of a campaign."""

    @extend_schema(summary="Proclamations", responses=Proclamations, parameters=PARAMETERS)
    def get(self, request: Request, ref: str) -> Response:
        """Return the proclamations, the latest first. Everyone can read them."""
        entries = proclamations(self.here.campaign)
        return page(
            request,
            entries,
            Proclamation,
            lambda shown: [proclamation_facts(entry) for entry in shown],
        )

    @extend_schema(
        summary="Publish a proclamation", request=ProclamationSent, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Publish a proclamation, which stays in the log for good."""
        body = read(ProclamationSent, request)

        def act() -> list[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            return [proclaim(campaign, user, body.headline, body.text, body.seat)]

        return self.act(request, act)


def proclamation_facts(entry: LogEntry) -> ProclamationFacts:
    """Return a proclamation from its log entry."""
    return ProclamationFacts(
        number=entry.number,
        seat=entry.seat,
        person=entry.actor.username if entry.actor is not None else "",
        headline=entry.content["headline"],
        text=entry.content["text"],
        turn=entry.turn,
        at=entry.at,
    )
