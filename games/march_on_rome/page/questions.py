"""The questions during a year: how many legions, and yes or no (4.5, 5.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from engine.language import Name
from games.march_on_rome.page.targets import ShownChance, chance, tenths, won_and_lost
from games.march_on_rome.rules import odds
from games.march_on_rome.rules.position import (
    OTHER,
    PC,
    RING,
    TABLES,
    Position,
    devotes,
    is_general,
)
from games.march_on_rome.text.fights import Fight
from games.march_on_rome.text.phrases import (
    PhrasePart,
    holder_with_paint,
    phrase_text,
    unit_of,
)
from games.march_on_rome.text.words import holder_name, province_name

MOST_ROWS = 24
"""The most numbers that are listed one by one; any other can be typed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BroughtNumber:
    """A number that the rival may bring, and the faces of the die that lead to it."""

    brings: int
    dice: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NumberRow:
    """A number of legions that may go, with its chances."""

    legions: int
    win: ShownChance
    is_best: bool
    is_chosen: bool
    splits: Sequence[str]
    x: str
    """How many legions a one kills."""
    kept_won: str
    kept_lost: str
    nothing: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DieRow:
    """The legions that a rival devotes on some faces of the die (4.5)."""

    faces: range
    percent: int
    bare: int
    first: int
    """The legions if the player has the initiative."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SpreadRow:
    """The chances that a number of legions comes home, as bars."""

    legions: int
    won: str
    lost: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequences:
    """The consequences for both sides: their provinces and recruits before and after."""

    attacking: bool
    mine: int
    mine_then: int
    theirs: int
    theirs_then: int
    is_general: bool
    rest: Sequence[str]
    winner: PhrasePart
    loser: PhrasePart


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitmentQuestion:
    """The question how many legions go, with the chances of each number and the rival's die."""

    no: int
    year: int
    target: str
    name: str
    side: str
    cause: str
    foe: PhrasePart
    facing: Name
    """The other side with its article: a general, a procurator, a people, invaders."""
    general: bool
    """Whether the rival is a general."""
    army: bool
    """Whether the rival fights with armies instead of legions."""
    mine: int
    theirs: int
    least: int
    best: int
    """The smallest number that is enough."""
    chosen: int
    first: bool
    """Whether the player has the initiative."""
    known: int | None
    """How many legions the rival devotes, if it is known."""
    doomed: bool
    initiative: Sequence[tuple[int, int]]
    splits: Sequence[BroughtNumber]
    every: Sequence[odds.Commitment]
    """Every number with its chances, the largest first."""
    rows: Sequence[NumberRow]
    all_rows: bool
    die: Sequence[DieRow]
    spread: Sequence[SpreadRow]
    won: ShownChance
    lost: ShownChance
    consequences: Consequences


@dataclass(frozen=True, slots=True, kw_only=True)
class RivalsOffer:
    """A stronger rival's offer, with the consequences of NO (5.5)."""

    who: PhrasePart
    rival: str
    target: str
    name: str
    theirs: int
    mine: int
    their_lands: int
    mine_lands: int
    last: bool
    """Whether it is about the last province of the player."""
    hold: ShownChance
    walkover: bool
    kept_won: str
    kept_lost: str
    source: str | None
    """The province from which the rival would attack."""


def commitment(position: Position, fight: Fight, typed: str = "") -> CommitmentQuestion:
    """Return the question how many legions go."""
    asked, pending, battle = odds.question(position), position.pending, position.battle
    assert pending is not None
    assert battle is not None
    side = pending["side"]
    foe_side = OTHER[side]
    foe, target = fight.holder_of(foe_side), battle["target"]
    rows, best = odds.commitments(position), odds.advised_commitment(position)
    chosen = (
        int(typed)
        if typed.isascii() and typed.isdigit() and asked.least <= int(typed) <= asked.mine
        else best
    )
    spread = next(row for row in rows if row.legions == best)
    splits = (
        [BroughtNumber(brings=part.brings, dice=span(part.dice)) for part in spread.splits]
        if len(spread.splits) > 1
        else []
    )
    won, lost = won_and_lost(spread.win)
    return CommitmentQuestion(
        no=battle["no"],
        year=position.turn,
        target=target,
        name=province_name(target),
        side=side,
        cause=battle["cause"],
        foe=holder_with_paint(position.scenario, foe, target),
        facing=holder_name(position.scenario, foe, target),
        general=is_general(foe),
        army=unit_of(foe) == "army",
        mine=asked.mine,
        theirs=asked.foe.total,
        least=asked.least,
        best=best,
        chosen=chosen,
        first=asked.first,
        known=asked.known,
        doomed=asked.doomed,
        initiative=fight.initiative,
        splits=splits,
        every=rows,
        rows=numbers_listed(rows, best, chosen, len(splits)),
        all_rows=len(rows) <= MOST_ROWS,
        die=[] if asked.known is not None or not is_general(foe) else die(asked),
        spread=spread_rows(spread),
        won=won,
        lost=lost,
        consequences=consequences(position, side, foe, target),
    )


def span(dice: tuple[int, ...]) -> str:
    """Return the faces of a die as text: 3, or 3–4."""
    return str(dice[0]) if len(dice) == 1 else f"{dice[0]}–{dice[-1]}" if dice else ""


def numbers_listed(
    rows: list[odds.Commitment], best: int, chosen: int, splits: int
) -> list[NumberRow]:
    """Return the numbers that get a row.

    These are all of them, or if there are many those near the best and a few others.
    """
    if len(rows) > MOST_ROWS:
        step = max(1, len(rows) // 12)
        rows = [
            row
            for row in rows
            if abs(row.legions - best) <= 4 or row.legions % step == 0 or row.legions in (chosen, 1)
        ]
    return [
        NumberRow(
            legions=row.legions,
            win=chance(row.win),
            is_best=row.legions == best,
            is_chosen=row.legions == chosen,
            splits=[chance(part.win).text for part in row.splits][:splits],
            x=(
                phrase_text("or").join(str(x) for x in sorted({part.x for part in row.splits}))
                or "–"
            ),
            kept_won=tenths(row.kept_won),
            kept_lost=tenths(row.kept_lost),
            nothing=not row.legions,
        )
        for row in rows
    ]


def die(asked: odds.Question) -> list[DieRow]:
    """Return the rival's table: how many legions they devote for each face (4.5)."""
    column = (
        "equal"
        if asked.foe.total == asked.mine
        else "stronger"
        if asked.mine > asked.foe.total
        else "weaker"
    )
    return [
        DieRow(
            faces=range(row["from"], row["to"] + 1),
            percent=row[column],
            bare=devotes(row["from"], asked.foe.total, asked.mine, False),
            first=devotes(row["from"], asked.foe.total, asked.mine, True),
        )
        for row in TABLES["devote"]
    ]


def spread_rows(best: odds.Commitment) -> list[SpreadRow]:
    """Return the chances of each number of legions left if the sufficient number goes.

    Victories and defeats are counted apart.
    """
    legions = sorted({left for left, _ in best.spread}, reverse=True)
    none = Fraction(0)
    both = {
        n: (best.spread.get((n, True), none), best.spread.get((n, False), none)) for n in legions
    }
    top = max(won + lost for won, lost in both.values())
    texts = odds.percents([won + lost for won, lost in both.values()])
    return [
        SpreadRow(
            legions=n,
            won=f"{float(won / top * 100):.1f}",
            lost=f"{float(lost / top * 100):.1f}",
            text=text,
        )
        for (n, (won, lost)), text in zip(both.items(), texts, strict=True)
    ]


def consequences(position: Position, side: str, foe: str, target: str) -> Consequences:
    """Return the consequences of the battle for both sides."""
    mine, theirs = position.lands(PC), position.lands(foe) if is_general(foe) else []
    gain = 1 if side == "attacker" else -1
    left = mine if side == "defender" else theirs
    return Consequences(
        attacking=side == "attacker",
        mine=len(mine),
        mine_then=len(mine) + gain,
        theirs=len(theirs),
        theirs_then=len(theirs) - gain,
        is_general=is_general(foe),
        rest=[province_name(key) for key in left if key != target],
        winner=holder_with_paint(position.scenario, PC),
        loser=holder_with_paint(position.scenario, foe, target),
    )


def offer(position: Position) -> RivalsOffer:
    """Return a stronger rival's offer."""
    pending = position.pending
    assert pending is not None
    rival, target = pending["from"], pending["target"]
    battle = odds.defence(position, rival)
    return RivalsOffer(
        who=holder_with_paint(position.scenario, rival),
        rival=rival,
        target=target,
        name=province_name(target),
        theirs=position.legions[rival],
        mine=position.legions[PC],
        their_lands=len(position.lands(rival)),
        mine_lands=len(position.lands(PC)),
        last=len(position.lands(PC)) == 1,
        hold=chance(battle.win),
        walkover=battle.walkover,
        kept_won=tenths(battle.kept_won),
        kept_lost=tenths(battle.kept_lost),
        source=next((key for key in RING[target] if position.owner[key] == rival), None),
    )
