"""Charts of accounts over the log."""
