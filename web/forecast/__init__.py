"""The forecast of the end of a campaign."""
