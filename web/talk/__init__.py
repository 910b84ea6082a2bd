"""The pages of talk: threads between seats, a single thread, and the public press.

Only the members of a thread learn from any page that it exists: these pages have no ETag, and the
count in the page's head is the reader's own (`talk.selectors`).
"""
