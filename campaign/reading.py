"""A campaign as one reader sees it, with what pages and programs ask of it alike, each asked for once."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _

from campaign import positions, selectors
from campaign.access import Access
from campaign.audience import GAME_MASTER
from campaign.models import Campaign, Membership
from engine.errors import IllegalMove
from engine.title import Peopled, Title


class Reading:
    """What is read of `campaign` with the reader's `access`. `position` hides nothing and is never shown."""

    campaign: Campaign
    access: Access

    @property
    def title(self) -> Title:
        return self.campaign.game

    @property
    def viewer(self) -> str | None:
        """Through whose eyes it is seen: `gm`, a seat's key, None for a stranger."""
        return self.access.viewer

    @cached_property
    def position(self) -> Any:
        return selectors.position(self.campaign)

    @cached_property
    def scenario(self) -> Any:
        """The title's own reading of the campaign's scenario; what `speak` and its kin want."""
        return positions.scenario(self.campaign)

    @cached_property
    def rows(self) -> Any:
        """The position's title-neutral rows, hidden ones too: `accounts` and `holdings` may be shown, `items` not."""
        return self.title.rows(self.position)

    @cached_property
    def view(self) -> dict[str, Any]:
        """The title's view of the position, redacted for the reader."""
        return self.title.view(self.position, self.viewer)

    @cached_property
    def places(self) -> list[Membership]:
        """Who has a place at the table now."""
        return selectors.held(self.campaign)

    @cached_property
    def seats(self) -> list[selectors.Seat]:
        return selectors.seats(self.campaign, self.places)

    @cached_property
    def names(self) -> dict[str, str]:
        """The seats' names by key, the game master's among them."""
        return {GAME_MASTER: _("Game master"), **{seat.key: seat.name for seat in self.seats}}

    def name_of(self, seat: str) -> str:
        """The name of a seat, or of another holder that the title can name."""
        if seat not in self.names and isinstance(self.title, Peopled):
            return self.title.holder_name(self.scenario, seat)
        return self.names.get(seat, seat)

    def why_not(self, refusal: IllegalMove) -> str:
        """A refusal in words: those it brings, else its title's."""
        return refusal.sentence or self.title.refusal(self.scenario, refusal)
