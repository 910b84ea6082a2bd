"""The kernel: what every title shares. Standard library only; knows no game, no clock, no
database.
"""
