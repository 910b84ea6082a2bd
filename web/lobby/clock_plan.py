"""The clocks of a new campaign, and whether they fit together.

If everyone takes the full time, a turn needs its slots, then the answer to the last attack, its
battle and the confirmation. Buttons resolve a contradiction.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext, pgettext_lazy

from campaign.clocks import selectors as clock_terms
from campaign.clocks.selectors import ANSWER, BATTLE, CLAIM, DEFAULTS, SLOT, TURN, Terms
from campaign.log.acts.clocks import length_words
from engine.language import inside_sentence
from engine.strict_json import read_whole_number
from games.contract.title import Title
from web.frame.deadlines import REMINDERS
from web.titles.contract import pages_of

MOST = 365
ASK, REMIND, ACT = "ask", "remind", "act"
NAMES = {
    SLOT: (
        pgettext_lazy("lobby", "Player’s turn"),
        gettext_lazy("of each player, one after the other"),
    ),
    ANSWER: (pgettext_lazy("lobby", "Answer"), pgettext_lazy("lobby", "to a challenge")),
    BATTLE: (pgettext_lazy("lobby", "Battle"), gettext_lazy("from set-up to result")),
    CLAIM: (gettext_lazy("Confirmation"), gettext_lazy("of a claimed result")),
    TURN: (pgettext_lazy("lobby", "Turn"), gettext_lazy("of all players, from opening to closing")),
}
"""The names and explanations of the clocks, in the order of the form."""
USUAL = {SLOT: 2, ANSWER: 2, BATTLE: 10, CLAIM: 2, TURN: 28}
"""Lengths in days that fit together: those of the steady pace for six seats."""
BY_ITSELF = {
    SLOT: gettext_lazy("the player’s turn ends automatically, a day later"),
    ANSWER: gettext_lazy("the challenge is accepted automatically, a day later"),
    CLAIM: gettext_lazy("the result is confirmed automatically, a day later"),
}
PACES = (
    (gettext_lazy("Fast"), {SLOT: 1, ANSWER: 1, BATTLE: 6, CLAIM: 1}, 0),
    (gettext_lazy("Medium"), {SLOT: 2, ANSWER: 2, BATTLE: 10, CLAIM: 2}, 2),
    (gettext_lazy("Slow"), {SLOT: 3, ANSWER: 3, BATTLE: 14, CLAIM: 3}, 0),
)
"""For each pace: a name, the days of each clock, and the days to spare in a turn."""
LEAST_BATTLE, LEAST_SLOT = 7, 2
"""The smallest numbers of days that a button suggests for a battle or a slot."""
CLOCK_FIELDS = [f"{kind}-{what}" for kind in NAMES for what in ("length", "then")] + ["reminds"]
"""The fields of the form. The value `set` of a button changes lengths: `slot:2,turn:28`."""


class Option(NamedTuple):
    """A value of a list."""

    key: str
    text: str
    chosen: bool


@dataclass(frozen=True, slots=True)
class Clock:
    """A line of the form; `days` is the typed text."""

    kind: str
    name: str
    about: str
    days: str
    then: str
    thens: list[Option]
    error: str


class Part(NamedTuple):
    """A part of the bar; `share` is its width in per cent."""

    name: str
    days: int
    share: str
    is_wide: bool


class Button(NamedTuple):
    """A button that sets lengths; `set` is `slot:2,turn:28`."""

    text: str
    set: str
    chosen: bool = False
    more: str = ""

    @property
    def pressed(self) -> str:
        """The value of `aria-pressed`: whether these lengths have been set."""
        return "true" if self.chosen else "false"


@dataclass(frozen=True, slots=True)
class Sum:
    """The clocks added up: the days that a turn needs and has, as parts of a bar."""

    need: int
    turn: int
    parts: list[Part]
    turn_end: str
    """The end of the turn, in per cent of the bar."""
    is_late: bool
    buttons: list[Button]
    """The buttons that resolve a contradiction."""
    need_text: str
    spare: str

    @property
    def over(self) -> bool:
        """Whether a turn needs more days than it has."""
        return self.need > self.turn


@dataclass(frozen=True, slots=True)
class ClockPlan:
    """The second step of the founding: clocks, paces, and their sum."""

    clocks: list[Clock]
    paces: list[Button]
    sum: Sum | None
    """None if a length is not a number."""
    reminders: list[Option]
    turns: int
    """The number of turns; 0 if the scenario does not limit it."""
    weeks: int
    at_deadlines: str
    most_days: int
    sure: bool
    """Whether the founder wants the clocks although they contradict each other."""

    @property
    def is_possible(self) -> bool:
        """Whether the clocks fit together."""
        return self.sum is not None and not self.sum.over


def kinds(title: Title) -> list[str]:
    """Return the clocks that a title can have: those of battles only if it has battles."""
    fights = pages_of(title.key).battle_forms is not None
    return [kind for kind in NAMES if fights or kind in (SLOT, TURN)]


def clock_values(post_data: Mapping[str, str]) -> dict[str, str]:
    """Return the values of the form about clocks, overridden by those that a button sets."""
    values = {key: str(post_data[key]).strip() for key in CLOCK_FIELDS if key in post_data}
    for pair in str(post_data.get("set", "")).split(","):
        kind, _colon, days = pair.partition(":")
        if kind in NAMES and read_whole_number(days):
            values[f"{kind}-length"] = days
    return values


def days_of(values: Mapping[str, str], kind: str) -> int | None:
    """Return the length of a clock in days; None if the text is not a valid length."""
    days = read_whole_number(values.get(f"{kind}-length", str(USUAL[kind])), 4)
    return days if days and days <= MOST else None


def act_at_deadline(values: Mapping[str, str], kind: str, acting: tuple[str, ...]) -> str:
    """Return what happens at a deadline."""
    then = values.get(f"{kind}-then", ASK)
    return then if then == REMIND or (then == ACT and kind in acting) else ASK


def wanted_terms(
    title: Title, values: Mapping[str, str], errors: dict[str, str]
) -> dict[str, Terms]:
    """Return the terms that differ from the usual terms, for `clocks.services.set_terms`.

    Errors are added to `errors` by field.
    """
    wanted, acting = {}, clock_terms.acting_kinds(title)
    reminds = values.get("reminds", clock_terms.BOTH)
    if reminds not in clock_terms.REMINDERS:
        errors["reminds"] = _("Choose when to remind the person whom the table is waiting for.")
    for kind in kinds(title):
        days, then = days_of(values, kind), act_at_deadline(values, kind, acting)
        if days is None:
            errors[f"{kind}-length"] = _("Enter whole days, from 1 to %(most)s.") % {"most": MOST}
            continue
        terms = DEFAULTS[kind]._replace(
            length=f"{days}d", acts=then == ACT, asks=then != REMIND, reminds=reminds
        )
        if terms != DEFAULTS[kind]:
            wanted[kind] = terms
    return wanted


def clock_plan(
    title: Title, seats: int, turns: int, post_data: Mapping[str, str], errors: Mapping[str, str]
) -> ClockPlan:
    """Return the clocks for a number of seats and turns."""
    values, known = clock_values(post_data), kinds(title)
    clocks = [clock_line(title, kind, values, errors) for kind in known]
    days = {kind: days_of(values, kind) for kind in known}
    whole_days = {kind: length for kind, length in days.items() if length is not None}
    reminds = values.get("reminds", clock_terms.BOTH)
    return ClockPlan(
        clocks=clocks,
        paces=[pace_button(name, pace, spare, seats, days) for name, pace, spare in PACES],
        sum=sum_of_clocks(whole_days, seats) if len(whole_days) == len(known) else None,
        reminders=[Option(key, str(text), key == reminds) for key, text in REMINDERS],
        turns=turns,
        weeks=round(turns * (days[TURN] or 0) / 7),
        at_deadlines=", ".join(counts_in_words([clock.then for clock in clocks])),
        most_days=MOST,
        sure=bool(post_data.get("sure")),
    )


def clock_line(
    title: Title, kind: str, values: Mapping[str, str], errors: Mapping[str, str]
) -> Clock:
    """Return a clock as a line of the form."""
    acting = clock_terms.acting_kinds(title)
    then, (name, about) = act_at_deadline(values, kind, acting), NAMES[kind]
    thens = {ASK: _("the game master is asked")}
    if kind in acting and kind in BY_ITSELF:
        thens[ACT] = str(BY_ITSELF[kind])
    thens[REMIND] = pgettext("lobby", "only a reminder")
    return Clock(
        kind=kind,
        name=str(name),
        about=str(about),
        days=values.get(f"{kind}-length", str(USUAL[kind])),
        then=then,
        thens=[Option(key, text, key == then) for key, text in thens.items()],
        error=errors.get(f"{kind}-length", ""),
    )


def contradict(title: Title, seats: int, post_data: Mapping[str, str]) -> bool:
    """Return whether a turn needs more days than it has."""
    values = clock_values(post_data)
    days = {kind: n for kind in kinds(title) if (n := days_of(values, kind)) is not None}
    return len(days) == len(kinds(title)) and days_needed(days, seats) > days[TURN]


def counts_in_words(thens: Sequence[str]) -> list[str]:
    """Return the numbers of clocks that act, ask and remind, in words."""
    acts, asks, reminds = (thens.count(then) for then in (ACT, ASK, REMIND))
    texts = [
        (acts, ngettext("%(n)s acts automatically", "%(n)s act automatically", acts)),
        (asks, ngettext("%(n)s asks you", "%(n)s ask you", asks)),
        (reminds, ngettext("%(n)s only reminds", "%(n)s only remind", reminds)),
    ]
    return [text % {"n": n} for n, text in texts if n]


def days_needed(days: Mapping[str, int], seats: int) -> int:
    """Return the days of a turn in which everyone takes the full time."""
    return seats * days[SLOT] + sum(days.get(kind, 0) for kind in (ANSWER, BATTLE, CLAIM))


def button_value(days: Mapping[str, int]) -> str:
    """Return the value of a button that sets these lengths."""
    return ",".join(f"{kind}:{n}" for kind, n in days.items())


def pace_button(
    name: Any, pace: Mapping[str, int], spare: int, seats: int, days: Mapping[str, int | None]
) -> Button:
    """Return the button of a pace, whose lengths fit together."""
    mine = {kind: n for kind, n in pace.items() if kind in days}
    mine[TURN] = days_needed(mine, seats) + spare
    return Button(str(name), button_value(mine), mine == days, length_words(f"{mine[TURN]}d"))


def sum_of_clocks(days: Mapping[str, int], seats: int) -> Sum:
    """Return the sum of slots, last answer, battle and confirmation, compared with the turn."""
    need, turn = days_needed(days, seats), days[TURN]
    span = max(need, turn)
    slots = ngettext("%(n)s player’s turn", "%(n)s players’ turns", seats) % {"n": seats}
    parts = [(slots, seats * days[SLOT])] + [
        (str(NAMES[kind][0]), days[kind]) for kind in (ANSWER, BATTLE, CLAIM) if kind in days
    ]
    return Sum(
        need=need,
        turn=turn,
        parts=[Part(name, n, f"{100 * n / span:.2f}", n / span > 0.15) for name, n in parts],
        turn_end=f"{100 * turn / span:.2f}",
        is_late=turn / span > 0.6,
        buttons=resolving_buttons(days, seats) if need > turn else [],
        need_text=length_words(f"{need}d"),
        spare=spare_text(turn - need),
    )


def spare_text(spare: int) -> str:
    """Return a sentence about the spare days; empty if there are none."""
    if spare <= 0:
        return ""
    return ngettext("%(n)s day is spare.", "%(n)s days are spare.", spare) % {"n": spare}


def resolving_buttons(days: Mapping[str, int], seats: int) -> list[Button]:
    """Return the buttons that resolve a contradiction.

    They set a longer turn, a pace that fits, a shorter battle, or shorter slots.
    """
    need, turn = days_needed(days, seats), days[TURN]
    buttons = [
        length_button(_("Set the turn to %(days)s"), TURN, need) if need <= MOST else None,
        fitting_pace(days, seats),
    ]
    shorter = days.get(BATTLE, 0) - (need - turn)
    if shorter >= LEAST_BATTLE:
        buttons.append(length_button(_("Set battles to %(days)s"), BATTLE, shorter))
    slot = (turn - (need - seats * days[SLOT])) // seats
    if slot >= LEAST_SLOT:
        buttons.append(length_button(_("Set players’ turns to %(days)s"), SLOT, slot))
    return [button for button in buttons if button is not None]


def length_button(text: str, kind: str, days: int) -> Button:
    """Return the button that gives a clock another length."""
    return Button(text % {"days": length_words(f"{days}d")}, button_value({kind: days}))


def fitting_pace(days: Mapping[str, int], seats: int) -> Button | None:
    """Return the button of the slowest pace that fits into the turn; None if none fits."""
    turn = days[TURN]
    paces = [{kind: n for kind, n in pace.items() if kind in days} for _n, pace, _spare in PACES]
    fits = [pace for pace in paces if days_needed(pace, seats) <= turn]
    if not fits:
        return None
    clocks = ", ".join(
        f"{inside_sentence(str(NAMES[kind][0]))} {n}" for kind, n in fits[-1].items()
    )
    facts = {"days": length_words(f"{turn}d"), "clocks": clocks}
    return Button(_("Keep %(days)s (%(clocks)s)") % facts, button_value(fits[-1]))
