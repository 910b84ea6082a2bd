"""The visibilities of a campaign, with the texts of the forms that ask for them."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, pgettext_lazy

from campaign.models import Campaign

READERS = (
    (
        Campaign.Visibility.LISTED,
        gettext_lazy("Listed"),
        gettext_lazy("everyone; it appears on the front page"),
    ),
    (
        Campaign.Visibility.UNLISTED,
        gettext_lazy("Unlisted"),
        gettext_lazy("everyone who has the address"),
    ),
    (
        Campaign.Visibility.MEMBERS,
        pgettext_lazy("lobby", "Members only"),
        gettext_lazy("only you and the players"),
    ),
)
"""Choices for a campaign with a game master."""
VISIBILITIES = (
    (
        Campaign.Visibility.UNLISTED,
        gettext_lazy("Unlisted"),
        gettext_lazy("everyone who has the address"),
    ),
    (
        Campaign.Visibility.LISTED,
        gettext_lazy("Listed"),
        gettext_lazy("enters the hall of fame at the end"),
    ),
)
"""Choices for a campaign that is played alone."""
MEMBERS = (
    Campaign.Visibility.MEMBERS,
    pgettext_lazy("lobby", "Members only"),
    gettext_lazy("needs more than one player"),
)
