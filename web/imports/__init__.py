"""Imports of campaigns, scenarios and shapes from uploaded files, and their progress."""
