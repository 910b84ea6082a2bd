"""The pages of notices: lists, notification settings, a campaign's channels and webhooks."""
