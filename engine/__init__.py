"""The kernel that all titles share.

It uses the standard library only and knows no game, clock or database.
"""
