"""The parts of pages that only the Grand Campaign has."""
