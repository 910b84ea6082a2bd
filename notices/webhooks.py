"""What programs are told of a campaign, as it is said: the public log in order, each entry at least
once (decision 26).

`tick` may run as often as one likes, in as many processes as one likes. A webhook is taken in a
short transaction, asked outside of any, and marked in a third. The entries of one request are its
own until they arrive: another attempt sends the same ones under the same id, whether they arrived
before or not. What only some may see has no number, so nothing here moves by it.
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
from notices.channels.services import Wrong, hush, must_have_channels
from notices.kinds.undelivered import WebhookOff, notify_post_trouble
from notices.models import Webhook, WebhookDelivery
from notices.site import site
from outgoing import OutsideError
from outgoing import client as outside
from outgoing.client import Client

LOG = logging.getLogger(__name__)
State = WebhookDelivery.State
MOST_ENTRIES = 50
"""Of one request."""
SECONDS = 5.0
"""For one request: whoever receives it writes it down and answers."""
LEASE = timedelta(minutes=2)
BACK_OFF = tuple(timedelta(minutes=m) for m in (1, 5, 15, 60, 180, 360))
"""From one attempt to the next, the last again and again."""
PATIENCE = timedelta(days=4)
"""After which an address where nothing arrives is switched off."""
GONE = 410
IN_ENGLISH = "en"
Ask = Callable[[], Client]


class Outcome(NamedTuple):
    """What an attempt came to: it arrived where `error`, in the language of who set the webhook up,
    is empty.
    """

    status: int | None
    error: str

    @property
    def gone(self) -> bool:
        return self.status == GONE


def visitor() -> Client:
    return Client(seconds=SECONDS)


# What it says -------------------------------------------------------------------------------------


def payload(campaign: Campaign, key: str, entries: list[dict[str, Any]]) -> bytes:
    """The body of one request; `entries` are empty in a test. Everybody may know what is in it."""
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
            "url": site(reverse("table", args=[campaign.address])),
        },
        "entries": entries,
    }
    return canonical(body).encode()


def public(campaign: Campaign, first: int, last: int) -> list[dict[str, Any]]:
    """The entries of these numbers as who is nobody there reads them, in order, struck ones too."""
    rows = (
        selectors.entries(campaign, None)
        .filter(number__gte=first, number__lte=last)
        .order_by("sequence")
    )
    with translation.override(IN_ENGLISH):
        return [
            _entry(campaign, line)
            for line in selectors.lines(campaign, None, rows.prefetch_related("rolls"))
        ]


def _entry(campaign: Campaign, line: Line) -> dict[str, Any]:
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
        "url": site(reverse("entry", args=[campaign.address, entry.number])),
    }


# Sending ------------------------------------------------------------------------------------------


def tick(now: datetime, limit: int | None = None, *, client: Ask = visitor) -> int:
    """Send what is due; how many requests were made, at most `limit`."""
    start = monotonic()

    def clock() -> datetime:
        """The time as it goes on while this tick works: a lease begins when its row is taken."""
        return now + timedelta(seconds=monotonic() - start)

    done = 0
    while (limit is None or done < limit) and (taken := take(now, clock())) is not None:
        done += 1
        outcome = _sent(*taken, client(), clock())
        close(*taken, outcome, clock())
    return done


def may_hear(hooks: QuerySet[Webhook]) -> QuerySet[Webhook]:
    """What is for members only goes no more to the address of somebody who has left, until they are
    there again.
    """
    place = Membership.objects.filter(
        campaign=OuterRef("campaign"), user=OuterRef("made_by"), until=None
    )
    return hooks.filter(~Q(campaign__visibility=Campaign.Visibility.MEMBERS) | Exists(place))


def due_webhooks(now: datetime, at: datetime) -> Any:
    """Those that have something to be sent and are nobody's at `at`; where all is well first, lest
    the others hold it up.
    """
    behind = Webhook.objects.filter(
        active=True, removed_at=None, campaign__suspended=False, campaign__last_number__gt=F("upto")
    )
    ready = (
        may_hear(behind)
        .filter(Q(next_at=None) | Q(next_at__lte=now))
        .filter(Q(taken_at=None) | Q(taken_at__lt=at - LEASE))
    )
    return ready.order_by("failures", F("last_ok_at").asc(nulls_first=True), "pk")


@transaction.atomic
def take(now: datetime, at: datetime) -> tuple[Webhook, WebhookDelivery] | None:
    """The next that is due, with the entries it is to be sent, marked as being asked."""
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


def _sent(hook: Webhook, delivery: WebhookDelivery, client: Client, at: datetime) -> Outcome:
    assert delivery.first is not None
    assert delivery.last is not None
    try:
        body = payload(
            hook.campaign, delivery.key, public(hook.campaign, delivery.first, delivery.last)
        )
    except Exception as error:
        # One whose log cannot be read must not keep the others.
        LOG.error("Webhook %d cannot be told: %s", hook.pk, type(error).__name__)
        return Outcome(None, type(error).__name__)
    with translation.override(hook.made_by.language or IN_ENGLISH):
        return ask(hook, delivery.key, body, client, at)


def ask(hook: Webhook, key: str, body: bytes, client: Client, at: datetime) -> Outcome:
    """Send a signed body."""
    try:
        address, secret = keys.unseal(hook.sealed), keys.unseal(hook.secret)
    except InvalidToken:
        return Outcome(None, _("Its address cannot be read any more. Remove it and add it again."))
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
def close(hook: Webhook, delivery: WebhookDelivery, outcome: Outcome, now: datetime) -> None:
    """Mark what it came to, if it is still ours: who took it too long ago has lost it to
    another.
    """
    row = (
        Webhook.objects.select_for_update()
        .filter(pk=hook.pk, taken_at=hook.taken_at, removed_at=None)
        .first()
    )
    if row is None:
        return
    written(delivery, outcome, now)
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
            first = hook.campaign.entries.earliest("sequence")  # nobody strikes it
            notify_post_trouble(
                hook.campaign, first, WebhookOff.key, f"{row.pk}/{now:%Y%m%dT%H%M%SZ}", {}, now
            )
    row.save()


def written(delivery: WebhookDelivery, outcome: Outcome, now: datetime) -> None:
    state = State.FAILED if outcome.error else State.SENT
    rows = WebhookDelivery.objects.filter(pk=delivery.pk)
    rows.update(state=state, status=outcome.status, error=outcome.error[:300], tried_at=now)


# A campaign's webhooks: added, tried out, given another secret, switched on and off, taken away; by
# its hosts.

MOST_WEBHOOKS = 3
LONGEST_NAME = 500


def of_campaign(campaign: Campaign) -> QuerySet[Webhook]:
    return Webhook.objects.filter(campaign=campaign, removed_at=None).select_related("made_by")


def add(
    campaign: Campaign, user: Any, address: str, now: datetime | None = None
) -> tuple[Webhook, str]:
    """A new one, told from the next entry on, and its secret, which nobody can look up later.

    Raises `Wrong` for an address that is none, or where there are `MOST`; `NotAllowed` for who is
    no game master.
    """
    must_have_channels(user)
    at, address = now or timezone.now(), address.strip()
    if len(address) > LONGEST_NAME:
        raise Wrong(_("An address has up to 500 characters."), "address")
    try:
        outside.check_public(address)
    except outside.Refused as refused:
        raise Wrong(str(refused), "address") from None
    secret = new_secret()
    with transaction.atomic():
        table = entries.lock(campaign)
        access.must_be_host(table, user)
        if of_campaign(table).count() >= MOST_WEBHOOKS:
            raise Wrong(
                _("The campaign has as many webhooks as it may have. Remove one first."), "address"
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


def renew(hook: Webhook) -> str:
    """Another secret in place of the old one, from now on."""
    secret = new_secret()
    _still(hook).update(secret=keys.seal(secret))
    return secret


def try_out(hook: Webhook, now: datetime | None = None) -> WebhookDelivery:
    """Send a test at once. Raises `Wrong` with what came back."""
    at = now or timezone.now()
    _must_stand(hook)
    key = f"{hook.key}-test-{secrets.token_hex(6)}"
    delivery = WebhookDelivery.objects.create(
        webhook=hook, key=key, attempts=1, made_at=at, tried_at=at
    )
    outcome = ask(hook, key, payload(hook.campaign, key, []), visitor(), at)
    written(delivery, outcome, at)
    if outcome.error:
        raise Wrong(outcome.error)
    return delivery


@transaction.atomic
def switch(hook: Webhook, on: bool, now: datetime | None = None) -> None:
    """On: as new, and what was said meanwhile is sent, too. Off: nothing is sent, and nothing
    forgotten.
    """
    fresh = {"failures": 0, "failing_since": None, "last_error": "", "next_at": None} if on else {}
    _still(hook).update(active=on, off_why="", **fresh)
    hush(WebhookOff.key, hook.pk, now or timezone.now())


@transaction.atomic
def remove(hook: Webhook, now: datetime | None = None) -> None:
    """It is gone, with the secrets of it; what was sent stays written down."""
    at = now or timezone.now()
    _still(hook).update(
        removed_at=at, active=False, sealed="", secret="", host="", last_error="", off_why=""
    )
    hush(WebhookOff.key, hook.pk, at)


def remove_webhooks_of(user: Any, now: datetime) -> int:
    """Take away all that somebody set up: the addresses are theirs. How many there were."""
    hooks = list(Webhook.objects.filter(made_by=user, removed_at=None))
    for one in hooks:
        remove(one, now)
    WebhookDelivery.objects.filter(webhook__made_by=user).update(error="")
    return len(hooks)


def troubled(user: Any) -> QuerySet[Webhook]:
    """Those switched off by what went wrong, of campaigns whose game master this person is now."""
    hosted = Membership.objects.filter(user_id=user.pk, until=None, role__in=Membership.MASTERS)
    off = Webhook.objects.filter(
        ~Q(off_why=""), active=False, removed_at=None, campaign__in=hosted.values("campaign")
    )
    return off.select_related("campaign")


def _still(hook: Webhook) -> QuerySet[Webhook]:
    _must_stand(hook)
    return Webhook.objects.filter(pk=hook.pk, removed_at=None)


def _must_stand(hook: Webhook) -> None:
    if hook.removed_at is not None:
        raise Wrong(_("This webhook is gone."))


# How what is sent to a webhook is signed, and how its receiver looks whether it is ours.
#
# Twice: in one header of ours, which a dozen lines check without any library, and in the headers of
# Standard Webhooks (standardwebhooks.com), which libraries of many languages check.

SIGNATURE, DELIVERY = "Tabula-Signature", "Tabula-Delivery"

CHECK = '''\
import hashlib, hmac, time


def genuine(secret: str, signature: str, body: bytes) -> bool:
    """Did Tabula send this body, in the last five minutes?"""
    said = dict(part.split("=", 1) for part in signature.split(","))
    wanted = hmac.new(secret.encode(), said["t"].encode() + b"." + body, hashlib.sha256)
    fresh = abs(time.time() - int(said["t"])) < 300
    return fresh and hmac.compare_digest(wanted.hexdigest(), said["v1"])
'''
"""As the page shows it; `signature` is the header, `body` the bytes as they came. Run by
tests/notices/test_webhooks.py.
"""


MARK = "whsec_"
"""Before each secret: scanners of published code know it, and libraries for Standard Webhooks."""


def new_secret() -> str:
    """262 random bits. As base64, in which Standard Webhooks read it, they are 33 bytes in either
    of its alphabets.
    """
    return MARK + "".join(secrets.choice(ascii_letters + digits) for _ in range(44))


def headers(secret: str, key: str, body: bytes, at: datetime) -> dict[str, str]:
    """What names the delivery of this body by its key, and signs it, at the moment of the
    attempt.
    """
    # Secrets made before this form may have the signs of the other alphabet of base64.
    standard = standardwebhooks_Webhook(
        secret.removeprefix(MARK).replace("-", "+").replace("_", "/")
    )
    return {
        DELIVERY: key,
        SIGNATURE: signature(secret, body, at),
        "webhook-id": key,
        "webhook-timestamp": str(int(at.timestamp())),
        "webhook-signature": standard.sign(key, at.astimezone(UTC), body.decode()),
    }


def signature(secret: str, body: bytes, at: datetime) -> str:
    """The header: the second of the attempt, and the HMAC-SHA256 of it, a point and the body under
    the secret.
    """
    seconds = str(int(at.timestamp()))
    digest = hmac.new(secret.encode(), seconds.encode() + b"." + body, hashlib.sha256).hexdigest()
    return f"t={seconds},v1={digest}"
