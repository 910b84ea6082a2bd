"""The forms of the pages about notices. The services check the values."""

from __future__ import annotations

from collections.abc import Mapping

from django import forms

from notices.channels.services import LONGEST_NAME
from web.frame.fields import AskedNumber, TypedText, WholeNumber

LONGEST_KEY = 18
"""The largest number of digits of a row's key."""
LONGEST_CODE = 20
NO_HOUR = -1
"""The replacement for text that is not an hour; the service refuses it."""


class NoticesQuery(forms.Form):
    """The notice before which the notices of a page lie; without it, the newest are shown."""

    before = AskedNumber(LONGEST_KEY)


class ReadForm(forms.Form):
    """The notices to mark as read: a single notice, those of a campaign, or all."""

    notice = TypedText()
    campaign = TypedText()


class MuteForm(forms.Form):
    """Whether a campaign is muted, and the page to return to."""

    do = TypedText()
    back = TypedText()


class UnsubscribeForm(forms.Form):
    """The e-mails to stop: all, or all except a daily e-mail.

    A mail program sends the field of RFC 8058 instead.
    """

    do = TypedText()

    def choice(self) -> str:
        """Return `off`, `digest`, or any other value that was sent."""
        self.is_valid()
        is_one_click = self.data.get("List-Unsubscribe") == "One-Click"
        return "off" if is_one_click else str(self.cleaned_data["do"])


class ChosenForm(forms.Form):
    """The channel or the webhook that a form concerns."""

    do = TypedText()
    channel = WholeNumber(LONGEST_KEY)
    webhook = WholeNumber(LONGEST_KEY)

    def keys(self) -> tuple[str, int | None, int | None]:
        """Return the name of the form, the key of its channel and that of its webhook."""
        self.is_valid()
        cleaned_data = self.cleaned_data
        return cleaned_data["do"], cleaned_data["channel"], cleaned_data["webhook"]


class AddressForm(forms.Form):
    """The address of a new channel or webhook, and the channel's name."""

    address = TypedText()
    name = TypedText()

    @property
    def short_name(self) -> str:
        """Return the name for a form that is shown again. The address is never shown again."""
        self.is_valid()
        return str(self.cleaned_data["name"])[:LONGEST_NAME]


class DeviceForm(forms.Form):
    """A browser's push subscription, and its name."""

    subscription = TypedText()
    name = TypedText()


class CodeForm(forms.Form):
    """The code that was sent to a channel."""

    code = TypedText()

    def clean_code(self) -> str:
        return str(self.cleaned_data["code"])[:LONGEST_CODE]


class HourForm(forms.Form):
    """The hour of the daily e-mail."""

    hour = WholeNumber(2)

    def clean_hour(self) -> int:
        hour: int | None = self.cleaned_data["hour"]
        return NO_HOUR if hour is None else hour


class QuietForm(forms.Form):
    """The hours between which a device is not notified. The fields are `from` and `to`."""

    def __init__(self, data: Mapping[str, str]) -> None:
        super().__init__(data)
        self.fields |= {"from": TypedText(), "to": TypedText()}

    def hours(self) -> tuple[int | None, int | None]:
        """Return the two hours; None for an empty field."""
        self.is_valid()
        return self.hour_of("from"), self.hour_of("to")

    def hour_of(self, name: str) -> int | None:
        typed = self.cleaned_data[name]
        if not typed:
            return None
        hour = WholeNumber(2).to_python(typed)
        return NO_HOUR if hour is None else hour


class DiscreetForm(forms.Form):
    """Whether the lock screen of a device shows only the campaign."""

    def __init__(self, data: Mapping[str, str]) -> None:
        super().__init__(data)
        self.is_on = "on" in data


class LanguageForm(forms.Form):
    """The language of the notices in a channel."""

    language = TypedText()


class FeedForm(forms.Form):
    """The feed whose address is made or revoked."""

    what = TypedText()


class PreferencesForm(forms.Form):
    """The ways of sending each kind of notice through each channel.

    The fields are `how-<channel>-<kind>`.
    """

    def preferences(self, channel: int) -> dict[str, str]:
        """Return the posted way of sending for each kind, for a channel."""
        prefix = f"how-{channel}-"
        return {
            name.removeprefix(prefix): self.data[name]
            for name in self.data
            if name.startswith(prefix)
        }
