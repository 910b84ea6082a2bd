"""Forms of the page of a battle. Services and rules check what they contain."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from battles.services import HEAVIEST
from web.battles.contract import Typed, TypedAnswer

MOST_CARDS = 20
NO_ENTRY = -1
"""The number of a missing claim: no entry has it."""


def free_text() -> forms.CharField:
    return forms.CharField(required=False, strip=False)


class TextForm(forms.Form):
    """A form whose fields are read as they were typed."""

    def text(self, name: str) -> str:
        return str(self[name].value() or "")


class ResultForm(TextForm):
    """The end of a battle: two numbers, a winner, or a line of the forum.

    `sure` is set if the consequences were shown before. `back` is the page to which the reader
    returns.
    """

    by = free_text()
    attacker = free_text()
    defender = free_text()
    side = free_text()
    line = free_text()
    read = free_text()
    word = free_text()
    reason = free_text()
    sure = free_text()
    back = free_text()

    @property
    def typed(self) -> Typed:
        """Return the fields that the title reads."""
        names = ("by", "attacker", "defender", "side", "line", "read")
        return {name: self.text(name) for name in names}

    @property
    def names_result(self) -> bool:
        return bool(self.text("by"))

    @property
    def has_both_numbers(self) -> bool:
        return bool(self.text("attacker") and self.text("defender"))

    @property
    def has_a_number(self) -> bool:
        return bool(self.text("attacker") or self.text("defender"))

    @property
    def was_shown(self) -> bool:
        return bool(self.text("sure"))

    @property
    def returns_to_desk(self) -> bool:
        return self.text("back") == "desk"

    @property
    def returns_to(self) -> str:
        """Return the name of the page that the form came from; empty if it is the battle's own."""
        return self.text("back") if self.text("back") in ("desk", "seats") else ""


class AnswerForm(forms.Form):
    """An answer to a challenge: a choice, and the cards that go with it."""

    move = free_text()
    choice = free_text()
    cards = forms.CharField(required=False, widget=forms.MultipleHiddenInput)
    sure = free_text()

    @property
    def is_sent(self) -> bool:
        return bool(self["move"].value() == "respond")

    @property
    def answer(self) -> TypedAnswer:
        cards: list[object] = self["cards"].value() or []
        return TypedAnswer(
            choice=str(self["choice"].value() or ""),
            cards=tuple(str(card) for card in cards[:MOST_CARDS] if card),
            shown=str(self["sure"].value() or ""),
        )


class ClaimForm(forms.Form):
    """An act about a claim: its entry, and the reason of a dispute or a ruling."""

    claim = forms.IntegerField(required=False, min_value=0, max_value=10**9)
    reason = free_text()

    @property
    def number(self) -> int:
        number = self.cleaned_data.get("claim") if self.is_valid() else None
        return NO_ENTRY if number is None else int(number)

    @property
    def reason_text(self) -> str:
        return str(self["reason"].value() or "")


class AgreementForm(TextForm):
    """An agreement to another way of fighting (`yes` = 1), or its withdrawal."""

    to = free_text()
    yes = free_text()

    @property
    def agrees(self) -> bool:
        return self.text("yes") == "1"


class LinkForm(TextForm):
    """A link that is shown as evidence."""

    url = free_text()


class PictureForm(forms.Form):
    """A picture that is shown as evidence."""

    picture = forms.FileField(
        allow_empty_file=True, error_messages={"required": _("Choose a picture first.")}
    )

    def clean_picture(self) -> UploadedFile:
        picture: UploadedFile = self.cleaned_data["picture"]
        if (picture.size or 0) > HEAVIEST:
            raise forms.ValidationError(
                _("The picture is larger than 5 MB. Save a smaller version and choose it.")
            )
        return picture

    @property
    def error(self) -> str:
        """Return why there is no picture; empty if there is a picture."""
        return str(next(iter(self.errors.get("picture", ())), ""))


class PasswordForm(TextForm):
    """The password of the lobby in the computer game."""

    password = free_text()


class SubstituteForm(TextForm):
    """The side, and the name of the user who fights the battle for it."""

    side = free_text()
    name = free_text()


class ShownForm(TextForm):
    """The optional parts of the page that the address asks for.

    These are the lobby's password and the form of an answer.
    """

    lobby = free_text()
    answer = forms.CharField(required=False)

    @property
    def shows_password(self) -> bool:
        return self.text("lobby") == "show"

    @property
    def opens_answer(self) -> bool:
        return "answer" in self.data
