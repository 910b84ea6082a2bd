"""Moves of every page: what a seat is offered, the forms of offers, what follows from a move."""
