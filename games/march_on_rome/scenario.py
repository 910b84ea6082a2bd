"""Scenario and options: nothing but the general's name and one switch."""

from __future__ import annotations

from typing import Any, NamedTuple

from engine.errors import MalformedRecord
from engine.record import only_keys
from games.march_on_rome.faults import Fault

STANDARD = "standard"
GENERAL = "Albinus"
LONGEST = 40


class Scenario(NamedTuple):
    """The one scenario. `general` is the name of the player's general; only words use it."""

    general: str = GENERAL
    key: str = STANDARD

    @property
    def raw(self) -> dict[str, Any]:
        return {"key": self.key, "general": self.general}


class Options(NamedTuple):
    """`barbarian_initiative`: barbarians holding the initiative fight with two armies more (7.2)."""

    barbarian_initiative: bool = False


def read_scenario(raw: object) -> Scenario:
    """The scenario of a record: its key, or an object with the general's name."""
    if raw == STANDARD:
        return Scenario()
    if type(raw) is str:
        raise MalformedRecord("scenario", "not-shipped")
    parts = only_keys("scenario", raw, {"key", "general"}, {"key"})
    if parts["key"] != STANDARD:
        raise Fault("scenario.key", "standard")
    general = parts.get("general", GENERAL)
    if type(general) is not str or not 1 <= len(general) <= LONGEST or not general.isprintable() or not general.strip():
        raise Fault("scenario.general", "printable", most=LONGEST)
    return Scenario(general)


def read_options(raw: object) -> Options:
    parts = only_keys("options", raw, {"barbarian_initiative"})
    armies = parts.get("barbarian_initiative", False)
    if type(armies) is not bool:
        raise MalformedRecord("options.barbarian_initiative", "boolean")
    return Options(armies)
