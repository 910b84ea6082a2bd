"""Forms of the page of a battle. Services and rules check what they contain."""

from __future__ import annotations

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

from battles.services import HEAVIEST
from web.battles.contract import FormValues, TypedAnswer
from web.frame.raw_forms import PostedForm, text_field

MOST_CARDS = 20
NO_ENTRY = -1
"""The number of a missing claim: no entry has it."""


class ResultForm(PostedForm):
    """The end of a battle: two numbers, a winner, or a line of the forum.

    `sure` is set if the consequences were shown before. `back` is the page to which the reader
    returns.
    """

    by = text_field()
    attacker = text_field()
    defender = text_field()
    side = text_field()
    line = text_field()
    read = text_field()
    word = text_field()
    reason = text_field()
    sure = text_field()
    back = text_field()

    @property
    def result_fields(self) -> FormValues:
        """Return the fields that the title reads."""
        names = ("by", "attacker", "defender", "side", "line", "read")
        return {name: self.text_of(name) for name in names}

    @property
    def names_result(self) -> bool:
        return bool(self.text_of("by"))

    @property
    def has_both_numbers(self) -> bool:
        return bool(self.text_of("attacker") and self.text_of("defender"))

    @property
    def has_a_number(self) -> bool:
        return bool(self.text_of("attacker") or self.text_of("defender"))

    @property
    def was_shown(self) -> bool:
        return bool(self.text_of("sure"))

    @property
    def returns_to_desk(self) -> bool:
        return self.text_of("back") == "desk"

    @property
    def returns_to(self) -> str:
        """Return the name of the page that the form came from; empty if it is the battle's own."""
        return self.text_of("back") if self.text_of("back") in ("desk", "seats") else ""


class AnswerForm(PostedForm):
    """An answer to a challenge: a choice, and the cards that go with it."""

    move = text_field()
    choice = text_field()
    cards = forms.CharField(required=False, widget=forms.MultipleHiddenInput)
    sure = text_field()

    @property
    def is_sent(self) -> bool:
        return self.text_of("move") == "respond"

    @property
    def answer(self) -> TypedAnswer:
        cards: list[object] = self["cards"].value() or []
        return TypedAnswer(
            choice=self.text_of("choice"),
            cards=tuple(str(card) for card in cards[:MOST_CARDS] if card),
            shown=self.text_of("sure"),
        )


class ClaimForm(PostedForm):
    """An act about a claim: its entry, and the reason of a dispute or a ruling."""

    claim = forms.IntegerField(required=False, min_value=0, max_value=10**9)
    reason = text_field()

    @property
    def number(self) -> int:
        number = self.cleaned_data.get("claim") if self.is_valid() else None
        return NO_ENTRY if number is None else int(number)

    @property
    def reason_text(self) -> str:
        return self.text_of("reason")


class AgreementForm(PostedForm):
    """An agreement to another way of fighting (`yes` = 1), or its withdrawal."""

    to = text_field()
    yes = text_field()

    @property
    def agrees(self) -> bool:
        return self.text_of("yes") == "1"


class LinkForm(PostedForm):
    """A link that is shown as evidence."""

    url = text_field()


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


class PasswordForm(PostedForm):
    """The password of the lobby in the computer game."""

    password = text_field()


class SubstituteForm(PostedForm):
    """The side, and the name of the user who fights the battle for it."""

    side = text_field()
    name = text_field()


class ShownForm(PostedForm):
    """The optional parts of the page that the address asks for.

    These are the lobby's password and the form of an answer.
    """

    lobby = text_field()
    answer = forms.CharField(required=False)

    @property
    def shows_password(self) -> bool:
        return self.text_of("lobby") == "show"

    @property
    def opens_answer(self) -> bool:
        return "answer" in self.data
