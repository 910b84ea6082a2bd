"""The earlier name of `web.moves.preview`, for pages that are not rewritten yet."""

from web.moves.preview import Follow, Sees, everybody, outcome_columns, with_outcomes

__all__ = ["Follow", "Sees", "everybody", "outcome_columns", "with_outcomes"]
