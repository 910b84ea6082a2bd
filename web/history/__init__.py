"""Earlier positions of the campaign: the history, struck branches, films."""
