"""The ratings of users: the table of ratings, and the results behind them.

docs/play/ratings.md explains them.
"""
