"""The buttons that begin a campaign again at its end, for every title."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from campaign import practice
from web.frame.table import TableContext

SAME_DICE, NEW_DICE = "again", "again-new"
"""The values of the buttons."""


@dataclass(frozen=True, slots=True)
class Way:
    """A button that begins again, with a sentence that says what it promises."""

    key: str
    icon: str
    name: str
    text: str
    tone: str = ""


@dataclass(frozen=True, slots=True)
class PlayAgain:
    """The ways to begin again: with new dice, and if possible with the same dice."""

    url: str
    ways: Sequence[Way]


def play_again(table: TableContext) -> PlayAgain | None:
    """Return the buttons; None for other readers than the player, and before the end."""
    campaign = table.campaign
    if not table.access.chief or not practice.may_begin_again(campaign):
        return None
    ways = [Way(NEW_DICE, "die", _("Play again with new dice"), new_text(table), "button--primary")]
    if practice.may_repeat_dice(campaign):
        name = _("Play again with the same start")
        ways.append(Way(SAME_DICE, "undo", name, same_text(table)))
    return PlayAgain(table.url("about"), ways)


def same_text(table: TableContext) -> str:
    """Return what the button promises that begins again with the same dice."""
    if not table.campaign.programs:
        return _(
            "Everything begins as before, and the same moves get the same dice. You know these "
            "dice now, so the game is practice and cannot enter the hall of fame."
        )
    if table.pages is not None:
        return _(
            "You get the same seat, the same opponents and the same dice: everything begins as "
            "before. You know these dice now, so the game is practice and cannot enter the hall "
            "of fame."
        )
    return _(
        "You get the same nation, the same opponents and the same dice: the first hands and events "
        "are the same. You know these dice now, so the campaign is practice and counts nowhere."
    )


def new_text(table: TableContext) -> str:
    """Return what the button promises that begins again with new dice."""
    if not table.campaign.programs:
        return _("The scenario and the options are the same, and no one knows the new dice.")
    if table.pages is not None:
        return _(
            "You get the same seat and the same opponents at the same levels, and no one knows the "
            "new dice."
        )
    return _(
        "You get the same scenario, the same nation and the same opponents at the same levels, and "
        "no one knows the new dice."
    )
