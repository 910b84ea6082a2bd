"""Notices of absences, and of battles that one side plays solo because of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.log.acts.battles import SOLO
from campaign.log.acts.programs import ABSENCE, day
from campaign.models import Clock, Membership
from engine.language import sentence
from games import registry
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind
from notices.models import Notice
from notices.present import CampaignNow, Task


class AbsenceKind(Kind):
    """A kind about an absence that a user announces, changes or cancels."""

    title = "{away}"

    TITLES = {
        "announced": gettext_noop("{user} is away from {first} to {last}"),
        "changed": gettext_noop("{user} has changed an absence: away from {first} to {last}"),
        "taken-back": gettext_noop("{user} is not away from {first} to {last} after all"),
    }

    def words(self, content: Content) -> Mapping[str, Any]:
        facts = content.facts
        values = {
            **content.values,
            "first": day(facts["first"]),
            "last": day(facts["last"]),
        }
        title = self.TITLES[facts["how"]]
        return {"away": sentence(_(title), **values).strip()}


class AbsenceAnnounced(AbsenceKind):
    """The notice that a member is away."""

    key = "absence"
    name = gettext_noop("Someone is away")
    group = Group.GAME_MASTERS
    body = gettext_noop("The desk shows what is due in that time and what you can do about it.")
    body_without_desk = gettext_noop("The Clocks page shows what is expected of them in that time.")
    link = ("seats",)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(ABSENCE):
            yield from event.to_game_masters(absence_facts(event))

    def body_of(self, content: Content) -> str:
        has_board = registry.has_board(content.campaign.title)
        return self.body_without_desk if has_board else self.body


class OpponentAbsent(AbsenceKind):
    """The notice that your opponent in an open battle is away, once for each battle."""

    key = "opponent-absent"
    name = gettext_noop("Your opponent is away")
    group = Group.BATTLES
    body = gettext_noop("You play battle #{contest} against each other.")
    link = ("battle", "contest")

    def task(self, notice: Notice) -> Task:
        return Task(Clock.Kind.BATTLE, notice.seat, notice.facts["contest"])

    def letter_title(self, content: Content, campaign: CampaignNow, *, has_deadline: bool) -> str:
        return "{title}"

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if not event.is_act(ABSENCE):
            return
        role, user = Membership.Role.SEAT, event.content["user"]
        held = Membership.objects.filter(campaign=event.campaign, user=user, role=role, until=None)
        absent = set(held.values_list("seat", flat=True))
        contests = event.campaign.game.rows(event.position_after).contests
        for number, contest in contests.items():
            sides = both_sides(contest)
            if contest["status"] == "resolved" or not absent & set(sides):
                continue
            facts = {**absence_facts(event), "contest": number}
            for seat in sides:
                if seat not in absent:
                    yield Recipient(seat, about=str(number), facts=facts)


class BattlePlayedSolo(Kind):
    """The notice that one side plays a battle solo, or that both sides play it again.

    A side plays solo because the other is away or is a program.
    """

    key = "solo"
    name = gettext_noop("Your battle is played solo")
    group = Group.BATTLES
    title = gettext_noop("Battle #{contest} is now played differently")
    body = "{solo}"
    link = ("battle", "contest")

    def task(self, notice: Notice) -> Task:
        return Task(Clock.Kind.BATTLE, notice.seat, notice.facts["contest"])

    BODIES = {
        "agreed": gettext_noop(
            "{seat:The} {seat:are|is} away: their opponent plays the battle solo, on empire "
            "difficulty."
        ),
        "ended": gettext_noop("Both players play the battle again."),
        "agreed-program": gettext_noop(
            "A program plays {seat:the}: the opponent plays the battle solo, on empire difficulty."
        ),
        "ended-program": gettext_noop(
            "No program plays {seat:the} any more: the battle is no longer played solo."
        ),
    }

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if not event.is_act(SOLO):
            return
        content, number = event.content, event.content["battle"]
        how = f"{content['how']}-program" if "level" in content else content["how"]
        facts = {"contest": number, "seat": event.entry.seat, "how": how}
        contests = event.campaign.game.rows(event.position_after).contests
        for seat in both_sides(contests.get(number, {})):
            yield Recipient(seat, about=str(number), facts=facts)

    def words(self, content: Content) -> Mapping[str, Any]:
        body = self.BODIES[content.facts["how"]]
        return {"solo": sentence(_(body), **content.values).strip()}


def absence_facts(event: LoggedEvent) -> dict[str, Any]:
    """Return the facts of an act about an absence."""
    return {key: event.content[key] for key in ("how", "user", "first", "last")}


def both_sides(contest: Mapping[str, Any]) -> list[str]:
    """Return the seats that fight a contest: the attacker, and the defender or its leader."""
    sides = (contest.get("attacker"), contest.get("defender") or contest.get("leader"))
    return [side for side in sides if side]


KINDS = (AbsenceAnnounced(), OpponentAbsent(), BattlePlayedSolo())
