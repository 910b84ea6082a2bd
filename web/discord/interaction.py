"""An interaction as Discord sends it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum


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

    type: int
    discord_id: str
    username: str
    locale: str
    command: str
    options: Mapping[str, str]
    custom_id: str
    values: Sequence[str]
    form_fields: Mapping[str, str]


def read_interaction(body: bytes) -> Interaction:
    """Return the interaction that a request contains. Raises `NotAnInteraction`."""
    try:
        sent = object_of(json.loads(body))
    except ValueError:
        raise NotAnInteraction from None
    number = sent.get("type")
    if not isinstance(number, int):
        raise NotAnInteraction
    # In a channel of a server, the user is inside `member`.
    user = object_of(object_of(sent.get("member")).get("user") or sent.get("user"))
    data = object_of(sent.get("data"))
    return Interaction(
        type=number,
        discord_id=text_of(user.get("id")),
        username=text_of(user.get("username")),
        locale=text_of(sent.get("locale")),
        command=text_of(data.get("name")),
        options=named_values(list_of(data.get("options")), "name"),
        custom_id=text_of(data.get("custom_id")),
        values=[text_of(value) for value in list_of(data.get("values"))],
        form_fields=typed_fields(data),
    )


def typed_fields(data: Mapping[str, object]) -> dict[str, str]:
    """Return the typed fields of a form. Each field is in a row of its own."""
    rows = [object_of(row) for row in list_of(data.get("components"))]
    fields = [field for row in rows for field in list_of(row.get("components"))]
    return named_values(fields, "custom_id")


def named_values(items: Sequence[object], key: str) -> dict[str, str]:
    """Return the `value` of each item by the item's name, which it has under `key`."""
    objects = [object_of(item) for item in items]
    return {text_of(item.get(key)): text_of(item.get("value")) for item in objects}


def object_of(value: object) -> Mapping[str, object]:
    """Return a JSON object; an empty object for any other value."""
    return value if isinstance(value, dict) else {}


def list_of(value: object) -> Sequence[object]:
    """Return a JSON list; an empty list for any other value."""
    return value if isinstance(value, list) else []


def text_of(value: object) -> str:
    """Return a JSON text or number as a text; an empty text for any other value."""
    return str(value) if isinstance(value, (str, int, float)) else ""
