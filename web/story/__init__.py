"""The story of a campaign so far, to share: map, chapters, standings, recent battles."""
