"""Notices of turns: that your nation falls, or that a turn opens or closes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from campaign.models import Clock
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind
from notices.models import Notice
from notices.present import Task


class NationFell(Kind):
    """The notice that your nation has fallen by a move."""

    key = "fell"
    name = gettext_noop("Your nation falls")
    group = Group.ABOUT_YOU
    title = gettext_noop("{seat:The} {seat:have|has} fallen")
    body = gettext_noop(
        "Turn {turn}: {fall}. You have no more turns and draw no more cards, and your income "
        "gives you no more actions."
    )
    link = ("nation", "seat")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.position_before is None or not event.entry.is_move:
            return
        rows = event.campaign.game.rows
        before, after = rows(event.position_before).holders, rows(event.position_after).holders
        for seat in event.seats:
            if after.get(seat, {}).get("fallen") and not before.get(seat, {}).get("fallen"):
                yield Recipient(seat, facts={"seat": seat, "turn": event.current.turn})

    def words(self, content: Content) -> Mapping[str, Any]:
        """Return the reason why the nation fell: "the Huns crumble"."""
        fallen = ("seat", content.notice.seat, "fallen")
        causes = [
            effect.cause
            for effect in content.notice.entry.all_effects
            if (effect.kind, effect.holder, effect.subject) == fallen
        ]
        return {"fall": content.game.speak(content.scenario, causes[0]) if causes else ""}


class TurnOpened(Kind):
    """The notice that a turn has opened."""

    key = "turn-opened"
    name = gettext_noop("A turn opens")
    group = Group.TABLE
    title = gettext_noop("Turn {turn} opens")
    body = gettext_noop("The table shows the order of play.")
    link = ("table",)
    is_public = True
    is_usual_in_campaign_channels = True
    warns = True

    def task(self, notice: Notice) -> Task | None:
        """Return the turn if it is still open."""
        return Task(Clock.Kind.TURN) if notice.campaign.turn == notice.facts["turn"] else None

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.opens_turn:
            yield from event.to_seats({"turn": event.current.turn})


class TurnClosed(Kind):
    """The notice that a turn has closed."""

    key = "turn-closed"
    name = gettext_noop("A turn closes")
    group = Group.TABLE
    title = gettext_noop("Turn {turn} has closed")
    body = gettext_noop("Its report is ready.")
    link = ("reports",)
    is_public = True
    is_usual_in_campaign_channels = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.closes_turn:
            yield from event.to_everyone({"turn": event.current.turn})


KINDS = (NationFell(), TurnOpened(), TurnClosed())
