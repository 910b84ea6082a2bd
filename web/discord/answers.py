"""The answers for Discord, in the form that it requires."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from typing import NotRequired, TypedDict

from django.conf import settings
from django.utils.translation import gettext as _

LONGEST_MESSAGE = 2000
MOST_OPTIONS = 25
"""The largest number of options in a menu."""
LONGEST_LABEL = 100
"""The largest number of characters of an option in a menu."""
LONGEST_ON_BUTTON = 80
LONGEST_PLACEHOLDER = 150
LONGEST_IN_FORM = 45
"""The largest number of characters of a form's title or a field's label."""
ONLY_FOR_ASKER = 64
"""The flag of a message that only the asker sees."""


class AnswerType(IntEnum):
    """The kind of an answer, as Discord numbers them."""

    PONG = 1
    MESSAGE = 4
    UPDATE = 7
    """Replace the message whose button was pressed."""
    CHOICES = 8
    FORM = 9


class ComponentType(IntEnum):
    """A part of a message or of a form, as Discord numbers them."""

    ROW = 1
    BUTTON = 2
    MENU = 3
    TEXT_FIELD = 4


class ButtonStyle(IntEnum):
    """The look of a button, as Discord numbers them."""

    PRIMARY = 1
    PLAIN = 2
    LINK = 5


class Button(TypedDict):
    """A button with either a `custom_id`, which is sent back when it is pressed, or a `url`."""

    type: int
    style: int
    label: str
    custom_id: NotRequired[str]
    url: NotRequired[str]


class MenuOption(TypedDict):
    """An option of a menu."""

    label: str
    value: str
    description: NotRequired[str]


class Menu(TypedDict):
    """A menu from which one option is chosen."""

    type: int
    custom_id: str
    placeholder: str
    options: list[MenuOption]


class TextField(TypedDict):
    """A field of a form."""

    type: int
    custom_id: str
    label: str
    style: int
    min_length: int
    max_length: int


class ComponentRow(TypedDict):
    """Buttons side by side, or one menu, or one field."""

    type: int
    components: list[Button | Menu | TextField]


class AllowedMentions(TypedDict):
    """The kinds of mentions in a message that notify users."""

    parse: list[str]


class MessageData(TypedDict):
    """A message without mentions of users."""

    content: str
    allowed_mentions: AllowedMentions
    components: list[ComponentRow]
    flags: NotRequired[int]


class FormData(TypedDict):
    """A form in a window of its own."""

    custom_id: str
    title: str
    components: list[ComponentRow]


class Choice(TypedDict):
    """A suggestion for an option of a command that is being typed."""

    name: str
    value: str


class ChoicesData(TypedDict):
    """All suggestions for an option."""

    choices: list[Choice]


class Answer(TypedDict):
    """The answer to a request of Discord."""

    type: int
    data: NotRequired[MessageData | FormData | ChoicesData]


class Refusal(Exception):
    """An exception that ends the work; its text is the answer."""


def out_of_date() -> Refusal:
    """Return the refusal of a request whose step is no longer kept."""
    return Refusal(_("This is out of date. Start again with the command."))


def message(text: str, rows: Sequence[ComponentRow] = (), *, only_for_asker: bool = True) -> Answer:
    """Return a new message."""
    data = message_data(text, rows)
    if only_for_asker:
        data["flags"] = ONLY_FOR_ASKER
    return {"type": AnswerType.MESSAGE, "data": data}


def update(text: str, rows: Sequence[ComponentRow] = ()) -> Answer:
    """Return a message that replaces the message whose button was pressed."""
    data = message_data(text, rows)
    data["flags"] = ONLY_FOR_ASKER
    return {"type": AnswerType.UPDATE, "data": data}


def message_data(text: str, rows: Sequence[ComponentRow]) -> MessageData:
    is_too_long = len(text) > LONGEST_MESSAGE
    return {
        "content": text[: LONGEST_MESSAGE - 1] + "…" if is_too_long else text,
        "allowed_mentions": {"parse": []},
        "components": list(rows),
    }


def choices(options: Sequence[tuple[str, str]]) -> Answer:
    """Return suggestions, each with its value and its name."""
    shown: list[Choice] = [
        {"name": name[:LONGEST_LABEL], "value": value} for value, name in options[:MOST_OPTIONS]
    ]
    return {"type": AnswerType.CHOICES, "data": {"choices": shown}}


def form(custom_id: str, title: str, fields: Sequence[ComponentRow]) -> Answer:
    return {
        "type": AnswerType.FORM,
        "data": {
            "custom_id": custom_id,
            "title": title[:LONGEST_IN_FORM],
            "components": list(fields),
        },
    }


def row(*components: Button | Menu | TextField) -> ComponentRow:
    return {"type": ComponentType.ROW, "components": list(components)}


def button(label: str, custom_id: str, style: ButtonStyle = ButtonStyle.PLAIN) -> Button:
    return {
        "type": ComponentType.BUTTON,
        "style": style,
        "label": label[:LONGEST_ON_BUTTON],
        "custom_id": custom_id,
    }


def link(label: str, path: str) -> Button:
    """Return a button that opens a page of this site."""
    return {
        "type": ComponentType.BUTTON,
        "style": ButtonStyle.LINK,
        "label": label[:LONGEST_ON_BUTTON],
        "url": full_url(path),
    }


def menu(
    custom_id: str,
    placeholder: str,
    options: Sequence[tuple[str, str]],
    notes: Sequence[str] = (),
) -> ComponentRow:
    """Return a menu with as many of the options as fit, each with its value and its label.

    `notes` are the texts below the labels; an empty text is left out.
    """
    shown: list[MenuOption] = [
        {"label": label[:LONGEST_LABEL] or "–", "value": value}
        for value, label in options[:MOST_OPTIONS]
    ]
    for option, note in zip(shown, notes, strict=False):
        if note:
            option["description"] = note[:LONGEST_LABEL]
    return row(
        {
            "type": ComponentType.MENU,
            "custom_id": custom_id,
            "placeholder": placeholder[:LONGEST_PLACEHOLDER],
            "options": shown,
        }
    )


def text_field(custom_id: str, label: str, longest: int) -> ComponentRow:
    """Return a field of one line that must be filled in."""
    return row(
        {
            "type": ComponentType.TEXT_FIELD,
            "custom_id": custom_id,
            "label": label[:LONGEST_IN_FORM],
            "style": 1,
            "min_length": 1,
            "max_length": longest,
        }
    )


def full_url(path: str) -> str:
    return f"{settings.SITE_URL.rstrip('/')}{path}"
