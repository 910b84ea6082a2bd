"""The dice of a campaign: rolls and their proof, the origin of chance, dice thrown elsewhere."""
