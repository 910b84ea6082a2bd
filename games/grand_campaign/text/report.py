"""Reports of turns, slots and battles, as a game master would post them: what everybody may see,
complete.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from games.contract.report import Contents, Line, Report, Span
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.report_chapters import (
    ANSWERS,
    OPENINGS,
    RESUME,
    Chronicle,
    Page,
    heading,
    named,
    pages,
    phrase,
)
from games.grand_campaign.text.words import nation_name, province_name

KEY = re.compile(
    r"(turn|battle|opening|challenge|result|trade|standings)-([1-9][0-9]{0,8})|(final)|slot-([1-9][0-9]{0,8})-([a-z0-9-]{1,40})",
    re.ASCII,
)
People = Mapping[str, str]


def turn_report(
    scenario: Scenario,
    lines: Sequence[Line],
    before: Position,
    after: Position,
    people: People,
    name: str = "",
) -> Report:
    """The report of a turn: `lines` are its entries from the opening on, `before` and `after` the
    positions around them. It tells every effect and roll that everybody may see.
    """
    shown = pages(lines)
    title = _titled(name, "turn", n=after.turn, of=scenario.turns)
    chronicle = _begun(scenario, shown, people, title)
    for page in shown:
        if page.kind == "opening":
            chronicle.opening(page)
    opened = [page.seat for page in shown if page.kind == "slot"]
    for key in opened:
        chronicle.heading("", 2, *chronicle.teller.player(key))
        chronicle.slot(key)
    chronicle.orders()
    fought = [attack for attack in after.attacks if attack.turn == after.turn]
    if fought:
        chronicle.heading(heading("battles"), 2)
    for attack in fought:
        chronicle.heading(f"#{attack.id} {chronicle.teller.province(attack.target)}", 3)
        chronicle.battle(attack)
    chronicle.closing()
    chronicle.standings(before, after)
    chronicle.next(after)
    return chronicle.finish(title)


def slot_report(
    scenario: Scenario,
    lines: Sequence[Line],
    before: Position,
    after: Position,
    people: People,
    nation: str,
    name: str = "",
) -> Report:
    """The report of a nation's slot: `lines` are those of its turn, `before` the position in which
    the slot opened, `after` the one in which it ended, or the last there is.
    """
    shown = [
        page
        for page in pages(lines)
        if page.seat == nation and (page.kind == "slot" or Chronicle.of_slot(page))
    ]
    chronicle = Chronicle(scenario, shown, people)
    title = _titled(name, "slot", n=after.turn, nation=nation_name(scenario, nation))
    chronicle.heading(title, 1)
    chronicle.paragraph(*chronicle.teller.player(nation))
    chronicle.slot(nation)
    chronicle.before_after(nation, before, after)
    chronicle.next(after)
    return chronicle.finish(title)


def battle_report(
    scenario: Scenario,
    lines: Sequence[Line],
    before: Position,
    after: Position,
    people: People,
    number: int,
    name: str = "",
) -> Report:
    """The report of attack `number`: launch, answer, result and all that followed; `lines` are
    those of its turn.
    """
    attack = after.attacks[number - 1]
    shown = [page for page in pages(lines) if page.kind == "move" and _concerns(page, number)]
    chronicle = Chronicle(scenario, shown, people)
    title = _headed(name, f"#{number}: {chronicle.teller.province(attack.target)}")
    chronicle.heading(title, 1)
    chronicle.launch(attack)
    chronicle.battle(attack)
    return chronicle.finish(title)


def _concerns(page: Page, number: int) -> bool:
    """Is this the attack's launch, its answer or its result?"""
    move = page.line.move
    if move["move"] in ANSWERS:
        return bool(move["attack"] == number)
    return any(
        effect.facts.get("launched") and effect.subject == str(number) for effect in page.effects
    )


def _headed(name: str, rest: str) -> str:
    return f"{name}, {rest}" if name else rest[:1].upper() + rest[1:]


def _titled(name: str, kind: str, **facts: object) -> str:
    return _headed(name, named("titles", kind, **facts))


def _listed(kind: str, **facts: object) -> str:
    """The name of a report in the list."""
    return named("contents", kind, **facts)


# What the table asks for --------------------------------------------------------------------------


class Turn(NamedTuple):
    """The lines of a turn, and the position before them."""

    number: int
    before: Position
    lines: Sequence[Line]

    @property
    def after(self) -> Position:
        position: Position = self.lines[-1].after
        return position


def turns(start: Position, lines: Sequence[Line]) -> list[Turn]:
    """The lines turn by turn; what is said before the start belongs to the first, what after the
    end to the last. A campaign that was taken over begins with the turn that opened then, from the
    position that was taken over.
    """
    openings = [at for at, line in enumerate(lines) if line.move["move"] in OPENINGS]
    bounds = [0, *openings[1:], len(lines)] if openings else []
    all_turns = []
    for opening, (first, end) in zip(openings, pairwise(bounds), strict=True):
        brought = [line.after for line in lines[:opening] if line.move["move"] == RESUME]
        before = lines[first - 1].after if first else (brought or [start])[-1]
        all_turns.append(Turn(lines[opening].after.turn, before, lines[first:end]))
    return all_turns


class Listed(NamedTuple):
    """A turn as the list of its reports needs it: who had a slot, which cards were traded in which
    entry, which attacks were launched and decided in it, and how it stood at its end, or stands
    now. Its `number` is 0 before it opens.
    """

    number: int = 0
    slots: tuple[str, ...] = ()
    trades: tuple[tuple[int, str, str], ...] = ()
    launched: frozenset[int] = frozenset()
    decided: frozenset[int] = frozenset()
    attacks: tuple[tuple[int, str, bool], ...] = ()
    """Each with its target and whether it is resolved."""
    closed: bool = False
    final: bool = False
    slot: str | None = None
    """Whose slot it is."""

    def with_line(self, line: Line) -> Listed:
        """With what happened in one entry."""
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

    def ended(self, after: Position) -> Listed:
        """As it stood in this position."""
        return self._replace(
            attacks=tuple(
                (one.id, one.target, one.status == "resolved")
                for one in after.attacks
                if one.turn == self.number
            ),
            closed=after.phase in ("closed", "finished"),
            final=after.standings is not None,
            slot=after.slot,
        )


def _begun(scenario: Scenario, shown: Sequence[Page], people: People, title: str) -> Chronicle:
    """A chronicle under its title. What was taken over is one sentence, not what happened in the
    turn.
    """
    chronicle = Chronicle(
        scenario, [page for page in shown if page.line.move["move"] != RESUME], people
    )
    chronicle.heading(title, 1)
    for page in shown:
        if page.line.move["move"] == RESUME:
            if page.kind == "move":
                chronicle.paragraph(
                    *phrase(
                        "taken-over", turn=page.line.move["turn"], reason=page.line.move["reason"]
                    )
                )
            chronicle.teller.take(page, lambda _effect: True)
    return chronicle


def _turn_of_attack(all_turns: Sequence[Turn], lines: Sequence[Line], number: int) -> Turn | None:
    """Return the turn in which an attack was launched; None if there is no such attack."""
    attacks = lines[-1].after.attacks if lines else []
    if number > len(attacks):
        return None
    launched = attacks[number - 1].turn
    return next(turn for turn in all_turns if turn.number == launched)


class Reports:
    """See `games.contract.report.Reporter`."""

    kinds = ("opening", "slot", "challenge", "result", "battle", "turn", "standings", "final")

    def contents(self, scenario: Scenario, lines: Sequence[Line]) -> list[Contents]:
        return [
            one
            for turn in reversed(self.carry((), lines))
            for one in self.contents_of(scenario, turn)
        ]

    def carry(self, turns: tuple[Listed, ...], lines: Sequence[Line]) -> tuple[Listed, ...]:
        *closed, now = turns or (Listed(),)
        for at, line in enumerate(lines):
            if line.move["move"] in OPENINGS:
                if now.number:
                    closed.append(now.ended(lines[at - 1].after) if at else now)
                    now = Listed()
                now = now._replace(number=line.after.turn)
            now = now.with_line(line)
        return (*closed, now.ended(lines[-1].after) if lines else now)

    def contents_of(self, scenario: Scenario, turn: Listed) -> list[Contents]:
        listed: list[Contents] = []
        number = turn.number
        if not number:
            return listed
        if turn.final:
            listed.append(Contents("final", "final", _listed("final"), number, True))
        listed.append(
            Contents(f"turn-{number}", "turn", _listed("turn", n=number), number, turn.closed)
        )
        if turn.closed:
            listed.append(
                Contents(
                    f"standings-{number}", "standings", _listed("standings", n=number), number, True
                )
            )
        for attack, target, resolved in reversed(turn.attacks):
            listed += _battle_contents(scenario, turn, attack, target, resolved)
        for key in reversed(turn.slots):
            name = _listed("slot", nation=nation_name(scenario, key))
            listed.append(Contents(f"slot-{number}-{key}", "slot", name, number, turn.slot != key))
        for entry, giver, taker in reversed(turn.trades):
            listed.append(
                Contents(f"trade-{entry}", "trade", _trade(scenario, giver, taker), number, True)
            )
        listed.append(
            Contents(f"opening-{number}", "opening", _listed("opening", n=number), number, True)
        )
        return listed

    def report(
        self,
        scenario: Scenario,
        start: Position,
        lines: Sequence[Line],
        key: str,
        name: str,
        people: People,
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
            return self._turn(scenario, turn, people, kind, name)
        return self._slot(scenario, turn, people, seat, name)

    def _trade(
        self, scenario: Scenario, lines: Sequence[Line], people: People, number: int, name: str
    ) -> Report | None:
        line = next((line for line in trades(lines) if line.number == number), None)
        if line is None:
            return None
        title = _headed(name, _trade(scenario, *_traders(line)))
        return trade_report(scenario, line, people, title)

    def _final(
        self, scenario: Scenario, all_turns: Sequence[Turn], people: People, name: str
    ) -> Report | None:
        if not all_turns or all_turns[-1].after.standings is None:
            return None
        last, title = all_turns[-1], _titled(name, "final")
        return final_report(scenario, last.lines, last.before, last.after, people, title)

    def _turn(
        self, scenario: Scenario, turn: Turn, people: People, kind: str, name: str
    ) -> Report | None:
        """Return the report that opens a turn, its standings, or the whole turn."""
        if kind == "turn":
            return turn_report(scenario, turn.lines, turn.before, turn.after, people, name)
        title = _titled(name, kind, n=turn.number, of=scenario.turns)
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
            title = _titled(name, "challenge", n=number, province=where)
            return challenge_report(scenario, line, people, title, number) if line else None
        if kind == "result":
            line = result_line(turn.lines, number)
            title = _titled(name, "result", n=number, province=where)
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
            # A slot passes on where one ends, or its nation has fallen.
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
    scenario: Scenario, turn: Listed, number: int, target: str, resolved: bool
) -> list[Contents]:
    """The whole story of an attack; its result, once there is one; its launch."""
    name = f"#{number} {province_name(scenario, target)}"
    contents = [Contents(f"battle-{number}", "battle", name, turn.number, resolved)]
    if number in turn.decided:
        contents.append(
            Contents(f"result-{number}", "result", _listed("result", name=name), turn.number, True)
        )
    if number in turn.launched:
        contents.append(
            Contents(
                f"challenge-{number}",
                "challenge",
                _listed("launched", name=name),
                turn.number,
                True,
            )
        )
    return contents


def _trade(scenario: Scenario, giver: str, taker: str) -> str:
    return _listed("trade", giver=nation_name(scenario, giver), taker=nation_name(scenario, taker))


def _traders(line: Line) -> tuple[str, str]:
    """Who gives a card and who takes it."""
    return str(line.move["from"]), str(line.move.get("for", line.move["by"]))


# Reports of single things: the opening of a turn, a challenge, a result, a trade, the standings,
# the end.


def opening_report(scenario: Scenario, lines: Sequence[Line], people: People, title: str) -> Report:
    """What a turn opens with: order of play, cards, random events; whom the table waits for
    then.
    """
    opened = next(line for line in lines if line.move["move"] in OPENINGS)
    brought = [line for line in lines if line.move["move"] == RESUME]
    shown = [
        page for page in pages([*brought, opened]) if page.kind == "opening" or page.line in brought
    ]
    chronicle = _begun(scenario, shown, people, title)
    for page in shown:
        if page.kind == "opening":
            chronicle.opening(page)
    chronicle.next(opened.after)
    return chronicle.finish(title)


def challenge_line(lines: Sequence[Line], number: int) -> Line | None:
    """The line that launched an attack."""
    for line in lines:
        if line.move["move"] not in ANSWERS and any(
            effect.facts.get("launched") and effect.subject == str(number)
            for effect in line.effects
        ):
            return line
    return None


def challenge_report(
    scenario: Scenario, line: Line, people: People, title: str, number: int
) -> Report:
    """An attack as it is launched, and whose answer is awaited."""
    shown = _moves(line)
    chronicle = Chronicle(scenario, shown, people)
    chronicle.heading(title, 1)
    attack = line.after.attacks[number - 1]
    chronicle.launch(attack)
    chronicle.battle(attack)
    return chronicle.finish(title)


def result_line(lines: Sequence[Line], number: int) -> Line | None:
    """The line that decided an attack: a report, a forfeit, or an answer without battle."""
    for line in lines:
        answered = line.move["move"] in ANSWERS and line.move["attack"] == number
        if answered and line.after.attacks[number - 1].status == "resolved":
            return line
    return None


def result_report(
    scenario: Scenario, line: Line, people: People, title: str, number: int
) -> Report:
    """The result of an attack and all that followed from it."""
    chronicle = Chronicle(scenario, _moves(line), people)
    chronicle.heading(title, 1)
    chronicle.battle(line.after.attacks[number - 1])
    return chronicle.finish(title)


def trade_report(scenario: Scenario, line: Line, people: People, title: str) -> Report:
    """A card taken from a table for another (4.3)."""
    shown = _moves(line)
    chronicle = Chronicle(scenario, shown, people)
    chronicle.heading(title, 1)
    for page in shown:
        chronicle.bullets(
            [(*chronicle.teller.player(page.seat), Span(": "), *chronicle.mover.line(page))]
        )
    return chronicle.finish(title)


def standings_report(
    scenario: Scenario,
    lines: Sequence[Line],
    before: Position,
    after: Position,
    people: People,
    title: str,
) -> Report:
    """Where the nations stand after these lines."""
    chronicle = Chronicle(scenario, [], people)
    chronicle.heading(title, 1)
    chronicle.standings(before, after)
    chronicle.next(after)
    last = lines[-1].number
    chronicle.paragraph(*phrase("after-entry", n=last), small=True)
    return chronicle.finish(title)._replace(first=last, last=last)


def final_report(
    scenario: Scenario,
    lines: Sequence[Line],
    before: Position,
    after: Position,
    people: People,
    title: str,
) -> Report:
    """The close of the last turn with its scoring, the final standings, who has won (12)."""
    shown = [
        page
        for page in pages(lines)
        if page.kind == "closing" and any(e.subject == "standings" for e in page.effects)
    ]
    chronicle = Chronicle(scenario, shown, people)
    chronicle.heading(title, 1)
    chronicle.closing()
    chronicle.standings(before, after)
    chronicle.next(after)
    return chronicle.finish(title)


def trades(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if line.move["move"] == "take"]


def _moves(line: Line) -> list[Page]:
    return [page for page in pages([line]) if page.kind == "move"]
