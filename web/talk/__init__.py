"""The pages of talk: threads between seats, one thread, the press, which everyone reads.

Only its parties learn from any page that a thread exists: these pages have no tag, and what is
counted in the head is the reader's own (`talk.selectors`).
"""
