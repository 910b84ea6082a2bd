"""Pages of titles that need more than the plain ones have, a folder a title. `web` finds a title's parts by its key."""
