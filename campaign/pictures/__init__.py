"""Pictures of the maps of campaigns, to be posted in a forum."""
