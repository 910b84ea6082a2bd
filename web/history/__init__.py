"""The campaign as it was: the history, struck branches, films."""
