"""What seats write to each other, and what they proclaim: as the pages Talk and Press."""

from __future__ import annotations

from collections.abc import Mapping

from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import PARAMETERS, OfCampaign, Resource, answer_once, page
from api.founding import must_be_somebody
from api.moves import FAR, Receipt, Speaking
from campaign.founding import SIGHTS
from campaign.log.talk import HEADLINE, PROCLAMATION, proclaim, proclamations
from campaign.models import LogEntry
from moderation import services as moderation_selectors
from moderation import services as moderation_services
from moderation.models import Kind, Report
from moderation.services import REASON, report
from talk import selectors, services
from talk.models import Message, Thread

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
    seat = s.CharField(
        required=False,
        allow_blank=True,
        default="",
        max_length=40,
        help_text="Whose voice; else your first.",
    )
    quotes = s.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=0,
        max_value=FAR,
        help_text="The number of an entry.",
    )


class ThreadAct(s.Serializer):
    act = s.ChoiceField(ACTS)
    message = s.IntegerField(
        required=False, min_value=1, max_value=FAR, default=0, help_text="report: its number."
    )
    reason = s.CharField(
        required=False, allow_blank=True, default="", max_length=REASON, help_text="report."
    )


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
    seat = s.CharField(required=False, allow_blank=True, default="", max_length=40)


class MessagesView(OfCampaign):
    @extend_schema(summary="Your threads", responses=Companies)
    def get(self, request: Request, ref: str) -> Response:
        """Those that your seats take part in, the latest first, and what the game master reads of
        them.
        """
        who = selectors.reader(self.here.campaign, self.here.user)
        results = [
            {
                "key": one.thread.key,
                "everybody": one.thread.everybody,
                "seats": list(one.thread.seats),
                "unread": one.unread,
                "muted": one.muted,
                "mine": one.mine,
                "last": message(one.last),
            }
            for one in selectors.threads(who)
        ]
        return self.answer(Companies, {"sight": self.here.campaign.sight, "results": results})

    @extend_schema(summary="Write to other seats", request=Letter, responses={201: Written})
    def post(self, request: Request, ref: str) -> Response:
        """The log says nothing of it; its readers alone learn that it is there."""
        sent = Letter(data=request.data)
        sent.is_valid(raise_exception=True)
        content = sent.validated_data

        def write() -> Response:
            more = {"seat": content["seat"], "quoted": content["quotes"]}
            row = services.write(
                self.here.campaign, self.here.user, content["to"], content["text"], **more
            )
            return self.answer(Written, message(row), 201)

        return answer_once(request, write)


class MessagesOfView(OfCampaign):
    @extend_schema(summary="The messages of a thread", responses=WrittenPage, parameters=PARAMETERS)
    def get(self, request: Request, ref: str, key: str) -> Response:
        """The latest first. To read them here leaves them new: `acts/` says that you have read
        them.
        """
        who = selectors.reader(self.here.campaign, self.here.user)
        rows = (
            selectors.messages(who).filter(thread=selectors.thread_of(who, key)).order_by("-number")
        )
        return page(request, rows, lambda shown: [message(one) for one in shown])


class MessageActsView(OfCampaign):
    @extend_schema(
        summary="Mark a thread as read, mute it, report a message",
        request=ThreadAct,
        responses={201: ThreadNow},
    )
    def post(self, request: Request, ref: str, key: str) -> Response:
        sent = ThreadAct(data=request.data)
        sent.is_valid(raise_exception=True)
        who = selectors.reader(self.here.campaign, self.here.user)
        thread = selectors.thread_of(who, key)
        whom = act(who, thread, sent.validated_data)
        unread, muted = selectors.mark(who, thread)
        return self.answer(ThreadNow, {"unread": unread, "muted": muted, "reported_to": whom}, 201)


def act(who: selectors.Reader, thread: Thread, content: Mapping[str, object]) -> str:
    """Do what was asked; return who reads a reported message now."""
    if content["act"] == "read":
        services.read_on(who, thread)
    elif content["act"] == "report":
        row = report(
            who.user, Kind.MESSAGE, f"{thread.key}.{content['message']}", str(content["reason"])
        )
        return "gm" if row.to_masters else "host"
    else:
        services.mute(who, thread, content["act"] == "mute")
    return ""


def message(one: Message) -> dict[str, object]:
    return {
        "thread": one.thread.key,
        "number": one.number,
        "seat": one.seat,
        "person": one.author.username,
        "text": one.text,
        "removed": one.gap,
        "quotes": one.quoted.number if one.quoted is not None else None,
        "at": one.at,
    }


class PressView(Speaking):
    form = Proclaimed

    @extend_schema(
        summary="What seats have proclaimed", responses=Proclamations, parameters=PARAMETERS
    )
    def get(self, request: Request, ref: str) -> Response:
        """The latest first. Everybody reads it."""
        return page(
            request,
            proclamations(self.here.campaign),
            lambda shown: [proclamation(one) for one in shown],
        )

    @extend_schema(summary="Proclaim something", request=Proclaimed, responses={201: Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """An entry of the log, for good."""
        return self.act(
            request,
            lambda content: [
                proclaim(
                    self.here.campaign,
                    self.here.user,
                    content["headline"],
                    content["text"],
                    content["seat"],
                )
            ],
        )


def proclamation(one: LogEntry) -> dict[str, object]:
    return {
        "number": one.number,
        "seat": one.seat,
        "person": one.actor.username if one.actor is not None else "",
        "headline": one.content["headline"],
        "text": one.content["text"],
        "turn": one.turn,
        "at": one.at,
    }


# Reporting a text to the moderators of the site.

SHOWN = 50


class TextReport(s.Serializer):
    """Which text, and why."""

    kind = s.ChoiceField(Kind.values)
    ref = s.CharField(
        max_length=60,
        help_text=(
            "`abcdefgh.12` an entry or evidence, `key.4` a message, `abcdefgh` a name, lobby or"
            " scenario."
        ),
    )
    reason = s.CharField(
        required=False, allow_blank=True, default="", max_length=moderation_services.REASON
    )


class ReportMade(s.Serializer):
    kind = s.ChoiceField(Kind.values)
    ref = s.CharField()
    at = s.DateTimeField()
    to_masters = s.BooleanField(help_text="The game masters of the campaign read it, too.")
    outcome = s.ChoiceField(["", *Report.Outcome.values], help_text="Empty: nobody has decided.")
    words = s.CharField(
        allow_blank=True, help_text="The moderators', where they leave the text as it is."
    )


class ReportsMade(s.Serializer):
    results = ReportMade(many=True)


class TextReportsView(Resource):
    @extend_schema(summary="What you have reported", responses=ReportsMade)
    def get(self, request: Request) -> Response:
        """The latest first, with what came of it."""
        must_be_somebody(request)
        return self.answer(
            ReportsMade,
            {"results": [row(one) for one in moderation_selectors.made_by(request.user)[:SHOWN]]},
        )

    @extend_schema(summary="Report a text", request=TextReport, responses={201: ReportMade})
    def post(self, request: Request) -> Response:
        """To the moderators of the site, and to the game masters of its campaign where they are no
        party.
        """
        must_be_somebody(request)
        sent = TextReport(data=request.data)
        sent.is_valid(raise_exception=True)
        content = sent.validated_data

        def make() -> Response:
            made_now = moderation_services.report(
                request.user, content["kind"], content["ref"], content["reason"]
            )
            return self.answer(ReportMade, row(made_now), 201)

        return answer_once(request, make)


def row(one: Report) -> dict[str, object]:
    words = one.words if one.outcome == Report.Outcome.DISMISSED else ""
    return {
        "kind": one.kind,
        "ref": one.ref,
        "at": one.at,
        "to_masters": one.to_masters,
        "outcome": one.outcome,
        "words": words,
    }
