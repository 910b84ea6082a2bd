"""A position as its readers see it: rows for the table, the view of a seat, whom the table waits for."""

from __future__ import annotations

from collections import Counter
from typing import Any

from engine.effects import Say
from engine.title import Rows, SeatInfo, Standing, Waiting
from games.grand_campaign import words
from games.grand_campaign.position import ACCOUNTS, Position
from games.grand_campaign.scenario import Scenario
from games.grand_campaign.scoring import final_points
from games.grand_campaign.state import state


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
    made = state(position)
    for key, nation in position.nations.items():
        sheet = made["nations"][key]
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
        made["provinces"][province]["fleets_from"] = built + 1
    for shown, attack in zip(made["attacks"], position.attacks, strict=True):
        shown["turn"] = attack.turn
        shown["siege_train"] = attack.siege_train
        shown["cards"] = {"attacker": list(attack.cards_attacker), "defender": list(attack.cards_defender)}
        shown["answer"] = attack.answer
        shown["encountered"] = attack.encountered
    made["turns"] = position.scenario.turns
    made["hands"] = "hidden" if position.options.hidden else "open"
    made["external_attacks"] = position.options.external_attacks
    made["sources"] = sorted(position.sources)
    made["attacked"] = sorted(position.attacked)
    return made


def waiting(position: Position) -> list[Waiting]:
    """Whom the table waits for, first who must act before anything else can."""
    if position.phase == "setup":
        return [Waiting("gm", Say("wait-start", "1.2"))]
    if position.phase == "closed":
        return [Waiting("gm", Say("wait-open-turn", "1.3", {"turn": position.turn + 1}))]
    found = []
    if position.slot is not None:
        found.append(Waiting(position.slot, Say("wait-slot", "1.3")))
    for attack in position.running:
        facts = {"source": attack.source, "target": attack.target}
        if attack.status == "challenged" and attack.defender is not None:
            found.append(Waiting(attack.defender, Say("wait-answer", "7.8", facts), attack.id))
            continue
        for side in (attack.attacker, attack.defender or attack.leader):
            if side is not None:
                found.append(Waiting(side, Say("wait-battle", "9.1", facts), attack.id))
    return found


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
