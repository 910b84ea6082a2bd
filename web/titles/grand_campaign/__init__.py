"""The Grand Campaign's own in the pages."""
