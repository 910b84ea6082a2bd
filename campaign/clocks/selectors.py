"""Read access to clocks: the terms of each kind, which clocks run, and which should run.

Clocks are public, because turns, slots, challenges, battles and claims are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.db.models import Exists, OuterRef, Q
from django.utils.translation import gettext as _

from campaign.dice import selectors
from campaign.dice.selectors import OUT_OF_TURN, Stage
from campaign.errors import Refused
from campaign.hooks import ClockReading, WantedClock
from campaign.log import positions
from campaign.models import GAME_MASTER, Campaign, Clock, Membership, SeatSetMember, is_length
from engine.strict_json import canonical
from games.contract.title import Title, Waiting, WithLapses

# The terms that the game master has set for each kind of clock. The campaign's row copies them from
# the last act on them.


TURN, SLOT, ANSWER, BATTLE, CLAIM, WORDS = "turn", "slot", "answer", "battle", "claim", "words"
KINDS = (TURN, SLOT, ANSWER, BATTLE, CLAIM, WORDS)

BOTH, LAST_DAY, SILENT = "both", "day", "none"
REMINDERS = (BOTH, LAST_DAY, SILENT)
"""When the users for whom the table waits are reminded.

At a fifth of the time and on the last day; on the last day; never.
"""


class Terms(NamedTuple):
    """The time that something may take, its reminders, and what happens afterwards.

    When the time is over, the game master is asked, if `asks` is set. When `grace` is over too, the
    kind's automatic act happens, if `acts` is set.
    """

    length: str
    grace: str = "1d"
    acts: bool = False
    asks: bool = True
    reminds: str = BOTH

    def to_json(self) -> dict[str, Any]:
        """Return the terms as the log stores them.

        The last two fields are left out if they have their default values, as in older terms.
        """
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
    """Return the terms of every kind; None for kinds without clocks."""
    kept = campaign.clock_terms or {}
    return {kind: terms_from_json(kept[kind]) if kind in kept else DEFAULTS[kind] for kind in KINDS}


def terms_from_json(raw: Mapping[str, Any] | None) -> Terms | None:
    """Return the terms from their stored form."""
    return None if raw is None else Terms(**raw)


def acting_kinds(game: Title) -> tuple[str, ...]:
    """Return the kinds of clocks that can act by themselves in this title."""
    of_title = (SLOT, ANSWER) if isinstance(game, WithLapses) else ()
    return (*of_title, CLAIM, WORDS)


def checked_terms(campaign: Campaign, kind: object, given: Terms | None) -> Terms | None:
    """Return the terms if they are valid for this kind. Raises `Refused`."""
    if kind not in KINDS:
        raise Refused("unknown-clock", _("There is no such clock."))
    if given is None:
        return None
    if not is_length(given.length):
        raise Refused(
            "bad-length", _("A clock can run for 1 to 365 days, or for 1 to 1,440 hours.")
        )
    if not is_length(given.grace, none=True):
        raise Refused(
            "bad-grace", _("The grace period can be 0 to 1,440 hours, or up to 365 days.")
        )
    if given.acts and kind not in acting_kinds(campaign.game):
        raise Refused(
            "only-reminds", _("This clock only sends reminders. It cannot act automatically.")
        )
    if given.reminds not in REMINDERS:
        raise Refused(
            "bad-reminders", _("Choose when to remind the person whom the table is waiting for.")
        )
    return Terms(given.length, given.grace, bool(given.acts), bool(given.asks), given.reminds)


def running(campaign: Campaign) -> list[Clock]:
    """Return the clocks that run or are paused, the earliest deadline first. One query."""
    clocks = Clock.objects.filter(campaign=campaign, ended_at=None)
    return list(clocks.select_related("entry").order_by("due_at", "pk"))


def clock_of(
    source: Campaign | Iterable[Clock], kind: str, seat: str = "", contest: int | None = None
) -> Clock | None:
    """Return the clock of this kind, seat and contest; None if there is none.

    `source` is the result of `running`, or a campaign, whose clocks are then queried.
    """
    clocks = running(source) if isinstance(source, Campaign) else source
    return next(
        (
            clock
            for clock in clocks
            if (clock.kind, clock.seat, clock.contest) == (kind, seat, contest)
        ),
        None,
    )


def clocks_of_user(user: Any) -> list[Clock]:
    """Return all clocks that wait for this user in any campaign, the earliest deadline first.

    A clock waits for the holder of its seat or for a substitute in its battle. Campaign and entry
    are prefetched. One query.
    """
    if not getattr(user, "is_authenticated", False):
        return []
    role = Membership.Role
    mine = Q(role=role.SEAT) | Q(role=role.SUBSTITUTE, contest=OuterRef("contest"))
    held = Membership.objects.filter(
        mine, campaign=OuterRef("campaign"), user_id=user.pk, until=None
    )
    members = SeatSetMember.objects.filter(
        seat_set=OuterRef(OuterRef("waits_for")), seat=OuterRef("seat")
    )
    played = Clock.objects.filter(
        ended_at=None,
        campaign__abandoned=False,
        campaign__archived=False,
        campaign__suspended=False,
    )
    asked = played.filter(Exists(held.filter(Exists(members))))
    return list(asked.select_related("campaign", "entry").order_by("due_at", "pk"))


# The clocks that should run, computed from the log. Those of claims are in `hooks.clock_readings`.

CHALLENGED, RESOLVED = "challenged", "resolved"


def play_clocks(campaign: Campaign, position: Any) -> Iterable[WantedClock]:
    """Yield the clocks of the turn, of slots, challenges and battles that should run.

    An open battle does not stop the others. A campaign for one player has no clocks.
    """
    sitting, game = positions.seats(campaign), campaign.game
    if len(sitting) < 2:
        return
    now = positions.copies(campaign, position)
    if now.finished or not now.turn or now.phase in OUT_OF_TURN:
        return
    yield WantedClock(TURN, followup_key=str(now.turn))
    for waiting in game.waiting(position):
        if waiting.contest is None and waiting.seat in sitting:
            yield WantedClock(
                SLOT, waiting.seat, followup_key=_mark(now.turn, waiting), waits=(waiting.seat,)
            )
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


def _mark(turn: int, waiting: Waiting) -> str:
    """Return a text that differs between two slots of the same seat.

    Numbers are left out, because they change while the seat plays.
    """
    facts = {key: value for key, value in waiting.what.facts.items() if isinstance(value, str)}
    return canonical([turn, waiting.what.id, facts])[:200]


def waited_for(
    campaign: Campaign, position: Any, kind: str, seat: str, contest: int | None
) -> Waiting | None:
    """Return the title's entry for the seat that this clock waits for; None if there is none."""
    for waiting in campaign.game.waiting(position):
        if waiting.seat == seat and waiting.contest == contest and waiting.seat != GAME_MASTER:
            return waiting
    return None


def words_clocks(campaign: Campaign, position: Any) -> Iterable[WantedClock]:
    """Yield the clock of words. It runs between turns.

    It waits for the seats that have given no words.
    """
    if campaign.chance not in (selectors.WORDS, selectors.BOTH) or not campaign.started:
        return
    now = positions.copies(campaign, position)
    stage = selectors.next_stage(campaign, now.turn, now.phase)
    if (
        stage is None
        or stage.closed
        or stage.done
        or not now.turn
        or now.phase not in selectors.OUT_OF_TURN
        or now.finished
    ):
        return
    if waits := words_missing(campaign, stage, position):
        yield WantedClock(WORDS, followup_key=f"{stage.chain}/{stage.link}", waits=tuple(waits))


def words_missing(table: Campaign, stage: Stage, position: Any = None) -> list[str]:
    """Return the held seats with a surviving nation that have not added words yet."""
    held = set(
        table.memberships.filter(until=None, role=Membership.Role.SEAT).values_list(
            "seat", flat=True
        )
    )
    rows = table.game.rows(positions.current(table) if position is None else position)
    fallen = {seat for seat, facts in rows.holders.items() if facts.get("fallen")}
    return [
        seat for seat in positions.seats(table) if seat in held - fallen and seat not in stage.words
    ]


PLAY = ClockReading((TURN, SLOT, ANSWER, BATTLE), play_clocks)
"""The reading of the clocks of turns, slots, answers and battles."""
SEATS_WORDS = ClockReading((WORDS,), words_clocks)
"""The reading of the clock of words."""
