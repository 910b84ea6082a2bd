"""What seats write to each other, and what they proclaim: as the pages Talk and Press."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import OfCampaign, read
from api.fields import FAR, optional_number, optional_text
from api.once import answer_once
from api.paging import PARAMETERS, page
from api.receipts import Receipt, Speaking
from campaign.founding import SIGHTS
from campaign.log.talk import HEADLINE, PROCLAMATION, proclaim, proclamations
from campaign.models import LogEntry
from moderation.models import Kind
from moderation.services import REASON, report
from talk import selectors, services
from talk.models import Conversation, Message

ACTS = ("read", "mute", "unmute", "report")


class Written(s.Serializer):
    """A message. `text` is empty where it went with its author's account; `removed` says why there
    is none.
    """

    thread = s.CharField()
    number = s.IntegerField()
    seat = s.CharField()
    person = s.CharField()
    text = s.CharField(
        allow_blank=True,
        help_text="Plain text: *strong*, _stress_, > a quoted line, #12 an entry of the log.",
    )
    removed = s.CharField(
        allow_blank=True, help_text="What stands in the place of a text that is gone."
    )
    quotes = s.IntegerField(allow_null=True, help_text="The entry that is quoted.")
    at = s.DateTimeField()


class WrittenPage(s.Serializer):
    results = Written(many=True)
    next = s.CharField(allow_null=True)


class Company(s.Serializer):
    """A thread by the seats that read it: `gm` for the game masters; none are named where it is the
    whole table.
    """

    key = s.CharField()
    everybody = s.BooleanField()
    seats = s.ListField(child=s.CharField())
    unread = s.IntegerField()
    muted = s.BooleanField()
    mine = s.BooleanField(help_text="False: a game master looks on, by the rule of the campaign.")
    last = Written()


class Companies(s.Serializer):
    sight = s.ChoiceField(list(SIGHTS), help_text="What the game master reads.")
    results = Company(many=True)


class Letter(s.Serializer):
    """A message to these seats; it stands in the thread that they share with yours."""

    to = s.ListField(
        child=s.CharField(max_length=40),
        min_length=1,
        max_length=60,
        help_text="Seats, `gm` for the game masters, `*` for all.",
    )
    text = s.CharField(max_length=selectors.LONGEST)
    seat = optional_text(40, "Whose voice; else your first.")
    quotes = optional_number("The number of an entry.")

    def body(self) -> LetterBody:
        return LetterBody(**self.validated_data)


class ThreadAct(s.Serializer):
    act = s.ChoiceField(ACTS)
    message = s.IntegerField(
        required=False, min_value=1, max_value=FAR, default=0, help_text="report: its number."
    )
    reason = optional_text(REASON, "report.")

    def body(self) -> ThreadActBody:
        return ThreadActBody(**self.validated_data)


class ThreadNow(s.Serializer):
    unread = s.IntegerField()
    muted = s.BooleanField()
    reported_to = s.ChoiceField(
        ["", "gm", "host"], help_text="report: who reads it now; `gm`: also the game masters."
    )


class Proclamation(s.Serializer):
    number = s.IntegerField()
    seat = s.CharField()
    person = s.CharField(allow_blank=True)
    headline = s.CharField()
    text = s.CharField()
    turn = s.IntegerField()
    at = s.DateTimeField()


class Proclamations(s.Serializer):
    results = Proclamation(many=True)
    next = s.CharField(allow_null=True)


class Proclaimed(s.Serializer):
    headline = s.CharField(max_length=HEADLINE)
    text = s.CharField(max_length=PROCLAMATION)
    seat = optional_text(40)

    def body(self) -> ProclaimedBody:
        return ProclaimedBody(**self.validated_data)


# What the bodies say


@dataclass(frozen=True, slots=True)
class LetterBody:
    """A body of `Letter`."""

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
class ProclaimedBody:
    """A body of `Proclaimed`."""

    headline: str
    text: str
    seat: str


# Facts for the serializers. `ReportMade` writes those of the domain.


@dataclass(frozen=True, slots=True)
class MessageFacts:
    """The facts of `Written`."""

    thread: str
    number: int
    seat: str
    person: str
    text: str
    removed: str
    quotes: int | None
    at: datetime


@dataclass(frozen=True, slots=True)
class CompanyFacts:
    """The facts of `Company`."""

    key: str
    everybody: bool
    seats: Sequence[str]
    unread: int
    muted: bool
    mine: bool
    last: MessageFacts


@dataclass(frozen=True, slots=True)
class CompaniesFacts:
    """The facts of `Companies`."""

    sight: str
    results: list[CompanyFacts]


@dataclass(frozen=True, slots=True)
class ThreadNowFacts:
    """The facts of `ThreadNow`."""

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


class MessagesView(OfCampaign):
    @extend_schema(summary="Your threads", responses=Companies)
    def get(self, request: Request, ref: str) -> Response:
        """Those that your seats take part in, the latest first, and what the game master reads of
        them.
        """
        campaign = self.here.campaign
        reader = selectors.reader(campaign, self.here.user)
        results = [company_facts(company) for company in selectors.threads(reader)]
        return self.answer(Companies, CompaniesFacts(campaign.sight, results))

    @extend_schema(summary="Write to other seats", request=Letter, responses={201: Written})
    def post(self, request: Request, ref: str) -> Response:
        """The log says nothing of it; its readers alone learn that it is there."""
        here, body = self.here, read(Letter, request)

        def write() -> Response:
            message = services.write(
                here.campaign,
                here.user,
                body.to,
                body.text,
                seat=body.seat,
                quoted=body.quotes,
            )
            return self.answer(Written, message_facts(message), 201)

        return answer_once(request, write)


def company_facts(company: selectors.Row) -> CompanyFacts:
    return CompanyFacts(
        key=company.thread.key,
        everybody=company.thread.everybody,
        seats=company.thread.seats,
        unread=company.unread,
        muted=company.muted,
        mine=company.mine,
        last=message_facts(company.last),
    )


class MessagesOfView(OfCampaign):
    @extend_schema(summary="The messages of a thread", responses=WrittenPage, parameters=PARAMETERS)
    def get(self, request: Request, ref: str, key: str) -> Response:
        """The latest first. To read them here leaves them new: `acts/` says that you have read
        them.
        """
        reader = selectors.reader(self.here.campaign, self.here.user)
        thread = selectors.thread_of(reader, key)
        messages = selectors.messages(reader).filter(conversation=thread).order_by("-number")
        return page(
            request, messages, Written, lambda shown: [message_facts(message) for message in shown]
        )


class MessageActsView(OfCampaign):
    @extend_schema(
        summary="Mark a thread as read, mute it, report a message",
        request=ThreadAct,
        responses={201: ThreadNow},
    )
    def post(self, request: Request, ref: str, key: str) -> Response:
        body = read(ThreadAct, request)
        reader = selectors.reader(self.here.campaign, self.here.user)
        thread = selectors.thread_of(reader, key)
        reported_to = act(reader, thread, body)
        unread, muted = selectors.mark(reader, thread)
        return self.answer(ThreadNow, ThreadNowFacts(unread, muted, reported_to), 201)


def act(reader: selectors.Reader, thread: Conversation, body: ThreadActBody) -> str:
    """Do what was asked; return who reads a reported message now."""
    match body.act:
        case "read":
            services.read_on(reader, thread)
        case "report":
            ref = f"{thread.key}.{body.message}"
            filed = report(reader.user, Kind.MESSAGE, ref, body.reason)
            return "gm" if filed.to_masters else "host"
        case wish:
            services.mute(reader, thread, wish == "mute")
    return ""


def message_facts(message: Message) -> MessageFacts:
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


class PressView(Speaking):
    @extend_schema(
        summary="What seats have proclaimed", responses=Proclamations, parameters=PARAMETERS
    )
    def get(self, request: Request, ref: str) -> Response:
        """The latest first. Everybody reads it."""
        entries = proclamations(self.here.campaign)
        return page(
            request,
            entries,
            Proclamation,
            lambda shown: [proclamation_facts(entry) for entry in shown],
        )

    @extend_schema(summary="Proclaim something", request=Proclaimed, responses={201: Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """An entry of the log, for good."""
        body = read(Proclaimed, request)

        def act() -> list[LogEntry]:
            campaign, user = self.here.campaign, self.here.user
            return [proclaim(campaign, user, body.headline, body.text, body.seat)]

        return self.act(request, act)


def proclamation_facts(entry: LogEntry) -> ProclamationFacts:
    return ProclamationFacts(
        number=entry.number,
        seat=entry.seat,
        person=entry.actor.username if entry.actor is not None else "",
        headline=entry.content["headline"],
        text=entry.content["text"],
        turn=entry.turn,
        at=entry.at,
    )
