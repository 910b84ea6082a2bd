"""The pages of the outbox for game masters: all posts of a campaign, and one post."""
