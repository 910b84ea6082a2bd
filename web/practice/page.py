"""The page on which a user begins a game against programs."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from campaign import practice
from games.contract.title import Title
from web.lobby.questions import Choice, Option, QuestionField, SeatPick, question_fields
from web.practice.choices import PracticeChoices
from web.practice.levels import level_choices

BATTLES = (
    (
        practice.MODEL,
        gettext_lazy("Decided automatically"),
        gettext_lazy("at once, from points, army types, cards and luck"),
    ),
    (
        practice.HAND,
        gettext_lazy("Fought by you"),
        gettext_lazy("you fight them against the computer and enter both percentages"),
    ),
)


@dataclass(frozen=True, slots=True)
class PracticePage:
    """The form for a game against programs. A title with a board asks its own questions."""

    title: Title
    heading: str
    lede: str
    has_board: bool
    has_lesson: bool
    wrong: str
    sentence: str
    scenario: str
    scenarios: list[Option]
    first_questions: list[QuestionField]
    questions: list[QuestionField]
    seats_heading: str
    seats: list[SeatPick]
    levels: list[Choice]
    battles: list[Choice]
    """The ways to decide battles; empty if the title has none."""
    is_known: bool

    @property
    def verb(self) -> str:
        """Return the text of the button that begins the game."""
        return _("Take the seat and start") if self.has_board else pgettext("button", "Begin")


def practice_page(choices: PracticeChoices, wrong: str, *, is_known: bool) -> PracticePage:
    """Return the form as filled in; `wrong` is why the game could not begin."""
    title = choices.game
    has_board = title.founding is not None
    questions = question_fields(choices.questions, choices.answers, choices.errors)
    heading = (
        pgettext("heading", "Play with programs")
        if has_board
        else pgettext("heading", "Practise against programs")
    )
    return PracticePage(
        title=title,
        heading=heading,
        lede=practice_lede(has_board),
        has_board=has_board,
        has_lesson=title.lesson is not None,
        wrong=wrong,
        sentence=choices.sentence(),
        scenario=choices.key,
        scenarios=[] if has_board else scenario_options(choices),
        first_questions=questions[:1],
        questions=questions[1:],
        seats_heading=pgettext("heading", "Seats")
        if has_board
        else pgettext("heading", "Your nation"),
        seats=choices.rows(),
        levels=level_choices(choices.players),
        battles=[] if has_board else battle_choices(choices.battles),
        is_known=is_known,
    )


def practice_lede(has_board: bool) -> str:
    """Return an introduction to games against programs."""
    if has_board:
        return _(
            "You play one seat; programs play the others and answer at once. There are no "
            "deadlines, and no one is waiting for you."
        )
    return _(
        "You play one nation; programs play the others. There are no deadlines, and no one is "
        "waiting for you. A whole campaign fits into an evening. It does not count for any "
        "ranking."
    )


def scenario_options(choices: PracticeChoices) -> list[Option]:
    """Return the scenarios of the title, and the user's own scenario if it was chosen."""
    names = {key: str(raw.get("name", key)) for key, raw in choices.game.scenarios().items()}
    if choices.is_own:
        names[choices.key] = str(choices.raw["name"])
    return [Option(key, name, key == choices.key) for key, name in names.items()]


def battle_choices(chosen: str) -> list[Choice]:
    """Return the ways to decide battles."""
    return [Choice(key, str(name), str(about), key == chosen) for key, name, about in BATTLES]
