"""A substitute for one battle (RULES 11): named by the seat's holder or the game master, ended by them or by himself.

He fights the battle for that side: set-up, lobby, evidence, claim and what answers a claim. The seat's moves, its word on
how the battle is fought, and all that is hidden stay the holder's. His place ends with the battle.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from battles import selectors
from battles.services import At
from campaign import access
from campaign.errors import Refused
from campaign.models import Campaign, Membership
from campaign.services import substitutes as rows


@transaction.atomic
def name(campaign: Campaign, user: Any, number: int, seat: str, whom: Any, *, now: datetime | None = None) -> Membership:
    """From now on `whom` fights this battle for the seat. One a side; he may be anybody who does not fight it already.

    None is whom nobody is called: refused to those who may name somebody, and to nobody else.
    """
    here = At(campaign, user, number, now)
    if not here.who.speaks_for(seat):
        here.refuse(_("Only who holds the seat, and the game master, names a substitute for it."))
    if not seat or seat not in here.battle.parties:
        raise Refused("no-side", _("This seat does not play this battle."))
    access.must_have_account(user)
    here.must_run()
    if whom is None:
        raise Refused("no-such-person", _("Nobody has this name here. Type it whole, as it stands in the person’s own account."))
    named = selectors.substitutes(here.battle)
    if seat in named:
        raise Refused(
            "named", _("%(name)s stands in for this side already. End that first.") % {"name": named[seat].user.username}
        )
    seated = here.table.memberships.filter(user=whom, role=Membership.Role.SEAT, seat__in=here.battle.parties, until=None)
    if seated.exists() or whom.pk in {one.user_id for one in named.values()}:
        raise Refused("plays-it", _("%(name)s plays this battle already. Name somebody else.") % {"name": whom.username})
    return rows.put(here.table, user, whom, seat, here.battle.entry, here.battle.number, here.at)


@transaction.atomic
def end(campaign: Campaign, user: Any, number: int, seat: str, *, now: datetime | None = None) -> None:
    """The seat's holder plays it himself again, the game master ends it, or the substitute steps back."""
    here = At(campaign, user, number, now)
    if not here.who.speaks_for(seat) and seat not in selectors.sides(here.battle, here.who):
        here.refuse(_("Only who holds the seat, the game master and the substitute himself may end this."))
    here.must_run()
    held = selectors.substitutes(here.battle).get(seat)
    if held is None:
        raise Refused("nobody", _("Nobody stands in for this side."))
    rows.end(here.table, user, held, here.at)
