"""The programs that play Tetrarchia."""
