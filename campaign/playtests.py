"""Play-tests: programs play many campaigns of a scenario in the background.

The results are kept under the text of the scenario.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from math import sqrt
from statistics import fmean, quantiles
from time import monotonic
from typing import Any, NamedTuple

from django.db import OperationalError
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import limited_process, playouts
from campaign.errors import Refused
from campaign.limited_process import LimitExceeded, TooManyChildren
from campaign.log import entries
from campaign.models import Playtest
from campaign.pulse import error_places
from engine.errors import MalformedRecord
from engine.strict_json import canonical, read
from games.contract.players import WithBalance
from games.registry import TITLES

GAMES = 200
"""The number of campaigns in a play-test."""
PLAYER = "steady"
KEPT_AS = "bold"
"""The name that `PLAYER` had in the first play-tests, so that their digests and results still
count.
"""
SLICE = 10.0
"""The seconds of one run. Then other play-tests have their turn."""
LONGEST = 900
"""The seconds after which it ends with what has been played."""
BEAT, SILENCE = 1.0, timedelta(seconds=90)
"""Results are stored every BEAT seconds. A worker that is silent for SILENCE is gone."""

logger = logging.getLogger(__name__)


def testable(title: str) -> bool:
    """Return whether programs can play campaigns of a title for a play-test."""
    return title in TITLES and isinstance(TITLES[title].players, WithBalance)


def digest_of(title: str, scenario: Mapping[str, Any], games: int, player: str = KEPT_AS) -> str:
    """Return the digest that identifies a play-test.

    The key and the name of the scenario do not count, because they do not change how it plays.
    """
    bare = {key: value for key, value in scenario.items() if key not in ("key", "name")}
    return sha256(
        canonical({"title": title, "scenario": bare, "player": player, "games": games}).encode()
    ).hexdigest()


def playtest_of(title: str, scenario: Mapping[str, Any]) -> Playtest | None:
    """Return the play-test of this scenario, running or done; None if there is none."""
    return Playtest.objects.filter(digest=digest_of(title, scenario, GAMES)).first()


def ask(
    title: str, scenario: Mapping[str, Any], *, now: datetime | None = None
) -> tuple[Playtest, bool]:
    """Return the play-test of a scenario, and whether it must be played now.

    Raises `Refused` for a scenario that cannot be played.
    """
    if not testable(title):
        raise Refused("unknown-title", _("No programs play this game."))
    try:
        TITLES[title].scenario(read(canonical(scenario)))
    except MalformedRecord as wrong:
        raise Refused(
            "faulty", _("Correct the errors in the scenario first: %(why)s.") % {"why": wrong}
        ) from None
    row, new = Playtest.objects.get_or_create(
        digest=digest_of(title, scenario, GAMES),
        defaults={
            "title": title,
            "scenario": canonical(scenario),
            "player": PLAYER,
            "games": GAMES,
            "asked_at": entries.moment(now),
        },
    )
    if row.failed:  # The next attempt may succeed.
        Playtest.objects.filter(pk=row.pk).update(
            failed=False, limit="", ended_at=None, heartbeat_at=None
        )
        row.refresh_from_db()
        new = True
    return row, new


def work(pk: int, seconds: float | None = None) -> bool:
    """Work on a play-test for so long; return whether more is left.

    Does nothing if another process works on it.
    """
    row = Playtest.objects.filter(pk=pk, ended_at=None).first()
    if row is None or not _claimed(row):
        return False
    try:
        return _played(row, SLICE if seconds is None else seconds)
    except (
        OperationalError,
        TooManyChildren,
    ) as error:  # The database or this process is busy; the next pulse continues.
        logger.warning("Play-test %d: %s", pk, error_places(error))
    except LimitExceeded as refused:
        logger.warning("Play-test %d exceeds a limit: %s", pk, refused.code)
        _stop(pk, refused.limit)
    except Exception as error:
        logger.error("Play-test %d: %s", pk, error_places(error))
        _stop(pk)
    return False


def _stop(pk: int, limit: str = "") -> None:
    """End a play-test that cannot continue, and store the limit that it has exceeded, if any."""
    Playtest.objects.filter(pk=pk).update(failed=True, limit=limit, ended_at=timezone.now())


def why_stopped(row: Playtest) -> str:
    """Return why a play-test has stopped early, in a sentence; empty if it has not."""
    if row.limit == "memory":
        return _(
            "The play-test was stopped: a campaign of this scenario takes more memory than the"
            " %(most)s MB that the site allows. Make the scenario smaller or simpler."
        ) % {"most": limited_process.MEMORY // 2**20}
    if row.limit == "time":
        return _(
            "The play-test was stopped: a campaign of this scenario takes longer than the %(most)s"
            " seconds that the site allows. Make the scenario smaller or simpler."
        ) % {"most": f"{limited_process.SECONDS:g}"}
    return _("An error on our side stopped the play-test.") if row.failed else ""


def _claimed(row: Playtest) -> bool:
    """Return whether this process may work on a play-test, and claim it."""
    free = Q(heartbeat_at=None) | Q(heartbeat_at__lt=timezone.now() - SILENCE)
    return bool(
        Playtest.objects.filter(free, pk=row.pk, ended_at=None).update(heartbeat_at=timezone.now())
    )


class TakenOn(Exception):
    """Work that another process has taken over."""


def _played(row: Playtest, seconds: float) -> bool:
    """Play campaigns and store their results; return whether more are left."""
    scenario, rows = json.loads(row.scenario), list(row.rows)
    begun = kept = monotonic()
    spent = row.seconds

    def add(played: Any) -> None:
        nonlocal kept
        rows.append(played)
        at = monotonic()
        if at - kept >= BEAT:
            kept = at
            if not _kept(row, rows, spent + round(at - begun), heartbeat_at=timezone.now()):
                raise TakenOn

    left = min(seconds, LONGEST - spent)
    try:
        if len(rows) < row.games and spent < LONGEST:
            numbers = range(len(rows), row.games)
            limited_process.run(
                playouts.balance, row.title, scenario, PLAYER, numbers, left, report=add
            )
    except TakenOn:
        return False
    took = spent + round(monotonic() - begun)
    over = len(rows) >= row.games or took >= LONGEST
    still = _kept(row, rows, took, heartbeat_at=None, ended_at=timezone.now() if over else None)
    return still and not over


def _kept(row: Playtest, rows: list[Any], seconds: int, **what: Any) -> bool:
    """Store the progress of a play-test; return False if another process has stored more."""
    mine = Playtest.objects.filter(pk=row.pk, done=row.done, ended_at=None)
    if not mine.update(rows=rows, done=len(rows), seconds=seconds, **what):
        return False
    row.done = len(rows)
    return True


def resume(now: datetime) -> int:
    """Continue a play-test that no process works on; return how many."""
    waits = Q(heartbeat_at=None, asked_at__lt=now - SILENCE) | Q(heartbeat_at__lt=now - SILENCE)
    pk = (
        Playtest.objects.filter(waits, ended_at=None)
        .order_by("pk")
        .values_list("pk", flat=True)
        .first()
    )
    if pk is None:
        return 0
    work(pk)
    return 1


# Summing up.


class Share(NamedTuple):
    """A share of all campaigns: the number of victories and the 95% interval (Wilson)."""

    wins: int
    share: float
    low: float
    high: float

    def beside(self, even: float) -> int:
        """Return 1 if it is surely above the even share, -1 if surely below, otherwise 0."""
        return int(self.low > even) - int(self.high < even)


class Balance(NamedTuple):
    """The results of a nation.

    `low` and `high` enclose eight of ten results in points; `begins` and `ends` are its provinces;
    `fell` says how often it was eliminated.
    """

    key: str
    won: Share
    mean: float
    low: float
    high: float
    begins: int
    ends: float
    fell: int


class Result(NamedTuple):
    """The results of a play-test: nations by wins, and opening places in their order.

    `even` is the share of each nation if all were equal; a `shared` victory counts for each winner.
    """

    games: int
    nations: list[Balance]
    places: list[Share]
    even: float
    shared: int
    battles: float
    unfinished: int


def share(wins: int, games: int) -> Share:
    """Return the share of so many wins, with its interval."""
    z, p = 1.96, wins / games
    middle, half = (
        p + z * z / (2 * games),
        z * sqrt(p * (1 - p) / games + z * z / (4 * games * games)),
    )
    whole = 1 + z * z / games
    return Share(wins, p, max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole))


def result(row: Playtest) -> Result | None:
    """Return the results of the campaigns played so far; None before there are any."""
    scenario, rows = json.loads(row.scenario), row.rows
    played = [row for row in rows if row is not None]
    games = len(played)
    if not games:
        return None
    keys = sorted(nation["key"] for nation in scenario["nations"])
    owned = [province["owner"] for province in scenario["provinces"]]
    nations = []
    for n, key in enumerate(keys):
        mine = [nations_of[n] for _battles, nations_of in played]
        points = sorted(nation[0] for nation in mine)
        tenths = quantiles(points, n=10, method="inclusive") if games > 1 else [points[0]] * 9
        won = share(sum(nation[1] == 1 for nation in mine), games)
        nations.append(
            Balance(
                key,
                won,
                fmean(points),
                tenths[0],
                tenths[-1],
                owned.count(key),
                fmean(nation[2] for nation in mine),
                sum(nation[3] for nation in mine),
            )
        )
    by_place = [0] * len(keys)
    winners = 0
    shared = 0
    for _battles, nations_of in played:
        first = [nation for nation in nations_of if nation[1] == 1]
        shared += len(first) > 1
        winners += len(first)
        for winner in first:
            by_place[winner[4] - 1] += 1
    nations.sort(key=lambda nation: (-nation.won.wins, -nation.mean, nation.key))
    return Result(
        games,
        nations,
        [share(wins, games) for wins in by_place],
        winners / games / len(keys),
        shared,
        fmean(battles for battles, _nations in played),
        len(rows) - games,
    )
