"""The table of a campaign: where it stands and whom it waits for."""
