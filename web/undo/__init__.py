"""Undo: pages on which moves are struck, restored, and taken back by the seat that made them."""
