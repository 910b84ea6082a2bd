"""Everything that is kept about a user, as a file for that user."""
