"""Read what the forms of a title's board post."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

from django.http import QueryDict

from campaign import playing_on
from engine.strict_json import whole
from web.frame.posted import PostedForm, text_field
from web.frame.requests import seen_number

MOST_TIMES = 9
"""How often one form may put the same move on the list."""
NOWHERE = 10**6
"""A number that nothing has."""
STOP = "stop"


@dataclass(frozen=True, slots=True)
class BoardForm:
    """A form of a title's board.

    `fields` are what the title's own form has, without what the table's page put in. `seen` is the
    last entry that the page had shown.
    """

    fields: dict[str, str]
    seen: int

    @classmethod
    def read(cls, posted: QueryDict) -> Self:
        fields = {
            key: str(text)
            for key, text in posted.dict().items()
            if key not in ("csrfmiddlewaretoken", "seen")
        }
        return cls(fields, seen_number(posted.get("seen", "")))

    @property
    def then(self) -> str:
        """Return how the form plays on after its move: one of `playing_on.WAYS`, or empty."""
        way = self.fields.get("then", "")
        return way if way in playing_on.WAYS else ""


class PlayForm(PostedForm):
    """Found a campaign and play it; `by` is `program` to watch a program play."""

    by = text_field()


@dataclass(frozen=True, slots=True)
class PlayOnForm:
    """How to play on: one of `playing_on.WAYS`, `stop`, or empty for anything else."""

    way: str
    seen: int

    @classmethod
    def read(cls, posted: QueryDict) -> Self:
        way = posted.get("how", "")
        is_known = way == STOP or way in playing_on.WAYS
        return cls(way if is_known else "", seen_number(posted.get("seen", "")))


@dataclass(frozen=True, slots=True)
class MoveListForm:
    """What is to be done with the list of moves; an empty `act` adds the move of the form.

    `stops` are the keys of what ends an announcement.
    """

    act: str
    version: int
    at: int
    times: int
    stops: Sequence[str]
    move: BoardForm

    @classmethod
    def read(cls, posted: QueryDict) -> Self:
        times = whole(posted.get("times", "1")) or 1
        return cls(
            act=posted.get("list", ""),
            version=number(posted.get("version", "")),
            at=number(posted.get("at", "")),
            times=min(max(times, 1), MOST_TIMES),
            stops=posted.getlist("stop"),
            move=BoardForm.read(posted),
        )


@dataclass(frozen=True, slots=True)
class TalkForm:
    """The message to the players."""

    text: str

    @classmethod
    def read(cls, posted: QueryDict) -> Self:
        return cls(posted.get("text", ""))


def number(text: str) -> int:
    """Return a number as posted; for nonsense one that nothing has."""
    value = whole(text)
    return NOWHERE if value is None else value
