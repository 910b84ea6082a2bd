"""A position as its readers see it: rows for the table, the view of a seat, whom the table waits for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from engine.dice import Dice
from engine.effects import Say
from engine.errors import IllegalMove
from engine.play import play
from games.contract.title import Branch, Rows, SeatInfo, Standing, Waiting
from games.grand_campaign.rules.battles import siege_holds
from games.grand_campaign.rules.cards import PlayCard
from games.grand_campaign.rules.form import ESCORT_DIE, GrandMove
from games.grand_campaign.rules.position import ACCOUNTS, Attack, Nation, Position, final_points
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words


def seats(scenario: Scenario) -> list[SeatInfo]:
    """A seat a nation."""
    cultures = words.book()["cultures"]
    return [
        SeatInfo(n.key, words.nation_name(scenario, n.key), n.colour, f"{cultures[n.culture]}, {n.army}")
        for n in scenario.nations.values()
    ]


def rows(position: Position) -> Rows:
    """The position as title-neutral rows."""
    nations = position.nations
    items: Counter[tuple[str, str, str]] = Counter()
    for key, nation in nations.items():
        items.update((key, "hand", card) for card in nation.hand)
        items.update((key, "table", card) for card in nation.table)
    facts = state(position)["nations"]
    return Rows(
        holders={k: {f: facts[k][f] for f in ("structures", "barracks", "siege_trains", "fallen")} for k in nations},
        accounts={(key, account): getattr(n, account) for key, n in nations.items() for account in ACCOUNTS},
        holdings={
            key: {"owner": owner, "fortification": position.fortification.get(key, 0), "fleet": key in position.fleets}
            for key, owner in position.owner.items()
        },
        items=dict(items),
        contests={attack.id: attack.encode() for attack in position.attacks},
        private={(key, "hand"): (key,) for key in nations} if position.options.hidden else {},
    )


def view(position: Position, seat: str | None) -> dict[str, Any]:
    """The state of RECORD as a seat may see it: hidden hands of others are counts (4.2).

    `gm` sees all, None is a stranger. Beside RECORD's keys: `turns`, `hands`, `cards` (how many in each hand),
    `provinces_owned`, `next_actions` (half-actions the income gives), `forecast` (points if scored now), `fleets_from`
    (the first turn in which a fleet carries attacks).
    """
    whole = state(position)
    for key, nation in position.nations.items():
        sheet = whole["nations"][key]
        sheet["cards"] = len(nation.hand)
        if position.options.hidden and seat not in ("gm", key):
            sheet["hand"] = None
        if seat in ("gm", key) or not position.options.hidden:
            sheet["keep"] = nation.keep
        sheet["provinces_owned"] = sum(1 for owner in position.owner.values() if owner == key)
        sheet["next_actions"] = position.rules.actions(nation.income)
        to_come = 0 if position.standings else sum(points for _, points in final_points(position, key))
        sheet["forecast"] = nation.victory_points + to_come
        sheet["opening_stability"] = nation.opening_stability
    for province, built in position.fleets.items():
        whole["provinces"][province]["fleets_from"] = built + 1
    for shown, attack in zip(whole["attacks"], position.attacks, strict=True):
        shown["turn"] = attack.turn
        shown["siege_train"] = attack.siege_train
        shown["cards"] = {"attacker": list(attack.cards_attacker), "defender": list(attack.cards_defender)}
        shown["answer"] = attack.answer
        shown["encountered"] = attack.encountered
    whole["turns"] = position.scenario.turns
    whole["hands"] = "hidden" if position.options.hidden else "open"
    whole["external_attacks"] = position.options.external_attacks
    whole["sources"] = sorted(position.sources)
    whole["attacked"] = sorted(position.attacked)
    return whole


def waiting(position: Position) -> list[Waiting]:
    """Whom the table waits for, first who must act before anything else can."""
    if position.phase == "setup":
        return [Waiting("gm", Say("wait-start", "1.2"))]
    if position.phase == "closed":
        return [Waiting("gm", Say("wait-open-turn", "1.3", {"turn": position.turn + 1}))]
    waits = []
    if position.slot is not None:
        waits.append(Waiting(position.slot, Say("wait-slot", "1.3")))
    for attack in position.running:
        facts = {"source": attack.source, "target": attack.target}
        if attack.status == "challenged" and attack.defender is not None:
            waits.append(Waiting(attack.defender, Say("wait-answer", "7.8", facts), attack.id))
            continue
        for side in (attack.attacker, attack.defender or attack.leader):
            if side is not None:
                waits.append(Waiting(side, Say("wait-battle", "9.1", facts), attack.id))
    return waits


def links_due(position: Position) -> int:
    """How many links are published now: link n when turn n + 1 opens, with hidden hands only at the end (RECORD)."""
    if position.phase == "finished":
        return position.scenario.turns + 1
    return 0 if position.options.hidden else position.turn


def score(position: Position) -> list[Standing] | None:
    """The final standings; None while the campaign runs."""
    if position.standings is None:
        return None
    return [Standing(s["nation"], s["victory_points"], s["rank"], {"income": s["income"]}) for s in position.standings]


# The state as RECORD writes it.


def whole_or_half(half_actions: int) -> int | float:
    """Half-actions as a number of actions: 2 or 2.5."""
    return half_actions // 2 if half_actions % 2 == 0 else half_actions / 2


def state(position: Position) -> dict[str, Any]:
    """The whole state, all hands open."""
    forts = position.rules.fortifications
    return {
        "turn": position.turn,
        "phase": position.phase,
        "slot": position.slot,
        "order": list(position.order),
        "nations": {key: nation_state(nation) for key, nation in position.nations.items()},
        "provinces": {
            key: {
                "owner": owner,
                "fortification": forts[position.fortification[key] - 1].name if key in position.fortification else None,
                "fleet": key in position.fleets,
            }
            for key, owner in position.owner.items()
        },
        "attacks": [attack_state(attack) for attack in position.attacks],
        "truces": [{"nations": list(truce.nations), "until": truce.until} for truce in position.truces],
        "standings": position.standings,
    }


def nation_state(nation: Nation) -> dict[str, Any]:
    return {
        "stability": nation.stability,
        "prestige": nation.prestige,
        "income": nation.income,
        "army": nation.army,
        "victory_points": nation.victory_points,
        "actions": whole_or_half(nation.actions),
        "hand": list(nation.hand),
        "table": list(nation.table),
        "structures": list(nation.structures),
        "barracks": nation.barracks,
        "siege_trains": nation.siege_trains,
        "fallen": nation.fallen,
    }


def attack_state(attack: Attack) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "id": attack.id,
        "kind": attack.kind,
        "attacker": attack.attacker,
        "from": attack.source,
        "target": attack.target,
        "defender": attack.defender,
        "leader": attack.leader,
        "battle": attack.battle,
        "module_attacker": attack.module_attacker,
        "points": {"attacker": attack.points_attacker, "defender": attack.points_defender},
        "status": attack.status,
        "outcome": attack.outcome,
    }
    if attack.siege:
        facts["siege"] = attack.siege
    return facts


# How a move may turn out: every branch with its chance and consequences, nothing thrown (HOUSE, Preview).

Split = tuple[Say, dict[str, int], int, int]
"""What happens, the rolls that stand for it, favourable cases, all cases."""


def branches(position: Position, move: GrandMove) -> list[Branch]:
    """The branches of a move, in the order of its dice; empty where the dice are of cards and events.

    Raises `IllegalMove` where the move is not possible at all.
    """
    move.admit(position)
    move.check(position)
    ways: list[Branch] = []
    todo: list[tuple[dict[str, int], tuple[Say, ...], int, int]] = [({}, (), 1, 1)]
    while todo:
        fixed, path, favourable, of = todo.pop(0)
        try:
            played = play(position, move, Dice(position.scenario.turns, fixed=fixed))
        except IllegalMove as refusal:
            if refusal.code != "no-dice":
                refused = Say(refusal.message, refusal.rule, refusal.facts)
                ways.append(Branch(refused, (favourable, of), (), position, (*path, refused)))
                continue
            splits = _split(position, str(refusal.facts["purpose"]))
            if splits is None:
                return []
            todo[:0] = [
                (fixed | rolls, (*path, phrase), favourable * cases, of * total) for phrase, rolls, cases, total in splits
            ]
            continue
        what = path[-1] if path else Say("certain")
        ways.append(Branch(what, (favourable, of), played.effects, _unlooked(position, move, played.after), path))
    return ways


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
