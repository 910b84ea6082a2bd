"""Countersigning and the access log: which entries somebody is to look at, who looked at a hidden
hand, and the acts of both.
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

# Which entries ask for a countersignature, who may give it, and which have one, or an objection.


_GIVEN = {"target__act": DIE.name, "target__how": "given"}
MANY = 400
"""Of more entries than these every mark is asked for: there are few."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands under an entry: the last word of each who has looked at it."""

    own: tuple[str, ...] = ()
    """The game master's own seats that it concerns; empty where nobody needs to be asked."""
    signed: tuple[str, ...] = ()
    """Who agrees, by name."""
    objections: tuple[tuple[str, str], ...] = ()
    """Who objects, by name, and in which words."""

    @property
    def lacks(self) -> bool:
        """Is it asked for, and has nobody countersigned?"""
        return bool(self.own) and not self.signed


NONE = Mark()


def concerns(entry: LogEntry) -> bool:
    """Is this a game master's correction, undo, restoration or judgment, for everybody to see?

    What has an audience has no number by which a countersigner could find it.
    """
    if entry.number is None or entry.seat != GAME_MASTER:
        return False
    return "reason" in entry.content if entry.is_move else entry.act in CORRECTIONS


def may_be_countersigned(entry: LogEntry) -> bool:
    """May it be countersigned though it concerns no seat of its actor, that is, does it still
    stand?
    """
    return entry.struck_by_id is None and concerns(entry)


def marks_under(
    campaign: Campaign, rows: Iterable[int | None], acts: Collection[str] = COUNTERSIGNATURES
) -> QuerySet[LogEntry]:
    """The marks under these entries, which are named by their rows."""
    marks, targets = campaign.entries.filter(act__in=acts, kind=LogEntry.Kind.TABLE), list(rows)
    return marks.filter(target__in=targets) if len(targets) <= MANY else marks.exclude(target=None)


def marked(entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """The same entries, each knowing whether anything stands under it: `names` then asks for those
    alone.
    """
    marks = LogEntry.objects.filter(
        act__in=COUNTERSIGNATURES, target=OuterRef("pk"), kind=LogEntry.Kind.TABLE
    )
    return entries.annotate(marked=Exists(marks))  # type: ignore[no-redef]  # declared on the model


def own_of(campaign: Campaign, entry: LogEntry) -> tuple[str, ...]:
    """The game master's own seats that this entry was said to concern."""
    mark = marks_under(campaign, [entry.pk], (OWN_ACCOUNT.name,)).first()
    return () if mark is None else tuple(mark.content["seats"])


def names(
    campaign: Campaign, entries: Iterable[LogEntry], people: Collection[int]
) -> tuple[dict[int, Mark], dict[int, str]]:
    """What stands under which entry, by its row, and the names of these people; both in one query,
    for pages have few.
    """
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


def of_dice(
    campaign: Campaign, rolls: Iterable[KnownRoll], given: Collection[str]
) -> dict[int, tuple[Mark, int]]:
    """What stands, by a roll's row, under the game master's entry that threw it, or else under
    their act that gave the die of this purpose (`given`); with that entry's number. One query, none
    where no roll is of either.
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
    """The marks under these entries, under those that gave dice where one was, or under all
    (None).
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
    """The acts under an entry, in their order, as they stand now."""
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
    """Who may countersign what a game master (a user's number) did for their own seats, one place
    each: the countersigners and the co-game-masters who do not play; where there is neither, any
    other player of the table. Never the holder of such a seat.
    """
    every, seats = list(places), set(own)
    players = {one.user_id for one in every if one.role == Membership.Role.SEAT}
    masters = {one.user_id for one in every if one.role in Membership.MASTERS}
    barred = {by} | {
        one.user_id for one in every if one.role == Membership.Role.SEAT and one.seat in seats
    }
    named = [
        one
        for one in every
        if (one.role == Membership.Role.COUNTERSIGNER and one.user_id not in masters)
        or (one.role in Membership.MASTERS and one.user_id not in players)
    ]
    for group in (
        named,
        [one for one in every if one.role == Membership.Role.SEAT and one.user_id not in masters],
    ):
        candidates = {one.user_id: one for one in group if one.user_id not in barred}
        if candidates:
            return list(candidates.values())
    return []


def bars(
    entry: LogEntry, own: Sequence[str], user: int, who: Access, places: Iterable[Membership]
) -> bool:
    """Is this person, by their number, kept from saying a word under an entry that concerns these
    own seats of its actor?
    """
    if entry.actor_id == user or entry.struck_by_id is not None:
        return True
    if own:
        return user not in {
            one.user_id for one in seats_to_countersign(places, entry.actor_id, own)
        }
    return not (who.countersigner and not who.host and concerns(entry))


# What a game master does for their own seat, where they play: read from the move or act itself,
# before it is said and after.
#
# A game master who plays in company is asked to have such an act countersigned
# (docs/decisions/0027). A seat is touched by an effect on what it holds, and by a contest of which
# it is a side. What the rules do by themselves, such as the opening of a turn, is nobody's favour.

PURSE, WAS = "actions", "was"
SIDES = ("attacker", "defender", "leader")
Contests = Mapping[int, Mapping[str, Any]]


def own_seats(
    campaign: Campaign, user: Any, who: Access, memberships: Iterable[Membership] | None = None
) -> frozenset[str]:
    """Return the seats of a game master who plays with others: those they hold, and those they gave
    up in this turn or the one before, for else they could give one up, correct, and take it again.

    Empty for everyone else, and if no one else plays. One query, none if the campaign's
    `memberships`, past ones too, show that they never had a seat.
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
    """Those of the seats on whose accounts, cards or lands these effects are; land counts for the
    seat that had it (`was`), too.
    """
    named = (who for effect in effects for who in (effect.holder, effect.facts.get(WAS)))
    return frozenset(seats) & {who for who in named if isinstance(who, str)}


def by_contests(before: Contests, after: Contests, seats: Iterable[str]) -> frozenset[str]:
    """Those of the seats that are sides of a contest which is otherwise after than before."""
    changed = [facts for number, facts in after.items() if before.get(number) != facts]
    return frozenset(seats) & {
        facts.get(side) for facts in changed for side in SIDES if facts.get(side)
    }


def of_contest(
    campaign: Campaign, number: int, seats: Iterable[str], position: Any = None
) -> frozenset[str]:
    """Those of the seats that are sides of this contest."""
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
    """Those of the seats that a game master's move favours or harms: a correction, another seat's
    move, a contest's result.

    That a slot opens and fills its purse is no favour of who ended the slot before it.
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
            (one for one in effects if one.kind != "slot" and one.subject != PURSE), seats
        )
    return touched


def of_branches(
    campaign: Campaign,
    raw: Mapping[str, Any],
    branches: Iterable[Branch],
    seats: frozenset[str],
    before: Any,
) -> frozenset[str]:
    """The same of a move that is not made yet, however its dice fall."""
    concerned: frozenset[str] = frozenset()
    for branch in branches if seats else ():
        concerned |= of_move(campaign, raw, branch.effects, seats, before, branch.after)
    return concerned


def of_struck(entries: Iterable[LogEntry], seats: Iterable[str]) -> frozenset[str]:
    """Those of the seats whose moves these are, or on whose accounts their effects are: an undo
    concerns them.
    """
    seats, concerned = frozenset(seats), set[str]()
    for entry in entries:
        concerned |= {entry.seat} | by_effects(entry.all_effects, seats)
    return seats & concerned


# Who looked at a hidden hand, as its holder reads it, and whoever looked; and whose hands lie open
# to a game master now.


def of_seat(campaign: Campaign, user: int, who: Access, seat: str) -> QuerySet[AccessLogEntry]:
    """The looks at this seat, the latest first: all for its holder, for everybody else their own.
    One query.
    """
    rows = AccessLogEntry.objects.filter(campaign=campaign, seat=seat).select_related("user")
    return rows if seat in who.seats else rows.filter(user_id=user)


def looks_of(campaign: Campaign, user: int) -> QuerySet[AccessLogEntry]:
    """This user's own looks at the hands of a campaign, the latest first."""
    return AccessLogEntry.objects.filter(campaign=campaign, user_id=user).order_by("-last_at")


def held(places: Iterable[Membership]) -> frozenset[str]:
    """The seats that somebody holds."""
    return frozenset(one.seat for one in places if one.role == Membership.Role.SEAT)


def free(campaign: Campaign, places: Iterable[Membership]) -> frozenset[str]:
    """The seats that nobody holds: their hands are nobody's secret, and the game master
    plays them.
    """
    return frozenset(positions.seats(campaign)) - held(places)


def about(campaign: Campaign, who: Access, raw: Mapping[str, Any]) -> list[str]:
    """The seats of whose hidden hand a game master's move tells, said or only tried: for whom they
    speak, and whose cards they correct, for what the rules answer depends on those. Empty for
    everybody else, and where nothing is hidden.
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
            one
            for one in own
            if one.move == raw.get("move") and any(field.kind == "card" for field in one.fields)
        ]
        named = [
            raw.get(field.key) for one in cards for field in one.fields if field.kind == "nation"
        ]
    seats = positions.seats(campaign)
    return sorted({seat for seat in named if isinstance(seat, str) and seat in seats})


# Countersigners: people the game master names so that somebody beside them has looked at what they
# correct.
#
# A countersignature is asked for and never needed: without it a correction stands as well, and the
# log shows that nobody has countersigned it. Where it concerns the game master's own seat, others
# are asked too (`asking`).


MOST = 10


@transaction.atomic
def name_countersigner(
    campaign: Campaign, user: Any, whom: Any, *, now: datetime | None = None
) -> Membership:
    """A game master names somebody who is none. Naming twice is no error."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    access.must_have_account(user)
    now_here = table.memberships.filter(until=None)
    if now_here.filter(user=whom, role__in=Membership.MASTERS).exists():
        raise Refused(
            "game-master",
            _("A game master does not countersign what game masters do. Name somebody else."),
        )
    held = now_here.filter(role=Membership.Role.COUNTERSIGNER)
    standing = held.filter(user=whom).first()
    if standing is not None:
        return standing
    access.must_reach(user, whom)
    if held.count() >= MOST:
        raise Refused("full", _("This campaign has %(n)s countersigners already.") % {"n": MOST})
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
    """They go, or a game master sends them; what they have countersigned stands. Twice is
    no error.
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
    """Somebody who is asked says of an entry of the game master that they have looked at it and
    agree.

    Whoever objected before takes that back by it: of each the last word counts.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    entry = _entry_to_countersign(table, user, number)
    if _last(table, user, entry) == COUNTERSIGN.name:
        raise Refused("countersigned", _("You have countersigned this already."))
    return entries.append_act(
        table, user, {"act": COUNTERSIGN.name, "entry": number}, target=entry, now=at
    )


@transaction.atomic
def object_to(
    campaign: Campaign, user: Any, number: int, reason: str, *, now: datetime | None = None
) -> LogEntry:
    """They have looked at it and do not agree: everybody is told why. The entry stands; the game
    master may undo it.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    entry = _entry_to_countersign(table, user, number)
    why = entries.a_reason(reason)
    if _last(table, user, entry) == OBJECT.name:
        raise Refused("objected", _("You have objected to this already."))
    return entries.append_act(
        table, user, {"act": OBJECT.name, "entry": number, "reason": why}, target=entry, now=at
    )


def _last(table: Campaign, user: Any, entry: LogEntry) -> str:
    """What this person said last under an entry."""
    act = (
        marks_under(table, [entry.pk], (COUNTERSIGN.name, OBJECT.name))
        .filter(actor=user)
        .order_by("sequence")
        .last()
    )
    return "" if act is None else act.act


def _entry_to_countersign(table: Campaign, user: Any, number: int) -> LogEntry:
    """The entry, if this person may say a word under it. Raises `NoSuchCampaign`, `NotAllowed`,
    `NoSuchEntry`, `Refused`.
    """
    places = list(access.places(table))
    who = access.access_of(table, user, places)
    entry = table.entries.filter(number=number).first()
    own = () if entry is None else own_of(table, entry)
    if entry is not None and own:
        may = user.pk in {one.user_id for one in seats_to_countersign(places, entry.actor_id, own)}
    else:
        may = who.countersigner and not who.host
    if not may:
        if not who.member and table.visibility == Campaign.Visibility.MEMBERS:
            raise NoSuchCampaign
        if entry is not None and own and who.member:
            raise NotAllowed("no-countersigner", _("You are not asked to countersign this."))
        raise NotAllowed(
            "no-countersigner",
            _("Only a person whom the game master has named as countersigner may do this."),
        )
    if entry is None:
        raise NoSuchEntry
    if entry.struck_by_id is not None or not (own or concerns(entry)):
        raise Refused(
            "not-asked",
            _(
                "Only a game master's corrections, undos and judgments are countersigned, while"
                " they are in force."
            ),
        )
    if entry.actor_id == user.pk:
        raise Refused("own", _("Nobody countersigns their own acts."))
    return entry


# What a game master does for their own seat is said to be so in the log, and whoever may
# countersign it is asked.
#
# The act stands at once, as any other: no campaign waits for somebody who is on holiday. Until
# somebody has countersigned it, it is shown as not countersigned wherever it is shown
# (docs/decisions/0027).


def ask(
    table: Campaign,
    user: Any,
    entry: LogEntry,
    touched: Callable[[frozenset[str]], Iterable[str]],
    at: datetime,
) -> LogEntry | None:
    """Ask for a countersignature under an entry just written, if `touched` tells any of its game
    master's own seats.

    Asks for a transaction that holds the campaign's row. `touched` is not called for who does not
    play.
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
    """The same for what a game master has announced: the moves among these entries, before and
    after all of them.
    """
    for entry in entries:
        content, effects = entry.content if entry.is_move else {}, entry.all_effects
        if content.get("by") != GAME_MASTER:  # a player's own: nobody's place is asked for
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
    """The same for what a game master says at a contest."""
    position = positions.current(table) if position is None else position
    ask(table, user, entry, lambda seats: of_contest(table, number, seats, position), at)


# Kept: who looked at a hidden hand that is not their own, and when (docs/decisions/0027).

READ = frozenset(
    {
        AccessLogEntry.Way.RECORD,
        AccessLogEntry.Way.PACK,
        AccessLogEntry.Way.ORDERS,
        AccessLogEntry.Way.PROGRAM,
    }
)
"""What a request that only reads comes to: kept once an hour, so that reading again writes
nothing.
"""


def log_access(
    campaign: Campaign, user: Any, seat: str, how: str, now: datetime | None = None
) -> AccessLogEntry | None:
    """Keep that this person came to see what is hidden of a seat; `how` is an `AccessLogEntry.Way`.

    None, and nothing is kept, where nothing is hidden, where they hold the seat themselves, and
    where nobody holds it. Whether they may look is for the caller to ask before.
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
    """The same of every seat, for what shows all hands at once."""
    if not access.hides(campaign):
        return []
    holders, at = _holders(campaign), entries.moment(now)
    mine = (
        AccessLogEntry.objects.filter(campaign=campaign, user=user, hour=_hour(at))
        if how in READ
        else AccessLogEntry.objects.none()
    )
    known = {one.seat: one for one in mine if how in one.ways.split(",")}
    return [
        known.get(seat) or _record_access(campaign, user, seat, how, at)
        for seat in sorted(holders)
        if _counts(campaign, user, seat, holders)
    ]


def _holders(campaign: Campaign) -> dict[str, int]:
    held = campaign.memberships.filter(role=Membership.Role.SEAT, until=None)
    return dict(held.values_list("seat", "user_id"))


def _counts(campaign: Campaign, user: Any, seat: str, holders: dict[str, int]) -> bool:
    return seat in holders and holders[seat] != user.pk and access.hides(campaign)


def _hour(at: datetime) -> datetime:
    return at.replace(minute=0, second=0, microsecond=0)


def _record_access(
    campaign: Campaign, user: Any, seat: str, how: str, at: datetime
) -> AccessLogEntry:
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


# What a report says of the game master's acts for their own seat.

OF_ENTRY = re.compile(r"(?:undo|restore)-([0-9]{1,9})", re.ASCII)


def report_notes(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Each such entry of a turn that stands, or the undo that is reported: who has countersigned
    it, who objects and why.

    Two queries for a report that may have something to say, one where there is nothing.
    """
    match = OF_ENTRY.fullmatch(item.key)
    if not match and (
        item.kind != "turn" or OWN_ACCOUNT.name not in positions.retold(campaign).acts
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
    marks, _nobody = names(campaign, entries, ())
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
    if signed:
        return _(
            "Entry %(entry)s concerns the game master’s own nation; countersigned by %(names)s."
        )
    return _("Entry %(entry)s concerns the game master’s own nation; it is not countersigned.")


def _line(text: str) -> Paragraph:
    return Paragraph((Span(text, italic=True),))
