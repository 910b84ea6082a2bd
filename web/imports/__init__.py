"""Campaigns, scenarios and shapes out of files that users send, and how far the work is."""
