"""The page of replies: what others write in the threads of a campaign, beside its log."""
