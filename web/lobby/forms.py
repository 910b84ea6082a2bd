"""Read what the pages of lobbies and About post. The services check it."""

from __future__ import annotations

from typing import Any

from django import forms

from web.frame.posted import PostedForm, text_field


class AboutForm(PostedForm):
    """A button of the page About; which fields it has depends on what it does."""

    seat = text_field()
    person = text_field()
    how = text_field()
    reason = text_field()
    name = text_field()
    visibility = text_field()
    back = text_field()

    @property
    def returns_to_desk(self) -> bool:
        """Return whether the form is on the game master's desk."""
        return self.typed("back") == "desk"


class ApplicationForm(PostedForm):
    """The seats that a user wishes for, the most wanted first."""

    wish = forms.Field(required=False, widget=forms.SelectMultiple)

    @property
    def wanted_seats(self) -> list[str]:
        """Return each seat once, without the fields that are left open."""
        seats: list[str] = self["wish"].value() or []
        return list(dict.fromkeys(seat for seat in seats if seat))


class LobbyForm(PostedForm):
    """What a game master writes to the users who may apply."""

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
        """Return whether a button sets the lengths of the clocks, and nothing is founded."""
        return "set" in self.data


class FoundQuery(PostedForm):
    """What the address of a founding asks for: a title, and a part of the page alone."""

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
        """Return whether the button shows what follows from the choices, and founds nothing."""
        return "show" in self.data

    @property
    def company(self) -> str:
        """Return with whom the game is played."""
        return self.typed("with")

    @property
    def given_name(self) -> str:
        """Return the name of the campaign; empty if none was typed."""
        return self.typed("name").strip()

    def answer_or(self, question: str, default: str) -> str:
        """Return the answer to a question of the title; `default` if there is none."""
        return str(self.data.get(question, default))
