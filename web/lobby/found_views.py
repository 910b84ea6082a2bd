"""Views that found a campaign, and change its terms until it starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext
from django.views.decorators.http import require_safe

from campaign import automatic_moves, practice, services
from campaign import founding as table_founding
from campaign import scenarios as campaign_scenarios
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import Terms
from campaign.errors import NotAllowed, TableError
from campaign.log import positions, selectors
from campaign.models import Campaign
from campaign.rulebook import TWO_THIRDS
from campaign.seats import seating
from engine.errors import MalformedRecord
from forum.posts.threads import WrongSetting
from games.contract.scenarios import OwnScenarios
from games.contract.title import Title, proposed_options
from games.registry import TITLES, solo, together
from people import services as people_services
from people.models import User
from web.board.play_at_once import PROGRAM
from web.forum.threads.set_up import set_up_thread
from web.frame import requests
from web.frame.campaign_page import campaign_page, see_other
from web.frame.guests import ask_for_account, filled_form
from web.frame.table import TableContext, address
from web.lobby.clock_plan import clock_values, contradict, wanted_terms
from web.lobby.contract import OwnTerms
from web.lobby.forms import FoundForm, FoundQuery, StartForm
from web.lobby.found import add_error_of_record, found_page, seats_of
from web.lobby.start import (
    ALONE,
    FRIENDS,
    PROGRAMS,
    asked_of_programs,
    known_scenario,
    questions_of,
    start_page,
    start_seats,
)
from web.practice.choices import PracticeChoices, admit, begin_practice, posted_levels
from web.practice.forms import PracticeForm
from web.scenarios import choice as scenarios
from web.scenarios.choice import Chosen
from web.scenarios.text import editable_text
from web.seats.page import ONCE
from web.tasks import ask_to_finish
from web.titles.contract import pages_of

PARTS = {"sums": "lobby/found_sums.html", "clocks": "lobby/found_clocks.html"}
"""The parts of the form that a page fetches while it is being filled in, with their templates."""
FIELDS = {
    "bad-name": "name",
    "bad-time-zone": "time_zone",
    "bad-visibility": "visibility",
    "bad-chance": "chance",
    "no-hand": "chance",
    "bad-amending": "amending",
    "bad-sight": "sight",
    "no-master-left": "seat",
    "unknown-seat": "seat",
}
"""The field for each error of the service."""
HIDDEN_HANDS = gettext_noop(
    "If hands are hidden, someone who does not play must see them. Choose open hands, or take a "
    "seat later, together with a co-game-master who does not play."
)


def choose(request: HttpRequest) -> HttpResponse:
    """Show the form that founds a campaign of `?title=`, or of the first title."""
    asked = StartForm(request.POST).text_of("title") or FoundQuery(request.GET).text_of("title")
    title = TITLES.get(asked) or next(iter(TITLES.values()))
    if solo(title) or title.founding is not None:
        return start(request, title)
    return ask_for_account(request, request.get_full_path()) or new_campaign(request, title)


# A campaign with a game master


def new_campaign(request: HttpRequest, title: Title) -> HttpResponse:
    """Show the form, or with `?part=` the consequences of its values; a POST founds a campaign.

    A POST with `set` only sets the lengths of a button.
    """
    errors: dict[str, str] = {}
    chosen = scenarios.chosen_scenario(request, title, errors)
    options, part = proposed_options(title), FoundQuery(request.GET).text_of("part")
    if request.method != "POST" and part in PARTS:
        page = found_page(request, title, chosen, options, {}, form_values=request.GET)
        return render(request, PARTS[part], {"page": page})
    if FoundForm(request.POST).sets_lengths:
        page = found_page(request, title, chosen, options, {})
        return render(request, "lobby/found.html", {"page": page})
    if request.method == "POST":
        answer = found_campaign(request, title, chosen, errors)
        if answer is not None:
            return answer
    page = found_page(request, title, chosen, options, errors)
    return render(request, "lobby/found.html", {"page": page}, status=422 if errors else 200)


def found_campaign(
    request: HttpRequest, title: Title, chosen: Chosen, errors: dict[str, str]
) -> HttpResponse | None:
    """Found a campaign and redirect to its seats; return None and fill `errors` if that fails."""
    form = FoundForm(request.POST)
    own_terms = posted_terms(title, chosen, form, errors)
    lengths = wanted_terms(title, clock_values(request.POST), errors)
    check_people_and_clocks(title, chosen, form, errors)
    if errors:
        return None
    if not requests.first_time(request):
        return redirect(founded_before(request, form))
    try:
        campaign = make_campaign(request, title, chosen, form, own_terms, lengths)
    except MalformedRecord as wrong:
        add_error_of_record(title, wrong, errors)
    except WrongSetting as wrong:
        errors["thread"] = str(wrong)
    except TableError as refused:
        no_master = refused.code == "no-master-left"
        errors[FIELDS.get(refused.code, "")] = _(HIDDEN_HANDS) if no_master else str(refused)
    else:
        messages.success(
            request, pgettext("notice", "%(name)s has been created.") % {"name": campaign.name}
        )
        return redirect(reverse("seats", args=[campaign.address]))
    requests.allow_again(request)
    return None


class PlainTerms(NamedTuple):
    """The terms of a title without a part of its own."""

    scenario: Mapping[str, object]
    options: Mapping[str, object] = {}
    errors: Mapping[str, str] = {}


def check_people_and_clocks(
    title: Title, chosen: Chosen, form: FoundForm, errors: dict[str, str]
) -> None:
    """Add errors if the founder plays without a seat, or if the clocks contradict each other."""
    if form.text_of("plays") and not form.text_of("seat"):
        errors["seat"] = _("Choose the seat you want to take.")
    if not form.text_of("sure") and contradict(title, len(seats_of(title, chosen)), form.data):
        errors["clocks"] = _(
            "The clocks contradict each other. Correct them, or tick the box to keep them."
        )


def posted_terms(title: Title, chosen: Chosen, form: FoundForm, errors: dict[str, str]) -> OwnTerms:
    """Return the scenario and the options of a form; add errors to `errors`.

    A scenario of the user's own keeps its rules unless the form has shown them.
    """
    own = pages_of(title.key).founding
    if own is None:
        return PlainTerms(chosen.raw)
    theirs = chosen.key == scenarios.OWN or chosen.key.startswith(scenarios.SHELF)
    keep = theirs and form.text_of("rules_of") != chosen.key
    own_terms = own.read(chosen.raw, form.data, keep=keep)
    errors |= own_terms.errors
    return own_terms


def founded_before(request: HttpRequest, form: FoundForm) -> str:
    """Return the page of the campaign that the first click has founded.

    Return the first page as long as there is no such campaign.
    """
    name = form.text_of("name").strip()
    campaigns = Campaign.objects.filter(founder_id=request.user.pk, name=name).order_by("-pk")
    campaign = campaigns.first()
    return reverse("seats", args=[campaign.address]) if campaign else reverse("front")


@transaction.atomic
def make_campaign(
    request: HttpRequest,
    title: Title,
    chosen: Chosen,
    form: FoundForm,
    own_terms: OwnTerms,
    lengths: Mapping[str, Terms],
) -> Campaign:
    """Found a campaign with its clocks, its thread, its founder's seat and a link to free seats.

    This happens in one transaction: all of it or nothing.
    """
    user = cast(User, request.user)
    campaign = services.found_campaign(
        user,
        title.key,
        form.text_of("name"),
        own_terms.scenario,
        own_terms.options,
        form.text_of("time_zone"),
        form.text_of("visibility"),
        drawing=chosen.drawing,
        chance=form.text_of("chance"),
        amending=form.text_or("amending", TWO_THIRDS),
        sight=form.text_or("sight", table_founding.USUAL_SIGHT),
    )
    if lengths:
        clocks_services.set_terms(campaign, user, lengths)
    if thread := form.text_of("thread").strip():
        set_up_thread(campaign, user, thread)
    if form.text_of("plays"):
        services.take_seat_as_master(campaign, user, form.text_of("seat"))
    keep_link_to_free_seats(request, campaign, user)
    return campaign


def keep_link_to_free_seats(request: HttpRequest, campaign: Campaign, founder: User) -> None:
    """Make a link to all free seats, which the founder's next page shows once."""
    free = seating.free_seats(campaign)
    if not free:
        return
    _row, token = services.invite(campaign, founder, "", min(len(free), seating.MOST_USES))
    url = request.build_absolute_uri(address("join", token))
    requests.keep_secret(
        request, f"{ONCE} {campaign.public_id}", "", url, seat="", here="seats", co=False
    )


# The terms of a campaign


@campaign_page
def terms(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the terms; a POST changes them before the first move, with a new seed."""
    table.must_be_host()
    campaign, title = table.campaign, table.title
    if campaign.started:
        messages.error(
            request, _("Once a campaign has started, its scenario and options cannot change.")
        )
        return redirect(table.home)
    scenario, options = selectors.terms(campaign)
    errors: dict[str, str] = {}
    drawing = campaign_scenarios.text_of(campaign)
    chosen = scenarios.chosen_scenario(request, title, errors, scenario, drawing)
    if request.method == "POST" and change_terms(table, chosen, FoundForm(request.POST), errors):
        messages.success(request, _("The terms have been changed. The dice have a new commitment."))
        return redirect(table.home)
    page = found_page(request, title, chosen, options, errors, campaign, table.home)
    context = {"page": page, "campaign": campaign}
    return render(request, "lobby/found.html", context, status=422 if errors else 200)


def change_terms(
    table: TableContext, chosen: Chosen, form: FoundForm, errors: dict[str, str]
) -> bool:
    """Change the terms, and return whether that was possible; add errors to `errors`."""
    campaign = table.campaign
    own_terms = posted_terms(table.title, chosen, form, errors)
    if errors:
        return False
    try:
        services.change_terms(
            campaign,
            table.user,
            scenario=own_terms.scenario,
            options=own_terms.options,
            drawing=chosen.drawing,
            chance=form.text_or("chance", campaign.chance),
            amending=form.text_or("amending", campaign.amending),
            sight=form.text_or("sight", campaign.sight),
        )
    except MalformedRecord as wrong:
        add_error_of_record(table.title, wrong, errors)
    except TableError as refused:
        errors[""] = str(refused)
    return not errors


@require_safe
def scenario(request: HttpRequest, title: str, key: str) -> HttpResponse:
    """Answer with a scenario of the title as a file, from which users can make their own."""
    known = TITLES.get(title)
    if known is None or not isinstance(known, OwnScenarios):
        raise Http404
    raw = known.scenarios().get(key)
    if raw is None:
        raise Http404
    answer = HttpResponse(editable_text(raw), content_type="application/json; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{key}.json"'
    return answer


# Games that begin at once: alone, with friends, against programs


class Start(NamedTuple):
    """The terms of a game that begins at once."""

    scenario: str | Mapping[str, object]
    """The key of a scenario, or a scenario in record form."""
    options: Mapping[str, object]
    name: str
    is_alone: bool


def start(request: HttpRequest, title: Title) -> HttpResponse:
    """Show the form, or with `?part=` its seats; a POST founds the game.

    A visitor who plays alone or against programs becomes a guest; with friends they need an
    account, for which the page asks before it shows the form.
    """
    if request.method != "POST":
        return show_start(request, title, StartForm(request.GET))
    form, errors = StartForm(request.POST), dict[str, str]()
    if form.only_shows:
        return start_form(request, title, form, {})
    try:
        return begin(request, title, form)
    except MalformedRecord as wrong:
        errors[wrong.where.split(".")[-1]] = f"{wrong.why}."
    except TableError as refused:
        fields = {"bad-name": "name", "bad-visibility": "visibility"}
        errors[fields.get(refused.code, "")] = str(refused)
    return start_form(request, title, form, errors)


def show_start(request: HttpRequest, title: Title, form: StartForm) -> HttpResponse:
    """Show the form, or its seats."""
    if not FoundQuery(request.GET).text_of("part"):
        needs_account = form.company == FRIENDS
        refusal = ask_for_account(request, request.get_full_path()) if needs_account else None
        return refusal or start_form(request, title, form, {})
    context = {"page": start_seats(request, title, form)}
    return render(request, "lobby/start_part.html", context)


def start_form(
    request: HttpRequest, title: Title, form: StartForm, errors: Mapping[str, str]
) -> HttpResponse:
    """Show the form with the typed values."""
    context = {"page": start_page(request, title, form, errors)}
    return render(request, "lobby/start.html", context, status=422 if errors else 200)


def begin(request: HttpRequest, title: Title, form: StartForm) -> HttpResponse:
    """Found the game and redirect to it. Raises `MalformedRecord` and `TableError`."""
    if form.company == PROGRAMS:
        asked = asked_of_programs(request, title, form)
        if asked is not None:
            return begin_with_programs(request, asked, form)
    terms = start_terms(title, form)
    check_company(title, form, terms)
    refusal = None if terms.is_alone else ask_for_account(request, filled_form(request))
    return refusal or admit(request) or found_game(request, title, form, terms)


def begin_with_programs(
    request: HttpRequest, choices: PracticeChoices, form: StartForm
) -> HttpResponse:
    """Found a game against programs and redirect to it."""
    if choices.wrong:
        raise MalformedRecord(next(iter(choices.errors), ""), choices.wrong.removesuffix("."))
    seat = form.text_of("seat") or choices.seat
    levels = posted_levels(choices, PracticeForm(form.data))
    begun = begin_practice(request, choices, seat, levels, form.given_name)
    if isinstance(begun, str):
        raise NotAllowed("unknown-seat", begun)
    return begun


def start_terms(title: Title, form: StartForm) -> Start:
    """Return the terms of the new game."""
    founding, given = title.founding, start_answers(title, form)
    scenario: str | Mapping[str, object] = form.text_of("scenario")
    options: Mapping[str, object] = {}
    name = title.name
    if founding is not None:
        scenario, options = founding.terms(given)
        name = founding.proposed_name(given)
    seats = title.seats(
        title.scenario(known_scenario(title, scenario)), title.options(dict(options))
    )
    return Start(scenario, options, form.given_name or name, len(seats) == 1)


def start_answers(title: Title, form: StartForm) -> dict[str, str]:
    """Return the answers to the title's questions.

    A user who plays alone is one player. With friends, one player means as many as the table has.
    """
    questions = questions_of(title)
    given = {question.key: form.answer_or(question.key, "") for question in questions}
    if solo(title) and together(title) and questions:
        number = questions[0]
        if form.company == ALONE:
            given[number.key] = number.default
        elif form.company == FRIENDS and given[number.key] == number.default:
            given[number.key] = number.choices[-1][0]
    return given


def check_company(title: Title, form: StartForm, terms: Start) -> None:
    """Raise an error if a table for one player is to have friends or members."""
    if not terms.is_alone:
        return
    if form.text_of("visibility") == Campaign.Visibility.MEMBERS:
        raise NotAllowed(
            "bad-visibility", _("Choose listed or unlisted: there is no one else at this table.")
        )
    if form.company == FRIENDS:
        questions = questions_of(title)
        raise MalformedRecord(
            questions[0].key if questions else "",
            _("this option is for one player; to play with friends, choose more players"),
        )


def found_game(request: HttpRequest, title: Title, form: StartForm, terms: Start) -> HttpResponse:
    """Found the game and redirect to it."""
    known, with_friends = request.user.is_authenticated, form.company == FRIENDS
    with transaction.atomic():
        founder = cast(User, request.user) if known else people_services.make_guest()
        campaign = services.found_campaign(
            founder,
            title.key,
            terms.name,
            terms.scenario,
            terms.options,
            founder.time_zone,
            form.text_of("visibility"),
        )
        if with_friends:
            sit_down(campaign, founder, form.text_of("seat"))
            keep_link_to_free_seats(request, campaign, founder)
    if not known:
        people_services.remember_guest(request.session, founder)
    if (
        terms.is_alone
        and form.text_of("by") == PROGRAM
        and automatic_moves.begin(campaign, founder, automatic_moves.END)
    ):
        ask_to_finish(campaign.pk)
    return see_other(address("seats" if with_friends else "table", campaign.address))


def sit_down(campaign: Campaign, founder: User, chosen: str) -> None:
    """Give the founder a seat, and all other seats of the same player."""
    game = campaign.game
    scenario, options = positions.scenario(campaign), positions.options(campaign)
    seats = [seat.key for seat in game.seats(scenario, options)]
    first = chosen if chosen in seats else seats[0]
    for seat in practice.seats_of_player(game, scenario, options, first, seats):
        services.take_seat_as_master(campaign, founder, seat)
