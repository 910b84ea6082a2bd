"""The dice of a campaign: rolls and their proof, how chance comes about, dice thrown elsewhere."""
