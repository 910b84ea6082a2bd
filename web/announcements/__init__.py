"""Pages that announce moves, preview them, and take them back."""
