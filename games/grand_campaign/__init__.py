"""The 420 AD Grand Campaign: six nations, six turns, battles fought elsewhere."""
