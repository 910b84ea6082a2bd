"""Which entries ask for a countersignature, who may give it, and which have one, or an objection."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import Exists, OuterRef, Q, QuerySet, Value

from campaign import hand
from campaign.access import Access
from campaign.audience import GAME_MASTER
from campaign.models import Campaign, DiceRoll, LogEntry, Membership
from engine.strict_json import read

ACTS = frozenset({"undo", "restore", "judge", "unagreed"})
OWN, SIGN, OBJECT = "own-account", "countersign", "object"
MARKS = (OWN, SIGN, OBJECT)
"""Acts under an entry: it concerns its game master's own seat; somebody has looked and agrees; somebody objects."""
_GIVEN = {"target__act": hand.ACT, "target__how": "given"}
MANY = 400
"""Of more entries than these every mark is asked for: there are few."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What stands under an entry: the last word of each who has looked at it."""

    own: tuple[str, ...] = ()
    """The seats of the game master whom it concerns himself; empty where nobody needs to be asked."""
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
    return "reason" in entry.said if entry.is_move else entry.act in ACTS


def asks(entry: LogEntry) -> bool:
    """May it be countersigned though it concerns no seat of his own, that is, does it stand still?"""
    return entry.struck_by_id is None and concerns(entry)


def under(campaign: Campaign, rows: Iterable[int | None], acts: Sequence[str] = MARKS) -> QuerySet[LogEntry]:
    """The marks under these entries, which are named by their rows."""
    found, targets = campaign.entries.filter(act__in=acts, kind=LogEntry.Kind.TABLE), list(rows)
    return found.filter(target__in=targets) if len(targets) <= MANY else found.exclude(target=None)


def marked(entries: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """The same entries, each knowing whether anything stands under it: `names` then asks for those alone."""
    marks = LogEntry.objects.filter(act__in=MARKS, target=OuterRef("pk"), kind=LogEntry.Kind.TABLE)
    return entries.annotate(marked=Exists(marks))


def own_of(campaign: Campaign, entry: LogEntry) -> tuple[str, ...]:
    """The game master's own seats that this entry was said to concern."""
    found = under(campaign, [entry.pk], (OWN,)).first()
    return () if found is None else tuple(found.said["seats"])


def names(campaign: Campaign, entries: Iterable[LogEntry], people: Iterable[int]) -> tuple[dict[int, Mark], dict[int, str]]:
    """What stands under which entry, by its row, and the names of these people; both in one query, for pages have few."""
    rows = [entry.pk for entry in entries if entry.number is not None and getattr(entry, "marked", entry.seat == GAME_MASTER)]
    called: dict[int, str] = {}
    found: dict[int, list[tuple[str, Mapping[str, Any]]]] = {}
    users = get_user_model().objects.filter(pk__in=list(people)).annotate(said=Value(""), place=Value(0))
    marks = under(campaign, rows).order_by().values_list("target_id", "actor__username", "what", "sequence")
    every = users.values_list("pk", "username", "said", "place").union(marks, all=True)
    for row, name, said, _place in every.order_by("place"):
        if said:
            found.setdefault(row, []).append((name, read(said)))
        else:
            called[row] = name
    return {row: _mark(acts) for row, acts in found.items()}, called


def of_dice(campaign: Campaign, rolls: Iterable[DiceRoll], given: Collection[str]) -> dict[int, tuple[Mark, int]]:
    """What stands, by a roll's row, under the game master's entry that threw it, or else under his act that gave the die of
    this purpose (`given`); with that entry's number. One query, none where no roll is of either."""
    shown = list(rolls)
    threw = {roll.entry_id for roll in shown if roll.entry.seat == GAME_MASTER}
    by_hand = any(roll.purpose in given for roll in shown)
    if not threw and not by_hand:
        return {}
    wanted = campaign.entries.filter(act__in=MARKS, kind=LogEntry.Kind.TABLE).exclude(target=None)
    if len(threw) <= MANY:
        wanted = wanted.filter(Q(target__in=threw) | (Q(**_GIVEN) if by_hand else Q(pk=None)))
    found: dict[int, list[tuple[str, Mapping[str, Any]]]] = {}
    numbers: dict[int, int] = {}
    dice: dict[str, int] = {}
    columns = "target_id", "target__number", "target__act", "target__how", "target__what", "actor__username", "what"
    for row, number, act, how, target, name, what in wanted.order_by("sequence").values_list(*columns):
        found.setdefault(row, []).append((name, read(what)))
        numbers[row] = number
        if (act, how) == (hand.ACT, "given"):
            dice[read(target)["purpose"]] = row
    marks = {row: (_mark(acts), numbers[row]) for row, acts in found.items()}
    by_roll = {roll.pk: marks.get(roll.entry_id) or marks.get(dice.get(roll.purpose, 0)) for roll in shown}
    return {pk: mark for pk, mark in by_roll.items() if mark is not None}


def _mark(acts: Iterable[tuple[str, Mapping[str, Any]]]) -> Mark:
    """The acts under an entry, in their order, as they stand now."""
    own: tuple[str, ...] = ()
    last: dict[str, Mapping[str, Any]] = {}
    for name, said in acts:
        if said["act"] == OWN:
            own = tuple(said["seats"])
        else:
            last[name] = said
    signed = tuple(sorted(name for name, said in last.items() if said["act"] == SIGN))
    return Mark(own, signed, tuple(sorted((name, said["reason"]) for name, said in last.items() if said["act"] == OBJECT)))


def asked(places: Iterable[Membership], by: int | None, own: Iterable[str]) -> list[Membership]:
    """Who may countersign what a game master (a user's number) did for his own seats, one place each: the countersigners and
    the co-game-masters who do not play; where there is neither, any other player of the table. Never who holds such a seat."""
    every, seats = list(places), set(own)
    players = {one.user_id for one in every if one.role == Membership.Role.SEAT}
    masters = {one.user_id for one in every if one.role in Membership.MASTERS}
    barred = {by} | {one.user_id for one in every if one.role == Membership.Role.SEAT and one.seat in seats}
    named = [
        one
        for one in every
        if (one.role == Membership.Role.COUNTERSIGNER and one.user_id not in masters)
        or (one.role in Membership.MASTERS and one.user_id not in players)
    ]
    for group in (named, [one for one in every if one.role == Membership.Role.SEAT and one.user_id not in masters]):
        found = {one.user_id: one for one in group if one.user_id not in barred}
        if found:
            return list(found.values())
    return []


def bars(entry: LogEntry, own: Sequence[str], user: int, who: Access, places: Iterable[Membership]) -> bool:
    """Is this person, by his number, kept from saying a word under an entry that concerns these own seats of its actor?"""
    if entry.actor_id == user or entry.struck_by_id is not None:
        return True
    if own:
        return user not in {one.user_id for one in asked(places, entry.actor_id, own)}
    return not (who.countersigner and not who.host and concerns(entry))
