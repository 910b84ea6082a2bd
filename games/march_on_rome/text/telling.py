"""Sentences of the page in parts: the words around a holder's name, a province, a number, which
pages draw each in its way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from string import Formatter
from typing import Any

from engine.effects import Effect, Roll
from engine.language import Name
from games.contract.pages import Told
from games.march_on_rome.drawing.map import paint
from games.march_on_rome.rules.battle import INVASION
from games.march_on_rome.rules.position import (
    BARBARIANS,
    LOST,
    OTHER,
    PC,
    RING,
    SENATE,
    SIDES,
    TABLES,
    Scenario,
    World,
    is_general,
    losses,
    row,
)
from games.march_on_rome.text.english import PAGE
from games.march_on_rome.text.words import general_name, invader_name, province_name, side_name

Part = dict[str, Any]
"""`text`, or `strong`, or `holder` (a paint's key) with its `name`."""


phrase_text = PAGE.text
"""A phrase of the catalogue as plain text."""


def phrase(key: str, **named: Part | str | int) -> list[Part]:
    """A phrase of the catalogue in parts; what is named may be a part itself. What a language puts
    before a name stands before its part.
    """
    pieces: list[Part] = []
    for literal, name, form, _ in Formatter().parse(str(PAGE.read()[key])):
        if literal:
            pieces.append({"text": literal})
        if name:
            value = named[name]
            part = value if isinstance(value, dict) else {"text": value}
            one = next(part[kind] for kind in ("name", "strong", "text") if kind in part)
            before = format(one, form).removesuffix(one) if form and isinstance(one, Name) else ""
            pieces += (
                [{"text": before}, part]
                if before
                else [part if isinstance(value, dict) else {"text": format(one)}]
            )
    return pieces


def holder_with_paint(scenario: Scenario, holder: str, province: str = "") -> Part:
    """A holder with its paint: a general by name, a procurator, a people, invaders."""
    if is_general(holder):
        name = general_name(scenario, holder)
    elif holder == BARBARIANS:
        name = Name.parse(phrase_text("invaders"))
    elif not province:
        name = Name.parse(phrase_text(holder))
    else:
        name = Name.parse(
            phrase_text("procurator")
            if holder == SENATE
            else phrase_text("people", land=province_name(province))
        )
    return {"holder": paint(holder), "name": name}


def land(province: object) -> Part:
    return {"strong": province_name(province)}


def count(n: int, unit: str = "legion") -> str:
    """So many legions or armies."""
    return PAGE.counted(unit, n)


def unit_of(holder: str) -> str:
    """What a holder fights with."""
    return "army" if holder in (LOST, BARBARIANS) else "legion"


# A reign step by step, from the log alone: what each entry did, with its dice, in the order in
# which it happened.

PHASE_OF = {
    "attack": "pc",
    "ally": "pc",
    "pass": "pc",
    "order": "npc",
    "nobody": "npc",
    "npc": "npc",
    "recruit": "recruit",
    "events": "events",
    "event": "events",
}
"""The phase of a step; what the player says in between belongs to the one it is said in."""
BATTLE = frozenset({"initiative", "battle_devoted", "segments", "segment", "battle_over"})


@dataclass(slots=True)
class Step:
    """One entry of the log as the page tells it.

    `rolls` have a label, dice and what they meant; `sums` what came of it; `short` what the actor
    does and `ends` what came of it for whom, in a word or two; `arrow` who marches whence and
    whither; `before` is the board when it began; `phase` the phase of the year it belongs to.
    """

    entry: int
    year: int
    kind: str
    actor: str
    before: World
    line: list[Part]
    rolls: list[dict[str, Any]] = field(default_factory=list)
    sums: list[list[Part]] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)
    fight: Fight | None = None
    clashed: bool = False
    short: str = ""
    ends: dict[str, str] = field(default_factory=dict)
    phase: str = "pc"
    arrow: tuple[str, str, str] | None = None
    place: str = ""
    queue: tuple[str, ...] = ()

    @property
    def segments(self) -> int:
        """How many segments were fought in this very entry."""
        return len(self.fight.segments) if self.fight is not None and self.clashed else 0


def steps(scenario: Scenario, log: Iterable[Told]) -> list[Step]:
    """All steps of the reign so far."""
    teller = Teller(scenario)
    return [teller.tell_move(move) for move in log]


class Teller:
    """Reads the log entry by entry and keeps the board and the battle going on."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.world = World()
        self.fight: Fight | None = None
        self.year = 1
        self.phase = "pc"

    def who(self, holder: str, province: str = "") -> Part:
        return holder_with_paint(self.scenario, holder, province)

    def tell_move(self, move: Told) -> Step:
        effects = {effect.kind: effect for effect in reversed(move.effects)}
        step = Step(move.number, self.year, "", PC, self.world, [])
        self.head(step, move, effects)
        self.phase = step.phase = PHASE_OF.get(step.kind, self.phase)
        for effect in move.effects:
            if effect.kind == "battle":
                self.fight = step.fight = begun(effect)
            elif effect.kind in BATTLE and self.fight is not None:
                self.fight = step.fight = further(self.fight, effect, move.rolls)
                step.clashed = step.clashed or effect.kind == "segment"
        self.battle_rolls(step, move.rolls)
        self.outcome(step, move.effects)
        if step.fight is not None and step.fight.winner:
            self.fight = None
        self.world = self.world.after(move.effects)
        if "year" in effects:
            self.year = int(effects["year"].facts["turn"])
        return step

    # What it is -----------------------------------------------------------------------------------

    def head(self, step: Step, told_move: Told, effects: dict[str, Effect]) -> None:
        """The step's first line, who acts, and the dice that say what they do."""
        move = str(told_move.move["move"])
        if move == "continue":
            self.of_the_year(step, told_move, effects)
            return
        step.kind = move
        me = self.who(PC)
        target = str(told_move.move.get("target", ""))
        if move in ("attack", "ally"):
            step.line = phrase(f"step-{move}", who=me, land=land(target))
            step.place, step.arrow = target, self.arrow(PC, target)
            step.short = phrase_text(
                "short-attacks" if move == "attack" else "short-offers", land=province_name(target)
            )
        elif move == "devote" and self.fight is not None:
            target, legions = self.fight.target, told_move.move["legions"]
            key = "step-devote" if legions else "step-concede"
            step.line = phrase(key, who=me, land=land(target), legions=count(legions))
            step.place, step.arrow = target, self.arrow(self.fight.attacker, target)
        elif move == "answer":
            step.line = phrase("step-accept" if told_move.move["accept"] else "step-refuse", who=me)
        elif move == "begin":
            own = next(
                (e.subject for e in told_move.effects if e.kind == "holding" and e.holder == PC), ""
            )
            step.line = phrase("step-begin", who=me, land=land(own))
        else:
            step.line, step.short = phrase("step-pass", who=me), phrase_text("short-pass")
        self.answered(step, told_move.rolls, effects)

    def of_the_year(self, step: Step, move: Told, effects: dict[str, Effect]) -> None:
        rolls = move.rolls
        if "order" in effects:
            step.kind, step.line, step.actor = "order", phrase("step-order"), ""
            step.queue = tuple(effects["order"].facts["queue"])
            for rival in step.queue:
                self.roll(
                    step,
                    str(self.who(rival)["name"]),
                    [r.value for r in rolls if r.purpose.split("/")[2] == rival],
                )
        elif "event" in effects:
            self.event(step, move, effects["event"])
        elif "events" in effects:
            n = effects["events"].facts["events"]
            step.kind, step.line, step.actor = "events", phrase("step-events"), ""
            self.roll(
                step,
                phrase_text("roll-events"),
                [n],
                phrase("means-event" if n == 1 else "means-events"),
            )
        elif "recruited" in effects:
            step.kind, step.line, step.actor = "recruit", phrase("step-recruit"), ""
            step.changes = [self.change(e) for e in move.effects if e.kind == "account"]
        elif "marches" in effects or "idle" in effects:
            self.rival(step, move, effects)
        else:
            step.kind, step.line, step.actor = "nobody", phrase("step-nobody"), ""

    def rival(self, step: Step, move: Told, effects: dict[str, Effect]) -> None:
        """A rival's action: what they do, from where, round which neighbours they count (3.2)."""
        facts = (effects.get("marches") or effects["idle"]).facts
        step.kind, step.actor = "npc", str(facts["general"])
        me = self.who(step.actor)
        action = self.thrown(move.rolls, "/action")
        if action:
            what = str(row("npc_action", action[0])["action"])
            self.roll(step, phrase_text("roll-action"), action, phrase(f"means-{what}"))
        home = str(facts.get("home", ""))
        if based := self.thrown(move.rolls, "/home"):
            self.roll(step, phrase_text("roll-home"), based, [land(home)])
        counted = self.thrown(move.rolls, "/neighbour")
        if "marches" not in effects:
            if counted:
                self.roll(step, phrase_text("roll-neighbour", home=province_name(home)), counted)
            step.line, step.short = (
                phrase(f"step-{facts['why']}", who=me, land=land(home)),
                phrase_text("short-rest"),
            )
            return
        target = str(facts["target"])
        means = [land(target)]
        if facts["counted"] != target:
            means = phrase(
                "means-onward",
                counted=province_name(facts["counted"]),
                target=province_name(target),
            )
        self.roll(step, phrase_text("roll-neighbour", home=province_name(home)), counted, means)
        step.line = phrase(f"step-npc-{facts['action']}", who=me, land=land(target))
        step.place, step.arrow = target, (home, target, step.actor)
        step.short = phrase_text(
            "short-attacks" if facts["action"] == "attack" else "short-offers",
            land=province_name(target),
        )
        self.answered(step, move.rolls, effects)

    def answered(self, step: Step, rolls: Sequence[Roll], effects: dict[str, Effect]) -> None:
        """The die with which an offer was answered."""
        if value := self.thrown(rolls, "/answer"):
            self.roll(
                step,
                phrase_text("roll-answer"),
                value,
                phrase("means-no" if "refused" in effects else "means-yes"),
            )

    def event(self, step: Step, move: Told, effect: Effect) -> None:
        """An event of the year, with the die that chose it and those that say where, whom, how
        strong (6).
        """
        facts, rolls = effect.facts, move.rolls
        name, place = str(facts["event"]), str(facts.get("province") or "")
        step.kind, step.actor, step.place = "event", "", place
        self.roll(step, phrase_text("roll-event"), [rolls[0].value])
        nothing = bool(facts.get("nothing"))
        if name == "assassination":
            step.line = phrase("step-assassination", who=self.who(str(facts["victim"])))
            self.roll(step, phrase_text("roll-victim"), self.thrown(rolls, "/victim"))
        elif name == "new_general" and nothing:
            step.line = phrase("step-new_general-nothing")
        elif name == "new_general":
            legions = int(facts["legions"]) + int(facts.get("garrison", 0))
            general = self.who(str(facts["holder"]))
            step.line = phrase(
                "step-new_general", who=general, land=land(place), legions=count(legions)
            )
            self.roll(step, phrase_text("roll-legions"), self.thrown(rolls, "/legions"))
            self.roll(
                step,
                phrase_text("roll-where"),
                self.thrown(rolls, "/core") or self.thrown(rolls, "/province"),
                [land(place)],
            )
        elif name == "invasion":
            people = invader_name(str(facts["invader"]))
            step.line = phrase(
                "step-invasion-nothing" if nothing else "step-invasion",
                people=people,
                land=land(place),
            )
            self.roll(
                step,
                phrase_text("roll-invader"),
                self.thrown(rolls, "/invader"),
                [{"text": people}],
            )
            if strength := self.thrown(rolls, "/strength"):
                horde = [{"strong": count(int(facts["horde"]), "army")}]
                self.roll(step, phrase_text("roll-strength"), strength, horde)
        else:
            step.line = phrase(f"step-{name}", land=land(place))
            self.roll(
                step, phrase_text("roll-where"), self.thrown(rolls, "/province"), [land(place)]
            )
            if nothing or not facts["change"]:
                step.sums.append(phrase("outside" if nothing else "spared"))

    # Battles and what came of it ------------------------------------------------------------------

    def battle_rolls(self, step: Step, rolls: Sequence[Roll]) -> None:
        """Strength, initiative and commitments, as far as this entry threw their dice."""
        for thrown in rolls:
            if "/barbarians/" in thrown.purpose:
                strength = int(TABLES["barbarians"]["base"]) + thrown.value
                self.roll(
                    step,
                    phrase_text("roll-strength"),
                    [thrown.value],
                    [{"strong": count(strength, "army")}],
                )
        fight = step.fight
        if fight is None:
            return
        if any("/initiative/" in thrown.purpose for thrown in rolls):
            for again, pair in enumerate(fight.initiative):
                means = (
                    phrase("means-first", side=self.side(fight, fight.first))
                    if pair[0] != pair[1]
                    else []
                )
                self.roll(
                    step,
                    phrase_text("roll-again" if again else "roll-initiative"),
                    list(pair),
                    means,
                )
        for side, value in fight.dice.items():
            if any(thrown.purpose.endswith(f"/devote/{side}") for thrown in rolls):
                means = phrase(
                    "means-devoted",
                    n={"strong": str(fight.devoted[side])},
                    total=fight.totals[side],
                )
                name = str(self.side(fight, side)["name"])
                self.roll(step, phrase_text("roll-devotes", side=name), [value], means)

    def outcome(self, step: Step, effects: Sequence[Effect]) -> None:
        """What the step changed, in a sentence or a number each."""
        fight = step.fight
        for effect in effects:
            if effect.kind == "merged":
                self.merged(step, effect)
            elif effect.kind == "battle_over" and fight is not None:
                self.fought(step, fight)
            elif effect.kind == "general_out":
                step.sums.append(phrase("sum-out", who=self.who(effect.subject)))
                step.ends[effect.subject] = phrase_text("short-out")
            elif effect.kind in ("won", "lost"):
                step.sums.append(phrase(f"sum-{effect.kind}"))
            elif (
                effect.kind == "account"
                and step.kind == "event"
                and fight is None
                and "province" not in effect.facts
            ):
                step.changes.append(self.change(effect))
            elif (
                effect.kind == "account"
                and step.kind == "event"
                and fight is None
                and effect.holder == SENATE
            ):
                step.changes.append(self.change(effect, str(effect.facts["province"])))
            elif (
                effect.kind == "holding"
                and step.kind == "event"
                and fight is None
                and effect.facts["to"] == LOST
            ):
                step.sums.append(
                    phrase(
                        "sum-taken", side=self.who(LOST, effect.subject), land=land(effect.subject)
                    )
                )

    def merged(self, step: Step, effect: Effect) -> None:
        top, other, target = (str(effect.facts[key]) for key in ("top", "other", "target"))
        if other in (SENATE, LOST):
            step.sums.append(phrase("sum-merged", who=self.who(top), land=land(target)))
            step.ends[top] = phrase_text("short-alliance", land=province_name(target))
            return
        step.sums.append(phrase("sum-joined", other=self.who(other), who=self.who(top)))
        step.ends[other] = phrase_text("short-joined", who=self.who(top)["name"])
        step.ends[top] = phrase_text("short-alliance", land=province_name(target))

    def fought(self, step: Step, fight: Fight) -> None:
        attacker, place = self.side(fight, "attacker"), land(fight.target)
        won = fight.winner == "attacker"
        if fight.walkover:
            step.sums.append(
                phrase("sum-walkover" if won else "sum-unarmed", land=place, side=attacker)
            )
        elif fight.conceded:
            step.sums.append(phrase("sum-conceded", land=place, side=attacker))
        else:
            step.sums.append(
                phrase(
                    (
                        ("sum-overrun" if fight.cause == INVASION else "sum-taken")
                        if won
                        else "sum-held"
                    ),
                    side=attacker,
                    land=place,
                )
            )
            fallen = {side: fight.fallen(side) for side in ("attacker", "defender")}
            if any(fallen.values()):
                for side, n in fallen.items():
                    step.sums.append(
                        phrase(
                            "sum-fallen",
                            side=self.side(fight, side),
                            fallen={"strong": f"−{n}" if n else "0"},
                        )
                    )
            else:
                step.sums.append(
                    phrase("sum-level", **{side: str(n) for side, n in fight.devoted.items()})
                )
        step.ends[fight.attacker] = phrase_text(
            "short-took" if won else "short-beaten", land=province_name(fight.target)
        )

    # Helpers --------------------------------------------------------------------------------------

    def side(self, fight: Fight, side: str) -> Part:
        return self.who(fight.holder_of(side), fight.target)

    def arrow(self, holder: str, target: str) -> tuple[str, str, str] | None:
        """From which of their provinces a general comes: the first neighbour of the target that is
        theirs.
        """
        source = next((key for key in RING[target] if self.world.owner[key] == holder), None)
        return None if source is None else (source, target, holder)

    def change(self, effect: Effect, province: str = "") -> dict[str, Any]:
        now = int(effect.facts["now"]) if "now" in effect.facts else effect.balance
        holder = str(effect.holder)
        return {
            "who": self.who(holder, province),
            "was": now - effect.change,
            "now": now,
            "unit": unit_of(holder),
        }

    @staticmethod
    def thrown(rolls: Sequence[Roll], tail: str) -> list[int]:
        """All values of a purpose that ends so, rolls again included."""
        return [
            roll.value
            for roll in rolls
            if roll.purpose.split("/reroll-")[0].endswith(tail)
            and "/initiative" not in roll.purpose
        ]

    @staticmethod
    def roll(step: Step, label: str, dice: Sequence[int], means: Sequence[Part] = ()) -> None:
        if dice:
            step.rolls.append({"label": label, "dice": list(dice), "means": list(means)})


# A battle as it is told: folded from its effects and rolls, over as many entries as it took.


@dataclass(frozen=True, slots=True)
class Fight:
    """What is known of a battle so far. `left` is what is left of the legions devoted when it is
    over.
    """

    no: int
    target: str
    attacker: str
    defender: str
    cause: str
    totals: dict[str, int]
    first: str = ""
    initiative: tuple[tuple[int, int], ...] = ()
    devoted: dict[str, int] = field(default_factory=dict)
    dice: dict[str, int] = field(default_factory=dict)
    planned: int = 0
    segments: tuple[dict[str, Any], ...] = ()
    winner: str = ""
    left: dict[str, int] = field(default_factory=dict)
    walkover: bool = False
    conceded: bool = False

    def holder_of(self, side: str) -> str:
        return self.attacker if side == "attacker" else self.defender

    def fallen(self, side: str) -> int:
        """How many of a side's legions died: all who lost against an invasion, and all invaders
        beaten (6.1).
        """
        if not self.segments:
            return 0
        beaten = self.winner and side != self.winner
        return self.devoted[side] - (0 if beaten and self.cause == INVASION else self.left[side])


def begun(effect: Effect) -> Fight:
    """The battle that an effect opens."""
    facts = effect.facts
    return Fight(
        facts["no"],
        facts["target"],
        facts["attacker"],
        facts["defender"],
        facts["cause"],
        dict(facts["totals"]),
    )


def further(fight: Fight, effect: Effect, rolls: Sequence[Roll]) -> Fight:
    """The battle after one more effect of it; `rolls` are those of the entry."""
    facts = effect.facts
    if effect.kind == "initiative":
        mark = f"/battle-{fight.no}/initiative/"
        thrown = [roll.value for roll in rolls if mark in roll.purpose]
        pairs = tuple(zip(thrown[::2], thrown[1::2], strict=True))
        return replace(fight, first=facts["side"], initiative=pairs)
    if effect.kind == "battle_devoted":
        side = facts["side"]
        dice = fight.dice if facts["roll"] is None else {**fight.dice, side: facts["roll"]}
        return replace(fight, devoted={**fight.devoted, side: facts["legions"]}, dice=dice)
    if effect.kind == "segments":
        return replace(fight, planned=facts["segments"])
    if effect.kind == "segment":
        return replace(fight, segments=(*fight.segments, dict(facts)))
    if effect.kind == "battle_over":
        over = {key: facts[key] for key in ("winner", "walkover", "conceded")}
        return replace(fight, left=dict(facts["left"]), **over)
    return fight


def called(scenario: Scenario, holder: str) -> str:
    """A side in one word, for the head of a column."""
    short = {LOST: "people-short", SENATE: "procurator"}.get(holder)
    return phrase_text(short) if short else str(holder_with_paint(scenario, holder)["name"])


def segments_shown(
    scenario: Scenario, fight: Fight, upto: int | None = None
) -> dict[str, Any] | None:
    """The battle by segments for the page; None where no segment was fought. `upto`: so many are
    told, the rest sealed.
    """
    if not fight.segments:
        return None
    segments = fight.segments if upto is None else fight.segments[:upto]
    first, second = fight.first, OTHER[fight.first]
    left = dict(fight.devoted)
    rows = []
    for segment in segments:
        cells: list[dict[str, Any] | None] = []
        for side in (first, second):
            rolled = segment["rolls"].get(side)
            if rolled is None:
                cells.append(None)
                continue
            was = left[OTHER[side]]
            left[OTHER[side]] = max(0, was - segment["X"] * segment["hits"][side])
            cells.append(
                {"dice": rolled, "hit": segment["hits"][side], "was": was, "now": left[OTHER[side]]}
            )
        rows.append(
            {
                "no": segment["segment"],
                "cells": cells,
                "new": upto is not None and segment is segments[-1],
            }
        )
    engaged = sum(fight.devoted.values())
    extra = len(fight.segments) - fight.planned
    return {
        "sides": [
            {
                "who": holder_with_paint(scenario, fight.holder_of(side), fight.target),
                "side": side_name(side),
                "first": side == first,
                "left": left[side],
                "devoted": fight.devoted[side],
                "paint": paint(fight.holder_of(side)),
                "stand": range(left[side]),
                "fallen": range(fight.devoted[side] - left[side]),
            }
            for side in SIDES
        ],
        "first": called(scenario, fight.holder_of(first)),
        "second": called(scenario, fight.holder_of(second)),
        "rows": rows,
        "sealed": range(len(segments) + 1, fight.planned + 1) if upto is not None else (),
        "planned": fight.planned,
        "X": losses(engaged),
        "engaged": engaged,
        "over": upto is None or upto >= len(fight.segments),
        "extra": extra,
        "winner": (
            holder_with_paint(scenario, fight.holder_of(fight.winner), fight.target)
            if fight.winner
            else None
        ),
        "score": (
            (fight.left[fight.winner], fight.left[OTHER[fight.winner]]) if fight.winner else None
        ),
        "dice": sum(
            len(rolled) for segment in fight.segments for rolled in segment["rolls"].values()
        ),
        "count": len(fight.segments),
    }
