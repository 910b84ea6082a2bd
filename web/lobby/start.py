"""Build the page that founds a game at once: alone, with friends, or against programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign import practice
from campaign.models import Campaign
from engine.language import sentence
from games.contract.pages import Question
from games.contract.title import Title
from games.registry import solo, together, word
from web.lobby.choices import MEMBERS, VISIBILITIES
from web.lobby.forms import StartForm
from web.lobby.questions import Choice, QuestionField, SeatPick, question_fields
from web.practice.asked import Asked, read_asked
from web.practice.forms import PracticeForm
from web.practice.levels import level_choices
from web.titles import Card, cards, rules_url

ALONE, FRIENDS, PROGRAMS = "alone", "friends", "programs"
COMPANY = {
    ALONE: (gettext_lazy("Alone"), gettext_lazy("you play every seat; nobody is asked")),
    FRIENDS: (
        gettext_lazy("With friends, by link"),
        gettext_lazy("you sit down first; who opens your link takes a seat"),
    ),
    PROGRAMS: (
        gettext_lazy("Against programs"),
        gettext_lazy("each has its own manner; they answer at once"),
    ),
}
"""With whom a title is played."""


@dataclass(frozen=True, slots=True)
class StartSeats:
    """The seats that can be chosen, and what will be founded."""

    seats: list[SeatPick]
    levels: list[Choice]
    by_link: bool
    """Do friends take the other seats?"""
    sentence: str


@dataclass(frozen=True, slots=True)
class StartPage:
    """The form that founds a game."""

    title: Title
    lede: str
    campaign_word: str
    cards: list[Card]
    companies: list[Choice]
    first_questions: list[QuestionField]
    questions: list[QuestionField]
    scenarios: list[tuple[str, str]]
    name: str
    name_error: str
    start: StartSeats
    visibilities: list[Choice]
    visibility_error: str
    other_errors: list[str]
    is_known: bool
    is_solo: bool
    has_lesson: bool
    rules_url: str

    @property
    def is_unfolded(self) -> bool:
        """Return whether one of the further questions has an error."""
        return any(question.error for question in self.questions)

    @property
    def has_choice(self) -> bool:
        """Return whether the title can be played in several kinds of company."""
        return len(self.companies) > 1

    @property
    def verb(self) -> str:
        """Return the button that founds the game."""
        return _("Sit down and begin") if self.has_choice else _("Found the campaign and begin")


def start_page(
    request: HttpRequest, title: Title, form: StartForm, errors: Mapping[str, str]
) -> StartPage:
    """Return the page with what the form has."""
    questions = questions_of(title)
    fields = question_fields(questions, answers(request, questions, form), errors)
    is_long = len(fields) > 2
    known = {question.key for question in questions} | {"name", "visibility"}
    return StartPage(
        title=title,
        lede=lede(title),
        campaign_word=word(title.key, "campaign"),
        cards=cards(),
        companies=company_choices(title, form),
        first_questions=fields[:1] if is_long else fields,
        questions=fields[1:] if is_long else [],
        scenarios=[] if questions else scenario_names(title),
        name=form.typed("name"),
        name_error=errors.get("name", ""),
        start=start_seats(request, title, form),
        visibilities=visibility_choices(title, form),
        visibility_error=errors.get("visibility", ""),
        other_errors=[capfirst(text) for field, text in errors.items() if field not in known],
        is_known=request.user.is_authenticated,
        is_solo=solo(title),
        has_lesson=title.lesson is not None,
        rules_url=rules_url(title.key),
    )


def questions_of(title: Title) -> Sequence[Question]:
    """Return the questions that the title asks."""
    return title.founding.questions if title.founding is not None else ()


def answers(request: HttpRequest, questions: Sequence[Question], form: StartForm) -> dict[str, str]:
    """Return what was answered; what was not is as usual, until the form is sent."""
    is_sent = request.method == "POST"
    return {
        question.key: form.answer_or(question.key, "" if is_sent else question.default)
        for question in questions
    }


def lede(title: Title) -> str:
    """Return how the title is played."""
    if not solo(title):
        text = _("%(name)s is played by several, whom you invite to their seats.")
    elif together(title):
        text = _(
            "%(name)s is played alone and begins at once, or by several, who are invited to their"
            " seats."
        )
    else:
        text = _("%(name)s is played alone: it begins at once.")
    return text % {"name": title.name}


def companies(title: Title) -> list[str]:
    """Return with whom the title can be played, the usual first."""
    ways = [ALONE] if solo(title) else []
    if together(title):
        ways.append(FRIENDS)
    return [*ways, PROGRAMS] if practice.opponents(title.key) is not None else ways


def company_of(title: Title, form: StartForm) -> str:
    """Return with whom the game is to be played."""
    known, asked = companies(title), form.company
    return asked if asked in known else next(iter(known), "")


def company_choices(title: Title, form: StartForm) -> list[Choice]:
    """Return with whom the title can be played."""
    chosen = company_of(title, form)
    choices = []
    for key in companies(title):
        name, about = COMPANY[key]
        choices.append(Choice(key, str(name), str(about), key == chosen))
    return choices


def scenario_names(title: Title) -> list[tuple[str, str]]:
    """Return the keys and names of the title's scenarios."""
    return [(key, str(raw.get("name", key))) for key, raw in title.scenarios().items()]


def visibility_choices(title: Title, form: StartForm) -> list[Choice]:
    """Return who can find the game."""
    chosen = form.typed_or("visibility", Campaign.Visibility.UNLISTED)
    known = (*VISIBILITIES, MEMBERS) if together(title) else VISIBILITIES
    return [Choice(key, str(name), str(about), key == chosen) for key, name, about in known]


# Seats


def start_seats(request: HttpRequest, title: Title, form: StartForm) -> StartSeats:
    """Return the seats that can be chosen, and what will be founded."""
    company = company_of(title, form)
    asked = asked_of_programs(request, title, form) if len(companies(title)) > 1 else None
    return StartSeats(
        seats=asked.rows() if asked is not None else [],
        levels=level_choices(asked.players) if asked is not None else [],
        by_link=company == FRIENDS,
        sentence=what_is_founded(title, company, asked),
    )


def asked_of_programs(request: HttpRequest, title: Title, form: StartForm) -> Asked | None:
    """Return what is chosen for a table with programs.

    A title that is played alone asks for the number of players; one player means as many as the
    table has, because programs take the other seats.
    """
    questions = questions_of(title)
    typed = {key: str(value) for key, value in form.data.items()}
    if questions and solo(title) and typed.get(questions[0].key) == questions[0].default:
        del typed[questions[0].key]
    return read_asked(title, request.user, PracticeForm(typed))


def what_is_founded(title: Title, company: str, asked: Asked | None) -> str:
    """Return in one sentence what will be founded."""
    if company == PROGRAMS and asked is not None:
        return asked.sentence()
    if company != FRIENDS:
        text = _("You play %(game)s alone; no clock runs, and it begins at once.")
        return text % {"game": title.name}
    if asked is None:
        return _("You sit down first; the other seats are for whoever opens your link.")
    left = len(asked.seats) - len(asked.own_seats())
    text = ngettext(
        "You play {name:the}; {n} seat is for whoever opens your link. You begin when you like.",
        "You play {name:the}; {n} seats are for those who open your link. You begin when you like.",
        left,
    )
    return sentence(text, name=asked.seat_name, n=left)


def known_scenario(title: Title, scenario: Any) -> Any:
    """Return a scenario by its key, or as it is."""
    return title.scenarios().get(scenario, scenario) if isinstance(scenario, str) else scenario
