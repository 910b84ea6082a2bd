"""Parts of the forms that found a game: questions of the title, seats with their programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from games.contract.pages import Question


class Option(NamedTuple):
    """A value of a list."""

    key: str
    text: str
    chosen: bool


class Choice(NamedTuple):
    """A value that can be chosen, with an explanation."""

    key: str
    name: str
    about: str
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class QuestionField:
    """A question of the title, with the answer."""

    key: str
    label: str
    kind: str
    help: str
    longest: int
    value: str
    options: list[Option]
    error: str

    @property
    def is_flag(self) -> bool:
        """Whether the question is answered by a tick."""
        return self.kind == "flag"

    @property
    def is_choice(self) -> bool:
        """Whether the question is answered from a list."""
        return self.kind == "choice"


def question_fields(
    questions: Sequence[Question], values: Mapping[str, str], errors: Mapping[str, str]
) -> list[QuestionField]:
    """Return the questions of a title as fields."""
    return [
        QuestionField(
            key=question.key,
            label=question.label,
            kind=question.kind,
            help=question.help,
            longest=question.longest,
            value=values[question.key],
            options=[
                Option(value, text, value == values[question.key])
                for value, text in question.choices
            ],
            error=errors.get(question.key, ""),
        )
        for question in questions
    ]


@dataclass(frozen=True, slots=True)
class SeatPick:
    """A seat that the player may take; otherwise a program of this level plays it."""

    key: str
    name: str
    about: str
    colour: str
    mine: bool
    level: str
