"""Clocks: rows that point to entries and say what is due when (docs/decisions/0015)."""
