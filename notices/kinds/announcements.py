"""Notices of announcements to the table: rulings, proclamations, the rule about messages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop

from campaign.log.acts.rulings import RULING
from campaign.log.acts.words import PRESS, SIGHT, SIGHTS
from campaign.models import GAME_MASTER
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind


class RulingMade(Kind):
    """The notice of a ruling of the game master."""

    key = "ruling"
    name = gettext_noop("The game master makes a ruling")
    group = Group.TABLE
    title = gettext_noop("Ruling {ruling}")
    title_with_rule = gettext_noop("Ruling {ruling} on §{rule}")
    body = "{reading}"
    link = ("rulings",)
    is_public = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(RULING):
            content = event.content
            yield from event.to_seats({"ruling": content["ruling"], "rule": content["rule"]})

    def title_of(self, content: Content) -> str:
        return self.title_with_rule if content.facts.get("rule") else self.title

    def words(self, content: Content) -> Mapping[str, Any]:
        return {"reading": content.notice.entry.content.get("text", "")}


class ProclamationMade(Kind):
    """The notice that a seat has published a proclamation."""

    key = "press"
    name = gettext_noop("A seat publishes a proclamation")
    group = Group.TABLE
    title = gettext_noop("{seat}: a proclamation")
    body = "{headline}"
    link = ("press",)
    is_public = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(PRESS):
            author = event.entry.seat
            facts = {"seat": author, "headline": event.content["headline"]}
            for seat in (*event.seats, GAME_MASTER):
                if seat != author:
                    yield Recipient(seat, facts=facts)


class SightChanged(Kind):
    """The notice that the rule about who reads messages between seats has changed."""

    key = "sight"
    name = gettext_noop("The rule for messages changes")
    group = Group.TABLE
    title = gettext_noop("The rule for messages changes")
    body = "{sight}."
    link = ("talk",)
    is_urgent = True
    is_news = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(SIGHT):
            yield from event.to_everyone({"sight": event.content["how"]})

    def words(self, content: Content) -> Mapping[str, Any]:
        return {"sight": str(SIGHTS[content.facts["sight"]])}


KINDS = (RulingMade(), ProclamationMade(), SightChanged())
