"""The headline of a turn: the one or two events that matter most, in a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from engine.language import Name
from games.contract.report import HEADLINE, Paragraph, Span, Spans
from games.grand_campaign.text import words
from games.grand_campaign.text.report_texts import REPORT
from games.grand_campaign.text.spans import (
    as_clause,
    fill_spans,
    join_spans,
    merge_spans,
    with_capital,
)
from games.grand_campaign.text.story import (
    StoryBattle,
    change_message,
    fall_message,
    result_message,
)
from games.grand_campaign.text.turn_facts import Battle, TurnFacts

MOST_EVENTS = 2
WIN, FALL, CONQUEST, LEAD, GAIN, LOSS, BATTLE = 100, 90, 70, 60, 50, 45, 30
"""The weights of events; each province adds one, or three if an army took it."""


class Event(NamedTuple):
    """An event of the turn with its weight and its clause."""

    weight: int
    clause: Spans
    nation: str | None
    """The nation that it is about."""


def headline(facts: TurnFacts) -> Paragraph:
    """Return the headline of a turn."""
    clauses = [event.clause for event in _greatest(list(_events(facts)))] or [_calm(facts)]
    what = join_spans(clauses, "; ")
    text = str(REPORT.read()["headline"])
    spans = with_capital(fill_spans(text, n=facts.turn, what=what))
    return Paragraph(merge_spans(spans), part=HEADLINE)


def _greatest(events: list[Event]) -> list[Event]:
    """Return the greatest event, and the next one that is about another nation."""
    ranked = sorted(events, key=lambda event: -event.weight)
    others = [event for event in ranked[1:] if event.nation != ranked[0].nation]
    return [*ranked[:1], *others[: MOST_EVENTS - 1]]


def _calm(facts: TurnFacts) -> Spans:
    texts = REPORT.read()["events"]
    return (Span(str(texts["quiet" if facts.is_closed else "open"])),)


def _events(facts: TurnFacts) -> Iterator[Event]:
    yield from _ends(facts)
    for fall in facts.falls:
        message = fall_message(fall.cause.id == "crumbles")
        yield Event(FALL, _clause(facts, message, nation=fall.holder), fall.holder)
    yield from _conquests(facts)
    yield from _new_lead(facts)
    for battle in facts.battles:
        yield from _battle(facts, battle)


def _ends(facts: TurnFacts) -> Iterator[Event]:
    if facts.after.standings is None:
        return
    winners = [line["nation"] for line in facts.after.standings if line["rank"] == 1]
    texts = REPORT.read()["events"]
    key = "wins" if len(winners) == 1 else "shared"
    yield Event(WIN, _clause(facts, str(texts[key]), nation=winners[0]), winners[0])


def _conquests(facts: TurnFacts) -> Iterator[Event]:
    """Yield the changes of owners, those between the same two nations together."""
    provinces: dict[tuple[str | None, str | None], list[str]] = {}
    in_battle: dict[tuple[str | None, str | None], int] = {}
    fallen = {fall.holder for fall in facts.falls}
    for effect in facts.owners:
        owner, loser = effect.facts["owner"], effect.facts.get("was")
        if owner is not None or loser not in fallen:
            name = str(words.province_name(facts.scenario, effect.subject))
            provinces.setdefault((owner, loser), []).append(name)
            in_battle[owner, loser] = in_battle.get((owner, loser), 0) + (
                effect.cause.id == "conquest"
            )
    for (owner, loser), names in provinces.items():
        weight = LOSS if owner is None else GAIN if loser is None else CONQUEST
        message = change_message(owner, loser, again=False, several=len(names) > 1)
        listed = words.listed_all(names)
        clause = _clause(facts, message, nation=owner or loser, loser=loser, province=listed)
        yield Event(weight + len(names) + 2 * in_battle[owner, loser], clause, owner or loser)


def _new_lead(facts: TurnFacts) -> Iterator[Event]:
    leaders = facts.leaders(facts.after)
    if len(leaders) == 1 and facts.leaders(facts.before) != leaders and not facts.after.standings:
        text = str(REPORT.read()["events"]["lead"])
        yield Event(LEAD, _clause(facts, text, nation=leaders[0]), leaders[0])


def _battle(facts: TurnFacts, battle: Battle) -> Iterator[Event]:
    """Yield a battle that did not change the map."""
    attack = battle.attack
    if attack.status != "resolved" or battle.owner is not None:
        return
    summary = StoryBattle(
        attack.attacker, attack.defender, attack.target, attack.status, attack.outcome
    )
    message = result_message(summary, changed=False)
    if message:
        weight = BATTLE + {"rout": 3, "clear": 2}.get(battle.margin, 0)
        yield Event(
            weight,
            _clause(
                facts,
                message,
                attacker=attack.attacker,
                defender=attack.defender,
                province=str(words.province_name(facts.scenario, attack.target)),
            ),
            attack.attacker if battle.winner == "attacker" else attack.defender,
        )


def _clause(facts: TurnFacts, message: str, province: str = "", **nations: str | None) -> Spans:
    named = {
        role: Span(words.nation_name(facts.scenario, key), seat=key or "")
        for role, key in nations.items()
    }
    return fill_spans(as_clause(message), province=Span(Name(province)), **named)
