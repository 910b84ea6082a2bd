"""The command `manage.py simulate`, which lets programs play many games and counts the results.

It needs only the standard library and no database. Game n has the seed `SEED/n`, for the dice and
for the program's own chance. The result depends only on the seed and the number of games, not on
the number of processes nor on the order in which they finish.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import sqrt
from multiprocessing import Pool
from pathlib import Path
from random import Random
from statistics import fmean, median, quantiles
from typing import Any, NamedTuple, TextIO
from xml.sax.saxutils import escape

from engine.dice import Dice
from engine.errors import MalformedRecord
from engine.play import perform
from games.contract.players import (
    End,
    Forecaster,
    Opponents,
    Players,
    Rank,
    WithGrades,
    WithTournaments,
)
from games.dead_ends import Course, course, lines_of_courses, tables
from games.registry import TITLES

BATCH = 25
"""Games that a process plays before it reports."""
GAMES = 10_000
"""The default number of games."""
TOURNAMENT = 600
"""The default number of games for each pair of programs."""
DEAD_ENDS = 1_000
"""The default number of games that are checked for dead ends."""
PLAYED_ON = 100
"""The default number of games that continue from each position whose forecast is measured."""
MOST_MOVES = 50_000
"""The most moves of a game; also the limit of a record."""


def players_of(key: str) -> Players:
    """Return the programs of a title, which must have some."""
    players = TITLES[key].players
    assert players is not None
    return players


def playable() -> list[str]:
    """Return the keys of the titles that programs can play."""
    return sorted(key for key, title in TITLES.items() if title.players is not None)


def play(key: str, player: str, seed: str, options: Any = None, scenario_key: str = "") -> End:
    """Play a game from its seed to its end.

    The default scenario is the first that the title ships.
    """
    title, players = TITLES[key], players_of(key)
    shipped = title.scenarios()
    scenario, options = (
        title.scenario(shipped[scenario_key or next(iter(shipped))]),
        title.options(options or {}),
    )
    position, dice = title.setup(scenario, options), Dice(title.last_link(scenario), seed=seed)
    choose, decode = players.by_name[player], title.decode
    # The program's own chance is no secret; the game's dice come from `Dice`.
    rng = Random(seed)
    for _ in range(MOST_MOVES):
        raw = choose(position, rng)
        if raw is None:
            break
        perform(position, decode(raw, position), dice)
        dice.thrown.clear()
    return players.end(position, position.effects)


class Tally:
    """The totals of many games. The order in which they are added does not matter."""

    def __init__(self, key: str) -> None:
        self.labels = players_of(key).labels
        self.games = 0
        self.results: Counter[str] = Counter()
        self.causes: Counter[tuple[str, str]] = Counter()
        self.numbers: dict[str, Counter[int]] = {}
        self.points: Counter[str] = Counter()

    def add(self, end: End) -> None:
        self.games += 1
        self.results[end.result] += 1
        self.causes[end.result, end.cause] += 1
        for name, value in end.numbers.items():
            self.numbers.setdefault(name, Counter())[value] += 1
        self.points.update(end.shares)

    def share(self, name: str) -> float:
        """Return the part of a key (`kind-…`) in the points of all keys of its kind."""
        kind = name.partition("-")[0] + "-"
        return self.points[name] / (
            sum(n for other, n in self.points.items() if other.startswith(kind)) or 1
        )

    def to_json(self) -> dict[str, Any]:
        """Return the totals as JSON values. Shares are parts of all games."""
        results = {
            result: {
                "games": count,
                "share": count / self.games,
                "causes": {
                    cause: n
                    for (ended, cause), n in sorted(self.causes.items())
                    if ended == result and cause
                },
            }
            for result, count in sorted(self.results.items())
        }
        facts = {
            "games": self.games,
            "results": results,
            "numbers": {name: _spread(c) for name, c in self.numbers.items()},
        }
        return facts | (
            {"shares": {name: self.share(name) for name in self.points}} if self.points else {}
        )

    def lines(self) -> Iterator[str]:
        """Yield the totals as a text table."""
        for result, count in self.results.most_common():
            yield f"{self._label(result):<24}{count / self.games:>8.1%}{count:>9,}"
            for (ended, cause), n in self.causes.most_common():
                if ended == result and cause:
                    yield f"  {self._label(cause):<22}{n / self.games:>8.1%}{n:>9,}"
        if self.numbers:
            yield ""
            yield (
                f"{'':<24}{'mean':>8}{'least':>8}{'quarter':>9}"
                f"{'median':>8}{'quarter':>9}{'most':>8}"
            )
        for name, counts in self.numbers.items():
            s = _spread(counts)
            low, high = (s[at] for at in ("lower_quartile", "upper_quartile"))
            yield (
                f"{self._label(name):<24}{s['mean']:>8.1f}{s['least']:>8}{low:>9g}"
                f"{s['median']:>8g}{high:>9g}{s['most']:>8}"
            )
        yield from table(self.charts())

    def charts(self) -> list[Chart]:
        """Return the shares by kind; empty if the title counts none."""
        return charts({name: self.share(name) for name in self.points}, self.labels, self.labels)

    def _label(self, key: str) -> str:
        return self.labels.get(key, key)


def _spread(counts: Counter[int]) -> dict[str, float]:
    values = sorted(counts.elements())
    low, _, high = quantiles(values, method="inclusive") if len(values) > 1 else values * 3
    middle = median(values)
    return {
        "mean": round(fmean(values), 3),
        "least": values[0],
        "lower_quartile": low,
        "median": middle,
        "upper_quartile": high,
        "most": values[-1],
    }


# The command --------------------------------------------------------------------------------------


def _batch(asked: tuple[str, str, str, Any, str, int, int]) -> list[End]:
    key, player, seed, options, scenario, first, last = asked
    return [play(key, player, f"{seed}/{n}", options, scenario) for n in range(first, last)]


def _ignore_interrupts() -> None:
    """Ignore interrupts in a worker process: the main process handles them and ends the workers."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


class Progress:
    """The progress on standard error.

    On a terminal it is a single line that is rewritten, otherwise a line after every tenth of the
    games.
    """

    def __init__(self, games: int, stream: TextIO) -> None:
        self.games, self.stream = games, stream
        self.live = stream.isatty()
        self.tenth = 0
        self.began = self.content = time.monotonic()

    def show(self, done: int) -> None:
        now = time.monotonic()
        line = f"{done:,} of {self.games:,} games, {now - self.began:.0f} s"
        if self.live and (now - self.content > 0.1 or done == self.games):
            self.content = now
            print(f"\r{line}", end="\n" if done == self.games else "", file=self.stream, flush=True)
        elif not self.live and done * 10 // self.games > self.tenth:
            self.tenth = done * 10 // self.games
            print(line, file=self.stream, flush=True)


def simulate(
    key: str,
    player: str,
    seed: str,
    games: int,
    processes: int = 1,
    options: Any = None,
    scenario: str = "",
) -> tuple[Tally, bool]:
    """Return the totals of games 0 to `games` - 1, and whether all of them were played.

    An interrupt ends the run with the games counted so far.
    """
    tally, progress = Tally(key), Progress(games, sys.stderr)
    work = [
        (key, player, seed, options, scenario, first, min(first + BATCH, games))
        for first in range(0, games, BATCH)
    ]
    try:
        if processes == 1:
            _gather(map(_batch, work), tally, progress)
        else:
            with Pool(processes, _ignore_interrupts) as pool:
                _gather(pool.imap_unordered(_batch, work), tally, progress)
    except KeyboardInterrupt:
        if progress.live:
            print(file=sys.stderr)
        return tally, False
    return tally, True


def _gather(batches: Iterator[list[End]], tally: Tally, progress: Progress) -> None:
    for ends in batches:
        for end in ends:
            tally.add(end)
        progress.show(tally.games)


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def main(arguments: list[str]) -> int:
    """Run the command. The exit status is 130 if it was interrupted, with the result so far."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    if asked.battles:
        return _battles(parser, asked)
    if asked.tournament:
        return _checked_tournament(parser, asked)
    if asked.dead_ends:
        return _dead_ends(parser, asked)
    if asked.calibration:
        if not isinstance(players_of(asked.title), Forecaster):
            parser.error("--calibration: this game has no forecast")
        return _calibration(asked)
    return _games(parser, asked)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="manage.py simulate", description="Let programs play many games."
    )
    parser.add_argument("title", choices=playable(), help="the game")
    parser.add_argument(
        "--games",
        type=_count,
        metavar="N",
        help=f"number of games (default {GAMES}; for a title with difficulties, 200 of each)",
    )
    parser.add_argument(
        "--player", metavar="NAME", help="the program that plays: " + ", ".join(_names())
    )
    parser.add_argument(
        "--seed",
        default="tabula",
        metavar="TEXT",
        help="seed of the games; the same seed gives the same games (default tabula)",
    )
    parser.add_argument(
        "--processes",
        type=_count,
        default=os.cpu_count() or 1,
        metavar="N",
        help="number of processes that share the work",
    )
    parser.add_argument(
        "--options", type=json.loads, metavar="JSON", help="the options of the game, as in a record"
    )
    parser.add_argument(
        "--scenario", default="", metavar="KEY", help="a built-in scenario (default: the first)"
    )
    parser.add_argument("--json", action="store_true", help="print the result as JSON")
    parser.add_argument(
        "--picture",
        metavar="FILE.svg",
        help="draw a picture of the shares of the points; with --options",
    )
    parser.add_argument(
        "--battles",
        metavar="FILE.svg",
        help="draw a picture of the results of simulated battles (docs/contribute/battle-model.md)",
    )
    parser.add_argument(
        "--tournament",
        action="store_true",
        help="let each program play against every other program, or against --player",
    )
    parser.add_argument(
        "--dead-ends",
        action="store_true",
        help="check that each game ends and that its seats always have a move; programs share the"
        " seats by chance, those named in --player, separated by commas, or all",
    )
    calibration = (
        "compare the forecast with the results of N campaigns; --games sets how many games"
        f" continue from one turn of each (default {PLAYED_ON})"
    )
    parser.add_argument("--calibration", type=_count, metavar="N", help=calibration)
    return parser


def _battles(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> int:
    """Draw the ends of battles that are not played out on a table."""
    players = players_of(asked.title)
    if not hasattr(players, "fights"):
        parser.error("--battles: this game has no battle model")
    picture = battles_svg(players.fights, asked.games or GAMES, asked.seed)
    Path(asked.battles).write_text(picture, "utf-8")
    return 0


def _checked_tournament(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> int:
    players = players_of(asked.title)
    if not isinstance(players, WithTournaments):
        parser.error("--tournament: the programs of this game cannot play against each other")
    if asked.player:
        _must_be_known(parser, asked.title, asked.player)
    return _tournament(asked)


def _must_be_known(parser: argparse.ArgumentParser, title: str, player: str) -> None:
    names = players_of(title).by_name
    if player not in names:
        parser.error(f"--player must be one of {', '.join(names)}")


def _check_table(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> None:
    """Refuse options and a scenario that the title does not have."""
    try:
        TITLES[asked.title].options(asked.options or {})
    except MalformedRecord as error:
        parser.error(f"--options: {error}")
    if asked.scenario and asked.scenario not in TITLES[asked.title].scenarios():
        parser.error(f"--scenario must be one of {', '.join(TITLES[asked.title].scenarios())}")


def _games(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> int:
    """Play games with the same options, or of each difficulty of the title."""
    players = players_of(asked.title)
    player = asked.player or next(iter(players.by_name))
    _must_be_known(parser, asked.title, player)
    _check_table(parser, asked)
    if asked.options is None and isinstance(players, WithGrades):
        if asked.picture:
            parser.error("--picture: name the table with --options")
        return _grades(players, player, asked)
    games = asked.games or GAMES
    if asked.picture and "shares" not in players.labels:
        parser.error("--picture: this game does not count shares of points")
    tally, whole = simulate(
        asked.title, player, asked.seed, games, asked.processes, asked.options, asked.scenario
    )
    if asked.json:
        print(json.dumps({**_head(asked, player, games), **tally.to_json()}, indent=1))
    elif tally.games:
        print(
            f"{asked.scenario or TITLES[asked.title].name}: {tally.games:,} games by the player"
            f" “{player}”, seed “{asked.seed}”"
        )
        print(*tally.lines(), sep="\n")
    if asked.picture:
        _draw(asked, player, tally)
    return _status(whole=whole)


def _head(asked: argparse.Namespace, player: str, games: int) -> dict[str, Any]:
    return {"title": asked.title, "player": player, "seed": asked.seed, "asked": games}


def _status(*, whole: bool) -> int:
    return 0 if whole else 130


def _draw(asked: argparse.Namespace, player: str, tally: Tally) -> None:
    title = f"{TITLES[asked.title].name}: {players_of(asked.title).labels['shares']}"
    note = (
        f"{tally.games:,} games by the player “{player}”, seed “{asked.seed}”; the line is an equal"
        " share"
    )
    Path(asked.picture).write_text(svg(title, note, tally.charts()), "utf-8")


def _grades(players: WithGrades, player: str, asked: argparse.Namespace) -> int:
    """Play each difficulty, and show the frequency of each result and the means of the numbers."""
    games = asked.games or players.games
    tallies: dict[str, Tally] = {}
    whole = True
    for grade, options in players.grades.items():
        tally, whole = simulate(asked.title, player, asked.seed, games, asked.processes, options)
        if tally.games:
            tallies[grade] = tally
        if not whole:
            break
    if asked.json:
        grades = {grade: tally.to_json() for grade, tally in tallies.items()}
        print(json.dumps({**_head(asked, player, games), "grades": grades}, indent=1))
        return _status(whole=whole)
    words = players_of(asked.title).labels
    kind = words.get("grade", "difficulty")
    print(
        f"{TITLES[asked.title].name}: {games:,} of each {kind} by the player “{player}”, seed"
        f" “{asked.seed}”"
    )
    print(*_lines_of_results(tallies, words, kind), sep="\n")
    shares = _lines_of_shares(tallies, words)
    if shares:
        print("", *shares, sep="\n")
    return _status(whole=whole)


def _lines_of_results(
    tallies: Mapping[str, Tally], words: Mapping[str, str], kind: str
) -> Iterator[str]:
    """Yield a table of the results and the means of the numbers, a line for each difficulty."""
    names = list(dict.fromkeys(name for tally in tallies.values() for name in tally.numbers))
    labels = [words.get(name, name) for name in names]
    came = {result for tally in tallies.values() for result in tally.results}
    results = ["won"] if came <= {"won", "lost", "unfinished"} else sorted(came)
    heads = "".join(f"{result:>8}" for result in results)
    yield f"{kind:<12}{'games':>7}{heads}" + "".join(
        f"{label:>{len(label) + 3}}" for label in labels
    )
    for grade, tally in tallies.items():
        means = [_spread(tally.numbers[name])["mean"] for name in names]
        columns = "".join(
            f"{mean:>{len(label) + 3}.1f}" for mean, label in zip(means, labels, strict=True)
        )
        shares = "".join(f"{tally.results[result] / tally.games:>8.1%}" for result in results)
        yield f"{grade:<12}{tally.games:>7,}{shares}{columns}"


def _lines_of_shares(tallies: Mapping[str, Tally], words: Mapping[str, str]) -> list[str]:
    """Return a table of the shares of the points; empty if the title counts none."""
    shared = [name for name in words if any(tally.points[name] for tally in tallies.values())]
    if not shared:
        return []
    head = f"{words.get('shares', ''):<32}" + "".join(f"{grade:>12}" for grade in tallies)
    return [
        head,
        *(
            f"{words[name]:<32}"
            + "".join(f"{tally.share(name):>12.1%}" for tally in tallies.values())
            for name in shared
        ),
    ]


def _contest(asked: tuple[str, str, str, int, str]) -> Rank:
    key, hero, others, games, seed = asked
    players: Any = players_of(key)
    rank: Rank = players.tournament(hero, others, games, seed)
    return rank


def _tournament(asked: argparse.Namespace) -> int:
    """Play each program against each other program, or against the program asked for.

    The result is how often a program came first, and its mean rank.
    """
    players = players_of(asked.title)
    names = [
        name
        for name in players.by_name
        if not isinstance(players, Opponents) or name in players.levels
    ]
    games = asked.games or TOURNAMENT
    pairs = [
        (hero, others)
        for hero in names
        for others in ([asked.player] if asked.player else names)
        if hero != others
    ]
    work = [(asked.title, hero, others, games, asked.seed) for hero, others in pairs]
    with Pool(asked.processes, _ignore_interrupts) as pool:
        ranks = pool.map(_contest, work, chunksize=1)
    if asked.json:
        rows = [
            {"one": hero, "among": others, **rank._asdict()}
            for (hero, others), rank in zip(pairs, ranks, strict=True)
        ]
        print(json.dumps({"title": asked.title, "seed": asked.seed, "rows": rows}, indent=1))
        return 0
    print(f"{TITLES[asked.title].name}: {games:,} games each, seed “{asked.seed}”")
    print(f"{'one':<12}{'among':<12}{'first':>8}{'mean rank':>12}")
    for (hero, others), rank in zip(pairs, ranks, strict=True):
        print(f"{hero:<12}{others:<12}{rank.first:>8.1%}{rank.mean:>12.2f}")
    return 0


def _course(asked: tuple[str, tuple[str, ...], str, Mapping[str, Any], str]) -> Course:
    return course(*asked)


def _dead_ends(parser: argparse.ArgumentParser, asked: argparse.Namespace) -> int:
    """Play games and report those with a dead end; the exit status is 1 if there are any."""
    _check_table(parser, asked)
    known = players_of(asked.title).by_name
    programs = tuple(asked.player.split(",")) if asked.player else tuple(known)
    for program in programs:
        _must_be_known(parser, asked.title, program)
    options = tables(asked.title) if asked.options is None else [asked.options]
    games = asked.games or DEAD_ENDS
    work = [
        (asked.title, programs, f"{asked.seed}/{n}", options[n % len(options)], asked.scenario)
        for n in range(games)
    ]
    progress, courses = Progress(games, sys.stderr), list[Course]()
    with Pool(asked.processes, _ignore_interrupts) as pool:
        for played in pool.imap(_course, work):
            courses.append(played)
            progress.show(len(courses))
    names = ", ".join(programs)
    print(f"{TITLES[asked.title].name}: played by {names}, seed “{asked.seed}”")
    print(*lines_of_courses(courses), sep="\n")
    return int(any(played.fault for played in courses))


# Check of the forecast: how many seats win among those given a certain chance, and how many end
# with points in the predicted range.


class ForecastResult(NamedTuple):
    """The forecast for a seat after a turn, and its result.

    `won` is the part of the victory if several seats share it. `within`: the final points lay in
    the range that was forecast with a probability of 80%.
    """

    turn: int
    chance: float
    won: float
    within: bool


def forecast_results(key: str, seed: str, games: int, place: int) -> list[ForecastResult]:
    """Play a campaign from its seed; return its forecasts after one turn, with their results.

    `place` selects the turn: successive places go through the turns in order.
    """
    players = players_of(key)
    assert isinstance(players, Forecaster)
    *turns, end = players.course(seed)
    final = players.play_on(end, seed)  # the campaign is over: this only counts
    if final is None:
        return []
    turn = place % len(turns) + 1
    public = players.public(turns[turn - 1])
    ends = [players.play_on(public, f"{seed}/{turn}/{n}") for n in range(games)]
    played = [end for end in ends if end is not None]
    rows: list[ForecastResult] = []
    for seat, (points, _rank) in enumerate(final):
        low, high = middle_range([ranks[seat][0] for ranks in played])
        chance = fmean(share_of_victory(ranks, seat) for ranks in played)
        rows.append(
            ForecastResult(turn, chance, share_of_victory(final, seat), low <= points <= high)
        )
    return rows


def share_of_victory(end: Sequence[Sequence[int]], seat: int) -> float:
    """Return the part of the victory that a seat won: 1, or less if seats share it.

    `end` has points and rank of each seat.
    """
    first = sum(rank == 1 for _points, rank in end)
    return 1 / first if end[seat][1] == 1 else 0.0


def middle_range(points: Sequence[int]) -> tuple[float, float]:
    """Return the range in which eight of ten values lie."""
    parts = quantiles(points, n=10, method="inclusive") if len(points) > 1 else [points[0]] * 9
    return parts[0], parts[-1]


def confidence_interval(share: float, of: int) -> tuple[float, float]:
    """Return the 95% confidence interval of a share that was found in `of` cases (Wilson)."""
    z = 1.96
    middle, whole = share + z * z / (2 * of), 1 + z * z / of
    half = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def _forecast_results(asked: tuple[str, str, int, int]) -> list[ForecastResult]:
    return forecast_results(*asked)


def _calibration(asked: argparse.Namespace) -> int:
    games = asked.games or PLAYED_ON
    work = [(asked.title, f"{asked.seed}/{n}", games, n) for n in range(asked.calibration)]
    progress, rows, played = Progress(len(work), sys.stderr), list[ForecastResult](), 0
    try:
        with Pool(asked.processes, _ignore_interrupts) as pool:
            for played, forecasts in enumerate(pool.imap(_forecast_results, work), 1):
                rows += forecasts
                progress.show(played)
    except KeyboardInterrupt:
        if progress.live:
            print(file=sys.stderr)
    status = 0 if played == asked.calibration else 130
    if asked.json:
        head = {"title": asked.title, "seed": asked.seed, "campaigns": played, "games": games}
        print(json.dumps({**head, "rows": [row._asdict() for row in rows]}, indent=1))
        return status
    print(
        f"{TITLES[asked.title].name}: {played:,} campaigns, {games:,} games from one turn of each,"
        f" seed “{asked.seed}”"
    )
    print(*calibration_lines(rows), sep="\n")
    return status


def calibration_lines(rows: Sequence[ForecastResult]) -> Iterator[str]:
    """Yield two tables: the results by the chance given, and the Brier scores by turn.

    The Brier score of the forecast is compared with that of equal chances.
    """
    yield (
        f"\n{'chance given':<14}{'how many':>10}{'mean chance':>13}{'won':>8}"
        f"{'share won':>11}{'95% certain':>15}"
    )
    for tenth in range(10):
        if those := [row for row in rows if min(int(row.chance * 10), 9) == tenth]:
            chance, won = fmean(row.chance for row in those), fmean(row.won for row in those)
            low, high = confidence_interval(won, len(those))
            band = f"{10 * tenth} to {10 * tenth + 10}%"
            count = sum(row.won for row in those)
            yield (
                f"{band:<14}{len(those):>10,}{chance:>13.1%}{count:>8.0f}"
                f"{won:>11.1%}{f'{low:.0%} to {high:.0%}':>15}"
            )
    yield (
        f"\n{'after turn':<14}{'how many':>10}{'Brier score':>13}{'without it':>13}"
        f"{'points within':>15}"
    )
    for turn in sorted({row.turn for row in rows}):
        those = [row for row in rows if row.turn == turn]
        score = fmean((row.chance - row.won) ** 2 for row in those)
        even = fmean(row.won for row in those)
        without = fmean((even - row.won) ** 2 for row in those)
        within = fmean(row.within for row in those)
        yield f"{turn:<14}{len(those):>10,}{score:>13.3f}{without:>13.3f}{within:>15.1%}"


def _names() -> list[str]:
    return list(dict.fromkeys(name for key in playable() for name in players_of(key).by_name))


# The picture of `manage.py simulate --picture`: the shares of all points as bars, compared with an
# equal share. It is SVG made with the standard library, readable on paper and on a dark screen.

WIDTH, NAMES, FIGURES = 960, 250, 70
ROW, HEAD, GAP, TOP = 20, 34, 26, 64
LONGEST = WIDTH - NAMES - FIGURES
TEXT, DISPLAY = "Source Sans 3, system-ui, sans-serif", "EB Garamond, Georgia, serif"
INK, FAINT, LINE, PAPER, BAR = "#2b2419", "#6b5f4b", "#1d5566", "#fbf8ef", "#b9a47c"


class Bar(NamedTuple):
    """A share, from 0 to 1, in the total of its kind."""

    name: str
    share: float


class Chart(NamedTuple):
    """The bars of a kind, in the order of the rules."""

    name: str
    bars: Sequence[Bar]

    @property
    def equal(self) -> float:
        """Return the share of each bar if all were equal."""
        return 1 / len(self.bars)


def charts(
    shares: Mapping[str, float], labels: Mapping[str, str], names: Mapping[str, str]
) -> list[Chart]:
    """Return a chart of the shares for each kind.

    The key of a share is `kind-key`; `names` has the names of the kinds.
    """
    by_kind: dict[str, list[Bar]] = {}
    for key in labels:
        kind, dash, _rest = key.partition("-")
        if dash and key in shares:
            by_kind.setdefault(kind, []).append(Bar(labels[key], shares[key]))
    return [Chart(names.get(kind, kind), bars) for kind, bars in by_kind.items()]


def svg(title: str, note: str, drawn: Sequence[Chart]) -> str:
    """Return the charts as SVG, one below another, each with its own scale.

    A line marks an equal share.
    """
    height = TOP + sum(HEAD + ROW * len(chart.bars) + GAP for chart in drawn)
    label = escape(title, {'"': "&quot;"})
    head = (
        f'viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img"'
        f' aria-label="{label}"'
    )
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {head} font-family="{TEXT}" font-size="13">',
        f'<rect width="{WIDTH}" height="{height}" fill="{PAPER}"/>',
        (
            f'<text x="16" y="30" font-size="20" font-family="{DISPLAY}"'
            f' fill="{INK}">{escape(title)}</text>'
        ),
        f'<text x="16" y="50" fill="{FAINT}">{escape(note)}</text>',
    ]
    y = TOP
    for chart in drawn:
        parts += _chart(chart, y)
        y += HEAD + ROW * len(chart.bars) + GAP
    return "\n".join([*parts, "</svg>\n"])


def _chart(chart: Chart, y: int) -> list[str]:
    most = max([bar.share for bar in chart.bars] + [chart.equal])
    at = NAMES + LONGEST * chart.equal / most
    bottom = y + HEAD + ROW * len(chart.bars)
    parts = [
        (
            f'<text x="16" y="{y + 20}" font-size="16" font-family="{DISPLAY}"'
            f' fill="{INK}">{escape(chart.name)}</text>'
        ),
        (
            f'<text x="{at:.1f}" y="{y + 22}" text-anchor="middle"'
            f' fill="{LINE}">{chart.equal:.1%}</text>'
        ),
    ]
    for n, bar in enumerate(chart.bars):
        top = y + HEAD + ROW * n
        wide = LONGEST * bar.share / most
        parts.append(
            f'<text x="{NAMES - 8}" y="{top + 14}" text-anchor="end"'
            f' fill="{INK}">{escape(bar.name)}</text>'
        )
        parts.append(
            f'<rect x="{NAMES}" y="{top + 3}" width="{wide:.1f}" height="{ROW - 6}" rx="2"'
            f' fill="{BAR}"/>'
        )
        parts.append(
            f'<text x="{WIDTH - 16}" y="{top + 14}" text-anchor="end"'
            f' fill="{FAINT}">{bar.share:.1%}</text>'
        )
    line = f'x1="{at:.1f}" y1="{y + HEAD - 4}" x2="{at:.1f}" y2="{bottom}"'
    return [*parts, f'<line {line} stroke="{LINE}" stroke-width="1.5" stroke-dasharray="4 3"/>']


# The picture of `--battles`: how often each side wins, by the difference of points, and the percent
# that both sides have routed in even battles.

EVEN, MOST, STEP = 1600, 240, 20
BREAKS, EARLY = 45, 40
"""Percent routed at which a side has lost, and from which the other may have won early (9.1)."""
SIDES = (("attacker wins", BAR), ("draw", "#e6dcc3"), ("defender wins", "#7f9aa3"))
SPOTS = 900


def battles_svg(
    fights: Callable[[int, int, int, str], list[tuple[int, int]]], times: int, seed: str
) -> str:
    """Return a picture of simulated battles.

    It has a column for each difference of points, and a dot for each of the even battles.
    """
    high, left, top = 300, 60, 96
    wide = 400 / (2 * MOST / STEP + 1)
    size = (
        f'viewBox="0 0 {WIDTH} 480" width="{WIDTH}" height="480" font-family="{TEXT}"'
        ' font-size="13"'
    )
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"'
            ' aria-label="How the model decides battles">'
        ),
        f'<rect width="{WIDTH}" height="480" fill="{PAPER}"/>',
        (
            f'<text x="16" y="30" font-size="20" font-family="{DISPLAY}" fill="{INK}">'
            "How the model decides battles</text>"
        ),
        (
            f'<text x="16" y="50" fill="{FAINT}">{times:,} open battles for each difference of'
            f" points, seed “{escape(seed)}”</text>"
        ),
        (
            f'<text x="{left}" y="{top - 14}" fill="{INK}">Chances by the attacker’s points,'
            f" against {EVEN:,}</text>"
        ),
    ]
    for n, more in enumerate(range(-MOST, MOST + 1, STEP)):
        ends = fights(EVEN + more, EVEN, times, f"{seed}/{more}")
        won = sum(lost >= EARLY and lost > own for own, lost in ends) / times
        beaten = sum(own >= EARLY and own > lost for own, lost in ends) / times
        y = float(top)
        for (_name, colour), share in zip(SIDES, (won, 1 - won - beaten, beaten), strict=True):
            size = (
                f'x="{left + n * wide:.1f}" y="{y:.1f}" width="{wide - 1:.1f}"'
                f' height="{share * high:.1f}"'
            )
            parts.append(f'<rect {size} fill="{colour}"/>')
            y += share * high
        if more % 80 == 0:
            at = left + (n + 0.5) * wide
            parts.append(
                f'<text x="{at:.1f}" y="{top + high + 18}" text-anchor="middle"'
                f' fill="{FAINT}">{EVEN + more:,}</text>'
            )
    for share in (0, 25, 50, 75, 100):
        y = top + high - share / 100 * high
        parts.append(
            f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end" fill="{FAINT}">{share}%</text>'
        )
    for n, (name, colour) in enumerate(SIDES):
        x, y = left + n * 135, top + high + 34
        parts.append(
            f'<rect x="{x}" y="{y}" width="14" height="14" fill="{colour}" stroke="{FAINT}"/>'
        )
        parts.append(f'<text x="{x + 20}" y="{y + 12}" fill="{INK}">{name}</text>')
    return "\n".join(
        [*parts, *_losses(fights(EVEN, EVEN, SPOTS, seed), 560, top, high), "</svg>\n"]
    )


def _losses(ends: Sequence[tuple[int, int]], left: int, top: int, high: int) -> list[str]:
    """Draw the percent routed of both sides, a dot for each battle, and the 40/45 rule as lines."""
    most, scale = 75, high / 75
    dots = "".join(
        f"M{left + own * scale:.0f} {top + high - lost * scale:.0f}h0" for own, lost in ends
    )
    parts = [
        (
            f'<text x="{left}" y="{top - 14}" fill="{INK}">Percent routed in {len(ends)} battles of'
            f" {EVEN:,} against {EVEN:,}</text>"
        ),
        f'<rect x="{left}" y="{top}" width="{high}" height="{high}" fill="none" stroke="{FAINT}"/>',
        (
            f'<path d="{dots}" stroke="{INK}" stroke-opacity=".45" stroke-width="3.4"'
            ' stroke-linecap="round"/>'
        ),
        (
            f'<text x="{left + high}" y="{top + high + 40}" text-anchor="end" fill="{INK}">attacker'
            " →</text>"
        ),
        f'<text x="{left}" y="{top + high + 40}" fill="{INK}">↑ defender</text>',
    ]
    for share in (EARLY, BREAKS):
        x, y = left + share * scale, top + high - share * scale
        line = f"M{x:.0f} {top}V{top + high}M{left} {y:.0f}H{left + high}"
        parts.append(f'<path d="{line}" stroke="{LINE}" stroke-dasharray="4 3"/>')
    for share in range(0, most + 1, 15):
        at = left + share * scale
        parts.append(
            f'<text x="{at:.0f}" y="{top + high + 18}" text-anchor="middle"'
            f' fill="{FAINT}">{share}</text>'
        )
    return parts


def table(drawn: Sequence[Chart]) -> list[str]:
    """Return the charts as lines of text: each share, also as a multiple of an equal share."""
    lines = []
    for chart in drawn:
        lines += ["", f"{chart.name:<32}{'share':>9}{'of equal':>10}"]
        lines += [
            f"{bar.name:<32}{bar.share:>9.1%}{bar.share / chart.equal:>10.2f}" for bar in chart.bars
        ]
    return lines
