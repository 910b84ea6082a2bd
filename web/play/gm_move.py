"""The earlier name of `web.moves.deeds`, for pages that are not rewritten yet."""

from web.moves.deeds import Deed, attempt, consider, in_parts, make_move, speaker
from web.moves.own_seats import OwnSeats as Own
from web.moves.own_seats import always, of_contest, of_move, of_seat, of_struck

__all__ = [
    "Deed",
    "Own",
    "always",
    "attempt",
    "consider",
    "in_parts",
    "make_move",
    "of_contest",
    "of_move",
    "of_seat",
    "of_struck",
    "speaker",
]
