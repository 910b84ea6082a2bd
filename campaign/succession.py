"""Who may take a place over: asked before it is offered to him, so that nobody is offered what he cannot accept."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from campaign import access
from campaign.models import Campaign, Membership
from games.registry import PAGES

SEAT, CHIEF, SUBSTITUTE = Membership.Role.SEAT, Membership.Role.GAME_MASTER, Membership.Role.SUBSTITUTE


def all_seen(campaign: Campaign, masters: Collection[int], seated: Collection[int]) -> bool:
    """Would somebody see all hands with these game masters and these players (user ids)? A game master who plays does not
    where hands are hidden (HOUSE, People). True also where nobody need see them: `alone`."""
    return not masters or not set(masters) <= set(seated) or not access.hides(campaign) or alone(campaign)


def alone(campaign: Campaign) -> bool:
    """May the only game master play where hands are hidden, so that nobody sees all of them? Where a title is played on a page
    of its own: there all that is no player's goes on by itself."""
    return campaign.title in PAGES


def to_campaign(campaign: Campaign, places: Iterable[Membership]) -> list[Any]:
    """To whom the game master may hand the campaign: who has another place here, an account, and may run it as he sits."""
    places = list(places)
    chief = {one.user_id for one in places if one.role == CHIEF}
    masters = {one.user_id for one in places if one.role in Membership.MASTERS} - chief
    seated = {one.user_id for one in places if one.role == SEAT}
    return [user for user in _others(places, chief) if all_seen(campaign, masters | {user.pk}, seated)]


def to_seat(campaign: Campaign, places: Iterable[Membership], seat: str) -> list[Any]:
    """To whom the holder of this seat may offer it: who has a place here, an account, and would leave somebody who sees all."""
    places = list(places)
    masters = {one.user_id for one in places if one.role in Membership.MASTERS}
    seated = {one.user_id for one in places if one.role == SEAT and one.seat != seat}
    holder = {one.user_id for one in places if one.role == SEAT and one.seat == seat}
    return [user for user in _others(places, holder) if all_seen(campaign, masters, seated | {user.pk})]


def _others(places: Sequence[Membership], but: Collection[int]) -> list[Any]:
    """The people of these places, substitutes and guests aside, each once, the longest here first."""
    found = {one.user_id: one.user for one in places if one.role != SUBSTITUTE and one.user_id not in but}
    return [user for user in found.values() if user.is_active and not user.guest]
