"""The chapters of a report: opening, slots, corrections, battles, close, standings, what comes
next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from string import Formatter
from typing import Any, NamedTuple

from engine.effects import Effect, Roll, Say
from engine.language import Name
from games.contract.report import (
    Block,
    Bullets,
    Heading,
    Line,
    Paragraph,
    Report,
    Span,
    Spans,
    Table,
    Told,
)
from games.grand_campaign.rules import view
from games.grand_campaign.rules.attacks import lists_of_attack
from games.grand_campaign.rules.position import ACCOUNTS, Attack, Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.words import amount

ANSWERS = ("respond", "report", "forfeit")


class Chronicle:
    """The pages of some lines, told chapter by chapter into blocks."""

    def __init__(self, scenario: Scenario, pages: list[Page], people: Mapping[str, str]) -> None:
        self.scenario = scenario
        self.pages = pages
        self.teller = Teller(scenario, people)
        self.mover = Mover(self.teller)
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
        """The report; under it the entries it tells of."""
        numbers = [page.line.number for page in self.pages]
        first, last = (min(numbers), max(numbers)) if numbers else (0, 0)
        if numbers:
            self.paragraph(
                *phrase("entries" if first != last else "entry", first=first, last=last, n=first),
                small=True,
            )
        untold = [Told(page.line.number, what) for page in self.pages for what in left(page)]
        return Report(
            title, tuple(self.blocks), tuple(self.teller.told), tuple(untold), first, last
        )

    # Chapters -------------------------------------------------------------------------------------

    def opening(self, page: Page) -> None:
        """Order of play, cards, random events."""
        teller = self.teller
        opened = teller.take(page, lambda effect: effect.kind == "turn")[0]
        order: Sequence[str] = opened.facts["order"]
        spans: list[Span] = []
        for n, key in enumerate(order):
            spans += [Span(", ")] if n else []
            spans += teller.player(key)
        spans = [*phrase("order", order=tuple(spans))]
        if rolled := teller.roll(page, "start"):
            spans += phrase("opener", rolled=rolled)
        self.paragraph(*spans)
        turn = opened.cause.facts["turn"]
        rules = page.line.after.rules if page.line.after is not None else self.scenario.rules
        if rules.cards_per_turn:
            self.heading(heading("cards"), 2)
            self.bullets([self._draw(page, turn, key, rules.cards_per_turn) for key in order])
        events: list[tuple[Effect, list[Effect]]] = []
        for effect in page.effects:
            if effect.kind == "event":
                events.append((effect, []))
            elif events:
                events[-1][1].append(effect)
        if events:
            self.heading(heading("events"), 2)
            self.bullets([self._event(page, turn, event, after) for event, after in events])

    def _draw(self, page: Page, turn: int, key: str, cards: int) -> Spans:
        drawn = self.teller.take(
            page,
            lambda effect: (effect.kind, effect.holder, effect.cause.id) == ("card", key, "draws"),
        )
        nation = self.teller.nation(key)
        if not drawn:
            return phrase(
                "draws-unseen" if cards == 1 else "draws-unseen-several", nation=nation, n=cards
            )
        purposes = [
            f"turn-{turn}/card/{key}" + (f"/{n}" if n > 1 else "") for n in range(1, cards + 1)
        ]
        rolled = ", ".join(self.teller.roll(page, purpose) for purpose in purposes)
        named = ", ".join(words.card_name(card.subject) for card in drawn)
        return phrase("draws", nation=nation, card=Span(named, italic=True), rolled=rolled)

    def _event(self, page: Page, turn: int, event: Effect, after: list[Effect]) -> Spans:
        """One nation's event and all that followed from it."""
        these = {id(effect) for effect in (event, *after)}
        own = page.part(str(event.holder), lambda effect: id(effect) in these)
        self.teller.take(own, lambda effect: effect is event)
        rolled = self.teller.roll(page, f"turn-{turn}/event/{event.holder}")
        head = (
            self.teller.nation(event.holder),
            Span(": "),
            Span(words.event_name(event.subject), italic=True),
            Span(f" ({rolled})"),
        )
        return joined(head, self.teller.clauses(own, str(event.holder), event.cause.id))

    def slot(self, key: str) -> None:
        """A nation's slot: what it had to spend and what it did."""
        teller = self.teller
        mine = [
            page
            for page in self.pages
            if page.seat == key and (page.kind == "slot" or self.of_slot(page))
        ]
        head: list[Span] = []
        for page in mine:
            if page.kind == "slot":
                head += self._purse(page, key)
        self.paragraph(*(head or phrase("no-actions", nation=teller.nation(key))))
        self.bullets([self.mover.line(page) for page in mine if page.kind == "move"])

    @staticmethod
    def of_slot(page: Page) -> bool:
        return page.kind == "move" and page.line.move["move"] not in (
            *CORRECTIONS,
            *ANSWERS,
            "keep",
        )

    def _purse(self, page: Page, key: str) -> Spans:
        """What the slot opens with."""
        teller = self.teller
        teller.take(page, lambda effect: effect.kind == "slot")
        given = teller.take(page, lambda effect: effect.cause.id == "allowance")
        gives = phrase_text("no-action")
        income = page.line.after.nations[key].income if page.line.after is not None else None
        if given:
            income, gives = given[0].cause.facts["income"], words.amount(given[0].change)
        spans = [
            *phrase(
                "gives" if income is not None else "slot-opens", income=str(income), gives=gives
            )
        ]
        back = teller.take(
            page,
            lambda effect: effect.cause.id == "back-to-hand" and effect.facts["zone"] == "table",
        )
        teller.take(page, lambda effect: effect.cause.id == "back-to-hand")
        for clause in teller.clauses(page, key):
            spans += [Span("; "), *clause.spans, Span(f" ({clause.reason})")]
        if back:
            spans += phrase("back", cards=", ".join(words.card_name(card.subject) for card in back))
        return (*spans, Span("."))

    def orders(self) -> None:
        """Corrections with their reasons, and orders to Bodyguards where all may see them."""
        moves = [
            p
            for p in self.pages
            if p.kind == "move" and p.line.move["move"] in (*CORRECTIONS, "keep")
        ]
        if moves:
            kept = any(page.line.move["move"] == "keep" for page in moves)
            self.heading(heading("orders" if kept else "corrections"), 2)
            self.bullets([self.mover.line(page) for page in moves])

    def launch(self, attack: Attack) -> None:
        """The move that launched an attack."""
        self.bullets(
            [
                (*self.teller.player(page.seat), Span(": "), *self.mover.line(page))
                for page in self.pages
                if page.line.move["move"] not in ANSWERS
            ]
        )

    def battle(self, attack: Attack) -> None:
        """What happened after the launch."""
        number = attack.id
        moves = [
            page
            for page in self.pages
            if page.kind == "move"
            and page.line.move["move"] in ANSWERS
            and page.line.move["attack"] == number
        ]
        self.paragraph(*self.mover.sides(attack))
        self.bullets([self.mover.line(page) for page in moves])
        if attack.status == "challenged" and attack.defender is not None:
            self.paragraph(*phrase("please-answer", nation=self.teller.nation(attack.defender)))
        elif attack.status == "fighting":
            self.paragraph(Span(phrase_text("undecided"), italic=True))
        elif attack.outcome == "lapsed":
            self.paragraph(Span(phrase_text("lapsed"), italic=True))

    def closing(self) -> None:
        """The close of a turn, and of the campaign with its final scoring."""
        teller = self.teller
        items: list[Spans] = []
        for page in self.pages:
            if page.kind != "closing":
                continue
            turns = teller.take(page, lambda effect: effect.kind == "turn")
            causes = [
                words.speak(self.scenario, effect.cause)
                for effect in turns
                if effect.subject != "standings"
            ]
            items += [(Span(text[:1].upper() + text[1:] + " (§1.3)."),) for text in causes]
            for key in self.scenario.order:
                mine = page.part(key, partial(_has_holder, key))
                if mine.effects:
                    items.append(joined((teller.nation(key),), teller.clauses(mine, key)))
        if items:
            self.heading(heading("close"), 2)
            self.bullets(items)

    def standings(self, before: Position, after: Position) -> None:
        """Where the nations stand, the first first."""
        final = after.standings is not None
        self.heading(heading("final" if final else "standings"), 2)
        owned = {key: len(after.provinces_of(key)) for key in after.nations}
        ranks = {line["nation"]: str(line["rank"]) for line in after.standings or ()}
        lines = sorted(after.nations.values(), key=lambda n: (-n.victory_points, -n.income, n.key))
        rows = []
        for nation in lines:
            gain = nation.victory_points - before.nations[nation.key].victory_points
            who = words.nation_name(self.scenario, nation.key)
            name = (
                phrase_text("fallen", nation=who, how=words.fall_text(nation))
                if nation.fallen
                else str(who)
            )
            row = [
                name,
                count(nation.victory_points),
                words.signed(gain) if gain else "·",
                str(nation.stability),
                str(nation.prestige),
                f"{nation.income}t",
                str(nation.army),
                str(owned[nation.key]),
            ]
            rows.append((*row, ranks[nation.key]) if final else tuple(row))
        columns = texts()["columns"]
        head = tuple(columns["standings"])
        self.blocks.append(Table((*head, columns["rank"]) if final else head, tuple(rows)))

    def before_after(self, key: str, before: Position, after: Position) -> None:
        """The accounts of one nation before and after its slot."""
        was, now = before.nations[key], after.nations[key]
        rows = []
        for account in ACCOUNTS:
            if account != "actions":
                unit = "t" if account == "income" else ""
                old, new = getattr(was, account), getattr(now, account)
                rows.append((self.teller.labels[account], count(old) + unit, count(new) + unit))
        self.blocks.append(Table(tuple(texts()["columns"]["accounts"]), tuple(rows), "ledger"))

    def next(self, after: Position) -> None:
        """Whom we wait for; who has won, where the campaign is over."""
        if after.standings is not None:
            winners = [line["nation"] for line in after.standings if line["rank"] == 1]
            spans: list[Span] = []
            for n, key in enumerate(winners):
                spans += [Span(words.book()["and"])] if n else []
                spans += self.teller.player(key)
            self.paragraph(
                *phrase("over-one" if len(winners) == 1 else "over-several", winners=tuple(spans))
            )
            return
        items = []
        for waiting in view.waiting(after):
            what = words.speak(self.scenario, waiting.what) + (
                f", #{waiting.contest}" if waiting.contest else ""
            )
            who = self.teller.player(waiting.seat)
            if waiting.seat == "gm":
                what, who = words.speak(self.scenario, waiting.what), (Span(phrase_text("master")),)
            items.append((*who, Span(f": {what}.")))
        if items:
            self.heading(heading("waits"), 2, part="waits")
            self.bullets(items)


def left(page: Page) -> list[Effect | Roll]:
    """What the page has still to tell."""
    return [*page.effects, *page.rolls]


# What a nation or the game master said, in the rules' words, with what it cost and gave.

# The cause by which a move changes its own accounts: told without a reason, since the move is one.
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
# Stands for effects that not everybody may see, so that the words name nothing of them.
UNSEEN = Effect("card", None, "", Say(""))
MASTERS = ("report", "forfeit", *CORRECTIONS)


def in_headline(move: Mapping[str, Any], seat: str) -> Callable[[Effect], bool]:
    """Which effects the words of the move tell by themselves."""
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


class Mover:
    """Tells the page of a move as one line."""

    def __init__(self, teller: Teller) -> None:
        self.teller = teller
        self.scenario = teller.scenario

    def line(self, page: Page) -> Spans:
        """The whole page."""
        move, teller, seat = page.line.move, self.teller, page.seat
        name = str(move["move"])
        claimed = name in ("report", "forfeit") and page.line.origin != ""
        text = words.move_line(self.scenario, move, self._naming(page, move), claimed)
        effects = teller.take(page, in_headline(move, seat))
        what = Span(text, bold=name in ("attack", "respond", "report", "forfeit"))
        head = [what]
        if name in MASTERS and not claimed:
            head = [*phrase("master-does", what=what)]
        elif name in ("respond", "keep"):
            head = [*phrase("nation-does", nation=teller.nation(seat), what=what)]
        head += self._more(page, text, seat, effects)
        if claimed:
            head.append(Span(f". {page.line.origin.removesuffix('.')}"))
        own = OWN_CAUSE.get(name, f"plays-{move['card']}" if name == "play" else name)
        if name in (*MASTERS, "respond"):
            return joined(tuple(head), teller.clauses(page), ". ")
        return joined(tuple(head), teller.clauses(page, seat, own))

    @staticmethod
    def _naming(page: Page, move: Mapping[str, Any]) -> list[Effect]:
        """The effects by which the words may name cards: of a trade only the one that tells of the
        card given.
        """
        visible = [effect for effect in page.line.effects if effect.audience is None]
        if move["move"] == "take":
            visible = [
                effect
                for effect in visible
                if effect.holder == move["from"] and effect.facts.get("zone") == "hand"
            ]
        return visible or [UNSEEN]

    def _more(self, page: Page, text: str, seat: str, effects: list[Effect]) -> Spans:
        """What stands beside the words of the move: cost, level, number of the attack, outcome."""
        teller, more, name = self.teller, list[Span](), str(page.line.move["move"])
        if name == "fortify":
            built = teller.take(
                page, lambda effect: effect.kind == "holding" and effect.cause.id == "fortifies"
            )
            more += phrase(
                "with", structure=words.structure_name(str(built[0].facts["fortification"]))
            )
        if name in ("report", "forfeit"):
            ended = teller.take(
                page,
                lambda effect: effect.kind == "attack" and effect.cause.id.startswith("outcome-"),
            )
            outcomes = [str(words.book()["outcomes"][effect.facts["outcome"]]) for effect in ended]
            more += [Span(": " + outcome) for outcome in outcomes if not text.endswith(outcome)]
        if name == "end-slot":
            lapsed = teller.take(page, lambda effect: effect.cause.id == "actions-lapse")
            for effect in lapsed:
                more += phrase(
                    "lapses" if effect.change >= -2 else "lapse", amount=amount(-effect.change)
                )
        else:
            paid = teller.take(page, lambda effect: _is_cost(effect, seat, name))
            for effect in paid:
                more += phrase(
                    "paid", amount=amount(-effect.change), left=words.half(effect.balance)
                )
        for effect in effects:
            if effect.facts.get("launched"):
                more += self._launched(effect)
        if rules := {
            effect.cause.rule for effect in effects if effect.cause.id in ("assassinated", "stolen")
        }:
            more.append(Span(f" (§{rules.pop()})"))
        return tuple(more)

    def _launched(self, effect: Effect) -> Spans:
        """The number of an attack, and who stands against it."""
        defender, leader = effect.facts["defender"], effect.facts["leader"]
        if defender is None and leader is None:
            return phrase("against-nobody", n=effect.subject)
        key, nation = ("against", defender) if defender is not None else ("against-led", leader)
        return phrase(key, n=effect.subject, nation=self.teller.nation(str(nation)))

    def sides(self, attack: Attack) -> Spans:
        """Who fights whom, with what."""
        teller, scenario = self.teller, self.scenario
        defender = (
            teller.nation(attack.defender)
            if attack.defender is not None
            else Span(phrase_text("independents"))
        )
        what = [words.book()["kinds"][attack.kind], words.book()["battles"][attack.battle]]
        if attack.siege_train:
            what.append(phrase_text("siege-train"))
        ours, theirs = lists_of_attack(scenario, attack)
        spans = phrase(
            "sides" if attack.leader is None else "sides-led",
            attacker=teller.nation(attack.attacker),
            defender=defender,
            leader=teller.nation(attack.leader),
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


# Single lines of a report: what an entry did, clause by clause, each effect and roll taken up
# exactly once.

ARROW = " → "
OPENINGS = ("start", "open-turn")
RESUME = "resume"
"""Takes a campaign over in its course, in place of `start`."""
# What a card does that the words of its play name already.
OF_CARD = {
    "assassin": ("assassinated",),
    "diplomat": ("wins-over", "truce"),
    "spy": ("stolen", "steals"),
    "traitor": ("betrayed",),
}


def texts() -> Mapping[str, Any]:
    """The reports' words in the reader's language."""
    book: Mapping[str, Any] = words.book()["report"]
    return book


def phrase_text(key: str, **named: object) -> str:
    """A phrase of the reports."""
    return str(texts()[key]).format(**named)


def heading(key: str) -> str:
    return str(texts()["headings"][key])


def named(group: str, key: str, **facts: object) -> str:
    """A report's `titles`, or its line in the list of `contents`."""
    return str(texts()[group][key]).format(**facts)


def phrase(key: str, **named: Span | Spans | str | int) -> Spans:
    """A phrase of the reports in spans; what is named in it may be spans itself."""
    pieces: list[Span] = []
    for literal, name, form, _ in Formatter().parse(str(texts()[key])):
        if literal:
            pieces.append(Span(literal))
        if name:
            value = named[name]
            spans = (
                (Span(str(value)),)
                if isinstance(value, (str, int))
                else (value,)
                if isinstance(value, Span)
                else value
            )
            for span in spans:
                text = format(span.text, form or "") if isinstance(span.text, Name) else span.text
                if "|" in (form or ""):  # a word that agrees with the first name
                    pieces.append(Span(text))
                    break
                article = text[:4] if form in ("the", "The") and text[:4].lower() == "the " else ""
                if article:  # an English article is no part of the coloured name
                    pieces.append(Span(article))
                pieces.append(span._replace(text=text.removeprefix(article)))
    return tuple(pieces)


class Page:
    """A part of an entry: what everybody may see of it and has not been told yet.

    `kind` is `opening` (of a turn), `slot` (a slot opens), `closing` (slots or turn end) or `move`
    for all else.
    """

    __slots__ = ("kind", "seat", "line", "effects", "rolls")

    def __init__(self, kind: str, seat: str, line: Line, rolls: Sequence[Roll] = ()) -> None:
        self.kind = kind
        self.seat = seat
        self.line = line
        self.effects: list[Effect] = []
        self.rolls = list(rolls)

    def part(self, seat: str, wanted: Callable[[Effect], bool]) -> Page:
        """A page of its own for these effects, which leave this one."""
        new = Page(self.kind, seat, self.line)
        new.effects = [effect for effect in self.effects if wanted(effect)]
        self.effects = [effect for effect in self.effects if not wanted(effect)]
        return new


def _has_holder(key: str, effect: Effect) -> bool:
    return effect.holder == key


def _is_one_of(effects: Iterable[Effect], effect: Effect) -> bool:
    return any(effect is other for other in effects)


def pages(lines: Iterable[Line]) -> list[Page]:
    """The lines in their parts. What follows the opening of a slot in an entry belongs to that
    slot, what follows the end of all slots to the close: an entry opens a slot or closes a turn
    last of all.
    """
    shown = []
    for line in lines:
        move = line.move
        rolls = [roll for roll in line.rolls if roll.audience is None]
        page = Page(
            "opening" if move["move"] in OPENINGS else "move",
            str(move.get("for", move["by"])),
            line,
            rolls,
        )
        shown.append(page)
        for effect in line.effects:
            if effect.audience is not None:
                continue
            if effect.kind == "slot" and effect.subject == "opened":
                page = Page("slot", str(effect.holder), line)
                shown.append(page)
            elif effect.kind == "turn" and effect.subject != "opened" and page.kind != "closing":
                page = Page("closing", "", line)
                shown.append(page)
            page.effects.append(effect)
    return shown


class Clause(NamedTuple):
    """A piece of a sentence and its reason, which stands behind it in brackets."""

    spans: Spans
    reason: str = ""


class Teller:
    """Takes effects and rolls off their pages and puts them into words; remembers what it took."""

    def __init__(self, scenario: Scenario, people: Mapping[str, str]) -> None:
        self.scenario = scenario
        self.people = people
        self.told: list[Told] = []
        self.labels: Mapping[str, str] = words.book()["accounts"]

    # Taking ---------------------------------------------------------------------------------------

    def take(self, page: Page, wanted: Callable[[Effect], bool]) -> list[Effect]:
        """All effects of the page that are wanted, told from now on."""
        taken = [effect for effect in page.effects if wanted(effect)]
        page.effects = [effect for effect in page.effects if not wanted(effect)]
        self.told.extend(Told(page.line.number, effect) for effect in taken)
        return taken

    def roll(self, page: Page, purpose: str) -> str:
        """The page's roll whose purpose ends so, as "d100 = 35"; "" where there is none that
        everybody may see.
        """
        for roll in page.rolls:
            if roll.purpose.endswith(purpose):
                page.rolls.remove(roll)
                self.told.append(Told(page.line.number, roll))
                return f"d{roll.sides} = {roll.value}"
        return ""

    # Names ----------------------------------------------------------------------------------------

    def nation(self, key: str | None) -> Span:
        """A nation's name in its colour; independent for None."""
        if key is None:
            return Span(words.book()["independent"])
        return Span(words.nation_name(self.scenario, key), seat="" if key == "gm" else key)

    def player(self, key: str) -> Spans:
        """A nation and who plays it."""
        who = self.people.get(key)
        return (self.nation(key), Span(f" ({who})")) if who else (self.nation(key),)

    def province(self, key: str) -> str:
        return words.province_name(self.scenario, key)

    # Clauses --------------------------------------------------------------------------------------

    def account(self, effect: Effect) -> str:
        """A ledger line: stability 4 → 3."""
        was, now = effect.balance - effect.change, effect.balance
        label = self.labels[effect.subject]
        if effect.subject == "actions":
            return f"{label} {words.half(was)}{ARROW}{words.half(now)}"
        unit = "t" if effect.subject == "income" else ""
        return f"{label} {count(was)}{unit}{ARROW}{count(now)}{unit}"

    def reason(self, cause: Say) -> str:
        """A cause with its paragraph, for brackets; of a correction the headline has given the
        reason.
        """
        if cause.id == "correction":
            return f"§{cause.rule}"
        text = words.speak(self.scenario, cause)
        return f"{text}, §{cause.rule}" if cause.rule else text

    def clauses(self, page: Page, seat: str = "", own: str = "") -> list[Clause]:
        """All that is left of the page, in its order. The sentence has named `seat` already, so its
        accounts stand without a name, and those that the cause `own` changed without a reason, too.
        """
        told_clauses: list[Clause] = []
        while page.effects:
            first = page.effects[0]
            if first.kind != "account":
                self.take(page, partial(_is_one_of, [first]))
                told_clauses.append(self._other(page, first))
                continue
            run = []
            for effect in page.effects:
                if (effect.kind, effect.holder, effect.cause) != (
                    "account",
                    first.holder,
                    first.cause,
                ):
                    break
                run.append(effect)
            self.take(page, partial(_is_one_of, run))
            changes = ", ".join(map(self.account, run))
            if first.holder == seat:
                told_clauses.append(
                    Clause(
                        (Span(changes),), "" if first.cause.id == own else self.reason(first.cause)
                    )
                )
            else:
                told_clauses.append(
                    Clause(
                        (self.nation(first.holder), Span(f": {changes}")), self.reason(first.cause)
                    )
                )
        for roll in list(page.rolls):
            text = words.roll_line(self.scenario, roll)
            told_clauses.append(Clause((Span(f"{text}: {self.roll(page, roll.purpose)}"),)))
        return told_clauses

    def _other(self, page: Page, effect: Effect) -> Clause:
        """An effect that is no ledger line."""
        reason, own = (
            self.reason(effect.cause),
            effect.cause.id in OF_CARD.get(page.line.move.get("card", ""), ()),
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
                return Clause(self._changed(page, effect), f"§{effect.cause.rule}")
            return self._holding(page, effect, reason)
        if effect.kind == "attack":
            return self._attack(page, effect)
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

    def _holding(self, page: Page, effect: Effect, reason: str) -> Clause:
        name = self.province(effect.subject)
        if effect.cause.id.startswith("encounter-"):
            return self._encounter(page, effect)
        if "was" not in effect.facts:
            return Clause(phrase("fleet-lost", province=name), reason)
        return Clause((Span(f"{name}: "), *self._changed(page, effect)), reason)

    def _changed(self, page: Page, effect: Effect) -> Spans:
        """From whom to whom a province goes, and what is lost with it."""
        facts, lost = effect.facts, []
        if facts["fortification_lost"]:
            rules = page.line.after.rules if page.line.after is not None else self.scenario.rules
            level = rules.fortifications[int(facts["fortification_lost"]) - 1]
            lost.append(words.structure_name(level.name))
        if facts["fleet_lost"]:
            lost.append(phrase_text("fleet"))
        tail = phrase_text("with-it", lost=words.listed(lost)) if lost else ""
        return self.nation(facts["was"]), Span(ARROW), self.nation(facts["owner"]), Span(tail)

    def _attack(self, page: Page, effect: Effect) -> Clause:
        facts, cause, rolled = effect.facts, effect.cause, ""
        text = words.speak(self.scenario, cause)
        if "siege" in facts and "roll" in facts:
            rolled = phrase_text(
                "fails" if cause.facts["holds"] else "cannot-fail",
                rolled=self.roll(page, "/siege"),
                **cause.facts,
            )
        elif cause.id.startswith("escort-"):
            rolled = f"{self.roll(page, '/escort')}, "
        elif cause.id.startswith("encounter-"):
            return self._encounter(page, effect)
        elif cause.id == "led-anew":
            key = "led-by" if effect.holder else "led-by-nobody"
            text = phrase_text(
                key, what=text, nation=words.nation_name(self.scenario, effect.holder)
            )
        about = (
            "" if effect.subject == str(page.line.move.get("attack")) else f"#{effect.subject}: "
        )
        return Clause((Span(about + text),), f"{rolled}§{cause.rule}")

    def _encounter(self, page: Page, effect: Effect) -> Clause:
        """Return a single clause for all effects of an encounter, with both rolls as its reason."""
        self.take(page, lambda other: other.cause == effect.cause)
        rolls = [(side, self.roll(page, f"/naval/{side}")) for side in ("attacker", "defender")]
        reasons = [f"{words.side_name(side)} {rolled}" for side, rolled in rolls if rolled]
        text = words.speak(self.scenario, effect.cause)
        return Clause((Span(text),), ", ".join([*reasons, f"§{effect.cause.rule}"]))


def count(amount: int) -> str:
    """A balance, with a true minus."""
    return str(amount) if amount >= 0 else f"−{-amount}"


def opened(spans: Spans) -> Spans:
    """Return the spans with a capital letter at the beginning."""
    first, *rest = spans
    return (first._replace(text=first.text[:1].upper() + first.text[1:]), *rest)


def joined(head: Spans, clauses: Sequence[Clause], between: str = ": ") -> Spans:
    """A headline and what followed from it, as one line with a full stop."""
    spans: list[Span] = list(head)
    for n, clause in enumerate(clauses):
        spans.append(Span(between if n == 0 else "; "))
        spans.extend(opened(clause.spans) if n == 0 and between == ". " else clause.spans)
        if clause.reason:
            spans.append(Span(f" ({clause.reason})"))
    return (*spans, Span("."))
