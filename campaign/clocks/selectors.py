"""Clocks as they are read: what the game master has set for each kind, which run, and which should.
What they tell is public: turns, slots, challenges, battles and claims are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import Exists, ExpressionWrapper, F, OuterRef, Q, TextField, Value
from django.db.models.functions import Concat
from django.utils.translation import gettext as _

from campaign.dice import selectors
from campaign.dice.selectors import OUT_OF_TURN, Stage
from campaign.errors import Refused
from campaign.hooks import ClockReading, WantedClock
from campaign.log import positions
from campaign.models import GAME_MASTER, Campaign, Clock, Membership, is_length
from engine.strict_json import canonical, read
from games.contract.title import Lapsing, Title, Waiting

# What the game master has set for each kind of clock, read from the campaign's row, which copies
# the last act on it.


TURN, SLOT, ANSWER, BATTLE, CLAIM, WORDS = "turn", "slot", "answer", "battle", "claim", "words"
KINDS = (TURN, SLOT, ANSWER, BATTLE, CLAIM, WORDS)

BOTH, LAST_DAY, SILENT = "both", "day", "none"
REMINDERS = (BOTH, LAST_DAY, SILENT)
"""When who is waited for is reminded: with a fifth of the time left and on the last day, on the
last day, never.
"""


class Terms(NamedTuple):
    """How long something may take, when one is reminded, and what happens then: the game master is
    asked (`asks`) or not, and, `grace` later, nothing or what its kind does by itself.
    """

    length: str
    grace: str = "1d"
    acts: bool = False
    asks: bool = True
    reminds: str = BOTH

    def to_json(self) -> dict[str, Any]:
        """What is as usual of the last two is left out: terms older than these read so."""
        usual = self._field_defaults
        return {
            key: value
            for key, value in self._asdict().items()
            if key not in ("asks", "reminds") or value != usual[key]
        }


DEFAULTS: Mapping[str, Terms] = {
    TURN: Terms("28d"),
    SLOT: Terms("3d"),
    ANSWER: Terms("3d"),
    BATTLE: Terms("14d"),
    CLAIM: Terms("3d"),
    WORDS: Terms("2d"),
}


def terms_of(campaign: Campaign) -> dict[str, Terms | None]:
    """The terms of every kind; None where no clock runs."""
    return dict(_terms(campaign.clock_terms))


@lru_cache(maxsize=1024)
def _terms(text: str) -> dict[str, Terms | None]:
    kept = read(text) if text else {}
    return {kind: terms_from_json(kept[kind]) if kind in kept else DEFAULTS[kind] for kind in KINDS}


def terms_from_json(raw: Mapping[str, Any] | None) -> Terms | None:
    return None if raw is None else Terms(**raw)


def acting(game: Title) -> tuple[str, ...]:
    """The kinds for which something can happen by itself: what the title says a clock may do, and a
    claim's confirmation.
    """
    of_title = (SLOT, ANSWER) if isinstance(game, Lapsing) else ()
    return (*of_title, CLAIM, WORDS)


def checked(campaign: Campaign, kind: object, given: Terms | None) -> Terms | None:
    """Terms as they may be set. Raises `Refused`."""
    if kind not in KINDS:
        raise Refused("unknown-clock", _("There is no such clock."))
    if given is None:
        return None
    if not is_length(given.length):
        raise Refused("bad-length", _("A clock runs for 1 to 365 days, or for 1 to 1,440 hours."))
    if not is_length(given.grace, none=True):
        raise Refused("bad-grace", _("The grace is 0 to 1,440 hours, or up to 365 days."))
    if given.acts and kind not in acting(campaign.game):
        raise Refused(
            "only-reminds", _("Nothing happens automatically here: this clock only reminds.")
        )
    if given.reminds not in REMINDERS:
        raise Refused("bad-reminders", _("Choose when the person the table waits for is reminded."))
    return Terms(given.length, given.grace, bool(given.acts), bool(given.asks), given.reminds)


def running(campaign: Campaign) -> list[Clock]:
    """The clocks that run or stand still in a pause, the earliest deadline first. One query."""
    clocks = Clock.objects.filter(campaign=campaign, ended_at=None)
    return list(clocks.select_related("entry").order_by("due_at", "pk"))


def clock_of(
    source: Campaign | Iterable[Clock], kind: str, seat: str = "", contest: int | None = None
) -> Clock | None:
    """The clock of a thing among those of `running`, asked once a page; of a campaign they are
    asked for here.
    """
    clocks = running(source) if isinstance(source, Campaign) else source
    return next(
        (one for one in clocks if (one.kind, one.seat, one.contest) == (kind, seat, contest)), None
    )


def of_person(user: Any) -> list[Clock]:
    """All clocks that wait for this user, over their campaigns, the earliest deadline first, with
    campaign and entry: for a seat that they hold, or a battle where they stand in. One query.
    """
    if not getattr(user, "is_authenticated", False):
        return []
    role = Membership.Role
    mine = Q(role=role.SEAT) | Q(role=role.SUBSTITUTE, contest=OuterRef("contest"))
    held = Membership.objects.filter(
        mine, campaign=OuterRef("campaign"), user_id=user.pk, until=None
    )
    waits = held.annotate(
        among=ExpressionWrapper(OuterRef("waits"), TextField()),
        place=Concat(Value("|"), F("seat"), Value("|")),
    )
    played = Clock.objects.filter(
        ended_at=None,
        campaign__abandoned=False,
        campaign__archived=False,
        campaign__suspended=False,
    )
    asked = played.filter(Exists(waits.filter(among__contains=F("place"))))
    return list(asked.select_related("campaign", "entry").order_by("due_at", "pk"))


# Which clocks should run: readings of the log. Claims are read by `hooks.clock_readings`.

CHALLENGED, RESOLVED = "challenged", "resolved"


def of_play(campaign: Campaign, position: Any) -> Iterable[WantedClock]:
    """The turn, whoever's slot it is, challenges and battles, as the title tells them. An open
    battle stops none of the others. Where one plays alone nothing is due.
    """
    sitting, game = positions.seats(campaign), campaign.game
    if len(sitting) < 2:
        return
    now = positions.copies(campaign, position)
    if now.finished or not now.turn or now.phase in OUT_OF_TURN:
        return
    yield WantedClock(TURN, followup_key=str(now.turn))
    for one in game.waiting(position):
        if one.contest is None and one.seat in sitting:
            yield WantedClock(SLOT, one.seat, followup_key=_mark(now.turn, one), waits=(one.seat,))
    for number, facts in game.rows(position).contests.items():
        if facts["status"] == RESOLVED:
            continue
        defender = str(facts.get("defender") or facts.get("leader") or "")
        if facts["status"] == CHALLENGED and facts.get("defender"):
            yield WantedClock(ANSWER, defender, number, waits=(defender,))
        else:
            sides = tuple(
                seat for seat in (str(facts.get("attacker") or ""), defender) if seat in sitting
            )
            yield WantedClock(BATTLE, "", number, waits=sides)


def _mark(turn: int, one: Waiting) -> str:
    """What somebody is waited for, so that their next slot is another. Numbers change while they
    play, and are left out.
    """
    facts = {key: value for key, value in one.what.facts.items() if isinstance(value, str)}
    return canonical([turn, one.what.id, facts])[:200]


def waited_for(
    campaign: Campaign, position: Any, kind: str, seat: str, contest: int | None
) -> Waiting | None:
    """What the title says of whom this clock waits for."""
    for one in campaign.game.waiting(position):
        if one.seat == seat and one.contest == contest and one.seat != GAME_MASTER:
            return one
    return None


def of_words(campaign: Campaign, position: Any) -> Iterable[WantedClock]:
    """Words are waited for between turns, from the seats that have given none."""
    if campaign.chance not in (selectors.WORDS, selectors.BOTH) or not campaign.started:
        return
    now = positions.copies(campaign, position)
    one = selectors.next_stage(campaign, now.turn, now.phase)
    if (
        one is None
        or one.closed
        or one.done
        or not now.turn
        or now.phase not in selectors.OUT_OF_TURN
        or now.finished
    ):
        return
    if waits := words_missing(campaign, one, position):
        yield WantedClock(WORDS, followup_key=f"{one.chain}/{one.link}", waits=tuple(waits))


def words_missing(table: Campaign, one: Stage, position: Any = None) -> list[str]:
    """The seats that somebody holds, whose nation stands, and that have added no words yet."""
    held = set(
        table.memberships.filter(until=None, role=Membership.Role.SEAT).values_list(
            "seat", flat=True
        )
    )
    rows = table.game.rows(positions.current(table) if position is None else position)
    fallen = {seat for seat, facts in rows.holders.items() if facts.get("fallen")}
    return [
        seat for seat in positions.seats(table) if seat in held - fallen and seat not in one.words
    ]


PLAY = ClockReading((TURN, SLOT, ANSWER, BATTLE), of_play)
SEATS_WORDS = ClockReading((WORDS,), of_words)
"""The readings of the campaign's own clocks."""
