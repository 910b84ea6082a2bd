"""The chapters of a report: opening, slots, corrections, battles, close, standings, what comes next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.effects import Effect, Roll
from engine.report import Block, Bullets, Heading, Paragraph, Report, Span, Spans, Table, Told
from games.grand_campaign import view, words
from games.grand_campaign.position import ACCOUNTS, Attack, Position
from games.grand_campaign.report_lines import Page, Teller, count, heading, joined, phrase, text, texts
from games.grand_campaign.report_moves import CORRECTIONS, Mover
from games.grand_campaign.scenario import Scenario

ANSWERS = ("respond", "report", "forfeit")


class Chronicle:
    """The pages of some lines, told chapter by chapter into blocks."""

    def __init__(self, scenario: Scenario, found: list[Page], people: Mapping[str, str]) -> None:
        self.scenario = scenario
        self.pages = found
        self.teller = Teller(scenario, people)
        self.mover = Mover(self.teller)
        self.blocks: list[Block] = []

    # Small pieces ----------------------------------------------------------------------------------------------

    def heading(self, text: str, level: int, *spans: Span, part: str = "") -> None:
        self.blocks.append(Heading((Span(text), *spans) if text else spans, level, part))

    def say(self, *spans: Span, small: bool = False) -> None:
        self.blocks.append(Paragraph(spans, small))

    def bullets(self, items: Sequence[Spans]) -> None:
        if items:
            self.blocks.append(Bullets(tuple(items)))

    def finish(self, title: str) -> Report:
        """The report; under it the entries it tells of."""
        numbers = [page.line.number for page in self.pages]
        first, last = (min(numbers), max(numbers)) if numbers else (0, 0)
        if numbers:
            self.say(*phrase("entries" if first != last else "entry", first=first, last=last, n=first), small=True)
        untold = [Told(page.line.number, what) for page in self.pages for what in left(page)]
        return Report(title, tuple(self.blocks), tuple(self.teller.told), tuple(untold), first, last)

    # Chapters --------------------------------------------------------------------------------------------------

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
        self.say(*spans)
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
        drawn = self.teller.take(page, lambda effect: (effect.kind, effect.holder, effect.cause.id) == ("card", key, "draws"))
        nation = self.teller.nation(key)
        if not drawn:
            return phrase("draws-unseen" if cards == 1 else "draws-unseen-several", nation=nation, n=cards)
        purposes = [f"turn-{turn}/card/{key}" + (f"/{n}" if n > 1 else "") for n in range(1, cards + 1)]
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
            self.teller.nation(event.holder), Span(": "),
            Span(words.event_name(event.subject), italic=True), Span(f" ({rolled})"),
        )  # fmt: skip
        return joined(head, self.teller.clauses(own, str(event.holder), event.cause.id))

    def slot(self, key: str) -> None:
        """A nation's slot: what it had to spend and what it did."""
        teller = self.teller
        mine = [page for page in self.pages if page.seat == key and (page.kind == "slot" or self.of_slot(page))]
        head: list[Span] = []
        for page in mine:
            if page.kind == "slot":
                head += self._purse(page, key)
        self.say(*(head or phrase("no-actions", nation=teller.nation(key))))
        self.bullets([self.mover.line(page) for page in mine if page.kind == "move"])

    @staticmethod
    def of_slot(page: Page) -> bool:
        return page.kind == "move" and page.line.move["move"] not in (*CORRECTIONS, *ANSWERS, "keep")

    def _purse(self, page: Page, key: str) -> Spans:
        """What the slot opens with."""
        teller = self.teller
        teller.take(page, lambda effect: effect.kind == "slot")
        given = teller.take(page, lambda effect: effect.cause.id == "allowance")
        gives = text("no-action")
        income = page.line.after.nations[key].income if page.line.after is not None else None
        if given:
            income, gives = given[0].cause.facts["income"], words.amount(given[0].change)
        spans = [*phrase("gives" if income is not None else "slot-opens", income=str(income), gives=gives)]
        back = teller.take(page, lambda effect: effect.cause.id == "back-to-hand" and effect.facts["zone"] == "table")
        teller.take(page, lambda effect: effect.cause.id == "back-to-hand")
        for clause in teller.clauses(page, key):
            spans += [Span("; "), *clause.spans, Span(f" ({clause.reason})")]
        if back:
            spans += phrase("back", cards=", ".join(words.card_name(card.subject) for card in back))
        return (*spans, Span("."))

    def orders(self) -> None:
        """Corrections with their reasons, and orders to Bodyguards where all may see them."""
        found = [p for p in self.pages if p.kind == "move" and p.line.move["move"] in (*CORRECTIONS, "keep")]
        if found:
            kept = any(page.line.move["move"] == "keep" for page in found)
            self.heading(heading("orders" if kept else "corrections"), 2)
            self.bullets([self.mover.line(page) for page in found])

    def launch(self, attack: Attack) -> None:
        """The move that launched an attack."""
        self.bullets(
            [
                (*self.teller.player(page.seat), Span(": "), *self.mover.line(page))
                for page in self.pages if page.line.move["move"] not in ANSWERS
            ]
        )  # fmt: skip

    def battle(self, attack: Attack) -> None:
        """What happened after the launch."""
        number = attack.id
        found = [
            page for page in self.pages
            if page.kind == "move" and page.line.move["move"] in ANSWERS and page.line.move["attack"] == number
        ]  # fmt: skip
        self.say(*self.mover.sides(attack))
        self.bullets([self.mover.line(page) for page in found])
        if attack.status == "challenged" and attack.defender is not None:
            self.say(*phrase("please-answer", nation=self.teller.nation(attack.defender)))
        elif attack.status == "fighting":
            self.say(Span(text("undecided"), italic=True))
        elif attack.outcome == "lapsed":
            self.say(Span(text("lapsed"), italic=True))

    def closing(self) -> None:
        """The close of a turn, and of the campaign with its final scoring."""
        teller = self.teller
        items: list[Spans] = []
        for page in self.pages:
            if page.kind != "closing":
                continue
            turns = teller.take(page, lambda effect: effect.kind == "turn")
            said = [words.speak(self.scenario, effect.cause) for effect in turns if effect.subject != "standings"]
            items += [(Span(text[:1].upper() + text[1:] + " (§1.3)."),) for text in said]
            for key in self.scenario.order:
                mine = page.part(key, lambda effect, key=key: effect.holder == key)  # type: ignore[misc]
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
            name = text("fallen", nation=who) if nation.fallen else str(who)
            row = [
                name, count(nation.victory_points), words.signed(gain) if gain else "·", str(nation.stability),
                str(nation.prestige), f"{nation.income}t", str(nation.army), str(owned[nation.key]),
            ]  # fmt: skip
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
            self.say(*phrase("over-one" if len(winners) == 1 else "over-several", winners=tuple(spans)))
            return
        items = []
        for waiting in view.waiting(after):
            what = words.speak(self.scenario, waiting.what) + (f", #{waiting.contest}" if waiting.contest else "")
            who = self.teller.player(waiting.seat)
            if waiting.seat == "gm":
                what, who = words.speak(self.scenario, waiting.what), (Span(text("master")),)
            items.append((*who, Span(f": {what}.")))
        if items:
            self.heading(heading("waits"), 2, part="waits")
            self.bullets(items)


def left(page: Page) -> list[Effect | Roll]:
    """What the page has still to tell."""
    return [*page.effects, *page.rolls]
