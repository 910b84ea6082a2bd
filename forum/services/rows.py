"""What the writers share: new rows, and the change of a state that somebody else may be changing, too."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.db.models import Max
from django.utils.translation import gettext as _

from campaign.errors import NotNow
from campaign.models import LogEntry
from engine.strict_json import clean_text
from forum.marking import marker
from forum.models import Post, Thread
from forum.telling import Part

State = Post.State


def new(
    thread: Thread, *, at: datetime, report: str, kind: str, by: Any = None, entry: LogEntry | None = None, **more: Any
) -> Post:
    """A post with the campaign's next number, which asks for the campaign's row to be held."""
    number = (Post.objects.filter(campaign_id=thread.campaign_id).aggregate(most=Max("number"))["most"] or 0) + 1
    made = {"number": number, "report": report, "kind": kind, "made_at": at, "made_by": by, "entry": entry}
    return Post.objects.create(campaign_id=thread.campaign_id, thread=thread, **made, **more)


def moved_on() -> NotNow:
    return NotNow("post-moved-on", _("The post has moved on since this page was made. This is how it stands now."))


def must_stand(thread: Thread) -> None:
    """Raises `NotNow` where it was taken out of the campaign."""
    if thread.removed_at is not None:
        raise NotNow("thread-removed", _("This thread was taken out of the campaign. Set up another one."))


def standing(thread: Thread) -> Thread:
    """The thread's row, held. Raises `NotNow` where it was taken out of the campaign."""
    row = Thread.objects.select_for_update().select_related("campaign").get(pk=thread.pk)
    must_stand(row)
    return row


def turn(post: Post, states: Collection[str], **to: Any) -> None:
    """Change a post that is in one of these states still, or raise `NotNow`. One statement: who comes second is refused."""
    if not Post.objects.filter(pk=post.pk, state__in=states).update(**to):
        raise moved_on()
    post.refresh_from_db()


def fix(post: Post, parts: list[Part], by: Any, at: datetime) -> None:
    """Give a draft its text, as it was made now, and a row to each of its parts. Asks for the campaign's row to be held."""
    turn(
        post,
        [State.DRAFT],
        state=State.READY,
        of=len(parts),
        made_by=post.made_by or by,
        next_at=at,
        attempts=0,
        last_error="",
        doubt=False,
    )
    rows = [post]
    common: dict[str, Any] = {
        "kind": post.kind,
        "report": post.report,
        "entry": post.entry,
        "by": by,
        "of": len(parts),
        "first": post,
    }
    rows += [new(post.thread, at=at, part=n, state=State.READY, next_at=at, **common) for n in range(2, len(parts) + 1)]
    for row, part in zip(rows, parts, strict=True):
        row.subject, row.marker = part.subject, marker(post.campaign, row.number, row.part)
        row.text = marked(part.text, row.marker)
        row.save(update_fields=["subject", "text", "marker"])


def marked(text: str, mark: str) -> str:
    """A post's text with its mark on a line of its own."""
    return f"{text.rstrip()}\n\n{mark}"


def line(text: object, longest: int) -> str:
    """A text of one line without what cannot be seen; "" where it is none."""
    told = str(text or "").strip()
    return told if clean_text(told, longest) and told.isprintable() else ""
