"""What is kept about a user, as a file for themselves.

The file is a zip of JSON with a page to read. The worker makes it; it is kept sealed in the storage
that all machines share, and can be downloaded for a day. Every column that points to a user is in
`SECTIONS`; a test checks that.
"""

from __future__ import annotations

import base64
import io
import json
import logging
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import partial
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from django.contrib.admin.models import LogEntry as AdminEntry
from django.db.models import ForeignKey, Model
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from battles import ratings
from battles.models import Evidence, LobbyPassword
from campaign import keys
from campaign import models as table
from campaign.errors import TableError
from campaign.models import Campaign, Membership
from campaign.seats.selectors import text_of
from engine.language import reading_in
from forum import models as forum
from moderation.models import Removal, Report
from notices import models as notices
from people import models as people
from people.models import OwnData, User
from people.sessions import BROWSER, USED_ON, live_sessions
from talk import selectors as talk
from talk.models import Message
from web.frame import files

log = logging.getLogger(__name__)
DAY = timedelta(days=1)
PATIENCE, SILENCE = timedelta(seconds=15), timedelta(minutes=2)
"""So long after it was asked for nobody has begun: no worker runs; so long nothing was heard: who
made it has died.
"""
SECRETS = frozenset(
    {
        "password",
        "sealed",
        "secret",
        "secret_hash",
        "token_hash",
        "code_hash",
        "session",
        "data",
        "text_sealed",
        "seed_sealed",
        "digest_key_sealed",
        "content",
        "settings",
        "effects",
        "hash",
        "digest",
        "username_folded",
        "email_folded",
        "key",
        "given",
        "sessions_ended",
        "parked",
        "mixing",
        "last_hash",
        "standing_hash",
        "last_sequence",
        "result",
        "board_message",
        "why",
        "username_skeleton",
    }
)
"""Columns that open something, that are made again from others, or that say what others must not
know.
"""


class Section(NamedTuple):
    """The rows of a model that are about a user by this column.

    `more` reads what a column keeps sealed. `only` names the columns that are shown, if most of the
    row is not about the user.
    """

    name: str
    label: Any
    model: type[Model]
    field: str
    more: Callable[[Any], Mapping[str, Any]] = lambda row: {}
    only: tuple[str, ...] = ()


def _note(row: table.Note) -> Mapping[str, Any]:
    return {"text": text_of(row)}


def _reported(row: Report, *, of_reporter: bool) -> Mapping[str, Any]:
    """Return the text, and the moderator's words if they were for this person.

    They are for the reporter if the text was left as it is, otherwise for the author.
    """
    theirs = (row.outcome == Report.Outcome.DISMISSED) is of_reporter
    return {"text": row.text, "words": row.words if theirs else ""}


SECTIONS: tuple[Section, ...] = (
    Section("addresses", gettext_lazy("E-mail addresses"), EmailAddress, "user"),
    Section(
        "elsewhere",
        gettext_lazy("Accounts elsewhere by which you sign in"),
        SocialAccount,
        "user",
        only=("id", "provider", "uid", "last_login", "date_joined"),
    ),
    Section("second-factors", gettext_lazy("Second factors"), Authenticator, "user"),
    Section(
        "administration", gettext_lazy("What you did in the administration"), AdminEntry, "user"
    ),
    Section("discord", gettext_lazy("Link to Discord"), people.DiscordAccount, "user"),
    Section("absences", gettext_lazy("Absences"), people.Absence, "user"),
    Section("tokens", gettext_lazy("Tokens of programs"), people.Token, "user"),
    Section(
        "blocks",
        gettext_lazy("People you block"),
        people.Block,
        "user",
        lambda row: {"name": row.blocked.username},
    ),
    Section(
        "host", gettext_lazy("What host and moderators did to your account"), people.HostAct, "user"
    ),
    Section(
        "moderated",
        gettext_lazy("What you did as a moderator"),
        people.HostAct,
        "by",
        only=("id", "what", "at"),
    ),
    Section(
        "site-invitations",
        gettext_lazy("Invitations to this site that you made"),
        people.SiteInvitation,
        "made_by",
    ),
    Section(
        "guests",
        gettext_lazy("Guests that became you"),
        people.User,
        "merged_into",
        only=("id", "username", "date_joined"),
    ),
    Section("own-data", gettext_lazy("Files like this one"), people.OwnData, "user"),
    Section("places", gettext_lazy("Places at tables"), table.Membership, "user"),
    Section(
        "founded",
        gettext_lazy("Campaigns that you founded"),
        table.Campaign,
        "founder",
        only=("id", "public_id", "name", "title", "visibility", "founded_at", "status"),
    ),
    Section(
        "entries",
        gettext_lazy("What you did, in the logs"),
        table.LogEntry,
        "actor",
        only=("id", "campaign", "number", "seat", "what", "at", "turn"),
    ),
    Section("plans", gettext_lazy("Plans"), table.Plan, "user"),
    Section("notes", gettext_lazy("Notes for your seats"), table.Note, "user", _note),
    Section("standing-orders", gettext_lazy("Standing orders"), table.StandingOrders, "user"),
    Section("applications", gettext_lazy("Applications in lobbies"), table.Application, "user"),
    Section("invitations", gettext_lazy("Invitations that you made"), table.Invitation, "made_by"),
    Section("offers", gettext_lazy("Seats offered to you"), table.Invitation, "named"),
    Section("offers-of-yours", gettext_lazy("Seats of yours, offered"), table.Invitation, "leaver"),
    Section("handovers", gettext_lazy("Seats handed over to you"), table.Handover, "user"),
    Section(
        "handed-over",
        gettext_lazy("Seats that you handed over"),
        table.Handover,
        "leaver",
        only=("id", "campaign", "seat", "at"),
    ),
    Section("imports", gettext_lazy("Records and scenarios that you sent"), table.Import, "user"),
    Section("looks", gettext_lazy("Hidden hands that you opened"), table.Look, "user"),
    Section("scenarios", gettext_lazy("Scenarios"), table.Scenario, "owner"),
    Section("drafts", gettext_lazy("Drafts of scenarios"), table.Draft, "owner"),
    Section(
        "messages",
        gettext_lazy("Messages that you wrote"),
        Message,
        "author",
        lambda row: {"text": row.gap or row.text},
    ),
    Section(
        "lobby-passwords",
        gettext_lazy("Passwords of lobbies in the game that you set"),
        LobbyPassword,
        "set_by",
        only=("id", "number", "set_at"),
    ),
    Section("notices", gettext_lazy("Notices"), notices.Notice, "user"),
    Section("channels", gettext_lazy("Channels of notices"), notices.Channel, "user"),
    Section("muted", gettext_lazy("Muted campaigns"), notices.Mute, "user"),
    Section("feeds", gettext_lazy("Feeds"), notices.Feed, "user"),
    Section("webhooks", gettext_lazy("Webhooks that you set up"), notices.Webhook, "made_by"),
    Section("threads", gettext_lazy("Places on boards that you set up"), forum.Thread, "made_by"),
    Section("posts", gettext_lazy("Posts that you prepared"), forum.Post, "made_by"),
    Section(
        "following",
        gettext_lazy("Threads that you let the site read"),
        forum.Following,
        "changed_by",
        only=("id", "active", "read_at"),
    ),
    Section(
        "report-templates", gettext_lazy("Templates of reports"), forum.ReportTemplate, "changed_by"
    ),
    Section("flavours", gettext_lazy("Words in reports"), forum.Flavour, "changed_by"),
    Section(
        "reports",
        gettext_lazy("Texts that you reported"),
        Report,
        "by",
        partial(_reported, of_reporter=True),
        only=(
            "id",
            "kind",
            "ref",
            "campaign",
            "reason",
            "to_masters",
            "at",
            "masters_at",
            "settled_at",
            "outcome",
        ),
    ),
    Section(
        "reported",
        gettext_lazy("Texts of yours that were reported"),
        Report,
        "author",
        partial(_reported, of_reporter=False),
        only=("id", "kind", "ref", "campaign", "at", "settled_at", "outcome"),
    ),
    Section(
        "decided",
        gettext_lazy("Reports that you decided"),
        Report,
        "settled_by",
        only=("id", "kind", "ref", "settled_at", "outcome"),
    ),
    Section(
        "removed",
        gettext_lazy("Texts of yours that were removed"),
        Removal,
        "author",
        lambda row: {"text": row.text},
        only=("id", "kind", "ref", "campaign", "reason", "at"),
    ),
    Section(
        "removals",
        gettext_lazy("Texts that you removed"),
        Removal,
        "by",
        only=("id", "kind", "ref", "campaign", "reason", "at"),
    ),
)
ELSEWHERE = frozenset({"people.block.blocked", "people.browsersession.user"})
"""Columns that refer to a user but belong to another: blocks by others. Also sessions, which
have their own section (`sessions`)."""


# What goes into the file


def _value(value: Any) -> Any:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, (bytes, memoryview)):
        return None
    return str(value) if isinstance(value, str) else value


def row_of(row: Model, section: Section) -> dict[str, Any]:
    """Return a row's columns as JSON, without secrets and without the numbers of other users.

    A campaign is named by its address.
    """
    shown: dict[str, Any] = {}
    for column in row._meta.concrete_fields:
        if column.name in SECRETS or (section.only and column.name not in section.only):
            continue
        if isinstance(column, ForeignKey) and column.related_model is User:
            continue
        value = getattr(row, column.attname)
        if (
            isinstance(column, ForeignKey)
            and column.related_model is Campaign
            and value is not None
        ):
            value = _address(value)
        shown[column.name] = _value(value)
    return shown | dict(section.more(row))


def _address(pk: int) -> str:
    return Campaign.objects.filter(pk=pk).values_list("public_id", flat=True).first() or ""


def account(user: User) -> list[dict[str, Any]]:
    own = Section("account", "", User, "pk")
    return [
        {
            key: value
            for key, value in row_of(user, own).items()
            if key not in ("is_superuser", "is_staff")
        }
    ]


def sessions(user: User) -> list[dict[str, Any]]:
    return [
        {
            "until": row.expire_date.isoformat(),
            "used_on": data.get(USED_ON),
            **data.get(BROWSER, {}),
        }
        for row, data in live_sessions(user)
    ]


def messages_read(user: User) -> list[dict[str, Any]]:
    """Return what the user can read now of what others wrote to their seats."""
    rows: list[dict[str, Any]] = []
    held = Membership.objects.filter(user=user, until=None).values("campaign")
    for campaign in Campaign.objects.filter(pk__in=held).order_by("pk"):
        try:
            who = talk.reader(campaign, user)
        except TableError:
            continue
        rows += [
            {
                "campaign": campaign.public_id,
                "thread": one.thread.key,
                "number": one.number,
                "seat": one.seat,
                "person": one.author.username,
                "text": one.gap or one.text,
                "at": one.at.isoformat(),
            }
            for one in talk.messages(who).exclude(author=user)
        ]
    return rows


def rated(user: User) -> list[dict[str, Any]]:
    """Return what the user's ratings come from; empty if they do not take part."""
    now = ratings.ratings()
    halves = (("battles", now.battles), ("campaigns", now.campaigns))
    return [
        {
            "of": name,
            "at": one.at.isoformat(),
            "before": share.before.value,
            "after": share.after.value,
        }
        for name, half in halves
        for one, share in half.results_of(user.pk)
    ]


MADE: tuple[tuple[str, Any, Callable[[User], list[dict[str, Any]]]], ...] = (
    ("account", gettext_lazy("Your account"), account),
    ("sessions", gettext_lazy("Browsers in which you are signed in"), sessions),
    ("messages-read", gettext_lazy("Messages that you can read"), messages_read),
    ("ratings", gettext_lazy("Ratings"), rated),
)


def parts(user: User) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    """Yield each part with its name, its heading and its rows."""
    for name, label, read in MADE:
        yield name, str(label), read(user)
    for one in SECTIONS:
        rows = one.model._default_manager.filter(**{one.field: user}).order_by("pk")
        yield one.name, str(one.label), [row_of(row, one) for row in rows.iterator()]
    shown = Evidence.objects.filter(entry__actor=user).order_by("pk")
    yield (
        "evidence",
        _("Evidence that you showed"),
        [row_of(row, Section("", "", Evidence, "")) for row in shown],
    )


PARTS = len(MADE) + len(SECTIONS) + 1


@dataclass(frozen=True, slots=True)
class DataPart:
    """A part of the page to read: a table with one line for each row."""

    name: str
    label: str
    columns: list[str]
    rows: list[list[Any]]


@dataclass(frozen=True, slots=True)
class DataPage:
    """The page to read."""

    name: str
    at: datetime
    language: str
    parts: list[DataPart]

    @property
    def title(self) -> str:
        return _("What is kept about %(name)s") % {"name": self.name}

    @property
    def filled(self) -> list[DataPart]:
        return [part for part in self.parts if part.rows]

    @property
    def empty(self) -> str:
        """Return the headings of the parts without rows."""
        return " ".join(f"{part.label}." for part in self.parts if not part.rows)


def write(user: User, note_progress: Callable[[int], None] = lambda done: None) -> bytes:
    """Return the whole zip."""
    shown, file = [], io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for done, (name, label, rows) in enumerate(parts(user), 1):
            archive.writestr(f"data/{name}.json", json.dumps(rows, ensure_ascii=False, indent=1))
            shown.append(data_part(name, label, rows))
            note_progress(done)
        language = translation.get_language() or "en"
        page = DataPage(user.username, timezone.now(), language, shown)
        index = render_to_string("moderation/own_data_index.html", {"page": page})
        archive.writestr("index.html", index)
    return file.getvalue()


def data_part(name: str, label: str, rows: Sequence[Mapping[str, Any]]) -> DataPart:
    """Return a part of the page to read. What a row lacks is empty."""
    columns = list(dict.fromkeys(key for row in rows for key in row))
    values = [["" if row.get(key) is None else row[key] for key in columns] for row in rows]
    return DataPart(name, label, columns, values)


# Making it


def file_of(row: OwnData) -> str:
    return f"own/{row.user_id}/{row.key}.sealed"


def make(pk: int) -> None:
    """Make the file of a row, unless it is there or being made."""
    now = timezone.now()
    row = OwnData.objects.select_related("user").filter(pk=pk, ready_at=None).first()
    if (
        row is None
        or (row.heard_at is not None and now - row.heard_at < SILENCE)
        or row.user.erased_at is not None
    ):
        return
    OwnData.objects.filter(pk=pk).update(heard_at=now, of=PARTS, done=0, failed=False)

    def note_progress(done: int) -> None:
        OwnData.objects.filter(pk=pk).update(done=done, heard_at=timezone.now())

    try:
        with translation.override(row.language), reading_in(row.language):
            content = write(row.user, note_progress)
        files.put(file_of(row), io.BytesIO(keys.seal(base64.b64encode(content).decode()).encode()))
    except Exception:
        OwnData.objects.filter(pk=pk).update(failed=True)
        raise
    OwnData.objects.filter(pk=pk).update(ready_at=timezone.now())


def tick(now: datetime) -> int:
    """Remove files that are older than a day, with their rows; return how many."""
    return sum(remove(row) for row in OwnData.objects.filter(asked_at__lt=now - DAY))


def erase(user: User, at: datetime) -> list[str]:
    """Remove the files of a user who leaves for good.

    A file that cannot be removed now keeps its row, and `tick` tries again.
    """
    rows = list(OwnData.objects.filter(user=user))
    for row in rows:
        remove(row)
    return [f"{len(rows)} files of their own data"]


def remove(row: OwnData) -> bool:
    """Remove a file and return whether it is gone; the next tick tries again."""
    try:
        files.remove(file_of(row))
    except files.no_answer() as error:
        log.warning("A file of somebody's own data is not removed yet: %s", error)
        return False
    row.delete()
    return True
