"""The pages of notices: the lists, how they are sent, a campaign's channels and webhooks."""
