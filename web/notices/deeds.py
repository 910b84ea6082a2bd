"""What the forms of channels do. Each deed returns the message for the user, or an answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from campaign.models import Campaign
from notices.channels import services
from notices.channels.registry import type_of
from notices.channels.services import Wrong
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
Deed = Callable[[HttpRequest, list[Channel]], "str | HttpResponse"]


def attempt(
    request: HttpRequest,
    deed: Callable[[HttpRequest, list[Place]], str | HttpResponse],
    own: list[Place],
    again: Callable[[Wrong], HttpResponse],
    home: str,
) -> HttpResponseBase:
    """Do what a form asks for and return to its page.

    What is wrong is shown beside the form; what is secret is typed again.
    """
    try:
        answer = deed(request, own)
    except Wrong as wrong:
        return again(wrong)
    if isinstance(answer, HttpResponse):
        return answer
    messages.success(request, answer)
    return redirect(home)


def chosen(request: HttpRequest, own: Sequence[Channel]) -> Channel:
    """Return which of the channels the form names. Raises `Wrong`."""
    _do, key, _webhook = ChosenForm(request.POST).keys()
    channel = next((channel for channel in own if channel.pk == key), None)
    if channel is None:
        raise Wrong(_("This channel is gone."))
    return channel


def too_often(request: HttpRequest) -> HttpResponse | None:
    """Count an act that sends something at once; return a refusal if there were too many."""
    return throttle.mail(request, throttle.CHANNEL, f"user {request.user.pk}")


def add(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    """Add a channel of the reader's own."""
    return add_channel(request)


def add_channel(request: HttpRequest, campaign: Campaign | None = None) -> str | HttpResponse:
    """Add a channel of the reader's or of a campaign.

    The same form sent twice adds one: two channels would report everything twice.
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
    except Wrong:
        requests.allow_again(request)
        raise
    return code_sent(channel)


def code_sent(channel: Channel) -> str:
    """Return that a code was sent to a channel."""
    return _("A code was sent to %(name)s. Type it below.") % {"name": channel.called}


def add_device(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    """Notify this browser."""
    if refusal := too_often(request):
        return refusal
    form = DeviceForm(request.POST)
    form.is_valid()
    subscription, name = form.cleaned_data["subscription"], form.cleaned_data["name"]
    services.add_device(request.user, subscription, name)
    return _("This device is notified from now on. Choose below of what.")


def set_discreet(request: HttpRequest, own: list[Channel]) -> str:
    """Set whether the locked screen of a device shows the campaign only."""
    services.set_discreet(chosen(request, own), DiscreetForm(request.POST).is_on)
    return _("Saved.")


def set_quiet(request: HttpRequest, own: list[Channel]) -> str:
    """Set the hours between which a device is not notified."""
    channel = chosen(request, own)
    services.set_quiet(channel, *QuietForm(request.POST).hours())
    return _("Saved.")


def send_code_again(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    """Send another code to a channel."""
    channel = chosen(request, own)
    if refusal := too_often(request):
        return refusal
    services.again(channel)
    return code_sent(channel)


def confirm(request: HttpRequest, own: list[Channel]) -> str:
    """Confirm a channel by the code that was sent there."""
    channel, form = chosen(request, own), CodeForm(request.POST)
    form.is_valid()
    services.confirm(channel, form.cleaned_data["code"])
    return _("%(name)s is confirmed. Choose below what is sent there.") % {"name": channel.called}


def send_test(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
    """Send a test to a channel."""
    channel = chosen(request, own)
    if refusal := too_often(request):
        return refusal
    text = _("A test was sent to %(name)s.")
    if not services.try_out(channel):
        text = _("A test is on its way to %(name)s. The list below shows its result.")
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
    return _("%(name)s is switched off.") % {"name": channel.called}


def remove(request: HttpRequest, own: list[Channel]) -> str:
    """Remove a channel and its address."""
    channel = chosen(request, own)
    if not type_of(channel).is_removable:
        raise Wrong(_("E-mails are switched off, not removed."))
    services.remove(channel)
    return _("%(name)s is removed, and its address with it.") % {"name": channel.called}


def set_hour(request: HttpRequest, own: list[Channel]) -> str:
    """Set the hour of the daily e-mail."""
    channel, form = chosen(request, own), HourForm(request.POST)
    form.is_valid()
    services.set_hour(channel, form.cleaned_data["hour"])
    return _("Saved.")


def set_preferences(request: HttpRequest, own: list[Channel]) -> str:
    """Set which kinds of notices come through which channel."""
    form = PreferencesForm(request.POST)
    for channel in own:
        modes = form.preferences(channel.pk)
        if modes:
            services.set_preferences(channel, modes)
    return _("Saved.")


DEEDS: dict[str, Deed] = {
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
"""What each value of `do` does to the channels of a user."""
