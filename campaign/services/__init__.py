"""The only writers of the table's rows."""

from campaign.services.door import Preview, Result, play, preview
from campaign.services.founding import change_terms, describe, found
from campaign.services.seating import invite, look_at, revoke, take_seat, vacate
from campaign.services.undoing import own_undo, restore, undo_own, undo_to

__all__ = [
    "Preview",
    "Result",
    "change_terms",
    "describe",
    "found",
    "invite",
    "look_at",
    "own_undo",
    "play",
    "preview",
    "restore",
    "revoke",
    "take_seat",
    "undo_own",
    "undo_to",
    "vacate",
]
