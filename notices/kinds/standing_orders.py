"""Notices of standing orders, for the holder who gave them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from django.utils.translation import gettext_noop

from campaign.log.acts.programs import STANDING
from campaign.models import StandingOrderResult
from campaign.seats import selectors
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind
from notices.writing import notify


class OrderActed(Kind):
    """The notice that your standing order has acted."""

    key = "order-spoke"
    name = gettext_noop("Your standing order acts")
    group = Group.ABOUT_YOU
    title = gettext_noop("Your standing order for {seat:the} has acted")
    body = gettext_noop("The log shows what the order did. The game master can undo it.")
    link = ("standing", "seat")

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(STANDING):
            seat = event.entry.seat
            facts = {"seat": seat, "contest": event.content.get("battle")}
            yield Recipient(seat, facts=facts)


class OrderSkipped(Kind):
    """The notice that the rules forbade your standing order. It is not sent by an entry."""

    key = "order-skipped"
    name = gettext_noop("Your standing order was skipped")
    group = Group.ABOUT_YOU
    title = gettext_noop("A standing order for {seat:the} was skipped")
    body = "{order}: {why} §{rule}"
    link = ("standing", "seat")
    is_urgent = True
    asked = gettext_noop("Change the order, or make the move yourself.")

    def words(self, content: Content) -> Mapping[str, Any]:
        refusal = selectors.refusal_of(content.facts["refusal"])
        return {
            "order": selectors.order_sentence(content.campaign, content.facts["order"]),
            "why": content.game.refusal(content.scenario, refusal),
            "rule": refusal.rule,
        }


def notify_refused_order(note: StandingOrderResult, at: datetime) -> None:
    """Notify the holder of a standing order that the rules forbade it, once for each question."""
    orders = note.orders
    facts = {
        "seat": orders.seat,
        "contest": note.contest,
        "refusal": note.refusal,
        "order": note.content,
    }
    about = f"{note.question[:40]}/{orders.version}/{note.place}"
    notify(OrderSkipped.key, note.entry, {orders.user_id: orders.seat}, facts, at, about)


KINDS = (OrderActed(), OrderSkipped())
