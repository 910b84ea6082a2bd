"""A campaign's webhooks, which its game masters set up: they receive every public entry as data."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from campaign.models import Campaign
from notices import webhooks as services
from notices.channels.services import ChannelError
from notices.models import Webhook, WebhookDelivery
from web.frame import requests
from web.frame.campaign_page import campaign_page, show
from web.frame.chip import Chip
from web.frame.raw_forms import form_key
from web.frame.sentences import with_times
from web.frame.table import TableContext
from web.notices.actions import attempt, too_often
from web.notices.forms import AddressForm, ChosenForm
from web.notices.rows import attempts_text
from web.templatetags.tabula import a_day, when

MOST_SENT = 20
SECRET = "webhook"  # noqa: S105  # the name of a value in the session, not a secret
EXAMPLE_KEY = "abcdefgh"

WebhookAction = Callable[[HttpRequest, list[Webhook]], "str | HttpResponse"]


@dataclass(frozen=True, slots=True)
class WebhookRow:
    """A webhook with its state."""

    webhook: Webhook
    receives: bool
    """Whether the webhook receives entries.

    The user who added it must still have access to the campaign.
    """
    error: str

    @property
    def pk(self) -> int:
        return self.webhook.pk

    @property
    def host(self) -> str:
        return self.webhook.host

    @property
    def is_active(self) -> bool:
        return self.webhook.active

    @property
    def origin(self) -> str:
        """Return the name of the user who added the webhook, and the date."""
        by, at = self.webhook.made_by.username, a_day(self.webhook.made_at)
        return with_times(_("by %(name)s, %(at)s"), name=by, at=at)

    @property
    def chip(self) -> Chip:
        if self.webhook.off_why:
            return Chip(pgettext("state", "switched off"), "bad")
        if not self.webhook.active:
            return Chip(pgettext("channel", "off"))
        if not self.receives:
            return Chip(pgettext("webhook", "receives nothing"), "warn")
        if self.webhook.failures:
            return Chip(pgettext("webhook", "fails"), "warn")
        return Chip(pgettext("channel", "on"), "good")

    @property
    def failure(self) -> str:
        """Return the error of the last delivery; empty if it succeeded."""
        webhook = self.webhook
        if webhook.off_why:
            text = _("Sending failed repeatedly, so we switched it off: %(why)s")
            return text % {"why": webhook.off_why}
        if not webhook.last_error:
            return ""
        failure = _("The last attempt failed: %(why)s") % {"why": webhook.last_error}
        if not webhook.active or webhook.next_at is None:
            return failure
        next_attempt = with_times(_("Next delivery: %(at)s."), at=when(webhook.next_at))
        return format_html("{} {}", failure, next_attempt)

    @property
    def last_arrival(self) -> str:
        """Return when something last arrived, or from which entry on it receives entries."""
        if self.webhook.last_ok_at:
            at = when(self.webhook.last_ok_at)
            return with_times(pgettext("notices", "Last delivery: %(at)s"), at=at)
        return _("It receives everything after entry %(n)s.") % {"n": self.webhook.upto}

    @property
    def failure_to_receive(self) -> str:
        """Return why nothing is sent to the webhook; empty if it receives entries."""
        if self.receives:
            return ""
        text = _(
            "We send nothing to it, because %(name)s is no longer a member of this campaign, and "
            "the campaign’s news is for members only. Remove the webhook and add it yourself."
        )
        return text % {"name": self.webhook.made_by.username}


class SentRow(NamedTuple):
    """A delivery of entries to a webhook."""

    name: str
    host: str
    chip: Chip
    at: datetime
    attempts: str
    error: str


class NewSecret(NamedTuple):
    """A secret that was just made."""

    title: str
    secret: str


@dataclass(frozen=True, slots=True)
class WebhooksPage:
    """The webhooks of a campaign, and instructions for programs."""

    new_secret: NewSecret | None
    error: str
    webhooks: list[WebhookRow]
    sent: list[SentRow]
    is_full: bool
    add_error: str
    example: str
    channels_url: str
    check: str = services.CHECK_EXAMPLE
    signature: str = services.SIGNATURE
    delivery: str = services.DELIVERY
    longest_address: int = services.LONGEST_NAME
    most_webhooks: int = services.MOST_WEBHOOKS
    most_entries: int = services.MOST_ENTRIES
    days: int = services.PATIENCE.days


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Show the webhooks. `do` of a POST is the name of the form."""
    table.must_be_host()
    if request.method != "POST":
        return show_webhooks(request, table)

    def add(request: HttpRequest, own: list[Webhook]) -> str | HttpResponse:
        return add_webhook(request, table)

    action = {**WEBHOOK_ACTIONS, "add": add}.get(form_key(request))
    if action is None:
        return show_webhooks(request, table)
    return attempt(
        request,
        action,
        list(services.webhooks_of_campaign(table.campaign)),
        lambda wrong: show_webhooks(request, table, wrong),
        table.url("webhooks"),
    )


def show_webhooks(
    request: HttpRequest, table: TableContext, wrong: ChannelError | None = None
) -> HttpResponse:
    """Show the webhooks, with the error in a form."""
    page = webhooks_page(request, table, wrong)
    status = 422 if wrong else 200
    return show(request, table, "notices/webhooks.html", {"page": page}, tab="desk", status=status)


def webhooks_page(
    request: HttpRequest, table: TableContext, wrong: ChannelError | None
) -> WebhooksPage:
    """Return the webhooks of a campaign."""
    rows = services.webhooks_of_campaign(table.campaign)
    own, receiving = list(rows), set(services.with_access(rows).values_list("pk", flat=True))
    do, _channel, key = ChosenForm(request.POST).keys()
    is_new, error = do == "add", str(wrong) if wrong else ""
    number = None if is_new else key
    is_known = number in {webhook.pk for webhook in own}
    return WebhooksPage(
        new_secret=new_secret(request),
        error="" if is_new or is_known else error,
        webhooks=[
            WebhookRow(
                webhook=webhook,
                receives=webhook.pk in receiving,
                error=error if webhook.pk == number else "",
            )
            for webhook in own
        ],
        sent=sent_rows(own),
        is_full=len(own) >= services.MOST_WEBHOOKS,
        add_error=error if is_new else "",
        example=example(table.campaign),
        channels_url=table.url("channels"),
    )


def new_secret(request: HttpRequest) -> NewSecret | None:
    """Return the secret that was just made, which is shown once."""
    secret = requests.take_secret(request, SECRET)
    if secret is None:
        return None
    return NewSecret(_("The secret of %(host)s") % {"host": secret.name}, secret.secret)


def sent_rows(webhooks: Sequence[Webhook]) -> list[SentRow]:
    """Return the latest deliveries to these webhooks."""
    deliveries = WebhookDelivery.objects.filter(webhook__in=webhooks).select_related("webhook")
    return [sent_row(delivery) for delivery in deliveries[:MOST_SENT]]


def sent_row(delivery: WebhookDelivery) -> SentRow:
    """Return a delivery as a line of the list."""
    tones = {"sent": "good", "failed": "bad"}
    return SentRow(
        name=delivery_name(delivery),
        host=delivery.webhook.host,
        chip=Chip(delivery.get_state_display(), tones.get(delivery.state, "")),
        at=delivery.tried_at,
        attempts=attempts_text(delivery.attempts),
        error=delivery.error,
    )


def delivery_name(delivery: WebhookDelivery) -> str:
    """Return the numbers of the entries that were sent, in words."""
    if delivery.first is None:
        return pgettext("notices", "A test")
    if delivery.first == delivery.last:
        return pgettext("notices", "Entry %(n)s") % {"n": delivery.first}
    numbers = {"first": delivery.first, "last": delivery.last}
    return _("Entries %(first)s to %(last)s") % numbers


def example(campaign: Campaign) -> str:
    """Return the payload of the last public entry, formatted over several lines."""
    last = campaign.last_number
    entries = services.public_entries(campaign, last, last)
    body = services.request_body(campaign, f"{EXAMPLE_KEY}-{last}-{last}", entries)
    return json.dumps(json.loads(body), indent=2, ensure_ascii=False)


# The acts of the forms. Each returns the message for the user, or an answer.


def chosen(request: HttpRequest, own: Sequence[Webhook]) -> Webhook:
    """Return the webhook that the form names. Raise `ChannelError` if it no longer exists."""
    _do, _channel, key = ChosenForm(request.POST).keys()
    webhook = next((webhook for webhook in own if webhook.pk == key), None)
    if webhook is None:
        raise ChannelError(_("This webhook no longer exists."))
    return webhook


def add_webhook(request: HttpRequest, table: TableContext) -> str | HttpResponse:
    """Add a webhook. A form that is sent twice adds a single webhook."""
    if refusal := too_often(request):
        return refusal
    if not requests.first_time(request):
        return redirect(request.path)
    form = AddressForm(request.POST)
    form.is_valid()
    try:
        webhook, secret = services.add(table.campaign, request.user, form.cleaned_data["address"])
    except ChannelError:
        requests.allow_again(request)
        raise
    requests.keep_secret(request, SECRET, webhook.host, secret)
    return _("%(name)s receives everything from the next entry on.") % {"name": webhook.host}


def send_test(request: HttpRequest, own: list[Webhook]) -> str | HttpResponse:
    """Send a test to a webhook."""
    webhook = chosen(request, own)
    if refusal := too_often(request):
        return refusal
    services.try_out(webhook)
    return _("The test arrived at %(name)s.") % {"name": webhook.host}


def renew_secret(request: HttpRequest, own: list[Webhook]) -> str | HttpResponse:
    """Make a new secret, which is shown once."""
    webhook = chosen(request, own)
    if not requests.first_time(request):
        return redirect(request.path)
    requests.keep_secret(request, SECRET, webhook.host, services.renew_secret(webhook))
    return _("The old secret is no longer valid.")


def switch_on(request: HttpRequest, own: list[Webhook]) -> str:
    """Switch a webhook on."""
    webhook = chosen(request, own)
    services.switch(webhook, on=True)
    text = _("%(name)s is switched on. The news from the meantime will be sent too.")
    return text % {"name": webhook.host}


def switch_off(request: HttpRequest, own: list[Webhook]) -> str:
    """Switch a webhook off."""
    webhook = chosen(request, own)
    services.switch(webhook, on=False)
    return pgettext("notices", "%(name)s is switched off.") % {"name": webhook.host}


def remove(request: HttpRequest, own: list[Webhook]) -> str:
    """Remove a webhook and its address."""
    webhook = chosen(request, own)
    services.remove(webhook)
    return _("%(name)s and its address have been removed.") % {"name": webhook.host}


WEBHOOK_ACTIONS: dict[str, WebhookAction] = {
    "test": send_test,
    "secret": renew_secret,
    "on": switch_on,
    "off": switch_off,
    "remove": remove,
}
