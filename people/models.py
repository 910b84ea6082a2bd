"""Who somebody is. What they hold at a table is `campaign`'s to know."""

from collections.abc import Iterator
from datetime import UTC, date
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from engine.strict_json import clean_text
from people import names
from people.sessions import BrowserSession
from people.validators import FORMER, fold, name, one_line, zone

LONGEST = 254
"""No e-mail address has more characters, and no name."""


class Folded(models.CharField):
    """Keeps `fold()` of another field, so that one unique index holds in every alphabet and on
    every database.

    Empty text is kept as NULL: any number of people may have none. So is the text of a row whose
    flag `unless` is set.
    """

    def __init__(self, *args: Any, of: str, unless: str = "", **kwargs: Any) -> None:
        self.of, self.unless = of, unless
        super().__init__(*args, **kwargs)

    def deconstruct(self) -> Any:
        path, field, args, kwargs = super().deconstruct()
        return (
            path,
            field,
            args,
            {**kwargs, "of": self.of, **({"unless": self.unless} if self.unless else {})},
        )

    def pre_save(self, model_instance: models.Model, add: bool) -> str | None:
        value = getattr(model_instance, self.of)
        hidden = self.unless and getattr(model_instance, self.unless)
        value = None if hidden else fold(getattr(value, "kept", value)) or None
        setattr(model_instance, self.attname, value)
        return value


class Skeleton(models.CharField):
    """The `names.skeleton()` of the username, for the search for names that look alike.

    It is not unique: users chose some of these names before the rule existed.
    """

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        name = getattr(model_instance, "username", "")
        value = names.skeleton(getattr(name, "kept", name))
        setattr(model_instance, self.attname, value)
        return value


class Former(str):
    """The name of somebody who has been erased, in the language of who reads it; `kept` is what
    stands in the database.
    """

    kept: str


class Name(models.CharField):
    """A name that everybody sees. A person who has been erased has none of their own: all of them
    are called the same, when read.

    In the database each has another word, which no living person may choose, so that names stay
    unique.
    """

    MARK = "@former "

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        if value is None or not value.startswith(self.MARK):
            return value
        former = Former(translation.gettext(FORMER))
        former.kept = value
        return former

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(getattr(value, "kept", value))


class Theme(models.TextChoices):
    SYSTEM = "system", _("As the device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


# Each named in itself; without a choice a page is in the language the browser asks for.
LANGUAGES = [
    ("", _("As the browser")),
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("it", "Italiano"),
]


def today() -> date:
    return timezone.now().astimezone(UTC).date()


class User(AbstractUser):
    """A person who signs in. The username is the name everybody sees."""

    first_name = None  # type: ignore[assignment]  # so Django removes an inherited field
    last_name = None  # type: ignore[assignment]  # likewise
    username = Name(
        _("name"),
        max_length=60,
        unique=True,
        validators=[name],
        error_messages={"unique": _("This name is taken.")},
    )
    username_folded = Folded(of="username", max_length=1000, unique=True, editable=False)
    username_skeleton = Skeleton(
        max_length=names.LONGEST_SKELETON, default="", db_index=True, editable=False
    )
    email = models.EmailField(_("e-mail"), blank=True)
    email_folded = Folded(
        of="email",
        unless="email_is_anothers",
        max_length=1000,
        unique=True,
        null=True,
        editable=False,
    )
    email_is_anothers = models.BooleanField(
        default=False,
        help_text=(
            "given at sign-up, but somebody else has this address: nobody is found by it"
            " (decision 30)"
        ),
    )
    time_zone = models.CharField(max_length=64, default="UTC", validators=[zone])
    language = models.CharField(max_length=8, choices=LANGUAGES, default="", blank=True)
    theme = models.CharField(max_length=8, choices=Theme, default=Theme.SYSTEM)
    forum_name = models.CharField(
        _("name on the forum"), max_length=60, blank=True, validators=[one_line]
    )
    fog2_name = models.CharField(
        _("name in Field of Glory II"), max_length=60, blank=True, validators=[one_line]
    )
    owns_mare_nostrum = models.BooleanField(_("owns Mare Nostrum"), default=False)
    rated = models.BooleanField("takes part in the ratings", default=False)
    demo = models.BooleanField("demonstration user", default=False)
    guest = models.BooleanField("plays without an account", default=False)
    merged_into = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="guests",
        help_text="who has a guest's places now",
    )
    seen_on = models.DateField(
        default=today, help_text="the last day of a page, in UTC: `people.services`"
    )
    password_used_on = models.DateField(
        null=True, blank=True, help_text="the last day of a sign-in by password, in UTC"
    )
    code_used_on = models.DateField(
        null=True, blank=True, help_text="the same of a code by mail: `people.ways`"
    )
    suspended_at = models.DateTimeField(null=True, blank=True)
    suspended_for = models.TextField(blank=True, default="", help_text="why, as he reads it")
    erased_at = models.DateTimeField(null=True, blank=True)
    sessions_ended = models.PositiveIntegerField(
        default=0, help_text="how often all sessions were ended: `people.proof`"
    )
    moderator = models.BooleanField(
        default=False, help_text="looks after this site for its host: `manage.py moderator`"
    )
    closes_at = models.DateTimeField(
        null=True, blank=True, help_text="when the account closes, as its owner wants"
    )
    closing_erases = models.BooleanField(
        default=False, help_text="all that is kept of them is erased then"
    )
    closed_at = models.DateTimeField(
        null=True, blank=True, help_text="when it was closed, by a moderator or its owner"
    )
    terms_version = models.CharField(
        max_length=40, blank=True, default="", help_text="of the terms that they agreed to"
    )
    terms_at = models.DateTimeField(null=True, blank=True)

    @cached_property
    def noted(self) -> dict[int, Any]:
        """What the request that this object lives in has noted of campaigns, by their rows:
        `campaign.access.Noted`.
        """
        return {}

    def get_session_auth_hash(self) -> str:
        """Django compares it with what a session holds: another password, or `sessions_ended`, ends
        every session.
        """
        return self._since_ended(super().get_session_auth_hash())

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        return map(self._since_ended, super().get_session_auth_fallback_hash())

    def _since_ended(self, hashed: str) -> str:
        return (
            sha256(f"{hashed}\n{self.sessions_ended}".encode()).hexdigest()
            if self.sessions_ended
            else hashed
        )

    def save(self, *args: Any, **kwargs: Any) -> None:
        """A field saved alone, as allauth does, takes its folded form along: the unique index must
        not fall behind.
        """
        if (only := kwargs.get("update_fields")) is not None:
            folded = {f"{name}_folded" for name in ("username", "email") if name in only}
            kwargs["update_fields"] = {
                *only,
                *folded,
                *({"username_skeleton"} if "username" in only else ()),
            }
        super().save(*args, **kwargs)

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username


class Absence(models.Model):
    """A time in which somebody is away, from the first to the last day of it in the zone that was
    theirs when they said so.

    `everywhere` absences count in all campaigns of the user, others in those that
    `campaign.models.AbsenceCampaign` lists. Everyone who sees such a campaign sees the dates. The
    note is for those who play there, or only for the game masters. A withdrawn absence stays.
    """

    LONGEST_NOTE = 200

    user = models.ForeignKey(User, models.PROTECT, related_name="absences")
    first = models.DateField()
    last = models.DateField()
    time_zone = models.CharField(max_length=64)
    begins_at = models.DateTimeField(help_text="when the first day begins there")
    ends_at = models.DateTimeField(help_text="when the last day has ended there")
    note = models.CharField(max_length=LONGEST_NOTE, blank=True, default="")
    masters_only = models.BooleanField(default=False, help_text="only game masters read the note")
    everywhere = models.BooleanField(default=True)
    announced_at = models.DateTimeField()
    changed_at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["begins_at", "pk"]
        indexes = [
            models.Index(
                fields=["user", "ends_at"],
                condition=models.Q(taken_back_at=None),
                name="absences_that_stand",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.first} to {self.last}"


class Token(models.Model):
    """What a program of somebody's signs in by (`people.tokens`). Only the hash of its secret is
    kept.

    One without `ends_at` lives until it is revoked. `last_used_at` is kept to the hour.
    """

    LONGEST_NAME = 60

    class Scope(models.TextChoices):
        READ = "read", _("read")
        PLAY = "play", _("read and play")

    user = models.ForeignKey(User, models.PROTECT, related_name="tokens")
    name = models.CharField(max_length=LONGEST_NAME, blank=True)
    scope = models.CharField(max_length=4, choices=Scope.choices)
    secret_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-made_at", "-pk"]
        indexes = [
            models.Index(
                fields=["user"], condition=models.Q(revoked_at=None), name="tokens_not_revoked"
            )
        ]

    def __str__(self) -> str:
        return f"{self.scope} of {self.user_id}"


class DiscordAccount(models.Model):
    """A person's account at Discord, linked by a one-time code: what it asks for there is done as
    theirs.
    """

    user = models.OneToOneField(User, models.PROTECT, related_name="discord_account")
    discord = models.CharField(max_length=25, unique=True, help_text="the account's number there")
    name = models.CharField(max_length=100, blank=True, default="")
    linked_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Block(models.Model):
    """Two people of whom one wants to hear nothing from the other (`people.services`). It works
    both ways; only `user` knows.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(User, models.CASCADE, related_name="+")
    at = models.DateTimeField()

    class Meta:
        ordering = ["-pk"]
        constraints = [models.UniqueConstraint(fields=["user", "blocked"], name="blocked_once")]

    def __str__(self) -> str:
        return f"{self.user_id} blocks {self.blocked_id}"


class SiteInvitation(models.Model):
    """A link by which somebody may make an account while others may not (`people.services`). Only
    its token's hash is kept.
    """

    LONGEST_NOTE = 80

    token_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(
        max_length=LONGEST_NOTE,
        blank=True,
        default="",
        help_text="whom it is for, in the host's words",
    )
    made_by = models.ForeignKey(
        User,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="none: by a command",
    )
    made_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    uses_left = models.PositiveIntegerField(default=1)
    used = models.PositiveIntegerField(default=0)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"invitation to this site {self.pk}"


class ClosedAddress(models.Model):
    """An address whose account a moderator has closed: nobody signs up with it again. Only a keyed
    digest is kept.
    """

    digest = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.digest[:12]


class OwnDataExport(models.Model):
    """What is kept of somebody, on its way into a file that they asked for (`web.own_data`). `key`
    is drawn at random and names the file, which is removed a day after it was made.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="own_data")
    key = models.CharField(max_length=64, unique=True)
    language = models.CharField(max_length=8, default="en")
    asked_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="when who makes it last said so"
    )
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    ready_at = models.DateTimeField(null=True, blank=True)
    failed = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"what is kept of {self.user_id}"


class HostAct(models.Model):
    """What the host or a moderator did to somebody, where no campaign's log tells of it: suspended,
    unsuspended, erased, closed, reopened, warned, renamed.
    """

    act = models.CharField(max_length=12)
    user = models.ForeignKey(User, models.PROTECT, related_name="host_acts")
    reason = models.TextField(blank=True, default="")
    by = models.ForeignKey(
        User,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="none: by a command",
    )
    at = models.DateTimeField()

    class Meta:
        ordering = ["at", "pk"]

    def __str__(self) -> str:
        return f"{self.act}: {self.user}"


__all__ = [
    "Absence",
    "Block",
    "BrowserSession",
    "ClosedAddress",
    "DiscordAccount",
    "HostAct",
    "OwnDataExport",
    "SiteInvitation",
    "Theme",
    "Token",
    "User",
    "called",
    "find",
    "look_alike",
]


def called(name: str) -> User | None:
    """Who has this name, in whatever case; nobody who may not sign in, and no guest, who plays
    alone.
    """
    folded = _looked_for(name)
    return (
        User.objects.filter(username_folded=folded, is_active=True, guest=False).first()
        if folded
        else None
    )


def look_alike(name: str, besides: int | None = None) -> User | None:
    """Return another user whose name looks like this name; `besides` is the row of the user who
    wants the name.
    """
    alike = User.objects.filter(username_skeleton=names.skeleton(name))
    return (alike if besides is None else alike.exclude(pk=besides)).first()


def find(text: str) -> User | None:
    """Who signs in by this name or e-mail address, in whatever case."""
    folded = _looked_for(text)
    column = "email_folded" if "@" in folded else "username_folded"
    return User.objects.filter(**{column: folded}).first() if folded else None


def _looked_for(text: str) -> str:
    """What is typed, as it is looked for; empty where it can be nobody's: a database refuses some
    signs in a query.
    """
    text = text.strip()
    return fold(text) if clean_text(text, LONGEST) else ""
