"""The writers of threads and posts, for who looks after a campaign; `forum.sending` writes what comes of them."""

from forum.services.follows import follow, read_again
from forum.services.outbox import absent, again, aside, back, draft, posted, ready, unposted, unready
from forum.services.places import change, remove, set_up, try_out, unlock

__all__ = [
    "absent",
    "again",
    "aside",
    "back",
    "change",
    "draft",
    "follow",
    "posted",
    "read_again",
    "ready",
    "remove",
    "set_up",
    "try_out",
    "unlock",
    "unposted",
    "unready",
]
