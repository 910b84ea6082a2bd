"""Services that set up, change, try out, unlock and remove threads.

Credentials are stored and never shown again.
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
from engine.strict_json import canonical, first_invisible, is_clean_text, is_printable, read
from forum.boards import InvalidSetting, ReadsPosts, Topic, Transport
from forum.boards.registry import recognize, transports
from forum.dialects import DIALECTS
from forum.models import FollowedThread, Post, ReportComment, ReportTemplate, Thread
from forum.posts import outbox
from forum.posts import reports as kinds_
from forum.posts.outbox import State, lock_campaign, make_text
from forum.posts.reports import NEEDED, PARTS

LEAST, MOST_THREADS = 500, 20


class WrongSetting(TableError):
    """The error that a setting is not valid.

    `field` is the key of the transport's need, or a field of the thread.
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
    can_fold: bool = False,
    now: datetime | None = None,
) -> Thread:
    """Set up a new thread. Raises `WrongSetting`."""
    table = lock_campaign(campaign, user)
    if Thread.objects.filter(campaign=table, removed_at=None).count() >= MOST_THREADS:
        raise NotNow(
            "enough-threads",
            _("A campaign can have up to {most} threads. Remove one first.").format(
                most=MOST_THREADS
            ),
        )
    thread = Thread(campaign=table, transport=transport, made_by=user, made_at=entries.moment(now))
    chosen = kinds_.usual_kinds(table) if kinds is None else kinds
    _fill(thread, name, settings, dialect, language, limit, chosen, at_once, {})
    thread.tone, thread.can_fold = _tone(tone), can_fold
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
    can_fold: bool = False,
    active: bool = True,
) -> Thread:
    """Change a thread.

    A secret that is left empty is kept, but only for the same board: a user who changes the address
    has not seen the secret, and could have it sent elsewhere. A new secret or another place ends
    the session there.
    """
    lock_campaign(thread.campaign, user)
    row = outbox.lock_thread(thread)
    was = (row.settings, row.sealed and keys.unseal(row.sealed))
    _fill(row, name, settings, dialect, language, limit, kinds, at_once, unseal_secrets(row))
    if was != (row.settings, row.sealed and keys.unseal(row.sealed)):
        row.session, row.locked_at, row.locked_why, row.open_at = "", None, "", None
    if was[0] != row.settings:
        _doubt_old_posts(row, str(was[0].get("address", "")))
    row.active, row.tone, row.can_fold = active, _tone(tone), can_fold
    row.save()
    return row


@transaction.atomic
def set_frequency(campaign: Campaign, user: Any, frequency: str) -> None:
    """Set how often the campaign posts in all its threads, from the next report on.

    Drafts and posts that exist are not changed.
    """
    table = lock_campaign(campaign, user)
    if frequency not in kinds_.FREQUENCIES:
        raise Refused("no-frequency", _("Choose what is posted."))
    kinds = list(kinds_.kinds_of(frequency, kinds_.offered_kinds(table)))
    Thread.objects.filter(campaign=table, removed_at=None).update(drafted_kinds=kinds)


def _doubt_old_posts(thread: Thread, address: str) -> None:
    """Mark posts as doubtful that may be at the thread's old address.

    They are neither searched at the new address nor sent there automatically.
    """
    why = _("It may still be at the earlier address of this thread: {address}").format(
        address=address or "–"
    )
    doubtful = {"state": State.DOUBTFUL, "next_at": None, "last_error": why[:500]}
    Post.objects.filter(thread=thread, state=State.READY, doubt=True).update(**doubtful)


def board_at(address: str) -> tuple[str, str]:
    """Return the software of the board with such addresses, and the key of its dialect.

    Both are empty if the address does not show which board it is.
    """
    way = recognize(address)
    return (way.software, way.dialect) if way else ("", "")


def place_name(address: str) -> str:
    """Return the default name of a thread at this address: its host."""
    host = urlsplit(address.strip()).hostname or ""
    return host.removeprefix("www.").removeprefix("forum.")


def reading_transport(thread: Thread) -> Transport | None:
    """Return the transport that can read the thread's topic as a guest.

    That is its own transport, or else the transport that recognizes its address.
    """
    way = transports().get(thread.transport)
    if isinstance(way, ReadsPosts):
        return way
    way = recognize(thread.settings.get("address", ""))
    return way if isinstance(way, ReadsPosts) else None


def has_default_name(thread: Thread) -> bool:
    """Return whether no user has given the thread a name."""
    way = transports().get(thread.transport)
    return thread.name in (
        "",
        str(way.name) if way else "",
        place_name(thread.settings.get("address", "")),
    )


def store_topic(thread: Thread, topic: Topic) -> None:
    """Store what the board says about the topic.

    The thread gets its name, if no user has given one, and the topic's own address in place of that
    of a post.
    """
    row = Thread.objects.select_for_update().get(pk=thread.pk)
    if row.settings != thread.settings:
        return
    shown, way = row.settings, transports().get(row.transport)
    name = ": ".join(part for part in (topic.board, topic.title) if part)
    if name and has_default_name(row):
        row.name = outbox.valid_line(name[:100], 100) or row.name
    if (
        way is not None
        and way.automatic
        and topic.address
        and shown.get("address") != topic.address
    ):
        row.settings = {**shown, "address": topic.address}
        FollowedThread.objects.filter(thread=row, place=thread.settings).update(place=row.settings)
    row.save(update_fields=["name", "settings"])
    thread.name, thread.settings = row.name, row.settings


def unseal_secrets(thread: Thread) -> dict[str, str]:
    """Return the unsealed secrets, which are only for the transport."""
    return dict(read(keys.unseal(thread.sealed))) if thread.sealed else {}


def sign_in_account(thread: Thread) -> tuple[object, ...]:
    """Return the board, name and password of a thread; empty if it does not sign in.

    Only `forum.posts.sending` needs it.
    """
    settings, secret = thread.settings, unseal_secrets(thread)
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
    if known and _board(way, thread.settings) != _board(way, values):
        _must_have_new_credentials(way, settings, known)
    _fill_settings(thread, way, values)
    thread.name = (
        outbox.valid_line(name, 100) or place_name(values.get("address", "")) or str(way.name)
    )
    _fill_writing(thread, way, dialect, language, limit)
    offered = kinds_.offered_kinds(thread.campaign)
    thread.drafted_kinds = [kind for kind in offered if kind in kinds]
    thread.at_once = at_once and way.automatic


def _must_have_new_credentials(
    way: Transport, settings: Mapping[str, str], known: Mapping[str, str]
) -> None:
    """Raise `WrongSetting` if saved credentials would be sent to another board."""
    for need in way.needs:
        if need.secret and known.get(need.key) and not settings.get(need.key):
            text = _(
                "This is another board, so the saved credentials are not sent there. Enter new "
                "ones for this board."
            )
            raise WrongSetting(need.key, text)


def _fill_settings(thread: Thread, way: Transport, values: Mapping[str, str]) -> None:
    """Store the settings, with the secret ones sealed."""
    secret = {need.key for need in way.needs if need.secret}
    thread.settings = {key: value for key, value in values.items() if key not in secret}
    sealed = canonical({key: value for key, value in values.items() if key in secret})
    thread.sealed = keys.seal(sealed) if any(read(sealed).values()) else ""


def _fill_writing(
    thread: Thread, way: Transport, dialect: str, language: str, limit: int | None
) -> None:
    """Set the dialect, the language and the maximum length of posts."""
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
    """Return the host and folder of each address, to which the secrets are sent.

    The topic at the end of the address does not count.
    """
    addresses = [urlsplit(settings.get(need.key, "")) for need in way.needs if need.kind == "url"]
    return [
        (address.netloc.lower(), re.sub(r"(/(topic|post|t|p)/)?\d+$", "", address.path))
        for address in addresses
    ]


def _tone(tone: str) -> str:
    """Return a valid tone; empty for the campaign's own."""
    if tone and tone not in kinds_.TONES:
        raise WrongSetting("tone", _("Choose a tone."))
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
        value = outbox.valid_line(typed, 500) if not need.secret else typed
        if (typed and not value) or len(typed) > 500 or any(c in typed for c in "\r\n\0"):
            raise WrongSetting(
                need.key, _("Write it on one line, in up to 500 printable characters.")
            )
        value = value or (known.get(need.key, "") if need.secret else "")
        if need.required and not value:
            raise WrongSetting(need.key, _("This field is required."))
        values[need.key] = value
    try:
        return way.check(values)
    except InvalidSetting as error:
        raise WrongSetting(error.field, str(error)) from None


@transaction.atomic
def remove(thread: Thread, user: Any, *, now: datetime | None = None) -> Thread:
    """Remove a thread from the campaign.

    Its credentials are deleted, what was posted remains posted, and other posts are skipped.
    """
    lock_campaign(thread.campaign, user)
    row = outbox.lock_thread(thread)
    row.removed_at, row.active, row.sealed, row.session = entries.moment(now), False, "", ""
    row.save()
    waiting = [State.DRAFT, State.READY, State.FAILED, State.DOUBTFUL]
    Post.objects.filter(thread=row, state__in=waiting).update(state=State.ASIDE, next_at=None)
    return row


@transaction.atomic
def unlock(thread: Thread, user: Any, *, now: datetime | None = None) -> Thread:
    """Allow one more attempt in a locked thread. A second refusal locks it again."""
    lock_campaign(thread.campaign, user)
    row = outbox.lock_thread(thread)
    row.locked_at, row.locked_why, row.session = None, "", ""
    row.save()
    Post.objects.filter(thread=row, state=State.READY).update(next_at=entries.moment(now))
    outbox.request_work()
    return row


def joining_note(thread: Thread) -> str:
    """Return a text about a board that joins posts; empty if it is not known to join any."""
    if not thread.joining_minutes:
        return ""
    return _(
        "This board joins two consecutive posts by one user. Each report waits until someone else "
        "has written there, or for {minutes} minutes. Test posts are not sent there."
    ).format(minutes=thread.joining_minutes)


@transaction.atomic
def try_out(thread: Thread, user: Any, *, now: datetime | None = None) -> Post:
    """Send a test post, in the same way as any other post."""
    table, at = lock_campaign(thread.campaign, user), entries.moment(now)
    row = outbox.lock_thread(thread)
    if row.joining_minutes:
        raise Refused("test-joins", joining_note(row))
    waiting = Post.objects.filter(
        thread=row, report=kinds_.TEST, state__in=(State.READY, State.SENDING, State.DRAFT)
    )
    if waiting.exists():
        raise Refused("test-waits", _("A test post is already waiting."))
    post = outbox.create_post(row, at=at, report=kinds_.TEST, kind=kinds_.TEST, by=user)
    post.campaign = table
    make_text(post, user, at)
    outbox.request_work()
    return post


# Texts of game masters around reports. They are not entries of the log: they change nothing that
# happened, and existing posts keep their texts.

SUBJECT, TEXT, FLAVOUR = 200, 1000, 4000
"""The maximum lengths of a subject line, of greeting and signature, and of comments."""


class WrongField(Refused):
    """The error that the text of a field is not valid; `field` is its name."""

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
    """Set the texts around all reports in a language. Raises `WrongField` and `NotAllowed`."""
    if language not in LANGUAGES:
        raise WrongField("language", _("There is no such language here."))
    if tone not in kinds_.TONES:
        raise WrongField("tone", _("Choose a tone."))
    for field, text, most in (
        ("subject", subject, SUBJECT),
        ("greeting", greeting, TEXT),
        ("signature", signature, TEXT),
    ):
        _must_fit(field, text, most)
        if why := kinds_.placeholder_error(text):
            raise WrongField(field, why)
    if subject and not is_printable(subject):
        raise WrongField("subject", _("The subject must be on one line."))
    if unknown := [part for part in parts if part not in PARTS]:
        raise WrongField("parts", _("A report has no part “%(part)s”.") % {"part": unknown[0]})
    if len(set(parts)) < len(parts):
        raise WrongField("parts", _("Each part may appear only once."))
    if missing := [part for part in NEEDED if part not in parts]:
        raise WrongField(
            "parts",
            _("“%(part)s” cannot be left out: a report must show what happened.")
            % {"part": PARTS[missing[0]]},
        )
    with transaction.atomic():
        table = _locked_campaign(campaign, user)
        given = {
            "tone": tone,
            "subject": subject.strip(),
            "greeting": _lines(greeting),
            "signature": _lines(signature),
            "parts": list(parts),
            "changed_by": user,
            "changed_at": entries.moment(now),
        }
        template, _new = ReportTemplate.objects.update_or_create(
            campaign=table, language=language, defaults=given
        )
    return template


def set_comment(
    campaign: Campaign,
    user: Any,
    report: str,
    language: str,
    *,
    before: str,
    after: str,
    now: datetime | None = None,
) -> ReportComment:
    """Set a game master's comments on one report. Raises `WrongField` and `NotAllowed`."""
    if language not in LANGUAGES:
        raise WrongField("language", _("There is no such language here."))
    for field, text in (("before", before), ("after", after)):
        _must_fit(field, text, FLAVOUR)
    with transaction.atomic():
        table = _locked_campaign(campaign, user)
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


def _must_fit(field: str, text: str, most: int) -> None:
    if not is_clean_text(text, 10 * most) or first_invisible(text):
        raise WrongField(
            field, _("The text contains a character that cannot be displayed. Type it again.")
        )
    if len(text) > most:
        raise WrongField(
            field,
            _("Up to %(most)s characters fit here; this text has %(count)s.")
            % {
                "most": most,
                "count": len(text),
            },
        )


def _lines(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")


def _locked_campaign(campaign: Campaign, user: Any) -> Campaign:
    """Return the campaign's locked row, if the user is one of its game masters."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    return table
