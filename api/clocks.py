"""Clocks: deadlines, their usual lengths, and extensions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.base import CampaignResource, Resource, read
from api.fields import FAR, number, optional_number, optional_text
from api.receipts import ActResource, Receipt
from campaign import access
from campaign.clocks import selectors, services
from campaign.clocks.selectors import KINDS, REMINDERS, Terms
from campaign.errors import NotNow
from campaign.models import Campaign, Clock, LogEntry


class ClockLine(s.Serializer):
    """A deadline."""

    kind = s.ChoiceField(Clock.Kind.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True)
    waits = s.ListField(child=s.CharField(), help_text="The seats that it waits for.")
    entry = s.IntegerField(allow_null=True, help_text="The entry that opened it.")
    started_at = s.DateTimeField()
    due_at = s.DateTimeField()
    first_due_at = s.DateTimeField(help_text="The deadline before any extension.")
    latest = s.DateTimeField(help_text="The latest time to which it may be extended.")
    acts_at = s.DateTimeField(
        allow_null=True,
        help_text="The time when the clock acts by itself; null if it only reminds.",
    )
    held = s.BooleanField(help_text="Whether the clock is paused with the campaign.")
    overdue = s.BooleanField()


class Deadline(ClockLine):
    """A deadline with its campaign."""

    campaign = s.CharField(help_text="The campaign's `ref`.")


class Deadlines(s.Serializer):
    """The deadlines of a user."""

    results = Deadline(many=True)


class ClockTerms(s.Serializer):
    """The agreed terms of a kind of clock. Lengths are in days or hours (`3d`, `12h`)."""

    kind = s.ChoiceField(Clock.Kind.choices)
    runs = s.BooleanField()
    length = s.CharField(allow_null=True)
    grace = s.CharField(allow_null=True)
    acts = s.BooleanField()
    asks = s.BooleanField(help_text="Whether game masters are notified when the time is over.")
    reminds = s.ChoiceField(
        REMINDERS,
        allow_null=True,
        help_text="both: when a fifth of the time is left, and on the last day.",
    )


class Clocks(s.Serializer):
    """The deadlines of a campaign, and the terms of each kind of clock."""

    results = ClockLine(many=True)
    terms = ClockTerms(many=True)


class Extension(s.Serializer):
    """A later deadline for a running clock, and the reason, which everyone can read."""

    kind = s.CharField(max_length=20, help_text="As in `clocks/`.")
    entry = s.IntegerField(
        min_value=0, max_value=FAR, allow_null=True, help_text="The entry that opened it."
    )
    seat = optional_text(40)
    contest = optional_number()
    to = s.DateTimeField(help_text="The new deadline, with its time zone.")
    reason = s.CharField(allow_blank=True, max_length=1000)
    seen = number()

    def body(self) -> ExtensionBody:
        """Return the validated body."""
        return ExtensionBody(**self.validated_data)


class TermsOfOne(s.Serializer):
    """The terms of one kind of clock.

    `length` is the time until the deadline; `grace` is the time after it until the clock acts, if
    `acts` is true.
    """

    length = s.CharField(max_length=10, help_text="Days or hours: `3d`, `12h`.")
    grace = s.CharField(required=False, default="1d", max_length=10)
    acts = s.BooleanField(required=False, default=False)
    asks = s.BooleanField(
        required=False,
        default=True,
        help_text="Whether game masters are notified when the time is over.",
    )
    reminds = s.ChoiceField(
        REMINDERS,
        required=False,
        default=REMINDERS[0],
        help_text=(
            "both: when a fifth of the time is left, and on the last day; day: on the last"
            " day; none."
        ),
    )


class TermsOfKinds(s.Serializer):
    """Terms by kind of clock. A missing kind stays unchanged; null switches the kind off."""

    def get_fields(self) -> dict[str, s.Field]:
        """Return a field for each kind of clock."""
        return {kind: TermsOfOne(required=False, allow_null=True) for kind in KINDS}


class TermsOfClocks(s.Serializer):
    """New terms for the clocks of a campaign."""

    terms = TermsOfKinds()

    def body(self) -> TermsBody:
        """Return the terms by kind; None for a kind that is switched off."""
        terms: Mapping[str, Mapping[str, Any] | None] = self.validated_data["terms"]
        return TermsBody(
            {kind: None if given is None else Terms(**given) for kind, given in terms.items()}
        )


# Bodies of requests


@dataclass(frozen=True, slots=True)
class ExtensionBody:
    """A body of `Extension`."""

    kind: str
    entry: int | None
    seat: str
    contest: int | None
    to: datetime
    reason: str
    seen: int


@dataclass(frozen=True, slots=True)
class TermsBody:
    """A body of `TermsOfClocks`."""

    terms: dict[str, Terms | None]


# Facts for the serializers


@dataclass(frozen=True, slots=True)
class ClockFacts:
    """The facts of `ClockLine`."""

    kind: str
    seat: str
    contest: int | None
    waits: list[str]
    entry: int | None
    started_at: datetime
    due_at: datetime
    first_due_at: datetime
    latest: datetime
    acts_at: datetime | None
    held: bool
    overdue: bool


@dataclass(frozen=True, slots=True)
class DeadlineFacts(ClockFacts):
    """The facts of `Deadline`: a clock with its campaign."""

    campaign: str


@dataclass(frozen=True, slots=True)
class ClockTermsFacts:
    """The facts of `ClockTerms`. Without terms there are no clocks of the kind."""

    kind: str
    runs: bool
    length: str | None = None
    grace: str | None = None
    acts: bool = False
    asks: bool = False
    reminds: str | None = None


@dataclass(frozen=True, slots=True)
class ClocksFacts:
    """The facts of `Clocks`."""

    results: list[ClockFacts]
    terms: list[ClockTermsFacts]


class ClocksView(CampaignResource):
    """The deadlines of a campaign."""

    @extend_schema(summary="Deadlines", responses=Clocks)
    def get(self, request: Request, ref: str) -> Response:
        """Return running and paused deadlines, the earliest first, and the terms of each kind."""
        here, now = self.here, timezone.now()
        running: Sequence[Clock] = [] if len(here.seats) == 1 else selectors.running(here.campaign)
        agreed = selectors.terms_of(here.campaign)
        facts = ClocksFacts(
            results=[clock_facts(clock, now) for clock in running],
            terms=[terms_facts(kind, terms) for kind, terms in agreed.items()],
        )
        return self.answer(Clocks, facts)


def clock_facts(clock: Clock, now: datetime) -> ClockFacts:
    """Return a clock. `acts_at` is None if the clock only reminds."""
    only_reminds = clock.held or clock.acted_entry_id is not None
    return ClockFacts(
        kind=clock.kind,
        seat=clock.seat,
        contest=clock.contest,
        waits=list(clock.seats),
        entry=clock.entry.number,
        started_at=clock.started_at,
        due_at=clock.due_at,
        first_due_at=clock.first_due_at,
        latest=clock.latest,
        acts_at=None if only_reminds else clock.acts_at,
        held=clock.held,
        overdue=clock.overdue(now),
    )


def terms_facts(kind: str, terms: Terms | None) -> ClockTermsFacts:
    """Return the terms of a kind of clock. `terms` is None if the kind is switched off."""
    if terms is None:
        return ClockTermsFacts(kind, runs=False)
    return ClockTermsFacts(
        kind=kind,
        runs=True,
        length=terms.length,
        grace=terms.grace,
        acts=bool(terms.acts),
        asks=bool(terms.asks),
        reminds=terms.reminds,
    )


class DeadlinesView(Resource):
    """The deadlines of the user of the token."""

    @extend_schema(summary="Your deadlines", responses=Deadlines)
    def get(self, request: Request) -> Response:
        """Return your deadlines in all your campaigns, the earliest first."""
        if not request.user.is_authenticated:
            raise NotAuthenticated
        now = timezone.now()
        results = [deadline_facts(clock, now) for clock in selectors.clocks_of_user(request.user)]
        return self.answer(Deadlines, {"results": results})


def deadline_facts(clock: Clock, now: datetime) -> DeadlineFacts:
    """Return a clock with its campaign."""
    return DeadlineFacts(**asdict(clock_facts(clock, now)), campaign=clock.campaign.address)


class ExtendView(ActResource):
    """The extension of a deadline."""

    @extend_schema(summary="Extend a deadline", request=Extension, responses={201: Receipt})
    def post(self, request: Request, ref: str) -> Response:
        """Extend a deadline, for the game master, who gives a reason.

        A deadline can be extended to at most twice its length.
        """
        body = read(Extension, request)
        return self.act(request, lambda: self.extend(body))

    def extend(self, body: ExtensionBody) -> list[LogEntry]:
        """Extend the clock that a body names."""
        campaign, user = self.here.campaign, self.here.user
        access.must_be_host(campaign, user)
        clock = clock_of(campaign, body)
        return [services.extend(campaign, user, clock, body.to, body.reason, body.seen)]


def clock_of(campaign: Campaign, body: ExtensionBody) -> Clock:
    """Return the running clock that a body names. Raises `NotNow`."""
    named = (body.kind, body.entry, body.seat, body.contest)
    for clock in selectors.running(campaign):
        if (clock.kind, clock.entry.number, clock.seat, clock.contest) == named:
            return clock
    raise NotNow("clock-ended", _("This clock is no longer running."))


class TermsOfClocksView(ActResource):
    """The terms of the clocks of a campaign."""

    @extend_schema(
        summary="Set the terms of clocks", request=TermsOfClocks, responses={201: Receipt}
    )
    def post(self, request: Request, ref: str) -> Response:
        """Set the terms of clocks, for the game master.

        Kinds that are not named stay unchanged; null switches a kind off.
        """
        terms = read(TermsOfClocks, request).terms
        return self.act(
            request, lambda: [services.set_terms(self.here.campaign, self.here.user, terms)]
        )
