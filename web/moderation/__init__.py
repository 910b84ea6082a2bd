"""Reporting a text, what moderators decide, blocks between people, the host's invitations."""
