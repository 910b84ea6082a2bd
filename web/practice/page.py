"""Build the page on which a user begins a game against programs."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import practice
from games.contract.title import Title
from games.registry import word
from web.lobby.questions import Choice, Option, QuestionField, SeatPick, question_fields
from web.practice.asked import Asked
from web.practice.levels import level_choices

BATTLES = (
    (
        practice.MODEL,
        gettext_lazy("By the model"),
        gettext_lazy("at once, from points, type, cards and luck"),
    ),
    (
        practice.HAND,
        gettext_lazy("Yours by hand"),
        gettext_lazy("fought against the computer, both percentages entered"),
    ),
)


@dataclass(frozen=True, slots=True)
class PracticePage:
    """The form of a game against programs. A title with a board asks its own questions."""

    title: Title
    heading: str
    lede: str
    has_board: bool
    has_lesson: bool
    wrong: str
    sentence: str
    scenario: str
    scenarios: list[Option]
    campaign_word: str
    first_questions: list[QuestionField]
    questions: list[QuestionField]
    seats_heading: str
    seats: list[SeatPick]
    levels: list[Choice]
    battles: list[Choice]
    """The decision of battles; empty if the title has none."""
    is_known: bool

    @property
    def verb(self) -> str:
        """Return the button that begins the game."""
        return _("Sit down and begin") if self.has_board else _("Begin")


def practice_page(asked: Asked, wrong: str, *, is_known: bool) -> PracticePage:
    """Return the form as it was filled in; `wrong` says why the game could not begin."""
    title = asked.game
    has_board = title.founding is not None
    questions = question_fields(asked.questions, asked.answers, asked.errors)
    heading = _("Play with programs") if has_board else _("Practise against programs")
    return PracticePage(
        title=title,
        heading=heading,
        lede=practice_lede(has_board),
        has_board=has_board,
        has_lesson=title.lesson is not None,
        wrong=wrong,
        sentence=asked.sentence(),
        scenario=asked.key,
        scenarios=[] if has_board else scenario_options(asked),
        campaign_word=word(title.key, "campaign"),
        first_questions=questions[:1],
        questions=questions[1:],
        seats_heading=_("Seats") if has_board else _("Your nation"),
        seats=asked.rows(),
        levels=level_choices(asked.players),
        battles=[] if has_board else battle_choices(asked.battles),
        is_known=is_known,
    )


def practice_lede(has_board: bool) -> str:
    """Return how a game against programs is played."""
    if has_board:
        return _(
            "You hold one seat, programs hold the others and answer at once. No deadline runs,"
            " nobody waits for you."
        )
    return _(
        "You hold one nation, programs hold the others. No deadline runs, nobody waits for you; a"
        " whole campaign fits into an evening. It counts in no ranking."
    )


def scenario_options(asked: Asked) -> list[Option]:
    """Return the scenarios of the title, and the user's own that was chosen."""
    names = {key: str(raw.get("name", key)) for key, raw in asked.game.scenarios().items()}
    if asked.is_own:
        names[asked.key] = str(asked.raw["name"])
    return [Option(key, name, key == asked.key) for key, name in names.items()]


def battle_choices(chosen: str) -> list[Choice]:
    """Return who decides battles."""
    return [Choice(key, str(name), str(about), key == chosen) for key, name, about in BATTLES]
