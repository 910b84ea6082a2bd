"""The notice that a truce ends."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext_noop

from campaign.models import Clock
from games.contract.truces import WithTruces
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind
from notices.models import Notice
from notices.present import CampaignNow, Task


class TruceEnds(Kind):
    """The notice to both sides that the last turn of their truce has opened."""

    key = "truce-ends"
    name = gettext_noop("A truce of yours ends")
    group = Group.ABOUT_YOU
    title = gettext_noop("Your truce with {other:the} is ending")
    body = gettext_noop("It lasts until the end of turn {turn}.")
    link = ("nation", "seat")

    def task(self, notice: Notice) -> Task | None:
        """Return the turn if it is still open."""
        return Task(Clock.Kind.TURN) if notice.campaign.turn == notice.facts["turn"] else None

    def letter_title(self, content: Content, campaign: CampaignNow, *, has_deadline: bool) -> str:
        return "{title}"

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        game = event.campaign.game
        if not event.opens_turn or not isinstance(game, WithTruces):
            return
        turn = event.current.turn
        for truce in game.truces(event.position_after):
            if truce.until == turn:
                first, second = truce.seats
                for seat, other in ((first, second), (second, first)):
                    facts = {"seat": seat, "other": other, "turn": turn}
                    yield Recipient(seat, about=other, facts=facts)


KINDS = (TruceEnds(),)
