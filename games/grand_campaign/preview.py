"""How a move may turn out: every branch with its chance and consequences, nothing thrown (HOUSE, Preview)."""

from __future__ import annotations

from collections.abc import Sequence

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from engine.play import play
from engine.title import Branch
from games.grand_campaign.cards import PlayCard
from games.grand_campaign.form import GrandMove
from games.grand_campaign.outcome import siege_holds
from games.grand_campaign.position import Attack, Position
from games.grand_campaign.purposes import ESCORT_DIE

Split = tuple[Say, dict[str, int], int, int]
"""What happens, the rolls that stand for it, favourable cases, all cases."""


def branches(position: Position, move: GrandMove) -> list[Branch]:
    """The branches of a move, in the order of its dice; empty where the dice are of cards and events.

    Raises `IllegalMove` where the move is not possible at all.
    """
    move.admit(position)
    move.check(position)
    found: list[Branch] = []
    todo: list[tuple[dict[str, int], tuple[Say, ...], int, int]] = [({}, (), 1, 1)]
    while todo:
        fixed, path, favourable, of = todo.pop(0)
        try:
            played = play(position, move, Dice(position.scenario.turns, fixed=fixed))
        except IllegalMove as refusal:
            if refusal.code != "no-dice":
                refused = Say(refusal.message, refusal.rule, refusal.facts)
                found.append(Branch(refused, (favourable, of), (), position, (*path, refused)))
                continue
            splits = _split(position, str(refusal.facts["purpose"]))
            if splits is None:
                return []
            todo[:0] = [(fixed | rolls, (*path, say), favourable * cases, of * total) for say, rolls, cases, total in splits]
            continue
        what = path[-1] if path else Say("certain")
        found.append(Branch(what, (favourable, of), played.effects, _unlooked(position, move, played.after), path))
    return found


def _unlooked(before: Position, move: GrandMove, after: Position) -> Position:
    """The position after it without what an Assassin finds in a hidden hand: what is foreseen behind him would tell (4.10)."""
    if before.options.hidden and isinstance(move, PlayCard) and move.card == "assassin" and move.target is not None:
        after.nations[move.target].hand = list(before.nations[move.target].hand)
    return after


def _split(position: Position, purpose: str) -> Sequence[Split] | None:
    """The ways a roll of an attack may fall; None for rolls of cards and spies."""
    parts = purpose.split("/")
    if len(parts) < 5 or parts[1] != "attack":
        return None
    attack = next(a for a in position.running if (a.attacker, a.target) == (parts[2], parts[3]))
    head, what = "/".join(parts[:4]), "/".join(parts[4:])
    where = {"target": attack.target}
    if what == "escort":
        least = position.rules.escort_from
        forced = max(0, min(ESCORT_DIE, ESCORT_DIE + 1 - least))
        ways = [
            (Say("escort-forced", "7.8", where), {purpose: ESCORT_DIE}, forced, ESCORT_DIE),
            (Say("escort-failed", "7.8", where), {purpose: 1}, ESCORT_DIE - forced, ESCORT_DIE),
        ]
    elif what == "siege":
        die = position.rules.die
        holds = min(die, siege_holds(position, attack))
        ways = [
            (Say("siege-held", "9.7", where | {"holds": holds}), {purpose: 1}, holds, die),
            (Say("siege-taken", "9.7", where | {"holds": holds}), {purpose: die}, die - holds, die),
        ]
    else:
        ways = _encounter(position, attack, head)
    return [way for way in ways if way[2]]


def _encounter(position: Position, attack: Attack, head: str) -> list[Split]:
    """The encounter at sea as one roll: won, lost, even, counted over all pairs (8.1)."""
    die, bonus = position.rules.die, position.rules.naval_technology
    lead = bonus * (("naval-technology" in attack.cards_attacker) - ("naval-technology" in attack.cards_defender))
    won = sum(max(0, min(die, ours + lead - 1)) for ours in range(1, die + 1))
    even = sum(1 for ours in range(1, die + 1) if 1 <= ours + lead <= die)
    every, where = die * die, {"target": attack.target}

    def rolls(ours: int, theirs: int) -> dict[str, int]:
        return {f"{head}/naval/attacker": ours, f"{head}/naval/defender": theirs}

    level = (die, die + lead) if lead < 0 else (die - lead, die)
    return [
        (Say("encounter-won", "8.1", where), rolls(die, 1), won, every),
        (Say("encounter-lost", "8.1", where), rolls(1, die), every - won - even, every),
        (Say("encounter-even", "8.1", where), rolls(*level) if even else {}, even, every),
    ]
