"""Notices of seats that are taken, given, left and offered, and of programs at seats."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.log.acts.programs import PROGRAM, level_word
from campaign.log.acts.seats import LOBBY, MASTER, SEAT
from engine.language import sentence
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind

ARRIVALS = ("taken", "given", "drawn", "seated")
"""The ways to get a seat: by a link, from its holder, by the draw, from the reserve."""


class SeatOffered(Kind):
    """The notice that the holder of a seat offers it to you."""

    key = "seat-offered"
    name = gettext_noop("A seat is offered to you")
    group = Group.YOUR_TURN
    title = gettext_noop("{user} offers you the seat of {seat:the}")
    body = gettext_noop("Accept or decline it on the About page. Nothing changes until then.")
    link = ("about",)
    is_urgent = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(SEAT, "offered"):
            facts = {"seat": event.content["seat"], "user": event.entry.actor_id}
            yield Recipient(user=event.content["user"], facts=facts)


class CampaignOffered(Kind):
    """The notice that the game master offers you the campaign."""

    key = "offered"
    name = gettext_noop("The campaign is offered to you")
    group = Group.YOUR_TURN
    title = gettext_noop("{user} offers you the campaign")
    body = gettext_noop("Accept or decline it on the About page. Nothing changes until then.")
    link = ("about",)
    is_urgent = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(MASTER, "offered"):
            yield Recipient(user=event.content["user"], facts={"user": event.entry.actor_id})


class SeatTaken(Kind):
    """The notice that a seat has a new holder."""

    key = "seat-taken"
    name = gettext_noop("A seat is taken")
    group = Group.GAME_MASTERS
    title = gettext_noop("{seat}: the seat has been taken")
    body = gettext_noop("{user} has taken it.")
    link = ("seats",)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(SEAT, *ARRIVALS):
            content = event.content
            yield from event.to_game_masters({"seat": content["seat"], "user": content["user"]})


class SeatLeft(Kind):
    """The notice that the holder of a seat has left it."""

    key = "seat-left"
    name = gettext_noop("A seat is free again")
    group = Group.GAME_MASTERS
    title = gettext_noop("{seat}: the seat is free again")
    body = gettext_noop("{user} held it before.")
    link = ("seats",)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(SEAT, "left"):
            content = event.content
            yield from event.to_game_masters({"seat": content["seat"], "user": content["user"]})


class ApplicationReceived(Kind):
    """The notice that someone applies for a seat."""

    key = "applied"
    name = gettext_noop("Someone applies for a seat")
    group = Group.GAME_MASTERS
    title = gettext_noop("{user} applies for a seat")
    body = gettext_noop("The seats are drawn when you close the lobby.")
    link = ("table",)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(LOBBY, "applied"):
            yield from event.to_game_masters({"user": event.entry.actor_id})


class SeatGiven(Kind):
    """The notice that a seat is yours."""

    key = "seat-given"
    name = gettext_noop("A seat is yours")
    group = Group.ABOUT_YOU
    title = gettext_noop("{seat}: the seat is now yours")
    body = gettext_noop("{came} You now have a place at the table.")
    link = ("handover", "seat")

    REASONS = {
        "drawn": gettext_noop("The draw has given it to you."),
        "seated": gettext_noop("The game master has given it to you from the reserve."),
    }
    """The reasons why a user holds a seat without having taken it themselves."""

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(SEAT, *ARRIVALS):
            facts = {"seat": event.content["seat"], "how": event.content["how"]}
            yield Recipient(user=event.content["user"], facts=facts)

    def words(self, content: Content) -> Mapping[str, Any]:
        reason = self.REASONS.get(content.facts.get("how", ""))
        return {"came": _(reason) if reason else ""}


class SeatFreed(Kind):
    """The notice that you no longer hold a seat."""

    key = "seat-freed"
    name = gettext_noop("Your seat is taken from you")
    group = Group.ABOUT_YOU
    title = gettext_noop("{seat}: you no longer hold the seat")
    body = gettext_noop("If you did not expect this, ask the game master.")
    link = ("table",)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if not event.is_act(SEAT):
            return
        is_left = event.content.get("how") == "left"
        user = event.content["user"] if is_left else event.content.get("from")
        if user is not None:
            yield Recipient(user=user, facts={"seat": event.content["seat"]})


class ProgramAtSeat(Kind):
    """The notice that a program holds a seat from now on, or leaves it."""

    key = "program"
    name = gettext_noop("A program takes or leaves a seat")
    group = Group.TABLE
    title = "{program}"
    body = "{reason}"
    link = ("nation", "seat")

    TITLES = {
        "takes": gettext_noop("{seat}: a program ({level}) has taken the seat"),
        "changes": gettext_noop("{seat}: the program now plays as {level}"),
        "leaves": gettext_noop("{seat}: the program has left the seat"),
    }

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(PROGRAM):
            content = event.content
            facts = {"seat": event.entry.seat, "how": content["how"], "level": content["level"]}
            yield from event.to_everyone({**facts, "reason": content.get("reason", "")})

    def words(self, content: Content) -> Mapping[str, Any]:
        title, level = self.TITLES[content.facts["how"]], level_word(content.facts["level"])
        return {"program": sentence(_(title), **{**content.values, "level": level}).strip()}


KINDS = (
    SeatOffered(),
    CampaignOffered(),
    SeatTaken(),
    SeatLeft(),
    ApplicationReceived(),
    SeatGiven(),
    SeatFreed(),
    ProgramAtSeat(),
)
