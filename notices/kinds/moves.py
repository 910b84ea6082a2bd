"""Notices of moves that concern you: a lost card, a correction, an undo, a restoration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext_noop

from campaign.log.acts.undo import RESTORE, UNDO
from campaign.models import GAME_MASTER
from engine.effects import Effect
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import EntryKind, Group, Kind
from notices.models import Notice


class CardLost(Kind):
    """The notice that another seat has taken a card of yours, by theft or in trade.

    A card that only returns to its own hand is not lost.
    """

    key = "card-lost"
    name = gettext_noop("A card leaves your hand")
    group = Group.ABOUT_YOU
    title = gettext_noop("{seat:The} {seat:have|has} lost a card")
    body = "{other}: {line}"
    link = ("nation", "seat")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        mover = event.entry.seat
        if not event.entry.is_move or mover not in event.seats:
            return
        cards = [effect for effect in event.effects if effect.kind == "card"]
        own_causes = {effect.cause.id for effect in cards if effect.holder == mover}
        for seat in event.seats:
            known = [
                effect
                for effect in cards
                if effect.holder == seat != mover and event.is_seen(effect, seat)
            ]
            if loses_card(known, own_causes):
                yield Recipient(seat, facts={"seat": seat, "other": mover})


def loses_card(effects: list[Effect], causes: set[str]) -> bool:
    """Return whether a holder loses a card by these effects on their cards.

    A card is lost if its number decreases in total, or if one of these causes takes it.
    """
    lost = Counter[str]()
    for effect in effects:
        lost[effect.subject] -= effect.change
    return any(
        effect.change < 0 and (lost[effect.subject] > 0 or effect.cause.id in causes)
        for effect in effects
    )


class CorrectionMade(EntryKind):
    """The notice that the game master has changed something of yours by their own move.

    Such a move has a reason.
    """

    key = "correction"
    name = gettext_noop("A correction concerns you")
    group = Group.ABOUT_YOU
    title = gettext_noop("A correction concerns you")
    body = "{line}"

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        entry = event.entry
        if entry.is_move and entry.seat == GAME_MASTER and "reason" in event.content:
            for seat in event.seats:
                effects = [effect for effect in event.effects if effect.holder == seat]
                if any(event.is_seen(effect, seat) for effect in effects):
                    yield Recipient(seat)


class MovesUndone(EntryKind):
    """The notice that the game master has undone moves that concern you."""

    key = "undone"
    name = gettext_noop("An undo concerns you")
    group = Group.ABOUT_YOU
    title = gettext_noop("The moves after entry {after} have been undone")
    body = "{reason}"

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(UNDO) and not event.content.get("own"):
            facts = {"after": event.content["after"], "reason": event.content["reason"]}
            for seat in event.seats_concerned():
                yield Recipient(seat, facts=facts)


class OwnMovesTakenBack(EntryKind):
    """The notice that a seat has taken back a move about which you have received a notice."""

    key = "taken-back"
    name = gettext_noop("A move in one of your notices is taken back")
    group = Group.ABOUT_YOU
    title = gettext_noop("A move in one of your notices is taken back")
    body = gettext_noop("{seat}: an earlier notice about this move no longer applies.")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        entry = event.entry
        if event.is_act(UNDO) and event.content.get("own") and entry.number is not None:
            notices = Notice.objects.filter(entry__in=event.struck)
            seats = set(notices.values_list("seat", flat=True)) - {"", entry.seat}
            for seat in sorted(seats):
                yield Recipient(seat, facts={"seat": entry.seat})


class MovesRestored(EntryKind):
    """The notice that the game master has restored moves that concern you."""

    key = "restored"
    name = gettext_noop("A restoration concerns you")
    group = Group.ABOUT_YOU
    title = gettext_noop("The moves that entry {undo} undid have been restored")
    body = "{reason}"

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(RESTORE):
            facts = {"undo": event.content["undo"], "reason": event.content["reason"]}
            for seat in event.seats_concerned():
                yield Recipient(seat, facts=facts)


KINDS = (CardLost(), CorrectionMade(), MovesUndone(), OwnMovesTakenBack(), MovesRestored())
