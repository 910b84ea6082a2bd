"""The table of a campaign: its position, and the members it waits for."""
