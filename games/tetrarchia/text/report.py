"""Reports of a game: a round with every effect and die, the chronicle, the end."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.effects import Effect, Roll
from games.contract.report import Block, Bullets, Heading, ReportEntry, Span, Spans, Table
from games.kit.report import (
    ARROW,
    BoardReports,
    Chronicler,
    Entry,
    ReportWriter,
    Sentence,
    TurnLog,
    count_in_words,
    last_effect,
    split_turns,
)
from games.kit.words import Facts
from games.tetrarchia.rules.barbarians import QUIET, score
from games.tetrarchia.rules.position import (
    BORDER,
    EMPERORS,
    ITALIA,
    OF_REGION,
    OUTSIDE,
    REGION_NUMERALS,
    REGIONS,
    REVOLT,
    SPACES,
    TO_ROME,
    UNREST,
    Scenario,
    World,
)
from games.tetrarchia.text import words
from games.tetrarchia.text.english import CHRONICLE


class RoundWriter(ReportWriter):
    """The writer of the reports of a round and of the end."""

    words = words

    def turn_name(self, number: int) -> str:
        return self.text("round", n=number)

    def turn_heading(self, number: int) -> str:
        return heading(number)

    def opening(self, line: ReportEntry) -> Spans:
        return (Span(words.bare_move_line(self.scenario, line.move, line.effects)),)

    def changed(self, effect: Effect) -> Spans:
        """Return the change of a balance or a token."""
        if effect.kind == "account":
            label = words.book()["accounts"][effect.subject]
            holder = words.holder_name(str(effect.holder))
            return (
                Span(f"{holder}: {label} {effect.balance - effect.change}{ARROW}{effect.balance}"),
            )
        if effect.kind == "holding":
            was, now = (
                words.token_name(token) if token else self.text("none")
                for token in (effect.facts["from"], effect.holder)
            )
            return (Span(f"{words.space_name(effect.subject)}: {was}{ARROW}{now}"),)
        return ()

    def roll_text(self, roll: Roll, values: Sequence[Roll]) -> str:
        return f"{words.roll_line(self.scenario, roll)}: {', '.join(map(die_text, values))}"

    def board_blocks(self, part: TurnLog[World]) -> list[Block]:
        return [self.heading("board"), self.board(part.after)]

    def step_blocks(self, part: TurnLog[World]) -> list[Block]:
        """Return every step by Emperor."""
        return self.turns(part.lines, "" if part.number == 1 else next(iter(EMPERORS)))

    def outcome(self, over: Effect, parts: Sequence[TurnLog[World]]) -> str:
        text = self.text(
            over.kind,
            rounds=count("rounds", parts[-1].number),
            level=parts[-1].lines[-1].after.options.digits,
            players=self.names(words.seat_name, words.listed),
            borders=count("borders", int(over.facts["secured"])),
        )
        return text.strip()

    def end_blocks(self, parts: Sequence[TurnLog[World]]) -> list[Block]:
        """Return the score, and the numbers of each round."""
        score = self.score(parts[-1].lines[-1].after)
        return [self.heading("score"), score, self.heading("numbers"), self.numbers(parts)]

    def turns(self, lines: Sequence[ReportEntry], emperor: str) -> list[Block]:
        """Return the steps of these lines, a part for each Emperor.

        The set-up is a part before the first turn.
        """
        blocks: list[Block] = []
        items: list[Spans] = []
        name = words.holder_name(emperor) if emperor else self.text("opening")
        for line in lines:
            items.append(self.step(line))
            opened = next((e for e in line.effects if e.kind == "turn"), None)
            if opened is not None:
                blocks += [Heading((Span(name),), 2), Bullets(tuple(items))]
                items, name = [], words.holder_name(str(opened.holder))
        if items:
            blocks += [Heading((Span(name),), 2), Bullets(tuple(items))]
        return blocks

    def board(self, world: World) -> Table:
        """Return a table of the tokens of each region, and of its border."""
        rows = []
        for region, name in REGIONS.items():
            tokens = [world.tokens.get(key) for key in OF_REGION[region]]
            border = BORDER.get(region)
            state = (
                "no_border"
                if border is None
                else "secured"
                if world.tokens.get(border) in EMPERORS
                else "open"
            )
            mine = sum(token in EMPERORS for token in tokens)
            rows.append(
                (
                    f"{REGION_NUMERALS[region]} {name}",
                    str(mine),
                    str(tokens.count(UNREST)),
                    str(tokens.count(REVOLT)),
                    self.text(state),
                )
            )
        return Table(tuple(self.texts["head_board"]), tuple(rows))

    def numbers(self, rounds: Sequence[TurnLog[World]]) -> Table:
        """Return a table of borders, tokens and armies at the end of each round."""
        rows = []
        for ended in rounds:
            tokens = list(ended.after.tokens.values())
            secured = sum(ended.after.tokens.get(key) in EMPERORS for key in OUTSIDE)
            numbers = (
                ended.number,
                secured,
                tokens.count(REVOLT),
                tokens.count(UNREST),
                len(ended.after.armies),
            )
            rows.append(tuple(map(str, numbers)))
        return Table(tuple(self.texts["head_numbers"]), tuple(rows))

    def score(self, position: Any) -> Table:
        """Return a table of the parts of the score (6.3)."""
        parts, labels = score(position), self.texts["scores"]
        less = {
            "unsecured": len(OUTSIDE) - parts.secured,
            "armies": parts.armies,
            "heavy": len(parts.heavy),
        }
        points = {
            "secured": parts.secured,
            "quiet": QUIET * parts.quiet,
            **{key: -n for key, n in less.items()},
        }
        rows = [(str(labels[key]).format(n=abs(n)), signed(n)) for key, n in points.items()]
        rows.append((str(labels["sum"]), signed(parts.points)))
        return Table(tuple(self.texts["head_score"]), tuple(rows))


def signed(n: int) -> str:
    """Return a number with its sign, with a true minus."""
    return f"{n:+}".replace("-", "−") if n else "0"


def die_text(roll: Roll) -> str:
    """Return a die as text, the Roman one as a numeral."""
    roman = (
        roll.purpose.endswith(("/roman", "/region"))
        or "/echo-" in roll.purpose
        or "setup/barbarian" in roll.purpose
    )
    return words.NUMERALS[roll.value] if roman else str(roll.value)


class TetrarchiaReports(BoardReports):
    """The reports of Tetrarchia."""

    kind = "round"

    def writer(self, scenario: Scenario, people: Mapping[str, str]) -> RoundWriter:
        return RoundWriter(scenario, people, CHRONICLE.read()["report"])

    def chronicler(self, scenario: Scenario) -> RoundChronicler:
        return RoundChronicler()

    def split(self, lines: Sequence[ReportEntry]) -> list[TurnLog[Any]]:
        return split_turns(lines, World(), World.after, next_round)


def next_round(line: ReportEntry, number: int) -> int | None:
    """Return the round that an entry opens; None if the round goes on.

    For the entry that ends the game it is the same round.
    """
    following = next((int(e.facts["round"]) for e in line.effects if e.kind == "turn"), number)
    return (
        following
        if following > number or last_effect([line], RoundWriter.ends) is not None
        else None
    )


# The game in prose, a paragraph for each round.


def sentences(log: Iterable[Entry]) -> list[Sentence]:
    """Return all sentences of the chronicle, in order."""
    return RoundChronicler().read_all(log)


def heading(number: int) -> str:
    """Return the name of a round, the heading of its paragraph."""
    return CHRONICLE.text("round", n=number)


def count(unit: str, n: int) -> str:
    return count_in_words(CHRONICLE.read(), unit, n)


class RoundChronicler(Chronicler):
    """The writer of the chronicle, which keeps the battle and the spaces subdued in a turn."""

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

    # Sentences about several effects --------------------------------------------------------------

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
            self.add_line(
                key, emperor=self.subduer, spaces=words.listed(spaces), others=words.listed(calmed)
            )
            self.subdued = {"remove": [], "calm": []}

    # Reading --------------------------------------------------------------------------------------

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
            self.add_line(
                "secured",
                emperor=emperor(facts),
                space=space(facts),
                nth=str(self.book["ordinals"][facts["secured"]]),
            )

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
        named = {
            "emperor": emperor(facts),
            "army": words.space_name(facts["army"]),
            "space": space(facts),
        }
        if key == "won.attack" and helpers:
            self.add_line(
                "won.attack.helped", helpers=words.listed(map(words.holder_name, helpers)), **named
            )
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
