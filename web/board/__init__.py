"""The page of a title that is played on its board, and the moves of its forms."""
