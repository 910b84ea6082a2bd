"""The facts of a turn that its report is about: battles, moves of each nation, levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.effects import Effect, Phrase
from engine.language import localize_number
from games.contract.report import ReportEntry
from games.grand_campaign.rules.position import Attack, Nation, Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words

ANSWERS = ("respond", "report", "forfeit")
INDEPENDENTS = None
ROUT, CLEAR = 30, 12
"""Least differences of the two shares, in per cent, for a rout and for a clear victory."""


class Points(NamedTuple):
    """The victory points that a battle gave its winner, and the race after it.

    `gap` is the distance to the best other nation `rival`: positive for a lead. `led` says whether
    the winner was alone in the lead before.
    """

    nation: str
    total: int
    gap: int
    rival: str
    led: bool


class Battle(NamedTuple):
    """An attack of the turn and what became of it.

    `shares` are the parts of the armies of attacker and defender that were routed. `owner` is the
    key of the new owner of the province, "" for independence, None if it did not change hands.
    """

    attack: Attack
    how: str = ""
    """The move that decided it: report, called-off, forfeit or respond; empty if undecided."""
    shares: tuple[float, float] | None = None
    owner: str | None = None
    escort: str = ""
    """`forced`, `failed`, or empty without an attempt."""
    encounter: Phrase | None = None
    points: Points | None = None

    @property
    def winner(self) -> str:
        """The side that won: `attacker`, `defender`, or empty."""
        outcome = self.attack.outcome
        return outcome if outcome in ("attacker", "defender") else ""

    @property
    def margin(self) -> str:
        """How close it was: `rout`, `clear`, `narrow`, or `plain` if no shares are known."""
        if self.shares is None:
            return "plain"
        difference = abs(self.shares[0] - self.shares[1])
        return "rout" if difference >= ROUT else "clear" if difference >= CLEAR else "narrow"

    @property
    def score(self) -> tuple[str, str]:
        """The shares as text, that of the loser first."""
        low, high = sorted(self.shares or (0, 0))
        return share_text(high), share_text(low)


def share_text(share: float) -> str:
    return localize_number(f"{share:g}")


class TurnFacts(NamedTuple):
    """The facts of a turn."""

    scenario: Scenario
    turn: int
    before: Position
    after: Position
    battles: tuple[Battle, ...]
    moves: Mapping[str, tuple[ReportEntry, ...]]
    """The moves of each nation that has had its turn, in the order of play."""
    corrections: tuple[ReportEntry, ...]
    events: tuple[Effect, ...]
    owners: tuple[Effect, ...]
    """The changes of owners of provinces, without corrections."""
    falls: tuple[Effect, ...]

    @property
    def is_closed(self) -> bool:
        return self.after.phase in ("closed", "finished")

    def ranked(self, position: Position) -> list[Nation]:
        """Return the nations, the leading one first."""
        nations = position.nations.values()
        return sorted(nations, key=lambda n: (-n.victory_points, -n.income, n.key))

    def leaders(self, position: Position) -> list[str]:
        """Return the nations with the most victory points."""
        best = max(nation.victory_points for nation in position.nations.values())
        return [n.key for n in self.ranked(position) if n.victory_points == best]


def facts_of_turn(
    scenario: Scenario, lines: Sequence[ReportEntry], before: Position, after: Position
) -> TurnFacts:
    """Return the facts of a turn from its public effects."""
    effects = [
        effect
        for line in lines
        if line.move["move"] != "resume"
        for effect in line.effects
        if effect.audience is None
    ]
    return TurnFacts(
        scenario,
        after.turn,
        before,
        after,
        tuple(_battles(lines, before, after)),
        _moves_by_nation(lines),
        tuple(line for line in lines if _is_correction(line)),
        tuple(effect for effect in effects if effect.kind == "event"),
        tuple(
            effect
            for effect in effects
            if effect.kind == "holding"
            and "owner" in effect.facts
            and effect.cause.id != "correction"
        ),
        tuple(e for e in effects if (e.kind, e.subject) == ("seat", "fallen")),
    )


def _is_correction(line: ReportEntry) -> bool:
    return line.move["by"] == "gm" and any(
        effect.cause.id == "correction" and effect.audience is None for effect in line.effects
    )


def _moves_by_nation(lines: Sequence[ReportEntry]) -> dict[str, tuple[ReportEntry, ...]]:
    moves: dict[str, tuple[ReportEntry, ...]] = {}
    for line in lines:
        seat = str(line.move.get("for", line.move["by"]))
        if seat in moves and line.move["move"] not in ANSWERS:
            moves[seat] = (*moves[seat], line)
        for effect in line.effects:
            if (effect.kind, effect.subject) == ("slot", "opened"):
                moves.setdefault(str(effect.holder), ())
    return moves


def _battles(lines: Sequence[ReportEntry], before: Position, after: Position) -> Iterator[Battle]:
    """Yield the attacks of the turn in their order."""
    attacks = {attack.id: Battle(attack) for attack in after.attacks if attack.turn == after.turn}
    points = {key: nation.victory_points for key, nation in before.nations.items()}
    for line in lines:
        if line.move["move"] == "resume":
            continue
        was = dict(points)
        for effect in line.effects:
            if (effect.kind, effect.subject) == ("account", "victory_points"):
                points[str(effect.holder)] = effect.balance
        number = line.move.get("attack") if line.move["move"] in ANSWERS else None
        if number in attacks:
            battle = _with_answer(attacks[number], line)
            attacks[number] = battle._replace(points=_race(battle, was, points))
    for battle in attacks.values():
        yield battle if _may_conquer(battle.attack) else battle._replace(owner=None)


def _may_conquer(attack: Attack) -> bool:
    """Return whether the attack could take its province.

    The province of a nation that falls with the battle changes hands, too.
    """
    return attack.outcome in ("attacker", "withdrawn") and attack.siege != "held"


def _with_answer(battle: Battle, line: ReportEntry) -> Battle:
    """Return a battle with what an answer or a result brought."""
    target = battle.attack.target
    for effect in line.effects:
        cause = effect.cause.id
        if cause.startswith("encounter-"):
            battle = battle._replace(encounter=effect.cause)
        elif cause.startswith("escort-") and effect.kind == "attack":
            battle = battle._replace(escort=cause.removeprefix("escort-"))
        elif (effect.kind, effect.subject) == ("holding", target) and "owner" in effect.facts:
            battle = battle._replace(owner=effect.facts["owner"] or "")
    move = line.move
    if not any("outcome" in effect.facts for effect in line.effects):
        return battle
    return battle._replace(how=_decided_by(move), shares=_shares(move) or battle.shares)


def _decided_by(move: Mapping[str, Any]) -> str:
    if "naval" in move:
        return "naval"
    return "called-off" if "called_off" in move else str(move["move"])


def _shares(move: Mapping[str, Any]) -> tuple[float, float] | None:
    if "routed" not in move:
        return None
    return float(move["routed"]["attacker"]), float(move["routed"]["defender"])


def _race(battle: Battle, was: Mapping[str, int], now: Mapping[str, int]) -> Points | None:
    """Return the place of the winner after a battle, None if it gained no points."""
    attack = battle.attack
    sides = {"attacker": attack.attacker, "defender": attack.defender or attack.leader}
    key = sides.get(battle.winner)
    if key is None or now[key] <= was[key]:
        return battle.points
    rival = max((other for other in now if other != key), key=lambda other: (now[other], other))
    led = all(was[key] > points for other, points in was.items() if other != key)
    return Points(key, now[key], now[key] - now[rival], rival, led)


def event_names(facts: TurnFacts, nation: str) -> list[str]:
    """Return the names of the random events of a nation."""
    return [words.event_name(e.subject) for e in facts.events if e.holder == nation]
