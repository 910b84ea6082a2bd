"""The page of replies: posts by others in the threads of a campaign, beside its log."""
