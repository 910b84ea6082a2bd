"""The forms of lobbies and of the page About. The services check the values."""

from __future__ import annotations

from typing import Any

from django import forms

from web.frame.raw_forms import PostedForm, text_field


class AboutForm(PostedForm):
    """A button of the page About; its fields depend on the act."""

    seat = text_field()
    level = text_field()
    person = text_field()
    how = text_field()
    reason = text_field()
    name = text_field()
    visibility = text_field()
    back = text_field()

    @property
    def returns_to_desk(self) -> bool:
        """Whether the form is on the game master's desk."""
        return self.text_of("back") == "desk"


class ApplicationForm(PostedForm):
    """The seats for which a user applies, in order of preference."""

    wish = forms.Field(required=False, widget=forms.SelectMultiple)

    @property
    def wanted_seats(self) -> list[str]:
        """Each chosen seat once, without empty fields."""
        seats: list[str] = self["wish"].value() or []
        return list(dict.fromkeys(seat for seat in seats if seat))


class LobbyForm(PostedForm):
    """The game master's text for users who may apply."""

    words = text_field()


class FoundForm(PostedForm):
    """The form that founds a campaign, or changes its terms."""

    name = text_field()
    time_zone = text_field()
    visibility = text_field()
    chance = text_field()
    amending = text_field()
    sight = text_field()
    thread = text_field()
    plays = text_field()
    seat = text_field()
    sure = text_field()
    rules_of = text_field()

    @property
    def sets_lengths(self) -> bool:
        """Whether a button sets the lengths of the clocks, and nothing is founded."""
        return "set" in self.data


class FoundQuery(PostedForm):
    """The query of a founding's address: a title, and a part of the page if only that is needed."""

    title = text_field()
    part = text_field()


class StartForm(PostedForm):
    """The form that founds a game alone, with friends, or against programs."""

    title = text_field()
    name = text_field()
    visibility = text_field()
    scenario = text_field()
    seat = text_field()
    by = text_field()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["with"] = text_field()

    @property
    def only_shows(self) -> bool:
        """Whether the button only shows the consequences of the choices, and nothing is founded."""
        return "show" in self.data

    @property
    def company(self) -> str:
        """The key of the company in which the game is played."""
        return self.text_of("with")

    @property
    def given_name(self) -> str:
        """The name of the campaign; empty if none was typed."""
        return self.text_of("name").strip()

    def answer_or(self, question: str, default: str) -> str:
        """Return the answer to a question of the title; `default` if there is none."""
        return str(self.data.get(question, default))
