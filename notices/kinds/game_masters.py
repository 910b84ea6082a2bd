"""Notices of a change of the game master."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils.translation import gettext_noop

from campaign.log.acts.seats import MASTER, NEW_MASTER
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Group, Kind


class GameMasterChanged(Kind):
    """The notice that the campaign has another game master; the former one receives it too."""

    key = "taken-over"
    name = gettext_noop("The campaign has a new game master")
    group = Group.GAME_MASTERS
    title = gettext_noop("{user} is now the game master")
    body = "{reason}"
    link = ("about",)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(MASTER, "took-over", "placed"):
            content = event.content
            facts = {"user": content["user"], "reason": content.get("reason", "")}
            yield from event.to_everyone(facts)
            yield Recipient(user=content["from"], facts=facts)


class NewGameMasterAsked(Kind):
    """The notice that a seat asks for a new game master because the present one is absent.

    The present game master receives it too.
    """

    key = "master-asked"
    name = gettext_noop("A new game master is wanted")
    group = Group.GAME_MASTERS
    title = gettext_noop("{seat}: a new game master is wanted")
    body = gettext_noop(
        "The game master has not been seen for {days} days. A game master who comes back remains "
        "game master."
    )
    link = ("about",)

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.is_act(NEW_MASTER, "asked"):
            yield from event.to_everyone({"seat": event.entry.seat, "days": event.content["days"]})


KINDS = (GameMasterChanged(), NewGameMasterAsked())
