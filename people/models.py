"""Users and their accounts. Their seats and roles in campaigns are models of `campaign`."""

from collections.abc import Iterator
from datetime import UTC, date
from functools import cached_property
from hashlib import sha256
from typing import Any

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from engine.strict_json import is_clean_text
from people import names
from people.sessions import BrowserSession
from people.validators import FORMER, fold, name, one_line, zone

LONGEST = 254
"""The most characters of an e-mail address; names are shorter."""


class Folded(models.CharField):
    """A column with `fold()` of another field, for a unique index in every alphabet and database.

    An empty text is stored as NULL: any number of users may have none. The same is true for a row
    whose flag `unless` is set.
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


class FormerName(str):
    """The name of an erased user in the language of the reader.

    `kept` is the name in the database.
    """

    kept: str


class Name(models.CharField):
    """A user's name, which everyone sees. Erased users have no name of their own.

    All erased users are shown with the same words. In the database each has another value, which no
    user may choose, so that names stay unique.
    """

    MARK = "@former "

    def from_db_value(self, value: str | None, expression: Any, connection: Any) -> str | None:
        if value is None or not value.startswith(self.MARK):
            return value
        former = FormerName(translation.gettext(FORMER))
        former.kept = value
        return former

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(getattr(value, "kept", value))


class Theme(models.TextChoices):
    """The colours of the pages."""

    SYSTEM = "system", _("Same as the device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


# The name of each language in that language. Without a choice a page is in the language that the
# browser asks for.
LANGUAGES = [
    ("", _("Same as the browser")),
    ("en", "English"),
    ("de", "Deutsch"),
    ("es", "Español"),
    ("it", "Italiano"),
]


def today() -> date:
    """Return today's date in UTC."""
    return timezone.now().astimezone(UTC).date()


class User(AbstractUser):
    """A user of the site: someone with an account, a guest, or a demonstration user.

    The username is the name that everyone sees.
    """

    first_name = None  # type: ignore[assignment]  # so Django removes an inherited field
    last_name = None  # type: ignore[assignment]  # likewise
    username = Name(
        _("name"),
        max_length=60,
        unique=True,
        validators=[name],
        error_messages={"unique": _("This name is already taken.")},
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
            "Given at sign-up although another user has this address: nobody is "
            "found by it (decision 30)."
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
        help_text="Account that took over the places of a guest.",
    )
    seen_on = models.DateField(
        default=today, help_text="Day of the last visit, in UTC (`people.services`)."
    )
    password_used_on = models.DateField(
        null=True, blank=True, help_text="Day of the last sign-in with the password, in UTC."
    )
    code_used_on = models.DateField(
        null=True,
        blank=True,
        help_text="Day of the last sign-in with a mailed code, in UTC (`people.sign_in_ways`).",
    )
    suspended_at = models.DateTimeField(null=True, blank=True)
    suspended_for = models.TextField(
        blank=True, default="", help_text="Reason that the user reads."
    )
    erased_at = models.DateTimeField(null=True, blank=True)
    sessions_ended = models.PositiveIntegerField(
        default=0,
        help_text="Number of times that all sessions were ended (`people.address_proof`).",
    )
    moderator = models.BooleanField(
        default=False, help_text="Moderates this site for the host (`manage.py moderator`)."
    )
    closes_at = models.DateTimeField(
        null=True, blank=True, help_text="When the account will be closed, at its owner's request."
    )
    closing_erases = models.BooleanField(
        default=False, help_text="Whether closing also erases the personal data."
    )
    closed_at = models.DateTimeField(
        null=True, blank=True, help_text="When a moderator or the owner closed it."
    )
    terms_version = models.CharField(
        max_length=40,
        blank=True,
        default="",
        help_text="Version of the terms that the user agreed to.",
    )
    terms_at = models.DateTimeField(null=True, blank=True)

    @cached_property
    def noted(self) -> dict[int, Any]:
        """The facts about campaigns that the current request has looked up.

        See `campaign.access.RequestNotes`.
        """
        return {}

    def get_session_auth_hash(self) -> str:
        """Return the hash that Django compares with the hash in a session.

        A new password, or a change of `sessions_ended`, ends every session.
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
        """Save the folded form together with a field that is saved alone, as allauth does.

        Otherwise the unique index would be out of date.
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
    """An absence of a user, from its first to its last day in the time zone that the user had then.

    `everywhere` absences count in all campaigns of the user, others in those that
    `campaign.models.AbsenceCampaign` lists. Everyone who sees such a campaign sees the dates. The
    note is for those who play there, or only for the game masters. A withdrawn absence stays in the
    database.
    """

    LONGEST_NOTE = 200

    user = models.ForeignKey(User, models.PROTECT, related_name="absences")
    first = models.DateField()
    last = models.DateField()
    time_zone = models.CharField(max_length=64)
    begins_at = models.DateTimeField(help_text="Beginning of the first day in that time zone.")
    ends_at = models.DateTimeField(help_text="End of the last day in that time zone.")
    note = models.CharField(max_length=LONGEST_NOTE, blank=True, default="")
    masters_only = models.BooleanField(
        default=False, help_text="Only game masters can read the note."
    )
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
    """A token with which a program of a user signs in (`people.tokens`).

    Only the hash of its secret is stored. A token without `ends_at` is valid until it is revoked.
    `last_used_at` is exact to the hour.
    """

    LONGEST_NAME = 60

    class Scope(models.TextChoices):
        """The permissions of a token."""

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
    """A user's account at Discord, linked by a one-time code.

    Requests of the Discord account count as requests of the user.
    """

    user = models.OneToOneField(User, models.PROTECT, related_name="discord_account")
    discord = models.CharField(
        max_length=25, unique=True, help_text="Id of the account on Discord."
    )
    name = models.CharField(max_length=100, blank=True, default="")
    linked_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Block(models.Model):
    """A user's block of another user (`people.services`).

    It works in both directions, but only `user` knows of it.
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
    """A link with which people can create an account when sign-up is by invitation.

    Only the hash of its token is stored (`people.services`).
    """

    LONGEST_NOTE = 80

    token_hash = models.CharField(max_length=64, unique=True)
    note = models.CharField(
        max_length=LONGEST_NOTE,
        blank=True,
        default="",
        help_text="Note by the host: for whom the link is.",
    )
    made_by = models.ForeignKey(
        User,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        help_text="Empty for a command.",
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
    """An address whose account a moderator has closed: no one can sign up with it again.

    Only a keyed digest is stored.
    """

    digest = models.CharField(max_length=64, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.digest[:12]


class OwnDataExport(models.Model):
    """A request of a user for a file with all data stored about them (`web.own_data`).

    `key` is random and names the file, which is removed a day after it was made.
    """

    user = models.ForeignKey(User, models.CASCADE, related_name="own_data")
    key = models.CharField(max_length=64, unique=True)
    language = models.CharField(max_length=8, default="en")
    asked_at = models.DateTimeField()
    heartbeat_at = models.DateTimeField(
        null=True, blank=True, help_text="Last sign of life of the worker."
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
    """An act of the host or a moderator that no campaign's log records.

    Acts are: suspended, unsuspended, erased, closed, reopened, warned, renamed.
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
        help_text="Empty for a command.",
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
    "find_by_login",
    "find_by_name",
    "look_alike",
]


def find_by_name(name: str) -> User | None:
    """Return the user with this name, in any case.

    Guests, who play alone, and users who may not sign in are not found.
    """
    folded = _search_key(name)
    return (
        User.objects.filter(username_folded=folded, is_active=True, guest=False).first()
        if folded
        else None
    )


def look_alike(name: str, besides: int | None = None) -> User | None:
    """Return another user whose name looks like this name.

    `besides` is the row of the user who wants the name.
    """
    alike = User.objects.filter(username_skeleton=names.skeleton(name))
    return (alike if besides is None else alike.exclude(pk=besides)).first()


def find_by_login(text: str) -> User | None:
    """Return the user who signs in with this name or e-mail address, in any case."""
    folded = _search_key(text)
    column = "email_folded" if "@" in folded else "username_folded"
    return User.objects.filter(**{column: folded}).first() if folded else None


def _search_key(text: str) -> str:
    """Return typed text in the form in which it is searched.

    It is empty if no user can have it: a database refuses some characters in a query.
    """
    text = text.strip()
    return fold(text) if is_clean_text(text, LONGEST) else ""
