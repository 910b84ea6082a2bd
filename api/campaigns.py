"""A campaign, and who reads it."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from django.contrib.auth.models import AnonymousUser
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import Here, OfCampaign, Resource, written
from battles import projection as battles
from campaign import access, forecasts, hooks, services
from campaign.clocks import selectors as clocks
from campaign.log import history, positions, record, selectors
from campaign.models import Campaign, Clock, Look, Membership
from campaign.seats import selectors as seats_selectors
from engine.strict_json import read
from games import registry
from games.contract.title import Portable
from people.models import Token


class Seat(s.Serializer):
    """A seat; `holder` is null while it is free."""

    key = s.CharField()
    name = s.CharField()
    colour = s.CharField(
        allow_blank=True, help_text="As #rrggbb; empty where the title gives none."
    )
    holder = s.CharField(allow_null=True)
    program = s.CharField(
        allow_null=True,
        help_text="Which program holds it among people, until a person does; null: none.",
    )


class CampaignLine(s.Serializer):
    """A campaign as a list has it."""

    ref = s.CharField(
        help_text="Names the campaign in addresses. Only its first eight characters are read."
    )
    name = s.CharField()
    title = s.CharField(help_text="The game.")
    status = s.ChoiceField(Campaign.Status.choices)
    visibility = s.ChoiceField(Campaign.Visibility.choices)
    turn = s.IntegerField()
    active_seat = s.CharField(
        allow_blank=True, help_text="Whose slot is open; empty where nobody's is."
    )
    founded_at = s.DateTimeField()
    ended_at = s.DateTimeField(allow_null=True)
    url = s.CharField(help_text="The campaign in this interface.")
    page = s.CharField(help_text="The campaign as people read it.")


class Mine(s.Serializer):
    """What the reader is there."""

    viewer = s.CharField(
        allow_null=True,
        help_text="Through whose eyes the answer is seen: `gm`, a seat, null for a stranger.",
    )
    game_master = s.BooleanField(help_text="Sees all and speaks for all.")
    host = s.BooleanField(help_text="A game master, also one who plays and may not see all.")
    seats = s.ListField(child=s.CharField())
    member = s.BooleanField()


class Wait(s.Serializer):
    """Somebody for whom the table waits."""

    seat = s.CharField()
    what = s.CharField()
    text = s.CharField()
    contest = s.IntegerField(allow_null=True)


class CampaignWhole(CampaignLine):
    """One campaign as its reader knows it."""

    phase = s.CharField(allow_blank=True)
    time_zone = s.CharField()
    commitment = s.CharField(help_text="What was promised of the dice before the first fell.")
    by_hand = s.BooleanField(help_text="Every new die is thrown elsewhere.")
    game_masters = s.ListField(child=s.CharField())
    seats = Seat(many=True)
    mine = Mine()
    waiting = Wait(many=True)
    seen = s.IntegerField(help_text="The reader's last entry: what a move is said with.")
    links = s.DictField(child=s.CharField(), help_text="What there is of this campaign.")


class CampaignPage(s.Serializer):
    results = CampaignLine(many=True)
    next = s.CharField(allow_null=True)


class Me(s.Serializer):
    """The person of the token, and the token."""

    name = s.CharField()
    language = s.CharField(allow_blank=True)
    time_zone = s.CharField()
    token = s.CharField(help_text="The name they gave it.")
    scope = s.ChoiceField(Token.Scope.choices)
    ends_at = s.DateTimeField(allow_null=True)
    campaigns = CampaignLine(many=True, help_text="Where they have a place now, newest first.")


class Root(s.Serializer):
    """Where to begin."""

    version = s.CharField()
    links = s.DictField(child=s.CharField())


# The table: what was agreed, how it stands, who sits there, what is due.


class HouseRule(s.Serializer):
    """Something that is played otherwise than the rules have it."""

    name = s.CharField()
    here = s.CharField()
    usual = s.CharField()
    rule = s.CharField(allow_blank=True)


class Terms(s.Serializer):
    """What is played: the game, the edition of its rules, scenario and options as the record has
    them.
    """

    title = s.CharField()
    name = s.CharField(help_text="Of the game.")
    format = s.CharField(help_text="Of its records, with the edition of the rules.")
    scenario = s.JSONField()
    options = s.JSONField()
    drawing = s.JSONField(allow_null=True, help_text="Its own map; null where it has the title's.")
    rulebook = s.CharField()
    house_rules = HouseRule(many=True)


class Position(s.Serializer):
    """The position as its reader may see it."""

    entry = s.IntegerField(allow_null=True, help_text="After this entry; null before the first.")
    now = s.BooleanField(help_text="Was it asked for as it stands now?")
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True, help_text="The seat whose slot is open.")
    state = s.JSONField(
        help_text=(
            "As the title tells it: RECORD.md of its rules. What is hidden from the reader is null"
            " or a count."
        )
    )


class Standing(s.Serializer):
    seat = s.CharField()
    name = s.CharField()
    rank = s.IntegerField()
    points = s.IntegerField()
    facts = s.JSONField()


class Standings(s.Serializer):
    """The final standings; `results` is null while the campaign runs."""

    results = Standing(many=True, allow_null=True)
    waiting = Wait(many=True)


class OutlookPoint(s.Serializer):
    """The chance of victory of each seat after an entry, 0 to 1."""

    entry = s.IntegerField()
    chances = s.DictField(child=s.FloatField())


class OutlookSeat(s.Serializer):
    """How a seat may end: its chance of victory, with what is 95% certain of it; between which
    points eight campaigns of ten lie, and over which half of them.
    """

    seat = s.CharField()
    name = s.CharField()
    chance = s.FloatField()
    chance_low = s.FloatField()
    chance_high = s.FloatField()
    points_low = s.FloatField()
    points_middle = s.FloatField()
    points_high = s.FloatField()


class OutlookSwing(s.Serializer):
    """An entry that changed a seat's chance."""

    entry = s.IntegerField()
    seat = s.CharField()
    before = s.FloatField()
    after = s.FloatField()


class Outlook(s.Serializer):
    """The forecast: programs play the campaign on from the end of each turn. Empty before the
    first, and where it is off.
    """

    on = s.BooleanField(help_text="Is one made and shown? The game master's switch.")
    games = s.IntegerField(
        allow_null=True, help_text="Campaigns that were played from the end of the last turn."
    )
    results = OutlookSeat(many=True, help_text="After the last turn that has one, the best first.")
    points = OutlookPoint(many=True)
    swings = OutlookSwing(many=True)


class Away(s.Serializer):
    """Somebody who is away or says that they will be. Days are those of their own calendar."""

    person = s.CharField()
    seats = s.ListField(child=s.CharField())
    first = s.DateField()
    last = s.DateField()
    begun = s.BooleanField()
    note = s.CharField(allow_blank=True, help_text="Empty, too, where it is not for the reader.")


class Absences(s.Serializer):
    results = Away(many=True)


class Place(s.Serializer):
    """A role that somebody has at the table now."""

    person = s.CharField()
    role = s.ChoiceField(Membership.Role.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True, help_text="Of a substitute: the battle.")
    since = s.DateTimeField()


class People(s.Serializer):
    seats = Seat(many=True)
    people = Place(many=True)


class ClockLine(s.Serializer):
    """A deadline."""

    kind = s.ChoiceField(Clock.Kind.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True)
    waits = s.ListField(child=s.CharField(), help_text="The seats that it waits for.")
    entry = s.IntegerField(allow_null=True, help_text="The entry that opened it.")
    started_at = s.DateTimeField()
    due_at = s.DateTimeField()
    first_due_at = s.DateTimeField(help_text="Before anybody extended it.")
    latest = s.DateTimeField(help_text="To which it may be extended.")
    acts_at = s.DateTimeField(
        allow_null=True, help_text="When the clock does it by itself; null where it only reminds."
    )
    held = s.BooleanField(help_text="Does it stand still, as the campaign does?")
    overdue = s.BooleanField()


class Deadline(ClockLine):
    campaign = s.CharField(help_text="Its `ref`.")


class Deadlines(s.Serializer):
    results = Deadline(many=True)


class ClockTerms(s.Serializer):
    """What was agreed of a kind of clocks; lengths are days or hours (`3d`, `12h`)."""

    kind = s.ChoiceField(Clock.Kind.choices)
    runs = s.BooleanField()
    length = s.CharField(allow_null=True)
    grace = s.CharField(allow_null=True)
    acts = s.BooleanField()
    asks = s.BooleanField(help_text="Are game masters told when it is over?")
    reminds = s.ChoiceField(
        clocks.REMINDERS,
        allow_null=True,
        help_text="both: with a fifth of the time left and on the last day.",
    )


class Clocks(s.Serializer):
    results = ClockLine(many=True)
    terms = ClockTerms(many=True)


class Record(s.Serializer):
    """The record of the moves in force: what `manage.py replay` reads (RECORD.md)."""

    format = s.CharField()
    scenario = s.JSONField()
    options = s.JSONField()
    dice = s.JSONField()
    moves = s.ListField(child=s.JSONField())


class Picture(s.Serializer):
    turn = s.IntegerField()
    entry = s.IntegerField()
    url = s.CharField()


class Files(s.Serializer):
    """Addresses of files, which a browser opens; of a table for its members only they ask for
    signing in.
    """

    record = s.CharField()
    pack = s.CharField(help_text="The audit pack.")
    log = s.CharField()
    dice = s.CharField()
    ledgers = s.CharField()
    rolls = s.CharField(
        help_text="The published links and every roll, which verify.py compares with the log."
    )
    story = s.CharField(allow_null=True)
    sheet = s.CharField(allow_null=True, help_text="How it stands, for a spreadsheet.")
    picture = s.CharField(allow_null=True, help_text="The map as it stands.")
    pictures = Picture(many=True, help_text="The map at the end of each turn.")


# The table: what was agreed, how it stands now or stood, who sits there, what is due; its files.

AT = OpenApiParameter(
    "at",
    {"type": "integer", "minimum": 0, "maximum": 999999999},
    description="As it stood after this entry in force.",
)


class TermsView(OfCampaign):
    @extend_schema(summary="What is played", responses=Terms)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        options = positions.record_options(here.campaign)
        facts = {
            "title": here.title.key,
            "name": here.title.name,
            "format": here.title.format,
            "scenario": read(here.campaign.scenario),
            "options": options,
            "drawing": read(here.campaign.drawing.text) if here.campaign.drawing else None,
            "rulebook": reverse("api:rulebook", args=[here.title.key]),
            "house_rules": [
                {"name": name, "here": played, "usual": usual, "rule": rule}
                for name, played, usual, rule in hooks.house_rules(here.campaign)
            ],
        }
        return self.answer(Terms, facts)


class PositionView(OfCampaign):
    @extend_schema(summary="The position", responses=Position, parameters=[AT])
    def get(self, request: Request, ref: str) -> Response:
        """Now, or with `at` as it stood after an entry that is in force and that everybody sees."""
        here, asked = self.here, base.whole_number(request, "at", -1)
        road = history.trail(here.campaign)
        if asked < 0:
            number, position = (road.stops[-1].number if road.stops else None), here.position
        else:
            place = road.at(asked)
            if place is None:
                raise Http404
            stop = road.stops[place]
            number, position = stop.number, history.after(here.campaign, stop.moves)
        state = here.title.view(position, here.access.viewer)
        facts = {
            "entry": number,
            "now": asked < 0,
            "turn": state["turn"],
            "phase": state["phase"],
            "slot": state["slot"],
            "state": state,
        }
        return self.answer(Position, facts)


class StandingsView(OfCampaign):
    @extend_schema(summary="Whom the table waits for, and how it ended", responses=Standings)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        final = selectors.standings(here.campaign)
        results = (
            None
            if final is None
            else [
                {
                    "seat": one.seat,
                    "name": here.name_of(one.seat),
                    "rank": one.rank,
                    "points": one.points,
                    "facts": dict(one.facts),
                }
                for one in sorted(final, key=lambda one: one.rank)
            ]
        )
        return self.answer(Standings, {"results": results, "waiting": waiting(here)})


class ForecastView(OfCampaign):
    @extend_schema(summary="How it may end, if programs played on", responses=Outlook)
    def get(self, request: Request, ref: str) -> Response:
        """The same for every reader; the story page says what it is and is not."""
        here = self.here
        course = forecasts.course(here.campaign) if here.campaign.forecasts else None
        facts: dict[str, Any] = {
            "on": forecasts.shown(here.campaign),
            "games": None,
            "results": [],
            "points": [],
            "swings": [],
        }
        if course is not None:
            facts |= {
                "games": course.games,
                "results": [
                    {
                        "seat": one.seat,
                        "name": here.name_of(one.seat),
                        "chance": one.won.share,
                        "chance_low": one.won.low,
                        "chance_high": one.won.high,
                        "points_low": one.low,
                        "points_middle": one.middle,
                        "points_high": one.high,
                    }
                    for one in course.chances
                ],
                "points": [one._asdict() for one in course.points],
                "swings": [one._asdict() for one in course.swings],
            }
        return self.answer(Outlook, facts)


def waiting(here: Here) -> list[dict[str, Any]]:
    return [
        {
            "seat": one.seat,
            "what": one.what.id,
            "contest": one.contest,
            "text": battles.speak(here.title, here.scenario, one.what),
        }
        for one in battles.waits(here.campaign)
    ]


def seats(here: Here) -> list[dict[str, Any]]:
    programs = seats_selectors.program_levels(here.campaign)
    return [
        {
            "key": one.key,
            "name": one.name,
            "colour": one.info.colour,
            "holder": one.holder.username if one.holder else None,
            "program": programs.get(one.key),
        }
        for one in here.seats
    ]


class PeopleView(OfCampaign):
    @extend_schema(summary="Who sits at the table", responses=People)
    def get(self, request: Request, ref: str) -> Response:
        here = self.here
        bound = {one.pk for one in access.in_force(here.campaign, here.places)}
        people = [
            {
                "person": one.user.username,
                "role": one.role,
                "seat": one.seat,
                "contest": one.contest,
                "since": one.since,
            }
            for one in here.places
            if one.role != Membership.Role.SUBSTITUTE or one.pk in bound
        ]
        return self.answer(People, {"seats": seats(here), "people": people})


class AbsencesView(OfCampaign):
    @extend_schema(summary="Who is away", responses=Absences)
    def get(self, request: Request, ref: str) -> Response:
        here, now = self.here, timezone.now()
        rows = [
            {
                "person": one.user.username,
                "first": one.first,
                "last": one.last,
                "begun": one.begins_at <= now,
                "seats": [
                    seat.key
                    for seat in here.seats
                    if seat.holder is not None and seat.holder.pk == one.user_id
                ],
                "note": (
                    one.note if seats_selectors.may_read_note(one, here.access, here.user) else ""
                ),
            }
            for one in (
                [] if len(here.seats) == 1 else seats_selectors.of_campaign(here.campaign, now)
            )
        ]
        return self.answer(Absences, {"results": rows})


class ClocksView(OfCampaign):
    @extend_schema(summary="Deadlines", responses=Clocks)
    def get(self, request: Request, ref: str) -> Response:
        """Those that run or stand still, the earliest first, and what was agreed of each kind."""
        here, now = self.here, timezone.now()
        running = [
            clock(one, now)
            for one in ([] if len(here.seats) == 1 else clocks.running(here.campaign))
        ]
        agreed = [
            {
                "kind": kind,
                "runs": one is not None,
                "length": one.length if one else None,
                "grace": one.grace if one else None,
                "acts": bool(one and one.acts),
                "asks": bool(one and one.asks),
                "reminds": one.reminds if one else None,
            }
            for kind, one in clocks.terms_of(here.campaign).items()
        ]
        return self.answer(Clocks, {"results": running, "terms": agreed})


def clock(one: Clock, now: datetime) -> dict[str, Any]:
    return {
        "kind": one.kind,
        "seat": one.seat,
        "contest": one.contest,
        "waits": list(one.seats),
        "entry": one.entry.number,
        "started_at": one.started_at,
        "due_at": one.due_at,
        "first_due_at": one.first_due_at,
        "latest": one.latest,
        "acts_at": None if one.held or one.acted_id is not None else one.acts_at,
        "held": one.held,
        "overdue": one.overdue(now),
    }


class DeadlinesView(Resource):
    @extend_schema(summary="Your deadlines", responses=Deadlines)
    def get(self, request: Request) -> Response:
        """All that waits for you, over your campaigns, the earliest first."""
        if not request.user.is_authenticated:
            raise NotAuthenticated
        now, due_clocks = timezone.now(), clocks.of_person(request.user)
        return self.answer(
            Deadlines,
            {
                "results": [
                    {**clock(one, now), "campaign": one.campaign.address} for one in due_clocks
                ]
            },
        )


class RecordView(OfCampaign):
    @extend_schema(summary="The record", responses=Record)
    def get(self, request: Request, ref: str) -> Response:
        """With hidden hands for the game master only, until the campaign has finished; that they
        took it is kept for the hands' holders.
        """
        here = self.here
        document = record.export(here.campaign, here.access)
        if here.access.game_master:
            services.log_access_to_all(here.campaign, here.user, Look.Way.RECORD)
        return self.answer(Record, document)


class FilesView(OfCampaign):
    @extend_schema(summary="Addresses of files and pictures", responses=Files)
    def get(self, request: Request, ref: str) -> Response:
        campaign = self.here.campaign

        def address(name: str, *more: Any) -> str:
            return request.build_absolute_uri(reverse(name, args=[campaign.address, *more]))

        draws = hooks.draws_pictures(campaign)
        turns = selectors.turns(campaign) if draws else ()
        facts = {
            "record": address("record"),
            "pack": address("pack"),
            "log": address("log_sheet"),
            "dice": address("dice_sheet"),
            "ledgers": address("ledger_file"),
            "rolls": address("rolls_file"),
            "sheet": address("sheet_file") if isinstance(campaign.game, Portable) else None,
            "story": None if campaign.title in registry.PAGES else address("story"),
            "picture": address("map_picture") if draws else None,
            "pictures": [
                {
                    "turn": turn,
                    "entry": last,
                    "url": address("map_picture_at", last, get_language() or "en"),
                }
                for turn, _first, last in turns
            ],
        }
        return self.answer(Files, facts)


# Where to begin, who one is, the campaigns one finds, and one of them.


class RootView(Resource):
    @extend_schema(summary="Where to begin", responses=Root)
    def get(self, request: Request) -> Response:
        links = {
            name: reverse(f"api:{name}")
            for name in (
                "me",
                "campaigns",
                "lobbies",
                "titles",
                "scenarios",
                "notices",
                "deadlines",
                "schema",
                "docs",
            )
        }
        return self.answer(Root, {"version": "1", "links": links})


class MeView(Resource):
    @extend_schema(summary="Who you are", responses=Me)
    def get(self, request: Request) -> Response:
        user, token = request.user, cast("Token | None", request.auth)
        if token is None or isinstance(user, AnonymousUser):
            raise NotAuthenticated
        held = list(selectors.campaigns_of_user(user))
        own = [*held, *(campaign for campaign in battles.stood_in(user) if campaign not in held)]
        facts = {
            "name": user.username,
            "language": user.language,
            "time_zone": user.time_zone,
            "token": token.name,
            "scope": token.scope,
            "ends_at": token.ends_at,
            "campaigns": [campaign_row(one) for one in own if one.title in registry.TITLES],
        }
        return self.answer(Me, facts)


class CampaignsView(Resource):
    @extend_schema(
        summary="The campaigns that anybody finds",
        responses=CampaignPage,
        parameters=base.PARAMETERS,
    )
    def get(self, request: Request) -> Response:
        """Newest first. Those of your own, listed or not, are at `/api/v1/me/`. One who plays alone
        stands in no list, so that a page may have fewer than its limit.
        """
        for_several = [key for key, title in registry.TITLES.items() if registry.together(title)]
        campaigns = selectors.listed().filter(title__in=for_several)

        def lines_of(some: list[Campaign]) -> list[Any]:
            return written(
                CampaignLine, [campaign_row(one) for one in some if not selectors.alone_in(one)]
            )

        return base.page(request, campaigns, lines_of)


class CampaignView(OfCampaign):
    @extend_schema(summary="One campaign", responses=CampaignWhole)
    def get(self, request: Request, ref: str) -> Response:
        return self.answer(CampaignWhole, whole(self.here))


def campaign_row(campaign: Campaign) -> dict[str, Any]:
    """A campaign as a list has it: nothing but copies that everybody may read."""
    names = (
        "name",
        "title",
        "status",
        "visibility",
        "turn",
        "active_seat",
        "founded_at",
        "ended_at",
    )
    return {
        **{name: getattr(campaign, name) for name in names},
        "ref": campaign.address,
        "url": reverse("api:campaign", args=[campaign.address]),
        "page": f"/c/{campaign.address}/",
    }


def whole(here: Here) -> dict[str, Any]:
    campaign, who = here.campaign, here.access
    return {
        **campaign_row(campaign),
        "phase": campaign.phase,
        "time_zone": campaign.time_zone,
        "commitment": campaign.commitment,
        "by_hand": campaign.by_hand,
        "seen": here.seen,
        "game_masters": [one.username for one in selectors.game_masters(campaign, here.places)],
        "seats": seats(here),
        "waiting": waiting(here),
        "mine": {
            "viewer": who.viewer,
            "game_master": who.game_master,
            "host": who.host,
            "seats": list(who.seats),
            "member": who.member,
        },
        "links": base.campaign_links(campaign.address),
    }
