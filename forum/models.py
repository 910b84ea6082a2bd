"""Threads, posts to them, replies that were read there, and templates of reports.

Only `forum.services`, `forum.reading` and `forum.posts` write here.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from campaign.models import Campaign, LogEntry
from engine.strict_json import StoredDecoder, StoredEncoder

PEOPLE = settings.AUTH_USER_MODEL


class Thread(models.Model):
    """A place where reports of a campaign are posted: its address, and what is posted and how.

    `settings` are the transport's open settings, `sealed` the secret ones, `session` its cookies;
    the last two are sealed (`campaign.keys`) and never shown. `locked_at` is set if the place
    refused the credentials; nothing is sent there until a person allows it. `open_at` is when the
    place last showed a post of this site at once; it is empty if there is no such post yet, or if
    the last one waited for a moderator.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="threads")
    name = models.CharField(max_length=100)
    transport = models.CharField(max_length=20)
    settings = models.JSONField(default=dict, encoder=StoredEncoder, decoder=StoredDecoder)
    sealed = models.TextField(blank=True, default="")
    session = models.TextField(blank=True, default="")
    dialect = models.CharField(max_length=20)
    language = models.CharField(max_length=8, default="en")
    tone = models.CharField(max_length=20, blank=True, default="")
    limit = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Longest post; empty for the limit of the dialect and the board.",
    )
    pace = models.PositiveIntegerField(
        null=True, blank=True, help_text="Seconds between two posts, if the board requires it."
    )
    joining_minutes = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Minutes within which the board joins two posts by one user, if it was seen.",
    )
    keeps_first_post = models.BooleanField(
        default=False, help_text="Whether its first post is changed to the present state."
    )
    drafted_kinds = models.JSONField(
        default=list,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Kinds of reports that are drafted automatically.",
    )
    at_once = models.BooleanField(default=False, help_text="Drafts are posted without review.")
    can_fold = models.BooleanField(
        default=False, help_text="The board has the tag that folds details (`spoiler`, `details`)."
    )
    active = models.BooleanField(default=True)
    locked_at = models.DateTimeField(null=True, blank=True)
    locked_why = models.CharField(max_length=500, blank=True, default="")
    open_at = models.DateTimeField(null=True, blank=True)
    made_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    made_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.transport}"

    @property
    def followed(self) -> FollowedThread | None:
        """The settings for reading its place; None if no one has ever switched that on."""
        try:
            return self.following
        except FollowedThread.DoesNotExist:
            return None


class Post(models.Model):
    """A report, or a part of one, on its way to a thread.

    A draft has no text: it is made whenever the draft is read, until a user marks it as `ready`.
    Then it is divided into parts, each a row, and no longer changes. `doubt` means that an attempt
    may have arrived, so that the place is searched before another attempt; `doubt_at` is when the
    first such attempt was made. `first` is the report's part 1; it is empty on part 1 itself.
    """

    class State(models.TextChoices):
        DRAFT = "draft", pgettext_lazy("post", "draft")
        READY = "ready", pgettext_lazy("post", "not posted")
        SENDING = "sending", pgettext_lazy("post", "being sent")
        POSTED = "posted", pgettext_lazy("post", "posted")
        AWAITING = "awaiting", pgettext_lazy("post", "awaiting approval")
        DOUBTFUL = "doubtful", pgettext_lazy("post", "was it posted?")
        FAILED = "failed", pgettext_lazy("post", "failed")
        SUPERSEDED = "superseded", pgettext_lazy("post", "superseded")
        ASIDE = "aside", pgettext_lazy("post", "skipped")

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="posts")
    thread = models.ForeignKey(Thread, models.PROTECT, related_name="posts")
    number = models.PositiveIntegerField(help_text="Number within the campaign, as it is shown.")
    report = models.CharField(max_length=80, help_text="Key of the report; `test` for a test.")
    kind = models.CharField(max_length=20)
    entry = models.ForeignKey(
        LogEntry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Last entry that the report covers.",
    )
    first = models.ForeignKey("self", models.PROTECT, null=True, blank=True, related_name="parts")
    part = models.PositiveIntegerField(default=1)
    part_count = models.PositiveIntegerField(default=1)
    subject = models.CharField(max_length=300, blank=True, default="")
    text = models.TextField(blank=True, default="")
    marker = models.CharField(max_length=40, blank=True, default="")
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    doubt = models.BooleanField(default=False)
    doubt_at = models.DateTimeField(null=True, blank=True)
    permalink = models.CharField(max_length=500, blank=True, default="")
    corrects = models.ManyToManyField(
        "self", symmetrical=False, related_name="corrections", blank=True
    )
    made_at = models.DateTimeField()
    made_by = models.ForeignKey(
        PEOPLE,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty if it was drafted automatically.",
    )
    copied_at = models.DateTimeField(
        null=True, blank=True, help_text="When the text was last copied to be posted by hand."
    )
    posted_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="Next attempt to send it, or next check whether it has been approved.",
    )
    taken_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=500, blank=True, default="")
    edit = models.TextField(
        blank=True, default="", help_text="New text that will replace this one on the board."
    )
    edit_at = models.DateTimeField(
        null=True, blank=True, help_text="Next attempt to change it on the board."
    )
    edited_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [
            models.Index(fields=["next_at"], condition=Q(state="ready"), name="post_to_send"),
            models.Index(fields=["taken_at"], condition=Q(state="sending"), name="post_being_sent"),
            models.Index(
                fields=["next_at"], condition=Q(state="awaiting"), name="post_awaiting_approval"
            ),
            models.Index(
                fields=["edit_at"], condition=Q(edit_at__isnull=False), name="post_to_edit"
            ),
        ]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "number"], name="one_post_a_number"),
            models.UniqueConstraint(
                fields=["thread", "report"], condition=Q(state="draft"), name="one_draft_a_report"
            ),
            models.UniqueConstraint(
                fields=["thread"], condition=Q(state="sending"), name="one_post_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"post {self.number} of {self.campaign_id}: {self.state}"

    @property
    def settled(self) -> bool:
        """Whether the post is in its thread, or waits for a moderator there."""
        return self.state in (self.State.POSTED, self.State.AWAITING)

    @property
    def planned(self) -> bool:
        """Whether the post waits only because of the pace of its board, not because of an error."""
        waits = self.state == self.State.READY and self.next_at is not None
        return (
            waits
            and not self.doubt
            and not self.last_error
            and (self.part > 1 or self.attempts > 0)
        )

    @property
    def head(self) -> Any:
        """Part 1 of the report."""
        return self.first or self


class PendingDrafts(models.Model):
    """A public move that may complete reports for which drafts are wanted.

    The row is written with the move and deleted when the drafts are made. While the move is struck
    nothing is drafted, and the row remains: a restoration makes it due again.
    """

    entry = models.OneToOneField(LogEntry, models.PROTECT, primary_key=True, related_name="+")

    class Meta:
        verbose_name_plural = "drafts due"

    def __str__(self) -> str:
        return f"drafts after entry {self.entry_id}"


__all__ = [
    "FollowedThread",
    "ImportedPost",
    "PendingDrafts",
    "Post",
    "ReportComment",
    "ReportTemplate",
    "Thread",
]


# Replies that others write in threads. Only `forum.services` and `forum.reading` write here.


class FollowedThread(models.Model):
    """A thread whose place is read, as a guest, once a game master has switched that on.

    `last_post_name` is the board's own name of the last post that was imported from `place`.
    `headers` are the validators of the board's first page, so that an unchanged page is not sent
    again. `stopped_at` is set if the place could not be read; it is not read again until a user
    asks for it.
    """

    thread = models.OneToOneField(Thread, models.PROTECT, related_name="following")
    active = models.BooleanField(default=False)
    shown = models.BooleanField(default=True, help_text="Whether players see the replies, too.")
    place = models.JSONField(
        blank=True,
        null=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Settings of the thread when it was read.",
    )
    last_post_name = models.CharField(max_length=40, blank=True, default="")
    headers = models.JSONField(
        default=dict,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Headers for the next request, by address.",
    )
    next_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True, help_text="Last successful reading.")
    failures = models.PositiveIntegerField(default=0, help_text="Number of failures in a row.")
    stopped_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=500, blank=True, default="")
    changed_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")

    class Meta:
        indexes = [
            models.Index(
                fields=["next_at"], condition=Q(active=True, stopped_at=None), name="thread_to_read"
            )
        ]

    def __str__(self) -> str:
        return f"{self.thread_id}: {'followed' if self.active else 'not followed'}"


class ImportedPost(models.Model):
    """A post that was read at a thread's place, identified by the board's own name for it.

    `post` is the report whose mark the text contains: the same post, or a post that it quotes.
    """

    thread = models.ForeignKey(Thread, models.PROTECT, related_name="imported_posts")
    name = models.CharField(max_length=40)
    author = models.CharField(max_length=100, blank=True, default="")
    posted_at = models.DateTimeField(
        null=True, blank=True, help_text="Time according to the board."
    )
    imported_at = models.DateTimeField()
    text = models.TextField(blank=True, default="")
    permalink = models.CharField(max_length=500, blank=True, default="")
    post = models.ForeignKey(Post, models.PROTECT, null=True, blank=True, related_name="+")
    before = models.TextField(
        blank=True, default="", help_text="Text before the last change on the board."
    )
    changed_at = models.DateTimeField(
        null=True, blank=True, help_text="When the change on the board was noticed."
    )
    gone_at = models.DateTimeField(
        null=True, blank=True, help_text="When the deletion on the board was noticed."
    )
    taken_at = models.DateTimeField(
        null=True, blank=True, help_text="When a user turned it into moves, or marked it as read."
    )

    decided = models.JSONField(
        default=list,
        blank=True,
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Lines that users have announced as moves or set aside (`forum.post_lines`).",
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["thread", "name"], name="one_row_a_heard_post")
        ]

    def __str__(self) -> str:
        return f"{self.thread_id}/{self.name}"

    @property
    def is_own_report(self) -> bool:
        """Whether this site posted it; if not, another writer may have quoted a report."""
        return self.post is not None and self.permalink == self.post.permalink


# Texts that game masters add to reports. Only `forum.services` writes here.


class ReportTemplate(models.Model):
    """The texts around every report of a campaign in one language, added by `forum.posts.reports`.

    `subject`, `greeting` and `signature` have placeholders by name (`forum.posts.reports`); empty
    texts are left out.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="report_templates")
    language = models.CharField(max_length=8)
    tone = models.CharField(max_length=20)
    subject = models.CharField(max_length=200, blank=True, default="")
    greeting = models.TextField(blank=True, default="")
    signature = models.TextField(blank=True, default="")
    parts = models.JSONField(
        encoder=StoredEncoder,
        decoder=StoredDecoder,
        help_text="Parts of a report that are shown, in their order.",
    )
    changed_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "language"], name="one_template_a_language")
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.language}"


class ReportComment(models.Model):
    """The plain texts that a game master adds to one report, before and after the events."""

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="report_comments")
    report = models.CharField(max_length=80, help_text="Key of the report.")
    language = models.CharField(max_length=8)
    before = models.TextField(blank=True, default="")
    after = models.TextField(blank=True, default="")
    changed_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "report", "language"], name="one_flavour_a_report"
            )
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.report} ({self.language})"
