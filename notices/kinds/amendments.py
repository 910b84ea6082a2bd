"""Notices of changes of the rules that the game master proposes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.log.acts.rulings import AMENDMENT
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind


class AmendmentProposed(Kind):
    """The notice that a change of the rules is proposed."""

    key = "amendment"
    name = gettext_noop("An amendment of the rules is proposed")
    group = Group.GAME_MASTERS
    title = gettext_noop("Amendment {amendment} of the rules has been proposed")
    body = gettext_noop("It is meant to apply from turn {turn}. {reason} Say whether you agree.")
    link = ("amendments",)
    is_urgent = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(AMENDMENT, "proposed"):
            facts = {key: event.content[key] for key in ("amendment", "turn", "reason")}
            yield from event.to_seats(facts, about=str(event.entry.number))


class AmendmentAnswered(Kind):
    """The notice that a seat has answered a proposal of yours."""

    key = "amendment-answer"
    name = gettext_noop("A seat answers your proposal")
    group = Group.GAME_MASTERS
    title = gettext_noop("{seat}: an answer to amendment {amendment}")
    body = "{agreement} {reason}"
    link = ("amendments",)

    ANSWERS = {"agreed": gettext_noop("Agreed."), "refused": gettext_noop("Not agreed.")}

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(AMENDMENT, *self.ANSWERS):
            facts = {
                "amendment": event.content["amendment"],
                "how": event.content["how"],
                "seat": event.entry.seat,
                "reason": event.content.get("reason", ""),
            }
            yield from event.to_game_masters(facts, about=str(event.entry.number))

    def words(self, content: Content) -> Mapping[str, Any]:
        answer = self.ANSWERS[content.facts["how"]]
        return {"agreement": _(answer)}


KINDS = (AmendmentProposed(), AmendmentAnswered())
