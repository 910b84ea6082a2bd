"""What waits for a person: `settings.POST_TELLERS` names functions `tell(campaign, entry, what, about, facts, at)`.

`what` is one of the words below, `about` tells this time apart from others of the same entry. The facts name the post (its
number, `report`, `place`) and say in `error` what went wrong, in the language of who set the place up.
"""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.utils.module_loading import import_string

from forum.models import Post

FAILED, DOUBTFUL, LOCKED = "post-failed", "post-doubtful", "thread-locked"


def tell(post: Post, what: str, why: str, at: datetime) -> None:
    """The entry is the last that the post tells of; of a test the last that everybody sees."""
    entry = post.entry or post.campaign.entries.filter(audience=None).latest("sequence")
    facts = {"post": post.number, "report": post.subject, "place": post.thread.name, "error": why}
    about = f"{post.number}/{post.part}/{at:%Y%m%dT%H%M%SZ}"
    for path in settings.POST_TELLERS:
        import_string(path)(post.campaign, entry, what, about, facts, at)
