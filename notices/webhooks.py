"""What programs are told of a campaign, as it is said: the public log in order, each entry at least once (decision 26).

`tick` may run as often as one likes, in as many processes as one likes. A webhook is taken in a short transaction, asked
outside of any, and marked in a third. The entries of one request are its own until they arrive: another attempt sends the
same ones under the same id, whether they arrived before or not. What only some may see has no number, so nothing here
moves by it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any, NamedTuple

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from campaign import keys, selectors
from campaign.models import Campaign, Membership
from campaign.selectors import Line
from campaign.told import told
from engine.log import canonical
from notices import posting, signing
from notices.channels.mail import site
from notices.models import Webhook, WebhookDelivery
from notices.of_channels import WEBHOOK_OFF
from outside import OutsideError
from outside.client import Client

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
    """What an attempt came to: it arrived where `error`, in the language of who set the webhook up, is empty."""

    status: int | None
    error: str

    @property
    def gone(self) -> bool:
        return self.status == GONE


def visitor() -> Client:
    return Client(seconds=SECONDS)


# What it says ---------------------------------------------------------------------------------------------------------


def payload(campaign: Campaign, key: str, entries: list[dict[str, Any]]) -> bytes:
    """The body of one request; `entries` are empty in a test. Everybody may know what is in it."""
    said = {
        "id": key, "type": "entries" if entries else "test",
        "campaign": {
            "ref": campaign.address, "name": campaign.name, "title": campaign.title, "status": campaign.status,
            "turn": campaign.turn, "active_seat": campaign.active_seat, "url": site(reverse("table", args=[campaign.address])),
        },
        "entries": entries,
    }  # fmt: skip
    return canonical(said).encode()


def public(campaign: Campaign, first: int, last: int) -> list[dict[str, Any]]:
    """The entries of these numbers as who is nobody there reads them, in order, struck ones too."""
    found = selectors.entries(campaign, None).filter(number__gte=first, number__lte=last).order_by("sequence")
    with translation.override(IN_ENGLISH):
        return [_entry(campaign, line) for line in selectors.lines(campaign, None, found.prefetch_related("rolls"))]


def _entry(campaign: Campaign, line: Line) -> dict[str, Any]:
    entry = line.entry
    return {
        "number": entry.number, "kind": entry.kind, "act": entry.table_act, "seat": entry.seat, "turn": entry.turn,
        "at": entry.at.astimezone(UTC).isoformat(), "said": dict(told(campaign.game, entry, line.effects)), "text": line.text,
        "struck_by": entry.struck_by.number if entry.struck_by is not None else None,
        "url": site(reverse("entry", args=[campaign.address, entry.number])),
    }  # fmt: skip


# Sending --------------------------------------------------------------------------------------------------------------


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
    """What is for members only goes to the address of who has left no more, until he is there again."""
    place = Membership.objects.filter(campaign=OuterRef("campaign"), user=OuterRef("made_by"), until=None)
    return hooks.filter(~Q(campaign__visibility=Campaign.Visibility.MEMBERS) | Exists(place))


def due(now: datetime, at: datetime) -> Any:
    """Those that have something to be sent and are nobody's at `at`; where all is well first, lest the others hold it up."""
    behind = Webhook.objects.filter(active=True, removed_at=None, campaign__suspended=False, campaign__last_number__gt=F("upto"))
    ready = may_hear(behind).filter(Q(next_at=None) | Q(next_at__lte=now)).filter(Q(taken_at=None) | Q(taken_at__lt=at - LEASE))
    return ready.order_by("failures", F("last_ok_at").asc(nulls_first=True), "pk")


@transaction.atomic
def take(now: datetime, at: datetime) -> tuple[Webhook, WebhookDelivery] | None:
    """The next that is due, with the entries it is to be sent, marked as being asked."""
    found = due(now, at).select_for_update(skip_locked=True, of=("self",)).first()
    if found is None:
        return None
    hook = Webhook.objects.select_related("campaign", "made_by").get(pk=found.pk)
    first = hook.upto + 1
    hook.batch = hook.batch if hook.batch is not None else min(hook.upto + MOST_ENTRIES, hook.campaign.last_number)
    hook.taken_at = at
    hook.save(update_fields=["batch", "taken_at"])
    facts = {"first": first, "last": hook.batch, "made_at": at, "tried_at": at}
    delivery, _made = WebhookDelivery.objects.get_or_create(webhook=hook, key=f"{hook.key}-{first}-{hook.batch}", defaults=facts)
    WebhookDelivery.objects.filter(pk=delivery.pk).update(state=State.SENDING, tried_at=at, attempts=F("attempts") + 1)
    return hook, delivery


def _sent(hook: Webhook, delivery: WebhookDelivery, client: Client, at: datetime) -> Outcome:
    assert delivery.first is not None
    assert delivery.last is not None
    try:
        body = payload(hook.campaign, delivery.key, public(hook.campaign, delivery.first, delivery.last))
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
        return Outcome(None, _("Its address cannot be read any more. Take it away and add it again."))
    headers = {
        "Content-Type": "application/json", signing.DELIVERY: key, signing.SIGNATURE: signing.signature(secret, body, at),
    }  # fmt: skip
    try:
        answer = client.post(address, data=body, headers=headers)
    except OutsideError as error:
        return Outcome(None, str(error))
    if answer.ok:
        return Outcome(answer.status, "")
    return Outcome(answer.status, _("%(host)s answered %(status)d.") % {"host": hook.host, "status": answer.status})


@transaction.atomic
def close(hook: Webhook, delivery: WebhookDelivery, outcome: Outcome, now: datetime) -> None:
    """Mark what it came to, if it is still ours: who took it too long ago has lost it to another."""
    row = Webhook.objects.select_for_update().filter(pk=hook.pk, taken_at=hook.taken_at, removed_at=None).first()
    if row is None:
        return
    written(delivery, outcome, now)
    row.taken_at = None
    if not outcome.error and delivery.last is not None:
        row.upto, row.batch = delivery.last, None
        row.next_at, row.failures, row.failing_since, row.last_error, row.last_ok_at = None, 0, None, "", now
    else:
        row.next_at = now + BACK_OFF[min(row.failures, len(BACK_OFF) - 1)]
        row.failures += 1
        row.failing_since = row.failing_since or now
        row.last_error = outcome.error[:300]
        if row.active and (outcome.gone or now - row.failing_since >= PATIENCE):
            row.active, row.off_why = False, row.last_error
            first = hook.campaign.entries.earliest("sequence")  # nobody strikes it
            posting.tell(hook.campaign, first, WEBHOOK_OFF, f"{row.pk}/{now:%Y%m%dT%H%M%SZ}", {}, now)
    row.save()


def written(delivery: WebhookDelivery, outcome: Outcome, now: datetime) -> None:
    state = State.FAILED if outcome.error else State.SENT
    found = WebhookDelivery.objects.filter(pk=delivery.pk)
    found.update(state=state, status=outcome.status, error=outcome.error[:300], tried_at=now)
