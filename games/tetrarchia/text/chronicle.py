"""The game in prose, a paragraph a round."""

from __future__ import annotations

from collections.abc import Iterable

from games.kit.chronicle import Chronicler, Entry, Facts, Sentence, count_in_words
from games.tetrarchia.english import CHRONICLE
from games.tetrarchia.rules.board import ITALIA, SPACES, TO_ROME
from games.tetrarchia.text import words


def sentences(log: Iterable[Entry]) -> list[Sentence]:
    """Everything that is told, in order."""
    return RoundChronicler().read_all(log)


def heading(number: int) -> str:
    """The name of a round, above its paragraph."""
    return CHRONICLE.text("round", n=number)


def count(unit: str, n: int) -> str:
    return count_in_words(CHRONICLE.read(), unit, n)


class RoundChronicler(Chronicler):
    """Keeps the battle, and what a turn subdued."""

    catalogue = CHRONICLE

    def __init__(self) -> None:
        super().__init__()
        self.first: list[str] = []
        self.gathered: list[str] = []
        self.begun = False
        self.subdued: dict[str, list[str]] = {"remove": [], "calm": []}
        self.subduer = ""
        self.battle: Facts = {}
        self.risen: list[str] = []
        self.rising = ""
        self.rose: list[str] = []

    def finish(self) -> None:
        self.after_entry()
        self._write_subdued()

    # What is told of several effects at once -------------------------------------------------------------------

    def before_effect(self, kind: str) -> None:
        if kind != "status_revolt":
            self._write_status()
        if kind != "revolt" and self.rising:
            self._write_uprising()
        if kind not in ("subdued", "attack"):
            self._write_subdued()

    def after_entry(self) -> None:
        self._write_status()
        self._write_uprising()

    def _write_status(self) -> None:
        if self.rose:
            self.add_line("status", spaces=words.listed(self.rose))
            self.rose = []

    def _write_uprising(self) -> None:
        if self.rising:
            key = "uprising" if self.risen else "uprising.alone"
            self.add_line(key, space=self.rising, spaces=words.listed(self.risen))
            self.rising, self.risen = "", []

    def _write_subdued(self) -> None:
        removed, calmed = self.subdued["remove"], self.subdued["calm"]
        if removed or calmed:
            key = "pacified" if removed and calmed else "subdued" if removed else "calmed"
            spaces = removed or calmed
            self.add_line(key, emperor=self.subduer, spaces=words.listed(spaces), others=words.listed(calmed))
            self.subdued = {"remove": [], "calm": []}

    # Reading ---------------------------------------------------------------------------------------------------

    def on_turn(self, facts: Facts) -> None:
        self.turn = int(facts["round"])

    def on_revolt(self, facts: Facts) -> None:
        if not self.begun:
            self.first.append(space(facts))
        elif self.rising:
            self.risen.append(space(facts))

    def on_invaders(self, facts: Facts) -> None:
        if self.begun:
            self.add_line("invaders", space=space(facts))
        else:
            self.gathered.append(space(facts))

    def on_begun(self, facts: Facts) -> None:
        self.begun = True
        self.add_line("begun", spaces=words.listed(self.first))
        if self.gathered:
            self.add_line("begun.army", spaces=words.listed(self.gathered))

    def on_secured(self, facts: Facts) -> None:
        if facts["border"]:
            self.add_line("secured", emperor=emperor(facts), space=space(facts), nth=str(self.book["ordinals"][facts["secured"]]))

    def on_subdued(self, facts: Facts) -> None:
        self.subduer = emperor(facts)
        self.subdued[str(facts["how"])].append(space(facts))

    def on_attack(self, facts: Facts) -> None:
        self._write_subdued()
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
            self.add_line("won.attack.helped", helpers=words.listed(map(words.holder_name, helpers)), **named)
        else:
            self.add_line(key, **named)

    def on_emperor_removed(self, facts: Facts) -> None:
        if facts["why"] == "revolt":
            self.add_line("revolt.left", emperor=emperor(facts), space=space(facts))
        elif facts["why"] == "sharing":
            self.add_line("sharing", emperor=emperor(facts))

    def on_status_revolt(self, facts: Facts) -> None:
        self.rose.append(space(facts))

    def on_uprising(self, facts: Facts) -> None:
        self._write_uprising()
        self.rising = space(facts)

    def on_advance(self, facts: Facts) -> None:
        start, to = SPACES[facts["space"]], SPACES[facts["to"]]
        if start.outside:
            self.add_line("crossed", space=start.name, to=to.name)
        elif to.region == ITALIA and TO_ROME[to.key]:
            self.add_line("italia", to=to.name)
            if TO_ROME[to.key] == 1:
                self.add_line("near")

    def on_won(self, facts: Facts) -> None:
        self.add_line("won")

    def on_lost(self, facts: Facts) -> None:
        self.add_line(f"lost.{facts['why']}")


def emperor(facts: Facts) -> str:
    return words.holder_name(str(facts["emperor"]))


def space(facts: Facts) -> str:
    return words.space_name(facts["space"])
