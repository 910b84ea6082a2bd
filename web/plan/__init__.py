"""A player's plan."""
