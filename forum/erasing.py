"""What is kept of somebody in the texts of posts, when he is erased: what stands on a board stands there."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from forum.models import Post

SHORTEST = 2


def erase(user: Any, at: datetime) -> list[str]:
    """His names in our copies become "a former player"."""
    names = [name for name in (user.username, user.forum_name, user.fog2_name) if len(name) >= SHORTEST]
    if not names:
        return []
    anywhere = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))
    changed = 0
    for post in Post.objects.exclude(text="", subject="").only("subject", "text").iterator():
        subject, text = (anywhere.sub(_("a former player"), said) for said in (post.subject, post.text))
        if (subject, text) != (post.subject, post.text):
            changed += Post.objects.filter(pk=post.pk).update(subject=subject[:300], text=text)
    return [f"{changed} posts"]
