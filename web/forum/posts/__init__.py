"""The pages of the outbox: all posts of a campaign, and one post. For its game masters."""
