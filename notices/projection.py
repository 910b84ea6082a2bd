"""Notices, written after each entry. Told twice, they are written once; of what is struck they are
read as struck.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Case, Count, OuterRef, Q, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce

from campaign.log.undo import OWN, RESTORE, UNDO, Rewind
from campaign.models import GAME_MASTER, Campaign, LogEntry, Membership
from engine.strict_json import canonical
from notices.boards import STOPPED
from notices.channels import mail
from notices.kinds import TAKEN_BACK
from notices.models import Channel, How, Notice, Service, Wish
from notices.registry import KINDS, Happening, touched, write
from notices.selectors import preference_for

MASTERS = ("game_master", "co_game_master")


def notify_members(campaign: Campaign, entry: LogEntry, before: Any, after: Any) -> None:
    """Write to each whom the entry concerns, except who said it."""
    board_is_due(campaign, entry.at)
    if campaign.programs or campaign.lesson:  # whoever practises or learns is at the table
        return
    happening = Happening(campaign, entry, before, after)
    calls = [(kind.key, to) for kind in KINDS.values() for to in kind.find(happening)]
    if not calls:
        return
    sitting = holders(campaign, entry.at)
    write(
        [
            Notice(
                user_id=user,
                campaign=campaign,
                entry=entry,
                kind=kind,
                about=to.about,
                seat=to.seat,
                facts=canonical(to.facts),
                at=entry.at,
            )
            for kind, to in calls
            for user in ([to.person] if to.person is not None else sitting[to.seat])
            if user != entry.actor_id
        ]
    )


def holders(campaign: Campaign, at: datetime) -> dict[str, list[int]]:
    """The user ids behind each seat at a moment, the game masters under `gm`."""
    people: dict[str, list[int]] = defaultdict(list)
    held = Membership.objects.filter(
        Q(until=None) | Q(until__gt=at), campaign=campaign, since__lte=at
    )
    places = held.order_by("since", "pk").values_list("user_id", "role", "seat")
    for user, role, seat in places:
        if role in MASTERS:
            people[GAME_MASTER].append(user)
        elif role == Membership.Role.SEAT:
            people[seat].append(user)
    return people


# Whom an undo or a restoration would tell, and which notices it would mark as struck or put in
# force again.

TO_COUNTERSIGN = "to-countersign"
KIND = {UNDO: "undone", RESTORE: "restored", OWN: TAKEN_BACK}


class Reached(NamedTuple):
    """A person who gets a notice, as whom (seats; none: countersigner), and whether it also leaves
    for their channels.
    """

    name: str
    seats: tuple[str, ...]
    abroad: str
    """How soon something leaves, `now` or `digest`; empty: it waits on their page alone."""


class Foreseen(NamedTuple):
    """The people, and how many notices had told of these moves."""

    people: list[Reached]
    notices: int


def foresee(
    rewind: Rewind, seats: Iterable[str], places: Iterable[Membership], actor: Any
) -> Foreseen:
    """One query, of a seat's own undo two if it tells anyone; `places` are those held now, with
    their people. Who says it is not told.
    """
    of_these = Notice.objects.filter(entry__in=rewind.rows)
    notified = list(of_these.values_list("seat", flat=True)) if rewind.how == OWN else None
    known = set(notified or ())
    concerned = (
        [seat for seat in seats if seat in known]
        if rewind.how == OWN
        else touched(seats, rewind.moves)
    )
    kinds: dict[int, tuple[Any, str, list[str]]] = {}
    for place in places:
        if place.user_id == actor.pk:
            continue
        if place.role == Membership.Role.SEAT and place.seat in concerned:
            kinds.setdefault(place.user_id, (place.user, KIND[rewind.how], []))[2].append(
                place.seat
            )
        elif place.role == Membership.Role.COUNTERSIGNER and rewind.how != OWN:
            kinds.setdefault(place.user_id, (place.user, TO_COUNTERSIGN, []))
    count = len(notified) if notified is not None else None
    ways, many = _channels_used(
        {user: kind for user, (_one, kind, _seats) in kinds.items()}, of_these, count
    )
    return Foreseen(
        [
            Reached(one.username, tuple(mine), ways.get(pk, ""))
            for pk, (one, _kind, mine) in kinds.items()
        ],
        many,
    )


def notified(act: LogEntry, moves: Iterable[int]) -> Foreseen:
    """Whom this undo or restoration has told, and how many notices told of these moves. Two
    queries.
    """
    kinds: dict[int, tuple[Any, str, list[str]]] = {}
    for one in Notice.objects.filter(entry=act).select_related("user").order_by("pk"):
        kinds.setdefault(one.user_id, (one.user, one.kind, []))[2].extend(
            [one.seat] if one.seat else []
        )
    ways, many = _channels_used(
        {user: kind for user, (_one, kind, _seats) in kinds.items()},
        Notice.objects.filter(entry__in=moves),
    )
    return Foreseen(
        [
            Reached(one.username, tuple(seats), ways.get(pk, ""))
            for pk, (one, _kind, seats) in kinds.items()
        ],
        many,
    )


def _channels_used(
    kinds: dict[int, str], notices: QuerySet[Notice], count: int | None = None
) -> tuple[dict[int, str], int]:
    """How soon something leaves for whom, as `notices.delivery` would have it, and how many were
    told, which a caller that has asked already gives as `count`. One query.
    """
    if not kinds:
        return {}, notices.count() if count is None else count
    free = {"user__is_active": True, "user__guest": False, "user__demo": False}
    whose = Case(*[When(user_id=user, then=Value(kind)) for user, kind in kinds.items()])
    wishes = Wish.objects.filter(channel=OuterRef("pk"), kind=OuterRef("whose")).values("how")[:1]
    shown = ("user_id", "pk", "service", "open", "wish")
    closed = Q(active=False) | Q(confirmed_at=None)
    channels = Channel.objects.filter(
        campaign=None, removed_at=None, user__in=kinds, **free
    ).annotate(
        whose=whose,
        open=Case(When(closed, then=Value(0)), default=Value(1)),
        wish=Coalesce(Subquery(wishes), Value("")),
    )
    boxes = mail.EmailAddress.objects.filter(user__in=kinds, verified=True, **free).annotate(
        service=Value(str(Service.EMAIL)), open=Value(2), wish=Value("")
    )
    written = (
        notices.order_by()
        .values("user_id")
        .annotate(no=Count("pk"), service=Value(""), open=Value(3), wish=Value(""))
    )
    parts = [one.order_by().values_list(*shown) for one in (channels, boxes)]
    every = list(
        parts[0].union(parts[1], written.values_list("user_id", "no", *shown[2:]), all=True)
    )
    many = sum(count for _user, count, _service, how_open, _wish in every if how_open == 3)
    lettered = {
        user
        for user, _pk, service, how_open, _wish in every
        if service == Service.EMAIL and how_open < 2
    }
    choices: dict[int, set[str]] = {}
    for user, pk, service, how_open, wish in every:
        if how_open == 1 or (how_open == 2 and user not in lettered):
            how = preference_for(
                Channel(pk=pk, user_id=user, service=service),
                kinds[user],
                {(pk, kinds[user]): wish} if wish else {},
            )
            choices.setdefault(user, set()).add(how)
    return {
        user: next((one for one in (How.NOW, How.DIGEST) if one in ways), "")
        for user, ways in choices.items()
    }, many


def board_is_due(campaign: Campaign, at: datetime) -> None:
    """After an entry: its boards may say something else now."""
    boards = Channel.objects.filter(
        campaign=campaign, board=True, active=True, board_tries__lt=STOPPED
    )
    boards.update(board_due=at)
