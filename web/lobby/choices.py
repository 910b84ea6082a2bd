"""Who can find a campaign, in the words of the forms that ask for it."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from campaign.models import Campaign

READERS = (
    (
        Campaign.Visibility.LISTED,
        gettext_lazy("Listed"),
        gettext_lazy("everybody; it is on the first page"),
    ),
    (
        Campaign.Visibility.UNLISTED,
        gettext_lazy("Unlisted"),
        gettext_lazy("everybody with the address"),
    ),
    (Campaign.Visibility.MEMBERS, gettext_lazy("Members only"), gettext_lazy("players and you")),
)
"""For a campaign with a game master."""
VISIBILITIES = (
    (
        Campaign.Visibility.UNLISTED,
        gettext_lazy("Unlisted"),
        gettext_lazy("everybody with the address"),
    ),
    (
        Campaign.Visibility.LISTED,
        gettext_lazy("Listed"),
        gettext_lazy("in the hall of fame when it has ended"),
    ),
)
"""For a campaign that is played alone."""
MEMBERS = (
    Campaign.Visibility.MEMBERS,
    gettext_lazy("Members only"),
    gettext_lazy("for several at one table"),
)
