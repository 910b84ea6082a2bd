"""What is told elsewhere: the places of a campaign, and the outbox. Only `forum.services`,
`projection`, `sending` write here.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import pgettext_lazy

from campaign.models import Campaign, LogEntry
from engine.strict_json import read

PEOPLE = settings.AUTH_USER_MODEL


class Thread(models.Model):
    """A place where a campaign is told: how one gets there, and what is written there and how.

    `settings` are the transport's open ones, `sealed` the secret ones, `session` its cookies; the
    last two are sealed (`campaign.keys`) and never shown. `locked_at`: it refused us, and nothing
    goes there until a person says so. `open_at`: the place showed a post of ours at once then; none
    as long as none came through, or the last waited for a moderator.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="threads")
    name = models.CharField(max_length=100)
    transport = models.CharField(max_length=20)
    settings = models.TextField(default="{}", help_text="canonical JSON")
    sealed = models.TextField(blank=True, default="")
    session = models.TextField(blank=True, default="")
    dialect = models.CharField(max_length=20)
    language = models.CharField(max_length=8, default="en")
    tone = models.CharField(max_length=20, blank=True, default="")
    limit = models.PositiveIntegerField(
        null=True, blank=True, help_text="empty: the dialect's and the transport's"
    )
    pace = models.PositiveIntegerField(
        null=True, blank=True, help_text="seconds between two posts that the board asked for"
    )
    kinds = models.TextField(
        default="[]", help_text="canonical JSON: kinds of reports that are drafted by themselves"
    )
    at_once = models.BooleanField(
        default=False, help_text="what is drafted is posted without anybody looking at it"
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
        """How its place is read, if anybody has ever switched that on."""
        try:
            return self.following
        except FollowedThread.DoesNotExist:
            return None

    @property
    def drafted(self) -> list[str]:
        """The kinds of reports that are drafted by themselves."""
        return list(read(self.kinds))

    @property
    def open_settings(self) -> dict[str, str]:
        """The open settings."""
        return dict(read(self.settings))


class Post(models.Model):
    """A report, or a part of one, on its way to a thread.

    A draft has no text: it is made when it is read, until somebody finds it `ready`; then it is
    divided into parts, a row each, and stands as it is. `doubt` says that an attempt may have
    arrived, so that the place is looked at before another one; `doubt_at`, when the first such
    attempt left. `first` is the report's part 1, empty on that itself.
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
    number = models.PositiveIntegerField(help_text="of the campaign, as it is shown")
    report = models.CharField(max_length=80, help_text="the report's key; `test` for a test")
    kind = models.CharField(max_length=20)
    entry = models.ForeignKey(
        LogEntry,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="the last it tells of",
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
        PEOPLE, models.PROTECT, null=True, blank=True, related_name="+", help_text="none: by itself"
    )
    copied_at = models.DateTimeField(
        null=True, blank=True, help_text="when a person last copied the text to post it by hand"
    )
    posted_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    next_at = models.DateTimeField(
        null=True,
        blank=True,
        help_text="when it is to be sent, tried again, or looked for approved",
    )
    taken_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=500, blank=True, default="")
    edit = models.TextField(
        blank=True, default="", help_text="the text that is to stand there in place of this one"
    )
    edit_at = models.DateTimeField(
        null=True, blank=True, help_text="when it is to be changed there, or tried again"
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
        """Does it stand there, or wait for its moderators?"""
        return self.state in (self.State.POSTED, self.State.AWAITING)

    @property
    def planned(self) -> bool:
        """Does it wait for its time, at the pace of its board? Nothing went wrong."""
        waits = self.state == self.State.READY and self.next_at is not None
        return (
            waits
            and not self.doubt
            and not self.last_error
            and (self.part > 1 or self.attempts > 0)
        )

    @property
    def head(self) -> Any:
        """Part 1 of its report."""
        return self.first or self


class PendingDrafts(models.Model):
    """A public move that may complete reports of which drafts are wanted. Written with the move; it
    goes when they are made.

    While the move is struck nothing is drafted, and the row waits: a restoration makes it due
    again.
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


# What others write where a campaign is told. Only `forum.services` and `forum.reading` write here.


class FollowedThread(models.Model):
    """A thread whose place is read: off until a game master switches it on, and nobody signs in for
    it.

    `last_post_name` is the board's own name of the last post that was imported from `place`; `seen`
    what the board answered about its first page, so that an unchanged page is not sent again.
    `stopped_at`: it could not be read, and is not read again until a user asks for it.
    """

    thread = models.OneToOneField(Thread, models.PROTECT, related_name="following")
    active = models.BooleanField(default=False)
    shown = models.BooleanField(default=True, help_text="to the players, too")
    place = models.TextField(
        blank=True, default="", help_text="the thread's settings as they were when it was read"
    )
    last_post_name = models.CharField(max_length=40, blank=True, default="")
    seen = models.TextField(
        default="{}", help_text="canonical JSON: headers of the next question, by address"
    )
    next_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True, help_text="when it last went well")
    failures = models.PositiveIntegerField(default=0, help_text="in a row")
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

    @property
    def headers(self) -> dict[str, dict[str, str]]:
        return dict(read(self.seen))


class ImportedPost(models.Model):
    """A post that stands at a thread's place, by the board's own name for it. `post` is the report
    whose mark it bears: ours, or one that quotes it.
    """

    thread = models.ForeignKey(Thread, models.PROTECT, related_name="imported_posts")
    name = models.CharField(max_length=40)
    author = models.CharField(max_length=100, blank=True, default="")
    posted_at = models.DateTimeField(null=True, blank=True, help_text="by the board's clock")
    imported_at = models.DateTimeField()
    text = models.TextField(blank=True, default="")
    permalink = models.CharField(max_length=500, blank=True, default="")
    post = models.ForeignKey(Post, models.PROTECT, null=True, blank=True, related_name="+")
    before = models.TextField(
        blank=True, default="", help_text="its text before it was last changed there"
    )
    changed_at = models.DateTimeField(
        null=True, blank=True, help_text="when it was seen changed there"
    )
    gone_at = models.DateTimeField(
        null=True, blank=True, help_text="when it was seen deleted there"
    )
    taken_at = models.DateTimeField(
        null=True, blank=True, help_text="when a person read it as moves, or set it aside"
    )

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["thread", "name"], name="one_row_a_heard_post")
        ]

    def __str__(self) -> str:
        return f"{self.thread_id}/{self.name}"

    @property
    def ours(self) -> bool:
        """Did we post it, rather than somebody who quotes us?"""
        return self.post is not None and self.permalink == self.post.permalink


# How a campaign is told: what a game master says about its reports, and in them. Only
# `forum.services` writes here.


class ReportTemplate(models.Model):
    """What stands about every report of a campaign in one language: `forum.posts.reports` puts it
    there.

    `subject`, `greeting`, `signature` have placeholders by name (`forum.posts.reports`); empty ones
    say nothing.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="report_templates")
    language = models.CharField(max_length=8)
    tone = models.CharField(max_length=20)
    subject = models.CharField(max_length=200, blank=True, default="")
    greeting = models.TextField(blank=True, default="")
    signature = models.TextField(blank=True, default="")
    parts = models.TextField(
        help_text="canonical JSON: the parts of a report that are told, in their order"
    )
    changed_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "language"], name="one_template_a_language")
        ]

    def __str__(self) -> str:
        return f"{self.campaign_id}: {self.language}"

    @property
    def order(self) -> list[str]:
        return list(read(self.parts))


class ReportComment(models.Model):
    """What a game master says in one report, before and after what happened: text and
    nothing else.
    """

    campaign = models.ForeignKey(Campaign, models.PROTECT, related_name="report_comments")
    report = models.CharField(max_length=80, help_text="the report's key")
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
