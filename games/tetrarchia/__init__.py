"""Tetrarchia: four Emperors, one Empire, for one to four people who win or lose together
(RULES.md).
"""
