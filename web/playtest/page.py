"""The page of a play-test: its progress, and the number of victories of each nation."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.template.defaultfilters import floatformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import playtests
from campaign.models import Playtest
from campaign.playtests import Balance, Result, Share
from games.contract.plain import RawScenario
from web.playtest.subject import Subject

REFRESH_SECONDS = 3
"""The interval at which the page refreshes while programs play."""


@dataclass(frozen=True, slots=True)
class Bar:
    """A row of the chart of victories.

    Lengths are per cent of the chart's width, as text for SVG: the bar reaches to `length`, and the
    true share lies between `low` and `high` with 95% certainty.
    """

    name: str
    colour: str
    length: str
    low: str
    high: str
    wins: int
    range_text: str
    comparison: str
    """"more" or "less" if it certainly won more or less than an even share; otherwise empty."""


@dataclass(frozen=True, slots=True)
class BalanceRow:
    """A nation in the table.

    Eight of ten of its campaigns ended between `low` and `high` victory points; these and `mean`
    are per cent of the picture's width, as text for SVG.
    """

    name: str
    colour: str
    wins: int
    points: str
    points_range: str
    low: str
    mean: str
    high: str
    provinces: str
    fell: int


@dataclass(frozen=True, slots=True)
class Balances:
    """The result of a play-test."""

    verdict: str
    games: int
    even_share: str
    """The number of victories that makes an even share."""
    even_at: str
    """The position of an even share, in per cent of the picture's width."""
    nations: Sequence[Bar]
    places: Sequence[Bar]
    rows: Sequence[BalanceRow]
    notes: Sequence[str]


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of campaigns played, and of all campaigns of the play-test."""

    done: int
    total: int

    @property
    def text(self) -> str:
        return pgettext("playtest", "%(done)s of %(of)s") % {"done": self.done, "of": self.total}


@dataclass(frozen=True, slots=True)
class PlaytestPage:
    """The play-test of a scenario or of a draft."""

    name: str
    back: str
    query: str
    """`scenario=…` or `draft=…`, as in the address of this page."""
    error: str
    progress: Progress | None
    stopped: str
    """The reason why the play-test stopped early; empty if it did not."""
    balances: Balances | None
    has_no_result: bool
    can_ask: bool
    games: int
    refresh_seconds: int = REFRESH_SECONDS


def playtest_page(subject: Subject, error: str = "") -> PlaytestPage:
    """Return the page of the play-test of this scenario."""
    testable = playtests.testable(subject.title)
    row = playtests.playtest_of(subject.title, subject.scenario) if testable else None
    runs = row is not None and row.ended_at is None
    stopped = playtests.why_stopped(row) if row is not None else ""
    result = playtests.result(row) if row is not None and not runs else None
    return PlaytestPage(
        name=str(subject.scenario.get("name", "")),
        back=subject.back,
        query=subject.query,
        error=error,
        progress=Progress(done=row.done, total=row.games) if row is not None and runs else None,
        stopped=stopped,
        balances=balances(row, subject.scenario, result, stopped) if row and result else None,
        has_no_result=row is not None and not runs and result is None and not stopped,
        can_ask=bool(stopped) or (testable and not runs and result is None),
        games=playtests.GAMES,
    )


def balances(row: Playtest, scenario: RawScenario, result: Result, stopped: str) -> Balances:
    """Return the result of a play-test, with the names that the scenario has now."""
    nations = [*json.loads(row.scenario)["nations"], *scenario["nations"]]
    names = {nation["key"]: str(nation["name"]) for nation in nations}
    colours = {nation["key"]: str(nation["colour"]) for nation in nations}
    shares = [balance.won.high for balance in result.nations]
    most = max([*shares, *(place.high for place in result.places), result.even]) or 1.0
    return Balances(
        verdict=verdict(result, names),
        games=result.games,
        even_share=even_share(result),
        even_at=percent(result.even / most),
        nations=[
            bar(names[balance.key], colours[balance.key], balance.won, result.even, most)
            for balance in result.nations
        ],
        places=[
            bar(
                _("Place %(n)s in the starting order") % {"n": number}, "", share, result.even, most
            )
            for number, share in enumerate(result.places, 1)
        ],
        rows=balance_rows(result, names, colours),
        notes=notes(row, result, stopped),
    )


def bar(name: str, colour: str, won: Share, even: float, most: float) -> Bar:
    """Return a bar; `most` is the share that fills the picture."""
    return Bar(
        name=name,
        colour=colour,
        length=percent(won.share / most),
        low=percent(won.low / most),
        high=percent(won.high / most),
        wins=won.wins,
        range_text=f"{100 * won.low:.0f}–{100 * won.high:.0f}%",
        comparison=comparison(won.beside(even)),
    )


def comparison(side: int) -> str:
    """Return the word for more (1) or less (-1) than an even share; empty for neither (0)."""
    if side > 0:
        return pgettext("than an even share", "more")
    return pgettext("than an even share", "less") if side < 0 else ""


def balance_rows(
    result: Result, names: Mapping[str, str], colours: Mapping[str, str]
) -> list[BalanceRow]:
    """Return the table of nations, on a scale from the lowest to the highest victory points."""
    least = min(balance.low for balance in result.nations)
    most = max(balance.high for balance in result.nations)
    span = max(most, *(balance.low for balance in result.nations)) - least or 1.0

    def place(points: float) -> str:
        return percent((points - least) / span)

    return [
        balance_row(balance, names[balance.key], colours[balance.key], place)
        for balance in result.nations
    ]


def balance_row(
    balance: Balance, name: str, colour: str, place: Callable[[float], str]
) -> BalanceRow:
    """Return the row of a nation; `place` converts victory points to a position in the picture."""
    return BalanceRow(
        name=name,
        colour=colour,
        wins=balance.won.wins,
        points=decimal(balance.mean, 1),
        points_range=f"{decimal(balance.low, 0)}–{decimal(balance.high, 0)}",
        low=place(balance.low),
        mean=place(balance.mean),
        high=place(balance.high),
        provinces=f"{balance.begins} → {decimal(balance.ends, 1)}",
        fell=balance.fell,
    )


def notes(row: Playtest, result: Result, stopped: str) -> list[str]:
    """Return the sentences below the table."""
    sentences = [
        _(
            "Every seat was played by the same program, which attacks where a victory is worth "
            "more than a building. Battles were decided by lot. The test shows the effect of the "
            "map and the numbers, not what good players can do."
        ),
        ngettext(
            "%(n)s victory was shared and counts for each of its winners.",
            "%(n)s victories were shared and count for each of their winners.",
            result.shared,
        )
        % {"n": result.shared},
        _("%(n)s battles per campaign on average.") % {"n": decimal(result.battles, 1)},
    ]
    if result.unfinished:
        sentences.append(
            ngettext(
                "%(n)s campaign did not end and is not counted.",
                "%(n)s campaigns did not end and are not counted.",
                result.unfinished,
            )
            % {"n": result.unfinished}
        )
    if row.done < row.games and not stopped:
        sentences.append(_("Time ran out before all campaigns had been played."))
    return sentences


def percent(part: float) -> str:
    """Return a fraction of 1 in per cent, as SVG writes numbers."""
    return f"{100 * part:.1f}"


def decimal(number: float, digits: int) -> str:
    """Return a number rounded to this many decimals, in the reader's language."""
    return str(floatformat(number, digits))


def even_share(result: Result) -> str:
    """Return the number of victories that makes an even share."""
    return f"{result.even * result.games:.0f}"


def verdict(result: Result, names: Mapping[str, str]) -> str:
    """Return a sentence on the nations that certainly win more or less often than an even share."""

    def those(side: int) -> str:
        return ", ".join(
            f"{names[balance.key]} ({balance.won.wins})"
            for balance in result.nations
            if balance.won.beside(result.even) == side
        )

    above, below = those(1), those(-1)
    facts = {
        "above": above,
        "below": below,
        "games": result.games,
        "even": even_share(result),
    }
    if above and below:
        sentence = _(
            "More victories than an even share (%(even)s of %(games)s): %(above)s. Fewer: "
            "%(below)s."
        )
    elif above:
        sentence = _("More victories than an even share (%(even)s of %(games)s): %(above)s.")
    elif below:
        sentence = _("Fewer victories than an even share (%(even)s of %(games)s): %(below)s.")
    else:
        sentence = _(
            "Balanced: after %(games)s campaigns it is not certain that any nation wins more or "
            "less often than the others."
        )
    return sentence % facts
