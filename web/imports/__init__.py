"""Campaigns, scenarios and shapes out of files that users send: the form, and how far the work is."""
