"""A year in one line, and what decided the end of a reign."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.effects import Effect
from engine.language import Name
from games.contract.pages import LoggedMove
from games.march_on_rome.rules.battle import INVASION
from games.march_on_rome.rules.position import BARBARIANS, LOST, PC, Scenario, is_general
from games.march_on_rome.text.fights import Fight
from games.march_on_rome.text.phrases import count, holder_with_paint, phrase_text
from games.march_on_rome.text.steps import Step
from games.march_on_rome.text.words import general_name, holder_name, invader_name, province_name

MOST = 4
"""The most sentences of a year in one line."""
OWN, GENERALS, LANDS, VAIN = range(4)
"""How important a sentence is.

Battles and alliances of the player come first, then generals who rise or fall, then provinces and
recruiting, then attacks in vain.
"""


class Clause(NamedTuple):
    """A sentence of a year, and how important it is: small numbers are more important."""

    weight: int
    text: str


def year_line(
    scenario: Scenario, steps: Sequence[Step], log: Sequence[LoggedMove], year: int, key: str
) -> str:
    """Return what happened in a year as one line; empty if nothing has happened yet.

    `steps` are those of the log. Of many sentences the most important are kept, in their order.
    """
    clauses, invader = list[Clause](), Name("")
    for step, entry in zip(steps, log, strict=True):
        if step.year != year or step.kind == "begin":
            continue
        invader = invader_of(entry) or invader
        clauses += step_clauses(scenario, step, entry, invader)
    if not clauses:
        return ""
    kept = sorted(range(len(clauses)), key=lambda at: (clauses[at].weight, at))[:MOST]
    line = " ".join(clauses[at].text for at in sorted(kept))
    return phrase_text(key, year=year, told=line)


def invader_of(entry: LoggedMove) -> Name | None:
    """Return the people that invades in this entry; None if there is no invasion."""
    for effect in entry.effects:
        if effect.kind == "event" and "invader" in effect.facts:
            return invader_name(str(effect.facts["invader"]))
    return None


def step_clauses(
    scenario: Scenario, step: Step, entry: LoggedMove, invader: Name
) -> Iterator[Clause]:
    """Yield the sentences about an entry of the log."""
    for effect in entry.effects:
        if effect.kind == "battle_over" and step.fight is not None:
            yield battle_clause(scenario, step.fight, invader)
        elif effect.kind == "merged":
            yield merger_clause(scenario, effect)
        elif effect.kind == "event":
            yield from event_clauses(scenario, step, entry, effect)
        elif effect.kind == "recruited" and effect.holder == PC:
            yield sentence(LANDS, "told-you-recruited", legions=count(int(effect.facts["legions"])))
        elif effect.kind == "general_out" and effect.facts["why"] == "no_province":
            yield sentence(GENERALS, "told-out", who=general_name(scenario, effect.subject))


def sentence(weight: int, key: str, **named: object) -> Clause:
    """Return a sentence of the catalogue with a capital letter."""
    text = phrase_text(key, **named)
    return Clause(weight, text[:1].upper() + text[1:])


def battle_clause(scenario: Scenario, fight: Fight, invader: Name) -> Clause:
    """Return the sentence about a battle: who took or held what, with the losses."""
    land, won = province_name(fight.target), fight.winner == "attacker"
    invaded = fight.cause == INVASION
    attacker = invader if invaded else holder_name(scenario, fight.attacker, fight.target)
    named = {"who": attacker, "land": land}
    if PC in (fight.attacker, fight.defender):
        side = "attacker" if fight.attacker == PC else "defender"
        key = own_battle(fight, won, invaded)
        return sentence(OWN, f"told-you-{key}", legions=lost(fight, side), **named)
    if not won:
        return sentence(VAIN, "told-broke" if invaded else "told-failed", **named)
    if invaded:
        return sentence(LANDS, "told-overrun", **named)
    if is_general(fight.defender):
        return sentence(
            LANDS, "told-took-from", foe=general_name(scenario, fight.defender), **named
        )
    return sentence(LANDS, "told-took", **named)


def own_battle(fight: Fight, won: bool, invaded: bool) -> str:
    """Return the end of the key of the sentence about a battle of the player."""
    if fight.attacker == PC:
        return ("took" if fight.segments else "walked") if won else "failed"
    if won and not fight.segments:
        return "yielded"
    return ("overrun" if won else "repelled") if invaded else ("lost" if won else "held")


def lost(fight: Fight, side: str) -> str:
    """Return the losses of a side of a battle in words: "no legions", "2 legions"."""
    fallen = fight.fallen(side)
    return count(fallen) if fallen else phrase_text("told-none")


def merger_clause(scenario: Scenario, effect: Effect) -> Clause:
    """Return the sentence about an alliance."""
    top, other, target = (str(effect.facts[key]) for key in ("top", "other", "target"))
    named = {"who": general_name(scenario, top), "land": province_name(target)}
    if PC in (top, other) and is_general(other):
        key = "told-you-absorbed" if other == PC else "told-you-joined"
        foe = top if other == PC else other
        return sentence(OWN, key, foe=general_name(scenario, foe), **named)
    if top == PC:
        return sentence(OWN, "told-you-allied", **named)
    if is_general(other):
        return sentence(GENERALS, "told-joined", foe=general_name(scenario, other), **named)
    return sentence(LANDS, "told-allied", **named)


def event_clauses(
    scenario: Scenario, step: Step, entry: LoggedMove, effect: Effect
) -> Iterator[Clause]:
    """Yield the sentence about an event that matters; none for those without consequences."""
    facts, name = effect.facts, str(effect.facts["event"])
    if facts.get("nothing"):
        return
    if name == "assassination":
        victim = str(facts["victim"])
        yield sentence(
            OWN if victim == PC else GENERALS,
            "told-you-murdered" if victim == PC else "told-murdered",
            who=general_name(scenario, victim),
        )
    elif name == "new_general":
        who = general_name(scenario, str(facts["holder"]))
        land = province_name(facts["province"])
        yield sentence(GENERALS, "told-risen", who=who, land=land)
    elif name != "invasion":
        gone = any(e.kind == "holding" and e.facts["to"] == LOST for e in entry.effects)
        mine = facts.get("holder") == PC
        land = province_name(facts["province"])
        if gone:
            yield sentence(OWN if mine else LANDS, "told-gone", land=land)
        elif mine and facts.get("change"):
            yield sentence(LANDS, f"told-you-{name}", land=land)


# The end of a reign -------------------------------------------------------------------------------


def decision(scenario: Scenario, log: Sequence[LoggedMove]) -> str:
    """Return what decided the end of a reign, in one or two sentences; empty while it goes on."""
    over = next((e for e in reversed(log[-1].effects) if e.kind in ("won", "lost")), None)
    if over is None:
        return ""
    if over.kind == "won":
        victory = phrase_text("end-won", year=over.facts["turn"], provinces=over.facts["provinces"])
        return " ".join(filter(None, [last_rival(scenario, log), victory]))
    why = str(over.facts["why"])
    if why == "assassinated":
        return phrase_text("end-murdered")
    if why == "merged":
        return merged_end(scenario, log[-1])
    return last_province(scenario, log)


def score_text(result: str, year: int) -> str:
    """Return how a reign counts in the hall of fame."""
    return phrase_text(f"score-{result}", year=year)


def last_rival(scenario: Scenario, log: Sequence[LoggedMove]) -> str:
    """Return how the last rival left the game; empty if there was none."""
    for entry in reversed(log):
        for effect in reversed(entry.effects):
            if effect.kind == "general_out" and effect.subject != PC:
                return rival_left(scenario, entry, effect)
    return ""


def rival_left(scenario: Scenario, entry: LoggedMove, effect: Effect) -> str:
    """Return how a rival left the game in this entry."""
    named: dict[str, object] = {"who": general_name(scenario, effect.subject)}
    why = str(effect.facts["why"])
    if why == "no_province":
        gone = next(
            e for e in entry.effects if e.kind == "holding" and e.facts["from"] == effect.subject
        )
        named["land"] = province_name(gone.subject)
    return phrase_text(f"end-rival-{why}", **named)


def merged_end(scenario: Scenario, entry: LoggedMove) -> str:
    """Return how a stronger general absorbed the player."""
    merged = next(e for e in entry.effects if e.kind == "merged")
    top = general_name(scenario, str(merged.facts["top"]))
    offered = any(e.kind == "offered" and e.facts["general"] == PC for e in entry.effects)
    return phrase_text("end-granted" if offered else "end-accepted", who=top)


def last_province(scenario: Scenario, log: Sequence[LoggedMove]) -> str:
    """Return how the player lost the last province.

    A part of the log may begin after the invasion; then the invaders have no name.
    """
    gone = next(e for e in log[-1].effects if e.kind == "holding" and e.facts["from"] == PC)
    land, taker = province_name(gone.subject), str(gone.facts["to"])
    if is_general(taker):
        return phrase_text("end-taken", who=general_name(scenario, taker), land=land)
    fought = any(effect.kind == "battle_over" for effect in log[-1].effects)
    if not fought:
        return phrase_text("end-rebellion", land=land)
    nameless = holder_with_paint(scenario, BARBARIANS).name
    invader = next(filter(None, map(invader_of, reversed(log))), nameless)
    return phrase_text("end-invaded", who=invader, land=land)
