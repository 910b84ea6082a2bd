"""The forms of account pages. The services decide what is wrong with a value."""

from __future__ import annotations

from django import forms

from engine.strict_json import whole
from people import ways
from people.models import Token
from web import provider
from web.frame.fields import TypedText

LONGEST_KEY = 18
NO_DAYS = 0
"""A number of days that the service refuses, for what is not a number."""
USUAL_TOKEN = {"name": "", "scope": Token.Scope.READ.value, "days": "90"}


class TokenForm(forms.Form):
    """A new token: its purpose, what it may do, how long it is valid."""

    name = TypedText()
    scope = TypedText()
    days = TypedText()

    def number_of_days(self) -> int | None:
        """Return how long it is valid; None: until it is revoked."""
        typed = self.cleaned_data["days"]
        return None if typed == "" else whole(typed, 3) or NO_DAYS

    def shown_values(self) -> dict[str, str]:
        """Return what was typed, as the page shows it again."""
        return {**self.cleaned_data, "name": self.cleaned_data["name"][: Token.LONGEST_NAME]}


class RevokeForm(forms.Form):
    """The token that is revoked, or `all`."""

    token = TypedText()


class WaysQuery(forms.Form):
    """The way whose removal an address asks to confirm, or whose name it changes."""

    remove = TypedText()
    rename = TypedText()


class WayForm(forms.Form):
    """A way to sign in that is removed or renamed."""

    do = TypedText()
    way = TypedText()
    name = TypedText()

    def passkey(self) -> int | None:
        """Return the key of the passkey that is renamed."""
        return whole(self.cleaned_data["way"].removeprefix(f"{ways.PASSKEY}-"), LONGEST_KEY)


class AccessForm(forms.Form):
    """The access to the account that is ended: its kind and its key."""

    what = TypedText()


class LinkForm(forms.Form):
    """Whether an account elsewhere is linked."""

    do = TypedText()


class PasskeyForm(forms.Form):
    """A passkey, as the browser describes it, its name, and the page that follows.

    `new` says that the account was made just now with it.
    """

    do = TypedText()
    name = TypedText()
    credential = TypedText()
    next = TypedText()
    new = TypedText()

    @property
    def asks_options(self) -> bool:
        """Return whether the browser asks what its device is to sign."""
        self.is_valid()
        return bool(self.cleaned_data["do"] == "options")


class CodeForm(forms.Form):
    """A code that was sent by e-mail, or that another one is to be sent."""

    do = TypedText()
    code = TypedText()


class OnwardForm(forms.Form):
    """The page that follows when users have confirmed who they are."""

    next = TypedText()


class DepartureForm(forms.Form):
    """Why a reader goes to another site, and the page that follows."""

    process = TypedText()
    next = TypedText()

    def clean_process(self) -> str:
        """Return the purpose; to sign in if it is unknown."""
        process: str = self.cleaned_data["process"]
        return process if process in provider.PURPOSES else provider.LOGIN


class ConfirmNameForm(forms.Form):
    """The name that a user types to confirm that they leave."""

    do = TypedText()
    name = TypedText()
