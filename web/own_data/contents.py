"""The contents of the file as JSON: the account, all sections, and parts without a section."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from django.db.models import Field, ForeignKey, Model
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from battles import ratings
from battles.models import Evidence
from battles.ratings import Half
from campaign.errors import TableError
from campaign.models import Campaign, Membership
from people.models import User
from people.sessions import BROWSER, USED_ON, live_sessions
from talk import selectors as talk
from talk.selectors import Reader
from web.own_data.sections import SECRETS, SECTIONS

Row = dict[str, object]
"""The columns of a row by name, with JSON values."""
RIGHTS = frozenset({"is_superuser", "is_staff"})
"""Columns of the account that are not shown."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the file: its name in the zip, its heading, its rows."""

    name: str
    label: str
    rows: list[Row]


def parts(user: User) -> Iterator[Part]:
    """Yield all parts of the file of a user."""
    for name, label, read in FIRST_PARTS:
        yield Part(name, str(label), read(user))
    for section in SECTIONS:
        rows = section.model._default_manager.filter(**{section.field: user}).order_by("pk")
        shown = [row_of(row, section.only) | dict(section.more(row)) for row in rows.iterator()]
        yield Part(section.name, str(section.label), shown)
    yield Part("evidence", _("Evidence that you uploaded"), shown_evidence(user))


def row_of(row: Model, only: Collection[str] = ()) -> Row:
    """Return a row without secrets and without the numbers of other users.

    Args:
        row: The row.
        only: The columns to show; empty for all.
    """
    return {
        column.name: value_of(row, column)
        for column in row._meta.concrete_fields
        if column.name not in SECRETS
        and (not only or column.name in only)
        and not refers_to(column, User)
    }


def refers_to(column: Field[Any, Any], model: type[Model]) -> bool:
    return isinstance(column, ForeignKey) and column.related_model is model


def value_of(row: Model, column: Field[Any, Any]) -> object:
    """Return a column's value. A campaign is shown by its public id."""
    value: object = getattr(row, column.attname)
    if isinstance(value, int) and refers_to(column, Campaign):
        return public_id_of(value)
    return json_value(value)


def public_id_of(campaign: int) -> str:
    public_ids = Campaign.objects.filter(pk=campaign).values_list("public_id", flat=True)
    return public_ids.first() or ""


def json_value(value: object) -> object:
    """Return a value that JSON can represent: times in ISO form or in seconds, no binary data."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, (bytes, memoryview)):
        return None
    return str(value) if isinstance(value, str) else value


# Parts without a section


def account(user: User) -> list[Row]:
    columns = row_of(user)
    return [{name: value for name, value in columns.items() if name not in RIGHTS}]


def sessions(user: User) -> list[Row]:
    """Return the browsers in which the user is signed in."""
    return [
        {
            "until": row.expire_date.isoformat(),
            "used_on": data.get(USED_ON),
            **data.get(BROWSER, {}),
        }
        for row, data in live_sessions(user)
    ]


def readable_messages(user: User) -> list[Row]:
    """Return other users' messages to the user's seats that the user can read now."""
    held = Membership.objects.filter(user=user, until=None).values("campaign")
    rows: list[Row] = []
    for campaign in Campaign.objects.filter(pk__in=held).order_by("pk"):
        try:
            reader = talk.reader(campaign, user)
        except TableError:
            continue
        rows += messages_of_others(campaign, reader, user)
    return rows


def messages_of_others(campaign: Campaign, reader: Reader, user: User) -> Iterator[Row]:
    for message in talk.messages(reader).exclude(author=user):
        yield {
            "campaign": campaign.public_id,
            "thread": message.conversation.key,
            "number": message.number,
            "seat": message.seat,
            "person": message.author.username,
            "text": message.gap or message.text,
            "at": message.at.isoformat(),
        }


def rated_results(user: User) -> list[Row]:
    """Return the results behind the user's ratings; none without ratings."""
    now = ratings.ratings()
    return [
        *results_of("battles", now.battles, user),
        *results_of("campaigns", now.campaigns, user),
    ]


def results_of(name: str, half: Half, user: User) -> Iterator[Row]:
    for result, share in half.results_of(user.pk):
        yield {
            "of": name,
            "at": result.at.isoformat(),
            "before": share.before.value,
            "after": share.after.value,
        }


def shown_evidence(user: User) -> list[Row]:
    """Return the evidence that the user added to battles."""
    return [row_of(row) for row in Evidence.objects.filter(entry__actor=user).order_by("pk")]


FIRST_PARTS: tuple[tuple[str, Promise, Callable[[User], list[Row]]], ...] = (
    ("account", pgettext_lazy("own data", "Your account"), account),
    ("sessions", gettext_lazy("Browsers where you are signed in"), sessions),
    ("messages-read", gettext_lazy("Messages that you can read"), readable_messages),
    ("ratings", pgettext_lazy("own data", "Ratings"), rated_results),
)
"""The name, the heading and the rows of each part before the sections."""
NUMBER_OF_PARTS = len(FIRST_PARTS) + len(SECTIONS) + 1
