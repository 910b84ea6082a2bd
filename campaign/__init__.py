"""The campaign: its table, its log, and everything else that does not depend on the title.

This package contains no rules of a game.
"""
