"""A campaign's own channels, which its game masters set up for public news.

A channel can also show the message "whom we wait for".
"""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from notices import waiting_message
from notices.channels import services
from notices.channels.services import ChannelError
from notices.models import Channel
from web.frame.campaign_page import campaign_page, show
from web.frame.raw_forms import form_key
from web.frame.table import TableContext
from web.notices import actions
from web.notices.actions import ACTIONS, ChannelAction, attempt, chosen
from web.notices.forms import LanguageForm
from web.notices.rows import (
    ChannelRow,
    NewChannel,
    Preferences,
    SentRow,
    channel_row,
    new_channel,
    preferences,
    sent_rows,
)


@dataclass(frozen=True, slots=True)
class ChannelsPage:
    """The channels of a campaign."""

    time_zone: str
    preferences: Preferences
    sent: list[SentRow]
    chats: list[ChannelRow]
    new_channel: NewChannel
    webhooks_url: str
    back_url: str
    back_text: str


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def channels(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Show the channels. `do` of a POST is the name of the form.

    The page shows nothing hidden, so that game masters who also play may see it.
    """
    table.must_be_host()
    if request.method != "POST":
        return show_channels(request, table)

    def add(request: HttpRequest, own: list[Channel]) -> str | HttpResponse:
        return actions.add_channel(request, table.campaign)

    action = {**CHANNEL_ACTIONS, "add": add}.get(form_key(request))
    if action is None:
        return show_channels(request, table)
    return attempt(
        request,
        action,
        list(services.channels_of_campaign(table.campaign)),
        lambda wrong: show_channels(request, table, wrong),
        table.url("channels"),
    )


def show_channels(
    request: HttpRequest, table: TableContext, wrong: ChannelError | None = None
) -> HttpResponse:
    """Show the channels, with the error in a form."""
    page = channels_page(request, table, wrong)
    status = 422 if wrong else 200
    return show(request, table, "notices/channels.html", {"page": page}, tab="desk", status=status)


def channels_page(
    request: HttpRequest, table: TableContext, wrong: ChannelError | None
) -> ChannelsPage:
    """Return the channels of a campaign."""
    own = list(services.channels_of_campaign(table.campaign))
    has_desk = table.pages is None
    return ChannelsPage(
        time_zone=table.campaign.time_zone,
        preferences=preferences(own),
        sent=sent_rows(own),
        chats=[channel_row(channel, request.POST, wrong, is_campaigns=True) for channel in own],
        new_channel=new_channel(request.POST, wrong, is_full=len(own) > services.MOST_CHANNELS),
        webhooks_url=table.url("webhooks"),
        back_url=table.url("desk" if has_desk else "seats"),
        back_text=_("To the desk") if has_desk else _("To the seats"),
    )


def show_board(request: HttpRequest, own: list[Channel]) -> str:
    """Show the message "whom we wait for" in a channel."""
    waiting_message.switch_on(chosen(request, own))
    return _("The message will appear within a minute or two.")


def renew_board(request: HttpRequest, own: list[Channel]) -> str:
    """Create the message again."""
    waiting_message.make_new_message(chosen(request, own))
    return _("A new message will appear within a minute or two.")


def leave_board(request: HttpRequest, own: list[Channel]) -> str:
    """Stop updating the message."""
    waiting_message.switch_off(chosen(request, own))
    return _("The message will no longer be updated. You can delete it in Discord.")


def set_language(request: HttpRequest, own: list[Channel]) -> str:
    """Set the language of the notices in a channel."""
    channel, form = chosen(request, own), LanguageForm(request.POST)
    form.is_valid()
    services.set_language(channel, form.cleaned_data["language"])
    return pgettext("notices", "Saved.")


SHARED_ACTIONS = ("again", "confirm", "test", "on", "off", "remove", "wishes")
CHANNEL_ACTIONS: dict[str, ChannelAction] = {
    **{name: ACTIONS[name] for name in SHARED_ACTIONS},
    "board": show_board,
    "anew": renew_board,
    "no-board": leave_board,
    "language": set_language,
}
