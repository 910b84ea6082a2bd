"""Notices of turns: your nation falls, a turn opens, a turn closes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind


class NationFell(Kind):
    """Your nation falls by a move."""

    key = "fell"
    name = gettext_noop("Your nation falls")
    group = Group.ABOUT_YOU
    title = gettext_noop("{seat:The} {seat:have|has} fallen")
    body = gettext_noop(
        "Turn {turn}: {fall}. You take no more slots and draw no more cards; your income gives no"
        " more actions."
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
        """Return why the nation fell: "the Huns crumble"."""
        fallen = ("seat", content.notice.seat, "fallen")
        causes = [
            effect.cause
            for effect in content.notice.entry.all_effects
            if (effect.kind, effect.holder, effect.subject) == fallen
        ]
        return {"fall": content.game.speak(content.scenario, causes[0]) if causes else ""}


class TurnOpened(Kind):
    """A turn opens."""

    key = "turn-opened"
    name = gettext_noop("A turn opens")
    group = Group.TABLE
    title = gettext_noop("Turn {turn} opens")
    body = gettext_noop("The order of play is on the table.")
    link = ("table",)
    is_public = True
    is_usual_in_campaign_channels = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.opens_turn:
            yield from event.to_seats({"turn": event.current.turn})


class TurnClosed(Kind):
    """A turn closes."""

    key = "turn-closed"
    name = gettext_noop("A turn closes")
    group = Group.TABLE
    title = gettext_noop("Turn {turn} is closed")
    body = gettext_noop("Its report is ready.")
    link = ("reports",)
    is_public = True
    is_usual_in_campaign_channels = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.closes_turn:
            yield from event.to_everyone({"turn": event.current.turn})


KINDS = (NationFell(), TurnOpened(), TurnClosed())
