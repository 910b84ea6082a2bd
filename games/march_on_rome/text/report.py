"""The chronicle of a reign, a paragraph for each year, and its reports.

The chronicle is written from the effects of the log alone, as if by a soldier of the player: its
"he" is the player's general, its "we" their army. Effects without consequences are left out. A key
may have several sentences, which are used in turn; the first depends on the beginning of the reign.
The same log always gives the same text, and a longer log only adds to it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.effects import Effect, Roll
from engine.language import Name
from games.contract.report import Block, ReportEntry, Span, Spans, Table
from games.kit.report import (
    ARROW,
    BoardReports,
    Chronicler,
    Entry,
    ReportWriter,
    Sentence,
    TurnLog,
    TurnText,
    change_text,
    split_turns,
    turn_texts,
)
from games.kit.words import Facts, join_names
from games.march_on_rome.rules.position import LOST, PC, SENATE, Scenario, World, is_general, number
from games.march_on_rome.text import words
from games.march_on_rome.text.english import CHRONICLE

ENDS = ("assassinated", "merged", "no_province")
"""The causes by which a general's legions vanish."""


def sentences(scenario: Scenario, log: Iterable[Entry]) -> list[Sentence]:
    """Return all sentences of the chronicle, in order."""
    return ReignChronicler(scenario).read_all(log)


def years(scenario: Scenario, log: Iterable[Entry]) -> list[TurnText]:
    """Return the chronicle so far, a paragraph for each year that has sentences."""
    return turn_texts(sentences(scenario, log))


def heading(year: int) -> str:
    """Return the name of a year, the heading of its paragraph."""
    return CHRONICLE.text("year", n=year)


class ReignChronicler(Chronicler):
    """The writer of the chronicle, who keeps the owners of provinces and the battle in progress."""

    catalogue = CHRONICLE

    def __init__(self, scenario: Scenario) -> None:
        super().__init__()
        self.scenario = scenario
        self.owner: dict[str, str] = {}
        self.legions: dict[str, int] = {}
        self.declared: list[tuple[str, int, str]] = []
        self.offer: Facts = {}
        self.battle: dict[str, Any] = {}
        self.invasion: Facts = {}
        self.heir = ("", 0)
        self.begun, self.first_choice = False, 1
        self.rest: Sequence[Effect] = ()

    # Reading --------------------------------------------------------------------------------------

    def read(self, entry: Entry) -> None:
        self.entry = entry.number
        for at, effect in enumerate(entry.effects):
            self.rest = entry.effects[at + 1 :]
            reader = getattr(self, f"on_{effect.kind}", None)
            if reader is not None:
                before = len(self.sentences)
                reader(effect, effect.facts)
                if len(self.sentences) > before:
                    self.used.append((entry.number, effect))

    def on_account(self, effect: Effect, facts: Facts) -> None:
        if effect.subject == "legions" and effect.holder is not None:
            # The sentence about the end of the player's general counts the legions they had before
            # it.
            if effect.holder != PC or effect.change > 0 or effect.cause.id not in ENDS:
                self.legions[effect.holder] = effect.balance
            if effect.cause.id == "declares" and not self.begun:
                self.declared.append(
                    (effect.holder, effect.balance, str(effect.cause.facts.get("province", "")))
                )

    def on_holding(self, effect: Effect, facts: Facts) -> None:
        self.owner[effect.subject] = str(effect.holder)

    def on_year(self, effect: Effect, facts: Facts) -> None:
        self.turn = int(facts["turn"])

    def on_begun(self, effect: Effect, facts: Facts) -> None:
        own = next((row for row in self.declared if row[0] == PC), None)
        if own is None:
            return
        _, legions, province = own
        self.begun, self.first_choice = True, 2 + legions + sum(map(ord, province))
        rivals = [
            self.fill(
                self.book["sentences"]["begun.rival"][0],
                n=self.number(n),
                province=place(where),
                general=self.name(who),
            )
            for who, n, where in self.declared
            if who != PC
        ]
        self.add_line(
            "begun",
            legions=self.count("legions", legions),
            province=place(province),
            rivals=join_names(rivals, str(self.book["and"])),
        )

    def on_idle(self, effect: Effect, facts: Facts) -> None:
        if effect.holder == PC:
            self.add_line("pass")

    def on_offered(self, effect: Effect, facts: Facts) -> None:
        self.offer = facts

    def on_refused(self, effect: Effect, facts: Facts) -> None:
        general, holder = str(facts["general"]), str(facts["holder"])
        self.offer = {}
        self.add_line(
            "refused.by-us" if holder == PC else "refused",
            a=self.subject(general),
            asked=self.asked(holder, facts["target"]),
        )

    # Mergers --------------------------------------------------------------------------------------

    def on_merged(self, effect: Effect, facts: Facts) -> None:
        top, other, target = str(facts["top"]), str(facts["other"]), str(facts["target"])
        asker = str(self.offer.get("general", top))
        self.offer = {}
        if other in (SENATE, LOST):
            gained = sum(
                e.change
                for e in self.rest
                if (e.kind, e.holder, e.cause.id) == ("account", top, "merged")
            )
            named = {
                "a": self.subject(asker),
                "asked": self.asked(other, target),
                "legions": self.count("legions", gained),
            }
            self.add_line("joined.with" if gained else "joined", **named)
            return
        brought = {
            "provinces": self.count("provinces", self.held(other)),
            "legions": self.count("legions", self.legions.get(other, 0)),
        }
        if other == PC:
            self.heir = top, self.held(PC)
            key = "offer.granted" if asker == PC else "offer.accepted"
            self.add_line(key, a=self.name(top), b=self.name(top))
        elif top == PC and asker == PC:
            self.add_line("joined.rival.us", a=self.subject(PC), b=self.name(other), **brought)
        elif top == PC:
            self.add_line("came-to-us", a=self.name(other), **brought)
        elif asker == top:
            self.add_line("joined.rival", a=self.name(top), b=self.name(other), **brought)
        else:
            self.add_line("absorbed.rival", a=self.name(other), b=self.name(top), **brought)

    # Battles --------------------------------------------------------------------------------------

    def on_battle(self, effect: Effect, facts: Facts) -> None:
        self.battle = {**facts, "devoted": {}, "fought": 0}

    def on_battle_devoted(self, effect: Effect, facts: Facts) -> None:
        self.battle.setdefault("devoted", {})[facts["side"]] = int(facts["legions"])

    def on_segment(self, effect: Effect, facts: Facts) -> None:
        self.battle["fought"] = int(facts["segment"])

    def on_battle_over(self, effect: Effect, facts: Facts) -> None:
        fight = FinishedFight({**self.battle, **facts})
        self.battle = {}
        if fight.cause == "invasion":
            self.invaded(fight)
            self.invasion = {}
            return
        by_us, from_us = fight.attacker == PC, fight.defender == PC
        named = {
            "a": self.subject(fight.attacker),
            "as": self.possessive(fight.attacker),
            "target": place(fight.target),
        }
        if fight.conceded:
            self.add_line("conceded", **named)
        elif fight.walkover:
            self.add_line(
                ("open.from-us" if from_us else "open") if fight.won else "unarmed", **named
            )
        else:
            sent, stood = fight.devoted["attacker"], fight.devoted["defender"]
            fallen = fight.fallen("attacker")
            named |= {
                "n": self.number(sent),
                "legions": self.count("legions", sent),
                "foe": self.foe(fight.defender, stood),
                "clashes": self.count("clashes", fight.fought),
                "price": self.toll("fell", fallen, sent),
                "back": self.toll("back", fallen, sent),
                "ours": self.toll("ours_fell", fight.fallen("defender"), stood),
            }
            if fight.won:
                self.add_line(
                    "won.us" if by_us else "won.from-us" if from_us else "won.rival", **named
                )
            else:
                self.add_line(
                    "held.us" if by_us else "held.by-us" if from_us else "held.rival", **named
                )

    def invaded(self, fight: FinishedFight) -> None:
        """Write about an invasion that is over."""
        horde = int(self.invasion.get("horde", fight.devoted["attacker"]))
        whose = kind(fight.defender)
        named = {
            "armies": self.count("armies", horde),
            "people": words.invader_name(str(self.invasion.get("invader", ""))),
            "target": place(fight.target),
            "a": self.subject(fight.defender),
            "as": self.possessive(fight.defender),
        }
        if fight.conceded:
            self.add_line("invasion.conceded", **named)
        elif fight.walkover:
            self.add_line("invasion.open.us" if whose == "us" else "invasion.fell", **named)
        elif fight.won:
            dead = fight.devoted["defender"]
            self.add_line(
                f"invasion.fell.{whose}",
                m=self.number(dead),
                legions=self.count("legions", dead),
                **named,
            )
        else:
            dead = fight.fallen("defender")
            key = f"invasion.broke.{whose}" if dead else "invasion.broke"
            self.add_line(key, n=self.number(dead), legions=self.count("legions", dead), **named)

    def on_general_out(self, effect: Effect, facts: Facts) -> None:
        who = str(effect.holder)
        if who != PC:
            if facts.get("why") == "no_province":
                self.add_line("end", a=self.name(who))
            self.legions.pop(who, None)

    # Events ---------------------------------------------------------------------------------------

    def on_event(self, effect: Effect, facts: Facts) -> None:
        event, holder = str(facts["event"]), str(facts.get("holder"))
        if facts.get("nothing"):
            return
        if event == "assassination":
            if holder != PC:
                self.add_line(
                    "murdered",
                    a=self.name(holder),
                    provinces=self.count("provinces", self.held(holder)),
                )
        elif event == "invasion":
            self.invasion = facts
        elif event in ("prosperity", "epidemic", "rebellion"):
            province = str(facts["province"])
            lost = any(
                e.kind == "holding" and e.subject == province and e.holder == LOST
                for e in self.rest
            )
            named = {"province": place(province), "a": self.name(holder)}
            if lost:
                self.add_line("rebellion.lost.us" if holder == PC else "rebellion.lost", **named)
            elif facts.get("change"):
                self.add_line(f"{event}.{kind(holder)}", **named)

    def on_new_general(self, effect: Effect, facts: Facts) -> None:
        legions = self.count("legions", int(facts["legions"]))
        self.add_line(
            "risen",
            a=self.name(str(facts["general"])),
            province=place(facts["province"]),
            legions=legions,
        )

    # The end --------------------------------------------------------------------------------------

    def on_won(self, effect: Effect, facts: Facts) -> None:
        self.add_line("won", **self.estate(int(facts["provinces"])))

    def on_lost(self, effect: Effect, facts: Facts) -> None:
        why = str(facts.get("why"))
        if why == "merged":
            top, provinces = self.heir
            self.add_line(
                "lost.merged", b=self.name(top), n=self.number(self.turn), **self.estate(provinces)
            )
        elif why == "assassinated":
            self.add_line(
                "lost.assassinated",
                n=self.number(self.turn),
                **self.estate(int(facts["provinces"])),
            )
        else:
            self.add_line("lost.no_province", n=self.number(self.turn))

    def estate(self, provinces: int) -> dict[str, str]:
        """Return the provinces and legions of the player's general, in words."""
        return {
            "provinces": self.count("provinces", provinces),
            "legions": self.count("legions", self.legions.get(PC, 0)),
        }

    # Phrases --------------------------------------------------------------------------------------

    def fill(self, text: str, **named: str) -> str:
        return text.format_map({"hero": self.name(PC), **named})

    def number(self, n: int) -> str:
        """Return a number in words as far as the catalogue has them."""
        return Count(n, self.book)

    def count(self, unit: str, n: int) -> str:
        return Count(n, self.book).with_unit(unit)

    def name(self, general: str) -> Name:
        return words.general_name(self.scenario, general)

    def subject(self, general: str) -> Name:
        """Return the name of a general as subject; for the player's general a pronoun."""
        return Name.parse(self.book["hero"]["subject"]) if general == PC else self.name(general)

    def possessive(self, general: str) -> str:
        """Return the possessive of a general."""
        if general == PC:
            return str(self.book["hero"]["of"])
        name = self.name(general)
        return self.fill(self.book["possessive"][name.endswith("s")], name=name)

    def asked(self, holder: str, province: object) -> Name:
        """Return the holder that received an offer."""
        return Name.parse(
            self.fill(
                self.book["asked"][kind(holder)],
                general=self.name(holder),
                province=place(province),
            )
        )

    def foe(self, holder: str, devoted: int) -> str:
        """Return the defenders in words."""
        return self.fill(
            self.book["foes"][kind(holder)],
            n=self.number(devoted),
            generals=self.possessive(holder),
            legions=self.count("legions", devoted),
            armies=self.count("armies", devoted),
        )

    def toll(self, phrases: str, fallen: int, of: int) -> str:
        """Return the number of the fallen in words, in relation to all who went."""
        forms: Mapping[str, str] = self.book[phrases]
        key = (
            "none"
            if not fallen
            else "some"
            if fallen < of
            else {1: "only", 2: "both"}.get(of, "all")
        )
        key = key if key in forms else "all" if "all" in forms else "some"
        return self.fill(forms[key], n=self.number(fallen))

    def held(self, general: str) -> int:
        return sum(owner == general for owner in self.owner.values())


class FinishedFight:
    """A battle that is over, from all its effects."""

    def __init__(self, facts: Facts) -> None:
        self.target = str(facts["target"])
        self.attacker, self.defender = str(facts["attacker"]), str(facts["defender"])
        self.cause = str(facts.get("cause", ""))
        self.won = facts["winner"] == "attacker"
        self.walkover, self.conceded = bool(facts["walkover"]), bool(facts["conceded"])
        self.left: Mapping[str, int] = facts["left"]
        devoted: Mapping[str, int] = facts.get("devoted", {})
        self.devoted: dict[str, int] = {
            side: devoted.get(side, self.left[side]) for side in ("attacker", "defender")
        }
        self.fought = int(facts.get("fought", 0))

    def fallen(self, side: str) -> int:
        return self.devoted[side] - self.left[side]


def place(province: object) -> Name:
    return words.province_name(province)


def kind(holder: str) -> str:
    """Return the kind of a holder in sentences: `us`, `rival`, `senate` or `lost`."""
    return "us" if holder == PC else holder if holder in (SENATE, LOST) else "rival"


# Numbers in the chronicle.


class Count(str):
    """A number in words.

    A sentence may use it with its unit, `{n:legions}`, in the masculine, `{n:m}`, or in digits,
    `{n:d}`.
    """

    def __new__(cls, n: int, book: Facts) -> Count:
        numbers: Sequence[str] = book["numbers"]
        return super().__new__(cls, numbers[n] if 0 <= n < len(numbers) else str(n))

    def __init__(self, n: int, book: Facts) -> None:
        self.n, self.book = n, book

    def with_unit(self, unit: str) -> str:
        """Return the number with its unit; for none the catalogue has texts of their own."""
        text = self.book["units"][unit].form(self.n) if self.n else self.book["no_units"][unit]
        return str(text).format(n=self)

    def __format__(self, spec: str) -> str:
        if spec in self.book["units"]:
            return self.with_unit(spec)
        if spec == "m" and self.n == 1:
            return str(self.book["masculine"])
        return str(self.n) if spec == "d" else str(self)


# Reports of a reign: a year with every effect and die, the chronicle, the end.

GOING_ON = "continue"
CLOSING = ("year", "won", "lost")
"""The kinds of effects that end a year."""


class YearWriter(ReportWriter):
    """The writer of the reports of a year and of the end."""

    words = words
    scenario: Scenario

    def text(self, key: str, **named: object) -> str:
        return super().text(key, **{"hero": self.scenario.general, **named})

    def turn_name(self, number: int) -> str:
        return self.text("year", n=number)

    def turn_heading(self, number: int) -> str:
        return heading(number)

    def holder(self, holder: str) -> Span:
        if holder in (SENATE, LOST):
            return Span(self.text(f"of_{holder}"))
        return Span(words.general_name(self.scenario, holder), seat=PC if holder == PC else "")

    def opening(self, line: ReportEntry) -> Spans:
        """Return the move, for the beginning of its line; empty for the move `continue`."""
        return (
            ()
            if line.move["move"] == GOING_ON
            else (self.holder(PC), Span(f" {super().opening(line)[0].text}"))
        )

    def changed(self, effect: Effect) -> Spans:
        """Return the change of a balance or of a province's holder."""
        if effect.kind == "account":
            holder = (
                self.holder(str(effect.holder))
                if effect.holder != LOST
                else Span(self.text("peoples"))
            )
            before = effect.balance - effect.change
            return holder, Span(
                f": {self.texts['accounts'][effect.subject]} {before}{ARROW}{effect.balance}"
            )
        if effect.kind == "holding":
            name = words.province_name(effect.subject)
            was, now = self.holder(str(effect.facts["from"])), self.holder(str(effect.holder))
            return Span(f"{name}: "), was, Span(ARROW), now
        return ()

    def roll_text(self, roll: Roll, values: Sequence[Roll]) -> str:
        return (
            f"{words.roll_line(self.scenario, roll)}, d{roll.sides}:"
            f" {', '.join(str(die.value) for die in values)}"
        )

    def board_blocks(self, part: TurnLog[World]) -> list[Block]:
        """Return the holders of provinces."""
        return [self.heading("holders"), self.holdings(part.before, part.after)]

    def step_blocks(self, part: TurnLog[World]) -> list[Block]:
        return [self.heading("steps"), self.steps([line for line in part.lines if line.effects])]

    def holdings(self, before: World, after: World) -> Table:
        """Return a table of the holders of provinces before and after."""
        # The player's provinces remain theirs after an assassination: generals with provinces are
        # listed, alive or not.
        generals = sorted(
            {
                owner
                for world in (before, after)
                for owner in world.owner.values()
                if is_general(owner)
            },
            key=number,
        )
        rows = []
        for holder in [*generals, SENATE, LOST]:
            legions = (
                "·"
                if holder == LOST
                else change_text(before.strength(holder), after.strength(holder))
            )
            label = self.text("none") if holder == LOST else self.holder(holder).text
            rows.append(
                (label, legions, change_text(len(before.lands(holder)), len(after.lands(holder))))
            )
        return Table(tuple(self.texts["head_holders"]), tuple(rows))

    def outcome(self, over: Effect, parts: Sequence[TurnLog[World]]) -> str:
        player = self.people.get(PC)
        who = self.text("played", player=player) if player else self.text("alone")
        count = ReignChronicler(self.scenario).count("years", parts[-1].number)
        return self.text(over.kind, years=count, hero=who)

    def end_blocks(self, parts: Sequence[TurnLog[World]]) -> list[Block]:
        """Return a table of provinces, legions and rivals at the end of each year."""
        rows = []
        for year in parts:
            now = year.after
            rivals = sum(general != PC for general in now.generals())
            rows.append(
                tuple(map(str, (year.number, len(now.lands(PC)), now.strength(PC), rivals)))
            )
        return [self.heading("numbers"), Table(tuple(self.texts["head_numbers"]), tuple(rows))]


class MarchReports(BoardReports):
    """The reports of March on Rome."""

    kind = "year"

    def writer(self, scenario: Scenario, people: Mapping[str, str]) -> YearWriter:
        return YearWriter(scenario, people, CHRONICLE.read()["report"])

    def chronicler(self, scenario: Scenario) -> ReignChronicler:
        return ReignChronicler(scenario)

    def split(self, lines: Sequence[ReportEntry]) -> list[TurnLog[Any]]:
        return split_turns(lines, World(), World.after, next_year)


def next_year(line: ReportEntry, year: int) -> int | None:
    """Return the year that an entry opens; None if the year goes on."""
    closing = next((effect for effect in line.effects if effect.kind in CLOSING), None)
    return None if closing is None else int(closing.facts["turn"])
