"""The programs that play March on Rome."""
