"""The services for threads and posts that game masters use.

`forum.posts.sending` stores what happens to posts afterwards.
"""

from forum.posts.outbox import (
    cancel_edit,
    draft,
    edit,
    mark_ready,
    record_absent,
    record_copy,
    record_posted,
    record_posted_together,
    resume_post,
    retry,
    return_to_draft,
    skip,
    skip_together,
    undo_posted,
)
from forum.posts.threads import board_at, change, remove, set_frequency, set_up, try_out, unlock
from forum.reading import read_again, set_following

__all__ = [
    "board_at",
    "cancel_edit",
    "change",
    "draft",
    "edit",
    "mark_ready",
    "read_again",
    "record_absent",
    "record_copy",
    "record_posted",
    "record_posted_together",
    "remove",
    "resume_post",
    "retry",
    "return_to_draft",
    "set_following",
    "set_frequency",
    "set_up",
    "skip",
    "skip_together",
    "try_out",
    "undo_posted",
    "unlock",
]
