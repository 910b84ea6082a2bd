"""The first post of a thread, with the text that it should have now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.models import Clock
from forum.models import Post, Thread
from forum.posts import first_post, outbox
from web.frame.sentences import with_times
from web.templatetags.tabula import when


@dataclass(frozen=True, slots=True)
class FirstPost:
    """The first post of a thread."""

    thread: Thread
    row: Post | None
    text: str
    link: str
    """The address of the post, or a suggestion."""
    can_be_kept: bool
    """Whether a program can change posts there."""

    @property
    def is_kept(self) -> bool:
        return self.thread.keeps_first_post and self.row is not None

    @property
    def language(self) -> str:
        return self.thread.language

    @property
    def errors(self) -> list[str]:
        """Why the post has not been changed."""
        is_failed = self.is_kept and self.row is not None and self.row.last_error
        return [self.row.last_error] if self.row is not None and is_failed else []

    @property
    def asks_for_link(self) -> bool:
        return self.can_be_kept and (bool(self.errors) or not self.is_kept)

    @property
    def note(self) -> str:
        """Sentences about what happens with the post."""
        if not self.can_be_kept:
            return _("Copy this text and put it into the first post of the thread by hand.")
        if not self.is_kept or self.row is None:
            return _(
                "The program can keep this text at the top of the first post of the thread, if the "
                "thread’s account has written that post. The rest of the post remains."
            )
        if self.row.edit_at is not None:
            return _("The program will update the first post on the board within a minute.")
        if self.row.text != self.text:
            return _("The first post on the board differs from this text.")
        if self.row.edited_at is None:
            return _("The first post on the board is up to date.")
        text = _("The first post on the board is up to date. Last change: %(at)s.")
        return with_times(text, at=when(self.row.edited_at))

    @property
    def buttons(self) -> list[tuple[str, str]]:
        """The values and the texts of the buttons."""
        buttons = []
        if self.errors:
            buttons.append(("keep_first", _("Put the text into the first post again")))
        elif self.asks_for_link:
            buttons.append(("keep_first", pgettext("button", "Keep the first post up to date")))
        if self.is_kept:
            buttons.append(("update_first", pgettext("button", "Update now")))
            buttons.append(("stop_first", pgettext("button", "Stop updating")))
        return buttons


def first_post_of(thread: Thread, clocks: Sequence[Clock]) -> FirstPost:
    """Return the first post of a thread with its present text.

    `clocks` are the running clocks of the campaign.
    """
    oldest = first_post.row_or_oldest_post(thread)
    row = oldest if oldest is not None and oldest.kind == first_post.KIND else None
    can_be_kept = thread.active and outbox.is_automatic(thread) and outbox.is_editable(thread)
    return FirstPost(
        thread=thread,
        row=row,
        text=first_post.first_post_text(thread, clocks),
        link=oldest.permalink if oldest is not None and (row or can_be_kept) else "",
        can_be_kept=can_be_kept,
    )
