"""What is kept of somebody in the texts of posts, when he is erased: what stands on a board stands there."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext as _

from forum.models import Flavour, HeardPost, Post, ReportTemplate

SHORTEST = 2
TYPED: dict[type[Model], tuple[str, ...]] = {
    Flavour: ("before", "after"),
    ReportTemplate: ("subject", "greeting", "signature"),
    HeardPost: ("author", "text"),
}
"""What game masters say about reports, and what was read of a board, where they may name somebody."""


def erase(user: Any, at: datetime) -> list[str]:
    """His names in our copies become "a former player"."""
    names = [name for name in (user.username, user.forum_name, user.fog2_name) if len(name) >= SHORTEST]
    if not names:
        return []
    anywhere = _anywhere(names)
    changed = 0
    for post in Post.objects.exclude(text="", subject="").only("subject", "text").iterator():
        subject, text = (anywhere.sub(_("a former player"), said) for said in (post.subject, post.text))
        if (subject, text) != (post.subject, post.text):
            changed += Post.objects.filter(pk=post.pk).update(subject=subject[:300], text=text)
    typed = 0
    for model, fields in TYPED.items():
        for row in model.objects.all().iterator():  # type: ignore[attr-defined]
            was = {field: getattr(row, field) for field in fields}
            said = {field: anywhere.sub(_("a former player"), text)[: _most(model, field)] for field, text in was.items()}
            if said != was:
                typed += model.objects.filter(pk=row.pk).update(**said)  # type: ignore[attr-defined]
    return [f"{changed} posts", f"{typed} words about reports"]


def _most(model: type[Model], field: str) -> int | None:
    """The characters that fit there: what stands for a name may be longer than it."""
    return getattr(model._meta.get_field(field), "max_length", None)


def _anywhere(names: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(rf"(?<!\w){_written(name)}(?!\w)" for name in sorted(names, key=len, reverse=True)))


def _written(name: str) -> str:
    """The name as any dialect writes it: with joiners and backslashes between its letters, an apostrophe as HTML has it."""
    return r"[\\\u2060]*".join("(?:'|&#x27;)" if sign == "'" else re.escape(sign) for sign in name)
