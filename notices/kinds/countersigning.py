"""Notices of countersignatures.

They go to the users who are asked for one, to the game masters when one is given, and to everyone
when someone objects.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from campaign import access, review
from campaign.log.acts.rulings import COUNTERSIGN, OBJECT, OWN_ACCOUNT
from campaign.log.acts.seats import COUNTERSIGNER
from campaign.models import Campaign, Membership
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import EntryKind, Group, Kind
from notices.models import Notice
from notices.present import Present


class OwnNationConcerned(Kind):
    """The request to countersign an entry that concerns the game master's own nation."""

    key = "own-account"
    name = gettext_noop(
        "You are asked to countersign an act that concerns the game master’s own nation"
    )
    group = Group.YOUR_TURN
    title = gettext_noop("You are asked to countersign entry {entry}")
    body = gettext_noop("It concerns the game master’s own nation. {reason}")
    link = ("entry", "entry")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        target = event.entry.target
        if not event.is_act(OWN_ACCOUNT) or target is None:
            return
        facts = {"entry": event.content["entry"], "reason": target.content.get("reason", "")}
        places = access.places(event.campaign)
        seats = event.content["seats"]
        for asked in review.seats_to_countersign(places, event.entry.actor_id, seats):
            yield Recipient(user=asked.user_id, facts=facts)

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether the entry has been undone, or someone has countersigned it."""
        target = notice.entry.target
        if target is None or target.struck_by_id is not None:
            return True
        return review.marks_under(notice.campaign, [target.pk], (COUNTERSIGN.name,)).exists()


class CountersignerNamed(Kind):
    """The notice that you are named countersigner."""

    key = "countersigner"
    name = gettext_noop("You are named as countersigner")
    group = Group.TABLE
    title = gettext_noop("You are now a countersigner")
    body = gettext_noop(
        "You will be notified of the game master’s corrections, undos and judgments. Countersign "
        "those you agree with."
    )
    link = ("about",)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(COUNTERSIGNER, "named"):
            yield Recipient(user=event.content["user"])


class CountersignatureRequested(EntryKind):
    """The notice that an entry of the game master may be countersigned.

    If the entry concerns the game master's own nation, `OwnNationConcerned` asks for that instead.
    """

    key = "to-countersign"
    name = gettext_noop("A correction, undo or judgment can be countersigned")
    group = Group.TABLE
    title = gettext_noop("Entry {entry} can be countersigned")
    body = "{reason}"

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if review.may_be_countersigned(event.entry) and not concerns_own_nation(event):
            facts = {"entry": event.entry.number, "reason": event.content.get("reason", "")}
            for user in countersigners(event.campaign).values_list("user_id", flat=True):
                yield Recipient(user=user, facts=facts)


class ObjectionMade(Kind):
    """The notice that someone objects to an act of the game master."""

    key = "objected"
    name = gettext_noop("Someone objects to an act of the game master")
    group = Group.TABLE
    title = gettext_noop("{user} objects to entry {entry}")
    body = "{reason}"
    link = ("entry", "entry")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if not event.is_act(OBJECT):
            return
        author, content = event.entry.actor_id, event.content
        facts = {"entry": content["entry"], "user": author, "reason": content["reason"]}
        yield from event.to_everyone(facts)
        others = countersigners(event.campaign).exclude(user=event.entry.actor)
        for user in others.values_list("user_id", flat=True):
            yield Recipient(user=user, facts=facts)


class EntryCountersigned(Kind):
    """The notice that an entry is countersigned."""

    key = "countersigned"
    name = gettext_noop("An entry is countersigned")
    group = Group.GAME_MASTERS
    title = gettext_noop("Entry {entry} has been countersigned")
    body = gettext_noop("{user} has looked at it and agrees.")
    link = ("entry", "entry")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(COUNTERSIGN):
            facts = {"entry": event.content["entry"], "user": event.entry.actor_id}
            yield from event.to_game_masters(facts)


def countersigners(campaign: Campaign) -> QuerySet[Membership]:
    """Return the countersigners of a campaign."""
    role = Membership.Role.COUNTERSIGNER
    return Membership.objects.filter(campaign=campaign, role=role, until=None)


def concerns_own_nation(event: LoggedEvent) -> bool:
    """Return whether an entry concerns a seat that its game master holds."""
    campaign, actor = event.campaign, event.entry.actor
    seats = review.own_seats(campaign, actor, access.access_of(campaign, actor))
    if not seats:
        return False
    before, after = event.position_before, event.position_after
    if event.entry.is_move:
        concerned = review.of_move(campaign, event.content, event.effects, seats, before, after)
    elif "battle" in event.content:
        concerned = review.of_contest(campaign, event.content["battle"], seats, after)
    else:
        concerned = review.of_struck(event.struck, seats)
    return bool(concerned)


KINDS = (
    OwnNationConcerned(),
    CountersignerNamed(),
    CountersignatureRequested(),
    ObjectionMade(),
    EntryCountersigned(),
)
