"""The story of a campaign so far, to share: map, chapters, standings, battles of a week."""
