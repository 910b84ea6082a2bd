"""A battle in one line: its sides, its place, its state, and the members it waits for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from battles import projection as battles_projection
from battles.models import Battle, Claim
from campaign.models import GAME_MASTER
from campaign.practice import model_decides
from games.contract.plain import Known
from games.contract.title import Waiting
from games.kit.battle_words import PLAIN, battle_words
from web.frame import awaited_people
from web.frame.absences import absence_chips
from web.frame.deadlines import Due, deadline_of_battle
from web.frame.name_lists import list_names
from web.frame.table import TableContext

SIDES = ("attacker", "defender")


@dataclass(frozen=True, slots=True)
class BattleSide:
    """A side of a battle: the nation whose colours it has, and its name."""

    key: str
    name: str


@dataclass(frozen=True, slots=True)
class BattleSummary:
    """A battle in one line.

    `waits` is a sentence without full stop. `mine` is true if the battle waits for the reader.
    `solo` is the name of the seat that is away while its opponent plays the battle solo.
    """

    number: int
    url: str
    turn: int
    state: str
    tone: str
    sides: tuple[BattleSide, BattleSide]
    where: str
    kind: str
    waits: str
    mine: bool
    running: bool
    solo: str
    absent: list[str]
    due: Due | None
    resolved_at: datetime | None

    @property
    def chip_tone(self) -> str:
        return "mine" if self.mine else self.tone


def is_running(battle: Battle) -> bool:
    return battle.resolved_at is None


def battle_summary(table: TableContext, battle: Battle) -> BattleSummary:
    return battle_summaries(table, [battle])[0]


def battle_summaries(table: TableContext, battles: Sequence[Battle]) -> list[BattleSummary]:
    is_any_running = any(is_running(battle) for battle in battles)
    waits = table.waited_for if is_any_running else ()
    claims = table.live_claims if is_any_running else {}
    return [_summary(table, battle, waits, claims) for battle in battles]


def _summary(
    table: TableContext, battle: Battle, waits: Sequence[Waiting], claims: Mapping[int, Claim]
) -> BattleSummary:
    words, running = battle_words(table.title), is_running(battle)
    known = {
        **battle.facts,
        "ready": battles_projection.ready(battle),
        "by_model": model_decides(table.campaign),
    }
    claim = claims.get(battle.number) if running else None
    state, tone = words.state_word(table.scenario, known)
    if claim is not None:
        state, tone = claim.get_state_display(), "warn"
    seats = [wait.seat for wait in waits if wait.contest == battle.number]
    parties = [seat for seat in battle.parties if seat]
    return BattleSummary(
        number=battle.number,
        url=table.url("battle", battle.number),
        turn=battle.turn,
        state=state,
        tone=tone,
        sides=battle_sides(table, known),
        where=words.where(table.scenario, known),
        kind=words.kind_word(known),
        waits=waiting_text(table, battle, seats, is_claimed=claim is not None),
        mine=any(table.is_mine(seat) for seat in seats),
        running=running,
        solo=table.name_of(battle.solo) if battle.solo else "",
        absent=absence_chips(table, *parties) if running else [],
        due=deadline_of_battle(table, battle.number) if running else None,
        resolved_at=battle.resolved_at,
    )


def battle_sides(table: TableContext, known: Known) -> tuple[BattleSide, BattleSide]:
    words = battle_words(table.title)
    attacker, defender = (
        BattleSide(key=words.side_nation(known, side), name=side_name(table, known, side))
        for side in SIDES
    )
    return attacker, defender


def side_name(table: TableContext, known: Known, side: str) -> str:
    """Return the name of a side in the title's words, or else the name of its seat."""
    words = battle_words(table.title)
    if words is PLAIN and known.get(side) in table.names:
        return table.name_of(str(known[side]))
    return str(words.side_name(table.scenario, known, side))


def waiting_text(
    table: TableContext, battle: Battle, seats: Sequence[str], *, is_claimed: bool
) -> str:
    """Return who has to act in a battle, such as "Bo has to answer", "Ada and Bo are playing"."""
    names = [
        ", ".join(awaited_people.people(table, seat, battle.number)) or table.name_of(seat)
        for seat in seats
    ]
    people = list(dict.fromkeys(names))
    if not people:
        return ""
    if battle.status == "fighting" and model_decides(table.campaign):
        return _("The model decides this battle")
    count = len(people)
    if is_claimed and seats[0] == GAME_MASTER:
        text = ngettext("%(who)s has to decide", "%(who)s have to decide", count)
    elif is_claimed:
        text = ngettext("%(who)s has to confirm", "%(who)s have to confirm", count)
    elif battle.status == "fighting":
        text = ngettext("%(who)s is playing", "%(who)s are playing", count)
    else:
        text = ngettext("%(who)s has to answer", "%(who)s have to answer", count)
    return text % {"who": list_names(people)}
