"""The earlier names of the page of a nation, for pages that are not rewritten yet."""

from web.moves.offers import SeatOffers as Desk
from web.plan.page import may_plan

__all__ = ["Desk", "may_plan"]
