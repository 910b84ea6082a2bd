"""The programs that play History of the Roman Empire."""
