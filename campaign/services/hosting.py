"""What the host does at a table, by a command: in its log, with no actor, for everybody to read."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import selectors, unseen
from campaign.errors import NotNow, Refused
from campaign.life import HOST, TURNS
from campaign.models import Campaign, Membership
from campaign.services import acts, log, taking_over
from campaign.services.seating import must_have_company
from people import presence
from people.models import User


@transaction.atomic
def set_state(campaign: Campaign, how: str, reason: str = "", *, now: datetime | None = None) -> Campaign:
    """Suspend (`suspended`: nobody reads or moves it), take that back, hide it from the lists (`hidden`), or take that back.

    Raises `NotNow` where it stands so already. Whether the host is asking, the command has asked: no page leads here.
    """
    table, at = log.lock(campaign), log.moment(now)
    flag, value = TURNS[HOST, how]
    if getattr(table, flag) == value:
        raise NotNow("not-now", _("This cannot be done now: the campaign is not in the state for it."))
    acts.append(table, None, {"act": HOST, "how": how, **_why(reason)}, now=at)
    return table


def _why(reason: str) -> dict[str, str]:
    return {"reason": log.a_reason(reason)} if reason.strip() else {}


@transaction.atomic
def name_master(
    campaign: Campaign, to: User, *, force: bool = False, reason: str = "", now: datetime | None = None
) -> Membership:
    """The host makes somebody game master in the place of who has not been seen for 14 days, when a majority of seats asks.

    `force` asks neither and wants a reason. Raises `NotNow` and `Refused` with what is missing, in words.
    """
    table, at = log.lock(campaign), log.moment(now)
    must_have_company(table)
    places = selectors.held(table)
    if not to.is_active or to.guest:
        raise Refused("no-account", _(taking_over.NO_ACCOUNT) % {"name": to.username})
    if any(one.user_id == to.pk and one.role == Membership.Role.GAME_MASTER for one in places):
        raise Refused("yours", _("%(name)s is the game master here.") % {"name": to.username})
    said: dict[str, Any] = {"how": "placed"}
    if force:
        said["reason"] = log.a_reason(reason)
    else:
        found = unseen.look(table, places, at)
        if found is None:
            raise NotNow("seen", _(taking_over.SEEN) % {"days": presence.AWAY})
        if not found.enough:
            facts = {"asked": len(found.asked), "seats": len(found.seats), "needed": found.needed}
            raise NotNow("too-few", _("%(asked)s of %(seats)s seats ask for a new game master; it takes %(needed)s.") % facts)
        said |= {"days": found.days, "asked": sorted(found.asked), **_why(reason)}
    return taking_over.replace(table, None, to, at, said)
