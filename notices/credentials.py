"""Devices, chats and feeds: the credentials of a user for notices."""

from __future__ import annotations

from datetime import datetime

from django.db.models import QuerySet
from django.utils.translation import gettext_lazy

from notices.channels.services import channels_of_user, remove
from notices.models import Channel, FeedAddress, Service
from people.credentials import Credential, Source
from people.models import User


def _channels(user: User, *, devices: bool) -> QuerySet[Channel]:
    """Return a user's channels without e-mail, which uses the account's own address."""
    rows = channels_of_user(user).exclude(service=Service.EMAIL)
    return rows.filter(service=Service.PUSH) if devices else rows.exclude(service=Service.PUSH)


def _listed(rows: QuerySet[Channel], kind: str) -> list[Credential]:
    return [
        Credential(kind, str(row.pk), row.called, row.created_at, used_at=row.last_ok_at)
        for row in rows
    ]


def _end(rows: QuerySet[Channel], now: datetime, key: str | None) -> None:
    for row in rows:
        if key in (None, str(row.pk)):
            remove(row, now)


def _devices(user: User) -> list[Credential]:
    return _listed(_channels(user, devices=True), "device")


def _end_device(user: User, now: datetime, key: str | None) -> None:
    _end(_channels(user, devices=True), now, key)


def _chats(user: User) -> list[Credential]:
    return _listed(_channels(user, devices=False), "channel")


def _end_chat(user: User, now: datetime, key: str | None) -> None:
    _end(_channels(user, devices=False), now, key)


def _feeds(user: User) -> list[Credential]:
    return [
        Credential("feed", row.kind, str(row.get_kind_display()), row.created_at, row.used_at)
        for row in FeedAddress.objects.filter(user_id=user.pk, revoked_at=None).order_by("pk")
    ]


def _end_feed(user: User, now: datetime, key: str | None) -> None:
    rows = FeedAddress.objects.filter(user_id=user.pk, revoked_at=None)
    (rows if key is None else rows.filter(kind=key)).update(revoked_at=now)


SOURCES = (
    Source("device", gettext_lazy("Devices that are notified"), _devices, _end_device),
    Source("channel", gettext_lazy("Chats that are notified"), _chats, _end_chat),
    Source("feed", gettext_lazy("Addresses of feeds and calendar"), _feeds, _end_feed),
)
