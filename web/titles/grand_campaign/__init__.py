"""What the Grand Campaign adds to the pages."""
