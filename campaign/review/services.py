"""Countersigners: people the game master names so that somebody beside him has looked at what he corrects.

A countersignature is asked for and never needed: without it a correction stands as well, and the log shows that nobody
has countersigned it. Where it concerns the game master's own seat, others are asked too (`asking`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access
from campaign.errors import NoSuchCampaign, NoSuchEntry, NotAllowed, Refused
from campaign.log import entries, positions
from campaign.log import entries as log_entries
from campaign.models import GAME_MASTER, Campaign, LogEntry, Look, Membership
from campaign.review import selectors
from campaign.review.selectors import OBJECT, SIGN, concerns, marks_under, own_of, seats_to_countersign
from games.contract.report import Block, Contents, Paragraph, Span

COUNTERSIGNER = Membership.Role.COUNTERSIGNER
MOST = 10


@transaction.atomic
def name_countersigner(campaign: Campaign, user: Any, whom: Any, *, now: datetime | None = None) -> Membership:
    """A game master names somebody who is none. Naming twice is no error."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    access.must_have_account(user)
    now_here = table.memberships.filter(until=None)
    if now_here.filter(user=whom, role__in=Membership.MASTERS).exists():
        raise Refused("game-master", _("A game master does not countersign what game masters do. Name somebody else."))
    held = now_here.filter(role=COUNTERSIGNER)
    standing = held.filter(user=whom).first()
    if standing is not None:
        return standing
    access.must_reach(user, whom)
    if held.count() >= MOST:
        raise Refused("full", _("This campaign has %(n)s countersigners already.") % {"n": MOST})
    member = Membership.objects.create(campaign=table, user=whom, role=COUNTERSIGNER, since=at)
    entries.append_act(table, user, {"act": "countersigner", "how": "named", "user": whom.pk}, now=at)
    return member


@transaction.atomic
def dismiss_countersigner(campaign: Campaign, user: Any, whom: Any, *, now: datetime | None = None) -> None:
    """He goes, or a game master sends him; what he has countersigned stands. Twice is no error."""
    table, at = entries.lock(campaign), entries.moment(now)
    if user.pk != whom.pk:
        access.must_be_host(table, user)
    if table.memberships.filter(role=COUNTERSIGNER, user=whom, until=None).update(until=at):
        entries.append_act(table, user, {"act": "countersigner", "how": "left", "user": whom.pk}, now=at)


@transaction.atomic
def countersign(campaign: Campaign, user: Any, number: int, *, now: datetime | None = None) -> LogEntry:
    """Somebody who is asked says of an entry of the game master that he has looked at it and agrees.

    Who objected before takes that back by it: of each the last word counts.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    entry = _entry_to_countersign(table, user, number)
    if _last(table, user, entry) == SIGN:
        raise Refused("countersigned", _("You have countersigned this already."))
    return entries.append_act(table, user, {"act": SIGN, "entry": number}, target=entry, now=at)


@transaction.atomic
def object_to(campaign: Campaign, user: Any, number: int, reason: str, *, now: datetime | None = None) -> LogEntry:
    """He has looked at it and does not agree: everybody is told why. The entry stands; the game master may undo it."""
    table, at = entries.lock(campaign), entries.moment(now)
    entry = _entry_to_countersign(table, user, number)
    why = entries.a_reason(reason)
    if _last(table, user, entry) == OBJECT:
        raise Refused("objected", _("You have objected to this already."))
    return entries.append_act(table, user, {"act": OBJECT, "entry": number, "reason": why}, target=entry, now=at)


def _last(table: Campaign, user: Any, entry: LogEntry) -> str:
    """What this person said last under an entry."""
    act = marks_under(table, [entry.pk], (SIGN, OBJECT)).filter(actor=user).order_by("sequence").last()
    return "" if act is None else act.act


def _entry_to_countersign(table: Campaign, user: Any, number: int) -> LogEntry:
    """The entry, if this person may say a word under it. Raises `NoSuchCampaign`, `NotAllowed`, `NoSuchEntry`, `Refused`."""
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
        raise NotAllowed("no-countersigner", _("Only a person whom the game master has named as countersigner may do this."))
    if entry is None:
        raise NoSuchEntry
    if entry.struck_by_id is not None or not (own or concerns(entry)):
        raise Refused(
            "not-asked", _("Only a game master's corrections, undos and judgments are countersigned, while they are in force.")
        )
    if entry.actor_id == user.pk:
        raise Refused("own", _("Nobody countersigns their own acts."))
    return entry


# What a game master does for his own seat is said to be so in the log, and whoever may countersign it is asked.
#
# The act stands at once, as any other: no campaign waits for somebody who is on holiday. Until somebody has countersigned
# it, it is shown as not countersigned wherever it is shown (docs/decisions/0027).


def ask(
    table: Campaign, user: Any, entry: LogEntry, touched: Callable[[frozenset[str]], Iterable[str]], at: datetime
) -> LogEntry | None:
    """Ask for a countersignature under an entry just written, if `touched` tells any of its game master's own seats.

    Asks for a transaction that holds the campaign's row. `touched` is not called for who does not play.
    """
    if user is None or entry.number is None:
        return None
    seats = selectors.own_seats(table, user, access.access_of(table, user))
    concerned = sorted(touched(seats)) if seats else []
    if not concerned:
        return None
    what = {"act": selectors.OWN, "entry": entry.number, "seats": concerned}
    return log_entries.append_act(table, user, what, target=entry, now=at)


def ask_for_moves(table: Campaign, user: Any, entries: Iterable[LogEntry], before: Any, after: Any, at: datetime) -> None:
    """The same for what a game master has announced: the moves among these entries, before and after all of them."""
    for entry in entries:
        content, effects = entry.content if entry.is_move else {}, entry.all_effects
        if content.get("by") != GAME_MASTER:  # a player's own: nobody's place is asked for
            continue
        ask(table, user, entry, lambda seats: selectors.of_move(table, content, effects, seats, before, after), at)  # noqa: B023


def ask_for_contest(table: Campaign, user: Any, entry: LogEntry, number: int, at: datetime, position: Any = None) -> None:
    """The same for what a game master says at a contest."""
    position = positions.current(table) if position is None else position
    ask(table, user, entry, lambda seats: selectors.of_contest(table, number, seats, position), at)


# Kept: who looked at a hidden hand that is not his own, and when (docs/decisions/0027).

READ = frozenset({Look.Way.RECORD, Look.Way.PACK, Look.Way.ORDERS, Look.Way.PROGRAM})
"""What a request that only reads comes to: kept once an hour, so that reading again writes nothing."""


def log_access(campaign: Campaign, user: Any, seat: str, how: str, now: datetime | None = None) -> Look | None:
    """Keep that this person came to see what is hidden of a seat; `how` is a `Look.Way`.

    None, and nothing is kept, where nothing is hidden, where he holds the seat himself, and where nobody holds it. Whether he
    may look is for the caller to ask before.
    """
    holders = _holders(campaign)
    return _record_access(campaign, user, seat, how, entries.moment(now)) if _counts(campaign, user, seat, holders) else None


def log_access_to_all(campaign: Campaign, user: Any, how: str, now: datetime | None = None) -> list[Look]:
    """The same of every seat, for what shows all hands at once."""
    if not access.hides(campaign):
        return []
    holders, at = _holders(campaign), entries.moment(now)
    mine = Look.objects.filter(campaign=campaign, user=user, hour=_hour(at)) if how in READ else Look.objects.none()
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


def _record_access(campaign: Campaign, user: Any, seat: str, how: str, at: datetime) -> Look:
    hour = _hour(at)
    way = str(Look.Way(how))
    whose = {"campaign": campaign, "user": user, "seat": seat, "hour": hour}
    look = Look.objects.filter(**whose).first()
    if look is not None and way in READ and way in look.ways.split(","):
        return look
    with transaction.atomic():
        row, new = Look.objects.select_for_update().get_or_create(**whose, defaults={"first_at": at, "last_at": at, "ways": way})
        if not new:
            row.last_at, row.times = max(row.last_at, at), row.times + 1
            row.ways = ",".join(sorted({*row.ways.split(","), way}))
            row.save(update_fields=["last_at", "times", "ways"])
    return row


# What a report says of the game master's acts for his own seat: `hooks.report_notes`.

OF_ENTRY = re.compile(r"(?:undo|restore)-([0-9]{1,9})", re.ASCII)


def noted(campaign: Campaign, item: Contents) -> Sequence[Block]:
    """Each such entry of a turn that stands, or the undo that is reported: who has countersigned it, who objects and why.

    Two queries for a report that may have something to say, one where there is nothing.
    """
    match = OF_ENTRY.fullmatch(item.key)
    if not match and item.kind != "turn":
        return ()
    asked = campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=selectors.OWN, target__struck_by=None)
    asked = asked.filter(target__number=int(match[1])) if match else asked.filter(turn=item.turn)
    entries = list(selectors.marked(campaign.entries.filter(pk__in=asked.values("target"))).order_by("sequence"))
    if not entries:
        return ()
    marks, _nobody = selectors.names(campaign, entries, ())
    blocks: list[Block] = []
    for entry in entries:
        mark = marks[entry.pk]
        blocks.append(_line(_status_text(mark.signed) % {"entry": entry.number, "names": ", ".join(mark.signed)}))
        for who, why in mark.objections:
            blocks.append(
                _line(_("%(who)s objects to entry %(entry)s: %(why)s") % {"who": who, "entry": entry.number, "why": why})
            )
    return blocks


def _status_text(signed: Sequence[str]) -> str:
    if signed:
        return _("Entry %(entry)s concerns the game master’s own nation; countersigned by %(names)s.")
    return _("Entry %(entry)s concerns the game master’s own nation; it is not countersigned.")


def _line(text: str) -> Paragraph:
    return Paragraph((Span(text, italic=True),))
