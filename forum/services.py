"""The writers of threads and posts, for who looks after a campaign; `forum.posts.sending` writes
what comes of them.
"""

from forum.posts.outbox import (
    absent,
    again,
    aside,
    copied,
    draft,
    edit,
    keep,
    posted,
    posted_together,
    ready,
    resume_post,
    skipped_together,
    unposted,
    unready,
)
from forum.posts.threads import board_at, change, remove, set_frequency, set_up, try_out, unlock
from forum.reading import read_again, set_following

__all__ = [
    "absent",
    "again",
    "aside",
    "board_at",
    "change",
    "copied",
    "draft",
    "edit",
    "keep",
    "posted",
    "posted_together",
    "read_again",
    "ready",
    "remove",
    "resume_post",
    "set_following",
    "set_frequency",
    "set_up",
    "skipped_together",
    "try_out",
    "unlock",
    "unposted",
    "unready",
]
