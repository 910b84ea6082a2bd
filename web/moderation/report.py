"""The page of a text with the form that reports it."""

from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from moderation import services, targets
from moderation.models import Kind
from moderation.targets import NoSuchText, Target
from people import services as people_services
from people.models import User
from web.frame.sentences import with_times
from web.templatetags.tabula import when


@dataclass(frozen=True, slots=True)
class ReportPage:
    """A text, and the reader's possible acts about it."""

    source: str
    """The kind of the text, its author and its campaign."""
    text: str
    path: str
    is_own: bool
    waiting_text: str
    """A sentence with the date of the reader's own report, if that waits for a decision."""
    readers_text: str
    """A sentence on who will read a report."""
    reason: str
    words: str
    can_remove: bool
    block_name: str
    """The name of the author, if the reader can block them."""
    author_name: str
    author_url: str
    """The page that reports the name of the author."""
    report_error: str
    removal_error: str
    block_error: str
    longest_reason: int = services.LONGEST_REASON
    longest_words: int = services.LONGEST_WORDS

    @property
    def can_be_reported(self) -> bool:
        return not self.is_own and not self.waiting_text

    @property
    def block_text(self) -> str:
        """Return the consequences of a block."""
        text = _(
            "You may also block %(name)s: then neither of you gets messages, invitations or "
            "offers from the other. We do not tell %(name)s."
        )
        return text % {"name": self.block_name}

    @property
    def block_verb(self) -> str:
        return _("Block %(name)s") % {"name": self.block_name}

    @property
    def author_verb(self) -> str:
        return _("Report the name %(name)s instead") % {"name": self.author_name}


def report_page(
    user: User,
    target: Target,
    *,
    reason: str = "",
    words: str = "",
    refused: str = "",
    error: str = "",
) -> ReportPage:
    """Return the page of a text. `refused` is the name of the refused form."""
    author = target.author
    is_own = author is not None and author.pk == user.pk
    return ReportPage(
        source=source_of(target),
        text=target.text,
        path=target.path,
        is_own=is_own,
        waiting_text=waiting_text(user, target),
        readers_text=readers_text(user, target),
        reason=reason,
        words=words,
        can_remove=people_services.is_moderator(user) and not is_own,
        block_name=author.username if author and may_block(user, author) else "",
        author_name=author.username if author else "",
        author_url=author_url(user, target),
        report_error=error if refused == "report" else "",
        removal_error=error if refused == "remove" else "",
        block_error=error if refused == "block" else "",
    )


def source_of(target: Target) -> str:
    """Return the kind of a text, its author and its campaign."""
    parts = [str(target.kind.label)]
    if target.author:
        parts.append(pgettext("moderation", "by %(name)s") % {"name": target.author.username})
    if target.campaign:
        parts.append(target.campaign.name)
    return " · ".join(parts)


def waiting_text(user: User, target: Target) -> str:
    """Return when this user reported a text; empty if no report of theirs is pending."""
    own = (
        services.reports_by(user).filter(kind=target.kind, ref=target.ref, settled_at=None).first()
    )
    if own is None:
        return ""
    text = _("Reported: %(at)s. The moderators have not decided yet.")
    return with_times(text, at=when(own.at))


def readers_text(user: User, target: Target) -> str:
    """Return a sentence on who reads a report of this text."""
    if target.campaign and target.to_masters and services.neutral_game_masters(target, user):
        return _(
            "Only the moderators of this site and the game master (if they did not write the "
            "text) can read your report. The author does not learn who reported it."
        )
    return _(
        "Only the moderators of this site can read your report. The author does not learn who "
        "reported it."
    )


def author_url(user: User, target: Target) -> str:
    """Return the page that reports the name of the author; empty if this user cannot do so."""
    author = target.author
    if target.kind == Kind.PERSON or author is None or author.pk == user.pk:
        return ""
    try:
        targets.find_target(Kind.PERSON, str(author.pk), user)
    except NoSuchText:
        return ""
    return reverse("report_text", args=[Kind.PERSON, author.pk])


def may_block(user: User, author: User) -> bool:
    """Return whether a user can block an author."""
    if author.pk == user.pk or author.guest or author.erased_at is not None or user.demo:
        return False
    return not people_services.blocks(user, [author.pk])
