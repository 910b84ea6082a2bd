"""Notices of the life of a campaign: that it is over, paused, resumed, abandoned and so on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign.log.acts.life import HOST, LIFE
from notices.events import LoggedEvent, Recipient
from notices.kinds.kind import Content, Group, Kind


class CampaignFinished(Kind):
    """The notice that the campaign is over."""

    key = "finished"
    name = gettext_noop("The campaign is over")
    group = Group.TABLE
    title = gettext_noop("The campaign is over")
    body = gettext_noop("The table shows the final standings.")
    link = ("table",)
    is_public = True
    is_usual_in_campaign_channels = True

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        previous = event.previous
        if previous is not None and event.current.finished and not previous.finished:
            yield from event.to_everyone({})


class CampaignLife(Kind):
    """The notice that the game master or the host has paused, resumed or abandoned the campaign.

    There are other changes of this kind; `TITLES` lists all.
    """

    key = "life"
    name = gettext_noop("The campaign is paused, resumed or ended")
    group = Group.TABLE
    title = "{life}"
    body = "{reason}"
    link = ("table",)
    is_public = True
    is_usual_in_campaign_channels = True
    outlasts_suspension = True

    TITLES = {
        "paused": gettext_noop("The campaign is paused"),
        "resumed": gettext_noop("The campaign goes on"),
        "abandoned": gettext_noop("The campaign is abandoned"),
        "revived": gettext_noop("The campaign is resumed"),
        "archived": gettext_noop("The campaign goes into the archive"),
        "unarchived": gettext_noop("The campaign comes out of the archive"),
        "suspended": gettext_noop("The host suspends the campaign"),
        "unsuspended": gettext_noop("The campaign goes on after its suspension"),
    }

    def recipients(self, event: LoggedEvent) -> Iterator[Recipient]:
        if event.act in (LIFE.name, HOST.name) and event.content["how"] in self.TITLES:
            how, reason = event.content["how"], event.content.get("reason", "")
            yield from event.to_everyone({"how": how, "reason": reason})

    def words(self, content: Content) -> Mapping[str, Any]:
        title = self.TITLES[content.facts["how"]]
        return {"life": _(title)}


KINDS = (CampaignFinished(), CampaignLife())
