"""The acts of the forms of channels. Each returns the message for the user, or an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from campaign.models import Campaign
from notices.channels import services
from notices.channels.registry import type_of
from notices.channels.services import ChannelError
from notices.models import Channel, Webhook
from web.frame import requests, throttle
from web.notices.forms import (
    AddressForm,
    ChosenForm,
    CodeForm,
    DeviceForm,
    DiscreetForm,
    HourForm,
    PreferencesForm,
    QuietForm,
)

Place = TypeVar("Place", Channel, Webhook)
ChannelAction = Callable[[HttpRequest, list[Channel]], "str | HttpResponse"]


def attempt(
    request: HttpRequest,
    action: Callable[[HttpRequest, list[Place]], str | HttpResponse],
    own: list[Place],
    again: Callable[[ChannelError], HttpResponse],
    home: str,
) -> HttpResponseBase:
    """Perform the act of a form and redirect to its page.

    An error is shown beside the form; secrets have to be typed again.
    """
    try:
        answer = action(request, own)
    except ChannelError as wrong:
        return again(wrong)
    if isinstance(answer, HttpResponse):
        return answer
    messages.success(request, answer)
    return redirect(home)


def chosen(request: HttpRequest, own: Sequence[Channel]) -> Channel:
    """Return the channel that the form names. Raise `ChannelError` if it no longer exists."""
    _do, key, _webhook = ChosenForm(request.POST).keys()
    channel = next((channel for channel in own if channel.pk == key), None)
    if channel is None:
        raise ChannelError(_("This channel no longer exists."))
    return channel


def too_often(request: HttpRequest) -> HttpResponse | None:
    """Count an act that sends something at once; return a refusal if there were too many."""
    return throttle.mail(request, throttle.CHANNEL, f"user {request.user.pk}")


def add(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    """Add a channel of the reader's own."""
    return add_channel(request)


def add_channel(request: HttpRequest, campaign: Campaign | None = None) -> str | HttpResponse:
    """Add a channel of the reader or of a campaign.

    A form that is sent twice adds a single channel: two channels would report everything twice.
    """
    if refusal := too_often(request):
        return refusal
    if not requests.first_time(request):
        return redirect(request.path)
    form = AddressForm(request.POST)
    form.is_valid()
    address, name = form.cleaned_data["address"], form.cleaned_data["name"]
    try:
        channel = services.add(request.user, address, name, campaign)
    except ChannelError:
        requests.allow_again(request)
        raise
    return code_sent(channel)


def code_sent(channel: Channel) -> str:
    """Return the message that a code was sent to a channel."""
    return _("We have sent a code to %(name)s. Type it below.") % {"name": channel.called}


def add_device(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    """Register this browser for notices."""
    if refusal := too_often(request):
        return refusal
    form = DeviceForm(request.POST)
    form.is_valid()
    subscription, name = form.cleaned_data["subscription"], form.cleaned_data["name"]
    services.add_device(request.user, subscription, name)
    return _("This device will now receive notifications. Choose below what we send to it.")


def set_discreet(request: HttpRequest, own: list[Channel]) -> str:
    """Set whether the lock screen of a device shows only the campaign."""
    services.set_discreet(chosen(request, own), DiscreetForm(request.POST).is_on)
    return pgettext("notices", "Saved.")


def set_quiet(request: HttpRequest, own: list[Channel]) -> str:
    """Set the hours between which a device is not notified."""
    channel = chosen(request, own)
    services.set_quiet(channel, *QuietForm(request.POST).hours())
    return pgettext("notices", "Saved.")


def send_code_again(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    """Send another code to a channel."""
    channel = chosen(request, own)
    if refusal := too_often(request):
        return refusal
    services.resend_code(channel)
    return code_sent(channel)


def confirm(request: HttpRequest, own: list[Channel]) -> str:
    """Confirm a channel with the code that was sent there."""
    channel, form = chosen(request, own), CodeForm(request.POST)
    form.is_valid()
    services.confirm(channel, form.cleaned_data["code"])
    return _("%(name)s is confirmed. Choose below what we send there.") % {"name": channel.called}


def send_test(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    """Send a test to a channel."""
    channel = chosen(request, own)
    if refusal := too_often(request):
        return refusal
    text = _("We have sent a test message to %(name)s.")
    if not services.try_out(channel):
        text = _(
            "A test message is on its way to %(name)s. You will see the result in the list below."
        )
    return text % {"name": channel.called}


def switch_on(request: HttpRequest, own: list[Channel]) -> str:
    """Switch a channel on."""
    channel = chosen(request, own)
    services.switch(channel, on=True)
    return _("%(name)s is switched on.") % {"name": channel.called}


def switch_off(request: HttpRequest, own: list[Channel]) -> str:
    """Switch a channel off."""
    channel = chosen(request, own)
    services.switch(channel, on=False)
    return pgettext("notices", "%(name)s is switched off.") % {"name": channel.called}


def remove(request: HttpRequest, own: list[Channel]) -> str:
    """Remove a channel and its address."""
    channel = chosen(request, own)
    if not type_of(channel).is_removable:
        raise ChannelError(_("You can switch e-mails off, but not remove them."))
    services.remove(channel)
    return _("%(name)s and its address have been removed.") % {"name": channel.called}


def set_hour(request: HttpRequest, own: list[Channel]) -> str:
    """Set the hour of the daily e-mail."""
    channel, form = chosen(request, own), HourForm(request.POST)
    form.is_valid()
    services.set_hour(channel, form.cleaned_data["hour"])
    return pgettext("notices", "Saved.")


def set_preferences(request: HttpRequest, own: list[Channel]) -> str:
    """Set how each kind of notice is sent through each channel."""
    form = PreferencesForm(request.POST)
    for channel in own:
        modes = form.preferences(channel.pk)
        if modes:
            services.set_preferences(channel, modes)
    return pgettext("notices", "Saved.")


ACTIONS: dict[str, ChannelAction] = {
    "add": add,
    "again": send_code_again,
    "confirm": confirm,
    "test": send_test,
    "on": switch_on,
    "off": switch_off,
    "remove": remove,
    "hour": set_hour,
    "wishes": set_preferences,
    "device": add_device,
    "discreet": set_discreet,
    "quiet": set_quiet,
}
"""The acts on a user's channels, by the value of `do`."""
