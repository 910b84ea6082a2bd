"""A reign step by step, from the log alone: what each entry did, with its dice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine.effects import Effect, Roll
from games.contract.pages import Told
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
from games.march_on_rome.text.fights import Fight, begun, further
from games.march_on_rome.text.phrases import (
    PhrasePart,
    count,
    holder_with_paint,
    land,
    phrase,
    phrase_text,
)
from games.march_on_rome.text.words import invader_name, province_name

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


@dataclass(frozen=True, slots=True, kw_only=True)
class StepRoll:
    """A throw of a step, and what it meant."""

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

    def who(self, holder: str, province: str = "") -> PhrasePart:
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
                    str(self.who(rival).name),
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
                [PhrasePart(text=people)],
            )
            if strength := self.thrown(rolls, "/strength"):
                horde = [PhrasePart(strong=count(int(facts["horde"]), "army"))]
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
                    n=PhrasePart(strong=str(fight.devoted[side])),
                    total=fight.totals[side],
                )
                name = str(self.side(fight, side).name)
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
        step.ends[other] = phrase_text("short-joined", who=self.who(top).name)
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
                            fallen=PhrasePart(strong=f"−{n}" if n else "0"),
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
        """From which of their provinces a general comes: the first neighbour of the target that is
        theirs.
        """
        source = next((key for key in RING[target] if self.world.owner[key] == holder), None)
        return None if source is None else (source, target, holder)

    def change(self, effect: Effect, province: str = "") -> LegionChange:
        now = int(effect.facts["now"]) if "now" in effect.facts else effect.balance
        holder = str(effect.holder)
        return LegionChange(who=self.who(holder, province), was=now - effect.change, now=now)

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
    def roll(step: Step, label: str, dice: Sequence[int], means: Sequence[PhrasePart] = ()) -> None:
        if dice:
            step.rolls.append(StepRoll(label=label, dice=list(dice), means=list(means)))
