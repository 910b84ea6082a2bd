"""The ratings of users: the table of all, and what one rating comes from (docs/ratings.md)."""
