"""An interaction as Discord sends it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum

from engine.errors import MalformedRecord
from engine.strict_json import is_clean_text, read

LONGEST_NAME = 100
"""The maximum length of an id, a user name, a command name or a custom id."""
LONGEST_TEXT = 6000
"""The largest number of characters of a typed or chosen text."""


class InteractionType(IntEnum):
    """The kind of an interaction, as Discord numbers them."""

    PING = 1
    COMMAND = 2
    COMPONENT = 3
    """A chosen option or a pressed button."""
    AUTOCOMPLETE = 4
    FORM = 5


class NotAnInteraction(ValueError):
    """The error for a text that is not an interaction."""


@dataclass(frozen=True, slots=True)
class Interaction:
    """A command, a pressed button, a chosen option, or a form.

    `options` are those of a command. `custom_id` is the name that this site gave a button, a menu
    or a form; `values` are the options chosen in a menu; `form_fields` are the fields of a form.
    """

    type: InteractionType
    discord_id: str = ""
    username: str = ""
    locale: str = ""
    command: str = ""
    options: Mapping[str, str] = field(default_factory=dict)
    custom_id: str = ""
    values: Sequence[str] = ()
    form_fields: Mapping[str, str] = field(default_factory=dict)


def read_interaction(body: bytes) -> Interaction:
    """Return the interaction that a request contains. Raises `NotAnInteraction`."""
    try:
        sent = object_of(read(body))
    except MalformedRecord:
        raise NotAnInteraction from None
    kind = type_of(sent.get("type"))
    if kind == InteractionType.PING:
        return Interaction(kind)
    # In a channel of a server, the user is inside `member`; elsewhere there is no member.
    member = sent.get("member")
    user = object_of(sent.get("user") if member is None else object_of(member).get("user"))
    data = object_of(sent.get("data"))
    is_command = kind in (InteractionType.COMMAND, InteractionType.AUTOCOMPLETE)
    return Interaction(
        type=kind,
        discord_id=id_of(user.get("id")),
        username=text_of(user.get("username"), LONGEST_NAME),
        locale=text_of(sent.get("locale", ""), LONGEST_NAME),
        command=name_of(data.get("name")) if is_command else "",
        options=named_values(list_of(data.get("options", [])), "name") if is_command else {},
        custom_id="" if is_command else name_of(data.get("custom_id")),
        values=[text_of(value, LONGEST_NAME) for value in list_of(data.get("values", []))],
        form_fields=typed_fields(data) if kind == InteractionType.FORM else {},
    )


def type_of(value: object) -> InteractionType:
    """Return the kind of an interaction. Raises `NotAnInteraction`."""
    if type(value) is not int or value not in set(InteractionType):
        raise NotAnInteraction
    return InteractionType(value)


def typed_fields(data: Mapping[str, object]) -> dict[str, str]:
    """Return the typed fields of a form. Each field is in a row of its own."""
    rows = [object_of(row) for row in list_of(data.get("components"))]
    fields = [typed for row in rows for typed in list_of(row.get("components"))]
    return named_values(fields, "custom_id")


def named_values(items: Sequence[object], key: str) -> dict[str, str]:
    """Return the `value` of each item by the item's name, which it has under `key`.

    Raises `NotAnInteraction`.
    """
    objects = [object_of(item) for item in items]
    return {name_of(item.get(key)): text_of(item.get("value"), LONGEST_TEXT) for item in objects}


def object_of(value: object) -> Mapping[str, object]:
    """Return a JSON object. Raises `NotAnInteraction` for any other value."""
    if not isinstance(value, dict):
        raise NotAnInteraction
    return value


def list_of(value: object) -> Sequence[object]:
    """Return a JSON list. Raises `NotAnInteraction` for any other value."""
    if not isinstance(value, list):
        raise NotAnInteraction
    return value


def text_of(value: object, longest: int) -> str:
    """Return a JSON text without control characters. Raises `NotAnInteraction` for other values."""
    if not isinstance(value, str) or not is_clean_text(value, longest):
        raise NotAnInteraction
    return value


def name_of(value: object) -> str:
    """Return a JSON text that is not empty. Raises `NotAnInteraction` for any other value."""
    if not value:
        raise NotAnInteraction
    return text_of(value, LONGEST_NAME)


def id_of(value: object) -> str:
    """Return the id of a Discord account. Raises `NotAnInteraction` for any other value."""
    text = name_of(value)
    if not (text.isascii() and text.isdecimal()):
        raise NotAnInteraction
    return text
