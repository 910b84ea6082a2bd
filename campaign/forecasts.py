"""Forecasts: after each turn, programs play the campaign to its end many times, from public facts.

The log does not change: a forecast belongs to the entry that closed a turn, and counts as long as
that entry does. Each continued campaign has its own seed, from the hash of the campaign's first
entry, the number of the closing entry and its own number: the same log gives the same numbers. All
positions of a turn are continued with the same seeds, so a difference between two of them shows in
far fewer campaigns than each of them alone would need.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from math import sqrt
from statistics import fmean, quantiles
from time import monotonic
from typing import Any, NamedTuple

from django.db import OperationalError, transaction
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import access, limited_process, playouts
from campaign.errors import Refused
from campaign.limited_process import LimitExceeded, TooManyChildren
from campaign.log import entries, positions
from campaign.log.acts.programs import FORECAST, OFF, ON
from campaign.log.positions import ReplayedLog, ReplayedMove
from campaign.models import Campaign, Forecast, LogEntry
from campaign.playouts import Stretch
from campaign.playtests import Share, TakenOn, share
from campaign.pulse import error_places
from games.contract.players import Forecaster
from games.registry import TITLES

GAMES = 400
"""The number of campaigns that are played on from the end of a turn."""
BEFORE_AND_AFTER, MOST = 900, 100
"""The number of campaigns played from before and after battles.

Of all battles of a turn together, and from one position at most.
"""
SECONDS = 60.0
"""The time that one core spends on a turn. Then the forecast uses what has been played."""
SLICE = 8.0
"""The seconds of one run. Then other forecasts have their turn."""
BEAT, SILENCE = 1.0, timedelta(seconds=90)
"""Results are stored every BEAT seconds. A worker that is silent for SILENCE is gone."""
LEAST, CERTAIN = 0.05, 2.5
"""The minimum size of a swing, and its minimum number of standard deviations.

So no swing is only chance.
"""
SWINGS = 4
"""The number of swings that are shown."""

Row = list[list[int]] | None
logger = logging.getLogger(__name__)


# Which campaigns have a forecast.


def forecaster(title: str) -> Forecaster | None:
    """Return the programs that can play campaigns on; None if the title has none."""
    players = TITLES[title].players if title in TITLES else None
    return players if isinstance(players, Forecaster) else None


def shown(campaign: Campaign) -> bool:
    """Return whether a forecast is made and shown here.

    The game master decides; by default practice has none, and otherwise the title decides.
    """
    players = forecaster(campaign.title)
    if players is None or campaign.forecast:
        return players is not None and campaign.forecast == ON
    return not campaign.programs and players.forecasts(positions.options(campaign))


def reported(campaign: Campaign) -> bool:
    """Return whether reports have a forecast.

    The game master must have switched it on, and the campaign must not have ended.
    """
    return campaign.forecast == ON and not campaign.ended and shown(campaign)


@transaction.atomic
def switch(campaign: Campaign, user: Any, on: bool, *, now: datetime | None = None) -> LogEntry:
    """Switch the forecast on or off for everyone, as the game master. Raises `Refused`."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    if forecaster(table.title) is None:
        raise Refused("unknown-title", _("No programs play this game."))
    if shown(table) == on:
        raise Refused("no-change", _("The forecast is already set this way."))
    return entries.append_act(
        table, user, {"act": FORECAST.name, "how": ON if on else OFF}, now=now
    )


def note(campaign: Campaign, entry: LogEntry, after: Any) -> bool:
    """Note that a forecast is due if a turn closed with this move; return whether one is due."""
    players = forecaster(campaign.title)
    if (
        players is None
        or not entry.is_move
        or entry.number is None
        or not players.closes(after.effects)
        or not shown(campaign)
    ):
        return False
    Forecast.objects.get_or_create(entry=entry, defaults={"asked_at": entry.at})
    return True


# Making forecasts.


def work(pk: int, seconds: float | None = None) -> bool:
    """Work on a campaign's forecasts for so long; return whether more work is left.

    The latest forecast comes first.
    """
    campaign = Campaign.objects.filter(pk=pk).first()
    if campaign is None or not shown(campaign):
        return False
    road = ReplayedLog(campaign)
    _note_all(campaign, road)
    row = open_rows().filter(entry__campaign=campaign).order_by("-entry__sequence").first()
    if row is None or not _claimed(row):
        return False
    try:
        over = _played(campaign, road, row, SLICE if seconds is None else seconds)
    except (
        OperationalError,
        TooManyChildren,
    ) as error:  # The database or this process is busy; the next pulse continues.
        logger.warning("Forecast %d: %s", row.pk, error_places(error))
        return False
    except LimitExceeded as refused:
        logger.warning("Forecast %d exceeds a limit: %s", row.pk, refused.code)
        _stop(row, refused.limit)
        over = True
    except Exception as error:
        logger.error("Forecast %d: %s", row.pk, error_places(error))
        _stop(row)
        over = True
    return not over or open_rows().filter(entry__campaign=campaign).exists()


def _stop(row: Forecast, limit: str = "") -> None:
    """End a forecast that cannot continue, and store the limit that it has exceeded, if any."""
    with transaction.atomic():
        Forecast.objects.filter(pk=row.pk).update(
            failed=True, limit=limit, ended_at=timezone.now(), rows={}
        )
        Campaign.objects.filter(pk=row.entry.campaign_id).update(forecasts=F("forecasts") + 1)


def why_stopped(campaign: Campaign) -> str:
    """Return in a sentence why the last turn has no forecast.

    Empty if it has one or it is in progress.
    """
    row = Forecast.objects.filter(entry__campaign=campaign, entry__struck_by=None).select_related(
        "entry"
    )
    last = row.order_by("entry__sequence").last()
    if last is None or not last.failed:
        return ""
    if last.limit == "memory":
        return _(
            "Turn %(turn)s has no forecast: playing this campaign to its end takes more memory "
            "than the %(most)s MB that the site allows."
        ) % {"turn": last.entry.turn, "most": limited_process.MEMORY // 2**20}
    if last.limit == "time":
        return _(
            "Turn %(turn)s has no forecast: playing this campaign to its end takes longer than "
            "the %(most)s seconds that the site allows."
        ) % {"turn": last.entry.turn, "most": f"{limited_process.SECONDS:g}"}
    return _("Turn %(turn)s has no forecast: an error on our side stopped it.") % {
        "turn": last.entry.turn
    }


def open_rows() -> QuerySet[Forecast]:
    """Return the unfinished forecasts of entries in force."""
    return Forecast.objects.filter(ended_at=None, entry__struck_by=None)


def resume(now: datetime, most: int) -> int:
    """Continue forecasts that no worker is working on, and begin those that were switched on late.

    Part of the pulse.
    """
    silent = Q(heartbeat_at=None, asked_at__lt=now - SILENCE) | Q(heartbeat_at__lt=now - SILENCE)
    waits = open_rows().filter(silent).exclude(entry__campaign__forecast=OFF).order_by("pk")
    keys = [*waits.values_list("entry__campaign", flat=True)[:most]]
    begun = (
        Campaign.objects.filter(forecast=ON, turn__gt=1)
        .exclude(entries__forecast__isnull=False)
        .order_by("pk")
    )
    keys += begun.values_list("pk", flat=True)[:most]
    for key in keys[:most]:
        work(key)
    return min(len(keys), most)


def _note_all(campaign: Campaign, road: ReplayedLog) -> None:
    """Note a forecast for each turn that closed before forecasts were on, or came with a record."""
    players = forecaster(campaign.title)
    assert players is not None
    closed = [
        move.number
        for move in road.moves
        if move.number is not None and players.closes(move.effects)
    ]
    known = Forecast.objects.filter(entry__campaign=campaign).values_list(
        "entry__number", flat=True
    )
    for entry in LogEntry.objects.filter(campaign=campaign, number__in=set(closed) - set(known)):
        Forecast.objects.get_or_create(entry=entry, defaults={"asked_at": timezone.now()})


def _claimed(row: Forecast) -> bool:
    """Return whether this process may work on a forecast, and claim it."""
    free = Q(heartbeat_at=None) | Q(heartbeat_at__lt=timezone.now() - SILENCE)
    return bool(
        Forecast.objects.filter(free, pk=row.pk, ended_at=None).update(heartbeat_at=timezone.now())
    )


class Stop(NamedTuple):
    """A position from which campaigns are played on.

    `move` is the place of the move before it, `games` the number of campaigns.
    """

    move: int
    games: int


def stops_of(
    players: Forecaster, moves: Sequence[ReplayedMove], close: int
) -> tuple[list[Stop], list[int]]:
    """Return the stops of the turn that move `close` closed, and the moves that decided battles.

    The end of the turn is the first stop.
    """
    before = next((n for n in range(close - 1, -1, -1) if players.closes(moves[n].effects)), -1)
    decided = [
        n
        for n in range(before + 1, close + 1)
        if moves[n].number is not None and players.decides(moves[n].effects)
    ]
    places = {place for n in decided for place in (n - 1, n) if place >= 0} | (
        {0} if before < 0 else set()
    )
    places -= {close}
    games = min(MOST, BEFORE_AND_AFTER // max(len(places), 1))
    return [Stop(close, GAMES), *(Stop(place, games) for place in sorted(places))], decided


def _played(campaign: Campaign, road: ReplayedLog, row: Forecast, seconds: float) -> bool:
    """Work on a forecast for so long; return whether it is finished."""
    players = forecaster(campaign.title)
    assert players is not None
    close = next((n for n, move in enumerate(road.moves) if move.number == row.entry.number), None)
    if close is None:
        return True  # The entry was struck.
    stops, decided = stops_of(players, road.moves, close)
    genesis = LogEntry.objects.get(campaign=campaign, sequence=0).hash
    rows: dict[str, list[Row]] = {place: list(played) for place, played in row.rows.items()}
    kept, spent = monotonic(), row.seconds

    def add(place: str, played: Row, took: float) -> None:
        nonlocal kept, spent
        rows[place].append(played)
        spent = row.seconds + took
        if monotonic() - kept >= BEAT:
            kept = monotonic()
            if not _kept(row, rows, spent, heartbeat_at=timezone.now()):
                raise TakenOn

    stretches = _stretches(players, road, stops, rows, f"{genesis}/{row.entry.number}")
    core = min(seconds, SECONDS - row.seconds)
    try:
        if stretches and core > 0:
            # On a busy machine it takes longer than a core works.
            limited_process.run(
                playouts.play_on, campaign.title, stretches, core, 2 * seconds, report=add
            )
    except TakenOn:
        return True
    if spent < SECONDS and any(len(rows[str(stop.move)]) < stop.games for stop in stops):
        return not _kept(row, rows, spent, heartbeat_at=None)
    result = summed(road.moves, stops, decided, rows, seats_in_order(campaign))
    with transaction.atomic():
        if _kept(row, {}, spent, heartbeat_at=None, ended_at=timezone.now(), result=result):
            # Pages that show it are stale now.
            Campaign.objects.filter(pk=campaign.pk).update(forecasts=F("forecasts") + 1)
    return True


def _stretches(
    players: Forecaster,
    road: ReplayedLog,
    stops: Sequence[Stop],
    rows: dict[str, list[Row]],
    name: str,
) -> list[Stretch]:
    """Return the campaigns still to be played from each stop.

    Their seeds follow from `name`.
    """
    stretches = []
    for stop in stops:
        known = rows.setdefault(str(stop.move), [])
        if len(known) < stop.games:
            seeds = [
                sha256(f"{name}/{n}".encode()).hexdigest() for n in range(len(known), stop.games)
            ]
            stretches.append(Stretch(str(stop.move), players.public(road.after(stop.move)), seeds))
    return stretches


def seats_in_order(campaign: Campaign) -> list[str]:
    """Return the seats in the order of their keys, as programs number them."""
    return sorted(positions.seats(campaign))


def _kept(row: Forecast, rows: Mapping[str, Sequence[Row]], seconds: float, **what: Any) -> bool:
    """Store the progress of a forecast; return False if another process has stored more."""
    mine = Forecast.objects.filter(pk=row.pk, done=row.done, ended_at=None)
    done = sum(len(played) for played in rows.values()) if rows else row.done
    if not mine.update(rows=rows, done=done, seconds=seconds, **what):
        return False
    row.done = done
    return True


# Summing up.


def victories(row: Sequence[Sequence[int]]) -> list[float]:
    """Return each seat's part of the victory: 1, a share, or 0.

    `row` has points and rank of each.
    """
    first = sum(rank == 1 for _points, rank in row)
    return [1 / first if rank == 1 else 0.0 for _points, rank in row]


Victories = list[list[float] | None]
"""The victory of each seat in each game; None for a game without an end."""


def summed(
    moves: Sequence[ReplayedMove],
    stops: Sequence[Stop],
    decided: Sequence[int],
    rows: Mapping[str, Sequence[Row]],
    seats: Sequence[str],
) -> dict[str, Any]:
    """Return the forecast of a turn as it is stored.

    `points` are rows of an entry and the chance of each seat, in their order, the last at the end
    of the turn. `ends` are, by seat, the victories and the points below which one, five and nine of
    ten games lie. `swings` are rows of an entry, a seat, and its chance before and after. Chances
    are of 10,000.
    """
    close = stops[0].move
    whole = [None if row is None else victories(row) for row in rows[str(close)]]
    ended = [won for won in whole if won is not None]
    if not ended:
        return {"games": 0, "points": [], "ends": {}, "swings": []}
    won, level = _won_at_stops(stops, rows, whole)
    numbered = {n: _number(moves, n) for n in won}
    points = [[numbered[n], [round(10_000 * chance) for chance in level[n]]] for n in sorted(won)]
    return {
        "games": len(ended),
        "points": points,
        "ends": _ends(seats, rows[str(close)], ended),
        "swings": _swings(moves, decided, won, level, seats),
    }


def _won_at_stops(
    stops: Sequence[Stop], rows: Mapping[str, Sequence[Row]], whole: Victories
) -> tuple[dict[int, Victories], dict[int, list[float]]]:
    """Return the victories and the chances of the seats at each stop with enough games.

    `whole` are the victories at the first stop, the end of the turn.
    """
    close, *others = stops
    ended = [won for won in whole if won is not None]
    level = {close.move: [fmean(column) for column in zip(*ended, strict=True)]}
    won: dict[int, Victories] = {close.move: whole}
    for stop in others:
        here = [None if row is None else victories(row) for row in rows.get(str(stop.move), ())]
        if len(here) >= stop.games or len(here) >= MOST // 4:
            won[stop.move] = here
            level[stop.move] = leaned(here, whole, level[close.move])
    return won, level


def _swings(
    moves: Sequence[ReplayedMove],
    decided: Sequence[int],
    won: Mapping[int, Victories],
    level: Mapping[int, Sequence[float]],
    seats: Sequence[str],
) -> list[list[Any]]:
    """Return the decisions that changed a chance: entry, seat, chance before and after."""
    swings = []
    for n in decided:
        swing = _swing(won[n - 1], won[n]) if n - 1 in won and n in won else None
        if swing is None:
            continue
        place, change = swing
        earlier = level[n - 1][place]
        later = min(1.0, max(0.0, earlier + change))
        swings.append(
            [moves[n].number, seats[place], round(10_000 * earlier), round(10_000 * later)]
        )
    return swings


def _ends(
    seats: Sequence[str], rows: Sequence[Row], ended: Sequence[Sequence[float]]
) -> dict[str, list[float]]:
    """Return the victories and the points of each seat at the end of the turn."""
    ends = {}
    for n, seat in enumerate(seats):
        scores = [row[n][0] for row in rows if row is not None]
        tenths = quantiles(scores, n=10, method="inclusive") if len(scores) > 1 else [scores[0]] * 9
        ends[seat] = [sum(won[n] for won in ended), tenths[0], tenths[4], tenths[-1]]
    return ends


def _number(moves: Sequence[ReplayedMove], n: int) -> int:
    """Return the number of the last public entry up to this move."""
    return next(
        (number for move in reversed(moves[: n + 1]) if (number := move.number) is not None), 0
    )


def _pairs(
    first: Sequence[list[float] | None], second: Sequence[list[float] | None]
) -> tuple[list[list[float]], list[list[float]]]:
    """Return the campaigns of two stops that have the same seed and an end."""
    both = [(a, b) for a, b in zip(first, second, strict=False) if a is not None and b is not None]
    return [a for a, _b in both], [b for _a, b in both]


def leaned(
    here: Sequence[list[float] | None], close: Sequence[list[float] | None], level: Sequence[float]
) -> list[float]:
    """Return the chances at a stop with few campaigns, corrected by those at the end of the turn.

    The end of the turn has many more campaigns. They show by how much the few campaigns with the
    same seeds deviate from the average (a control variate).
    """
    mine, same = _pairs(here, close)
    seats = range(len(level))
    if not mine:
        return list(level)
    means, of = ([fmean(row[n] for row in rows) for n in seats] for rows in (mine, same))
    spread = sum((row[n] - of[n]) ** 2 for row in same for n in seats)
    together = sum(
        (a[n] - means[n]) * (b[n] - of[n]) for a, b in zip(mine, same, strict=True) for n in seats
    )
    beta = together / spread if spread else 0.0
    chances = [max(0.0, means[n] + beta * (level[n] - of[n])) for n in seats]
    return [chance / (sum(chances) or 1.0) for chance in chances]


def _swing(
    before: Sequence[list[float] | None], after: Sequence[list[float] | None]
) -> tuple[int, float] | None:
    """Return the seat whose chance changed most, and by how much.

    Return None if the change is so small that it may be random.
    """
    earlier, later = _pairs(before, after)
    if not earlier:
        return None
    best: tuple[int, float] | None = None
    for n in range(len(earlier[0])):
        changes = [b[n] - a[n] for a, b in zip(earlier, later, strict=True)]
        change = fmean(changes)
        deviation = sqrt(
            max(fmean(difference * difference for difference in changes) - change * change, 0.0)
            / len(changes)
        )
        if abs(change) >= max(LEAST, CERTAIN * deviation) and (
            best is None or abs(change) > abs(best[1])
        ):
            best = n, change
    return best


class Point(NamedTuple):
    """The chances by seat after an entry."""

    entry: int
    chances: Mapping[str, float]


class Chance(NamedTuple):
    """The prospects of a seat: its chance of victory with bounds, and its points.

    One of ten campaigns ends below `low` points, half below `middle`, nine of ten below `high`.
    """

    seat: str
    won: Share
    low: float
    middle: float
    high: float


class Swing(NamedTuple):
    """An entry that changed a seat's chance."""

    entry: int
    seat: str
    before: float
    after: float


class Course(NamedTuple):
    """The forecasts of a campaign over its log.

    `chances` are those after the last turn that has a forecast, the best first; `swings` are the
    largest of all, in the order of the log; `closes` are the turns with the entries that closed
    them; `to_come` says that a later forecast is being made.
    """

    closes: Sequence[tuple[int, int]]
    games: int
    points: Sequence[Point]
    chances: Sequence[Chance]
    swings: Sequence[Swing]
    to_come: bool


def course(campaign: Campaign, turn: int | None = None) -> Course | None:
    """Return the forecasts in force of all turns or of one; None if there is none or it is off."""
    if not shown(campaign):
        return None
    rows = Forecast.objects.filter(entry__campaign=campaign, entry__struck_by=None).select_related(
        "entry"
    )
    if turn is not None:
        rows = rows.filter(entry__turn=turn)
    return _course(list(rows.order_by("entry__sequence")), seats_in_order(campaign))


def _course(rows: Sequence[Forecast], seats: Sequence[str]) -> Course | None:
    """Return the course of these forecasts; None if none has a result."""
    created = [(row, row.result) for row in rows if row.result and not row.failed]
    created = [(row, result) for row, result in created if result["games"]]
    if not created:
        return None
    points = [
        Point(entry, dict(zip(seats, (chance / 10_000 for chance in chances), strict=True)))
        for n, (_row, result) in enumerate(created)
        for entry, chances in points_to_show(result, begins=not n)
    ]
    last, result = created[-1]
    chances = [
        Chance(seat, _shared(won, result["games"]), low, middle, high)
        for seat, (won, low, middle, high) in result["ends"].items()
    ]
    chances.sort(key=lambda chance: (-chance.won.share, -chance.middle, chance.seat))
    swings = [
        Swing(entry, seat, earlier / 10_000, later / 10_000)
        for _row, result in created
        for entry, seat, earlier, later in result["swings"]
    ]
    return Course(
        closes=[(row.entry.turn, row.entry.number or 0) for row, _result in created],
        games=result["games"],
        points=points,
        chances=chances,
        swings=largest(swings),
        to_come=any(
            row.ended_at is None and row.entry.sequence > last.entry.sequence for row in rows
        ),
    )


def points_to_show(result: Mapping[str, Any], *, begins: bool) -> list[Any]:
    """Return the points of a turn that are more than chance.

    They are its end, those before and after a swing, and in the first turn the beginning.
    """
    points, swings = result["points"], {entry for entry, *_rest in result["swings"]}
    return [
        point
        for n, point in enumerate(points)
        if n == len(points) - 1
        or (begins and not n)
        or point[0] in swings
        or points[n + 1][0] in swings
    ]


def _shared(won: float, games: int) -> Share:
    """Return a share of these games, with the exact number of victories."""
    return share(round(won), games)._replace(share=won / games)


def largest(swings: Iterable[Swing]) -> list[Swing]:
    """Return the largest swings, in the order of the log."""
    ordered = sorted(swings, key=lambda swing: -abs(swing.after - swing.before))
    return sorted(ordered[:SWINGS], key=lambda swing: swing.entry)
