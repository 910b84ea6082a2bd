"""The game in prose, a paragraph a period, told from what the log's effects say and from nothing else.

Words are in CHRONICLE; a sentence of which there are several takes them in turn, so that a log always
tells the same, and a longer log only more. What had no effect is left out, and whatever not everybody may see.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from engine.effects import Effect
from engine.language import Name, sentence
from games.contract.report import Block, Heading, Paragraph, Span
from games.roman_empire.english import CHRONICLE
from games.roman_empire.rules.board import KINGDOMS, MINORS, PEOPLES
from games.roman_empire.text import words
from games.roman_empire.text.words import land_name, listed, numeral, years

Facts = Mapping[str, Any]


class Entry(Protocol):
    """A standing move of the log, as `games.contract.pages.Told` and `games.contract.report.Line` have it."""

    @property
    def number(self) -> int: ...
    @property
    def effects(self) -> Sequence[Effect]: ...


class Sentence(NamedTuple):
    """A sentence of the chronicle, the period and the entry of the log it tells of."""

    period: int
    entry: int
    text: str


def book() -> Facts:
    """The catalogue of the reader's language."""
    made: Facts = CHRONICLE.read()
    return made


def heading(period: int) -> str:
    """The name of a period, above its paragraph."""
    return str(book()["period"]).format(numeral=numeral(period), years=years(period))


def group(key: object) -> Name:
    """A group's name within a sentence, with its article."""
    names, name = book()["names"], words.group_name(key)
    kind = "people" if key in PEOPLES else "kingdom" if key in KINGDOMS else "minor" if key in MINORS else ""
    form = names.get(key) or names.get(kind)
    return Name.of(str(form).format(name=name) if form else name)


def count(unit: str, n: int) -> str:
    """So many of something, in words as far as the catalogue has them."""
    numbers: Sequence[str] = book()["numbers"]
    return str(book()["units"][unit].form(n)).format(n=numbers[n] if n < len(numbers) else n)


def paragraphs(told: Iterable[Sentence]) -> dict[int, str]:
    """These sentences, period by period. A period of which there is nothing to tell has none."""
    made: dict[int, list[str]] = {}
    for one in told:
        made.setdefault(one.period, []).append(one.text)
    return {period: " ".join(texts) for period, texts in made.items()}


def blocks_of(told: Iterable[Sentence]) -> list[Block]:
    """These sentences as blocks of a report."""
    made: list[Block] = []
    for period, text in paragraphs(told).items():
        made += [Heading((Span(heading(period)),), 2), Paragraph((Span(text),))]
    return made


class Chronicler:
    """Reads the log entry by entry. What an acting group did is held back until it has done: lands entered, conquered,
    looted, taken over, fortified, struck; whom it lost armies against."""

    def __init__(self) -> None:
        self.told: list[Sentence] = []
        self.used: list[tuple[int, Effect]] = []
        """The effects that made a sentence."""
        self.period = 1
        self.entry = 0
        self.turns: dict[str, int] = {}
        self.acting: object = None
        self._forget()

    def _forget(self) -> None:
        self.lands: dict[str, list[str]] = {key: [] for key in ("entered", "conquered", "overrun", "cities", "forts", "looted")}
        self.loot = 0
        self.lost: dict[str, int] = {}

    def tell(self, entry: Entry) -> None:
        """What one entry adds."""
        for effect in entry.effects:
            reader = getattr(self, f"on_{effect.kind}", None)
            if reader is not None and effect.audience is None:
                self.entry = entry.number
                self.used.append((entry.number, effect))
                reader(effect.facts)

    def flush(self) -> None:
        """The acting group has done: say what is held back."""
        who = group(self.acting)
        for key in ("entered", "conquered", "overrun"):
            if self.lands[key]:
                self.say(key, group=who, lands=listed(self.lands[key]))
        if self.lands["looted"]:
            self.say("looted", group=who, lands=listed(self.lands["looted"]), points=count("point", self.loot))
        for land, n in self.lost.items():
            self.say("repulsed", group=who, land=land_name(land), armies=count("army", n))
        for key in ("cities", "forts"):
            if self.lands[key]:
                self.say(key, group=who, lands=listed(self.lands[key]))
        self._forget()

    def act(self, who: object) -> None:
        """Another group acts from now on."""
        self.flush()
        self.acting = who

    # Reading ---------------------------------------------------------------------------------------------------

    def on_begun(self, facts: Facts) -> None:
        self.say("begun")

    def on_turn(self, facts: Facts) -> None:
        self.act(None)
        self.period = int(facts["period"])

    def on_opened(self, facts: Facts) -> None:
        self.act(facts["group"])
        named = {"group": group(facts["group"]), "seat": words.seat_name(facts["seat"])}
        if facts["phase"] == "faction":
            self.say("faction", emperor=words.PHRASES["emperor"](facts["emperor"]), **named)
        else:
            armies = count("army", int(facts["in_hand"]))
            again = facts["in_hand"] < facts["strength"]
            self.say("people.again" if again else "people", armies=armies, land=land_name(facts["land"]), **named)

    def on_sub_begun(self, facts: Facts) -> None:
        self.act(facts["group"])
        self.say("sub", group=group(facts["group"]), land=land_name(facts["land"]))

    def on_sub_ended(self, facts: Facts) -> None:
        self.act(facts["by"])

    def on_placed(self, facts: Facts) -> None:
        if facts["way"] in ("vacant", "take"):
            self.lands["entered"].append(land_name(facts["land"]))

    def on_conquered(self, facts: Facts) -> None:
        self.lands["conquered"].append(land_name(facts["land"]))
        self.lost.pop(str(facts["land"]), None)

    def on_overrun(self, facts: Facts) -> None:
        self.lands["overrun"].append(land_name(facts["land"]))

    def on_looted(self, facts: Facts) -> None:
        self.lands["looted"].append(land_name(facts["land"]))
        self.loot += int(facts["points"])

    def on_army_lost(self, facts: Facts) -> None:
        if facts["group"] == self.acting:
            land = str(facts["land"])
            self.lost[land] = self.lost.get(land, 0) + 1

    def on_city_built(self, facts: Facts) -> None:
        self.lands["cities"].append(land_name(facts["land"]))

    def on_fort_built(self, facts: Facts) -> None:
        self.lands["forts"].append(land_name(facts["land"]))

    def on_retreated(self, facts: Facts) -> None:
        self.say("retreated", group=group(facts["group"]), land=land_name(facts["land"]), to=land_name(facts["to"]))

    def on_leader_killed(self, facts: Facts) -> None:
        self.say("leader", group=group(facts["group"]))

    def on_rebelled(self, facts: Facts) -> None:
        self.say("rebelled", land=land_name(facts["land"]), colour=group(facts["colour"]))

    def on_rebellion_over(self, facts: Facts) -> None:
        self.say("rebels" if facts["n"] else "quelled", land=land_name(facts["land"]))

    def on_struck(self, facts: Facts) -> None:
        self.say("struck", card=words.card_name(facts["card"]), lands=land_name(facts["land"]))

    def on_ruined(self, facts: Facts) -> None:
        self.say("ruined", card=words.card_name(facts["card"]), land=land_name(facts["land"]))

    on_destroyed = on_ruined

    def on_accepted(self, facts: Facts) -> None:
        seat = words.seat_name(facts["seat"])
        self.say("peace", seat=seat, group=words.group_name(facts["group"]), colour=group(facts["colour"]))

    def on_scored(self, facts: Facts) -> None:
        self.flush()
        points = int(facts["points"])
        self.say("scored" if points else "nothing", points=count("point", points))

    def on_kingdom_stands(self, facts: Facts) -> None:
        self.say("kingdom", group=group(facts["group"]), points=count("point", int(facts["points"])))

    def on_game_end(self, facts: Facts) -> None:
        self.say("end", winner=words.seat_name(facts["winner"]))

    def say(self, key: str, **named: str) -> None:
        """Add the next of the sentences of this key."""
        choice: Sequence[str] = book()["sentences"][key]
        turn = self.turns[key] = self.turns.get(key, -1) + 1
        text = sentence(choice[turn % len(choice)], **named)
        self.told.append(Sentence(self.period, self.entry, text[:1].upper() + text[1:]))
