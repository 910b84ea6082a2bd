"""The choices for a game against programs, and the beginning of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, cast

from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import practice
from campaign import scenarios as shelves
from campaign.errors import TableError
from engine.errors import MalformedRecord
from engine.language import sentence
from engine.strict_json import read
from games.contract.film import WithFilms
from games.contract.pages import Question
from games.contract.plain import RawOptions, RawScenario
from games.contract.players import Opponents
from games.contract.title import SeatInfo, Title, proposed_options
from games.registry import solo
from people import services as people_services
from people.models import User
from web.frame import throttle
from web.frame.adapter import may_join
from web.frame.campaign_page import see_other
from web.frame.guests import ask_for_account, filled_form
from web.frame.table import address
from web.lobby.questions import SeatPick
from web.practice.forms import PracticeForm
from web.practice.levels import USUAL, level_choices
from web.scenarios.choice import SHELF
from web.tasks import ask_to_play_on


class ChosenScenario(NamedTuple):
    """A scenario of the title, or a scenario of the user with its drawing."""

    key: str
    raw: RawScenario
    drawing: str = ""
    is_own: bool = False


class QuestionAnswers(NamedTuple):
    """The answers to the title's questions, and the scenario and options that follow.

    `errors` are by question.
    """

    answers: Mapping[str, str]
    raw: RawScenario
    options: RawOptions
    wrong: str = ""
    errors: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class PracticeChoices:
    """The readable choices of a form for a game against programs.

    `wrong` is an error in the other choices.
    """

    game: Title
    players: Opponents
    key: str
    raw: RawScenario
    drawing: str
    is_own: bool
    questions: Sequence[Question]
    answers: Mapping[str, str]
    options: RawOptions
    seats: Sequence[SeatInfo]
    seat: str
    levels: Mapping[str, str]
    """The levels chosen for seats."""
    usual: str
    """The default level for the other seats."""
    each: Sequence[str]
    """The levels that seats without a chosen level get in turn."""
    battles: str
    wrong: str
    errors: Mapping[str, str]

    def level(self, number: int) -> str:
        """Return the level of a seat's program; `number` is the number of the seat, from 0."""
        return self.levels.get(self.seats[number].key, self.each[number % len(self.each)])

    def rows(self) -> list[SeatPick]:
        """Return the seats for a form, each with its level."""
        return [
            SeatPick(
                key=seat.key,
                name=seat.name,
                about=seat.about,
                colour=seat.colour,
                mine=seat.key == self.seat,
                level=self.level(number),
            )
            for number, seat in enumerate(self.seats)
        ]

    def own_seats(self) -> set[str]:
        """Return the player's seats."""
        return set(
            practice.seats_of_player(
                self.game,
                self.game.scenario(self.raw),
                self.game.options(dict(self.options)),
                self.seat,
                [seat.key for seat in self.seats],
            )
        )

    @property
    def seat_name(self) -> str:
        """Return the name of the player's seat."""
        return next(seat.name for seat in self.seats if seat.key == self.seat)

    def sentence(self) -> str:
        """Return a sentence that describes the game to be founded."""
        names = {choice.key: choice.name.lower() for choice in level_choices(self.players)}
        mine = self.own_seats()
        played = [
            self.level(number) for number, seat in enumerate(self.seats) if seat.key not in mine
        ]
        manners = ", ".join(dict.fromkeys(names.get(level, level) for level in played))
        if solo(self.game):
            text = ngettext(
                "You play {name:the} with {n} program ({manners}); there are no deadlines.",
                "You play {name:the} with {n} programs ({manners}); there are no deadlines.",
                len(played),
            )
        else:
            text = ngettext(
                "You play {name:the} against {n} program ({manners}); there are no deadlines.",
                "You play {name:the} against {n} programs ({manners}); there are no deadlines.",
                len(played),
            )
        return sentence(text, name=self.seat_name, n=len(played), manners=manners)


def read_choices(
    game: Title, user: User | AnonymousUser, form: PracticeForm
) -> PracticeChoices | None:
    """Return the choices of a form.

    It is None if there is no such scenario, or if no program plays the title.
    """
    players = practice.opponents(game.key)
    scenario = chosen_scenario(game, user, form.text_of("scenario"))
    if players is None or scenario is None:
        return None
    answered = answers_of(game, scenario.raw, form)
    seats = game.seats(game.scenario(answered.raw), game.options(dict(answered.options)))
    seat = form.text_of("seat")
    return PracticeChoices(
        game=game,
        players=players,
        key=scenario.key,
        raw=answered.raw,
        drawing=scenario.drawing,
        is_own=scenario.is_own,
        questions=questions_of(game),
        answers=answered.answers,
        options=answered.options,
        seats=seats,
        seat=seat if any(known.key == seat for known in seats) else seats[0].key,
        levels=chosen_levels(players, seats, form),
        usual=usual_level(players, form),
        each=proposed_levels(game, players, form),
        battles=form.text_or("battles", practice.MODEL),
        wrong=answered.wrong,
        errors=answered.errors,
    )


def chosen_scenario(game: Title, user: User | AnonymousUser, asked: str) -> ChosenScenario | None:
    """Return the scenario with this key, by default the first; None if there is none."""
    known = dict(game.scenarios())
    key = asked or next(iter(known))
    if key in known:
        return ChosenScenario(key, known[key])
    own = shelves.visible_scenario(key.removeprefix(SHELF), user) if key.startswith(SHELF) else None
    if own is None:
        return None
    drawing = own.drawing.text if own.drawing else ""
    return ChosenScenario(key, read(own.text), drawing, is_own=True)


def questions_of(game: Title) -> Sequence[Question]:
    """Return the questions of a title, except the question for the name."""
    if game.founding is None:
        return ()
    return [question for question in game.founding.questions if question.key != "name"]


def answers_of(game: Title, raw: RawScenario, form: PracticeForm) -> QuestionAnswers:
    """Return the answers to the title's questions; if they are invalid, the default answers."""
    founding, questions = game.founding, questions_of(game)
    answers = given_answers(game, questions, form)
    if founding is None:
        return checked(game, QuestionAnswers(answers, raw, proposed_options(game)))
    try:
        return checked(game, QuestionAnswers(answers, *founding.terms(answers)))
    except MalformedRecord as error:
        wrong = f"{error.why}."
        usual = given_answers(game, questions, PracticeForm({}))
        errors = {error.where.split(".")[-1]: wrong}
        return QuestionAnswers(usual, *founding.terms(usual), wrong=wrong, errors=errors)


def checked(game: Title, answered: QuestionAnswers) -> QuestionAnswers:
    """Return the answers if the title can read them.

    Raise `MalformedRecord` if it cannot read the scenario or the options.
    """
    game.scenario(answered.raw)
    game.options(dict(answered.options))
    return answered


def given_answers(game: Title, questions: Sequence[Question], form: PracticeForm) -> dict[str, str]:
    """Return the given answers, and the default for the rest.

    A form that was sent leaves out the flags that are not set. A title that is usually played alone
    has as many players as its table has seats.
    """
    is_sent = any(form.has_answer(question.key) for question in questions)
    answers = {
        question.key: form.answer_or(
            question.key, "" if question.kind == "flag" and is_sent else question.default
        )
        for question in questions
    }
    if questions and solo(game) and not form.has_answer(questions[0].key):
        answers[questions[0].key] = questions[0].choices[-1][0]
    return answers


# Levels


def chosen_levels(
    players: Opponents, seats: Sequence[SeatInfo], form: PracticeForm
) -> dict[str, str]:
    """Return the known levels that were chosen, by seat."""
    chosen = {seat.key: form.level_of(seat.key) for seat in seats}
    return {seat: level for seat, level in chosen.items() if level in players.levels}


def usual_level(players: Opponents, form: PracticeForm) -> str:
    """Return the level of the seats without a chosen level."""
    usual = USUAL if USUAL in players.levels else list(players.levels)[-1]
    return form.text_of("level") or usual


def proposed_levels(game: Title, players: Opponents, form: PracticeForm) -> list[str]:
    """Return the levels that the form proposes for the seats in turn.

    If the levels of a title are styles of equal strength, each seat gets a different level.
    """
    if game.founding is not None and USUAL in players.levels and "level" not in form.data:
        return list(players.levels)
    return [usual_level(players, form)]


def posted_levels(choices: PracticeChoices, form: PracticeForm) -> dict[str, str]:
    """Return the levels as posted, including unknown ones, which the service refuses."""
    levels = {seat.key: form.level_of(seat.key) for seat in choices.seats}
    return {seat: level for seat, level in levels.items() if level}


# Beginning


def admit(request: HttpRequest) -> HttpResponse | None:
    """Return a refusal if the reader cannot begin a game now; otherwise None.

    On a site for invited people a visitor signs in and comes back to the form that they have
    filled in. Anyone may have begun too many games.
    """
    known = request.user.is_authenticated
    if not known and not may_join(request):
        text = _("On this site you play with an account. Sign in: your choices are kept.")
        messages.info(request, text)
        return ask_for_account(request, filled_form(request))
    limit, who = (
        (throttle.REIGN, f"user {request.user.pk}")
        if known
        else (throttle.GUEST, throttle.address(request))
    )
    wait = throttle.spend(request, limit, who)
    return throttle.refused(request, wait) if wait else None


def begin_practice(
    request: HttpRequest,
    choices: PracticeChoices,
    seat: str,
    levels: Mapping[str, str],
    name: str = "",
) -> HttpResponse | str:
    """Begin the game and return a redirect to it, or return why it cannot begin.

    A visitor without an account becomes a guest, whom this browser remembers.
    """
    answer = admit(request)
    if answer is not None:
        return answer
    user, title = cast(User, request.user), choices.game
    text = (
        _("Practice: %(name)s")
        if title.founding is None
        else pgettext("practice", "%(name)s with programs")
    )
    try:
        with transaction.atomic():
            player = user if user.is_authenticated else people_services.make_guest()
            campaign = practice.begin(
                player,
                title.key,
                choices.raw if choices.is_own or title.founding is not None else choices.key,
                seat,
                choices.usual,
                choices.battles,
                levels=levels,
                options=choices.options,
                drawing=choices.drawing,
                time_zone=player.time_zone,
                name=name or text % {"name": choices.raw.get("name", choices.game.name)},
            )
    except TableError as refused:
        return str(refused)
    if player is not user:
        people_services.remember_guest(request.session, player)
    ask_to_play_on(campaign.pk)
    if title.pages is None and isinstance(title, WithFilms):
        return see_other(f"{address('history_film', campaign.address)}?since=0&follow=1")
    return see_other(address("table", campaign.address))
