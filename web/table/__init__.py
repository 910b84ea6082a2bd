"""The table of a campaign: its state and whom it waits for."""
