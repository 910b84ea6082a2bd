"""Moves on pages: the offers to a seat, their forms, and the consequences of a move."""
