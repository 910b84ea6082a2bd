"""Webhooks, which send programs the public log of a campaign as it is written (decision 26).

Entries are sent in order, each at least once. `tick` may run at any time, in any number of
processes. A webhook is taken in a short transaction, its request is sent outside of any
transaction, and the outcome is marked in a third step. The entries of a request belong together
until they arrive: another attempt sends the same entries under the same id, whether they arrived
before or not. Entries that are not public have no number, so they have no effect here.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import secrets
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from string import ascii_letters, digits
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from standardwebhooks import Webhook as standardwebhooks_Webhook

from campaign import access, keys
from campaign.log import entries, selectors
from campaign.log.public_content import entry_json
from campaign.log.selectors import Line
from campaign.models import Campaign, Membership
from engine.strict_json import canonical
from notices.channels.services import ChannelError, mark_off_notices_read, must_have_channels
from notices.kinds.undelivered import WebhookOff, notify_post_trouble
from notices.models import Webhook, WebhookDelivery
from notices.site_address import full_url
from outgoing import OutsideError
from outgoing import client as outside
from outgoing.client import Client

LOG = logging.getLogger(__name__)
State = WebhookDelivery.State
MOST_ENTRIES = 50
"""The maximum number of entries in one request."""
SECONDS = 5.0
"""The timeout of one request: the receiver only stores the body and answers."""
LEASE = timedelta(minutes=2)
BACK_OFF = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360))
"""The pauses between attempts; the last is repeated."""
PATIENCE = timedelta(days=4)
"""The time after which an address where nothing arrives is switched off."""
GONE = 410
IN_ENGLISH = "en"
ClientFactory = Callable[[], Client]


class Outcome(NamedTuple):
    """The outcome of an attempt.

    `error` is in the language of the user who set the webhook up; it is empty if the request
    arrived.
    """

    status: int | None
    error: str

    @property
    def gone(self) -> bool:
        return self.status == GONE


def new_client() -> Client:
    return Client(seconds=SECONDS)


# The content of a request


def request_body(campaign: Campaign, key: str, entries: list[dict[str, Any]]) -> bytes:
    """Return the body of a request, which has only public facts. `entries` is empty in a test."""
    body = {
        "id": key,
        "type": "entries" if entries else "test",
        "campaign": {
            "ref": campaign.address,
            "name": campaign.name,
            "title": campaign.title,
            "status": campaign.status,
            "turn": campaign.turn,
            "active_seat": campaign.active_seat,
            "url": full_url(reverse("table", args=[campaign.address])),
        },
        "entries": entries,
    }
    return canonical(body).encode()


def public_entries(campaign: Campaign, first: int, last: int) -> list[dict[str, Any]]:
    """Return the entries with these numbers as an anonymous reader sees them, in order.

    Struck entries are included.
    """
    rows = (
        selectors.entries(campaign, None)
        .filter(number__gte=first, number__lte=last)
        .order_by("sequence")
    )
    with translation.override(IN_ENGLISH):
        return [
            _entry_facts(campaign, line)
            for line in selectors.lines(campaign, None, rows.prefetch_related("rolls"))
        ]


def _entry_facts(campaign: Campaign, line: Line) -> dict[str, Any]:
    entry = line.entry
    return {
        "number": entry.number,
        "kind": entry.kind,
        "act": entry.table_act,
        "seat": entry.seat,
        "turn": entry.turn,
        "at": entry.at.astimezone(UTC).isoformat(),
        "said": dict(entry_json(campaign.game, entry, line.effects)),
        "text": line.text,
        "struck_by": entry.struck_by.number if entry.struck_by is not None else None,
        "url": full_url(reverse("entry", args=[campaign.address, entry.number])),
    }


# Sending


def tick(now: datetime, limit: int | None = None, *, client: ClientFactory = new_client) -> int:
    """Send what is due, in at most `limit` requests. Return how many requests were made."""
    start = monotonic()

    def clock() -> datetime:
        """Return `now` plus the time that this tick has taken, for leases."""
        return now + timedelta(seconds=monotonic() - start)

    done = 0
    while (limit is None or done < limit) and (taken := take_webhook(now, clock())) is not None:
        done += 1
        outcome = _send_entries(*taken, client(), clock())
        store_outcome(*taken, outcome, clock())
    return done


def with_access(hooks: QuerySet[Webhook]) -> QuerySet[Webhook]:
    """Return the webhooks whose owners may see the campaign.

    If a campaign is visible only to members, the webhooks of users who have left it are not served
    until they return.
    """
    place = Membership.objects.filter(
        campaign=OuterRef("campaign"), user=OuterRef("made_by"), until=None
    )
    return hooks.filter(~Q(campaign__visibility=Campaign.Visibility.MEMBERS) | Exists(place))


def due_webhooks(now: datetime, at: datetime) -> Any:
    """Return the webhooks that have entries to send and are not leased at `at`.

    Webhooks without failures come first, so that others do not delay them.
    """
    behind = Webhook.objects.filter(
        active=True, removed_at=None, campaign__suspended=False, campaign__last_number__gt=F("upto")
    )
    ready = (
        with_access(behind)
        .filter(Q(next_at=None) | Q(next_at__lte=now))
        .filter(Q(taken_at=None) | Q(taken_at__lt=at - LEASE))
    )
    return ready.order_by("failures", F("last_ok_at").asc(nulls_first=True), "pk")


@transaction.atomic
def take_webhook(now: datetime, at: datetime) -> tuple[Webhook, WebhookDelivery] | None:
    """Return the next webhook that is due with its delivery, and mark both as being sent."""
    row = due_webhooks(now, at).select_for_update(skip_locked=True, of=("self",)).first()
    if row is None:
        return None
    hook = Webhook.objects.select_related("campaign", "made_by").get(pk=row.pk)
    first = hook.upto + 1
    hook.batch = (
        hook.batch
        if hook.batch is not None
        else min(hook.upto + MOST_ENTRIES, hook.campaign.last_number)
    )
    hook.taken_at = at
    hook.save(update_fields=["batch", "taken_at"])
    facts = {"first": first, "last": hook.batch, "made_at": at, "tried_at": at}
    delivery, _made = WebhookDelivery.objects.get_or_create(
        webhook=hook, key=f"{hook.key}-{first}-{hook.batch}", defaults=facts
    )
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        state=State.SENDING, tried_at=at, attempts=F("attempts") + 1
    )
    return hook, delivery


def _send_entries(
    hook: Webhook, delivery: WebhookDelivery, client: Client, at: datetime
) -> Outcome:
    assert delivery.first is not None
    assert delivery.last is not None
    try:
        body = request_body(
            hook.campaign,
            delivery.key,
            public_entries(hook.campaign, delivery.first, delivery.last),
        )
    except Exception as error:
        # A log that cannot be read must not stop the other webhooks.
        LOG.error("The entries for webhook %d cannot be read: %s", hook.pk, type(error).__name__)
        return Outcome(None, type(error).__name__)
    with translation.override(hook.made_by.language or IN_ENGLISH):
        return send_signed(hook, delivery.key, body, client, at)


def send_signed(hook: Webhook, key: str, body: bytes, client: Client, at: datetime) -> Outcome:
    """Send a signed body and return the outcome."""
    try:
        address, secret = keys.unseal(hook.sealed), keys.unseal(hook.secret)
    except InvalidToken:
        return Outcome(None, _("The address can no longer be read. Remove it and add it again."))
    sent = {"Content-Type": "application/json", **headers(secret, key, body, at)}
    try:
        answer = client.post(address, data=body, headers=sent)
    except OutsideError as error:
        return Outcome(None, str(error))
    if answer.ok:
        return Outcome(answer.status, "")
    return Outcome(
        answer.status,
        _("%(host)s answered %(status)d.") % {"host": hook.host, "status": answer.status},
    )


@transaction.atomic
def store_outcome(
    hook: Webhook, delivery: WebhookDelivery, outcome: Outcome, now: datetime
) -> None:
    """Store the outcome of an attempt.

    Nothing is stored if the lease has run out and another process has taken the webhook.
    """
    row = (
        Webhook.objects.select_for_update()
        .filter(pk=hook.pk, taken_at=hook.taken_at, removed_at=None)
        .first()
    )
    if row is None:
        return
    store_attempt(delivery, outcome, now)
    row.taken_at = None
    if not outcome.error and delivery.last is not None:
        row.upto, row.batch = delivery.last, None
        row.next_at, row.failures, row.failing_since, row.last_error, row.last_ok_at = (
            None,
            0,
            None,
            "",
            now,
        )
    else:
        row.next_at = now + BACK_OFF[min(row.failures, len(BACK_OFF) - 1)]
        row.failures += 1
        row.failing_since = row.failing_since or now
        row.last_error = outcome.error[:300]
        if row.active and (outcome.gone or now - row.failing_since >= PATIENCE):
            row.active, row.off_why = False, row.last_error
            first = hook.campaign.entries.earliest("sequence")  # No one can strike the first entry.
            notify_post_trouble(
                hook.campaign, first, WebhookOff.key, f"{row.pk}/{now:%Y%m%dT%H%M%SZ}", {}, now
            )
    row.save()


def store_attempt(delivery: WebhookDelivery, outcome: Outcome, now: datetime) -> None:
    state = State.FAILED if outcome.error else State.SENT
    rows = WebhookDelivery.objects.filter(pk=delivery.pk)
    rows.update(state=state, status=outcome.status, error=outcome.error[:300], tried_at=now)


# Services for a campaign's game masters

MOST_WEBHOOKS = 3
LONGEST_NAME = 500


def webhooks_of_campaign(campaign: Campaign) -> QuerySet[Webhook]:
    return Webhook.objects.filter(campaign=campaign, removed_at=None).select_related("made_by")


def add(
    campaign: Campaign, user: Any, address: str, now: datetime | None = None
) -> tuple[Webhook, str]:
    """Add a webhook, which receives entries from the next one on. Return it with its secret.

    No one can look up the secret later.

    Raises:
        ChannelError: The address is not usable, or the campaign has `MOST_WEBHOOKS` already.
        NotAllowed: The user is not a game master.
    """
    must_have_channels(user)
    at, address = now or timezone.now(), address.strip()
    if len(address) > LONGEST_NAME:
        raise ChannelError(_("An address can have up to 500 characters."), "address")
    try:
        outside.check_public(address)
    except outside.Refused as refused:
        raise ChannelError(str(refused), "address") from None
    secret = new_secret()
    with transaction.atomic():
        table = entries.lock(campaign)
        access.must_be_host(table, user)
        if webhooks_of_campaign(table).count() >= MOST_WEBHOOKS:
            raise ChannelError(
                _("The campaign already has as many webhooks as are allowed. Remove one first."),
                "address",
            )
        hook = Webhook.objects.create(
            campaign=table,
            made_by=user,
            made_at=at,
            key=keys.new_public_id(),
            host=(urlsplit(address).hostname or "")[:255],
            sealed=keys.seal(address),
            secret=keys.seal(secret),
            upto=table.last_number,
        )
    return hook, secret


def renew_secret(hook: Webhook) -> str:
    """Replace the secret, with immediate effect. Return the new one."""
    secret = new_secret()
    _row(hook).update(secret=keys.seal(secret))
    return secret


def try_out(hook: Webhook, now: datetime | None = None) -> WebhookDelivery:
    """Send a test at once.

    Raises:
        ChannelError: The test did not arrive; the text says why.
    """
    at = now or timezone.now()
    _must_exist(hook)
    key = f"{hook.key}-test-{secrets.token_hex(6)}"
    delivery = WebhookDelivery.objects.create(
        webhook=hook, key=key, attempts=1, made_at=at, tried_at=at
    )
    outcome = send_signed(hook, key, request_body(hook.campaign, key, []), new_client(), at)
    store_attempt(delivery, outcome, at)
    if outcome.error:
        raise ChannelError(outcome.error)
    return delivery


@transaction.atomic
def switch(hook: Webhook, on: bool, now: datetime | None = None) -> None:
    """Switch a webhook on or off.

    Switching it on clears its failures; entries that were written meanwhile are sent too. While it
    is off, nothing is sent and nothing is lost.
    """
    no_failures = (
        {"failures": 0, "failing_since": None, "last_error": "", "next_at": None} if on else {}
    )
    _row(hook).update(active=on, off_why="", **no_failures)
    mark_off_notices_read(WebhookOff.key, hook.pk, now or timezone.now())


@transaction.atomic
def remove(hook: Webhook, now: datetime | None = None) -> None:
    """Remove a webhook with its address and secret. The list of its deliveries remains."""
    at = now or timezone.now()
    _row(hook).update(
        removed_at=at, active=False, sealed="", secret="", host="", last_error="", off_why=""
    )
    mark_off_notices_read(WebhookOff.key, hook.pk, at)


def remove_webhooks_of(user: Any, now: datetime) -> int:
    """Remove all webhooks that a user set up, whose addresses are the user's. Return how many."""
    hooks = list(Webhook.objects.filter(made_by=user, removed_at=None))
    for hook in hooks:
        remove(hook, now)
    WebhookDelivery.objects.filter(webhook__made_by=user).update(error="")
    return len(hooks)


def webhooks_off_by_failure(user: Any) -> QuerySet[Webhook]:
    """Return the webhooks that failures have switched off in the campaigns that this user hosts."""
    hosted = Membership.objects.filter(user_id=user.pk, until=None, role__in=Membership.MASTERS)
    off = Webhook.objects.filter(
        ~Q(off_why=""), active=False, removed_at=None, campaign__in=hosted.values("campaign")
    )
    return off.select_related("campaign")


def _row(hook: Webhook) -> QuerySet[Webhook]:
    _must_exist(hook)
    return Webhook.objects.filter(pk=hook.pk, removed_at=None)


def _must_exist(hook: Webhook) -> None:
    if hook.removed_at is not None:
        raise ChannelError(_("This webhook no longer exists."))


# Signatures, and how a receiver checks them
#
# Each request is signed twice: in a header of this site, which a dozen lines check without any
# library, and in the headers of Standard Webhooks (standardwebhooks.com), for which many languages
# have libraries.

SIGNATURE, DELIVERY = "Tabula-Signature", "Tabula-Delivery"

CHECK_EXAMPLE = '''\
import hashlib, hmac, time


def genuine(secret: str, signature: str, body: bytes) -> bool:
    """Did Tabula send this body, in the last five minutes?"""
    said = dict(part.split("=", 1) for part in signature.split(","))
    wanted = hmac.new(secret.encode(), said["t"].encode() + b"." + body, hashlib.sha256)
    is_recent = abs(time.time() - int(said["t"])) < 300
    return is_recent and hmac.compare_digest(wanted.hexdigest(), said["v1"])
'''
"""The check that the page shows to receivers.

`signature` is the header and `body` the bytes as they were received. tests/notices/test_webhooks.py
runs it.
"""


PREFIX = "whsec_"
"""The beginning of each secret, by which scanners of published code and libraries know it."""


def new_secret() -> str:
    """Return a new secret with 262 random bits.

    Standard Webhooks reads it as base64, in which it has 33 bytes in either alphabet.
    """
    return PREFIX + "".join(secrets.choice(ascii_letters + digits) for _ in range(44))


def headers(secret: str, key: str, body: bytes, at: datetime) -> dict[str, str]:
    """Return the headers that identify and sign the delivery of this body.

    `key` is the id of the delivery and `at` the moment of the attempt.
    """
    # Secrets that were created before this form may have the characters of the other base64
    # alphabet.
    standard = standardwebhooks_Webhook(
        secret.removeprefix(PREFIX).replace("-", "+").replace("_", "/")
    )
    return {
        DELIVERY: key,
        SIGNATURE: signature(secret, body, at),
        "webhook-id": key,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": standard.sign(key, at.astimezone(UTC), body.decode()),
    }


def signature(secret: str, body: bytes, at: datetime) -> str:
    """Return the value of the signature header.

    It has the second of the attempt, and the HMAC-SHA256 of that second, a dot and the body under
    the secret.
    """
    seconds = str(int(at.timestamp()))
    digest = hmac.new(secret.encode(), seconds.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"
