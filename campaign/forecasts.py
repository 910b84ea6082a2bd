"""Forecasts: after each turn programs play the campaign to its end, many times, from what everybody
may know of it.

The log stays what it is: a forecast belongs to the entry that closed a turn, and counts as long as
that entry does. Each campaign that is played on has its own seed, of the campaign's first hash, the
number of the entry and its own: the same log gives the same numbers. All positions of a turn are
played on with the same seeds. So a difference between two of them is seen in far fewer campaigns
than each of them alone needs.
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

from campaign import access, limited, played_apart
from campaign.errors import Refused
from campaign.limited import Crowded, LimitExceeded
from campaign.log import entries, positions
from campaign.log.acts.programs import FORECAST, OFF, ON
from campaign.log.positions import Deed, Retold
from campaign.models import Campaign, Forecast, LogEntry
from campaign.played_apart import Stretch
from campaign.playtests import Share, TakenOn, share
from campaign.pulse import error_places
from games.contract.players import Forecaster
from games.registry import TITLES

GAMES = 400
"""Campaigns that are played on from the end of a turn."""
BEFORE_AND_AFTER, MOST = 900, 100
"""Those from before and after the battles of a turn, of all its battles together, and from one
place at most.
"""
SECONDS = 60.0
"""So long one core works at a turn; then it ends with what has been played."""
SLICE = 8.0
"""So many seconds are played at one go; then others have their turn."""
BEAT, SILENCE = 1.0, timedelta(seconds=90)
"""What has been played is kept as often, in seconds; silent for so long, who played it is gone."""
LEAST, CERTAIN = 0.05, 2.5
"""A swing is at least so large, and so many standard deviations, so that none comes of chance
alone.
"""
SWINGS = 4
"""So many swings are shown."""

Row = list[list[int]] | None
logger = logging.getLogger(__name__)


# Who wants one. -----------------------------------------------------------------------------------


def forecaster(title: str) -> Forecaster | None:
    """The programs that can play on; None of a title whose cannot."""
    players = TITLES[title].players if title in TITLES else None
    return players if isinstance(players, Forecaster) else None


def shown(campaign: Campaign) -> bool:
    """Is a forecast made and shown here? As the game master has set it; else not in practice, and
    as the title has it.
    """
    players = forecaster(campaign.title)
    if players is None or campaign.forecast:
        return players is not None and campaign.forecast == ON
    return not campaign.programs and players.forecasts(positions.options(campaign))


def reported(campaign: Campaign) -> bool:
    """Return whether reports have a forecast: the game master has switched it on, and the campaign
    has not ended.
    """
    return campaign.forecast == ON and not campaign.ended and shown(campaign)


@transaction.atomic
def switch(campaign: Campaign, user: Any, on: bool, *, now: datetime | None = None) -> LogEntry:
    """The game master has a forecast made and shown to everybody, or to nobody. Raises
    `Refused`.
    """
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    if forecaster(table.title) is None:
        raise Refused("unknown-title", _("Programs do not play this game."))
    if shown(table) == on:
        raise Refused("no-change", _("The forecast is switched so already."))
    return entries.append_act(
        table, user, {"act": FORECAST.name, "how": ON if on else OFF}, now=now
    )


def note(campaign: Campaign, entry: LogEntry, after: Any) -> bool:
    """Note that a forecast is due where a turn closed with this move; does somebody have to
    play?
    """
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


# How it is made. ----------------------------------------------------------------------------------


def work(pk: int, seconds: float | None = None) -> bool:
    """Play on for so long at the forecasts of a campaign, the latest first; is more left to be
    played?
    """
    campaign = Campaign.objects.filter(pk=pk).first()
    if campaign is None or not shown(campaign):
        return False
    road = Retold(campaign)
    _note_all(campaign, road)
    row = open_rows().filter(entry__campaign=campaign).order_by("-entry__sequence").first()
    if row is None or not _claimed(row):
        return False
    try:
        over = _played(campaign, road, row, SLICE if seconds is None else seconds)
    except (
        OperationalError,
        Crowded,
    ) as error:  # the database or this process is busy: the next pulse goes on
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
    """Return why the last turn has no forecast, in a sentence; empty if it has one or it is in
    progress.
    """
    row = Forecast.objects.filter(entry__campaign=campaign, entry__struck_by=None).select_related(
        "entry"
    )
    last = row.order_by("entry__sequence").last()
    if last is None or not last.failed:
        return ""
    if last.limit == "memory":
        return _(
            "Turn %(turn)s has no forecast: playing this campaign on takes more memory than the"
            " %(most)s MB that the site allows."
        ) % {"turn": last.entry.turn, "most": limited.MEMORY // 2**20}
    if last.limit == "time":
        return _(
            "Turn %(turn)s has no forecast: playing this campaign on takes longer than the %(most)s"
            " seconds that the site allows."
        ) % {"turn": last.entry.turn, "most": f"{limited.SECONDS:g}"}
    return _("Turn %(turn)s has no forecast: it stopped on our side.") % {"turn": last.entry.turn}


def open_rows() -> QuerySet[Forecast]:
    """The forecasts that are still to be made, of entries in force."""
    return Forecast.objects.filter(ended_at=None, entry__struck_by=None)


def resume(now: datetime, most: int) -> int:
    """The pulse: forecasts that nobody works at, and campaigns where one was switched on in their
    course.
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


def _note_all(campaign: Campaign, road: Retold) -> None:
    """Note a forecast for each turn that closed before it was switched on, or came with a
    record.
    """
    players = forecaster(campaign.title)
    assert players is not None
    closed = [
        deed.number
        for deed in road.deeds
        if deed.number is not None and players.closes(deed.effects)
    ]
    known = Forecast.objects.filter(entry__campaign=campaign).values_list(
        "entry__number", flat=True
    )
    for entry in LogEntry.objects.filter(campaign=campaign, number__in=set(closed) - set(known)):
        Forecast.objects.get_or_create(entry=entry, defaults={"asked_at": timezone.now()})


def _claimed(row: Forecast) -> bool:
    free = Q(heartbeat_at=None) | Q(heartbeat_at__lt=timezone.now() - SILENCE)
    return bool(
        Forecast.objects.filter(free, pk=row.pk, ended_at=None).update(heartbeat_at=timezone.now())
    )


class Stop(NamedTuple):
    """A place of the log from which campaigns are played on: after which deed, how many."""

    deed: int
    games: int


def stops_of(
    players: Forecaster, deeds: Sequence[Deed], close: int
) -> tuple[list[Stop], list[int]]:
    """The places of the turn that deed `close` closed, that one first; and the deeds with which
    battles of it ended.
    """
    before = next((n for n in range(close - 1, -1, -1) if players.closes(deeds[n].effects)), -1)
    decided = [
        n
        for n in range(before + 1, close + 1)
        if deeds[n].number is not None and players.decides(deeds[n].effects)
    ]
    places = {place for n in decided for place in (n - 1, n) if place >= 0} | (
        {0} if before < 0 else set()
    )
    places -= {close}
    games = min(MOST, BEFORE_AND_AFTER // max(len(places), 1))
    return [Stop(close, GAMES), *(Stop(place, games) for place in sorted(places))], decided


def _played(campaign: Campaign, road: Retold, row: Forecast, seconds: float) -> bool:
    """Play on for so long; is the forecast whole?"""
    players = forecaster(campaign.title)
    assert players is not None
    close = next((n for n, deed in enumerate(road.deeds) if deed.number == row.entry.number), None)
    if close is None:
        return True  # struck since
    stops, decided = stops_of(players, road.deeds, close)
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
            limited.run(
                played_apart.play_on, campaign.title, stretches, core, 2 * seconds, tell=add
            )
    except TakenOn:
        return True
    if spent < SECONDS and any(len(rows[str(stop.deed)]) < stop.games for stop in stops):
        return not _kept(row, rows, spent, heartbeat_at=None)
    result = summed(road.deeds, stops, decided, rows, positions_seats(campaign))
    with transaction.atomic():
        if _kept(row, {}, spent, heartbeat_at=None, ended_at=timezone.now(), result=result):
            # A page that shows it is another one from now on.
            Campaign.objects.filter(pk=campaign.pk).update(forecasts=F("forecasts") + 1)
    return True


def _stretches(
    players: Forecaster, road: Retold, stops: Sequence[Stop], rows: dict[str, list[Row]], name: str
) -> list[Stretch]:
    """Return the campaigns that are still to be played from each place, with seeds that follow from
    `name`.
    """
    stretches = []
    for stop in stops:
        known = rows.setdefault(str(stop.deed), [])
        if len(known) < stop.games:
            seeds = [
                sha256(f"{name}/{n}".encode()).hexdigest() for n in range(len(known), stop.games)
            ]
            stretches.append(Stretch(str(stop.deed), players.public(road.after(stop.deed)), seeds))
    return stretches


def positions_seats(campaign: Campaign) -> list[str]:
    """The seats in the order of their keys, as programs number them."""
    return sorted(positions.seats(campaign))


def _kept(row: Forecast, rows: Mapping[str, Sequence[Row]], seconds: float, **what: Any) -> bool:
    mine = Forecast.objects.filter(pk=row.pk, done=row.done, ended_at=None)
    done = sum(len(one) for one in rows.values()) if rows else row.done
    if not mine.update(rows=rows, done=done, seconds=seconds, **what):
        return False
    row.done = done
    return True


# What came of it. ---------------------------------------------------------------------------------


def victories(row: Sequence[Sequence[int]]) -> list[float]:
    """What each seat won: 1, or its part of a shared victory. `row` has points and rank of each."""
    first = sum(rank == 1 for _points, rank in row)
    return [1 / first if rank == 1 else 0.0 for _points, rank in row]


Victories = list[list[float] | None]
"""What each seat won in each game; None for a game that came to no end."""


def summed(
    deeds: Sequence[Deed],
    stops: Sequence[Stop],
    decided: Sequence[int],
    rows: Mapping[str, Sequence[Row]],
    seats: Sequence[str],
) -> dict[str, Any]:
    """Return the forecast of a turn as it is kept.

    `points` are rows of an entry and the chance of each seat, in their order, the last at the end
    of the turn. `ends` are, by seat, the victories and the points below which one, five and nine of
    ten games lie. `swings` are rows of an entry, a seat, and its chance before and after. Chances
    are of 10,000.
    """
    close = stops[0].deed
    whole = [None if row is None else victories(row) for row in rows[str(close)]]
    ended = [won for won in whole if won is not None]
    if not ended:
        return {"games": 0, "points": [], "ends": {}, "swings": []}
    won, level = _won_at_stops(stops, rows, whole)
    numbered = {n: _number(deeds, n) for n in won}
    points = [[numbered[n], [round(10_000 * chance) for chance in level[n]]] for n in sorted(won)]
    return {
        "games": len(ended),
        "points": points,
        "ends": _ends(seats, rows[str(close)], ended),
        "swings": _swings(deeds, decided, won, level, seats),
    }


def _won_at_stops(
    stops: Sequence[Stop], rows: Mapping[str, Sequence[Row]], whole: Victories
) -> tuple[dict[int, Victories], dict[int, list[float]]]:
    """Return the victories and the chances of the seats at each stop with enough games.

    `whole` are the victories at the first stop, the end of the turn.
    """
    close, *others = stops
    ended = [won for won in whole if won is not None]
    level = {close.deed: [fmean(column) for column in zip(*ended, strict=True)]}
    won: dict[int, Victories] = {close.deed: whole}
    for stop in others:
        here = [None if row is None else victories(row) for row in rows.get(str(stop.deed), ())]
        if len(here) >= stop.games or len(here) >= MOST // 4:
            won[stop.deed] = here
            level[stop.deed] = leaned(here, whole, level[close.deed])
    return won, level


def _swings(
    deeds: Sequence[Deed],
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
        was = level[n - 1][place]
        now = min(1.0, max(0.0, was + change))
        swings.append([deeds[n].number, seats[place], round(10_000 * was), round(10_000 * now)])
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


def _number(deeds: Sequence[Deed], n: int) -> int:
    """The number of the last entry up to this deed that everybody sees."""
    return next(
        (number for deed in reversed(deeds[: n + 1]) if (number := deed.number) is not None), 0
    )


def _pairs(
    one: Sequence[list[float] | None], other: Sequence[list[float] | None]
) -> tuple[list[list[float]], list[list[float]]]:
    """Those campaigns of the two places that have the same seed and came to an end."""
    both = [(a, b) for a, b in zip(one, other, strict=False) if a is not None and b is not None]
    return [a for a, _b in both], [b for _a, b in both]


def leaned(
    here: Sequence[list[float] | None], close: Sequence[list[float] | None], level: Sequence[float]
) -> list[float]:
    """The chances at a place with few campaigns, leaning on the end of the turn, where many show by
    how much those with the same seeds are off (a control variate).
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
    """The seat whose chance changed most, and by how much; None where chance alone may have done
    it.
    """
    was, now = _pairs(before, after)
    if not was:
        return None
    best: tuple[int, float] | None = None
    for n in range(len(was[0])):
        changes = [b[n] - a[n] for a, b in zip(was, now, strict=True)]
        change = fmean(changes)
        deviation = sqrt(
            max(fmean(one * one for one in changes) - change * change, 0.0) / len(changes)
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
    """How a seat may end: its chance of victory with its bounds, and its points: one of ten ends
    below `low`, half below `middle`, nine of ten below `high`.
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
    """The forecast over the log: `chances` after the last turn that has one, the best first;
    `swings` the largest of all, in the order of the log. `closes` are the turns with the entries
    that closed them; `to_come` says that a later one is being made.
    """

    closes: Sequence[tuple[int, int]]
    games: int
    points: Sequence[Point]
    chances: Sequence[Chance]
    swings: Sequence[Swing]
    to_come: bool


def course(campaign: Campaign, turn: int | None = None) -> Course | None:
    """The forecasts in force of all turns, or of one alone; None where there is none, or it is
    switched off.
    """
    if not shown(campaign):
        return None
    rows = Forecast.objects.filter(entry__campaign=campaign, entry__struck_by=None).select_related(
        "entry"
    )
    if turn is not None:
        rows = rows.filter(entry__turn=turn)
    return _course(list(rows.order_by("entry__sequence")), positions_seats(campaign))


def _course(rows: Sequence[Forecast], seats: Sequence[str]) -> Course | None:
    created = [(row, row.result) for row in rows if row.result and not row.failed]
    created = [(row, result) for row, result in created if result["games"]]
    if not created:
        return None
    points = [
        Point(entry, dict(zip(seats, (one / 10_000 for one in chances), strict=True)))
        for n, (_row, result) in enumerate(created)
        for entry, chances in told_points(result, begins=not n)
    ]
    last, result = created[-1]
    chances = [
        Chance(seat, _shared(won, result["games"]), low, middle, high)
        for seat, (won, low, middle, high) in result["ends"].items()
    ]
    chances.sort(key=lambda one: (-one.won.share, -one.middle, one.seat))
    swings = [
        Swing(entry, seat, was / 10_000, now / 10_000)
        for _row, one in created
        for entry, seat, was, now in one["swings"]
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


def told_points(result: Mapping[str, Any], *, begins: bool) -> list[Any]:
    """The points of a turn that are more than chance: its end, what lies before and after a swing,
    and in the first turn where it begins.
    """
    points, swings = result["points"], {entry for entry, *_rest in result["swings"]}
    return [
        one
        for n, one in enumerate(points)
        if n == len(points) - 1
        or (begins and not n)
        or one[0] in swings
        or points[n + 1][0] in swings
    ]


def _shared(won: float, games: int) -> Share:
    return share(round(won), games)._replace(share=won / games)


def largest(swings: Iterable[Swing]) -> list[Swing]:
    """The largest, in the order of the log."""
    ordered = sorted(swings, key=lambda one: -abs(one.after - one.before))
    return sorted(ordered[:SWINGS], key=lambda one: one.entry)
