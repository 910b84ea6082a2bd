"""What others write where a campaign is told. Only `forum.services` and `forum.following` write here."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from engine.strict_json import read
from forum.models import Post, Thread

PEOPLE = settings.AUTH_USER_MODEL


class Following(models.Model):
    """A thread whose place is read: off until a game master switches it on, and nobody signs in for it.

    `known` is the last post that was heard, by the board's own name, at `place`; `seen` what the board said of its first
    page, so that an unchanged one is not sent again. `stopped_at`: it could not be read, and nobody tries until a person
    says so.
    """

    thread = models.OneToOneField(Thread, models.PROTECT, related_name="following")
    active = models.BooleanField(default=False)
    shown = models.BooleanField(default=True, help_text="to the players, too")
    place = models.TextField(blank=True, default="", help_text="the thread's settings as they were when it was read")
    known = models.CharField(max_length=40, blank=True, default="")
    seen = models.TextField(default="{}", help_text="canonical JSON: headers of the next question, by address")
    next_at = models.DateTimeField(null=True, blank=True)
    read_at = models.DateTimeField(null=True, blank=True, help_text="when it last went well")
    failures = models.PositiveIntegerField(default=0, help_text="in a row")
    stopped_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=500, blank=True, default="")
    changed_by = models.ForeignKey(PEOPLE, models.PROTECT, related_name="+")

    class Meta:
        indexes = [models.Index(fields=["next_at"], condition=Q(active=True, stopped_at=None), name="thread_to_read")]

    def __str__(self) -> str:
        return f"{self.thread_id}: {'followed' if self.active else 'not followed'}"

    @property
    def headers(self) -> dict[str, dict[str, str]]:
        return dict(read(self.seen))


class HeardPost(models.Model):
    """A post that stands at a thread's place, by the board's own name for it. `post` is the report whose mark it bears:
    ours, or one that quotes it."""

    thread = models.ForeignKey(Thread, models.PROTECT, related_name="heard")
    name = models.CharField(max_length=40)
    author = models.CharField(max_length=100, blank=True, default="")
    said_at = models.DateTimeField(null=True, blank=True, help_text="by the board's clock")
    heard_at = models.DateTimeField()
    text = models.TextField(blank=True, default="")
    permalink = models.CharField(max_length=500, blank=True, default="")
    post = models.ForeignKey(Post, models.PROTECT, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["thread", "name"], name="one_row_a_heard_post")]

    def __str__(self) -> str:
        return f"{self.thread_id}/{self.name}"

    @property
    def ours(self) -> bool:
        """Did we post it, rather than somebody who quotes us?"""
        return self.post is not None and self.permalink == self.post.permalink
