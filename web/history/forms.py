"""What an address of the history asks for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from campaign.log.history import Trail
from engine.strict_json import whole
from web.history.moment import TURNS


@dataclass(frozen=True, slots=True)
class HistoryQuery:
    """`?at=` is an entry's number, `?stop=` the position on the slider, `?by=turns` the comparison
    with the end of the turn before.
    """

    at: str
    stop: str | None
    by_turns: bool

    @property
    def number(self) -> int | None:
        """Return the entry that is asked for; None if it is no number."""
        return whole(self.at)

    def place(self, road: Trail) -> int | None:
        """Return the place of the entry that is asked for, by default the last; None if it is none
        of the trail's.
        """
        if not self.at:
            return len(road.stops) - 1
        return None if self.number is None else road.at(self.number)

    def place_on_slider(self, road: Trail) -> int | None:
        """Return the place of a stop that is counted from 1; None if there is no such stop."""
        nth = whole(self.stop or "")
        return nth - 1 if nth is not None and 1 <= nth <= len(road.stops) else None


def history_query(asked: Mapping[str, str]) -> HistoryQuery:
    return HistoryQuery(asked.get("at", "").strip(), asked.get("stop"), asked.get("by") == TURNS)


@dataclass(frozen=True, slots=True)
class FilmQuery:
    """The entries between which a film runs; None for what is not a number."""

    since: int | None
    to: int | None
    has_end: bool
    is_part: bool
    """Whether the next part of a long film is asked for."""

    @property
    def is_valid(self) -> bool:
        return self.since is not None and (self.to is not None or not self.has_end)


def film_query(asked: Mapping[str, str]) -> FilmQuery:
    to = asked.get("to", "")
    return FilmQuery(
        since=whole(asked.get("since", "")),
        to=whole(to) if to else None,
        has_end=bool(to),
        is_part="part" in asked,
    )
