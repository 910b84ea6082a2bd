"""Boards of others, played honestly: each fake keeps the rules that the real one was seen or read
to keep, as a page of HTML or as JSON, over real HTTP.
"""
