"""The forms of account pages. The services check the values."""

from __future__ import annotations

from django import forms

from engine.strict_json import read_whole_number
from people import sign_in_ways
from people.models import Token
from web import provider
from web.frame.fields import TypedText

LONGEST_KEY = 18
REFUSED_DAYS = 0
"""A number of days that the service refuses, for text that is not a number."""
USUAL_TOKEN = {"name": "", "scope": Token.Scope.READ.value, "days": "90"}


class TokenForm(forms.Form):
    """A new token: name, scope and number of days."""

    name = TypedText()
    scope = TypedText()
    days = TypedText()

    def number_of_days(self) -> int | None:
        """Return the number of days the token is valid; None if it is valid until revoked."""
        typed = self.cleaned_data["days"]
        return None if typed == "" else read_whole_number(typed, 3) or REFUSED_DAYS

    def shown_values(self) -> dict[str, str]:
        """Return the typed values, so that the form can show them again."""
        return {**self.cleaned_data, "name": self.cleaned_data["name"][: Token.LONGEST_NAME]}


class RevokeForm(forms.Form):
    """The form that revokes a token, or all tokens if it sends `all`."""

    token = TypedText()


class WaysQuery(forms.Form):
    """The way to sign in that an address asks to remove or to rename."""

    remove = TypedText()
    rename = TypedText()


class WayForm(forms.Form):
    """The form that removes or renames a way to sign in."""

    do = TypedText()
    way = TypedText()
    name = TypedText()

    def passkey(self) -> int | None:
        """Return the key of the passkey that is renamed."""
        return read_whole_number(
            self.cleaned_data["way"].removeprefix(f"{sign_in_ways.PASSKEY}-"), LONGEST_KEY
        )


class AccessForm(forms.Form):
    """The form that ends a credential. It sends the kind and the key of the credential."""

    what = TypedText()


class LinkForm(forms.Form):
    """The answer to the question whether an account elsewhere is linked."""

    do = TypedText()


class PasskeyForm(forms.Form):
    """A passkey as the browser describes it, its name, and the page that follows.

    `new` says that the account has just been created with it.
    """

    do = TypedText()
    name = TypedText()
    credential = TypedText()
    next = TypedText()
    new = TypedText()

    @property
    def asks_options(self) -> bool:
        """Whether the browser asks for the options that its device signs."""
        self.is_valid()
        return bool(self.cleaned_data["do"] == "options")


class CodeForm(forms.Form):
    """A code from an e-mail, or the request to send another one."""

    do = TypedText()
    code = TypedText()


class OnwardForm(forms.Form):
    """The page that follows after users have confirmed their identity."""

    next = TypedText()


class DepartureForm(forms.Form):
    """The purpose of going to another site, and the page that follows."""

    process = TypedText()
    next = TypedText()

    def clean_process(self) -> str:
        """Return the purpose, by default signing in."""
        process: str = self.cleaned_data["process"]
        return process if process in provider.PURPOSES else provider.LOGIN


class ConfirmNameForm(forms.Form):
    """The form in which users type their name to confirm that they want to leave."""

    do = TypedText()
    name = TypedText()
