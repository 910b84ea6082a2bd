"""Reports of texts, decisions of moderators, blocks between users, the host's invitations."""
