"""The pages about the forum: reports, the outbox and its threads, replies."""
