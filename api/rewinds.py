"""The preview of an undo or a restoration."""

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
from api.base import CampaignContext, CampaignResource
from api.branches import ShownPosition, entry_parameter, shown_position
from api.log import EntryRoll, RollFacts, visible_rolls
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


class AccountChange(s.Serializer):
    """An account whose balance would change: `now` and `then`."""

    holder = s.CharField()
    account = s.CharField()
    now = s.IntegerField(allow_null=True, help_text="Null if there is no such account.")
    then = s.IntegerField(allow_null=True)


class HolderChange(s.Serializer):
    """A nation or another holder whose facts (structures, for example) would change."""

    holder = s.CharField()
    now = s.JSONField(allow_null=True)
    then = s.JSONField(allow_null=True)


class PlaceChange(s.Serializer):
    """A place whose owner or structures would change."""

    place = s.CharField()
    now = s.JSONField(allow_null=True)
    then = s.JSONField(allow_null=True)


class BattleChange(s.Serializer):
    """A battle whose status would change."""

    number = s.IntegerField()
    now = s.CharField(allow_null=True, help_text="Its status; null if there is no such battle.")
    then = s.CharField(allow_null=True)
    claims = s.ListField(
        child=s.IntegerField(),
        help_text="Claims that become invalid or valid again, by log number.",
    )


class KnownRoll(EntryRoll):
    """A die that would show the same value again."""

    entry = s.IntegerField(allow_null=True)
    seat = s.CharField(allow_blank=True, help_text="The seat whose choice it was.")


class ChangedPost(s.Serializer):
    """A post that would change."""

    number = s.IntegerField()
    subject = s.CharField(allow_blank=True)
    permalink = s.CharField(allow_blank=True)


class ChangedPosts(s.Serializer):
    """The posts that would change. Only game masters see those that have not been sent."""

    corrected = ChangedPost(many=True, help_text="Posts that get a correction, drafted at once.")
    later = ChangedPost(
        many=True, help_text="Posts that the next report of the same kind corrects."
    )
    dropped = ChangedPost(many=True, help_text="Posts that have not been sent, and are dropped.")
    drafted = ChangedPost(many=True, help_text="Posts that become drafts again.")


class ClockChange(s.Serializer):
    """A clock that would end, open again or begin."""

    what = s.ChoiceField(["ends", "opens", "begins"])
    kind = s.ChoiceField(Clock.Kind.choices)
    seat = s.CharField(allow_blank=True)
    contest = s.IntegerField(allow_null=True)
    due_at = s.DateTimeField(allow_null=True, help_text="Null for a clock that begins again.")
    held = s.BooleanField()


class AffectedOrder(s.Serializer):
    """A standing order that acted among these moves."""

    seat = s.CharField()
    text = s.CharField()
    again = s.BooleanField(
        help_text="Whether it may act again, because its question is undone too."
    )


class RewindPreview(s.Serializer):
    """The consequences of an undo or a restoration that has not been made."""

    how = s.ChoiceField(WAYS)
    entry = s.IntegerField(
        allow_null=True,
        help_text=(
            "undo: the last entry that is kept; restore: the undo; own: the first move that"
            " the seat takes back."
        ),
    )
    moves = s.ListField(
        child=s.IntegerField(),
        help_text=("The moves that would be struck or restored, by log number, the oldest first."),
    )
    hidden = s.IntegerField(help_text="The number of further moves that not everyone may see.")
    concerns = s.ListField(
        child=s.CharField(),
        help_text="For a game master who plays: their own seats that the act concerns.",
    )
    turn = s.IntegerField(help_text="After the undo, as are phase, slot and state.")
    phase = s.CharField(allow_blank=True)
    slot = s.CharField(allow_null=True)
    state = s.JSONField(help_text="The position after the undo, in the form of `position/`.")
    accounts = AccountChange(many=True)
    holders = HolderChange(many=True)
    places = PlaceChange(many=True)
    battles = BattleChange(many=True)
    dice = KnownRoll(
        many=True,
        help_text="Dice that show the same value again if the same move is repeated.",
    )
    posts = ChangedPosts()
    clocks = ClockChange(many=True)
    orders = AffectedOrder(many=True)


# Facts for the serializers. `ClockChange` shows those of the domain.


@dataclass(frozen=True, slots=True)
class AccountChangeFacts:
    """The facts of `AccountChange`."""

    holder: str
    account: str
    now: int | None
    then: int | None


@dataclass(frozen=True, slots=True)
class HolderChangeFacts:
    """The facts of `HolderChange`."""

    holder: str
    now: Mapping[str, object] | None
    then: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class PlaceChangeFacts:
    """The facts of `PlaceChange`."""

    place: str
    now: Mapping[str, object] | None
    then: Mapping[str, object] | None


@dataclass(frozen=True, slots=True)
class BattleChangeFacts:
    """The facts of `BattleChange`."""

    number: int
    now: str | None
    then: str | None
    claims: list[int | None]


@dataclass(frozen=True, slots=True)
class KnownRollFacts(RollFacts):
    """The facts of `KnownRoll`."""

    entry: int | None
    seat: str


@dataclass(frozen=True, slots=True)
class ChangedPostFacts:
    """The facts of `ChangedPost`."""

    number: int
    subject: str
    permalink: str


@dataclass(frozen=True, slots=True)
class ChangedPostsFacts:
    """The facts of `ChangedPosts`."""

    corrected: list[ChangedPostFacts]
    later: list[ChangedPostFacts]
    dropped: list[ChangedPostFacts]
    drafted: list[ChangedPostFacts]


@dataclass(frozen=True, slots=True)
class AffectedOrderFacts:
    """The facts of `AffectedOrder`."""

    seat: str
    text: str
    again: bool


@dataclass(frozen=True, slots=True)
class RewindFacts(ShownPosition):
    """The facts of `RewindPreview`."""

    how: str
    entry: int | None
    moves: list[int]
    hidden: int
    concerns: list[str]
    accounts: list[AccountChangeFacts]
    holders: list[HolderChangeFacts]
    places: list[PlaceChangeFacts]
    battles: list[BattleChangeFacts]
    dice: list[KnownRollFacts]
    posts: ChangedPostsFacts
    clocks: Sequence[clocks.ClockChange]
    orders: list[AffectedOrderFacts]


PARAMETERS = [
    entry_parameter("after", "The game master undoes all moves after this entry."),
    entry_parameter("undo", "The game master restores the moves that this undo struck."),
    entry_parameter(
        "first", ("You take back your own moves from this entry on; by default the last one.")
    ),
]


class RewindView(CampaignResource):
    """The preview of an undo or a restoration."""

    @extend_schema(
        summary="Preview an undo or a restoration", responses=RewindPreview, parameters=PARAMETERS
    )
    def get(self, request: Request, ref: str) -> Response:
        """Return the consequences of an undo or a restoration without making it.

        `?after=` and `?undo=` are for the game master; without them the preview is of your own
        undo. It is refused where the act itself would be.
        """
        rewind = rewind_asked(request, self.here)
        return self.answer(RewindPreview, rewind_facts(self.here, rewind))


def rewind_asked(request: Request, here: CampaignContext) -> Rewind:
    """Return the undo or the restoration that the address asks for.

    Raises `ValidationError`, and the same errors as the act itself.
    """
    names = [parameter.name for parameter in PARAMETERS if parameter.name in request.GET]
    if len(names) > 1:
        raise ValidationError(
            {
                names[1]: [
                    _(
                        "Send only one: `first` to undo your own moves, or the entry after which "
                        "everything is undone."
                    )
                ]
            }
        )
    if not names:
        return own_rewind(here, None)
    name, number = names[0], paging.whole_number(request, names[0], 0)
    return own_rewind(here, number) if name == "first" else masters_rewind(here, name, number)


def own_rewind(here: CampaignContext, first: int | None) -> Rewind:
    """Return the undo of the reader's own moves from entry `first` on, or of their last move."""
    if not here.access.seats:
        raise PermissionDenied(_("Only players of this campaign can undo moves."))
    undos = services.own_undos(here.campaign, here.access)
    return undo.own_rewind(here.campaign, services.moves_from(undos, first))


def masters_rewind(here: CampaignContext, name: str, number: int) -> Rewind:
    """Return the game master's restoration of an undo, or their undo of all after an entry."""
    access.must_be_game_master(here.campaign, here.user)
    status.must_be_played(here.campaign, by_master=True)
    if name == "undo":
        return undo.restoration(here.campaign, number)[1]
    return undo.rewind_to(here.campaign, number)


def rewind_facts(here: CampaignContext, rewind: Rewind) -> RewindFacts:
    """Return the consequences of an undo or a restoration."""
    rewind.read_rolls()
    lines = selectors.lines(here.campaign, here.access, rewind.moves, bare=True)
    act_lines = lines_of_acts(here, rewind)
    claims = [line for line in act_lines if line.entry.act == CLAIM.name]
    old, new = here.rows, here.title.rows(rewind.position)
    shown = shown_position(here, rewind.position)
    return RewindFacts(
        how=rewind.how,
        entry=rewind.number,
        moves=[line.number for line in lines if line.number is not None],
        hidden=sum(move.number is None for move in rewind.moves),
        concerns=own_seats_concerned(here, rewind),
        turn=shown.turn,
        phase=shown.phase,
        slot=shown.slot,
        state=shown.state,
        accounts=account_changes(old, new),
        holders=[HolderChangeFacts(*change) for change in changes(old.holders, new.holders)],
        places=[PlaceChangeFacts(*change) for change in changes(old.holdings, new.holdings)],
        battles=battle_changes(old, new, claims),
        dice=[] if rewind.back else known_rolls(here, lines),
        posts=changed_posts(here, posts.preview_undo(rewind)),
        clocks=clock_changes(here, rewind),
        orders=affected_orders(rewind, act_lines),
    )


def lines_of_acts(here: CampaignContext, rewind: Rewind) -> list[Line]:
    """Return the claims and standing orders that belong to the moves of a rewind."""
    acts = [act for act in rewind.acts if act.act in (CLAIM.name, STANDING.name)]
    return selectors.lines(here.campaign, here.access, acts, bare=True)


def own_seats_concerned(here: CampaignContext, rewind: Rewind) -> list[str]:
    """Return the seats of a game master who plays that their undo concerns."""
    if rewind.how == OWN:
        return []
    own_seats = review.own_seats(here.campaign, here.user, here.access)
    return sorted(review.of_struck(rewind.moves, own_seats))


def clock_changes(here: CampaignContext, rewind: Rewind) -> Sequence[clocks.ClockChange]:
    """Return the clocks that end, open again or begin; none if one person plays alone."""
    if len(here.seats) == 1:
        return []
    return clocks.foresee(rewind, timezone.now()).foreseen


# Differences between the two positions in what everyone may see. `state` also shows the cards that
# the reader may see.

Key = TypeVar("Key", str, int, tuple[str, str])
Value = TypeVar("Value")


def changes(
    old: Mapping[Key, Value], new: Mapping[Key, Value]
) -> list[tuple[Key, Value | None, Value | None]]:
    """Return the differences: key, old value and new value, None where there is no value."""
    return [
        (key, old.get(key), new.get(key))
        for key in sorted(set(old) | set(new))
        if old.get(key) != new.get(key)
    ]


def account_changes(old: Rows, new: Rows) -> list[AccountChangeFacts]:
    """Return the accounts whose balance would change."""
    return [
        AccountChangeFacts(holder, account, now, then)
        for (holder, account), now, then in changes(old.accounts, new.accounts)
    ]


def battle_changes(old: Rows, new: Rows, claims: Sequence[Line]) -> list[BattleChangeFacts]:
    """Return the battles whose status would change. `claims` are those of moves in the rewind."""
    return [
        BattleChangeFacts(
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


def known_rolls(here: CampaignContext, lines: Iterable[Line]) -> list[KnownRollFacts]:
    """Return the dice that would show the same value again, each purpose once."""
    by_purpose: dict[str, KnownRollFacts] = {}
    for line in lines:
        for roll in visible_rolls(here, line.rolls):
            known = KnownRollFacts(**asdict(roll), entry=line.number, seat=line.entry.seat)
            by_purpose.setdefault(roll.purpose, known)
    return list(by_purpose.values())


def changed_posts(here: CampaignContext, foreseen: posts.PostsPreview) -> ChangedPostsFacts:
    """Return the posts that would change. Only game masters see those that have not been sent."""
    is_host = here.access.host
    return ChangedPostsFacts(
        corrected=posts_facts(foreseen.corrected),
        later=posts_facts(foreseen.later),
        dropped=posts_facts(foreseen.dropped) if is_host else [],
        drafted=posts_facts(foreseen.drafted) if is_host else [],
    )


def posts_facts(rows: Iterable[Post]) -> list[ChangedPostFacts]:
    """Return posts with their subjects and addresses."""
    return [
        ChangedPostFacts(post.number, post.subject or post.report, post.permalink) for post in rows
    ]


def affected_orders(rewind: Rewind, lines: Iterable[Line]) -> list[AffectedOrderFacts]:
    """Return the standing orders that acted among these moves."""
    struck = set(rewind.rows)
    return [
        AffectedOrderFacts(line.entry.seat, line.text, line.entry.target_id in struck)
        for line in lines
        if line.entry.act == STANDING.name
    ]
