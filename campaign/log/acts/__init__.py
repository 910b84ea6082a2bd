"""The acts of the log, declared by subject."""
