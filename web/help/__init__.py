"""Help, the guides, and the legal pages of the site."""
