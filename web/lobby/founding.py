"""Founding a campaign, and changing its terms until it starts. The title's own part is in
web/titles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext
from django.views.decorators.http import require_safe

from campaign import founding as table_founding
from campaign import playing_on, practice, rulebook, services
from campaign import scenarios as campaign_scenarios
from campaign.clocks import selectors as clock_terms
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, DEFAULTS, SLOT, TURN, Terms
from campaign.errors import NotAllowed, TableError
from campaign.founding import MANUAL, may_mix
from campaign.log import positions, selectors
from campaign.log.texts import length_words
from campaign.models import Campaign
from campaign.rulebook import NEEDS, TWO_THIRDS
from campaign.seats import seating
from engine.errors import MalformedRecord
from engine.language import sentence, within
from engine.strict_json import whole
from forum import services as forum_services
from forum.posts.threads import WrongSetting
from games.contract.title import Amendable, Drawn, SeatInfo, Title, proposed_options
from games.registry import FOUNDINGS, LESSONS, TITLES, solo, together, word
from people import services as people_services
from people.validators import zones
from web import practice as web_practice
from web.board.play_at_once import PROGRAM
from web.dice.trust import CHANCES
from web.forum.threads.set_up import set_up_thread
from web.frame import requests, throttle
from web.frame.adapter import may_join
from web.frame.campaign_page import TableContext, address, campaign_page, see_other
from web.scenarios import choice as scenarios
from web.scenarios.choice import Chosen
from web.scenarios.judging import takes_own
from web.scenarios.text import editable_text
from web.seats.page import ONCE
from web.tasks import ask_to_finish
from web.titles import cards, extras
from web.waiting import REMINDERS

# The clocks of a campaign that is being founded: computed against each other, with what mends a
# contradiction.
#
# If everybody takes the full time, a turn needs its slots, then the answer to the last attack, its
# battle and the confirmation.

MOST = 365
ASK, REMIND, ACT = "ask", "remind", "act"
NAMES = {
    SLOT: (gettext_lazy("Slot"), gettext_lazy("a player’s part of the turn, one after the other")),
    ANSWER: (gettext_lazy("Answer"), gettext_lazy("to an attack")),
    BATTLE: (gettext_lazy("Battle"), gettext_lazy("to set up and play")),
    CLAIM: (gettext_lazy("Confirmation"), gettext_lazy("of a claimed result")),
    TURN: (gettext_lazy("Turn"), gettext_lazy("from opening to closing")),
}
"""In the order of the form."""
USUAL = {SLOT: 2, ANSWER: 2, BATTLE: 10, CLAIM: 2, TURN: 28}
"""Days that fit together: those of the steady pace for six seats."""
BY_ITSELF = {
    SLOT: gettext_lazy("the slot ends automatically, a day later"),
    ANSWER: gettext_lazy("accepted automatically, a day later"),
    CLAIM: gettext_lazy("confirmed automatically, a day later"),
}
PACES = (
    (gettext_lazy("Brisk"), {SLOT: 1, ANSWER: 1, BATTLE: 6, CLAIM: 1}, 0),
    (gettext_lazy("Steady"), {SLOT: 2, ANSWER: 2, BATTLE: 10, CLAIM: 2}, 2),
    (gettext_lazy("Slow"), {SLOT: 3, ANSWER: 3, BATTLE: 14, CLAIM: 3}, 0),
)
"""A name, days of each clock, days to spare in a turn."""
LEAST_BATTLE, LEAST_SLOT = 7, 2
"""Days below which no button proposes to shorten a battle or a slot."""
CLOCK_FIELDS = [f"{kind}-{what}" for kind in NAMES for what in ("length", "then")] + ["reminds"]
"""What the form asks; `set` of a button changes lengths: `slot:2,turn:28`."""


class Clock(NamedTuple):
    """A line of the form: days as they were typed, the choices at the deadline with the one
    chosen.
    """

    kind: str
    name: Any
    about: Any
    days: str
    then: str
    thens: list[tuple[str, Any]]
    error: str


class Part(NamedTuple):
    """A part of the bar; `share` is its width in per cent."""

    name: str
    days: int
    share: str
    wide: bool


class Mend(NamedTuple):
    """A button: what it says, what it sets, and whether it stands so already."""

    text: str
    set: str
    chosen: bool = False
    more: str = ""


class Sum(NamedTuple):
    """The clocks added up: what a turn needs, what it is given, as parts of a bar; `mends` where it
    needs more.
    """

    need: int
    turn: int
    parts: list[Part]
    at: str
    late: bool
    mends: list[Mend]
    need_text: str
    spare: str

    @property
    def over(self) -> bool:
        return self.need > self.turn


def kinds(title: Title) -> list[str]:
    """The clocks that can run in this title: those of battles where it has any."""
    fights = extras(title.key, "battle_forms") is not None
    return [kind for kind in NAMES if fights or kind in (SLOT, TURN)]


def typed(posted: Mapping[str, str]) -> dict[str, str]:
    """What the form says of clocks, with what a button sets over it."""
    values = {key: str(posted[key]).strip() for key in CLOCK_FIELDS if key in posted}
    for one in str(posted.get("set", "")).split(","):
        kind, _colon, days = one.partition(":")
        if kind in NAMES and whole(days):
            values[f"{kind}-length"] = days
    return values


def _days(values: Mapping[str, str], kind: str) -> int | None:
    days = whole(values.get(f"{kind}-length", str(USUAL[kind])), 4)
    return days if days and days <= MOST else None


def _then(values: Mapping[str, str], kind: str, acting: tuple[str, ...]) -> str:
    then = values.get(f"{kind}-then", ASK)
    return then if then == REMIND or (then == ACT and kind in acting) else ASK


def read(title: Title, values: Mapping[str, str], errors: dict[str, str]) -> dict[str, Terms]:
    """The terms that are not as usual, for `clocks.services.set_terms`; what is no length goes into
    `errors` by its field.
    """
    wanted, acting = {}, clock_terms.acting(title)
    reminds = values.get("reminds", clock_terms.BOTH)
    if reminds not in clock_terms.REMINDERS:
        errors["reminds"] = _("Choose when the person the table waits for is reminded.")
    for kind in kinds(title):
        days, then = _days(values, kind), _then(values, kind, acting)
        if days is None:
            errors[f"{kind}-length"] = _("Type whole days, from 1 to %(most)s.") % {"most": MOST}
            continue
        terms = DEFAULTS[kind]._replace(
            length=f"{days}d", acts=then == ACT, asks=then != REMIND, reminds=reminds
        )
        if terms != DEFAULTS[kind]:
            wanted[kind] = terms
    return wanted


def context(
    title: Title, seats: int, turns: int, posted: Mapping[str, str], errors: Mapping[str, str]
) -> dict[str, Any]:
    """What the second step of the founding shows of so many seats and turns (0: not known)."""
    values, acting, known = typed(posted), clock_terms.acting(title), kinds(title)
    clocks = [
        Clock(
            kind,
            *NAMES[kind],
            values.get(f"{kind}-length", str(USUAL[kind])),
            _then(values, kind, acting),
            [
                (ASK, _("the game master is asked")),
                *([(ACT, BY_ITSELF[kind])] if kind in acting and kind in BY_ITSELF else []),
                (REMIND, _("only a reminder")),
            ],
            errors.get(f"{kind}-length", ""),
        )
        for kind in known
    ]
    days = {kind: _days(values, kind) for kind in known}
    whole_days = {kind: one for kind, one in days.items() if one is not None}
    thens = [one.then for one in clocks]
    return {
        "clocks": clocks,
        "paces": [_pace(name, pace, spare, seats, days) for name, pace, spare in PACES],
        "sum": added_up(whole_days, seats) if len(whole_days) == len(known) else None,
        "reminds": values.get("reminds", clock_terms.BOTH),
        "reminders": REMINDERS,
        "turns": turns,
        "weeks": round(turns * (days[TURN] or 0) / 7),
        "at_deadlines": ", ".join(_counted(thens)),
        "most_days": MOST,
    }


def contradict(title: Title, seats: int, posted: Mapping[str, str]) -> bool:
    """Does a turn need more days than it is given?"""
    values = typed(posted)
    days = {kind: n for kind in kinds(title) if (n := _days(values, kind)) is not None}
    return len(days) == len(kinds(title)) and needed(days, seats) > days[TURN]


def _counted(thens: list[str]) -> list[str]:
    acts, asks, reminds = (thens.count(one) for one in (ACT, ASK, REMIND))
    counted = [
        (acts, ngettext("%(n)s acts automatically", "%(n)s act automatically", acts)),
        (asks, ngettext("%(n)s asks you", "%(n)s ask you", asks)),
        (reminds, ngettext("%(n)s only reminds", "%(n)s only remind", reminds)),
    ]
    return [text % {"n": n} for n, text in counted if n]


def needed(days: Mapping[str, int], seats: int) -> int:
    """Days of a turn in which everybody takes the full time."""
    return seats * days[SLOT] + sum(days.get(kind, 0) for kind in (ANSWER, BATTLE, CLAIM))


def _set(days: Mapping[str, int]) -> str:
    return ",".join(f"{kind}:{n}" for kind, n in days.items())


def _pace(
    name: Any, pace: Mapping[str, int], spare: int, seats: int, days: Mapping[str, int | None]
) -> Mend:
    mine = {kind: n for kind, n in pace.items() if kind in days}
    mine[TURN] = needed(mine, seats) + spare
    return Mend(str(name), _set(mine), mine == days, length_words(f"{mine[TURN]}d"))


def added_up(days: Mapping[str, int], seats: int) -> Sum:
    """The slots, the last attack's answer, battle and confirmation against the turn."""
    need, turn = needed(days, seats), days[TURN]
    span = max(need, turn)
    slots = ngettext("%(n)s slot", "%(n)s slots", seats) % {"n": seats}
    parts = [(slots, seats * days[SLOT])] + [
        (str(NAMES[kind][0]), days[kind]) for kind in (ANSWER, BATTLE, CLAIM) if kind in days
    ]
    drawn = [Part(name, n, f"{100 * n / span:.2f}", n / span > 0.15) for name, n in parts]
    spare = (
        ngettext("%(n)s day is spare.", "%(n)s days are spare.", turn - need) % {"n": turn - need}
        if turn > need
        else ""
    )
    return Sum(
        need,
        turn,
        drawn,
        f"{100 * turn / span:.2f}",
        turn / span > 0.6,
        mends(days, seats) if need > turn else [],
        length_words(f"{need}d"),
        spare,
    )


def mends(days: Mapping[str, int], seats: int) -> list[Mend]:
    """What resolves the contradiction: a longer turn, a pace that fits, a shorter battle, shorter
    slots.
    """
    need, turn = needed(days, seats), days[TURN]
    buttons = (
        [Mend(_("Turn %(days)s") % {"days": length_words(f"{need}d")}, _set({TURN: need}))]
        if need <= MOST
        else []
    )
    fits = [
        pace
        for _name, pace, _spare in PACES
        if needed({k: n for k, n in pace.items() if k in days}, seats) <= turn
    ]
    if fits:
        mine = {kind: n for kind, n in fits[-1].items() if kind in days}
        listed = ", ".join(f"{within(str(NAMES[kind][0]))} {n}" for kind, n in mine.items())
        keep = _("Keep %(days)s: %(clocks)s") % {"days": length_words(f"{turn}d"), "clocks": listed}
        buttons.append(Mend(keep, _set(mine)))
    shorter = days.get(BATTLE, 0) - (need - turn)
    if shorter >= LEAST_BATTLE:
        buttons.append(
            Mend(
                _("Battle %(days)s") % {"days": length_words(f"{shorter}d")},
                _set({BATTLE: shorter}),
            )
        )
    slot = (turn - (need - seats * days[SLOT])) // seats
    if slot >= LEAST_SLOT:
        buttons.append(
            Mend(_("Slot %(days)s") % {"days": length_words(f"{slot}d")}, _set({SLOT: slot}))
        )
    return buttons


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
PARTS = ("sums", "clocks")
ASKED = [
    *CLOCK_FIELDS,
    "sure",
    "title",
    "scenario",
    "chance",
    "amending",
    "sight",
    "thread",
    "plays",
    "seat",
    "hands",
]
"""What the sums of the form follow from."""
HIDDEN_HANDS = gettext_noop(
    "With hidden hands somebody who does not play must see them all: choose open hands, or take a"
    " seat later, beside a co-game-master who does not play."
)
READERS = (
    (
        Campaign.Visibility.LISTED,
        gettext_lazy("Listed"),
        gettext_lazy("everybody; it is on the first page"),
    ),
    (
        Campaign.Visibility.UNLISTED,
        gettext_lazy("Unlisted"),
        gettext_lazy("everybody with the address"),
    ),
    (Campaign.Visibility.MEMBERS, gettext_lazy("Members only"), gettext_lazy("players and you")),
)


def found_view(request: HttpRequest, title: Title) -> HttpResponse:
    """The form; `?part=` answers what follows from what is typed so far: its `sums`, or the
    `clocks` with their fields, too.

    A POST with `set` (a pace, or what mends a contradiction) brings the form with other lengths,
    and founds nothing.
    """
    errors: dict[str, str] = {}
    chosen = scenarios.chosen_scenario(request, title, errors)
    if request.method != "POST" and request.GET.get("part") in PARTS:
        context = _context(request, title, chosen, proposed_options(title), {}, typed=request.GET)
        return render(request, "lobby/_found_part.html", {**context, "part": request.GET["part"]})
    if "set" in request.POST:
        return render(
            request,
            "lobby/found.html",
            _context(request, title, chosen, proposed_options(title), {}),
        )
    if request.method == "POST":
        scenario_given, options = _terms(title, chosen, request.POST, errors)
        lengths = read(title, typed(request.POST), errors)
        if request.POST.get("plays") and not request.POST.get("seat"):
            errors["seat"] = _("Choose the seat you want to take.")
        if not request.POST.get("sure") and contradict(
            title, len(_seats(title, chosen)), request.POST
        ):
            errors["clocks"] = _(
                "They contradict each other: correct them, or tick that you want them this way."
            )
        if not errors and not requests.first_time(request):
            return redirect(founded(request, "seats"))
        if not errors:
            try:
                campaign = _found_all(request, title, chosen, scenario_given, options, lengths)
            except MalformedRecord as wrong:
                _blame(title, wrong, errors)
            except WrongSetting as wrong:
                errors["thread"] = str(wrong)
            except TableError as refused:
                errors[FIELDS.get(refused.code, "")] = (
                    _(HIDDEN_HANDS) if refused.code == "no-master-left" else str(refused)
                )
            else:
                messages.success(request, _("%(name)s is founded.") % {"name": campaign.name})
                return redirect(reverse("seats", args=[campaign.address]))
            requests.allow_again(request)
    context = _context(request, title, chosen, proposed_options(title), errors)
    return render(request, "lobby/found.html", context, status=422 if errors else 200)


@transaction.atomic
def _found_all(
    request: HttpRequest,
    title: Title,
    chosen: Chosen,
    scenario_given: Any,
    options: Any,
    lengths: Mapping[str, Terms],
) -> Campaign:
    """The campaign with its clocks, its thread, its game master's seat and a link to the free ones:
    all of it, or nothing where one is refused.
    """
    posted, user = request.POST, request.user
    campaign = services.found_campaign(
        user,
        title.key,
        posted.get("name", ""),
        scenario_given,
        options,
        posted.get("time_zone", ""),
        posted.get("visibility", ""),
        drawing=chosen.drawing,
        chance=posted.get("chance", ""),
        amending=posted.get("amending", TWO_THIRDS),
        sight=posted.get("sight", table_founding.USUAL_SIGHT),
    )
    if lengths:
        clocks_services.set_terms(campaign, user, lengths)
    if address := posted.get("thread", "").strip():
        set_up_thread(campaign, user, address)
    if posted.get("plays"):
        services.play_too(campaign, user, posted.get("seat", ""))
    _link(request, campaign, user)
    return campaign


@campaign_page
def terms(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Other options or rules before the first move: a new seed and a new commitment."""
    table.must_be_host()
    if table.campaign.started:
        messages.error(
            request, _("Once a campaign has started, its scenario and options cannot change.")
        )
        return redirect(table.home)
    scenario, options = selectors.terms(table.campaign)
    errors: dict[str, str] = {}
    chosen = scenarios.chosen_scenario(
        request, table.title, errors, scenario, campaign_scenarios.text_of(table.campaign)
    )
    if request.method == "POST":
        terms_given, wanted = _terms(table.title, chosen, request.POST, errors)
        if not errors:
            try:
                chance = request.POST.get("chance", table.campaign.chance)
                amending = request.POST.get("amending", table.campaign.amending)
                services.change_terms(
                    table.campaign,
                    table.user,
                    scenario=terms_given,
                    options=wanted,
                    drawing=chosen.drawing,
                    chance=chance,
                    amending=amending,
                    sight=request.POST.get("sight", table.campaign.sight),
                )
            except MalformedRecord as wrong:
                _blame(table.title, wrong, errors)
            except TableError as refused:
                errors[""] = str(refused)
            else:
                messages.success(
                    request, _("The terms are changed. The dice have a new commitment.")
                )
                return redirect(table.home)
    context = _context(request, table.title, chosen, options, errors, table.campaign)
    context |= {"campaign": table.campaign, "home": table.home}
    return render(request, "lobby/found.html", context, status=422 if errors else 200)


@require_safe
def scenario(request: HttpRequest, title: str, key: str) -> HttpResponse:
    """A shipped scenario as a file: what one's own begins with."""
    title_known = TITLES.get(title)
    raw = title_known.scenarios().get(key) if title_known and takes_own(title_known) else None
    if raw is None:
        raise Http404
    answer = HttpResponse(editable_text(raw), content_type="application/json; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{key}.json"'
    return answer


def _seats(title: Title, chosen: Chosen) -> Sequence[SeatInfo]:
    scenario = title.scenario(chosen.raw)
    if chosen.drawing and isinstance(title, Drawn):
        scenario = title.as_drawn(scenario, chosen.drawing)
    return title.seats(scenario, title.options({}))


def founded(request: HttpRequest, page: str) -> str:
    """Where the second click leads: to a page of what the first has founded, to the list while that
    is on its way.
    """
    name = request.POST.get("name", "").strip()
    campaign = (
        Campaign.objects.filter(founder_id=request.user.pk, name=name).order_by("-pk").first()
    )
    return reverse(page, args=[campaign.address]) if campaign else reverse("front")


def _part(title: Title) -> ModuleType | None:
    return extras(title.key, "founding")


def _terms(
    title: Title, chosen: Chosen, posted: Any, errors: dict[str, str]
) -> tuple[Any, dict[str, Any]]:
    """Scenario and options of what was posted; what is wrong goes into `errors`."""
    own = _part(title)
    if own is None:
        return chosen.raw, {}
    theirs = chosen.key == scenarios.OWN or chosen.key.startswith(scenarios.SHELF)
    # Where the form showed this scenario's own rules, what it says now is all that is meant.
    scenario_given, options, wrong = own.read(
        chosen.raw, posted, keep=theirs and posted.get("rules_of") != chosen.key
    )
    errors |= wrong
    return scenario_given, options


def _blame(title: Title, wrong: MalformedRecord, errors: dict[str, str]) -> None:
    """Put the record's error beside the field it is of."""
    own = _part(title)
    field = own.field_of(wrong.where)[0] if own else wrong.where
    errors[field] = f"{wrong.why}."


def _fields() -> dict[str, str]:
    own = {key: str(name) for key, name in scenarios.FIELDS.items()}
    lengths = {f"{kind}-length": str(name) for kind, (name, _about) in NAMES.items()}
    own |= {
        "chance": _("How chance comes about"),
        "amending": _("Changes of the rules"),
        "sight": _("Messages between seats"),
        "clocks": _("Clocks"),
        "reminds": _("Reminders"),
        "thread": _("Thread"),
        "seat": _("Your seat"),
    }
    return {
        "name": _("Name"),
        "time_zone": _("Time zone"),
        "visibility": _("Who finds it"),
        **own,
        **lengths,
    }


def _summary(title: Title, errors: Mapping[str, str]) -> list[str]:
    """Every error with the name of its field before it."""
    own, named = _part(title), _fields()
    lines = []
    for field, text in errors.items():
        label = named.get(field) or (own.field_of(field)[1] if own else field)
        lines.append(f"{label}: {text}" if label else text)
    return lines


def _context(
    request: HttpRequest,
    title: Title,
    chosen: Chosen,
    options: Mapping[str, Any],
    errors: Mapping[str, str],
    campaign: Campaign | None = None,
    typed: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    own, bound = _part(title), request.POST if request.method == "POST" else typed
    zone = getattr(request.user, "time_zone", "UTC")
    names = {
        "name",
        "time_zone",
        "visibility",
        "hands",
        "chance",
        "amending",
        "sight",
        "reminds",
        "thread",
        "seat",
        *scenarios.FIELDS,
    }
    chances = (
        [one for one in CHANCES if campaign is None or one[0] != MANUAL]
        if may_mix(title.key)
        else []
    )
    scenario = title.scenario(chosen.raw)
    seats = _seats(title, chosen)
    values = (
        bound
        if bound is not None
        else {"name": "", "time_zone": zone, "visibility": Campaign.Visibility.UNLISTED}
    )
    chance = values.get("chance", campaign.chance if campaign and bound is None else "")
    return {
        "practised": practice.opponents(title.key) is not None,
        "chances": chances,
        "needs": list(NEEDS.items()) if isinstance(title, Amendable) else [],
        "amending": values.get("amending", campaign.amending if campaign else TWO_THIRDS),
        "sights": list(table_founding.SIGHTS.items()),
        "sight": values.get("sight", campaign.sight if campaign else table_founding.USUAL_SIGHT),
        "chance": chance,
        "chance_name": next((name for key, name, _about in CHANCES if key == chance), ""),
        "title": title,
        "cards": cards(),
        "seats": seats,
        "scenario": chosen,
        "values": values,
        "errors": {key: text for key, text in errors.items() if key in names},
        "other_errors": _summary(title, errors),
        "own": own.form(chosen.raw, options, bound, errors) if own and typed is None else None,
        "own_template": own.TEMPLATE if own else "",
        "zones": zones(),
        "visibilities": READERS,
        "board": forum_services.board_at(values.get("thread", ""))[0],
        "own_name": next((one.name for one in seats if one.key == values.get("seat")), ""),
        "asked": ",".join(ASKED),
        **(
            {}
            if campaign
            else context(title, len(seats), getattr(scenario, "turns", 0), values, errors)
        ),
    }


# Which title is founded, and the founding of one that one may play alone: its own questions, who
# finds it; alone, it has begun.

VISIBILITIES = (
    (
        Campaign.Visibility.UNLISTED,
        gettext_lazy("Unlisted"),
        gettext_lazy("everybody with the address"),
    ),
    (
        Campaign.Visibility.LISTED,
        gettext_lazy("Listed"),
        gettext_lazy("in the hall of fame when it has ended"),
    ),
)
MEMBERS = (
    Campaign.Visibility.MEMBERS,
    gettext_lazy("Members only"),
    gettext_lazy("for several at one table"),
)


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


def choose(request: HttpRequest) -> HttpResponse:
    """`?title=`: the founding of that title, of the first where there is no such."""
    title = TITLES.get(request.POST.get("title", "") or request.GET.get("title", "")) or next(
        iter(TITLES.values())
    )
    if not request.user.is_authenticated and not (solo(title) or title.key in FOUNDINGS):
        return redirect_to_login(request.get_full_path())
    if not solo(title) and title.key not in FOUNDINGS:
        if people_services.is_guest(request.user) and request.method == "POST":
            raise PermissionDenied(
                _("A guest plays alone. Make an account first: what you have goes with you.")
            )
        return found_view(request, title)
    return alone(request, title)


def companies(title: Title) -> list[str]:
    """With whom it can be played, the usual first."""
    ways = [ALONE] if solo(title) else []
    if together(title):
        ways.append(FRIENDS)
    return [*ways, PROGRAMS] if practice.opponents(title.key) is not None else ways


def _answered(title: Title, questions: Any, data: Mapping[str, str]) -> dict[str, str]:
    """What was answered; who plays alone is one player."""
    answers = {one.key: data.get(one.key, "") for one in questions}
    if data.get("with") == ALONE and solo(title) and together(title) and questions:
        answers[questions[0].key] = questions[0].default
    return answers


def alone(request: HttpRequest, title: Title) -> HttpResponse:
    """Alone, with friends, against programs: one page. `?part=` answers the seats and the sentence
    of what is chosen.

    A stranger who plays alone or against programs becomes a guest; with friends it takes an
    account.
    """
    founding, errors, data = FOUNDINGS.get(title.key), dict[str, str](), request.POST
    questions = founding.questions if founding else ()
    if request.method != "POST":
        context = _alone_context(request, title, questions, request.GET, errors)
        if request.GET.get("part"):
            return render(
                request, "lobby/_start_seats.html", {**context, "part": request.GET["part"]}
            )
        return render(request, "lobby/found_alone.html", context)
    answers = _answered(title, questions, data)
    if "show" in data:
        return render(
            request,
            "lobby/found_alone.html",
            _alone_context(request, title, questions, data, errors),
        )
    try:
        if (
            data.get("with") == PROGRAMS
            and (asked := _with_programs(request, title, data)) is not None
        ):
            if asked.wrong:
                raise MalformedRecord(next(iter(asked.errors), ""), asked.wrong.removesuffix("."))
            seat, levels = (
                data.get("seat", "") or asked.seat,
                web_practice.posted_levels(asked, data),
            )
            begun = web_practice.begin_asked(
                request, asked, seat, levels, data.get("name", "").strip()
            )
            if not isinstance(begun, str):
                return begun
            raise NotAllowed("unknown-seat", begun)
        scenario, options = founding.terms(answers) if founding else (data.get("scenario", ""), {})
        name = data.get("name", "").strip() or (
            founding.called(answers) if founding else title.name
        )
        visibility = data.get("visibility", "")
        alone_here = (
            len(title.seats(title.scenario(_known(title, scenario)), title.options(options))) == 1
        )
        if visibility == Campaign.Visibility.MEMBERS and alone_here:
            raise NotAllowed(
                "bad-visibility", _("Listed or unlisted: there is nobody else at this table.")
            )
        if data.get("with") == FRIENDS and alone_here:
            raise MalformedRecord(
                questions[0].key if questions else "",
                _("says one player: with friends it takes more"),
            )
        if not request.user.is_authenticated and not alone_here:
            return redirect_to_login(request.get_full_path())
        if people_services.is_guest(request.user) and not alone_here:
            raise PermissionDenied(
                _("A guest plays alone. Make an account first: what you have goes with you.")
            )
        known = request.user.is_authenticated
        if not known and not may_join(request):
            return redirect("account_signup")
        limit = (
            (throttle.REIGN, f"user {request.user.pk}")
            if known
            else (throttle.GUEST, throttle.address(request))
        )
        if wait := throttle.spend(request, *limit):
            return throttle.refused(request, wait)
        friends = data.get("with") == FRIENDS
        with transaction.atomic():
            founder: Any = request.user if known else people_services.make()
            zone = getattr(founder, "time_zone", "UTC")
            campaign = services.found_campaign(
                founder, title.key, name, scenario, options, zone, visibility
            )
            if friends:
                _sit_down(campaign, founder, data.get("seat", ""))
                _link(request, campaign, founder)
        if not known:
            people_services.remember(request.session, founder)
    except MalformedRecord as wrong:
        errors[wrong.where.split(".")[-1]] = f"{wrong.why}."
    except TableError as refused:
        errors[{"bad-name": "name", "bad-visibility": "visibility"}.get(refused.code, "")] = str(
            refused
        )
    else:
        if (
            alone_here
            and data.get("by") == PROGRAM
            and playing_on.begin(campaign, founder, playing_on.END)
        ):
            ask_to_finish(campaign.pk)
        return see_other(address("seats" if friends else "table", campaign.address))
    return render(
        request,
        "lobby/found_alone.html",
        _alone_context(request, title, questions, data, errors),
        status=422,
    )


def _with_programs(
    request: HttpRequest, title: Title, data: Mapping[str, str]
) -> web_practice.Asked | None:
    """What is chosen for a table with programs; one player only where nobody else could sit means
    as many as there are.
    """
    founding = FOUNDINGS.get(title.key)
    typed = {key: str(value) for key, value in data.items()}
    if (
        founding
        and founding.questions
        and solo(title)
        and typed.get(founding.questions[0].key) == founding.questions[0].default
    ):
        del typed[founding.questions[0].key]
    return web_practice.read_asked(title, request.user, typed)


def _link(request: HttpRequest, campaign: Campaign, founder: Any) -> None:
    """One link to all free seats, shown on the page that the founder comes to."""
    free = seating.free_seats(campaign)
    if not free:
        return
    _invitation, token = services.invite(campaign, founder, "", min(len(free), seating.MOST_USES))
    url = request.build_absolute_uri(address("join", token))
    requests.keep_secret(
        request, f"{ONCE} {campaign.public_id}", "", url, seat="", here="seats", co=False
    )


def _sit_down(campaign: Campaign, founder: Any, chosen: str = "") -> None:
    """Whoever founds for friends sits at once, in the first seat or the chosen one, with all that
    one player has.
    """
    game = campaign.game
    scenario, options = positions.scenario(campaign), positions.options(campaign)
    seats = [one.key for one in game.seats(scenario, options)]
    for seat in practice.seats_of_player(
        game, scenario, options, chosen if chosen in seats else seats[0], seats
    ):
        services.play_too(campaign, founder, seat)


def _what(title: Title, company: str, start: web_practice.Asked | None) -> str:
    """What will be founded, in one sentence."""
    if company == PROGRAMS and start is not None:
        return start.sentence()
    if company == FRIENDS:
        if start is None:
            return _("You sit down first; the other seats are for whoever opens your link.")
        mine = practice.seats_of_player(
            title,
            title.scenario(start.raw),
            title.options(start.options),
            start.seat,
            [one.key for one in start.seats],
        )
        left = len(start.seats) - len(mine)
        text = ngettext(
            "You play {name:the}; {n} seat is for whoever opens your link. You begin when you"
            " like.",
            "You play {name:the}; {n} seats are for those who open your link. You begin when you"
            " like.",
            left,
        )
        return sentence(
            text, name=next(one.name for one in start.seats if one.key == start.seat), n=left
        )
    return _("You play %(game)s alone; no clock runs, and it begins at once.") % {
        "game": title.name
    }


def _known(title: Title, scenario: Any) -> Any:
    """A shipped scenario by its key, as the door takes it."""
    return title.scenarios().get(scenario, scenario) if isinstance(scenario, str) else scenario


def _alone_context(
    request: HttpRequest,
    title: Title,
    questions: Any,
    data: Mapping[str, str],
    errors: Mapping[str, str],
) -> dict[str, Any]:
    posted = request.method == "POST"
    known = companies(title)
    company = data.get("with", "") if data.get("with", "") in known else next(iter(known), "")
    start = _with_programs(request, title, data) if len(known) > 1 else None
    asked = [
        {
            "one": one,
            "value": data.get(one.key, "" if posted else one.default),
            "error": errors.get(one.key, ""),
        }
        for one in questions
    ]
    keys = {one.key for one in questions} | {"name", "visibility"}
    return {
        "title": title,
        "cards": cards(),
        "first": asked[:1] if len(asked) > 2 else asked,
        "questions": asked[1:] if len(asked) > 2 else [],
        "unfolded": any(one["error"] for one in asked[1:]),
        "scenarios": (
            []
            if questions
            else [(key, raw.get("name", key)) for key, raw in title.scenarios().items()]
        ),
        "name": data.get("name", ""),
        "visibilities": (*VISIBILITIES, MEMBERS) if together(title) else VISIBILITIES,
        "together": together(title),
        "solo": solo(title),
        "companies": [(key, *COMPANY[key]) for key in known],
        "company": company,
        "seats": start.rows() if start else [],
        "levels": web_practice.manners(start.players) if start else [],
        "sentence": _what(title, company, start),
        "known": request.user.is_authenticated,
        "lesson": title.key in LESSONS,
        "visibility": data.get("visibility", Campaign.Visibility.UNLISTED),
        "errors": errors,
        "other": [text for key, text in errors.items() if key not in keys],
        "what": word(title.key, "campaign"),
        "rules_here": reverse("rules", args=[title.key]) if rulebook.rules_text(title.key) else "",
    }
