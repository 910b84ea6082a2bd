"""The page of a campaign's clocks: the running deadlines, and the time allowed for each task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from campaign.clocks import selectors as clock_terms
from campaign.clocks.selectors import KINDS, Terms
from campaign.dates import written
from campaign.dice.selectors import BOTH, WORDS
from campaign.log import selectors
from campaign.log.acts.clocks import CLOCK_TERMS, length_words
from campaign.models import Clock, LogEntry
from engine.language import capitalize
from games.registry import word
from web.clocks import turn_timeline
from web.clocks.forms import ACT, ASK, LOCAL, NONE, REMIND, ExtensionForm, TermsForm, TypedTerms
from web.frame.absences import absence_chips
from web.frame.deadlines import REMINDERS, Due, read_deadline
from web.frame.name_lists import list_names
from web.frame.table import TableContext
from web.log.lines import LogRow, rows
from web.moves.actions import ActionOutcome
from web.moves.own_seats import OwnSeats, of_contest, of_seat

UNITS = (("d", pgettext_lazy("clocks", "days")), ("h", gettext_lazy("hours")))
MOMENT = "j M Y H:i"
BACK = frozenset({"desk", "nation", "battle"})
"""The pages to which an extension can return."""
NAMES = {
    clock_terms.TURN: gettext_lazy("The whole turn"),
    clock_terms.SLOT: gettext_lazy("A player’s turn"),
    clock_terms.ANSWER: gettext_lazy("The answer to a challenge"),
    clock_terms.BATTLE: pgettext_lazy("clocks", "A battle"),
    clock_terms.CLAIM: gettext_lazy("The confirmation of a claim"),
    clock_terms.WORDS: pgettext_lazy("clocks", "Words for the dice"),
}


class SeatName(NamedTuple):
    """A seat's key and name."""

    key: str
    name: str


class Option(NamedTuple):
    """A value in a list of choices."""

    key: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class ClockRow:
    """A deadline: its subject, the people it waits for, its beginning and its end."""

    number: int
    subject: str
    contest: int | None
    battle_url: str
    seats: list[SeatName]
    holders: str
    people: str
    """The holders, and the names of the seats without a holder."""
    since: datetime
    is_extended: bool
    absent: list[str]
    due: Due
    can_be_extended: bool


@dataclass(frozen=True, slots=True)
class Extension:
    """The form for a new deadline, in the time zone of the campaign."""

    clock: ClockRow
    own: OwnSeats | None
    outcome: ActionOutcome | None
    to: str
    reason: str
    back: str
    earliest: str
    latest: str
    now_there: str
    """The present deadline in the time zone of the campaign."""
    latest_at: datetime
    latest_there: str
    is_full: bool
    """Whether the deadline cannot be extended any further."""
    length: str
    back_url: str

    @property
    def to_error(self) -> str:
        """Return the error in the new deadline."""
        return self._error("to")

    @property
    def reason_error(self) -> str:
        """Return the error in the reason."""
        return self._error("reason")

    def _error(self, name: str) -> str:
        return self.outcome.wrong if self.outcome is not None and self.outcome.field == name else ""


@dataclass(frozen=True, slots=True)
class TermLine:
    """The time allowed for a task, in words and as fields of the form."""

    kind: str
    name: str
    text: str
    length: str
    units: list[Option]
    grace: str
    grace_unit: str
    grace_units: list[Option]
    thens: list[Option]
    may_act: bool
    wrong: str


@dataclass(frozen=True, slots=True)
class RefusedTerms:
    """Refused terms, with the errors by clock; the key "" is used for the whole form."""

    form: TermsForm
    wrong: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ClocksPage:
    """The deadlines of a campaign, and its terms."""

    extension: Extension | None
    clocks: list[ClockRow]
    empty_text: str
    zone: str
    is_elsewhere: bool
    """Whether the reader's time zone differs from the campaign's."""
    path: turn_timeline.Path | None
    last_change: LogRow | None
    terms: list[TermLine]
    can_be_changed: bool
    was_refused: bool
    wrong: str
    reminders: list[Option]
    seen: int

    @property
    def zone_text(self) -> str:
        """Return a text on the time zone in which the deadlines are shown."""
        if self.is_elsewhere:
            return _("in your time zone; the table uses %(zone)s") % {"zone": self.zone}
        return _("in the time zone %(zone)s") % {"zone": self.zone}


def clocks_page(
    table: TableContext, extension: Extension | None = None, refused: RefusedTerms | None = None
) -> ClocksPage:
    """Return the page, with the form for an extension, or with terms that were refused."""
    campaign = table.campaign
    wrong = refused.wrong if refused is not None else {}
    return ClocksPage(
        extension=extension,
        clocks=[clock_row(table, clock) for clock in table.clocks],
        empty_text=empty_text(table),
        zone=campaign.time_zone.replace("_", " "),
        is_elsewhere=timezone.get_current_timezone_name() != campaign.time_zone,
        path=turn_timeline.turn_path(table),
        last_change=last_change(table),
        terms=[term_line(table, kind, refused) for kind in kinds(table)],
        can_be_changed=table.host and campaign.playable and not campaign.ended,
        was_refused=bool(wrong),
        wrong=wrong.get("", ""),
        reminders=reminder_options(table, refused),
        seen=table.seen,
    )


def kinds(table: TableContext) -> tuple[str, ...]:
    """Return the clocks that can run in this campaign.

    Clocks of battles are included if the title has battles, the clock of words if words are mixed
    into the dice.
    """
    mixes = table.campaign.chance in (WORDS, BOTH)
    always = (clock_terms.TURN, clock_terms.SLOT)
    of_play = [kind for kind in KINDS if kind in always or turn_timeline.fights(table)]
    return tuple(kind for kind in of_play if kind != clock_terms.WORDS or mixes)


# Deadlines


def empty_text(table: TableContext) -> str:
    """Return why no deadline runs."""
    if not table.campaign.started:
        return _("The clocks start with the campaign.")
    if table.campaign.ended:
        return pgettext("clocks", "The campaign has ended.")
    return _("No clock is running for anyone the table is waiting for.")


def clock_row(table: TableContext, clock: Clock) -> ClockRow:
    """Return a deadline of the list."""
    holders = [name for seat in clock.seats for name in table.holders(seat)]
    people = [name for seat in clock.seats for name in table.holders(seat) or [table.name_of(seat)]]
    due = read_deadline(clock)
    has_page = clock.contest is not None and table.pages is None
    return ClockRow(
        number=clock.pk,
        subject=clock_subject(table, clock),
        contest=clock.contest,
        battle_url=table.url("battle", clock.contest) if has_page else "",
        seats=[SeatName(seat, table.name_of(seat)) for seat in clock.seats],
        holders=list_names(dict.fromkeys(holders)),
        people=list_names(dict.fromkeys(people)),
        since=clock.started_at,
        is_extended=clock.extended,
        absent=absence_chips(table, *clock.seats),
        due=due,
        can_be_extended=table.host and not due.held,
    )


def clock_subject(table: TableContext, clock: Clock) -> str:
    """Return the subject of a clock in a word or two."""
    if clock.kind != clock_terms.TURN:
        return str(clock.get_kind_display())
    return capitalize(word(table.campaign.title, "turn_number").format(n=table.campaign.turn))


# Extensions


def clock_to_extend(table: TableContext, number: int | None) -> Clock | None:
    """Return the running clock with this number, for a game master; otherwise None."""
    if not table.host:
        return None
    clocks = (clock for clock in table.clocks if not clock.held)
    return next((clock for clock in clocks if clock.pk == number), None)


def extension(
    table: TableContext,
    clock: Clock,
    form: ExtensionForm,
    outcome: ActionOutcome | None = None,
) -> Extension:
    """Return the form for a new deadline, with the typed data."""
    is_typed = "to" in form.data
    zone, now = ZoneInfo(table.campaign.time_zone), timezone.now()
    earliest = max(clock.first_due_at, now + timedelta(minutes=1))
    due_there, latest_there = clock.due_at.astimezone(zone), clock.latest.astimezone(zone)
    back = form.text_of("back")
    return Extension(
        clock=clock_row(table, clock),
        own=own_clock(table, clock),
        outcome=outcome,
        to=form.text_of("to") if is_typed else due_there.strftime(LOCAL),
        reason=form.text_of("reason") if is_typed else "",
        back=back if back in BACK else "",
        earliest=earliest.astimezone(zone).strftime(LOCAL),
        latest=latest_there.strftime(LOCAL),
        now_there=written(due_there, MOMENT),
        latest_at=clock.latest,
        latest_there=written(latest_there, MOMENT),
        is_full=clock.latest <= max(clock.due_at, now),
        length=length_words(clock.length),
        back_url=came_from(table, clock, back),
    )


def own_clock(table: TableContext, clock: Clock) -> OwnSeats | None:
    """Return the note for a game master about a deadline of their own seat."""
    if clock.contest is None:
        return of_seat(table, clock.seat)
    return of_contest(table, clock.contest)


def came_from(table: TableContext, clock: Clock, asked: str) -> str:
    """Return the page that the reader came from."""
    if table.pages is not None:
        return table.url("clocks")
    if asked == "battle" and clock.contest is not None:
        return table.url("battle", clock.contest)
    if asked == "nation" and clock.seat:
        return table.url("nation", clock.seat)
    return table.url("desk" if asked == "desk" and table.game_master else "clocks")


# Terms


def reminder_options(table: TableContext, refused: RefusedTerms | None) -> list[Option]:
    """Return the possible times of reminders."""
    chosen = refused.form.text_of("reminds") if refused is not None else ""
    chosen = chosen or reminds_now(table)
    return [Option(key, str(text), key == chosen) for key, text in REMINDERS]


def reminds_now(table: TableContext) -> str:
    """Return when the players are reminded, by the terms of the first clock that has any."""
    known = clock_terms.terms_of(table.campaign).values()
    return next((terms.reminds for terms in known if terms is not None), clock_terms.BOTH)


def term_line(table: TableContext, kind: str, refused: RefusedTerms | None) -> TermLine:
    """Return the terms of a clock."""
    now = clock_terms.terms_of(table.campaign)[kind]
    fields = refused.form.terms_of(kind) if refused is not None else fields_of(now, kind)
    may_act = kind in clock_terms.acting_kinds(table.campaign.game)
    thens = {ASK: _("the game master is asked")}
    if may_act:
        thens[ACT] = _("it happens automatically")
    thens |= {REMIND: pgettext("clocks", "only a reminder"), NONE: pgettext("clocks", "no clock")}
    return TermLine(
        kind=kind,
        name=str(NAMES[kind]),
        text=term_text(kind, now),
        length=fields.length,
        units=unit_options(fields.unit),
        grace=fields.grace,
        grace_unit=fields.grace_unit,
        grace_units=unit_options(fields.grace_unit),
        thens=[Option(key, text, key == fields.then) for key, text in thens.items()],
        may_act=may_act,
        wrong=refused.wrong.get(kind, "") if refused is not None else "",
    )


def unit_options(chosen: str) -> list[Option]:
    """Return the units of a length."""
    return [Option(key, str(text), key == chosen) for key, text in UNITS]


def fields_of(now: Terms | None, kind: str) -> TypedTerms:
    """Return the fields of the agreed terms; if no clock runs, of the default terms."""
    terms = now or clock_terms.DEFAULTS[kind]
    if now is None:
        then = NONE
    elif now.acts:
        then = ACT
    else:
        then = ASK if now.asks else REMIND
    return TypedTerms(terms.length[:-1], terms.length[-1], terms.grace[:-1], terms.grace[-1], then)


def term_text(kind: str, terms: Terms | None) -> str:
    """Return how long a task may take, and what happens at the deadline."""
    if terms is None:
        return _("No limit: no clock runs.")
    facts = {"length": length_words(terms.length), "grace": length_words(terms.grace)}
    if terms.acts:
        has_grace = terms.grace != "0h"
        return acting_text(kind, has_grace=has_grace) % facts
    text = reminding_text(kind, terms) % facts
    if not terms.asks:
        return text
    asked = _("At the deadline the game master is asked what to do.")
    return f"{text} {asked}"


def reminding_text(kind: str, terms: Terms) -> str:
    """Return the sentence for a clock that does not act automatically."""
    if terms.reminds == clock_terms.SILENT:
        return _("Up to %(length)s. No one is reminded, and nothing happens automatically.")
    if kind == clock_terms.TURN:
        return _("Up to %(length)s. Then everyone is reminded; nothing happens automatically.")
    return _(
        "Up to %(length)s. The player the table waits for is reminded before the deadline; "
        "nothing happens automatically."
    )


def acting_text(kind: str, *, has_grace: bool) -> str:
    """Return the sentence for a clock that acts automatically, at once or after a grace period."""
    if kind == clock_terms.SLOT and has_grace:
        return _(
            "Up to %(length)s. %(grace)s later the turn ends automatically, and unused actions "
            "lapse."
        )
    if kind == clock_terms.SLOT:
        return _("Up to %(length)s. Then the turn ends automatically, and unused actions lapse.")
    if kind == clock_terms.ANSWER and has_grace:
        return _("Up to %(length)s. %(grace)s later the challenge is accepted automatically.")
    if kind == clock_terms.ANSWER:
        return _("Up to %(length)s. Then the challenge is accepted automatically.")
    if has_grace:
        return _("Up to %(length)s. %(grace)s later an unopposed claim is confirmed automatically.")
    return _("Up to %(length)s. Then an unopposed claim is confirmed automatically.")


def last_change(table: TableContext) -> LogRow | None:
    """Return the last change of the terms as a line of the log; None if they never changed.

    Takes one query.
    """
    if not table.campaign.clock_terms:
        return None
    acts = table.campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=CLOCK_TERMS.name)
    latest = list(acts.select_related("actor", "struck_by").order_by("-sequence")[:1])
    return next(iter(rows(table, selectors.lines(table.campaign, table.access, latest))), None)
