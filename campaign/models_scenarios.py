"""Scenarios that people write, and the drawings of maps that go with them. Only `campaign.services` writes here."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy

PEOPLE = settings.AUTH_USER_MODEL


class Drawing(models.Model):
    """A map as its title has read it and written it anew. It is named by what it says, so it never changes; scenarios and
    campaigns that show the same map share it."""

    digest = models.CharField(max_length=64, primary_key=True, editable=False, help_text="SHA-256 of the text")
    text = models.TextField(help_text="canonical JSON, as the title wrote it")

    def __str__(self) -> str:
        return self.digest[:12]


class Scenario(models.Model):
    """A scenario on somebody's shelf. A campaign takes copies: what becomes of this row is nothing to it.

    `removed_at` takes it from every page but its owner's list, where it may be brought back; `hidden` is the host's.
    """

    class Sharing(models.TextChoices):
        PRIVATE = "private", gettext_lazy("Private: only you")
        LINK = "link", gettext_lazy("By link: whoever has the address")
        PUBLIC = "public", gettext_lazy("Public: in the list for everybody")

    public_id = models.CharField(max_length=8, unique=True, editable=False)
    owner = models.ForeignKey(PEOPLE, models.PROTECT, related_name="scenarios")
    title = models.CharField(max_length=40, help_text="key of the game")
    name = models.CharField(max_length=100)
    text = models.TextField(help_text="canonical JSON of the scenario object")
    drawing = models.ForeignKey(Drawing, models.PROTECT, null=True, blank=True, related_name="scenarios")
    digest = models.CharField(max_length=64, help_text="SHA-256 of scenario and drawing")
    sharing = models.CharField(max_length=10, choices=Sharing.choices, default=Sharing.PRIVATE)
    made_at = models.DateTimeField()
    removed_at = models.DateTimeField(null=True, blank=True)
    hidden = models.BooleanField(default=False, help_text="the host has taken it from everybody but its owner")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "title", "digest"], condition=Q(removed_at=None), name="one_of_a_kind_a_shelf"
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} ({self.public_id})"
