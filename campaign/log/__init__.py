"""The log of a campaign: entries, positions, undo, and who may see what."""
