"""The host's side of a campaign: audit, backup, and acts by commands."""
