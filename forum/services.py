"""The writers of threads and posts, for who looks after a campaign; `forum.posts.sending` writes what comes of them."""

from forum.posts.outbox import absent, again, aside, draft, posted, ready, resume_post, unposted, unready
from forum.posts.threads import board_at, change, remove, set_up, try_out, unlock
from forum.reading import read_again, set_following

__all__ = [
    "absent",
    "again",
    "aside",
    "board_at",
    "change",
    "draft",
    "posted",
    "read_again",
    "ready",
    "remove",
    "resume_post",
    "set_following",
    "set_up",
    "try_out",
    "unlock",
    "unposted",
    "unready",
]
