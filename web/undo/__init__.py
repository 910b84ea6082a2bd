"""Undo: strike moves, restore them, take back your own."""
