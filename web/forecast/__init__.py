"""The forecast of how a campaign may end."""
