"""The programs that play the Grand Campaign."""
