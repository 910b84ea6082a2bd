"""A reign step by step: the content of each log entry, with its dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.effects import Effect, Roll
from games.contract.pages import LoggedMove
from games.march_on_rome.rules.battle import INVASION
from games.march_on_rome.rules.position import (
    LOST,
    PC,
    RING,
    SENATE,
    TABLES,
    Scenario,
    World,
    row,
)
from games.march_on_rome.text.fights import Fight, continued_fight, opened_fight
from games.march_on_rome.text.phrases import (
    PhrasePart,
    count,
    holder_with_paint,
    land,
    phrase,
    phrase_text,
)
from games.march_on_rome.text.words import invader_name, province_name

# A reign step by step, from the log alone, in the order of the entries.

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
"""The phase of a step. Other moves of the player belong to the phase in which they are made."""


BATTLE = frozenset({"initiative", "battle_devoted", "segments", "segment", "battle_over"})


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRoll:
    """A throw of a step, and its meaning."""

    label: str
    dice: Sequence[int]
    means: Sequence[PhrasePart]


@dataclass(frozen=True, slots=True, kw_only=True)
class LegionChange:
    """A change of a holder's legions."""

    who: PhrasePart
    was: int
    now: int


@dataclass(slots=True)
class Step:
    """A log entry for the page.

    - rolls: its throws, with their meaning
    - sums: its results, as sentences
    - short, ends: the action, and its results for generals, in a word or two
    - arrow: a march: origin, target and holder
    - before: the board at its beginning
    - phase: the phase of the year that it belongs to
    """

    entry: int
    year: int
    kind: str
    actor: str
    before: World
    line: list[PhrasePart]
    rolls: list[StepRoll] = field(default_factory=list)
    sums: list[list[PhrasePart]] = field(default_factory=list)
    changes: list[LegionChange] = field(default_factory=list)
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
        """Return how many segments were fought in this entry."""
        return len(self.fight.segments) if self.fight is not None and self.clashed else 0


def steps(scenario: Scenario, log: Iterable[LoggedMove]) -> list[Step]:
    """Return all steps of the reign so far."""
    reader = StepReader(scenario)
    return [reader.read_entry(move) for move in log]


class StepReader:
    """A reader of the log, entry by entry, that keeps the board and the battle in progress."""

    def __init__(self, scenario: Scenario) -> None:
        self.scenario = scenario
        self.world = World()
        self.fight: Fight | None = None
        self.year = 1
        self.phase = "pc"

    def who(self, holder: str, province: str = "") -> PhrasePart:
        return holder_with_paint(self.scenario, holder, province)

    def read_entry(self, move: LoggedMove) -> Step:
        effects = {effect.kind: effect for effect in reversed(move.effects)}
        step = Step(move.number, self.year, "", PC, self.world, [])
        self.set_head(step, move, effects)
        self.phase = step.phase = PHASE_OF.get(step.kind, self.phase)
        for effect in move.effects:
            if effect.kind == "battle":
                self.fight = step.fight = opened_fight(effect)
            elif effect.kind in BATTLE and self.fight is not None:
                self.fight = step.fight = continued_fight(self.fight, effect, move.rolls)
                step.clashed = step.clashed or effect.kind == "segment"
        self.add_battle_rolls(step, move.rolls)
        self.add_results(step, move.effects)
        if step.fight is not None and step.fight.winner:
            self.fight = None
        self.world = self.world.after(move.effects)
        if "year" in effects:
            self.year = int(effects["year"].facts["turn"])
        return step

    # The entry itself -----------------------------------------------------------------------------

    def set_head(self, step: Step, entry: LoggedMove, effects: dict[str, Effect]) -> None:
        """Set the step's first line, its actor, and the dice that chose the action."""
        move = str(entry.move["move"])
        if move == "continue":
            self.set_year_step(step, entry, effects)
            return
        step.kind = move
        me = self.who(PC)
        target = str(entry.move.get("target", ""))
        if move in ("attack", "ally"):
            step.line = phrase(f"step-{move}", who=me, land=land(target))
            step.place, step.arrow = target, self.arrow(PC, target)
            step.short = phrase_text(
                "short-attacks" if move == "attack" else "short-offers", land=province_name(target)
            )
        elif move == "devote" and self.fight is not None:
            target, legions = self.fight.target, entry.move["legions"]
            key = "step-devote" if legions else "step-concede"
            step.line = phrase(key, who=me, land=land(target), legions=count(legions))
            step.place, step.arrow = target, self.arrow(self.fight.attacker, target)
        elif move == "answer":
            step.line = phrase("step-accept" if entry.move["accept"] else "step-refuse", who=me)
        elif move == "begin":
            own = next(
                (e.subject for e in entry.effects if e.kind == "holding" and e.holder == PC), ""
            )
            step.line = phrase("step-begin", who=me, land=land(own))
        else:
            step.line, step.short = phrase("step-pass", who=me), phrase_text("short-pass")
        self.add_answer(step, entry.rolls, effects)

    def set_year_step(self, step: Step, move: LoggedMove, effects: dict[str, Effect]) -> None:
        rolls = move.rolls
        if "order" in effects:
            step.kind, step.line, step.actor = "order", phrase("step-order"), ""
            step.queue = tuple(effects["order"].facts["queue"])
            for rival in step.queue:
                self.add_roll(
                    step,
                    str(self.who(rival).name),
                    [r.value for r in rolls if r.purpose.split("/")[2] == rival],
                )
        elif "event" in effects:
            self.set_event(step, move, effects["event"])
        elif "events" in effects:
            n = effects["events"].facts["events"]
            step.kind, step.line, step.actor = "events", phrase("step-events"), ""
            self.add_roll(
                step,
                phrase_text("roll-events"),
                [n],
                phrase("means-event" if n == 1 else "means-events"),
            )
        elif "recruited" in effects:
            step.kind, step.line, step.actor = "recruit", phrase("step-recruit"), ""
            step.changes = [self.legion_change(e) for e in move.effects if e.kind == "account"]
        elif "marches" in effects or "idle" in effects:
            self.set_rival(step, move, effects)
        else:
            step.kind, step.line, step.actor = "nobody", phrase("step-nobody"), ""

    def set_rival(self, step: Step, move: LoggedMove, effects: dict[str, Effect]) -> None:
        """Set a rival's action: its kind, its origin, and the neighbours they count (3.2)."""
        facts = (effects.get("marches") or effects["idle"]).facts
        step.kind, step.actor = "npc", str(facts["general"])
        me = self.who(step.actor)
        action = self.values_of(move.rolls, "/action")
        if action:
            what = str(row("npc_action", action[0])["action"])
            self.add_roll(step, phrase_text("roll-action"), action, phrase(f"means-{what}"))
        home = str(facts.get("home", ""))
        if based := self.values_of(move.rolls, "/home"):
            self.add_roll(step, phrase_text("roll-home"), based, [land(home)])
        counted = self.values_of(move.rolls, "/neighbour")
        if "marches" not in effects:
            if counted:
                self.add_roll(
                    step, phrase_text("roll-neighbour", home=province_name(home)), counted
                )
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
        self.add_roll(step, phrase_text("roll-neighbour", home=province_name(home)), counted, means)
        step.line = phrase(f"step-npc-{facts['action']}", who=me, land=land(target))
        step.place, step.arrow = target, (home, target, step.actor)
        step.short = phrase_text(
            "short-attacks" if facts["action"] == "attack" else "short-offers",
            land=province_name(target),
        )
        self.add_answer(step, move.rolls, effects)

    def add_answer(self, step: Step, rolls: Sequence[Roll], effects: dict[str, Effect]) -> None:
        """Add the die that answered an offer."""
        if value := self.values_of(rolls, "/answer"):
            self.add_roll(
                step,
                phrase_text("roll-answer"),
                value,
                phrase("means-no" if "refused" in effects else "means-yes"),
            )

    def set_event(self, step: Step, move: LoggedMove, effect: Effect) -> None:
        """Set an event of the year, with the dice for its kind, place, victim and strength (6)."""
        facts, rolls = effect.facts, move.rolls
        name, place = str(facts["event"]), str(facts.get("province") or "")
        step.kind, step.actor, step.place = "event", "", place
        self.add_roll(step, phrase_text("roll-event"), [rolls[0].value])
        nothing = bool(facts.get("nothing"))
        if name == "assassination":
            step.line = phrase("step-assassination", who=self.who(str(facts["victim"])))
            self.add_roll(step, phrase_text("roll-victim"), self.values_of(rolls, "/victim"))
        elif name == "new_general" and nothing:
            step.line = phrase("step-new_general-nothing")
        elif name == "new_general":
            legions = int(facts["legions"]) + int(facts.get("garrison", 0))
            general = self.who(str(facts["holder"]))
            step.line = phrase(
                "step-new_general", who=general, land=land(place), legions=count(legions)
            )
            self.add_roll(step, phrase_text("roll-legions"), self.values_of(rolls, "/legions"))
            self.add_roll(
                step,
                phrase_text("roll-where"),
                self.values_of(rolls, "/core") or self.values_of(rolls, "/province"),
                [land(place)],
            )
        elif name == "invasion":
            people = invader_name(str(facts["invader"]))
            step.line = phrase(
                "step-invasion-nothing" if nothing else "step-invasion",
                people=people,
                land=land(place),
            )
            self.add_roll(
                step,
                phrase_text("roll-invader"),
                self.values_of(rolls, "/invader"),
                [PhrasePart(text=people)],
            )
            if strength := self.values_of(rolls, "/strength"):
                horde = [PhrasePart(strong=count(int(facts["horde"]), "army"))]
                self.add_roll(step, phrase_text("roll-strength"), strength, horde)
        else:
            step.line = phrase(f"step-{name}", land=land(place))
            self.add_roll(
                step, phrase_text("roll-where"), self.values_of(rolls, "/province"), [land(place)]
            )
            if nothing or not facts["change"]:
                step.sums.append(phrase("outside" if nothing else "spared"))

    # Battles and results --------------------------------------------------------------------------

    def add_battle_rolls(self, step: Step, rolls: Sequence[Roll]) -> None:
        """Add strength, initiative and commitments, if this entry threw their dice."""
        for thrown in rolls:
            if "/barbarians/" in thrown.purpose:
                strength = int(TABLES["barbarians"]["base"]) + thrown.value
                self.add_roll(
                    step,
                    phrase_text("roll-strength"),
                    [thrown.value],
                    [PhrasePart(strong=count(strength, "army"))],
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
                self.add_roll(
                    step,
                    phrase_text("roll-again" if again else "roll-initiative"),
                    list(pair),
                    means,
                )
        for side, value in fight.dice.items():
            if any(thrown.purpose.endswith(f"/devote/{side}") for thrown in rolls):
                means = phrase(
                    "means-devoted",
                    n=PhrasePart(strong=str(fight.devoted[side])),
                    total=fight.totals[side],
                )
                name = str(self.side(fight, side).name)
                self.add_roll(step, phrase_text("roll-devotes", side=name), [value], means)

    def add_results(self, step: Step, effects: Sequence[Effect]) -> None:
        """Add the step's results, each as a sentence or a number."""
        fight = step.fight
        for effect in effects:
            if effect.kind == "merged":
                self.add_merger(step, effect)
            elif effect.kind == "battle_over" and fight is not None:
                self.add_battle(step, fight)
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
                step.changes.append(self.legion_change(effect))
            elif (
                effect.kind == "account"
                and step.kind == "event"
                and fight is None
                and effect.holder == SENATE
            ):
                step.changes.append(self.legion_change(effect, str(effect.facts["province"])))
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

    def add_merger(self, step: Step, effect: Effect) -> None:
        top, other, target = (str(effect.facts[key]) for key in ("top", "other", "target"))
        if other in (SENATE, LOST):
            step.sums.append(phrase("sum-merged", who=self.who(top), land=land(target)))
            step.ends[top] = phrase_text("short-alliance", land=province_name(target))
            return
        step.sums.append(phrase("sum-joined", other=self.who(other), who=self.who(top)))
        step.ends[other] = phrase_text("short-joined", who=self.who(top).name)
        step.ends[top] = phrase_text("short-alliance", land=province_name(target))

    def add_battle(self, step: Step, fight: Fight) -> None:
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
                step.sums.append(
                    phrase(
                        "sum-fallen",
                        attacker=self.side(fight, "attacker"),
                        defender=self.side(fight, "defender"),
                        fallen=PhrasePart(strong=str(fallen["attacker"])),
                        killed=PhrasePart(strong=str(fallen["defender"])),
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

    def side(self, fight: Fight, side: str) -> PhrasePart:
        return self.who(fight.holder_of(side), fight.target)

    def arrow(self, holder: str, target: str) -> tuple[str, str, str] | None:
        """Return the march of a general, which begins at their first province beside the target."""
        source = next((key for key in RING[target] if self.world.owner[key] == holder), None)
        return None if source is None else (source, target, holder)

    def legion_change(self, effect: Effect, province: str = "") -> LegionChange:
        now = int(effect.facts["now"]) if "now" in effect.facts else effect.balance
        holder = str(effect.holder)
        return LegionChange(who=self.who(holder, province), was=now - effect.change, now=now)

    @staticmethod
    def values_of(rolls: Sequence[Roll], tail: str) -> list[int]:
        """Return all values of purposes with this end, including repeated rolls."""
        return [
            roll.value
            for roll in rolls
            if roll.purpose.split("/reroll-")[0].endswith(tail)
            and "/initiative" not in roll.purpose
        ]

    @staticmethod
    def add_roll(
        step: Step, label: str, dice: Sequence[int], means: Sequence[PhrasePart] = ()
    ) -> None:
        if dice:
            step.rolls.append(StepRoll(label=label, dice=list(dice), means=list(means)))
