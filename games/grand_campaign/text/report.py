"""Reports of turns, slots and battles, with everything that is public."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from games.contract.report import DRY, Contents, Report, ReportEntry
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.report_chapters import (
    ANSWERS,
    OPENINGS,
    RESUME,
    Chronicle,
    EntryPart,
    named,
    parts_of,
    phrase,
)
from games.grand_campaign.text.turn_report import People, begin_chronicle, turn_report
from games.grand_campaign.text.words import nation_name, province_name

KEY = re.compile(
    r"(turn|battle|opening|challenge|result|trade|standings)-([1-9][0-9]{0,8})|(final)|slot-([1-9][0-9]{0,8})-([a-z0-9-]{1,40})",
    re.ASCII,
)


def slot_report(
    scenario: Scenario,
    lines: Sequence[ReportEntry],
    before: Position,
    after: Position,
    people: People,
    nation: str,
    name: str = "",
) -> Report:
    """Return the report of a nation's slot.

    `lines` are those of its turn. `before` is the position in which the slot opened; `after` is the
    position in which it ended, or the last position.
    """
    shown = [
        part
        for part in parts_of(lines)
        if part.seat == nation and (part.kind == "slot" or Chronicle.is_slot_move(part))
    ]
    chronicle = Chronicle(scenario, shown, people)
    title = _title(name, "slot", n=after.turn, nation=nation_name(scenario, nation))
    chronicle.heading(title, 1)
    chronicle.paragraph(*chronicle.writer.player(nation))
    chronicle.slot(nation)
    chronicle.account_changes(nation, before, after)
    chronicle.next_moves(after)
    return chronicle.finish(title)


def battle_report(
    scenario: Scenario,
    lines: Sequence[ReportEntry],
    before: Position,
    after: Position,
    people: People,
    number: int,
    name: str = "",
) -> Report:
    """Return the report of attack `number`: launch, answer, result and consequences.

    `lines` are those of its turn.
    """
    attack = after.attacks[number - 1]
    shown = [part for part in parts_of(lines) if part.kind == "move" and _concerns(part, number)]
    chronicle = Chronicle(scenario, shown, people)
    title = _with_campaign(name, f"#{number}: {chronicle.writer.province(attack.target)}")
    chronicle.heading(title, 1)
    chronicle.launch(attack)
    chronicle.battle(attack)
    return chronicle.finish(title)


def _concerns(part: EntryPart, number: int) -> bool:
    """Return whether this is the launch of the attack, its answer or its result."""
    move = part.line.move
    if move["move"] in ANSWERS:
        return bool(move["attack"] == number)
    return any(
        effect.facts.get("launched") and effect.subject == str(number) for effect in part.effects
    )


def _with_campaign(name: str, rest: str) -> str:
    return f"{name}, {rest}" if name else rest[:1].upper() + rest[1:]


def _title(name: str, kind: str, **facts: object) -> str:
    return _with_campaign(name, named("titles", kind, **facts))


def _contents_name(kind: str, **facts: object) -> str:
    """Return the name of a report in the list."""
    return named("contents", kind, **facts)


# Requests for reports


class Turn(NamedTuple):
    """The lines of a turn, and the position before them."""

    number: int
    before: Position
    lines: Sequence[ReportEntry]

    @property
    def after(self) -> Position:
        position: Position = self.lines[-1].after
        return position


def turns(start: Position, lines: Sequence[ReportEntry]) -> list[Turn]:
    """Return the lines turn by turn.

    Lines before the start belong to the first turn, lines after the end to the last. A campaign
    that was taken over begins with the turn that opened then, from the position that was taken
    over.
    """
    openings = [at for at, line in enumerate(lines) if line.move["move"] in OPENINGS]
    bounds = [0, *openings[1:], len(lines)] if openings else []
    all_turns = []
    for opening, (first, end) in zip(openings, pairwise(bounds), strict=True):
        brought = [line.after for line in lines[:opening] if line.move["move"] == RESUME]
        before = lines[first - 1].after if first else (brought or [start])[-1]
        all_turns.append(Turn(lines[opening].after.turn, before, lines[first:end]))
    return all_turns


class ListedTurn(NamedTuple):
    """The facts of a turn that the list of its reports needs.

    They are the seats that had a slot, the trades with their entries, the attacks that were
    launched and decided, and the state at the end of the turn or now. `number` is 0 before the turn
    opens.
    """

    number: int = 0
    slots: tuple[str, ...] = ()
    trades: tuple[tuple[int, str, str], ...] = ()
    launched: frozenset[int] = frozenset()
    decided: frozenset[int] = frozenset()
    attacks: tuple[tuple[int, str, bool], ...] = ()
    """Each attack with its target and whether it is resolved."""
    closed: bool = False
    final: bool = False
    slot: str | None = None
    """The nation whose slot is open."""

    def with_line(self, line: ReportEntry) -> ListedTurn:
        """Return the turn with the events of a further entry."""
        move, turn = line.move, self
        if move["move"] == "take":
            turn = turn._replace(trades=(*turn.trades, (line.number, *_traders(line))))
        if move["move"] in ANSWERS:
            number = move["attack"]
            if number not in turn.decided and line.after.attacks[number - 1].status == "resolved":
                turn = turn._replace(decided=turn.decided | {number})
        for effect in line.effects:
            if effect.kind == "slot" and effect.subject == "opened" and effect.audience is None:
                turn = turn._replace(slots=(*turn.slots, str(effect.holder)))
            elif move["move"] not in ANSWERS and effect.facts.get("launched"):
                turn = turn._replace(launched=turn.launched | {int(effect.subject)})
        return turn

    def ended(self, after: Position) -> ListedTurn:
        """Return the turn with the state of this position."""
        return self._replace(
            attacks=tuple(
                (attack.id, attack.target, attack.status == "resolved")
                for attack in after.attacks
                if attack.turn == self.number
            ),
            closed=after.phase in ("closed", "finished"),
            final=after.standings is not None,
            slot=after.slot,
        )


def _turn_of_attack(
    all_turns: Sequence[Turn], lines: Sequence[ReportEntry], number: int
) -> Turn | None:
    """Return the turn in which an attack was launched; None if there is no such attack."""
    attacks = lines[-1].after.attacks if lines else []
    if number > len(attacks):
        return None
    launched = attacks[number - 1].turn
    return next(turn for turn in all_turns if turn.number == launched)


class Reports:
    """The reports of the Grand Campaign; see `games.contract.report.Reporter`."""

    kinds = ("opening", "slot", "challenge", "result", "battle", "turn", "standings", "final")

    def contents(self, scenario: Scenario, lines: Sequence[ReportEntry]) -> list[Contents]:
        return [
            contents
            for turn in reversed(self.carry((), lines))
            for contents in self.contents_of(scenario, turn)
        ]

    def carry(
        self, turns: tuple[ListedTurn, ...], lines: Sequence[ReportEntry]
    ) -> tuple[ListedTurn, ...]:
        *closed, now = turns or (ListedTurn(),)
        for at, line in enumerate(lines):
            if line.move["move"] in OPENINGS:
                if now.number:
                    closed.append(now.ended(lines[at - 1].after) if at else now)
                    now = ListedTurn()
                now = now._replace(number=line.after.turn)
            now = now.with_line(line)
        return (*closed, now.ended(lines[-1].after) if lines else now)

    def contents_of(self, scenario: Scenario, turn: ListedTurn) -> list[Contents]:
        listed: list[Contents] = []
        number = turn.number
        if not number:
            return listed
        if turn.final:
            listed.append(Contents("final", "final", _contents_name("final"), number, True))
        listed.append(
            Contents(
                f"turn-{number}", "turn", _contents_name("turn", n=number), number, turn.closed
            )
        )
        if turn.closed:
            listed.append(
                Contents(
                    f"standings-{number}",
                    "standings",
                    _contents_name("standings", n=number),
                    number,
                    True,
                )
            )
        for attack, target, resolved in reversed(turn.attacks):
            listed += _battle_contents(scenario, turn, attack, target, resolved)
        for key in reversed(turn.slots):
            name = _contents_name("slot", nation=nation_name(scenario, key))
            listed.append(Contents(f"slot-{number}-{key}", "slot", name, number, turn.slot != key))
        for entry, giver, taker in reversed(turn.trades):
            listed.append(
                Contents(f"trade-{entry}", "trade", _trade(scenario, giver, taker), number, True)
            )
        listed.append(
            Contents(
                f"opening-{number}", "opening", _contents_name("opening", n=number), number, True
            )
        )
        return listed

    def report(
        self,
        scenario: Scenario,
        start: Position,
        lines: Sequence[ReportEntry],
        key: str,
        name: str,
        people: People,
        tone: str = DRY,
    ) -> Report | None:
        asked = KEY.fullmatch(key)
        if asked is None:
            return None
        kind, number, final, slot_turn, seat = asked.groups()
        if kind == "trade":
            return self._trade(scenario, lines, people, int(number), name)
        all_turns = turns(start, lines)
        if kind in ("battle", "challenge", "result"):
            launched = _turn_of_attack(all_turns, lines, int(number))
            if launched is None:
                return None
            return self._contest(scenario, launched, people, kind, int(number), name)
        if final:
            return self._final(scenario, all_turns, people, name)
        wanted = int(number or slot_turn)
        turn = next((turn for turn in all_turns if turn.number == wanted), None)
        if turn is None:
            return None
        if kind in ("opening", "standings", "turn"):
            return self._turn(scenario, turn, people, kind, name, tone)
        return self._slot(scenario, turn, people, seat, name)

    def _trade(
        self,
        scenario: Scenario,
        lines: Sequence[ReportEntry],
        people: People,
        number: int,
        name: str,
    ) -> Report | None:
        line = next((line for line in trades(lines) if line.number == number), None)
        if line is None:
            return None
        title = _with_campaign(name, _trade(scenario, *_traders(line)))
        return trade_report(scenario, line, people, title)

    def _final(
        self, scenario: Scenario, all_turns: Sequence[Turn], people: People, name: str
    ) -> Report | None:
        if not all_turns or all_turns[-1].after.standings is None:
            return None
        last, title = all_turns[-1], _title(name, "final")
        return final_report(scenario, last.lines, last.before, last.after, people, title)

    def _turn(
        self, scenario: Scenario, turn: Turn, people: People, kind: str, name: str, tone: str
    ) -> Report | None:
        """Return the report of a turn's opening, of its standings, or of the whole turn."""
        if kind == "turn":
            title = _title(name, "turn", n=turn.number, of=scenario.turns)
            return turn_report(scenario, turn.lines, turn.before, turn.after, people, title, tone)
        title = _title(name, kind, n=turn.number, of=scenario.turns)
        if kind == "opening":
            return opening_report(scenario, turn.lines, people, title)
        if turn.after.phase not in ("closed", "finished"):
            return None
        return standings_report(scenario, turn.lines, turn.before, turn.after, people, title)

    def _contest(
        self, scenario: Scenario, turn: Turn, people: People, kind: str, number: int, name: str
    ) -> Report | None:
        where = province_name(scenario, turn.after.attacks[number - 1].target)
        if kind == "challenge":
            line = challenge_line(turn.lines, number)
            title = _title(name, "challenge", n=number, province=where)
            return challenge_report(scenario, line, people, title, number) if line else None
        if kind == "result":
            line = result_line(turn.lines, number)
            title = _title(name, "result", n=number, province=where)
            return result_report(scenario, line, people, title, number) if line else None
        return battle_report(scenario, turn.lines, turn.before, turn.after, people, number, name)

    def _slot(
        self, scenario: Scenario, turn: Turn, people: People, seat: str, name: str
    ) -> Report | None:
        opened = ended = None
        for line in turn.lines:
            if opened is None and any(
                (e.kind, e.subject, e.holder) == ("slot", "opened", seat) for e in line.effects
            ):
                opened = line.after
            # A slot passes to the next nation if it ends or if its nation has fallen.
            passes = line is turn.lines[-1] or any(e.kind in ("slot", "seat") for e in line.effects)
            if (
                opened is not None
                and ended is None
                and passes
                and (line.after.slot != seat or line is turn.lines[-1])
            ):
                ended = line.after
        if opened is None or ended is None:
            return None
        return slot_report(scenario, turn.lines, opened, ended, people, seat, name)


def _battle_contents(
    scenario: Scenario, turn: ListedTurn, number: int, target: str, resolved: bool
) -> list[Contents]:
    """Return the reports on an attack: the whole battle, its result if there is one, its launch."""
    name = f"#{number} {province_name(scenario, target)}"
    contents = [Contents(f"battle-{number}", "battle", name, turn.number, resolved)]
    if number in turn.decided:
        contents.append(
            Contents(
                f"result-{number}", "result", _contents_name("result", name=name), turn.number, True
            )
        )
    if number in turn.launched:
        contents.append(
            Contents(
                f"challenge-{number}",
                "challenge",
                _contents_name("launched", name=name),
                turn.number,
                True,
            )
        )
    return contents


def _trade(scenario: Scenario, giver: str, taker: str) -> str:
    return _contents_name(
        "trade", giver=nation_name(scenario, giver), taker=nation_name(scenario, taker)
    )


def _traders(line: ReportEntry) -> tuple[str, str]:
    """Return the nation that gives a card and the nation that takes it."""
    return str(line.move["from"]), str(line.move.get("for", line.move["by"]))


# Reports of a single subject: the opening of a turn, a challenge, a result, a trade, the standings,
# the end.


def opening_report(
    scenario: Scenario, lines: Sequence[ReportEntry], people: People, title: str
) -> Report:
    """Return the opening of a turn: order of play, cards, random events, and the next moves."""
    opened = next(line for line in lines if line.move["move"] in OPENINGS)
    brought = [line for line in lines if line.move["move"] == RESUME]
    shown = [
        part
        for part in parts_of([*brought, opened])
        if part.kind == "opening" or part.line in brought
    ]
    chronicle = begin_chronicle(scenario, shown, people, title)
    for part in shown:
        if part.kind == "opening":
            chronicle.opening(part)
    chronicle.next_moves(opened.after)
    return chronicle.finish(title)


def challenge_line(lines: Sequence[ReportEntry], number: int) -> ReportEntry | None:
    """Return the line that launched an attack."""
    for line in lines:
        if line.move["move"] not in ANSWERS and any(
            effect.facts.get("launched") and effect.subject == str(number)
            for effect in line.effects
        ):
            return line
    return None


def challenge_report(
    scenario: Scenario, line: ReportEntry, people: People, title: str, number: int
) -> Report:
    """Return an attack as it was launched, and the nation that must answer."""
    shown = _moves(line)
    chronicle = Chronicle(scenario, shown, people)
    chronicle.heading(title, 1)
    attack = line.after.attacks[number - 1]
    chronicle.launch(attack)
    chronicle.battle(attack)
    return chronicle.finish(title)


def result_line(lines: Sequence[ReportEntry], number: int) -> ReportEntry | None:
    """Return the line that decided an attack: a report, a forfeit, or an answer without battle."""
    for line in lines:
        answered = line.move["move"] in ANSWERS and line.move["attack"] == number
        if answered and line.after.attacks[number - 1].status == "resolved":
            return line
    return None


def result_report(
    scenario: Scenario, line: ReportEntry, people: People, title: str, number: int
) -> Report:
    """Return the result of an attack with its consequences."""
    chronicle = Chronicle(scenario, _moves(line), people)
    chronicle.heading(title, 1)
    chronicle.battle(line.after.attacks[number - 1])
    return chronicle.finish(title)


def trade_report(scenario: Scenario, line: ReportEntry, people: People, title: str) -> Report:
    """Return an exchange of a card for a card on the table (4.3)."""
    shown = _moves(line)
    chronicle = Chronicle(scenario, shown, people)
    chronicle.heading(title, 1)
    for part in shown:
        chronicle.bullets([chronicle.move_writer.line(part, chronicle.writer.player(part.seat))])
    return chronicle.finish(title)


def standings_report(
    scenario: Scenario,
    lines: Sequence[ReportEntry],
    before: Position,
    after: Position,
    people: People,
    title: str,
) -> Report:
    """Return the standings after these lines."""
    chronicle = Chronicle(scenario, [], people)
    chronicle.heading(title, 1)
    chronicle.standings(before, after)
    chronicle.next_moves(after)
    last = lines[-1].number
    chronicle.paragraph(*phrase("after-entry", n=last), small=True)
    return chronicle.finish(title)._replace(first=last, last=last)


def final_report(
    scenario: Scenario,
    lines: Sequence[ReportEntry],
    before: Position,
    after: Position,
    people: People,
    title: str,
) -> Report:
    """Return the close of the last turn: the scoring, the final standings and the winners (12)."""
    shown = [
        part
        for part in parts_of(lines)
        if part.kind == "closing" and any(e.subject == "standings" for e in part.effects)
    ]
    chronicle = Chronicle(scenario, shown, people)
    chronicle.heading(title, 1)
    chronicle.closing()
    chronicle.standings(before, after)
    chronicle.next_moves(after)
    return chronicle.finish(title)


def trades(lines: Sequence[ReportEntry]) -> list[ReportEntry]:
    return [line for line in lines if line.move["move"] == "take"]


def _moves(line: ReportEntry) -> list[EntryPart]:
    return [part for part in parts_of([line]) if part.kind == "move"]
