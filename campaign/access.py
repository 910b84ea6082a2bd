"""Who somebody is at this table, and what he may see of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from campaign.audience import GAME_MASTER, seen_by
from campaign.errors import NoSuchCampaign, NotAllowed
from campaign.models import Campaign, Membership


@dataclass(frozen=True, slots=True)
class Access:
    """A user at a campaign. A stranger has no voices; nobody (not signed in) neither."""

    game_master: bool = False
    seats: tuple[str, ...] = ()

    @property
    def voices(self) -> tuple[str, ...]:
        """As whom he may speak, the first by default."""
        return (GAME_MASTER, *self.seats) if self.game_master else self.seats

    @property
    def member(self) -> bool:
        return bool(self.voices)

    @property
    def viewer(self) -> str | None:
        """Through whose eyes he sees the campaign: `gm`, a seat, or None for a stranger."""
        return self.voices[0] if self.voices else None

    def sees(self, audience: tuple[str, ...] | None) -> bool:
        return seen_by(audience, self.voices)

    def speaks_for(self, seat: str) -> bool:
        """May he make this seat's moves?"""
        return self.game_master or seat in self.seats


NOBODY = Access()


def of(campaign: Campaign, user: Any) -> Access:
    """The user's place at the table now; `user` may be anonymous or None."""
    if user is None or not getattr(user, "is_authenticated", False):
        return NOBODY
    held = Membership.objects.filter(campaign=campaign, user_id=user.pk, until=None).order_by("since", "pk")
    roles = list(held.values_list("role", "seat"))
    return Access(
        any(role == Membership.Role.GAME_MASTER for role, _ in roles),
        tuple(seat for role, seat in roles if role == Membership.Role.SEAT),
    )


def may_see(campaign: Campaign, user: Any) -> bool:
    """May he see the campaign at all? Who has the address of one that is not for members only may."""
    return campaign.visibility != Campaign.Visibility.MEMBERS or of(campaign, user).member


def viewer_seat(campaign: Campaign, user: Any) -> str | None:
    """`gm`, a seat's key, or None for a stranger."""
    return of(campaign, user).viewer


def find(public_id: str, user: Any) -> Campaign:
    """The campaign of an address, or `NoSuchCampaign`, also where this user may not see it."""
    campaign = Campaign.objects.filter(public_id=public_id).first()
    if campaign is None or not may_see(campaign, user):
        raise NoSuchCampaign
    return campaign


def must_be_game_master(campaign: Campaign, user: Any) -> Access:
    """Raises `NotAllowed` (or `NoSuchCampaign`) for everybody else."""
    who = of(campaign, user)
    if not who.game_master:
        if not who.member and campaign.visibility == Campaign.Visibility.MEMBERS:
            raise NoSuchCampaign
        raise NotAllowed("game-master-only", "Only the game master may do this.")
    return who
