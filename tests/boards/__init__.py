"""Fake boards that follow the observed rules of the real ones.

Each answers with HTML pages or JSON over real HTTP.
"""
