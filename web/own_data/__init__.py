"""The download of all data that are stored about a user."""
