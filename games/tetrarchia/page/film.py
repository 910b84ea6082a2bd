"""Moves as a film, read from effects and rolls alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.effects import Effect
from games.contract.pages import Die, Frame, LoggedMove
from games.tetrarchia.page.history import GONE
from games.tetrarchia.rules.position import OUTER, TO_ROME
from games.tetrarchia.text.words import (
    NUMERALS,
    counted_phrase,
    effect_line,
    emperor,
    listed,
    phrase_text,
    space,
)

Change = dict[str, Any]
FOUGHT = {"victory": "good", "defeat": "bad", "draw": ""}
ROMAN, PLAIN = "roman", "pips"


def film(scenario: Any, log: Sequence[LoggedMove]) -> list[Frame]:
    """Return the frames of these entries."""
    return [frame for entry in log for frame in Reel(scenario, entry).frames()]


class Reel:
    """The frames of an entry.

    An effect that opens a frame is followed by those that belong to it.
    """

    def __init__(self, scenario: Any, entry: LoggedMove) -> None:
        self.scenario, self.entry = scenario, entry
        self.rolls = {"/".join(roll.purpose.split("/")[2:]): roll.value for roll in entry.rolls}
        self.shots: list[dict[str, Any]] = []
        self.fight = ""
        """The army that has attacked last."""

    def frames(self) -> list[Frame]:
        name = str(self.entry.move["move"])
        if name == "begin":
            return list(self.beginning())
        if name == "end_turn":
            self.status()
        for effect in self.entry.effects:
            self.read(effect)
        self.merge()
        return [
            Frame(at=self.entry.number, **{**shot, "changes": tuple(shot["changes"])})
            for shot in self.shots
            if shot["say"]
        ]

    def merge(self) -> None:
        """Move changes that come before the effect that names them into its frame."""
        for place, shot in enumerate(self.shots[:-1]):
            if not shot["say"]:
                self.shots[place + 1]["changes"][:0] = shot["changes"]

    def beginning(self) -> Iterator[Frame]:
        """Yield the first Revolts and armies one by one, each after its dice.

        Of a die that was thrown again, only the last value is shown.
        """
        groups: dict[str, dict[str, Die]] = {}
        for roll in self.entry.rolls:
            purpose = roll.purpose.partition("/reroll-")[0]
            _setup, what, *rest = purpose.split("/")
            key = f"{what}/{rest[0]}" if what == "revolt" else what
            groups.setdefault(key, {})[purpose] = self.first_die(purpose, roll.value)
        changes = [
            change
            for change in map(self.change, self.entry.effects)
            if change and change["kind"] in ("token", "army")
        ]
        for dice, change in zip(groups.values(), changes, strict=False):
            place = str(change.get("at") or change["to"])
            phrase = phrase_text(
                "film-first-revolt" if change["kind"] == "token" else "film-first-army",
                space=space(place),
            )
            yield Frame(
                phrase_text("film-first"),
                tuple(dice.values()),
                phrase,
                (change,),
                (place,),
                "bad",
                0,
                self.entry.number,
            )

    def first_die(self, purpose: str, value: int) -> Die:
        region = "region" in purpose or "barbarian" in purpose
        label = phrase_text("die-region") if region else phrase_text("die-province")
        return Die(value, ROMAN if region else PLAIN, label, 6, NUMERALS[value] if region else "")

    def open(
        self,
        phrase: str,
        intro: str = "",
        dice: Sequence[Die] = (),
        places: Sequence[str] = (),
        tone: str = "",
        weight: int = 1,
    ) -> None:
        shot = {
            "intro": intro,
            "dice": tuple(dice),
            "say": phrase,
            "changes": [],
            "places": tuple(places),
            "tone": tone,
        }
        self.shots.append({**shot, "weight": weight})

    @staticmethod
    def region_die(value: int) -> Die:
        """Return the Roman die of a region. Its label does not name the region before it falls."""
        return Die(value, ROMAN, phrase_text("die-region"), 6, NUMERALS[value])

    def pips(self, key: str, label: str) -> list[Die]:
        return [Die(self.rolls[key], PLAIN, label)] if key in self.rolls else []

    # The barbarian phase --------------------------------------------------------------------------

    def status(self) -> None:
        """Open a frame for all Unrest that becomes Revolt, with the dice of broken links."""
        risen = [
            str(effect.subject) for effect in self.entry.effects if effect.kind == "status_revolt"
        ]
        dice = [
            Die(value, PLAIN, space(key.split("/")[1]))
            for key, value in self.rolls.items()
            if key.startswith("status/")
        ]
        if not risen and not dice:
            return
        phrase = (
            phrase_text("film-status", spaces=listed(map(space, risen)))
            if risen
            else phrase_text("film-status-none")
        )
        self.open(
            phrase,
            phrase_text("film-status-try") if dice else "",
            dice,
            risen,
            "bad" if risen else "",
        )

    def read(self, effect: Effect) -> None:
        kind, facts = effect.kind, effect.facts
        opening = getattr(self, f"on_{kind}", None)
        if opening is not None:
            opening(effect, facts)
        change = self.change(effect)
        if change is not None:
            if not self.shots:
                self.open("", "")
            self.shots[-1]["changes"].append(change)

    def change(self, effect: Effect) -> Change | None:
        """Return the change that an effect makes on the board."""
        facts, place = effect.facts, str(effect.subject)
        match effect.kind:
            case "holding":
                return {"kind": "token", "at": place, "to": effect.holder}
            case "entered":
                return {"kind": "enter", "piece": str(effect.holder), "at": place}
            case "moved":
                return {
                    "kind": "march",
                    "piece": str(effect.holder),
                    "path": [str(facts["space"]), *map(str, facts["path"])],
                }
            case "moved_in":
                return {
                    "kind": "march",
                    "piece": str(effect.holder),
                    "path": [str(facts["space"]), str(facts["to"])],
                }
            case "advance":
                return {"kind": "army", "from": str(facts["space"]), "to": str(facts["to"])}
            case "army_removed":
                return {"kind": "army", "from": place, "to": None}
            case "invaders":
                return {"kind": "army", "from": None, "to": place}
            case "sailed":
                return {"kind": "fleet", "from": str(facts["zone"]), "to": str(facts["to_zone"])}
            case "turn":
                return {"kind": "turn", "piece": str(effect.holder), "ip": facts["ip"]}
            case "account" if effect.subject == "ip":
                return {"kind": "ip", "n": effect.balance}
        return {"kind": "off", "piece": str(effect.holder)} if effect.kind == GONE else None

    def line(self, effect: Effect) -> str:
        text = effect_line(self.scenario, effect)
        return f"{text[:1].upper()}{text[1:]}."

    def on_threat(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        no, region, place = facts["no"], str(facts["region"]), str(facts["space"])
        first = OUTER.index(region) + 1
        dice = [self.region_die(first)] if no == 1 else []
        dice += self.pips(f"threat-{no}/number", phrase_text("die-province"))
        finds = facts["finds"]
        key = "held" if facts["holds"] else finds if finds in ("unrest", "revolt") else "open"
        phrase = phrase_text(
            f"film-threat-{key}", coord=f"{NUMERALS[first]} {facts['number']}", space=space(place)
        )
        self.open(
            phrase,
            phrase_text("film-threat" if no == 1 else "film-threat-again"),
            dice,
            [place],
            "" if facts["holds"] else "bad",
            2,
        )

    def on_uprising(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        prefix = f"uprising-{facts['no']}/"
        dice = [
            Die(value, PLAIN, space(key[len(prefix) :]))
            for key, value in self.rolls.items()
            if key.startswith(prefix)
        ]
        place = str(effect.subject)
        intro = phrase_text("film-uprising-try") if dice else ""
        self.open(phrase_text("film-uprising", space=space(place)), intro, dice, [place], "bad", 2)

    def on_echo(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        self.echo(effect, int(facts["no"]))

    def echo(self, effect: Effect, no: int) -> None:
        n = self.rolls.get(f"echo-{no}", 0)
        dice = [self.region_die(n)] if n else []
        self.open(self.line(effect), phrase_text("film-echo"), dice, [str(effect.subject)], "bad")

    def on_invaders(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        no = max(
            (int(key.partition("-")[2]) for key in self.rolls if key.startswith("echo-")), default=0
        )
        self.echo(effect, no)

    def on_not_linked(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        if facts["step"] != "advance":
            return
        a, b = str(facts["space"]), str(facts["to"])
        phrase = phrase_text("film-held", space=space(a), to=space(b))
        self.open(
            phrase,
            phrase_text("film-broken", space=space(a), to=space(b)),
            self.pips(f"advance/{a}", phrase_text("die-broken")),
            [a],
        )

    def on_blocked(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        self.open(self.line(effect), places=[str(facts["space"])], weight=0)

    def on_advance(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        a, b = str(facts["space"]), str(facts["to"])
        steps = TO_ROME.get(b, 0)
        phrase = (
            phrase_text(
                "film-march", space=space(a), to=space(b), steps=counted_phrase("steps", steps)
            )
            if steps
            else self.line(effect)
        )
        if self.fight == a:
            self.shots[-1]["say"] += " " + phrase
            return
        dice = self.pips(f"advance/{a}", phrase_text("die-broken"))
        intro = phrase_text("film-broken", space=space(a), to=space(b)) if dice else ""
        self.open(phrase, intro, dice, [b], "bad")

    def on_attack(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        """Open the frame of a battle, with both dice and before them that of a broken link."""
        army, at, who = str(facts["army"]), str(facts["space"]), str(facts["emperor"])
        rolls = facts["rolls"]
        attacks = facts["attacker"] == who
        before = [] if attacks else self.pips(f"advance/{army}", phrase_text("die-broken"))
        dice = [
            *before,
            Die(rolls["roman"], ROMAN, emperor(who), 6, NUMERALS[rolls["roman"]]),
            Die(rolls["barbarian"], PLAIN, phrase_text("die-barbarians")),
        ]
        self.fight = "" if attacks else army
        intro = phrase_text(
            "film-attack" if attacks else "film-attacked",
            name=emperor(who),
            army=space(army),
            space=space(at),
        )
        self.open(self.line(effect), intro, dice, [army, at], "", 2)

    def fought(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        values = facts["values"]
        shot = self.shots[-1]
        shot["say"] = phrase_text(
            f"film-{effect.kind}",
            ours=values["roman"],
            theirs=values["barbarian"],
            name=emperor(str(facts["emperor"])),
            army=space(str(facts["army"])),
            space=space(str(facts["space"])),
        )
        shot["tone"] = FOUGHT[effect.kind]
        if facts["attacker"] == "barbarians":
            shot["changes"].append(
                {"kind": "lunge", "from": str(facts["army"]), "to": str(facts["space"])}
            )

    on_victory = on_defeat = on_draw = fought

    # Effects with the text of the log -------------------------------------------------------------

    def on_emperor_removed(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        if facts["why"] != "defeat":
            self.open(self.line(effect), places=[str(effect.subject)], tone="bad")

    def line_of_effect(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        """Open a frame with the text of the log; the changes before it belong to it."""
        self.open(self.line(effect), places=[str(effect.subject)], weight=0)

    on_entered = on_moved = on_sailed = on_secured = on_subdued = on_patres = line_of_effect

    def on_turn(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        self.open(
            phrase_text(
                "film-turn",
                name=emperor(str(effect.holder)),
                left=counted_phrase("ip", facts["ip"]),
            ),
            weight=0,
        )

    def ended(self, effect: Effect, facts: Mapping[str, Any]) -> None:
        self.open(
            self.line(effect),
            places=["roma"],
            tone="good" if effect.kind == "won" else "bad",
            weight=3,
        )

    on_won = on_lost = ended
