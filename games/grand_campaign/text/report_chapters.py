"""The chapters of a report: opening, slots, corrections, battles, close, standings, next moves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from engine.effects import Effect, Phrase, Roll
from games.contract.report import (
    Block,
    Bullets,
    Heading,
    Paragraph,
    Report,
    ReportedEvent,
    ReportEntry,
    Span,
    Spans,
    Table,
)
from games.grand_campaign.rules import view
from games.grand_campaign.rules.attacks import lists_of_attack
from games.grand_campaign.rules.position import ACCOUNTS, Attack, Nation, Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.report_texts import REPORT
from games.grand_campaign.text.spans import Value, fill_spans, join_spans, with_capital, with_stop
from games.grand_campaign.text.turn_names import TurnNames
from games.grand_campaign.text.words import amount

ANSWERS = ("respond", "report", "forfeit")


class Chronicle:
    """A report that is being written, chapter by chapter, from parts of entries."""

    def __init__(
        self, scenario: Scenario, parts: list[EntryPart], people: Mapping[str, str]
    ) -> None:
        self.scenario = scenario
        self.parts = parts
        self.writer = EffectWriter(scenario, people)
        self.move_writer = MoveWriter(self.writer)
        self.blocks: list[Block] = []

    # Small pieces ---------------------------------------------------------------------------------

    def heading(self, text: str, level: int, *spans: Span, part: str = "") -> None:
        self.blocks.append(Heading((Span(text), *spans) if text else spans, level, part))

    def paragraph(self, *spans: Span, small: bool = False) -> None:
        self.blocks.append(Paragraph(spans, small))

    def bullets(self, items: Sequence[Spans]) -> None:
        if items:
            self.blocks.append(Bullets(tuple(items)))

    def finish(self, title: str) -> Report:
        """Return the report, with the numbers of its entries at the end."""
        numbers = [part.line.number for part in self.parts]
        first, last = (min(numbers), max(numbers)) if numbers else (0, 0)
        if numbers:
            self.paragraph(
                *phrase("entries" if first != last else "entry", first=first, last=last, n=first),
                small=True,
            )
        untold = [
            ReportedEvent(part.line.number, what) for part in self.parts for what in remaining(part)
        ]
        return Report(
            title, tuple(self.blocks), tuple(self.writer.taken), tuple(untold), first, last
        )

    # Chapters -------------------------------------------------------------------------------------

    def opening(self, part: EntryPart) -> None:
        """Write the order of play, cards and random events."""
        writer = self.writer
        opened = writer.take(part, lambda effect: effect.kind == "turn")[0]
        order: Sequence[str] = opened.facts["order"]
        spans: list[Span] = []
        for n, key in enumerate(order):
            spans += [Span(", ")] if n else []
            spans += writer.player(key)
        rolled = writer.roll(part, "start")
        key = "order-rolled" if rolled else "order"
        self.paragraph(*phrase(key, order=tuple(spans), rolled=rolled))
        turn = opened.cause.facts["turn"]
        rules = part.line.after.rules if part.line.after is not None else self.scenario.rules
        if rules.cards_per_turn:
            self.heading(heading("cards"), 2)
            self.bullets([self._draw(part, turn, key, rules.cards_per_turn) for key in order])
        events: list[tuple[Effect, list[Effect]]] = []
        for effect in part.effects:
            if effect.kind == "event":
                events.append((effect, []))
            elif events:
                events[-1][1].append(effect)
        if events:
            self.heading(heading("events"), 2)
            self.bullets([self._event(part, turn, event, after) for event, after in events])

    def _draw(self, part: EntryPart, turn: int, key: str, cards: int) -> Spans:
        drawn = self.writer.take(
            part,
            lambda effect: (effect.kind, effect.holder, effect.cause.id) == ("card", key, "draws"),
        )
        nation = self.writer.nation(key)
        if not drawn:
            return phrase(
                "draws-unseen" if cards == 1 else "draws-unseen-several", nation=nation, n=cards
            )
        purposes = [
            f"turn-{turn}/card/{key}" + (f"/{n}" if n > 1 else "") for n in range(1, cards + 1)
        ]
        rolled = ", ".join(self.writer.roll(part, purpose) for purpose in purposes)
        named = ", ".join(words.card_name(card.subject) for card in drawn)
        return phrase("draws", nation=nation, card=Span(named, italic=True), rolled=rolled)

    def _event(self, part: EntryPart, turn: int, event: Effect, after: list[Effect]) -> Spans:
        """Return a nation's event and its consequences."""
        these = {id(effect) for effect in (event, *after)}
        own = part.part(str(event.holder), lambda effect: id(effect) in these)
        self.writer.take(own, lambda effect: effect is event)
        rolled = self.writer.roll(part, f"turn-{turn}/event/{event.holder}")
        head = (
            self.writer.nation(event.holder),
            Span(": "),
            Span(words.event_name(event.subject), italic=True),
            Span(f" ({rolled})"),
        )
        return joined(head, self.writer.clauses(own, str(event.holder), event.cause.id))

    def slot(self, key: str) -> None:
        """Write a nation's slot: its actions and its moves."""
        writer = self.writer
        mine = [
            part
            for part in self.parts
            if part.seat == key and (part.kind == "slot" or self.is_slot_move(part))
        ]
        head: list[Span] = []
        for part in mine:
            if part.kind == "slot":
                head += self._actions_of_slot(part, key)
        self.paragraph(*(head or phrase("no-actions", nation=writer.nation(key))))
        self.bullets([self.move_writer.line(part) for part in mine if part.kind == "move"])

    @staticmethod
    def is_slot_move(part: EntryPart) -> bool:
        return part.kind == "move" and part.line.move["move"] not in (
            *CORRECTIONS,
            *ANSWERS,
            "keep",
        )

    def _actions_of_slot(self, part: EntryPart, key: str) -> Spans:
        """Return the income and actions with which the slot opens."""
        writer = self.writer
        writer.take(part, lambda effect: effect.kind == "slot")
        given = writer.take(part, lambda effect: effect.cause.id == "allowance")
        gives = phrase_text("no-action")
        income = part.line.after.nations[key].income if part.line.after is not None else None
        if given:
            income, gives = given[0].cause.facts["income"], words.amount(given[0].change)
        spans = [
            *phrase(
                "gives" if income is not None else "slot-opens", income=str(income), gives=gives
            )
        ]
        back = writer.take(
            part,
            lambda effect: effect.cause.id == "back-to-hand" and effect.facts["zone"] == "table",
        )
        writer.take(part, lambda effect: effect.cause.id == "back-to-hand")
        for clause in writer.clauses(part, key):
            spans += [Span("; "), *clause.spans, Span(f" ({clause.reason})")]
        if back:
            cards = ", ".join(words.card_name(card.subject) for card in back)
            spans += [Span("; "), *phrase("back", cards=cards)]
        return (*spans, Span("."))

    def orders(self) -> None:
        """Write corrections with their reasons, and public orders to Bodyguards."""
        moves = [
            p
            for p in self.parts
            if p.kind == "move" and p.line.move["move"] in (*CORRECTIONS, "keep")
        ]
        if moves:
            kept = any(part.line.move["move"] == "keep" for part in moves)
            self.heading(heading("orders" if kept else "corrections"), 2)
            self.bullets([self.move_writer.line(part) for part in moves])

    def launch(self, attack: Attack) -> None:
        """Write the move that launched an attack."""
        self.bullets(
            [
                self.move_writer.line(part, self.writer.player(part.seat))
                for part in self.parts
                if part.line.move["move"] not in ANSWERS
            ]
        )

    def battle(self, attack: Attack) -> None:
        """Write what happened after the launch."""
        number = attack.id
        moves = [
            part
            for part in self.parts
            if part.kind == "move"
            and part.line.move["move"] in ANSWERS
            and part.line.move["attack"] == number
        ]
        self.paragraph(*self.move_writer.sides(attack))
        self.bullets([self.move_writer.line(part) for part in moves])
        if attack.status == "challenged" and attack.defender is not None:
            self.paragraph(*phrase("please-answer", nation=self.writer.nation(attack.defender)))
        elif attack.status == "fighting":
            self.paragraph(Span(phrase_text("undecided"), italic=True))
        elif attack.outcome == "lapsed":
            self.paragraph(Span(phrase_text("lapsed"), italic=True))

    def closing(self) -> None:
        """Write the close of a turn, and of the campaign with its final scoring."""
        writer = self.writer
        items: list[Spans] = []
        for part in self.parts:
            if part.kind != "closing":
                continue
            turns = writer.take(part, lambda effect: effect.kind == "turn")
            causes = [
                words.speak(self.scenario, effect.cause)
                for effect in turns
                if effect.subject != "standings"
            ]
            items += [(Span(text[:1].upper() + text[1:] + " (§1.3)."),) for text in causes]
            for key in self.scenario.order:
                mine = part.part(key, partial(_has_holder, key))
                if mine.effects:
                    items.append(joined((writer.nation(key),), writer.clauses(mine, key)))
        if items:
            self.heading(heading("close"), 2)
            self.bullets(items)

    def standings(self, before: Position, after: Position) -> None:
        """Write the standings with their changes, the leading nation first."""
        final = after.standings is not None
        self.heading(heading("final" if final else "standings"), 2)
        ranks = {line["nation"]: str(line["rank"]) for line in after.standings or ()}
        lines = sorted(after.nations.values(), key=lambda n: (-n.victory_points, -n.income, n.key))
        rows = []
        for nation in lines:
            row = (self._name_with_fall(nation), *levels_with_changes(nation.key, before, after))
            rows.append((*row, ranks[nation.key]) if final else row)
        columns = texts()["columns"]
        head = tuple(columns["standings"])
        self.blocks.append(Table((*head, columns["rank"]) if final else head, tuple(rows)))
        self.paragraph(*self._lead(lines, final))

    def _name_with_fall(self, nation: Nation) -> str:
        name = words.nation_name(self.scenario, nation.key)
        if not nation.fallen:
            return str(name)
        return phrase_text("fallen", nation=name, how=words.fall_text(nation))

    def _lead(self, ranked: Sequence[Nation], final: bool) -> Spans:
        """Return the sentence about the leading nation and its distance to the next one."""
        message: Mapping[str, str] = REPORT.read()["standings"]
        first, second = ranked[0], ranked[1]
        points = first.victory_points
        if not points:
            return (Span(message["none"]),)
        level = [(self.writer.nation(n.key),) for n in ranked if n.victory_points == points]
        if len(level) > 1:
            return fill_spans(message["tie"], points=points, nations=join_spans(level, ", "))
        return fill_spans(
            message["won" if final else "lead"],
            nation=self.writer.nation(first.key),
            points=points,
            gap=points - second.victory_points,
            second=self.writer.nation(second.key),
        )

    def account_changes(self, key: str, before: Position, after: Position) -> None:
        """Write the accounts of a nation before and after its slot."""
        was, now = before.nations[key], after.nations[key]
        rows = []
        for account in ACCOUNTS:
            if account != "actions":
                unit = "t" if account == "income" else ""
                old, new = getattr(was, account), getattr(now, account)
                rows.append((self.writer.labels[account], count(old) + unit, count(new) + unit))
        self.blocks.append(Table(tuple(texts()["columns"]["accounts"]), tuple(rows), "ledger"))

    def next_moves(self, after: Position) -> None:
        """Write the seats that must act next, or the winners of a campaign that has ended."""
        if after.standings is not None:
            winners = [line["nation"] for line in after.standings if line["rank"] == 1]
            spans: list[Span] = []
            for n, key in enumerate(winners):
                is_last = n == len(winners) - 1
                spans += [Span(words.book()["and"] if is_last else ", ")] if n else []
                spans += self.writer.player(key)
            self.paragraph(
                *phrase("over-one" if len(winners) == 1 else "over-several", winners=tuple(spans))
            )
            return
        items = self._waits(after)
        if items:
            self.heading(heading("waits"), 2, part="waits")
            self.bullets(items)

    def _waits(self, after: Position) -> list[Spans]:
        """Return a sentence for each seat that must act next."""
        names = TurnNames(self.scenario, self.writer.people)
        items = []
        for waiting in view.waiting(after):
            attack = after.attacks[waiting.contest - 1] if waiting.contest else None
            other = names.opponent(attack) if attack is not None else ()
            if attack is not None and waiting.seat != attack.attacker:
                other = names.player(attack.attacker)
            items.append(
                fill_spans(
                    str(REPORT.read()["waits"][waiting.what.id]),
                    nation=names.player(waiting.seat),
                    other=other,
                    target=names.province(attack.target if attack is not None else None),
                    n=waiting.contest or 0,
                    turn=after.turn + 1,
                )
            )
        return items


def levels_with_changes(key: str, before: Position, after: Position) -> tuple[str, ...]:
    """Return the levels of a nation as in the standings, with changes in brackets."""
    was, now = before.nations[key], after.nations[key]
    cells = []
    for account in ("victory_points", "stability", "prestige", "income", "army"):
        unit = "t" if account == "income" else ""
        cells.append(_with_change(getattr(was, account), getattr(now, account), unit))
    return (*cells, _with_change(len(before.provinces_of(key)), len(after.provinces_of(key))))


def _with_change(was: int, now: int, unit: str = "") -> str:
    text = f"{count(now)}{unit}"
    return text if now == was else f"{text} ({words.signed(now - was)})"


def remaining(part: EntryPart) -> list[Effect | Roll]:
    """Return the effects and rolls of the part that the report has not shown yet."""
    return [*part.effects, *part.rolls]


# The moves of a nation or the game master in the rules' words, with costs and gains.

# The cause by which a move changes its nation's own accounts. It needs no reason, since the move is
# the reason.
OWN_CAUSE = {
    "build": "builds",
    "barracks": "builds",
    "siege-train": "builds",
    "fortify": "fortifies",
    "fleet": "builds-fleet",
    "attack": "attacks",
}
CORRECTIONS = (
    "adjust",
    "set-owner",
    "give-card",
    "discard-card",
    "set-structures",
    "set-assets",
    "set-fortification",
    "set-fleet",
)
# A placeholder for effects that are not public, so that the words reveal nothing about them.
UNSEEN = Effect("card", None, "", Phrase(""))
MASTERS = ("report", "forfeit", *CORRECTIONS)


def in_headline(move: Mapping[str, Any], seat: str) -> Callable[[Effect], bool]:
    """Return a test for the effects that the words of the move already include."""
    name, named = move["move"], move.get("steal", move.get("destroy"))

    def wanted(effect: Effect) -> bool:
        kind, cause = effect.kind, effect.cause.id
        if name in ("build", "barracks", "siege-train"):
            return kind == "structure" and cause == "builds" and effect.holder == seat
        if name == "fleet":
            return kind == "holding" and cause == "builds-fleet"
        if name in ("set-structures", "set-assets", "set-fortification", "set-fleet"):
            return kind in ("structure", "holding") and cause == "correction"
        if name == "offer":
            return kind == "card" and cause == "offers"
        if name == "take":
            return kind == "card" and cause == "trades"
        if name == "play":
            played = (kind, cause, effect.change) == ("card", f"plays-{move['card']}", -1)
            taken = (
                kind == "card"
                and cause in OF_CARD.get(move["card"], ())
                and effect.subject == named
            )
            return played or taken or bool(effect.facts.get("launched"))
        if name == "attack":
            return bool(effect.facts.get("launched")) or (
                kind == "card" and cause == "plays-on-battle"
            )
        if name == "respond":
            return "answer" in effect.facts or (kind == "card" and cause == "plays-on-battle")
        if name == "keep":
            return kind == "seat" and effect.subject == "keep"
        return name == "end-slot" and kind == "slot"

    return wanted


class MoveWriter:
    """A writer of moves, each as a single line."""

    def __init__(self, writer: EffectWriter) -> None:
        self.writer = writer
        self.scenario = writer.scenario

    def line(self, part: EntryPart, who: Spans = ()) -> Spans:
        """Return the line of a whole part; `who` names the nation that moves, with its player."""
        move, writer, seat = part.line.move, self.writer, part.seat
        name = str(move["move"])
        claimed = name in ("report", "forfeit") and part.line.origin != ""
        text = words.move_line(self.scenario, move, self._effects_naming_cards(part, move), claimed)
        effects = writer.take(part, in_headline(move, seat))
        what = Span(text, bold=name in ("attack", "respond", "report", "forfeit"))
        head = [what]
        if name in MASTERS and not claimed:
            head = [*phrase("master-does", what=what)]
        elif not claimed:
            head = [*phrase("nation-does", nation=who or (writer.nation(seat),), what=what)]
        head = self._with_details(tuple(head), part, text, seat, effects)
        if claimed:
            head.append(Span(f". {part.line.origin.removesuffix('.')}"))
        own = OWN_CAUSE.get(name, f"plays-{move['card']}" if name == "play" else name)
        if name in (*MASTERS, "respond"):
            return joined(tuple(head), writer.clauses(part), ". ")
        return joined(tuple(head), writer.clauses(part, seat, own))

    @staticmethod
    def _effects_naming_cards(part: EntryPart, move: Mapping[str, Any]) -> list[Effect]:
        """Return the effects by which the words may name cards.

        For a trade it is only the effect that shows the card given.
        """
        visible = [effect for effect in part.line.effects if effect.audience is None]
        if move["move"] == "take":
            visible = [
                effect
                for effect in visible
                if effect.holder == move["from"] and effect.facts.get("zone") == "hand"
            ]
        return visible or [UNSEEN]

    def _with_details(
        self, what: Spans, part: EntryPart, text: str, seat: str, effects: list[Effect]
    ) -> list[Span]:
        """Return the text of a move with its cost, level, number of the attack, and outcome."""
        writer, name = self.writer, str(part.line.move["move"])
        if name == "fortify":
            built = writer.take(
                part, lambda effect: effect.kind == "holding" and effect.cause.id == "fortifies"
            )
            structure = words.structure_name(str(built[0].facts["fortification"]))
            what = phrase("with", what=what, structure=structure)
        if name in ("report", "forfeit"):
            ended = writer.take(
                part,
                lambda effect: effect.kind == "attack" and effect.cause.id.startswith("outcome-"),
            )
            outcomes = [str(words.book()["outcomes"][effect.facts["outcome"]]) for effect in ended]
            named = [Span(": " + outcome) for outcome in outcomes if not text.endswith(outcome)]
            what = (*what, *named)
        if name == "end-slot":
            lapsed = writer.take(part, lambda effect: effect.cause.id == "actions-lapse")
            for effect in lapsed:
                key = "lapses" if effect.change >= -2 else "lapse"
                what = phrase(key, what=what, amount=amount(-effect.change))
        else:
            paid = writer.take(part, lambda effect: _is_cost(effect, seat, name))
            for effect in paid:
                left = words.half(effect.balance)
                what = phrase("paid", what=what, amount=amount(-effect.change), left=left)
        for effect in effects:
            if effect.facts.get("launched"):
                what = self._launched(what, effect)
        if rules := {
            effect.cause.rule for effect in effects if effect.cause.id in ("assassinated", "stolen")
        }:
            what = (*what, Span(f" (§{rules.pop()})"))
        return list(what)

    def _launched(self, what: Spans, effect: Effect) -> Spans:
        """Return the words of an attack with its number and the nation that opposes it."""
        defender, leader = effect.facts["defender"], effect.facts["leader"]
        if defender is None and leader is None:
            return phrase("against-nobody", what=what, n=effect.subject)
        key, nation = ("against", defender) if defender is not None else ("against-led", leader)
        opponent = self.writer.nation(str(nation))
        return phrase(key, what=what, n=effect.subject, nation=opponent)

    def sides(self, attack: Attack) -> Spans:
        """Return the two sides with their armies, points and cards."""
        writer, scenario = self.writer, self.scenario
        defender = (
            writer.nation(attack.defender)
            if attack.defender is not None
            else Span(phrase_text("independents"))
        )
        what = [words.book()["kinds"][attack.kind], words.book()["battles"][attack.battle]]
        if attack.siege_train:
            what.append(phrase_text("siege-train"))
        ours, theirs = lists_of_attack(scenario, attack)
        spans = phrase(
            "sides" if attack.leader is None else "sides-led",
            attacker=writer.nation(attack.attacker),
            defender=defender,
            leader=writer.nation(attack.leader),
            kind=", ".join(what),
            ours=ours,
            points=attack.points_attacker,
            theirs=theirs,
            other=attack.points_defender,
        )
        cards = [
            f"{words.card_name(card)} ({words.side_name(side)})"
            for side, played in (
                ("attacker", attack.cards_attacker),
                ("defender", attack.cards_defender),
            )
            for card in played
        ]
        return (*spans, Span("; " + ", ".join(cards) + "." if cards else "."))


def _is_cost(effect: Effect, seat: str, name: str) -> bool:
    paid = (effect.subject, effect.holder) == ("actions", seat) and effect.change < 0
    return paid and effect.cause.id == OWN_CAUSE.get(name, name)


# Single lines of a report: the effects of an entry, clause by clause. Each effect and each roll
# appears exactly once.

ARROW = " → "
OPENINGS = ("start", "open-turn")
RESUME = "resume"
"""The move that takes over a running campaign and replaces `start`."""
# The effects of a card that the words of its play already name.
OF_CARD = {
    "assassin": ("assassinated",),
    "diplomat": ("wins-over", "truce"),
    "spy": ("stolen", "steals"),
    "traitor": ("betrayed",),
}


def texts() -> Mapping[str, Any]:
    """Return the words of the reports in the reader's language."""
    book: Mapping[str, Any] = words.book()["report"]
    return book


def phrase_text(key: str, **named: object) -> str:
    """Return a phrase of the reports as text."""
    return str(texts()[key]).format(**named)


def heading(key: str) -> str:
    return str(texts()["headings"][key])


def named(group: str, key: str, **facts: object) -> str:
    """Return a report's title (`titles`) or its name in the list (`contents`)."""
    return str(texts()[group][key]).format(**facts)


def phrase(key: str, **named: Value) -> Spans:
    """Return a phrase of the reports as spans; its arguments may be spans too."""
    return fill_spans(str(texts()[key]), **named)


class EntryPart:
    """A part of an entry, with its public effects and rolls that the report has not shown yet.

    `kind` is `opening` (of a turn), `slot` (a slot opens), `closing` (slots or turn end) or `move`
    for everything else.
    """

    __slots__ = ("kind", "seat", "line", "effects", "rolls")

    def __init__(self, kind: str, seat: str, line: ReportEntry, rolls: Sequence[Roll] = ()) -> None:
        self.kind = kind
        self.seat = seat
        self.line = line
        self.effects: list[Effect] = []
        self.rolls = list(rolls)

    def part(self, seat: str, wanted: Callable[[Effect], bool]) -> EntryPart:
        """Move these effects into a separate part and return it."""
        new = EntryPart(self.kind, seat, self.line)
        new.effects = [effect for effect in self.effects if wanted(effect)]
        self.effects = [effect for effect in self.effects if not wanted(effect)]
        return new


def _has_holder(key: str, effect: Effect) -> bool:
    return effect.holder == key


def _is_one_of(effects: Iterable[Effect], effect: Effect) -> bool:
    return any(effect is other for other in effects)


def parts_of(lines: Iterable[ReportEntry]) -> list[EntryPart]:
    """Return the lines in their parts.

    The effects after the opening of a slot belong to that slot, those after the end of all slots to
    the close, because an entry opens a slot or closes a turn last of all.
    """
    shown = []
    for line in lines:
        move = line.move
        rolls = [roll for roll in line.rolls if roll.audience is None]
        part = EntryPart(
            "opening" if move["move"] in OPENINGS else "move",
            str(move.get("for", move["by"])),
            line,
            rolls,
        )
        shown.append(part)
        for effect in line.effects:
            if effect.audience is not None:
                continue
            if effect.kind == "slot" and effect.subject == "opened":
                part = EntryPart("slot", str(effect.holder), line)
                shown.append(part)
            elif effect.kind == "turn" and effect.subject != "opened" and part.kind != "closing":
                part = EntryPart("closing", "", line)
                shown.append(part)
            part.effects.append(effect)
    return shown


class Clause(NamedTuple):
    """A clause of a sentence, and its reason, which follows in brackets."""

    spans: Spans
    reason: str = ""


class EffectWriter:
    """A writer that takes effects and rolls from the parts of entries and puts them into words.

    It remembers what it took.
    """

    def __init__(self, scenario: Scenario, people: Mapping[str, str]) -> None:
        self.scenario = scenario
        self.people = people
        self.taken: list[ReportedEvent] = []
        self.labels: Mapping[str, str] = words.book()["accounts"]

    # Effects and rolls

    def take(self, part: EntryPart, wanted: Callable[[Effect], bool]) -> list[Effect]:
        """Take the wanted effects from the part, and return them."""
        taken = [effect for effect in part.effects if wanted(effect)]
        part.effects = [effect for effect in part.effects if not wanted(effect)]
        self.taken.extend(ReportedEvent(part.line.number, effect) for effect in taken)
        return taken

    def roll(self, part: EntryPart, purpose: str) -> str:
        """Take the roll whose purpose ends with `purpose`, and return it as "d100 = 35".

        Return "" if there is no such public roll.
        """
        for roll in part.rolls:
            if roll.purpose.endswith(purpose):
                part.rolls.remove(roll)
                self.taken.append(ReportedEvent(part.line.number, roll))
                return f"d{roll.sides} = {roll.value}"
        return ""

    # Names ----------------------------------------------------------------------------------------

    def nation(self, key: str | None) -> Span:
        """Return a nation's name in its colour, or "independent" for None."""
        if key is None:
            return Span(words.book()["independent"])
        return Span(words.nation_name(self.scenario, key), seat="" if key == "gm" else key)

    def player(self, key: str) -> Spans:
        """Return a nation's name with that of its player."""
        who = self.people.get(key)
        return (self.nation(key), Span(f" ({who})")) if who else (self.nation(key),)

    def province(self, key: str) -> str:
        return words.province_name(self.scenario, key)

    # Clauses --------------------------------------------------------------------------------------

    def account(self, effect: Effect) -> str:
        """Return a change of an account, such as "stability 4 → 3"."""
        was, now = effect.balance - effect.change, effect.balance
        label = self.labels[effect.subject]
        if effect.subject == "actions":
            return f"{label} {words.half(was)}{ARROW}{words.half(now)}"
        unit = "t" if effect.subject == "income" else ""
        return f"{label} {count(was)}{unit}{ARROW}{count(now)}{unit}"

    def reason(self, cause: Phrase) -> str:
        """Return a cause with its paragraph, for brackets.

        For a correction it is only the paragraph, because the headline has given the reason.
        """
        if cause.id == "correction":
            return f"§{cause.rule}"
        text = words.speak(self.scenario, cause)
        return f"{text}, §{cause.rule}" if cause.rule else text

    def clauses(self, part: EntryPart, seat: str = "", own: str = "") -> list[Clause]:
        """Return clauses for everything that is left of the part, in order.

        The sentence has already named `seat`, so the changes of its accounts need no name. Those
        with the cause `own` need no reason either.
        """
        clauses: list[Clause] = []
        while part.effects:
            first = part.effects[0]
            if first.kind != "account":
                self.take(part, partial(_is_one_of, [first]))
                clauses.append(self._other(part, first))
                continue
            run = []
            for effect in part.effects:
                if (effect.kind, effect.holder, effect.cause) != (
                    "account",
                    first.holder,
                    first.cause,
                ):
                    break
                run.append(effect)
            self.take(part, partial(_is_one_of, run))
            changes = ", ".join(map(self.account, run))
            if first.holder == seat:
                clauses.append(
                    Clause(
                        (Span(changes),), "" if first.cause.id == own else self.reason(first.cause)
                    )
                )
            else:
                clauses.append(
                    Clause(
                        (self.nation(first.holder), Span(f": {changes}")), self.reason(first.cause)
                    )
                )
        for roll in list(part.rolls):
            text = words.roll_line(self.scenario, roll)
            clauses.append(Clause((Span(f"{text}: {self.roll(part, roll.purpose)}"),)))
        return clauses

    def _other(self, part: EntryPart, effect: Effect) -> Clause:
        """Return the clause of an effect other than a change of an account."""
        reason, own = (
            self.reason(effect.cause),
            effect.cause.id in OF_CARD.get(part.line.move.get("card", ""), ()),
        )
        if effect.kind == "card":
            key = ("gains" if effect.change > 0 else "loses") + (
                "-table" if effect.facts["zone"] == "table" else ""
            )
            return Clause(
                phrase(
                    key, nation=self.nation(effect.holder), card=words.card_name(effect.subject)
                ),
                reason,
            )
        if effect.kind == "structure":
            key, what = (
                "built" if effect.facts["built"] else "lost",
                words.structure_name(effect.subject),
            )
            return Clause(phrase(key, nation=self.nation(effect.holder), structure=what), reason)
        if effect.kind == "holding":
            if own:
                return Clause(self._changed(part, effect), f"§{effect.cause.rule}")
            return self._holding(part, effect, reason)
        if effect.kind == "attack":
            return self._attack(part, effect)
        if effect.kind == "truce" and own:
            return Clause(
                (Span(phrase_text("until", **effect.cause.facts)),), f"§{effect.cause.rule}"
            )
        if effect.kind == "truce":
            pair = {"nation": self.nation(effect.holder), "by": self.nation(effect.subject)}
            return Clause(
                phrase("truce", **pair, what=words.speak(self.scenario, effect.cause)),
                f"§{effect.cause.rule}",
            )
        return Clause(
            (Span(words.speak(self.scenario, effect.cause)),),
            f"§{effect.cause.rule}" if effect.cause.rule else "",
        )

    def _holding(self, part: EntryPart, effect: Effect, reason: str) -> Clause:
        name = self.province(effect.subject)
        if effect.cause.id.startswith("encounter-"):
            return self._encounter(part, effect)
        if "was" not in effect.facts:
            return Clause(phrase("fleet-lost", province=name), reason)
        return Clause((Span(f"{name}: "), *self._changed(part, effect)), reason)

    def _changed(self, part: EntryPart, effect: Effect) -> Spans:
        """Return the old and the new owner of a province, and its lost fortification and fleet."""
        facts, lost = effect.facts, []
        if facts["fortification_lost"]:
            rules = part.line.after.rules if part.line.after is not None else self.scenario.rules
            level = rules.fortifications[int(facts["fortification_lost"]) - 1]
            lost.append(words.structure_name(level.name))
        if facts["fleet_lost"]:
            lost.append(phrase_text("fleet"))
        was, owner = self.nation(facts["was"]), self.nation(facts["owner"])
        if lost:
            return phrase("changed-lost", was=was, owner=owner, lost=words.listed(lost))
        return was, Span(ARROW), owner

    def _attack(self, part: EntryPart, effect: Effect) -> Clause:
        facts, cause = effect.facts, effect.cause
        reason = f"§{cause.rule}"
        text = words.speak(self.scenario, cause)
        if "siege" in facts and "roll" in facts:
            reason = phrase_text(
                "fails" if cause.facts["holds"] else "cannot-fail",
                rolled=self.roll(part, "/siege"),
                holds=cause.facts["holds"],
                rule=cause.rule,
            )
        elif cause.id.startswith("escort-"):
            reason = f"{self.roll(part, '/escort')}, {reason}"
        elif cause.id.startswith("encounter-"):
            return self._encounter(part, effect)
        elif cause.id == "led-anew":
            text = phrase_text(
                "led-by" if effect.holder else "led-by-nobody",
                target=self.province(cause.facts["target"]),
                nation=words.nation_name(self.scenario, effect.holder),
            )
        about = (
            "" if effect.subject == str(part.line.move.get("attack")) else f"#{effect.subject}: "
        )
        return Clause((Span(about + text),), reason)

    def _encounter(self, part: EntryPart, effect: Effect) -> Clause:
        """Return a single clause for all effects of an encounter, with both rolls as its reason."""
        self.take(part, lambda other: other.cause == effect.cause)
        rolls = [(side, self.roll(part, f"/naval/{side}")) for side in ("attacker", "defender")]
        reasons = [f"{words.side_name(side)} {rolled}" for side, rolled in rolls if rolled]
        text = words.speak(self.scenario, effect.cause)
        return Clause((Span(text),), ", ".join([*reasons, f"§{effect.cause.rule}"]))


def count(amount: int) -> str:
    """Return a number with a true minus sign."""
    return str(amount) if amount >= 0 else f"−{-amount}"


def joined(head: Spans, clauses: Sequence[Clause], between: str = ": ") -> Spans:
    """Return a headline and its clauses as a single line with a full stop."""
    spans: list[Span] = list(head)
    for n, clause in enumerate(clauses):
        spans.append(Span(between if n == 0 else "; "))
        spans.extend(with_capital(clause.spans) if n == 0 and between == ". " else clause.spans)
        if clause.reason:
            spans.append(Span(f" ({clause.reason})"))
    return with_stop(tuple(spans))
