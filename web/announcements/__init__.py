"""Announcing moves, looking at what they would do, taking them back."""
