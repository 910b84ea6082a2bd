"""Tetrarchia: four Emperors of one Empire, for one to four players who win or lose together.

The rules are in RULES.md.
"""
