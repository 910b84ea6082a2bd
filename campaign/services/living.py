"""A campaign's life: paused, resumed, abandoned, put into the archive, copied, begun again."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import access, drawings, keys
from campaign.errors import NotNow, Refused
from campaign.life import LIFE, TURNS
from campaign.models import Campaign
from campaign.services import acts, log
from campaign.services.founding import LONGEST_NAME, found
from campaign.services.seating import solo
from engine.errors import MalformedRecord
from engine.strict_json import clean_text, read

COPY = gettext_lazy(" (copy)")
WITH_REASON = ("abandoned",)


def possible(campaign: Campaign) -> list[str]:
    """What a game master may do now with the campaign's life, by the acts' names."""
    if campaign.suspended:
        return []
    if campaign.archived:
        return ["unarchived"]
    if campaign.abandoned:
        return ["revived", "archived"]
    if campaign.ended or not campaign.started:
        made = [] if campaign.ended else ["abandoned"]
        return made if campaign.lobby_open else [*made, "archived"]
    return ["resumed" if campaign.paused else "paused", "abandoned"]


@transaction.atomic
def live(campaign: Campaign, user: Any, how: str, reason: str = "", *, now: datetime | None = None) -> Campaign:
    """One act of a campaign's life: paused, resumed, abandoned, revived, archived or unarchived. Each can be taken back.

    Raises `NotNow` where the campaign stands so already or it makes no sense now.
    """
    table, at = log.lock(campaign), log.moment(now)
    access.must_be_host(table, user)
    if (LIFE, how) not in TURNS:
        raise Refused("unknown-act", _("A campaign cannot do this."))
    if how not in possible(table):
        raise NotNow("not-now", _("This cannot be done now: the campaign is not in the state for it."))
    log.must_be_seen(reason, _("Reason"))
    if how in WITH_REASON:
        reason = log.a_reason(reason)
    elif reason and not clean_text(reason, 1000):
        raise Refused("bad-reason", _("A reason has up to 1,000 characters, all of which can be shown."))
    acts.append(table, user, {"act": LIFE, "how": how, **({"reason": reason.strip()} if reason.strip() else {})}, now=at)
    return table


@transaction.atomic
def copy(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Campaign:
    """A new campaign with the same title, scenario and options, new dice, nobody seated; the user is its game master."""
    access.must_be_host(campaign, user)
    name = campaign.name[: LONGEST_NAME - len(str(COPY))].rstrip() + str(COPY)
    terms = read(campaign.scenario), read(campaign.options)
    try:
        drawn = drawings.text_of(campaign)
        return found(user, campaign.title, name, *terms, campaign.time_zone, campaign.visibility, drawing=drawn, now=now)
    except MalformedRecord as wrong:  # founded before the table asked for more
        raise Refused("bad-scenario", _("Its scenario cannot be founded any more: %(why)s.") % {"why": wrong}) from None


@transaction.atomic
def again(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Campaign:
    """Where one plays alone and it is over: the same beginning with the same dice, for other choices. Raises `Refused` where
    others play, before the end, and where dice were thrown elsewhere."""
    access.must_be_host(campaign, user)
    if not repeatable(campaign):
        raise Refused("not-again", _("Only what one has played alone, to its end and with its own dice, begins again so."))
    terms, seed = (read(campaign.scenario), read(campaign.options)), keys.unseal(campaign.seed_sealed)
    return found(user, campaign.title, campaign.name, *terms, campaign.time_zone, seed=seed, again=True, now=now)


def repeatable(campaign: Campaign) -> bool:
    """May it be played `again`?"""
    return solo(campaign) and campaign.ended and campaign.given == "{}" and campaign.drawing_id is None
