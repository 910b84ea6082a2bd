"""A campaign's webhooks: added, tried out, given another secret, switched on and off, taken away; by its hosts."""

from __future__ import annotations

import secrets
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access, keys
from campaign.models import Campaign, Membership
from campaign.services import log
from notices import signing, webhooks
from notices.models import Webhook, WebhookDelivery
from notices.of_channels import WEBHOOK_OFF
from notices.services.channels import Wrong, hush, must_have_channels
from outside import client as outside
from outside import errors

MOST = 3
LONGEST = 500


def of_campaign(campaign: Campaign) -> QuerySet[Webhook]:
    return Webhook.objects.filter(campaign=campaign, removed_at=None).select_related("made_by")


def add(campaign: Campaign, user: Any, address: str, now: datetime | None = None) -> tuple[Webhook, str]:
    """A new one, told from the next entry on, and its secret, which nobody can look up later.

    Raises `Wrong` for an address that is none, or where there are `MOST`; `NotAllowed` for who is no game master.
    """
    must_have_channels(user)
    at, address = now or timezone.now(), address.strip()
    if len(address) > LONGEST:
        raise Wrong(_("An address has up to 500 characters."), "address")
    try:
        outside.check_public(address)
    except errors.Refused as refused:
        raise Wrong(str(refused), "address") from None
    secret = signing.new_secret()
    with transaction.atomic():
        table = log.lock(campaign)
        access.must_be_host(table, user)
        if of_campaign(table).count() >= MOST:
            raise Wrong(_("These are as many webhooks as a campaign may have. Take one away first."), "address")
        made = Webhook.objects.create(
            campaign=table, made_by=user, made_at=at, key=keys.new_public_id(), host=(urlsplit(address).hostname or "")[:255],
            sealed=keys.seal(address), secret=keys.seal(secret), upto=table.last_number,
        )  # fmt: skip
    return made, secret


def renew(hook: Webhook) -> str:
    """Another secret in place of the old one, from now on."""
    secret = signing.new_secret()
    _still(hook).update(secret=keys.seal(secret))
    return secret


def try_out(hook: Webhook, now: datetime | None = None) -> WebhookDelivery:
    """Send a test at once. Raises `Wrong` with what came back."""
    at = now or timezone.now()
    _must_stand(hook)
    key = f"{hook.key}-test-{secrets.token_hex(6)}"
    made = WebhookDelivery.objects.create(webhook=hook, key=key, attempts=1, made_at=at, tried_at=at)
    outcome = webhooks.ask(hook, key, webhooks.payload(hook.campaign, key, []), webhooks.visitor(), at)
    webhooks.written(made, outcome, at)
    if outcome.error:
        raise Wrong(outcome.error)
    return made


@transaction.atomic
def switch(hook: Webhook, on: bool, now: datetime | None = None) -> None:
    """On: as new, and what was said meanwhile is sent, too. Off: nothing is sent, and nothing forgotten."""
    fresh = {"failures": 0, "failing_since": None, "last_error": "", "next_at": None} if on else {}
    _still(hook).update(active=on, off_why="", **fresh)
    hush(WEBHOOK_OFF, hook.pk, now or timezone.now())


@transaction.atomic
def remove(hook: Webhook, now: datetime | None = None) -> None:
    """It is gone, with the secrets of it; what was sent stays written down."""
    at = now or timezone.now()
    _still(hook).update(removed_at=at, active=False, sealed="", secret="", host="", last_error="", off_why="")
    hush(WEBHOOK_OFF, hook.pk, at)


def forget(user: Any, now: datetime) -> int:
    """Take away all that somebody set up: their addresses are his. How many there were."""
    found = list(Webhook.objects.filter(made_by=user, removed_at=None))
    for one in found:
        remove(one, now)
    WebhookDelivery.objects.filter(webhook__made_by=user).update(error="")
    return len(found)


def troubled(user: Any) -> QuerySet[Webhook]:
    """Those switched off by what went wrong, of campaigns whose game master this person is now."""
    hosted = Membership.objects.filter(user_id=user.pk, until=None, role__in=Membership.MASTERS)
    off = Webhook.objects.filter(~Q(off_why=""), active=False, removed_at=None, campaign__in=hosted.values("campaign"))
    return off.select_related("campaign")


def _still(hook: Webhook) -> QuerySet[Webhook]:
    _must_stand(hook)
    return Webhook.objects.filter(pk=hook.pk, removed_at=None)


def _must_stand(hook: Webhook) -> None:
    if hook.removed_at is not None:
        raise Wrong(_("This webhook is gone."))
