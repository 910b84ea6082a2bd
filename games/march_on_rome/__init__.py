"""March on Rome: one general, his rivals, and an Empire that falls apart (RULES.md)."""
