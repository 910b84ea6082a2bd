"""Rows of channels with their forms, of the preferences, and of deliveries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.conf import settings
from django.http import QueryDict
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext, pgettext
from django.utils.translation import gettext as _

from notices.channels.registry import type_of
from notices.channels.services import ChannelError
from notices.kinds.kind import Kind
from notices.models import Channel, Delivery, DeliveryMode, NoticePreference
from notices.preferences import is_offered, preference_for
from notices.registry import DECLARED, kinds_by_group
from web.frame.chip import Chip
from web.frame.sentences import with_times
from web.notices.forms import AddressForm, ChosenForm
from web.templatetags.tabula import when

MOST_SENT = 15
FEW_COLUMNS = 3
"""The number of channels up to which the table needs little room."""


class Option(NamedTuple):
    """A choice in a list."""

    value: str
    text: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class ChannelRow:
    """A channel with its state and its forms."""

    channel: Channel
    error: str
    code_error: str
    languages: list[Option]
    """The possible languages of a campaign's channel; empty for a user's channel."""
    has_board: bool
    """Whether the channel can show the message "whom we wait for"."""

    @property
    def pk(self) -> int:
        return self.channel.pk

    @property
    def name(self) -> str:
        return self.channel.called

    @property
    def service(self) -> str:
        """Return the name of the service; empty unless the channel has a name of its own."""
        return self.channel.get_service_display() if self.channel.name else ""

    @property
    def is_confirmed(self) -> bool:
        return self.channel.confirmed_at is not None

    @property
    def is_active(self) -> bool:
        return self.channel.active

    @property
    def is_device(self) -> bool:
        return type_of(self.channel).is_device

    @property
    def chip(self) -> Chip:
        if not self.is_confirmed:
            return Chip(pgettext("state", "not confirmed"), "warn")
        return activity_chip(self.channel)

    @property
    def failure(self) -> str:
        """Return the error of the last delivery; empty if it succeeded."""
        return failure_of(self.channel)

    @property
    def last_arrival(self) -> str:
        """Return when something last arrived; empty if the last delivery failed."""
        if self.failure or not self.channel.last_ok_at:
            return ""
        at = when(self.channel.last_ok_at)
        return with_times(pgettext("notices", "Last delivery: %(at)s"), at=at)

    @property
    def quiet_from(self) -> list[Option]:
        return hour_options(self.channel.quiet_from)

    @property
    def quiet_to(self) -> list[Option]:
        return hour_options(self.channel.quiet_to)

    @property
    def board_text(self) -> str:
        """Return the state of the message "whom we wait for" in this channel."""
        channel = self.channel
        if not channel.board:
            return _(
                "It can show a message with the people the campaign is waiting for, and keep it "
                "up to date."
            )
        if channel.board_error:
            return gettext(channel.board_error)
        if channel.board_message:
            return _("It shows a message with the people the campaign is waiting for.")
        return _(
            "The message with the people the campaign is waiting for will appear within a minute "
            "or two."
        )

    @property
    def can_renew_board(self) -> bool:
        return bool(self.channel.board_error or self.channel.board_message)


def activity_chip(channel: Channel) -> Chip:
    """Return whether a channel is on, as a chip."""
    if channel.active:
        return Chip(pgettext("channel", "on"), "good")
    if channel.off_why:
        return Chip(pgettext("state", "switched off"), "bad")
    return Chip(pgettext("channel", "off"))


def failure_of(channel: Channel) -> str:
    """Return the error of the last delivery to a channel; empty if it succeeded."""
    if channel.off_why:
        text = _("Sending failed repeatedly, so we switched it off: %(why)s")
        return text % {"why": channel.off_why}
    if channel.last_error:
        return _("The last attempt failed: %(why)s") % {"why": channel.last_error}
    return ""


def hour_options(chosen: int | None) -> list[Option]:
    """Return the hours of a day as choices."""
    return [Option(str(hour), f"{hour:02d}:00", hour == chosen) for hour in range(24)]


def language_options(chosen: str) -> list[Option]:
    """Return the languages of the site, of which the first is the default."""
    usual = settings.LANGUAGES[0][0]
    return [Option(code, name, code == (chosen or usual)) for code, name in settings.LANGUAGES]


def channel_row(
    channel: Channel,
    post_data: QueryDict,
    wrong: ChannelError | None,
    *,
    is_campaigns: bool = False,
) -> ChannelRow:
    """Return a channel with the error in one of its forms."""
    do, key, _webhook = ChosenForm(post_data).keys()
    error = str(wrong) if wrong is not None and do != "add" and key == channel.pk else ""
    is_code = do == "confirm"
    return ChannelRow(
        channel=channel,
        error="" if is_code else error,
        code_error=error if is_code else "",
        languages=language_options(channel.language) if is_campaigns else [],
        has_board=is_campaigns and channel.confirmed_at is not None and type_of(channel).has_board,
    )


# Form for a new channel


@dataclass(frozen=True, slots=True)
class NewChannel:
    """The form for a new channel. After an error it shows the name again, never the address."""

    is_full: bool
    """Whether the largest number of channels is reached."""
    name: str
    address_error: str
    name_error: str


def new_channel(post_data: QueryDict, wrong: ChannelError | None, *, is_full: bool) -> NewChannel:
    """Return the form for a new channel with its error."""
    if wrong is None or ChosenForm(post_data).keys()[0] != "add":
        return NewChannel(is_full, "", "", "")
    is_name = wrong.field == "name"
    return NewChannel(
        is_full=is_full,
        name=AddressForm(post_data).short_name,
        address_error="" if is_name else str(wrong),
        name_error=str(wrong) if is_name else "",
    )


# Preferences: ways of sending by kind and channel


class Cell(NamedTuple):
    """The way in which a kind of notice is sent through a channel."""

    channel: str
    field: str
    options: list[Option]


class KindRow(NamedTuple):
    """A kind of notice with a choice for each channel."""

    name: str
    is_urgent: bool
    cells: list[Cell]


@dataclass(frozen=True, slots=True)
class KindGroup:
    """Kinds of notices that belong together."""

    name: str
    kinds: list[KindRow]

    @property
    def count(self) -> str:
        number = len(self.kinds)
        text = ngettext("%(n)s kind of notice", "%(n)s kinds of notice", number)
        return text % {"n": number}


@dataclass(frozen=True, slots=True)
class Preferences:
    """The ways of sending for all kinds of notices and channels."""

    columns: list[str]
    groups: list[KindGroup]

    @property
    def is_narrow(self) -> bool:
        return len(self.columns) <= FEW_COLUMNS


def preferences(channels: Iterable[Channel]) -> Preferences:
    """Return a row for each kind of notice, with a choice for each confirmed channel."""
    confirmed = [channel for channel in channels if channel.confirmed_at is not None]
    modes = {
        (channel, kind): mode
        for channel, kind, mode in NoticePreference.objects.filter(
            channel__in=confirmed
        ).values_list("channel_id", "kind", "mode")
    }
    offered_kinds = [
        kind for kind in DECLARED if any(is_offered(channel, kind) for channel in confirmed)
    ]
    return Preferences(
        columns=[channel.called for channel in confirmed],
        groups=[
            KindGroup(gettext(group.value), [kind_row(kind, confirmed, modes) for kind in kinds])
            for group, kinds in kinds_by_group(offered_kinds)
        ],
    )


def kind_row(
    kind: Kind, channels: Sequence[Channel], modes: Mapping[tuple[int, str], str]
) -> KindRow:
    """Return a kind of notice with a choice for each channel."""
    return KindRow(
        name=gettext(kind.name),
        is_urgent=kind.is_urgent,
        cells=[
            Cell(
                channel=channel.called,
                field=f"how-{channel.pk}-{kind.key}",
                options=how_options(preference_for(channel, kind.key, modes)),
            )
            for channel in channels
        ],
    )


def how_options(chosen: str) -> list[Option]:
    """Return the possible ways of sending as choices."""
    return [Option(value, str(text), value == chosen) for value, text in DeliveryMode.choices]


# Deliveries


class SentRow(NamedTuple):
    """A past or planned delivery."""

    channel: str
    form: str
    chip: Chip
    at: SafeString
    attempts: str
    error: str


def sent_rows(channels: Sequence[Channel]) -> list[SentRow]:
    """Return the latest deliveries through these channels."""
    deliveries = Delivery.objects.filter(channel__in=channels).select_related("channel")
    return [sent_row(delivery) for delivery in deliveries[:MOST_SENT]]


def sent_row(delivery: Delivery) -> SentRow:
    """Return a delivery as a line of the list."""
    is_done = delivery.done_at is not None
    due = with_times(_("due %(at)s"), at=when(delivery.next_at))
    return SentRow(
        channel=delivery.channel.called,
        form=delivery.get_form_display(),
        chip=Chip(delivery.get_state_display(), delivery_tone(delivery)),
        at=SafeString(when(delivery.done_at)) if is_done else due,
        attempts=attempts_text(delivery.attempts),
        error=gettext(delivery.last_error) if delivery.last_error else "",
    )


def delivery_tone(delivery: Delivery) -> str:
    """Return the tone of a delivery's state."""
    tones = {"sent": "good", "failed": "bad", "doubtful": "warn"}
    return tones.get(delivery.state, "warn" if delivery.last_error else "")


def attempts_text(attempts: int) -> str:
    """Return the number of attempts, if it is more than one."""
    if attempts < 2:
        return ""
    return ngettext("%(n)s attempt", "%(n)s attempts", attempts) % {"n": attempts}
