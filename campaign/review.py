"""Countersigning and the access log.

Countersigning asks other people to look at a game master's entries. The access log says who has
seen a hidden hand.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Value
from django.utils.translation import gettext as _

from campaign import access
from campaign.access import Access
from campaign.dice.selectors import KnownRoll
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed, Refused
from campaign.log import entries, positions
from campaign.log.acts.dice import DIE
from campaign.log.acts.registry import CORRECTIONS
from campaign.log.acts.rulings import COUNTERSIGN, COUNTERSIGNATURES, OBJECT, OWN_ACCOUNT
from campaign.log.acts.seats import COUNTERSIGNER
from campaign.models import GAME_MASTER, AccessLogEntry, Campaign, LogEntry, Membership
from engine.effects import Effect
from engine.strict_json import read
from games.contract.report import Block, Contents, Paragraph, Span
from games.contract.title import Branch

# Which entries need a countersignature, who may give it, and which have one, or an objection.


_GIVEN = {"target__act": DIE.name, "target__how": "given"}
MANY = 400
"""Above this number of entries, all marks of the campaign are queried; there are few."""


@dataclass(frozen=True, slots=True)
class Mark:
    """The last answer of each user who has looked at an entry."""

    own: tuple[str, ...] = ()
    """The game master's own seats that the entry concerns; empty if no one needs to be asked."""
    signed: tuple[str, ...] = ()
    """The names of the users who agree."""
    objections: tuple[tuple[str, str], ...] = ()
    """The names and reasons of the users who object."""

    @property
    def lacks(self) -> bool:
        """Whether a countersignature is asked for and no one has given it."""
        return bool(self.own) and not self.signed


NONE = Mark()


def is_public_correction(entry: LogEntry) -> bool:
    """Return whether this is a public correction, undo, restoration or judgment of a game master.

    An entry with an audience has no number by which a countersigner could find it.
    """
    if entry.number is None or entry.seat != GAME_MASTER:
        return False
    return "reason" in entry.content if entry.is_move else entry.act in CORRECTIONS


def may_be_countersigned(entry: LogEntry) -> bool:
    """Return whether an entry can be countersigned although it concerns no seat of its actor."""
    return entry.struck_by_id is None and is_public_correction(entry)


def marks_under(
    campaign: Campaign, rows: Iterable[int | None], acts: Collection[str] = COUNTERSIGNATURES
) -> QuerySet[LogEntry]:
    """Return the marks under these entries, which are given by primary key."""
    marks, targets = campaign.entries.filter(act__in=acts, kind=LogEntry.Kind.TABLE), list(rows)
    return marks.filter(target__in=targets) if len(targets) <= MANY else marks.exclude(target=None)


def marked(entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Annotate entries with whether they have marks: `marks_and_names` queries only for those."""
    marks = LogEntry.objects.filter(
        act__in=COUNTERSIGNATURES, target=OuterRef("pk"), kind=LogEntry.Kind.TABLE
    )
    return entries.annotate(marked=Exists(marks))  # type: ignore[no-redef]  # declared on the model


def own_seats_of(campaign: Campaign, entry: LogEntry) -> tuple[str, ...]:
    """Return the game master's own seats that this entry concerns, as the log says."""
    mark = marks_under(campaign, [entry.pk], (OWN_ACCOUNT.name,)).first()
    return () if mark is None else tuple(mark.content["seats"])


def marks_and_names(
    campaign: Campaign, entries: Iterable[LogEntry], people: Collection[int]
) -> tuple[dict[int, Mark], dict[int, str]]:
    """Return the marks of entries by primary key, and the names of these users, in one query."""
    numbered = [entry for entry in entries if entry.number is not None]
    rows = [
        entry.pk
        for entry in numbered
        if (entry.seat == GAME_MASTER if entry.marked is None else entry.marked)
    ]
    called: dict[int, str] = {}
    marks_of: dict[int, list[tuple[str, Mapping[str, Any]]]] = {}
    if not rows and not people:
        return {}, {}
    users = (
        get_user_model()
        .objects.filter(pk__in=list(people))
        .annotate(said=Value(""), place=Value(0))
    )
    marks = (
        marks_under(campaign, rows)
        .order_by()
        .values_list("target_id", "actor__username", "content_json", "sequence")
    )
    every = users.values_list("pk", "username", "said", "place").union(marks, all=True)
    for row, name, text, _place in every.order_by("place"):
        if text:
            marks_of.setdefault(row, []).append((name, read(text)))
        else:
            called[row] = name
    return {row: _mark(acts) for row, acts in marks_of.items()}, called


def marks_of_dice(
    campaign: Campaign, rolls: Iterable[KnownRoll], given: Collection[str]
) -> dict[int, tuple[Mark, int]]:
    """Return by roll the marks under the game master's entry behind it, with the entry's number.

    It is the entry that threw the roll, or else the act that entered the die of this purpose
    (`given`). One query, none if no roll has such an entry.
    """
    shown = list(rolls)
    threw = {roll.entry for roll in shown if roll.seat == GAME_MASTER}
    by_hand = any(roll.purpose in given for roll in shown)
    if not threw and not by_hand:
        return {}
    marked_rows = _marks_in(campaign.pk, sorted(threw) if len(threw) <= MANY else None, by_hand)
    marks_of: dict[int, list[tuple[str, Mapping[str, Any]]]] = {}
    numbers: dict[int, int] = {}
    dice: dict[str, int] = {}
    for row, number, act, how, target, name, what in marked_rows:
        marks_of.setdefault(row, []).append((name, read(what)))
        numbers[row] = number
        if (act, how) == (DIE.name, "given"):
            dice[read(target)["purpose"]] = row
    marks = {row: (_mark(acts), numbers[row]) for row, acts in marks_of.items()}
    by_roll = {
        roll.pk: marks.get(roll.entry) or marks.get(dice.get(roll.purpose, 0)) for roll in shown
    }
    return {pk: mark for pk, mark in by_roll.items() if mark is not None}


def _marks_in(campaign: int, threw: Sequence[int] | None, by_hand: bool) -> QuerySet[LogEntry, Any]:
    """Return the countersignatures of these entries, or of all entries if `threw` is None.

    `by_hand` adds those of dice that were entered by hand.
    """
    marks = LogEntry.objects.filter(
        campaign=campaign, act__in=COUNTERSIGNATURES, kind=LogEntry.Kind.TABLE
    ).exclude(target=None)
    if threw is not None:
        marks = marks.filter(Q(target__in=threw) | (Q(**_GIVEN) if by_hand else Q(pk=None)))
    columns = (
        "target_id",
        "target__number",
        "target__act",
        "target__how",
        "target__content_json",
        "actor__username",
        "content_json",
    )
    return marks.order_by("sequence").values_list(*columns)


def _mark(acts: Iterable[tuple[str, Mapping[str, Any]]]) -> Mark:
    """Return the mark that results from the acts under an entry, in their order."""
    own: tuple[str, ...] = ()
    last: dict[str, Mapping[str, Any]] = {}
    for name, content in acts:
        if content["act"] == OWN_ACCOUNT.name:
            own = tuple(content["seats"])
        else:
            last[name] = content
    signed = tuple(
        sorted(name for name, content in last.items() if content["act"] == COUNTERSIGN.name)
    )
    return Mark(
        own,
        signed,
        tuple(
            sorted(
                (name, content["reason"])
                for name, content in last.items()
                if content["act"] == OBJECT.name
            )
        ),
    )


def seats_to_countersign(
    places: Iterable[Membership], by: int | None, own: Iterable[str]
) -> list[Membership]:
    """Return who may countersign an act of a game master for their own seats, one place each.

    They are the countersigners and the co-game-masters who do not play; if there are none, all
    other players. Never the holder of such a seat. `by` is the game master's user id.
    """
    every, seats = list(places), set(own)
    players = {place.user_id for place in every if place.role == Membership.Role.SEAT}
    masters = {place.user_id for place in every if place.role in Membership.MASTERS}
    barred = {by} | {
        place.user_id
        for place in every
        if place.role == Membership.Role.SEAT and place.seat in seats
    }
    named = [
        place
        for place in every
        if (place.role == Membership.Role.COUNTERSIGNER and place.user_id not in masters)
        or (place.role in Membership.MASTERS and place.user_id not in players)
    ]
    for group in (
        named,
        [
            place
            for place in every
            if place.role == Membership.Role.SEAT and place.user_id not in masters
        ],
    ):
        candidates = {place.user_id: place for place in group if place.user_id not in barred}
        if candidates:
            return list(candidates.values())
    return []


def may_not_answer(
    entry: LogEntry, own: Sequence[str], user: int, who: Access, places: Iterable[Membership]
) -> bool:
    """Return whether this user may not answer under an entry.

    `own` are the seats of its actor that it concerns.
    """
    if entry.actor_id == user or entry.struck_by_id is not None:
        return True
    if own:
        return user not in {
            place.user_id for place in seats_to_countersign(places, entry.actor_id, own)
        }
    return not (who.countersigner and not who.host and is_public_correction(entry))


# Acts of a game master for their own seat, if they play. They are found in the move or act itself,
# before it is made and after.
#
# A game master who plays with others is asked to have such an act countersigned
# (docs/decisions/0027). A seat is concerned by an effect on what it holds, and by a contest of
# which it is a side. What the rules do by themselves, such as the opening of a turn, is not a
# favour.

PURSE, WAS = "actions", "was"
SIDES = ("attacker", "defender", "leader")
Contests = Mapping[int, Mapping[str, Any]]


def own_seats(
    campaign: Campaign, user: Any, who: Access, memberships: Iterable[Membership] | None = None
) -> frozenset[str]:
    """Return the seats of a game master who plays with others.

    They are those that they hold, and those that they gave up in this turn or the one before.
    Otherwise they could give a seat up, correct, and take it again. Empty for everyone else, and if
    no one else plays. One query, none if the campaign's `memberships`, past ones too, show that
    they never had a seat.
    """
    if not who.host:
        return frozenset()
    if memberships is not None and not any(
        place.user_id == user.pk and place.role == Membership.Role.SEAT for place in memberships
    ):
        return frozenset()
    turned = (
        campaign.entries.filter(turn__gte=max(campaign.turn - 1, 0))
        .order_by("sequence")
        .values("at")[:1]
    )
    late = Q(user_id=user.pk, until__gte=Subquery(turned))
    rows = campaign.memberships.filter(Q(until=None) | late, role=Membership.Role.SEAT).values_list(
        "seat", "until"
    )
    held, gone = ({seat for seat, until in rows if (until is None) is now} for now in (True, False))
    return frozenset({*who.seats, *gone}) if held - set(who.seats) else frozenset()


def by_effects(effects: Iterable[Effect], seats: Iterable[str]) -> frozenset[str]:
    """Return the seats whose accounts, cards or lands these effects change.

    Land counts for the seat that had it before (`was`), too.
    """
    named = (who for effect in effects for who in (effect.holder, effect.facts.get(WAS)))
    return frozenset(seats) & {who for who in named if isinstance(who, str)}


def by_contests(before: Contests, after: Contests, seats: Iterable[str]) -> frozenset[str]:
    """Return the seats that are sides of a contest that has changed."""
    changed = [facts for number, facts in after.items() if before.get(number) != facts]
    return frozenset(seats) & {
        facts.get(side) for facts in changed for side in SIDES if facts.get(side)
    }


def of_contest(
    campaign: Campaign, number: int, seats: Iterable[str], position: Any = None
) -> frozenset[str]:
    """Return the seats that are sides of this contest."""
    position = positions.current(campaign) if position is None else position
    facts = campaign.game.rows(position).contests.get(number, {})
    return frozenset(seats) & {facts[side] for side in SIDES if facts.get(side)}


def of_move(
    campaign: Campaign,
    raw: Mapping[str, Any],
    effects: Iterable[Effect],
    seats: frozenset[str],
    before: Any,
    after: Any,
) -> frozenset[str]:
    """Return the seats that a game master's move favours or harms.

    The move is a correction, another seat's move, or a contest's result. If it ends a slot, the
    opening of the next slot and its purse are not a favour.
    """
    if raw.get("by") != GAME_MASTER:
        return frozenset()
    seats -= {str(raw.get("for", ""))}
    contests = campaign.game.rows(before).contests, campaign.game.rows(after).contests
    touched = by_contests(*contests, seats)
    if "reason" in raw:
        return touched | by_effects(effects, seats)
    if "for" in raw:
        return touched | by_effects(
            (effect for effect in effects if effect.kind != "slot" and effect.subject != PURSE),
            seats,
        )
    return touched


def of_branches(
    campaign: Campaign,
    raw: Mapping[str, Any],
    branches: Iterable[Branch],
    seats: frozenset[str],
    before: Any,
) -> frozenset[str]:
    """Return the seats that a move may favour or harm, however its dice fall."""
    concerned: frozenset[str] = frozenset()
    for branch in branches if seats else ():
        concerned |= of_move(campaign, raw, branch.effects, seats, before, branch.after)
    return concerned


def of_struck(entries: Iterable[LogEntry], seats: Iterable[str]) -> frozenset[str]:
    """Return the seats that an undo of these entries concerns.

    They made these moves, or the effects are on their accounts.
    """
    seats, concerned = frozenset(seats), set[str]()
    for entry in entries:
        concerned |= {entry.seat} | by_effects(entry.all_effects, seats)
    return seats & concerned


# The log of opened hands, and the hands that are open to a game master at present.


def looks_at_seat(
    campaign: Campaign, user: int, who: Access, seat: str
) -> QuerySet[AccessLogEntry]:
    """Return the looks at this seat, the latest first: all for its holder, their own for others.

    One query.
    """
    rows = AccessLogEntry.objects.filter(campaign=campaign, seat=seat).select_related("user")
    return rows if seat in who.seats else rows.filter(user_id=user)


def looks_of(campaign: Campaign, user: int) -> QuerySet[AccessLogEntry]:
    """Return this user's own looks at the hands of a campaign, the latest first."""
    return AccessLogEntry.objects.filter(campaign=campaign, user_id=user).order_by("-last_at")


def seats_with_holder(places: Iterable[Membership]) -> frozenset[str]:
    """Return the seats that have a holder."""
    return frozenset(place.seat for place in places if place.role == Membership.Role.SEAT)


def seats_without_holder(campaign: Campaign, places: Iterable[Membership]) -> frozenset[str]:
    """Return the seats without a holder.

    Their hands are not secret: the game master plays them.
    """
    return frozenset(positions.seats(campaign)) - seats_with_holder(places)


def seats_revealed(campaign: Campaign, who: Access, raw: Mapping[str, Any]) -> list[str]:
    """Return the seats whose hidden hands a game master's move reveals, even if it is only tried.

    They are the seats for which they move, and those whose cards they correct, because the answer
    of the rules depends on these cards. Empty for other users, and if nothing is hidden.
    """
    if (
        not who.game_master
        or raw.get("by", GAME_MASTER) != GAME_MASTER
        or not access.hides(campaign)
    ):
        return []
    named = [raw.get("for")]
    if "for" not in raw:
        own = campaign.game.offers(positions.current(campaign), GAME_MASTER, GAME_MASTER)
        cards = [
            offer
            for offer in own
            if offer.move == raw.get("move") and any(field.kind == "card" for field in offer.fields)
        ]
        named = [
            raw.get(field.key)
            for offer in cards
            for field in offer.fields
            if field.kind == "nation"
        ]
    seats = positions.seats(campaign)
    return sorted({seat for seat in named if isinstance(seat, str) and seat in seats})


# Countersigners: users whom the game master names, so that other people look at their corrections.
#
# A countersignature is asked for but never required: a correction counts without it, and the log
# shows that it is not countersigned. If it concerns the game master's own seat, others are asked,
# too (`ask`).


MOST = 10


@transaction.atomic
def name_countersigner(
    campaign: Campaign, user: Any, whom: Any, *, now: datetime | None = None
) -> Membership:
    """Name a countersigner, as a game master. This function is idempotent."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    access.must_have_account(user)
    now_here = table.memberships.filter(until=None)
    if now_here.filter(user=whom, role__in=Membership.MASTERS).exists():
        raise Refused(
            "game-master",
            _("A game master cannot countersign the acts of game masters. Choose someone else."),
        )
    held = now_here.filter(role=Membership.Role.COUNTERSIGNER)
    standing = held.filter(user=whom).first()
    if standing is not None:
        return standing
    access.must_reach(user, whom)
    if held.count() >= MOST:
        raise Refused("full", _("This campaign already has %(n)s countersigners.") % {"n": MOST})
    member = Membership.objects.create(
        campaign=table, user=whom, role=Membership.Role.COUNTERSIGNER, since=at
    )
    entries.append_act(
        table, user, {"act": COUNTERSIGNER.name, "how": "named", "user": whom.pk}, now=at
    )
    return member


@transaction.atomic
def dismiss_countersigner(
    campaign: Campaign, user: Any, whom: Any, *, now: datetime | None = None
) -> None:
    """End the role of a countersigner, as themselves or as a game master. It is idempotent.

    Their countersignatures remain.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    if user.pk != whom.pk:
        access.must_be_host(table, user)
    if table.memberships.filter(role=Membership.Role.COUNTERSIGNER, user=whom, until=None).update(
        until=at
    ):
        entries.append_act(
            table, user, {"act": COUNTERSIGNER.name, "how": "left", "user": whom.pk}, now=at
        )


@transaction.atomic
def countersign(
    campaign: Campaign, user: Any, number: int, *, now: datetime | None = None
) -> LogEntry:
    """Countersign an entry of the game master, as a user who is asked.

    This replaces an objection by the same user.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    entry = _entry_to_countersign(table, user, number)
    if _last(table, user, entry) == COUNTERSIGN.name:
        raise Refused("countersigned", _("You have already countersigned this."))
    return entries.append_act(
        table, user, {"act": COUNTERSIGN.name, "entry": number}, target=entry, now=at
    )


@transaction.atomic
def object_to(
    campaign: Campaign, user: Any, number: int, reason: str, *, now: datetime | None = None
) -> LogEntry:
    """Object to an entry, with a public reason, as a user who is asked.

    The entry stays in force; the game master may undo it.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    entry = _entry_to_countersign(table, user, number)
    why = entries.checked_reason(reason)
    if _last(table, user, entry) == OBJECT.name:
        raise Refused("objected", _("You have already objected to this."))
    return entries.append_act(
        table, user, {"act": OBJECT.name, "entry": number, "reason": why}, target=entry, now=at
    )


def _last(table: Campaign, user: Any, entry: LogEntry) -> str:
    """Return the name of this user's last act under an entry; empty if there is none."""
    act = (
        marks_under(table, [entry.pk], (COUNTERSIGN.name, OBJECT.name))
        .filter(actor=user)
        .order_by("sequence")
        .last()
    )
    return "" if act is None else act.act


def _entry_to_countersign(table: Campaign, user: Any, number: int) -> LogEntry:
    """Return the entry, if this user may answer under it.

    Raises `NoSuchCampaign`, `NotAllowed`, `NoSuchEntry`, `Refused`.
    """
    places = list(access.places(table))
    who = access.access_of(table, user, places)
    entry = table.entries.filter(number=number).first()
    own = () if entry is None else own_seats_of(table, entry)
    if entry is not None and own:
        may = user.pk in {
            place.user_id for place in seats_to_countersign(places, entry.actor_id, own)
        }
    else:
        may = who.countersigner and not who.host
    if not may:
        if not who.member and table.visibility == Campaign.Visibility.MEMBERS:
            raise NoSuchCampaign
        if entry is not None and own and who.member:
            raise NotAllowed("no-countersigner", _("You have not been asked to countersign this."))
        raise NotAllowed(
            "no-countersigner",
            _("Only a countersigner whom the game master has named may do this."),
        )
    if entry is None:
        raise NoSuchEntry
    if entry.struck_by_id is not None or not (own or is_public_correction(entry)):
        raise Refused(
            "not-asked",
            _(
                "Only corrections, undos and judgments of a game master can be countersigned, and "
                "only while they are in force."
            ),
        )
    if entry.actor_id == user.pk:
        raise Refused("own", _("You cannot countersign your own acts."))
    return entry


# Acts of a game master for their own seat are marked in the log, and the users who may countersign
# them are asked.
#
# Such an act counts at once, like any other, so that no campaign waits for a user on holiday. Until
# it is countersigned, it is shown as not countersigned everywhere (docs/decisions/0027).


def ask(
    table: Campaign,
    user: Any,
    entry: LogEntry,
    touched: Callable[[frozenset[str]], Iterable[str]],
    at: datetime,
) -> LogEntry | None:
    """Ask for a countersignature under a new entry, if it concerns its game master's own seats.

    `touched` returns which of the own seats it concerns; it is not called if the user does not
    play. The caller holds the campaign's row.
    """
    if user is None or entry.number is None:
        return None
    seats = own_seats(table, user, access.access_of(table, user))
    concerned = sorted(touched(seats)) if seats else []
    if not concerned:
        return None
    what = {"act": OWN_ACCOUNT.name, "entry": entry.number, "seats": concerned}
    return entries.append_act(table, user, what, target=entry, now=at)


def ask_for_moves(
    table: Campaign, user: Any, entries: Iterable[LogEntry], before: Any, after: Any, at: datetime
) -> None:
    """Ask for countersignatures under the game master's moves among these entries.

    `before` and `after` are the positions before and after all of them.
    """
    for entry in entries:
        content, effects = entry.content if entry.is_move else {}, entry.all_effects
        if content.get("by") != GAME_MASTER:  # A player's own move needs no countersignature.
            continue
        ask(
            table,
            user,
            entry,
            lambda seats: of_move(table, content, effects, seats, before, after),  # noqa: B023  # called at once
            at,
        )


def ask_for_contest(
    table: Campaign, user: Any, entry: LogEntry, number: int, at: datetime, position: Any = None
) -> None:
    """Ask for a countersignature under a game master's act on a contest."""
    position = positions.current(table) if position is None else position
    ask(table, user, entry, lambda seats: of_contest(table, number, seats, position), at)


# The access log: who has looked at another seat's hidden hand, and when (docs/decisions/0027).

READ = frozenset(
    {
        AccessLogEntry.Way.RECORD,
        AccessLogEntry.Way.PACK,
        AccessLogEntry.Way.ORDERS,
        AccessLogEntry.Way.PROGRAM,
    }
)
"""The ways of requests that only read. They are logged once an hour."""


def log_access(
    campaign: Campaign, user: Any, seat: str, how: str, now: datetime | None = None
) -> AccessLogEntry | None:
    """Log that this user has seen what is hidden of a seat; `how` is an `AccessLogEntry.Way`.

    Nothing is logged, and None returned, if nothing is hidden, if they hold the seat themselves,
    and if it has no holder. The caller has checked that they may look.
    """
    holders = _holders(campaign)
    return (
        _record_access(campaign, user, seat, how, entries.moment(now))
        if _counts(campaign, user, seat, holders)
        else None
    )


def log_access_to_all(
    campaign: Campaign, user: Any, how: str, now: datetime | None = None
) -> list[AccessLogEntry]:
    """Log that this user has seen all hands at once."""
    if not access.hides(campaign):
        return []
    holders, at = _holders(campaign), entries.moment(now)
    mine = (
        AccessLogEntry.objects.filter(campaign=campaign, user=user, hour=_hour(at))
        if how in READ
        else AccessLogEntry.objects.none()
    )
    known = {look.seat: look for look in mine if how in look.ways.split(",")}
    return [
        known.get(seat) or _record_access(campaign, user, seat, how, at)
        for seat in sorted(holders)
        if _counts(campaign, user, seat, holders)
    ]


def _holders(campaign: Campaign) -> dict[str, int]:
    """Return the user id of each seat's holder."""
    held = campaign.memberships.filter(role=Membership.Role.SEAT, until=None)
    return dict(held.values_list("seat", "user_id"))


def _counts(campaign: Campaign, user: Any, seat: str, holders: dict[str, int]) -> bool:
    """Return whether the access log records that this user looks at the hand of this seat."""
    return seat in holders and holders[seat] != user.pk and access.hides(campaign)


def _hour(at: datetime) -> datetime:
    """Return the beginning of the hour in which this moment is."""
    return at.replace(minute=0, second=0, microsecond=0)


def _record_access(
    campaign: Campaign, user: Any, seat: str, how: str, at: datetime
) -> AccessLogEntry:
    """Write or update the row of this hour."""
    hour = _hour(at)
    way = str(AccessLogEntry.Way(how))
    whose = {"campaign": campaign, "user": user, "seat": seat, "hour": hour}
    look = AccessLogEntry.objects.filter(**whose).first()
    if look is not None and way in READ and way in look.ways.split(","):
        return look
    with transaction.atomic():
        row, new = AccessLogEntry.objects.select_for_update().get_or_create(
            **whose, defaults={"first_at": at, "last_at": at, "ways": way}
        )
        if not new:
            row.last_at, row.count = max(row.last_at, at), row.count + 1
            row.ways = ",".join(sorted({*row.ways.split(","), way}))
            row.save(update_fields=["last_at", "count", "ways"])
    return row


# The part of a report on the game master's acts for their own seat.

OF_ENTRY = re.compile(r"(?:undo|restore)-([0-9]{1,9})", re.ASCII)


def report_notes(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Return who has countersigned such entries of a turn, or the reported undo, and who objects.

    At most two queries; one if there is no such entry.
    """
    match = OF_ENTRY.fullmatch(item.key)
    if not match and (
        item.kind != "turn" or OWN_ACCOUNT.name not in positions.replayed_log(campaign).acts
    ):
        return ()
    asked = campaign.entries.filter(
        kind=LogEntry.Kind.TABLE, act=OWN_ACCOUNT.name, target__struck_by=None
    )
    asked = asked.filter(target__number=int(match[1])) if match else asked.filter(turn=item.turn)
    entries = list(
        marked(campaign.entries.filter(pk__in=asked.values("target"))).order_by("sequence")
    )
    if not entries:
        return ()
    marks, _nobody = marks_and_names(campaign, entries, ())
    blocks: list[Block] = []
    for entry in entries:
        mark = marks[entry.pk]
        blocks.append(
            _line(
                _status_text(mark.signed) % {"entry": entry.number, "names": ", ".join(mark.signed)}
            )
        )
        for who, why in mark.objections:
            blocks.append(
                _line(
                    _("%(who)s objects to entry %(entry)s: %(why)s")
                    % {
                        "who": who,
                        "entry": entry.number,
                        "why": why,
                    }
                )
            )
    return blocks


def _status_text(signed: Sequence[str]) -> str:
    """Return the message on whether an entry is countersigned."""
    if signed:
        return _(
            "Entry %(entry)s concerns the game master’s own nation; countersigned by %(names)s."
        )
    return _("Entry %(entry)s concerns the game master’s own nation; it is not countersigned.")


def _line(text: str) -> Paragraph:
    """Return a paragraph in italics."""
    return Paragraph((Span(text, italic=True),))
