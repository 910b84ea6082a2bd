"""States: their builders, their readers, and the addresses and forms that are compared."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

READERS = ("gm", "hun", "roman", "stranger", "nobody")
"""Game master, two players, outsider, anonymous reader.

In companions, `hun` and `roman` have the first two seats.
"""
LANGUAGES = ("en", "de", "es", "it")
OTHERS_READ = ("gm", "hun")
"""The readers of a state in the three other languages."""


@dataclass
class Scene:
    """A built state: the readers' clients, the home of its campaign, its addresses and requests.

    An address without a slash before it belongs to the campaign. `requests` are sent unchanged, by
    their labels.
    """

    clients: dict[str, Client]
    home: str = "/"
    pages: list[str] = field(default_factory=list)
    requests: dict[str, Callable[[], Any]] = field(default_factory=dict)

    def path(self, address: str) -> str:
        return address if address.startswith("/") else self.home + address


Build = Callable[[Any], Scene]


@dataclass(frozen=True)
class State:
    """A state of a campaign.

    `forms` are the readers whose forms are sent; `thorough` adds readers and languages.
    """

    name: str
    title: str
    build: Build
    pages: tuple[str, ...]
    forms: tuple[str, ...] = ()
    thorough: bool = False


STATES: list[State] = []


def state(
    title: str, pages: Iterable[str], forms: Iterable[str] = (), *, thorough: bool = False
) -> Callable[[Build], Build]:
    """Register a builder as a state under the builder's name."""

    def register(build: Build) -> Build:
        name = build.__name__.strip("_")
        STATES.append(State(name, title, build, tuple(pages), tuple(forms), thorough))
        return build

    return register
