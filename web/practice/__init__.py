"""Games against programs, and lessons."""
