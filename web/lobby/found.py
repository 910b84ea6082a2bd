"""The page that founds a campaign with a game master, or changes its terms."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import founding as table_founding
from campaign import practice
from campaign.founding import MANUAL, may_mix
from campaign.models import Campaign
from campaign.rulebook import NEEDS, TWO_THIRDS
from engine.errors import MalformedRecord
from forum import services as forum_services
from games.contract.plain import RawOptions
from games.contract.title import SeatInfo, Title, WithAmendments, WithScenarioDrawings
from people.validators import zones
from web.dice.trust import CHANCES
from web.lobby.choices import READERS
from web.lobby.clock_plan import CLOCK_FIELDS, NAMES, ClockPlan, clock_plan
from web.lobby.contract import OwnPart, Values
from web.lobby.forms import FoundForm
from web.lobby.questions import Choice, Option
from web.scenarios import choice as scenarios
from web.scenarios.choice import Chosen
from web.titles import Card, cards
from web.titles.contract import pages_of

SUMMARY_FIELDS = [
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
"""The fields on which the summary of the form depends."""
FIELDS = frozenset(
    {
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
)
"""The fields beside which the page shows an error."""


LEFT_OUT_IF_EMPTY = frozenset({"length", "dice"})
"""The lines of the summary that are not shown without a text, by their key."""


class SummaryRow(NamedTuple):
    """A line of the summary."""

    key: str
    label: str
    text: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class People:
    """The step "People": rules of the table, the founder's place, and the visibility."""

    amending: list[Option]
    sights: list[Option]
    plays: bool
    seats: list[Option]
    visibilities: list[Choice]


@dataclass(frozen=True, slots=True)
class FoundPage:
    """The form that founds a campaign, or with `home` changes the terms of an existing campaign."""

    title: Title
    name: str
    """The name of the campaign, as typed or as it is now."""
    home: str
    cards: list[Card]
    can_be_practised: bool
    scenario: Chosen
    rules_of: str
    """The key of the scenario whose rules the form shows."""
    errors: Mapping[str, str]
    other_errors: list[str]
    own: OwnPart | None
    own_template: str
    plan: ClockPlan | None
    zones: list[Option]
    chances: list[Choice]
    board: str
    thread: str
    people: People
    summary: list[SummaryRow]
    summary_fields: str

    @property
    def is_new(self) -> bool:
        """Whether a campaign is founded."""
        return not self.home

    @property
    def thread_step(self) -> int:
        """The number of the step "Thread"."""
        return 4 if self.chances else 3

    @property
    def people_step(self) -> int:
        """The number of the step "People"."""
        return self.thread_step + 1

    @property
    def thread_help(self) -> str:
        """A sentence about the board, which is recognised by the address."""
        if self.board:
            text = _(
                "%(board)s: reports are written in its format. You copy and paste them; no "
                "password is stored."
            )
            return text % {"board": self.board}
        if self.thread:
            return _(
                "This address does not show which software the board uses. Reports are written "
                "for phpBB; you can change this later."
            )
        return _(
            "phpBB, MyBB, Discourse, NodeBB and Discord are recognised by the address. You copy "
            "and paste the reports; no password is stored."
        )

    @property
    def verb(self) -> str:
        """The text of the button that sends the form."""
        return pgettext("button", "Create the campaign") if self.is_new else _("Change the terms")

    @property
    def effect(self) -> str:
        """A sentence about the consequences of sending the form."""
        if self.other_errors:
            return _("Correct the marked fields first.")
        if self.is_new:
            return _(
                "Next, you invite the players and post the commitment of the dice. You can change "
                "all of this until the start, and the clocks even later."
            )
        return _("This also creates the commitment of the dice, to be posted before the start.")


def found_page(
    request: HttpRequest,
    title: Title,
    chosen: Chosen,
    options: RawOptions,
    errors: Mapping[str, str],
    campaign: Campaign | None = None,
    home: str = "",
    form_values: Values | None = None,
) -> FoundPage:
    """Return the form as it was sent, for a new campaign or for the campaign whose page is `home`.

    `form_values` are the values of a form that only asks for their consequences; the title's own
    part is then left out.
    """
    own = pages_of(title.key).founding
    bound = request.POST if request.method == "POST" else form_values
    form = FoundForm(bound if bound is not None else first_values(request))
    seats, chance = seats_of(title, chosen), chance_of(form, campaign, is_bound=bound is not None)
    board = forum_services.board_at(form.text_of("thread"))[0]
    plan = None if campaign is not None else plan_of(title, chosen, len(seats), form, errors)
    return FoundPage(
        title=title,
        name=campaign.name if campaign is not None else form.text_of("name"),
        home=home,
        cards=cards(),
        can_be_practised=practice.opponents(title.key) is not None,
        scenario=chosen,
        rules_of=form.text_of("rules_of") or chosen.key,
        errors=errors_of_fields(errors),
        other_errors=error_lines(title, errors),
        own=own.form(chosen.raw, options, bound, errors) if own and form_values is None else None,
        own_template=own.TEMPLATE if own else "",
        plan=plan,
        zones=zone_options(form),
        chances=chance_choices(title, campaign, chance),
        board=board,
        thread=form.text_of("thread"),
        people=people(title, seats, form, campaign),
        summary=summary(title, seats, form, plan, chance, board) if plan is not None else [],
        summary_fields=",".join(SUMMARY_FIELDS),
    )


def first_values(request: HttpRequest) -> Values:
    """Return the values of a form that has not been sent yet."""
    return {
        "name": "",
        "time_zone": getattr(request.user, "time_zone", "UTC"),
        "visibility": Campaign.Visibility.UNLISTED,
    }


def seats_of(title: Title, chosen: Chosen) -> Sequence[SeatInfo]:
    """Return the seats of a scenario."""
    scenario = title.scenario(chosen.raw)
    if chosen.drawing and isinstance(title, WithScenarioDrawings):
        scenario = title.as_drawn(scenario, chosen.drawing)
    return title.seats(scenario, title.options({}))


def plan_of(
    title: Title, chosen: Chosen, seats: int, form: FoundForm, errors: Mapping[str, str]
) -> ClockPlan:
    """Return the clocks of a scenario."""
    turns = getattr(title.scenario(chosen.raw), "turns", 0)
    return clock_plan(title, seats, turns, form.data, errors)


def zone_options(form: FoundForm) -> list[Option]:
    """Return the time zones as options."""
    zone = form.text_of("time_zone")
    return [Option(name, name.replace("_", " "), name == zone) for name in zones()]


def chance_of(form: FoundForm, campaign: Campaign | None, *, is_bound: bool) -> str:
    """Return the source of the dice, as set in the form or in the campaign."""
    return form.text_or("chance", campaign.chance if campaign and not is_bound else "")


def chance_choices(title: Title, campaign: Campaign | None, chosen: str) -> list[Choice]:
    """Return the possible sources of the dice; none if the title has only one source."""
    if not may_mix(title.key):
        return []
    return [
        Choice(key, str(name), str(about), key == chosen)
        for key, name, about in CHANCES
        if campaign is None or key != MANUAL
    ]


def people(
    title: Title, seats: Sequence[SeatInfo], form: FoundForm, campaign: Campaign | None
) -> People:
    """Return the step "People"."""
    amending = form.text_or("amending", campaign.amending if campaign else TWO_THIRDS)
    usual = campaign.sight if campaign else table_founding.USUAL_SIGHT
    return People(
        amending=options_of(NEEDS.items(), amending) if isinstance(title, WithAmendments) else [],
        sights=options_of(table_founding.SIGHTS.items(), form.text_or("sight", usual)),
        plays=bool(form.text_of("plays")),
        seats=[Option(seat.key, seat.name, seat.key == form.text_of("seat")) for seat in seats],
        visibilities=[
            Choice(key, str(name), str(about), key == form.text_of("visibility"))
            for key, name, about in READERS
        ],
    )


def options_of(pairs: Iterable[tuple[str, object]], chosen: str) -> list[Option]:
    """Return pairs of keys and texts as options."""
    return [Option(key, str(text), key == chosen) for key, text in pairs]


# The summary beside the form


def summary(
    title: Title,
    seats: Sequence[SeatInfo],
    form: FoundForm,
    plan: ClockPlan,
    chance: str,
    board: str,
) -> list[SummaryRow]:
    """Return a summary of the new campaign in a few lines."""
    chance_name = next((str(name) for key, name, _about in CHANCES if key == chance), "")
    rows = [
        SummaryRow("title", pgettext("lobby", "Title"), title.name),
        SummaryRow(
            "seats",
            pgettext("lobby", "Seats"),
            _("%(seats)s, by invitation") % {"seats": len(seats)},
        ),
        SummaryRow("pace", pgettext("lobby", "Pace"), pace_text(plan), not plan.is_possible),
        SummaryRow("length", pgettext("lobby", "Length"), length_text(plan)),
        SummaryRow("deadlines", pgettext("lobby", "Deadlines"), plan.at_deadlines),
        SummaryRow("dice", pgettext("lobby", "Dice"), chance_name),
        SummaryRow("thread", pgettext("lobby", "Thread"), thread_text(form, board)),
        SummaryRow("founder", pgettext("lobby", "You"), founder_text(seats, form)),
    ]
    return [row for row in rows if row.text or row.key not in LEFT_OUT_IF_EMPTY]


def pace_text(plan: ClockPlan) -> str:
    """Return the length of a turn in words."""
    if plan.sum is None or plan.sum.over:
        return _("contradictory, see step 2")
    days = plan.sum.turn
    return ngettext("a turn in %(days)s day", "a turn in %(days)s days", days) % {"days": days}


def length_text(plan: ClockPlan) -> str:
    """Return the length of the campaign in words; empty if it is not known."""
    if not plan.turns or plan.sum is None:
        return ""
    text = ngettext(
        "%(turns)s turns, about %(weeks)s week",
        "%(turns)s turns, about %(weeks)s weeks",
        plan.weeks,
    )
    return text % {"turns": plan.turns, "weeks": plan.weeks}


def thread_text(form: FoundForm, board: str) -> str:
    """Return the place where the reports are posted."""
    if board:
        return board
    return _("by hand") if form.text_of("thread") else _("none yet")


def founder_text(seats: Sequence[SeatInfo], form: FoundForm) -> str:
    """Return the founder's role in the campaign."""
    if not form.text_of("plays"):
        return _("game master, not playing")
    name = next((seat.name for seat in seats if seat.key == form.text_of("seat")), "")
    if name:
        return _("game master, playing: %(own_name)s") % {"own_name": name}
    return _("game master, playing")


# Errors


def add_error_of_record(title: Title, wrong: MalformedRecord, errors: dict[str, str]) -> None:
    """Put the error of a record beside its field."""
    own = pages_of(title.key).founding
    field = own.field_of(wrong.where)[0] if own else wrong.where
    errors[field] = f"{wrong.why}."


def field_names() -> dict[str, str]:
    """Return the names of the fields, for errors."""
    return {
        "name": pgettext("lobby", "Name"),
        "time_zone": pgettext("lobby", "Time zone"),
        "visibility": pgettext("lobby", "Who can find it"),
        **{key: str(name) for key, name in scenarios.FIELDS.items()},
        "chance": _("Where the dice come from"),
        "amending": pgettext("lobby", "Rule changes"),
        "sight": pgettext("lobby", "Messages between seats"),
        "clocks": pgettext("lobby", "Clocks"),
        "reminds": pgettext("lobby", "Reminders"),
        "thread": pgettext("lobby", "Thread"),
        "seat": pgettext("lobby", "Your seat"),
        **{f"{kind}-length": str(name) for kind, (name, _about) in NAMES.items()},
    }


def errors_of_fields(errors: Mapping[str, str]) -> dict[str, str]:
    """Return the errors that the page shows beside their fields."""
    return {field: text for field, text in errors.items() if field in FIELDS}


def error_lines(title: Title, errors: Mapping[str, str]) -> list[str]:
    """Return every error, each with the name of its field before it."""
    own, names = pages_of(title.key).founding, field_names()
    lines = []
    for field, text in errors.items():
        label = names.get(field) or (own.field_of(field)[1] if own else field)
        lines.append(f"{label}: {text}" if label else text)
    return lines
