"""Where a campaign is told: set up, changed, tried out, unlocked, removed. Credentials go in and
never come out again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access, keys
from campaign.errors import NotNow, Refused, TableError
from campaign.log import entries
from campaign.models import Campaign
from engine.language import LANGUAGES
from engine.strict_json import canonical, clean_text, printable, read, unseen
from forum.boards import Readable, Topic, Transport
from forum.boards import Wrong as boards_Wrong
from forum.boards.registry import recognized, transports
from forum.dialects import DIALECTS
from forum.models import FollowedThread, Post, ReportComment, ReportTemplate, Thread
from forum.posts import outbox
from forum.posts import reports as kinds_
from forum.posts.outbox import State, held, made_ready
from forum.posts.reports import NEEDED, PARTS

LEAST, MOST_THREADS = 500, 20


class WrongSetting(TableError):
    """One of the settings cannot be: `field` is the key of the transport's need, or a field of the
    thread.
    """

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
        raise NotNow(
            "enough-threads",
            _("A campaign has up to {most} threads. Remove one first.").format(most=MOST_THREADS),
        )
    thread = Thread(campaign=table, transport=transport, made_by=user, made_at=entries.moment(now))
    chosen = kinds_.usual(table) if kinds is None else kinds
    _fill(thread, name, settings, dialect, language, limit, chosen, at_once, {})
    thread.tone = _tone(tone)
    thread.save(force_insert=True)
    return thread


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
    """Change a place. A secret that is left empty stays as it is, for the same board only: who
    changes the address has not seen it, and would have it sent there. A new one, or another place,
    ends the session there.
    """
    held(thread.campaign, user)
    row = outbox.lock_thread(thread)
    was = (row.settings, row.sealed and keys.unseal(row.sealed))
    _fill(row, name, settings, dialect, language, limit, kinds, at_once, secrets(row))
    if was != (row.settings, row.sealed and keys.unseal(row.sealed)):
        row.session, row.locked_at, row.locked_why, row.open_at = "", None, "", None
    if was[0] != row.settings:
        _left_behind(row, str(read(was[0]).get("address", "")))
    row.active, row.tone = active, _tone(tone)
    row.save()
    return row


@transaction.atomic
def set_frequency(campaign: Campaign, user: Any, frequency: str) -> None:
    """How often the campaign posts, in all its threads: from the next report on. What is drafted or
    posted stays.
    """
    table = held(campaign, user)
    if frequency not in kinds_.FREQUENCIES:
        raise Refused("no-frequency", _("Choose what is posted."))
    kinds = canonical(kinds_.kinds_of(frequency, kinds_.offered(table)))
    Thread.objects.filter(campaign=table, removed_at=None).update(kinds=kinds)


def _left_behind(thread: Thread, address: str) -> None:
    """What may stand where the thread led before is not looked for at the new place, and not sent
    there by itself.
    """
    why = _("It may be where this thread led before: {address}").format(address=address or "–")
    doubtful = {"state": State.DOUBTFUL, "next_at": None, "last_error": why[:500]}
    Post.objects.filter(thread=thread, state=State.READY, doubt=True).update(**doubtful)


def board_at(address: str) -> tuple[str, str]:
    """Return the software of the board whose topics have such addresses, and its dialect's key.

    Both are empty if the address does not show which board it is.
    """
    way = recognized(address)
    return (way.software, way.dialect) if way else ("", "")


def place_name(address: str) -> str:
    """What a thread at this address is called, until somebody names it: its host."""
    host = urlsplit(address.strip()).hostname or ""
    return host.removeprefix("www.").removeprefix("forum.")


def reader(thread: Thread) -> Transport | None:
    """Return the transport that can read the thread's topic as a guest.

    That is its own, else that of the board whose address it has.
    """
    way = transports().get(thread.transport)
    if isinstance(way, Readable):
        return way
    way = recognized(thread.open_settings.get("address", ""))
    return way if isinstance(way, Readable) else None


def unnamed(thread: Thread) -> bool:
    """Has nobody given it a name?"""
    way = transports().get(thread.transport)
    return thread.name in (
        "",
        str(way.name) if way else "",
        place_name(thread.open_settings.get("address", "")),
    )


def learn(thread: Thread, topic: Topic) -> None:
    """What the board says of itself: the thread's name, where nobody has given one, and the topic's
    own address in place of that of one of its posts.
    """
    row = Thread.objects.select_for_update().get(pk=thread.pk)
    if row.settings != thread.settings:
        return
    shown, way = row.open_settings, transports().get(row.transport)
    name = ": ".join(part for part in (topic.board, topic.title) if part)
    if name and unnamed(row):
        row.name = outbox.one_line(name[:100], 100) or row.name
    if (
        way is not None
        and way.automatic
        and topic.address
        and shown.get("address") != topic.address
    ):
        row.settings = canonical({**shown, "address": topic.address})
        FollowedThread.objects.filter(thread=row, place=thread.settings).update(place=row.settings)
    row.save(update_fields=["name", "settings"])
    thread.name, thread.settings = row.name, row.settings


def secrets(thread: Thread) -> dict[str, str]:
    """What is sealed. For the transport and nobody else."""
    return dict(read(keys.unseal(thread.sealed))) if thread.sealed else {}


def account(thread: Thread) -> tuple[object, ...]:
    """The board, name and password that a thread signs in with; nothing where nobody signs in. For
    `forum.posts.sending`.
    """
    settings, secret = thread.open_settings, secrets(thread)
    if "password" not in secret:
        return ()
    return (
        _board(transports()[thread.transport], settings),
        settings.get("username", ""),
        secret["password"],
    )


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
        raise WrongSetting("transport", _("Choose how the posts are sent."))
    values = _settings_read(way, settings, known)
    if known and _board(way, thread.open_settings) != _board(way, values):
        _must_have_new_credentials(way, settings, known)
    _fill_settings(thread, way, values)
    thread.name = (
        outbox.one_line(name, 100) or place_name(values.get("address", "")) or str(way.name)
    )
    _fill_writing(thread, way, dialect, language, limit)
    offered = kinds_.offered(thread.campaign)
    thread.kinds = canonical([kind for kind in offered if kind in kinds])
    thread.at_once = at_once and way.automatic


def _must_have_new_credentials(
    way: Transport, settings: Mapping[str, str], known: Mapping[str, str]
) -> None:
    """Refuse to send saved credentials to another board."""
    for need in way.needs:
        if need.secret and known.get(need.key) and not settings.get(need.key):
            text = _(
                "This is another board: the saved credentials are not sent there. Type them"
                " for this one."
            )
            raise WrongSetting(need.key, text)


def _fill_settings(thread: Thread, way: Transport, values: Mapping[str, str]) -> None:
    """Write the settings, and the secret ones sealed."""
    secret = {need.key for need in way.needs if need.secret}
    thread.settings = canonical({key: value for key, value in values.items() if key not in secret})
    sealed = canonical({key: value for key, value in values.items() if key in secret})
    thread.sealed = keys.seal(sealed) if any(read(sealed).values()) else ""


def _fill_writing(
    thread: Thread, way: Transport, dialect: str, language: str, limit: int | None
) -> None:
    """Write in which form, in which language and up to which length posts are written."""
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


def _board(way: Transport, settings: Mapping[str, str]) -> list[tuple[str, str]]:
    """Where its secrets go: host and folder of each address, whichever topic it names at
    its end.
    """
    addresses = [urlsplit(settings.get(need.key, "")) for need in way.needs if need.kind == "url"]
    return [
        (one.netloc.lower(), re.sub(r"(/(topic|post|t|p)/)?\d+$", "", one.path))
        for one in addresses
    ]


def _tone(tone: str) -> str:
    """One of the tones; empty: the campaign's own."""
    if tone and tone not in kinds_.TONES:
        raise WrongSetting("tone", _("Choose one of the tones."))
    return tone


def _settings_read(
    way: Transport, settings: Mapping[str, str], known: Mapping[str, str]
) -> dict[str, str]:
    values: dict[str, str] = {}
    for need in way.needs:
        typed = (
            str(settings.get(need.key, "")).strip(" \t\r\n")
            if not need.secret
            else str(settings.get(need.key, ""))
        )
        value = outbox.one_line(typed, 500) if not need.secret else typed
        if (typed and not value) or len(typed) > 500 or any(c in typed for c in "\r\n\0"):
            raise WrongSetting(
                need.key, _("Write it on one line, in up to 500 characters that can be seen.")
            )
        value = value or (known.get(need.key, "") if need.secret else "")
        if need.required and not value:
            raise WrongSetting(need.key, _("This is needed."))
        values[need.key] = value
    try:
        return way.check(values)
    except boards_Wrong as error:
        raise WrongSetting(error.field, str(error)) from None


@transaction.atomic
def remove(thread: Thread, user: Any, *, now: datetime | None = None) -> Thread:
    """Out of the campaign: its credentials are gone, what was posted stays told, what was not is
    put aside.
    """
    held(thread.campaign, user)
    row = outbox.lock_thread(thread)
    row.removed_at, row.active, row.sealed, row.session = entries.moment(now), False, "", ""
    row.save()
    waiting = [State.DRAFT, State.READY, State.FAILED, State.DOUBTFUL]
    Post.objects.filter(thread=row, state__in=waiting).update(state=State.ASIDE, next_at=None)
    return row


@transaction.atomic
def unlock(thread: Thread, user: Any, *, now: datetime | None = None) -> Thread:
    """Try again where we were refused: once. A second refusal locks it again."""
    held(thread.campaign, user)
    row = outbox.lock_thread(thread)
    row.locked_at, row.locked_why, row.session = None, "", ""
    row.save()
    Post.objects.filter(thread=row, state=State.READY).update(next_at=entries.moment(now))
    outbox.soon()
    return row


@transaction.atomic
def try_out(thread: Thread, user: Any, *, now: datetime | None = None) -> Post:
    """A test post, on its way as any other."""
    table, at = held(thread.campaign, user), entries.moment(now)
    row = outbox.lock_thread(thread)
    waiting = Post.objects.filter(
        thread=row, report=kinds_.TEST, state__in=(State.READY, State.SENDING, State.DRAFT)
    )
    if waiting.exists():
        raise Refused("test-waits", _("A test post waits already."))
    post = outbox.new(row, at=at, report=kinds_.TEST, kind=kinds_.TEST, by=user)
    post.campaign = table
    made_ready(post, user, at)
    outbox.soon()
    return post


# How a campaign is told: written by its game masters. No entry of the log: it changes nothing that
# happened, and what was posted keeps its words.

SUBJECT, TEXT, FLAVOUR = 200, 1000, 4000
"""The most characters of a subject line, of greeting and signature, of the words before and
after.
"""


class Wrong(Refused):
    """What a field says cannot be; `field` is its name."""

    def __init__(self, field: str, text: str) -> None:
        super().__init__("wrong-words", text)
        self.field = field


def set_template(
    campaign: Campaign,
    user: Any,
    language: str,
    *,
    tone: str,
    subject: str = "",
    greeting: str = "",
    signature: str = "",
    parts: Sequence[str] = tuple(PARTS),
    now: datetime | None = None,
) -> ReportTemplate:
    """What stands about all reports of a language. Raises `Wrong` with the field, `NotAllowed`."""
    if language not in LANGUAGES:
        raise Wrong("language", _("There is no such language here."))
    if tone not in kinds_.TONES:
        raise Wrong("tone", _("Choose one of the tones."))
    for field, text, most in (
        ("subject", subject, SUBJECT),
        ("greeting", greeting, TEXT),
        ("signature", signature, TEXT),
    ):
        _fits(field, text, most)
        if why := kinds_.wrong(text):
            raise Wrong(field, why)
    if subject and not printable(subject):
        raise Wrong("subject", _("The subject must be on one line."))
    if unknown := [part for part in parts if part not in PARTS]:
        raise Wrong("parts", _("A report has no part “%(part)s”.") % {"part": unknown[0]})
    if len(set(parts)) < len(parts):
        raise Wrong("parts", _("Each part may appear only once."))
    if missing := [part for part in NEEDED if part not in parts]:
        raise Wrong(
            "parts",
            _("“%(part)s” cannot be left out: a report must show what happened.")
            % {"part": PARTS[missing[0]]},
        )
    with transaction.atomic():
        table = _table(campaign, user)
        given = {
            "tone": tone,
            "subject": subject.strip(),
            "greeting": _lines(greeting),
            "signature": _lines(signature),
            "parts": canonical(list(parts)),
            "changed_by": user,
            "changed_at": entries.moment(now),
        }
        template, _new = ReportTemplate.objects.update_or_create(
            campaign=table, language=language, defaults=given
        )
    return template


def set_flavour(
    campaign: Campaign,
    user: Any,
    report: str,
    language: str,
    *,
    before: str,
    after: str,
    now: datetime | None = None,
) -> ReportComment:
    """A game master's own words in one report. Raises `Wrong` with the field, `NotAllowed`."""
    if language not in LANGUAGES:
        raise Wrong("language", _("There is no such language here."))
    for field, text in (("before", before), ("after", after)):
        _fits(field, text, FLAVOUR)
    with transaction.atomic():
        table = _table(campaign, user)
        given = {
            "before": _lines(before),
            "after": _lines(after),
            "changed_by": user,
            "changed_at": entries.moment(now),
        }
        flavour, _new = ReportComment.objects.update_or_create(
            campaign=table, report=report[:80], language=language, defaults=given
        )
    return flavour


def _fits(field: str, text: str, most: int) -> None:
    if not clean_text(text, 10 * most) or unseen(text):
        raise Wrong(field, _("The text holds a character that cannot be shown. Type it again."))
    if len(text) > most:
        raise Wrong(
            field,
            _("Up to %(most)s characters fit here; these are %(count)s.")
            % {
                "most": most,
                "count": len(text),
            },
        )


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def _table(campaign: Campaign, user: Any) -> Campaign:
    """The campaign's row, held, if this user looks after it."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    return table
