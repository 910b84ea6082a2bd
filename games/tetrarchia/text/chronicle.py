"""The game in prose, a paragraph a round, told from what the log's effects say and from nothing else.

Words are in CHRONICLE; a sentence of which there are several takes them in turn, so that a log always
tells the same, and a longer log only more. What had no effect is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from engine.effects import Effect
from games.contract.report import Block, Heading, Paragraph, Span
from games.tetrarchia.english import CHRONICLE
from games.tetrarchia.rules.board import ITALIA, SPACES, TO_ROME
from games.tetrarchia.text import words

Facts = Mapping[str, Any]


class Entry(Protocol):
    """A standing move of the log, as `games.contract.pages.Told` and `games.contract.report.Line` have it."""

    @property
    def number(self) -> int: ...
    @property
    def effects(self) -> Sequence[Effect]: ...


class Sentence(NamedTuple):
    """A sentence or two of the chronicle, the round and the entry of the log they tell of."""

    round: int
    entry: int
    text: str


class Round(NamedTuple):
    """A paragraph."""

    number: int
    text: str


def book() -> Facts:
    """The catalogue of the reader's language."""
    made: Facts = CHRONICLE.read()
    return made


def sentences(log: Iterable[Entry]) -> list[Sentence]:
    """Everything that is told, in order."""
    teller = Chronicler()
    for entry in log:
        teller.tell(entry)
    teller.flush()
    return teller.told


def rounds_of(told: Iterable[Sentence]) -> list[Round]:
    """These sentences, round by round. A round of which there is nothing to tell has no paragraph."""
    paragraphs: dict[int, list[str]] = {}
    for sentence in told:
        paragraphs.setdefault(sentence.round, []).append(sentence.text)
    return [Round(number, " ".join(texts)) for number, texts in paragraphs.items()]


def heading(number: int) -> str:
    """The name of a round, above its paragraph."""
    return str(book()["round"]).format(n=number)


def blocks_of(told: Iterable[Round]) -> list[Block]:
    """These rounds as blocks of a report."""
    made: list[Block] = []
    for one in told:
        made += [Heading((Span(heading(one.number)),), 2), Paragraph((Span(one.text),))]
    return made


def count(unit: str, n: int) -> str:
    """So many of something, in words as far as the catalogue has them."""
    numbers: Sequence[str] = book()["numbers"]
    return str(book()["units"][unit].form(n)).format(n=numbers[n] if n < len(numbers) else n)


class Chronicler:
    """Reads the log entry by entry and keeps what a later sentence needs: the round, the battle, what a turn subdued."""

    def __init__(self) -> None:
        self.told: list[Sentence] = []
        self.used: list[tuple[int, Effect]] = []
        """The effects that made a sentence."""
        self.round = 1
        self.entry = 0
        self.turns: dict[str, int] = {}
        self.first: list[str] = []
        self.gathered: list[str] = []
        self.begun = False
        self.subdued: dict[str, list[str]] = {"remove": [], "calm": []}
        self.subduer = ""
        self.battle: Facts = {}
        self.risen: list[str] = []
        self.rising = ""
        self.rose: list[str] = []

    def tell(self, entry: Entry) -> None:
        """What one entry adds."""
        for effect in entry.effects:
            reader = getattr(self, f"on_{effect.kind}", None)
            if reader is not None:
                self._flush_for(effect.kind)
                self.entry = entry.number
                self.used.append((entry.number, effect))
                reader(effect.facts)
        self._close()

    def flush(self) -> None:
        """Nothing more comes: say what is still held back."""
        self._close()
        self._say_subdued()

    # What is told of several effects at once -------------------------------------------------------------------

    def _flush_for(self, kind: str) -> None:
        if kind != "status_revolt":
            self._say_status()
        if kind != "revolt" and self.rising:
            self._say_uprising()
        if kind not in ("subdued", "attack"):
            self._say_subdued()

    def _close(self) -> None:
        self._say_status()
        self._say_uprising()

    def _say_status(self) -> None:
        if self.rose:
            self.say("status", spaces=words.listed(self.rose))
            self.rose = []

    def _say_uprising(self) -> None:
        if self.rising:
            key = "uprising" if self.risen else "uprising.alone"
            self.say(key, space=self.rising, spaces=words.listed(self.risen))
            self.rising, self.risen = "", []

    def _say_subdued(self) -> None:
        removed, calmed = self.subdued["remove"], self.subdued["calm"]
        if removed or calmed:
            key = "pacified" if removed and calmed else "subdued" if removed else "calmed"
            spaces = removed or calmed
            self.say(key, emperor=self.subduer, spaces=words.listed(spaces), others=words.listed(calmed))
            self.subdued = {"remove": [], "calm": []}

    # Reading ---------------------------------------------------------------------------------------------------

    def on_turn(self, facts: Facts) -> None:
        self.round = int(facts["round"])

    def on_revolt(self, facts: Facts) -> None:
        if not self.begun:
            self.first.append(space(facts))
        elif self.rising:
            self.risen.append(space(facts))

    def on_invaders(self, facts: Facts) -> None:
        if self.begun:
            self.say("invaders", space=space(facts))
        else:
            self.gathered.append(space(facts))

    def on_begun(self, facts: Facts) -> None:
        self.begun = True
        self.say("begun", spaces=words.listed(self.first))
        if self.gathered:
            self.say("begun.army", spaces=words.listed(self.gathered))

    def on_secured(self, facts: Facts) -> None:
        if facts["border"]:
            self.say("secured", emperor=emperor(facts), space=space(facts), nth=str(book()["ordinals"][facts["secured"]]))

    def on_subdued(self, facts: Facts) -> None:
        self.subduer = emperor(facts)
        self.subdued[str(facts["how"])].append(space(facts))

    def on_attack(self, facts: Facts) -> None:
        self._say_subdued()
        self.battle = facts

    def on_victory(self, facts: Facts) -> None:
        self._battle("won", facts)

    def on_defeat(self, facts: Facts) -> None:
        self._battle("lost", facts)

    def on_draw(self, facts: Facts) -> None:
        self._battle("level", facts)

    def _battle(self, outcome: str, facts: Facts) -> None:
        key = f"{outcome}.{'defence' if facts['attacker'] == 'barbarians' else 'attack'}"
        helpers = self.battle["roman"]["helpers"]
        named = {"emperor": emperor(facts), "army": words.space_name(facts["army"]), "space": space(facts)}
        if key == "won.attack" and helpers:
            self.say("won.attack.helped", helpers=words.listed(map(words.holder_name, helpers)), **named)
        else:
            self.say(key, **named)

    def on_emperor_removed(self, facts: Facts) -> None:
        if facts["why"] == "revolt":
            self.say("revolt.left", emperor=emperor(facts), space=space(facts))
        elif facts["why"] == "sharing":
            self.say("sharing", emperor=emperor(facts))

    def on_status_revolt(self, facts: Facts) -> None:
        self.rose.append(space(facts))

    def on_uprising(self, facts: Facts) -> None:
        self._say_uprising()
        self.rising = space(facts)

    def on_advance(self, facts: Facts) -> None:
        start, to = SPACES[facts["space"]], SPACES[facts["to"]]
        if start.outside:
            self.say("crossed", space=start.name, to=to.name)
        elif to.region == ITALIA and TO_ROME[to.key]:
            self.say("italia", to=to.name)
            if TO_ROME[to.key] == 1:
                self.say("near")

    def on_won(self, facts: Facts) -> None:
        self.say("won")

    def on_lost(self, facts: Facts) -> None:
        self.say(f"lost.{facts['why']}")

    def say(self, key: str, **named: str) -> None:
        """Add the next of the sentences of this key."""
        choice: Sequence[str] = book()["sentences"][key]
        turn = self.turns[key] = self.turns.get(key, -1) + 1
        text = choice[turn % len(choice)].format(**named)
        self.told.append(Sentence(self.round, self.entry, text[:1].upper() + text[1:]))


def emperor(facts: Facts) -> str:
    return words.holder_name(str(facts["emperor"]))


def space(facts: Facts) -> str:
    return words.space_name(facts["space"])
