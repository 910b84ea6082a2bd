"""The page that founds a game at once: alone, with friends, or against programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign import practice
from campaign.models import Campaign
from engine.language import sentence
from games.contract.pages import Question
from games.contract.title import Title
from games.registry import solo, together
from people.services import has_account
from web.lobby.choices import MEMBERS, VISIBILITIES
from web.lobby.forms import StartForm
from web.lobby.questions import Choice, QuestionField, SeatPick, question_fields
from web.practice.choices import PracticeChoices, read_choices
from web.practice.forms import PracticeForm
from web.practice.levels import level_choices
from web.titles import Card, cards, rules_url

ALONE, FRIENDS, PROGRAMS = "alone", "friends", "programs"
COMPANY = {
    ALONE: (gettext_lazy("Alone"), gettext_lazy("you play every seat yourself")),
    FRIENDS: (
        gettext_lazy("With friends, by link"),
        gettext_lazy("you take your seat first; people who open your link choose theirs"),
    ),
    PROGRAMS: (
        gettext_lazy("Against programs"),
        gettext_lazy("each program has its own style; they answer at once"),
    ),
}
"""The kinds of company in which a title can be played."""


@dataclass(frozen=True, slots=True)
class StartSeats:
    """The seats that can be chosen, and a sentence about the new game."""

    seats: list[SeatPick]
    levels: list[Choice]
    by_link: bool
    """Whether friends take the other seats."""
    sentence: str


@dataclass(frozen=True, slots=True)
class StartPage:
    """The form that founds a game."""

    title: Title
    lede: str
    cards: list[Card]
    companies: list[Choice]
    friends_url: str
    """The form for a game with friends, for a reader who needs an account for it first."""
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
        """Whether one of the further questions has an error."""
        return any(question.error for question in self.questions)

    @property
    def friends_name(self) -> str:
        """The name of a game with friends."""
        return str(COMPANY[FRIENDS][0])

    @property
    def has_choice(self) -> bool:
        """Whether the title can be played in several kinds of company."""
        return len(self.companies) > 1 or bool(self.friends_url)

    @property
    def verb(self) -> str:
        """The text of the button that founds the game."""
        return (
            _("Take the seat and start") if self.has_choice else _("Create the campaign and start")
        )


def start_page(
    request: HttpRequest, title: Title, form: StartForm, errors: Mapping[str, str]
) -> StartPage:
    """Return the page with the values of the form."""
    questions = questions_of(title)
    fields = question_fields(questions, answers(request, questions, form), errors)
    is_long = len(fields) > 2
    known = {question.key for question in questions} | {"name", "visibility"}
    return StartPage(
        title=title,
        lede=lede(title),
        cards=cards(),
        companies=company_choices(request, title, form),
        friends_url="" if has_account(request.user) else friends_url(title),
        first_questions=fields[:1] if is_long else fields,
        questions=fields[1:] if is_long else [],
        scenarios=[] if questions else scenario_names(title),
        name=form.text_of("name"),
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
    """Return the answers, with the usual answer where one is missing until the form is sent."""
    is_sent = request.method == "POST"
    return {
        question.key: form.answer_or(question.key, "" if is_sent else question.default)
        for question in questions
    }


def lede(title: Title) -> str:
    """Return a sentence about the ways to play the title."""
    if not solo(title):
        text = _("%(name)s is a game for several players. You invite them to their seats.")
    elif together(title):
        text = _(
            "You can play %(name)s alone and start at once, or invite other players to their seats."
        )
    else:
        text = _("%(name)s is a game for one player: you start at once.")
    return text % {"name": title.name}


def companies(title: Title) -> list[str]:
    """Return the kinds of company in which the title can be played, the usual kind first."""
    ways = [ALONE] if solo(title) else []
    if together(title):
        ways.append(FRIENDS)
    return [*ways, PROGRAMS] if practice.opponents(title.key) is not None else ways


def company_of(request: HttpRequest, title: Title, form: StartForm) -> str:
    """Return the kind of company in which the game is to be played.

    Without an account it is not a game with friends unless the reader asks for it.
    """
    known, asked = companies(title), form.company
    if asked in known:
        return asked
    if not has_account(request.user):
        known = [key for key in known if key != FRIENDS] or known
    return next(iter(known), "")


def friends_url(title: Title) -> str:
    """Return the address of the form for a game with friends; empty if there is none."""
    if FRIENDS not in companies(title):
        return ""
    return f"{reverse('found')}?{urlencode({'title': title.key, 'with': FRIENDS})}"


def company_choices(request: HttpRequest, title: Title, form: StartForm) -> list[Choice]:
    """Return the kinds of company in which the reader can play the title, as choices."""
    chosen, may = company_of(request, title, form), has_account(request.user)
    choices = []
    for key in companies(title):
        if key == FRIENDS and not may and chosen != FRIENDS:
            continue
        name, about = COMPANY[key]
        choices.append(Choice(key, str(name), str(about), key == chosen))
    return choices


def scenario_names(title: Title) -> list[tuple[str, str]]:
    """Return the keys and names of the title's scenarios."""
    return [(key, str(raw.get("name", key))) for key, raw in title.scenarios().items()]


def visibility_choices(title: Title, form: StartForm) -> list[Choice]:
    """Return the choices of visibility."""
    chosen = form.text_or("visibility", Campaign.Visibility.UNLISTED)
    known = (*VISIBILITIES, MEMBERS) if together(title) else VISIBILITIES
    return [Choice(key, str(name), str(about), key == chosen) for key, name, about in known]


# Seats


def start_seats(request: HttpRequest, title: Title, form: StartForm) -> StartSeats:
    """Return the seats that can be chosen, and a sentence about the new game."""
    company = company_of(request, title, form)
    asked = asked_of_programs(request, title, form) if len(companies(title)) > 1 else None
    return StartSeats(
        seats=asked.rows() if asked is not None else [],
        levels=level_choices(asked.players) if asked is not None else [],
        by_link=company == FRIENDS,
        sentence=what_is_founded(title, company, asked),
    )


def asked_of_programs(
    request: HttpRequest, title: Title, form: StartForm
) -> PracticeChoices | None:
    """Return the choices for a table with programs.

    A title that is played alone asks for the number of players; one player means as many as the
    table has, because programs take the other seats.
    """
    questions = questions_of(title)
    typed = {key: str(value) for key, value in form.data.items()}
    if questions and solo(title) and typed.get(questions[0].key) == questions[0].default:
        del typed[questions[0].key]
    return read_choices(title, request.user, PracticeForm(typed))


def what_is_founded(title: Title, company: str, choices: PracticeChoices | None) -> str:
    """Return a sentence about the new game."""
    if company == PROGRAMS and choices is not None:
        return choices.sentence()
    if company != FRIENDS:
        text = _("You play %(game)s alone. There are no deadlines, and the game starts at once.")
        return text % {"game": title.name}
    if choices is None:
        return _("You take your seat first; the other seats are for people who open your link.")
    left = len(choices.seats) - len(choices.own_seats())
    text = ngettext(
        "You play {name:the}; {n} seat is for the person who opens your link. You start when you"
        " like.",
        "You play {name:the}; {n} seats are for people who open your link. You start when you"
        " like.",
        left,
    )
    return sentence(text, name=choices.seat_name, n=left)


def known_scenario(title: Title, scenario: Any) -> Any:
    """Return the scenario with this key, or the scenario itself."""
    return title.scenarios().get(scenario, scenario) if isinstance(scenario, str) else scenario
