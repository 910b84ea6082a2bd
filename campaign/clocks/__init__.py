"""What is due when: clocks are rows that point to entries (docs/decisions/0015)."""
