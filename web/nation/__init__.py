"""The page of a nation."""
