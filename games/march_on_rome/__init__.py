"""March on Rome: one general, some rivals, and an Empire that falls apart (RULES.md)."""
