"""What an undo or a restoration would change, and what one had struck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import base
from api.base import Here, OfCampaign
from api.log import Branch, RollTold, branches
from api.moves import FAR
from campaign import access, review, services, status
from campaign.clocks import services as clocks
from campaign.log import history, selectors, undo
from campaign.log.undo import Rewind
from campaign.models import Clock
from forum.models import Post
from forum.posts import drafts as posts
from notices import projection as notices

WAYS = ["undo", "restore", "own"]


class AccountThen(s.Serializer):
    holder = s.CharField()
    account = s.CharField()
    now = s.IntegerField(allow_null=True, help_text="Null where there is none.")
    then = s.IntegerField(allow_null=True)


class HolderThen(s.Serializer):
    """A nation or another holder whose facts, structures among them, are otherwise."""

    holder = s.CharField()
    now = s.JSONField(allow_null=True)
    then = s.JSONField(allow_null=True)


class PlaceThen(s.Serializer):
    """Something held that is otherwise: owner and whatever stands there."""

    place = s.CharField()
    now = s.JSONField(allow_null=True)
    then = s.JSONField(allow_null=True)


class BattleThen(s.Serializer):
    number = s.IntegerField()
    now = s.CharField(allow_null=True, help_text="Its status; null where there is none.")
    then = s.CharField(allow_null=True)
    claims = s.ListField(
        child=s.IntegerField(),
        help_text="Claims that lose their ground or have it again, by the log's numbers.",
    )


class RollKnown(RollTold):
    """A die that would fall the same again."""

    entry = s.IntegerField(allow_null=True)
    seat = s.CharField(allow_blank=True, help_text="Whose choice it hung on.")


class PostThen(s.Serializer):
    number = s.IntegerField()
    subject = s.CharField(allow_blank=True)
    permalink = s.CharField(allow_blank=True)


class PostsThen(s.Serializer):
    """Of posts that are not there yet only game masters read."""

    corrected = PostThen(many=True, help_text="They get a correction, drafted at once.")
    later = PostThen(many=True, help_text="The next report of the same corrects them.")
    dropped = PostThen(many=True, help_text="Not sent yet, and dropped.")
    drafted = PostThen(many=True, help_text="Drafts again.")


class ToldThen(s.Serializer):
    """Somebody who is told of it."""

    person = s.CharField()
    seats = s.ListField(child=s.CharField(), help_text="As whom; none: as countersigner.")
    abroad = s.CharField(
        allow_blank=True,
        help_text="now, digest; empty where a notice waits here and nothing leaves.",
    )


class ClockThen(s.Serializer):
    what = s.ChoiceField(["ends", "opens", "begins"])
    kind = s.ChoiceField(Clock.Kind.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True)
    due_at = s.DateTimeField(allow_null=True, help_text="Null of one that begins anew.")
    held = s.BooleanField()


class OrderThen(s.Serializer):
    """A standing order that spoke among these moves."""

    seat = s.CharField()
    text = s.CharField()
    again = s.BooleanField(help_text="May it speak again, since its question falls, too?")


class RewindTold(s.Serializer):
    """An undo or a restoration that nobody has said yet."""

    how = s.ChoiceField(WAYS)
    entry = s.IntegerField(
        allow_null=True,
        help_text="The last that stays; the undo; the first move that its seat takes back.",
    )
    moves = s.ListField(
        child=s.IntegerField(),
        help_text=(
            "Those that would be struck, or in force again, by the log's numbers, the oldest first."
        ),
    )
    hidden = s.IntegerField(help_text="How many more there are that not everybody sees.")
    concerns = s.ListField(
        child=s.CharField(),
        help_text="Of a game master who plays: their own seats that it concerns.",
    )
    turn = s.IntegerField(help_text="Then, as phase, slot and state are.")
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True)
    state = s.JSONField(help_text="The position then, as `position/` tells it.")
    accounts = AccountThen(many=True)
    holders = HolderThen(many=True)
    places = PlaceThen(many=True)
    battles = BattleThen(many=True)
    dice = RollKnown(
        many=True, help_text="Known already: thrown again for the same thing they fall the same."
    )
    posts = PostsThen()
    people = ToldThen(many=True)
    notices = s.IntegerField(
        help_text="That told of these moves: struck with them, or in force again."
    )
    clocks = ClockThen(many=True)
    orders = OrderThen(many=True)


class Step(s.Serializer):
    """One act of a game master on the way back to a branch."""

    restores = s.BooleanField(
        help_text="Restore what the undo `entry` struck; else undo all after `entry`."
    )
    entry = s.IntegerField()
    moves = s.IntegerField()


class BranchWhole(Branch):
    """One undo, and how the table stood in what it struck."""

    entries = s.ListField(
        child=s.IntegerField(),
        help_text="Where `at` may stop: the last that stayed, then those struck.",
    )
    way_back = Step(
        many=True,
        allow_null=True,
        help_text="Null where nothing leads back to it; empty once it is restored.",
    )
    entry = s.IntegerField(help_text="The state is that after this one.")
    turn = s.IntegerField()
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True)
    state = s.JSONField(help_text="As `position/` tells it.")


# What an undo or a restoration would change before it is said, and how it stood in what one has
# struck.


def _entry(name: str, says: str) -> OpenApiParameter:
    return OpenApiParameter(
        name, {"type": "integer", "minimum": 0, "maximum": FAR}, description=says
    )


ASKED = [
    _entry("after", "Of the game master's undo of all after this entry."),
    _entry("undo", "Of the game master's restoration of what this undo struck."),
    _entry("first", "Of your own moves from this entry on; the last one without it."),
]
AT = _entry("at", "As it stood after this entry, one of `entries`; the last without it.")


class RewindView(OfCampaign):
    @extend_schema(
        summary="What an undo or a restoration would change", responses=RewindTold, parameters=ASKED
    )
    def get(self, request: Request, ref: str) -> Response:
        """`?after=` and `?undo=` for the game master; else your own undo. Refused as the act itself
        would be.
        """
        here, named = self.here, [one.name for one in ASKED if one.name in request.GET]
        if len(named) > 1:
            raise ValidationError(
                {named[1]: [_("Either your own moves (`first`), or all after an entry.")]}
            )
        number = base.whole_number(request, named[0], 0) if named else None
        if named and named[0] != "first":
            access.must_be_game_master(here.campaign, here.user)
            status.must_be_played(here.campaign, by_master=True)
            assert number is not None
            if named[0] == "undo":
                rewind = undo.restored(here.campaign, undo.rewind_of(here.campaign, number)[0])
            else:
                rewind = undo.to(here.campaign, number)
        else:
            if not here.access.seats:
                raise PermissionDenied(_("Only people who play here take moves back."))
            rewind = undo.own_rewind(
                here.campaign,
                services.until(services.own_undos(here.campaign, here.access), number),
            )
        return self.answer(RewindTold, foreseen(here, rewind))


def foreseen(here: Here, rewind: Rewind) -> dict[str, Any]:
    campaign, reader = here.campaign, here.access
    lines = selectors.lines(campaign, reader, rewind.moves, bare=True)
    acts = [one for one in rewind.acts if one.act in ("claim", "standing")]
    claims = selectors.lines(campaign, reader, acts, bare=True)
    notices_foreseen = notices.foresee(
        rewind, [seat.key for seat in here.seats], here.places, here.user
    )
    own = review.own_seats(campaign, here.user, reader) if rewind.how != undo.OWN else frozenset()
    rows = set(rewind.rows)
    return {
        "how": rewind.how,
        "entry": rewind.number,
        "moves": [one.number for one in lines if one.number is not None],
        "hidden": sum(one.number is None for one in rewind.moves),
        "concerns": sorted(review.of_struck(rewind.moves, own)),
        **stood(here, rewind.position),
        **position_diff(here, rewind.position, [one for one in claims if one.entry.act == "claim"]),
        "dice": [] if rewind.back else dice(here, lines),
        "posts": on_their_way(here, posts.foresee(rewind)),
        "people": [
            {"person": one.name, "seats": list(one.seats), "abroad": one.abroad}
            for one in notices_foreseen.people
        ],
        "notices": notices_foreseen.notices,
        "clocks": [
            one._asdict()
            for one in ([] if len(here.seats) == 1 else clocks.foresee(rewind, timezone.now()))
        ],
        "orders": [
            {"seat": one.entry.seat, "text": one.text, "again": one.entry.target_id in rows}
            for one in claims
            if one.entry.act == "standing"
        ],
    }


def stood(here: Here, position: Any) -> dict[str, Any]:
    state = here.title.view(position, here.access.viewer)
    return {"turn": state["turn"], "phase": state["phase"], "slot": state["slot"], "state": state}


def position_diff(here: Here, position: Any, claims: Iterable[selectors.Line]) -> dict[str, Any]:
    """What everybody sees of both positions and is not the same in them; of cards `state` tells, as
    its reader may know them.
    """
    old, new = here.rows, here.title.rows(position)
    fights = [{key: facts["status"] for key, facts in one.contests.items()} for one in (old, new)]
    claims_by_battle = [(one.entry.content.get("battle"), one.number) for one in claims]
    return {
        "accounts": [
            {"holder": key[0], "account": key[1], "now": now, "then": then}
            for key, now, then in _differ(old.accounts, new.accounts)
        ],
        "holders": [
            {"holder": key, "now": now, "then": then}
            for key, now, then in _differ(old.holders, new.holders)
        ],
        "places": [
            {"place": key, "now": now, "then": then}
            for key, now, then in _differ(old.holdings, new.holdings)
        ],
        "battles": [
            {
                "number": key,
                "now": now,
                "then": then,
                "claims": [
                    number
                    for battle, number in claims_by_battle
                    if battle == key and None in (now, then)
                ],
            }
            for key, now, then in _differ(*fights)
        ],
    }


def _differ(old: Mapping[Any, Any], new: Mapping[Any, Any]) -> list[tuple[Any, Any, Any]]:
    """What is otherwise in the second: key, the one value and the other, None where there
    is none.
    """
    return [
        (key, old.get(key), new.get(key))
        for key in sorted({*old, *new})
        if old.get(key) != new.get(key)
    ]


def dice(here: Here, lines: Iterable[selectors.Line]) -> list[dict[str, Any]]:
    """Each purpose once: the last throw of the same is the same."""
    by_purpose: dict[str, dict[str, Any]] = {}
    for line in lines:
        for one in here.rolls(line.rolls):
            by_purpose.setdefault(
                one["purpose"], {**one, "entry": line.number, "seat": line.entry.seat}
            )
    return list(by_purpose.values())


def on_their_way(here: Here, foreseen_posts: posts.Foreseen) -> dict[str, Any]:
    def lines_of(some: Iterable[Post]) -> list[dict[str, Any]]:
        return [
            {"number": one.number, "subject": one.subject or one.report, "permalink": one.permalink}
            for one in some
        ]

    mine = here.access.host
    return {
        "corrected": lines_of(foreseen_posts.corrected),
        "later": lines_of(foreseen_posts.later),
        "dropped": lines_of(foreseen_posts.dropped) if mine else [],
        "drafted": lines_of(foreseen_posts.drafted) if mine else [],
    }


class BranchView(OfCampaign):
    @extend_schema(
        summary="What one undo struck, and how it stood there",
        responses=BranchWhole,
        parameters=[AT],
    )
    def get(self, request: Request, ref: str, number: int) -> Response:
        here = self.here
        turn, turns = undo.rewind_of(here.campaign, number)
        road = history.branch(here.campaign, turn)
        place = (
            road.at(base.whole_number(request, "at", 0))
            if "at" in request.GET
            else len(road.stops) - 1
        )
        if place is None or not road.stops:
            raise Http404
        stop = road.stops[place]
        back = turn.act.struck_by_id is None
        now = frozenset(history.trail(here.campaign).sequences)
        steps = history.way_back(turns, turn.act, now) if back else []
        facts = {
            **branches(here, [turn.act])[0],
            "entries": [one.number for one in road.stops],
            "entry": stop.number,
            "way_back": (
                None
                if steps is None
                else [
                    {"restores": one.restores, "entry": one.number, "moves": one.moves}
                    for one in steps
                ]
            ),
            **stood(here, history.after(here.campaign, stop.moves, road)),
        }
        return self.answer(BranchWhole, facts)
