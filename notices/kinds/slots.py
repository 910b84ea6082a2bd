"""Notices of slots: that yours is open, or that you are next."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext_noop, ngettext, npgettext

from campaign.models import Campaign, Clock
from engine.effects import Phrase
from engine.language import pgettext_noop
from games.contract.title import WithTurnCourse
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind
from notices.models import Notice
from notices.present import CampaignNow, Present, Task

PURSE = "actions"
"""The account that pays for moves."""


class SlotKind(Kind):
    """A kind about the slot that has just opened."""

    group = Group.YOUR_TURN
    link = ("nation", "seat")
    warns = True

    def task(self, notice: Notice) -> Task:
        facts = notice.facts
        return Task(Clock.Kind.SLOT, facts.get("other", facts["seat"]))

    def is_overtaken(self, notice: Notice, present: Present) -> bool:
        """Return whether another slot is open by now.

        A notice to the seat that is next has the open slot in `other`.
        """
        facts, now = notice.facts, notice.campaign
        slot = (facts["turn"], facts.get("other", facts["seat"]))
        return (now.turn, now.active_seat) != slot


class SlotOpened(SlotKind):
    """The notice that your slot is open."""

    key = "slot-open"
    name = gettext_noop("It is your turn")
    title = gettext_noop("It is your turn, {seat}")
    body = gettext_noop("Turn {turn}. {actions}")
    news = gettext_noop("Turn {turn}.")
    is_urgent = True
    is_request = True

    button = pgettext_noop("button in a letter", "Play your turn")
    TITLE = gettext_noop("Your turn is open, {seat}")
    TITLE_UNTIL = gettext_noop("Your turn is open, {seat}: play by {due}")
    TITLE_ACTIONS = gettext_noop("Your turn is open, {seat}: {actions_left}")
    TITLE_ACTIONS_UNTIL = gettext_noop("Your turn is open, {seat}: {actions_left} until {due}")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if not event.opens_slot:
            return
        game, seat = event.campaign.game, event.current.active_seat
        actions = game.rows(event.position_after).accounts.get((seat, PURSE))
        facts: dict[str, Any] = {"seat": seat, "turn": event.current.turn, "actions": actions}
        if actions is None:
            waiting = game.waiting(event.position_after)
            task = next((wait.what for wait in waiting if wait.seat == seat), None)
            facts |= {"asked": [task.id, dict(task.facts)]} if task is not None else {}
        yield Recipient(seat, facts=facts)

    def body_of(self, content: Content) -> str:
        return "{asked}" if "asked" in content.facts else self.body

    def letter_title(self, content: Content, campaign: CampaignNow, *, has_deadline: bool) -> str:
        if content.facts.get("actions") is None:
            return self.TITLE_UNTIL if has_deadline else self.TITLE
        return self.TITLE_ACTIONS_UNTIL if has_deadline else self.TITLE_ACTIONS

    def news_of(self, content: Content) -> str:
        return self.body_of(content) if "asked" in content.facts else self.news

    def letter_words(self, content: Content, campaign: CampaignNow) -> Mapping[str, Any]:
        amount = campaign.accounts.get((content.facts["seat"], PURSE))
        return {"actions_left": actions_left(content.campaign, amount)}

    def words(self, content: Content) -> Mapping[str, Any]:
        values = {"actions": actions_text(content.campaign, content.facts.get("actions"))}
        if "asked" in content.facts:
            key, facts = content.facts["asked"]
            task = content.game.speak(content.scenario, Phrase(key, "", facts))
            values["asked"] = f"{task[:1].upper()}{task[1:]}."
        return values


class NextSlot(SlotKind):
    """The notice that your slot follows the slot that has opened."""

    key = "next"
    name = gettext_noop("You are next")
    title = gettext_noop("You are next, {seat}")
    body = gettext_noop("Turn {turn}. {other:The} {other:play|plays} now; you play next.")

    TITLE_UNTIL = gettext_noop("You are next, {seat}: {other:the} must play by {due}")

    def letter_title(self, content: Content, campaign: CampaignNow, *, has_deadline: bool) -> str:
        return self.TITLE_UNTIL if has_deadline else self.title

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.opens_slot and (seat := following_seat(event)):
            open_seat, turn = event.current.active_seat, event.current.turn
            yield Recipient(seat, facts={"seat": seat, "other": open_seat, "turn": turn})


def following_seat(event: LoggedEvent) -> str:
    """Return the seat whose slot follows the slot that opens.

    It is empty if that slot is the last, or if the order is not known yet.
    """
    game, now, position = event.campaign.game, event.current.active_seat, event.position_after
    if isinstance(game, WithTurnCourse):
        course = game.course(position)
        later = [part.seats for part in course if not part.open and part.seats != (now,)]
        return later[0][0] if later and len(later[0]) == 1 else ""
    if now not in event.order or "order" not in game.view(position, None):
        return ""
    holders = game.rows(position).holders
    to_come = event.order[event.order.index(now) + 1 :]
    return next((seat for seat in to_come if not holders.get(seat, {}).get("fallen")), "")


def actions_text(campaign: Campaign, amount: int | None) -> str:
    """Return "You have 1½ actions."; empty if the title has no actions."""
    purse = next((account for account in campaign.game.accounts if account.key == PURSE), None)
    if amount is None or purse is None:
        return ""
    text, number = _in_whole_actions(amount, purse.scale)
    message = ngettext("You have %(n)s action.", "You have %(n)s actions.", number)
    return message % {"n": text}


def actions_left(campaign: Campaign, amount: int | None) -> str:
    """Return "1½ actions"; empty if the title has no actions."""
    purse = next((account for account in campaign.game.accounts if account.key == PURSE), None)
    if amount is None or purse is None:
        return ""
    text, number = _in_whole_actions(amount, purse.scale)
    return npgettext("notice", "%(n)s action", "%(n)s actions", number) % {"n": text}


def _in_whole_actions(amount: int, scale: int) -> tuple[str, int]:
    """Return a number of actions as text, and the number that chooses the form of its noun."""
    whole, rest = divmod(amount, scale)
    text = (str(whole) if whole or not rest else "") + ("½" if rest else "")
    return text, 1 if 0 < amount <= scale else 2  # half an action is singular, too


KINDS = (SlotOpened(), NextSlot())
