"""What an undo or a restoration would change before it is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TypeVar

from django.core.exceptions import PermissionDenied
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers as s
from rest_framework.exceptions import ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from api import paging
from api.base import Here, OfCampaign
from api.branches import Stood, entry_parameter, stood_at
from api.log import RollFacts, RollTold, visible_rolls
from campaign import access, review, services, status
from campaign.clocks import services as clocks
from campaign.log import selectors, undo
from campaign.log.acts.battles import CLAIM
from campaign.log.acts.programs import STANDING
from campaign.log.rewind import OWN, Rewind
from campaign.log.selectors import Line
from campaign.models import Clock
from forum.models import Post
from forum.posts import drafts as posts
from games.contract.title import Rows

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
    clocks = ClockThen(many=True)
    orders = OrderThen(many=True)


# Facts for the serializers. `ClockThen` writes those of the domain.


@dataclass(frozen=True, slots=True)
class AccountThenFacts:
    """The facts of `AccountThen`."""

    holder: str
    account: str
    now: int | None
    then: int | None


@dataclass(frozen=True, slots=True)
class HolderThenFacts:
    """The facts of `HolderThen`."""

    holder: str
    now: Mapping[str, object] | None
    then: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class PlaceThenFacts:
    """The facts of `PlaceThen`."""

    place: str
    now: Mapping[str, object] | None
    then: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class BattleThenFacts:
    """The facts of `BattleThen`."""

    number: int
    now: str | None
    then: str | None
    claims: list[int | None]


@dataclass(frozen=True, slots=True)
class RollKnownFacts(RollFacts):
    """The facts of `RollKnown`."""

    entry: int | None
    seat: str


@dataclass(frozen=True, slots=True)
class PostThenFacts:
    """The facts of `PostThen`."""

    number: int
    subject: str
    permalink: str


@dataclass(frozen=True, slots=True)
class PostsThenFacts:
    """The facts of `PostsThen`."""

    corrected: list[PostThenFacts]
    later: list[PostThenFacts]
    dropped: list[PostThenFacts]
    drafted: list[PostThenFacts]


@dataclass(frozen=True, slots=True)
class OrderThenFacts:
    """The facts of `OrderThen`."""

    seat: str
    text: str
    again: bool


@dataclass(frozen=True, slots=True)
class RewindFacts(Stood):
    """The facts of `RewindTold`."""

    how: str
    entry: int | None
    moves: list[int]
    hidden: int
    concerns: list[str]
    accounts: list[AccountThenFacts]
    holders: list[HolderThenFacts]
    places: list[PlaceThenFacts]
    battles: list[BattleThenFacts]
    dice: list[RollKnownFacts]
    posts: PostsThenFacts
    clocks: Sequence[clocks.Foreseen]
    orders: list[OrderThenFacts]


ASKED = [
    entry_parameter("after", "Of the game master's undo of all after this entry."),
    entry_parameter("undo", "Of the game master's restoration of what this undo struck."),
    entry_parameter("first", "Of your own moves from this entry on; the last one without it."),
]


class RewindView(OfCampaign):
    @extend_schema(
        summary="What an undo or a restoration would change", responses=RewindTold, parameters=ASKED
    )
    def get(self, request: Request, ref: str) -> Response:
        """`?after=` and `?undo=` for the game master; else your own undo. Refused as the act itself
        would be.
        """
        rewind = rewind_asked(request, self.here)
        return self.answer(RewindTold, rewind_facts(self.here, rewind))


def rewind_asked(request: Request, here: Here) -> Rewind:
    """Return the undo or the restoration that an address asks for. Raises `ValidationError`, and as
    the act itself would.
    """
    names = [parameter.name for parameter in ASKED if parameter.name in request.GET]
    if len(names) > 1:
        raise ValidationError(
            {names[1]: [_("Either your own moves (`first`), or all after an entry.")]}
        )
    if not names:
        return own_rewind(here, None)
    name, number = names[0], paging.whole_number(request, names[0], 0)
    return own_rewind(here, number) if name == "first" else masters_rewind(here, name, number)


def own_rewind(here: Here, first: int | None) -> Rewind:
    """Return the undo of the reader's own moves from entry `first` on, or of the last one."""
    if not here.access.seats:
        raise PermissionDenied(_("Only people who play here take moves back."))
    undos = services.own_undos(here.campaign, here.access)
    return undo.own_rewind(here.campaign, services.until(undos, first))


def masters_rewind(here: Here, name: str, number: int) -> Rewind:
    """Return the game master's restoration of an undo, or their undo of all after an entry."""
    access.must_be_game_master(here.campaign, here.user)
    status.must_be_played(here.campaign, by_master=True)
    if name == "undo":
        return undo.restored(here.campaign, number)[1]
    return undo.to(here.campaign, number)


def rewind_facts(here: Here, rewind: Rewind) -> RewindFacts:
    rewind.read_rolls()
    lines = selectors.lines(here.campaign, here.access, rewind.moves, bare=True)
    act_lines = lines_of_acts(here, rewind)
    claims = [line for line in act_lines if line.entry.act == CLAIM.name]
    old, new = here.rows, here.title.rows(rewind.position)
    stood = stood_at(here, rewind.position)
    return RewindFacts(
        how=rewind.how,
        entry=rewind.number,
        moves=[line.number for line in lines if line.number is not None],
        hidden=sum(move.number is None for move in rewind.moves),
        concerns=own_seats_concerned(here, rewind),
        turn=stood.turn,
        phase=stood.phase,
        slot=stood.slot,
        state=stood.state,
        accounts=accounts_then(old, new),
        holders=[HolderThenFacts(*change) for change in changes(old.holders, new.holders)],
        places=[PlaceThenFacts(*change) for change in changes(old.holdings, new.holdings)],
        battles=battles_then(old, new, claims),
        dice=[] if rewind.back else dice_known(here, lines),
        posts=posts_then(here, posts.foresee(rewind)),
        clocks=clocks_then(here, rewind),
        orders=orders_then(rewind, act_lines),
    )


def lines_of_acts(here: Here, rewind: Rewind) -> list[Line]:
    """Return the claims and standing orders that belong to the moves of a rewind."""
    acts = [act for act in rewind.acts if act.act in (CLAIM.name, STANDING.name)]
    return selectors.lines(here.campaign, here.access, acts, bare=True)


def own_seats_concerned(here: Here, rewind: Rewind) -> list[str]:
    """Return the seats of a game master who plays that their undo concerns."""
    if rewind.how == OWN:
        return []
    own_seats = review.own_seats(here.campaign, here.user, here.access)
    return sorted(review.of_struck(rewind.moves, own_seats))


def clocks_then(here: Here, rewind: Rewind) -> Sequence[clocks.Foreseen]:
    """Return the clocks that end, open or begin; none if one person plays alone."""
    if len(here.seats) == 1:
        return []
    return clocks.foresee(rewind, timezone.now()).foreseen


# What everyone sees of both positions and differs between them. `state` shows cards, as its reader
# may see them.

Key = TypeVar("Key", str, int, tuple[str, str])
Value = TypeVar("Value")


def changes(
    old: Mapping[Key, Value], new: Mapping[Key, Value]
) -> list[tuple[Key, Value | None, Value | None]]:
    """Return what differs: key, the old value and the new one, None if there is none."""
    return [
        (key, old.get(key), new.get(key))
        for key in sorted(set(old) | set(new))
        if old.get(key) != new.get(key)
    ]


def accounts_then(old: Rows, new: Rows) -> list[AccountThenFacts]:
    return [
        AccountThenFacts(holder, account, now, then)
        for (holder, account), now, then in changes(old.accounts, new.accounts)
    ]


def battles_then(old: Rows, new: Rows, claims: Sequence[Line]) -> list[BattleThenFacts]:
    """Return the battles with another status. `claims` are those of moves in the rewind."""
    return [
        BattleThenFacts(
            number=number,
            now=now,
            then=then,
            claims=claims_of(number, claims) if now is None or then is None else [],
        )
        for number, now, then in changes(statuses(old), statuses(new))
    ]


def statuses(rows: Rows) -> dict[int, str]:
    """Return the status of each battle."""
    return {number: battle["status"] for number, battle in rows.contests.items()}


def claims_of(battle: int, claims: Sequence[Line]) -> list[int | None]:
    """Return the numbers of the claims of a battle."""
    return [claim.number for claim in claims if claim.entry.content.get("battle") == battle]


def dice_known(here: Here, lines: Iterable[Line]) -> list[RollKnownFacts]:
    """Return the dice that would fall the same again, each purpose once."""
    by_purpose: dict[str, RollKnownFacts] = {}
    for line in lines:
        for roll in visible_rolls(here, line.rolls):
            known = RollKnownFacts(**asdict(roll), entry=line.number, seat=line.entry.seat)
            by_purpose.setdefault(roll.purpose, known)
    return list(by_purpose.values())


def posts_then(here: Here, foreseen: posts.Foreseen) -> PostsThenFacts:
    """Return what happens to posts. Only game masters read of posts that are not there yet."""
    is_host = here.access.host
    return PostsThenFacts(
        corrected=posts_facts(foreseen.corrected),
        later=posts_facts(foreseen.later),
        dropped=posts_facts(foreseen.dropped) if is_host else [],
        drafted=posts_facts(foreseen.drafted) if is_host else [],
    )


def posts_facts(rows: Iterable[Post]) -> list[PostThenFacts]:
    return [
        PostThenFacts(post.number, post.subject or post.report, post.permalink) for post in rows
    ]


def orders_then(rewind: Rewind, lines: Iterable[Line]) -> list[OrderThenFacts]:
    """Return the standing orders that spoke among these moves."""
    struck = set(rewind.rows)
    return [
        OrderThenFacts(line.entry.seat, line.text, line.entry.target_id in struck)
        for line in lines
        if line.entry.act == STANDING.name
    ]
