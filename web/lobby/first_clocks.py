"""The clocks of a campaign that is being founded: computed against each other, with what mends a contradiction.

If everybody takes the full time, a turn needs its slots, then the answer to the last attack, its battle and the confirmation.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from campaign.clocks import terms as clock_terms
from campaign.clocks.terms import ANSWER, BATTLE, CLAIM, DEFAULTS, SLOT, TURN, Terms
from campaign.log.texts import length_words
from engine.language import within
from engine.strict_json import whole
from games.contract.title import Title
from web.clocks.deadlines import REMINDERS
from web.titles import extras

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
FIELDS = [f"{kind}-{what}" for kind in NAMES for what in ("length", "then")] + ["reminds"]
"""What the form asks; `set` of a button changes lengths: `slot:2,turn:28`."""


class Clock(NamedTuple):
    """A line of the form: days as they were typed, the choices at the deadline with the one chosen."""

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
    """The clocks added up: what a turn needs, what it is given, as parts of a bar; `mends` where it needs more."""

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
    values = {key: str(posted[key]).strip() for key in FIELDS if key in posted}
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
    """The terms that are not as usual, for `clocks.services.set_terms`; what is no length goes into `errors` by its field."""
    wanted, acting = {}, clock_terms.acting(title)
    reminds = values.get("reminds", clock_terms.BOTH)
    if reminds not in clock_terms.REMINDERS:
        errors["reminds"] = _("Choose when the person the table waits for is reminded.")
    for kind in kinds(title):
        days, then = _days(values, kind), _then(values, kind, acting)
        if days is None:
            errors[f"{kind}-length"] = _("Type whole days, from 1 to %(most)s.") % {"most": MOST}
            continue
        terms = DEFAULTS[kind]._replace(length=f"{days}d", acts=then == ACT, asks=then != REMIND, reminds=reminds)
        if terms != DEFAULTS[kind]:
            wanted[kind] = terms
    return wanted


def context(title: Title, seats: int, turns: int, posted: Mapping[str, str], errors: Mapping[str, str]) -> dict[str, Any]:
    """What the second step of the founding shows of so many seats and turns (0: not known)."""
    values, acting, known = typed(posted), clock_terms.acting(title), kinds(title)
    clocks = [
        Clock(
            kind, *NAMES[kind], values.get(f"{kind}-length", str(USUAL[kind])), _then(values, kind, acting),
            [(ASK, _("the game master is asked")), *([(ACT, BY_ITSELF[kind])] if kind in acting and kind in BY_ITSELF else []),
             (REMIND, _("only a reminder"))],
            errors.get(f"{kind}-length", ""),
        )
        for kind in known
    ]  # fmt: skip
    days = {kind: _days(values, kind) for kind in known}
    whole_days = {kind: one for kind, one in days.items() if one is not None}
    thens = [one.then for one in clocks]
    return {
        "clocks": clocks,
        "paces": [_pace(name, pace, spare, seats, days) for name, pace, spare in PACES],
        "sum": added_up(whole_days, seats) if len(whole_days) == len(known) else None,
        "reminds": values.get("reminds", clock_terms.BOTH), "reminders": REMINDERS,
        "turns": turns, "weeks": round(turns * (days[TURN] or 0) / 7),
        "at_deadlines": ", ".join(_counted(thens)),
        "most_days": MOST,
    }  # fmt: skip


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


def _pace(name: Any, pace: Mapping[str, int], spare: int, seats: int, days: Mapping[str, int | None]) -> Mend:
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
    spare = ngettext("%(n)s day is spare.", "%(n)s days are spare.", turn - need) % {"n": turn - need} if turn > need else ""
    return Sum(
        need, turn, drawn, f"{100 * turn / span:.2f}", turn / span > 0.6, mends(days, seats) if need > turn else [],
        length_words(f"{need}d"), spare,
    )  # fmt: skip


def mends(days: Mapping[str, int], seats: int) -> list[Mend]:
    """What resolves the contradiction: a longer turn, a pace that fits, a shorter battle, shorter slots."""
    need, turn = needed(days, seats), days[TURN]
    buttons = [Mend(_("Turn %(days)s") % {"days": length_words(f"{need}d")}, _set({TURN: need}))] if need <= MOST else []
    fits = [pace for _name, pace, _spare in PACES if needed({k: n for k, n in pace.items() if k in days}, seats) <= turn]
    if fits:
        mine = {kind: n for kind, n in fits[-1].items() if kind in days}
        listed = ", ".join(f"{within(str(NAMES[kind][0]))} {n}" for kind, n in mine.items())
        keep = _("Keep %(days)s: %(clocks)s") % {"days": length_words(f"{turn}d"), "clocks": listed}
        buttons.append(Mend(keep, _set(mine)))
    shorter = days.get(BATTLE, 0) - (need - turn)
    if shorter >= LEAST_BATTLE:
        buttons.append(Mend(_("Battle %(days)s") % {"days": length_words(f"{shorter}d")}, _set({BATTLE: shorter})))
    slot = (turn - (need - seats * days[SLOT])) // seats
    if slot >= LEAST_SLOT:
        buttons.append(Mend(_("Slot %(days)s") % {"days": length_words(f"{slot}d")}, _set({SLOT: slot})))
    return buttons
