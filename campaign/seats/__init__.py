"""Seats: who holds them, how they change hands, and what belongs to a seat."""
