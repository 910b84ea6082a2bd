"""Where a campaign is told: set up, changed, tried out, unlocked, removed. Credentials go in and never come out again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import keys
from campaign.errors import NotNow, Refused, TableError
from campaign.models import Campaign
from campaign.services import log
from engine.language import LANGUAGES
from engine.log import canonical
from engine.strict_json import read
from forum import kinds as kinds_
from forum import telling, tones, waking
from forum.dialects import DIALECTS
from forum.models import Post, Thread
from forum.services import rows
from forum.services.outbox import held, made_ready
from forum.services.rows import State
from forum.transports import Transport, Wrong, transports

LEAST, MOST_THREADS = 500, 20


class WrongSetting(TableError):
    """One of the settings cannot be: `field` is the key of the transport's need, or a field of the thread."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__("wrong-setting", text)
        self.field = field


@transaction.atomic
def set_up(
    campaign: Campaign,
    user: Any,
    *,
    transport: str,
    name: str,
    settings: Mapping[str, str],
    dialect: str = "",
    language: str = "en",
    limit: int | None = None,
    kinds: Sequence[str] | None = None,
    at_once: bool = False,
    tone: str = "",
    now: datetime | None = None,
) -> Thread:
    """A new place. Raises `WrongSetting`."""
    table = held(campaign, user)
    if Thread.objects.filter(campaign=table, removed_at=None).count() >= MOST_THREADS:
        raise NotNow("enough-threads", _("A campaign has up to {most} threads. Remove one first.").format(most=MOST_THREADS))
    made = Thread(campaign=table, transport=transport, made_by=user, made_at=log.moment(now))
    chosen = kinds_.usual(table) if kinds is None else kinds
    _fill(made, name, settings, dialect, language, limit, chosen, at_once, {})
    made.tone = _tone(tone)
    made.save(force_insert=True)
    return made


@transaction.atomic
def change(
    thread: Thread,
    user: Any,
    *,
    name: str,
    settings: Mapping[str, str],
    dialect: str,
    language: str,
    limit: int | None,
    kinds: Sequence[str],
    at_once: bool,
    tone: str = "",
    active: bool = True,
) -> Thread:
    """Change a place. A secret that is left empty stays as it is, for the same board only: who changes the address has not
    seen it, and would have it sent there. A new one, or another place, ends the session there."""
    held(thread.campaign, user)
    row = rows.standing(thread)
    was = (row.settings, row.sealed and keys.unseal(row.sealed))
    _fill(row, name, settings, dialect, language, limit, kinds, at_once, secrets(row))
    if was != (row.settings, row.sealed and keys.unseal(row.sealed)):
        row.session, row.locked_at, row.locked_why, row.open_at = "", None, "", None
    if was[0] != row.settings:
        _left_behind(row, str(read(was[0]).get("address", "")))
    row.active, row.tone = active, _tone(tone)
    row.save()
    return row


def _left_behind(thread: Thread, address: str) -> None:
    """What may stand where the thread led before is not looked for at the new place, and not sent there by itself."""
    why = _("It may stand where this thread led before: {address}").format(address=address or "–")
    doubtful = {"state": State.DOUBTFUL, "next_at": None, "last_error": why[:500]}
    Post.objects.filter(thread=thread, state=State.READY, doubt=True).update(**doubtful)


def secrets(thread: Thread) -> dict[str, str]:
    """What is sealed. For the transport and nobody else."""
    return dict(read(keys.unseal(thread.sealed))) if thread.sealed else {}


def account(thread: Thread) -> tuple[object, ...]:
    """The board, name and password that a thread signs in with; nothing where nobody signs in. For `forum.sending`."""
    told, secret = thread.told, secrets(thread)
    if "password" not in secret:
        return ()
    return (_board(transports()[thread.transport], told), told.get("username", ""), secret["password"])


def _fill(
    thread: Thread,
    name: str,
    settings: Mapping[str, str],
    dialect: str,
    language: str,
    limit: int | None,
    kinds: Sequence[str],
    at_once: bool,
    known: Mapping[str, str],
) -> None:
    way = transports().get(thread.transport)
    if way is None:
        raise WrongSetting("transport", _("Choose how the posts get there."))
    told = _told(way, settings, known)
    secret = {need.key for need in way.needs if need.secret}
    if known and _board(way, thread.told) != _board(way, told):
        for key in secret:
            if known.get(key) and not settings.get(key):
                raise WrongSetting(key, _("This is another board: what is kept is not sent there. Type it for this one."))
    thread.settings = canonical({key: value for key, value in told.items() if key not in secret})
    sealed = canonical({key: value for key, value in told.items() if key in secret})
    thread.sealed = keys.seal(sealed) if any(read(sealed).values()) else ""
    thread.name = rows.line(name, 100) or str(way.name)
    thread.dialect = dialect or way.dialect
    if thread.dialect not in DIALECTS:
        raise WrongSetting("dialect", _("Choose how the posts are written."))
    if language not in LANGUAGES:
        raise WrongSetting("language", _("Choose a language."))
    thread.language = language
    if limit is not None and not LEAST <= limit <= way.limit:
        between = _("A post there may have {least} to {most} characters.")
        raise WrongSetting("limit", between.format(least=LEAST, most=way.limit))
    thread.limit = limit
    offered = kinds_.offered(thread.campaign)
    thread.kinds = canonical([kind for kind in offered if kind in kinds])
    thread.at_once = at_once and way.automatic


def _board(way: Transport, told: Mapping[str, str]) -> list[tuple[str, str]]:
    """Where its secrets go: host and folder of each address, whichever topic it names at its end."""
    found = [urlsplit(told.get(need.key, "")) for need in way.needs if need.kind == "url"]
    return [(one.netloc.lower(), re.sub(r"\d+$", "", one.path)) for one in found]


def _tone(tone: str) -> str:
    """One of the tones; empty: the campaign's own."""
    if tone and tone not in tones.TONES:
        raise WrongSetting("tone", _("Choose one of the tones."))
    return tone


def _told(way: Transport, settings: Mapping[str, str], known: Mapping[str, str]) -> dict[str, str]:
    told: dict[str, str] = {}
    for need in way.needs:
        typed = str(settings.get(need.key, "")).strip(" \t\r\n") if not need.secret else str(settings.get(need.key, ""))
        value = rows.line(typed, 500) if not need.secret else typed
        if (typed and not value) or len(typed) > 500 or any(c in typed for c in "\r\n\0"):
            raise WrongSetting(need.key, _("Write it on one line, in up to 500 characters that can be seen."))
        value = value or (known.get(need.key, "") if need.secret else "")
        if need.required and not value:
            raise WrongSetting(need.key, _("This is needed."))
        told[need.key] = value
    try:
        return way.check(told)
    except Wrong as error:
        raise WrongSetting(error.field, str(error)) from None


@transaction.atomic
def remove(thread: Thread, user: Any, *, now: datetime | None = None) -> Thread:
    """Out of the campaign: its credentials are gone, what was posted stays told, what was not is put aside."""
    held(thread.campaign, user)
    row = rows.standing(thread)
    row.removed_at, row.active, row.sealed, row.session = log.moment(now), False, "", ""
    row.save()
    waiting = [State.DRAFT, State.READY, State.FAILED, State.DOUBTFUL]
    Post.objects.filter(thread=row, state__in=waiting).update(state=State.ASIDE, next_at=None)
    return row


@transaction.atomic
def unlock(thread: Thread, user: Any, *, now: datetime | None = None) -> Thread:
    """Try again where we were refused: once. A second refusal locks it again."""
    held(thread.campaign, user)
    row = rows.standing(thread)
    row.locked_at, row.locked_why, row.session = None, "", ""
    row.save()
    Post.objects.filter(thread=row, state=State.READY).update(next_at=log.moment(now))
    waking.soon()
    return row


@transaction.atomic
def try_out(thread: Thread, user: Any, *, now: datetime | None = None) -> Post:
    """A test post, on its way as any other."""
    table, at = held(thread.campaign, user), log.moment(now)
    row = rows.standing(thread)
    waiting = Post.objects.filter(thread=row, report=telling.TEST, state__in=(State.READY, State.SENDING, State.DRAFT))
    if waiting.exists():
        raise Refused("test-waits", _("A test post waits already."))
    made = rows.new(row, at=at, report=telling.TEST, kind=telling.TEST, by=user)
    made.campaign = table
    made_ready(made, user, at)
    waking.soon()
    return made
