"""The chapters of a report: opening, slots, corrections, battles, close, standings, what comes next."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from engine.effects import Effect, Roll, Say
from games.contract.report import Block, Bullets, Heading, Paragraph, Report, Span, Spans, Table, Told
from games.grand_campaign.rules import view
from games.grand_campaign.rules.position import ACCOUNTS, Attack, Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words
from games.grand_campaign.text.report_lines import OF_CARD, Page, Teller, count, heading, joined, phrase, phrase_text, texts
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

    # Small pieces ----------------------------------------------------------------------------------------------

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
            self.paragraph(*phrase("entries" if first != last else "entry", first=first, last=last, n=first), small=True)
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
        self.paragraph(*(head or phrase("no-actions", nation=teller.nation(key))))
        self.bullets([self.mover.line(page) for page in mine if page.kind == "move"])

    @staticmethod
    def of_slot(page: Page) -> bool:
        return page.kind == "move" and page.line.move["move"] not in (*CORRECTIONS, *ANSWERS, "keep")

    def _purse(self, page: Page, key: str) -> Spans:
        """What the slot opens with."""
        teller = self.teller
        teller.take(page, lambda effect: effect.kind == "slot")
        given = teller.take(page, lambda effect: effect.cause.id == "allowance")
        gives = phrase_text("no-action")
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
        moves = [p for p in self.pages if p.kind == "move" and p.line.move["move"] in (*CORRECTIONS, "keep")]
        if moves:
            kept = any(page.line.move["move"] == "keep" for page in moves)
            self.heading(heading("orders" if kept else "corrections"), 2)
            self.bullets([self.mover.line(page) for page in moves])

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
        moves = [
            page for page in self.pages
            if page.kind == "move" and page.line.move["move"] in ANSWERS and page.line.move["attack"] == number
        ]  # fmt: skip
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
            causes = [words.speak(self.scenario, effect.cause) for effect in turns if effect.subject != "standings"]
            items += [(Span(text[:1].upper() + text[1:] + " (§1.3)."),) for text in causes]
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
            name = phrase_text("fallen", nation=who) if nation.fallen else str(who)
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
            self.paragraph(*phrase("over-one" if len(winners) == 1 else "over-several", winners=tuple(spans)))
            return
        items = []
        for waiting in view.waiting(after):
            what = words.speak(self.scenario, waiting.what) + (f", #{waiting.contest}" if waiting.contest else "")
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
    "adjust", "set-owner", "give-card", "discard-card", "set-structures", "set-assets", "set-fortification", "set-fleet",
)  # fmt: skip
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
            taken = kind == "card" and cause in OF_CARD.get(move["card"], ()) and effect.subject == named
            return played or taken or bool(effect.facts.get("launched"))
        if name == "attack":
            return bool(effect.facts.get("launched")) or (kind == "card" and cause == "plays-on-battle")
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
        """The effects by which the words may name cards: of a trade only the one that tells of the card given."""
        visible = [effect for effect in page.line.effects if effect.audience is None]
        if move["move"] == "take":
            visible = [effect for effect in visible if effect.holder == move["from"] and effect.facts.get("zone") == "hand"]
        return visible or [UNSEEN]

    def _more(self, page: Page, text: str, seat: str, effects: list[Effect]) -> Spans:
        """What stands beside the words of the move: cost, level, number of the attack, outcome."""
        teller, more, name = self.teller, list[Span](), str(page.line.move["move"])
        if name == "fortify":
            built = teller.take(page, lambda effect: effect.kind == "holding" and effect.cause.id == "fortifies")
            more += phrase("with", structure=words.structure_name(str(built[0].facts["fortification"])))
        if name in ("report", "forfeit"):
            ended = teller.take(page, lambda effect: effect.kind == "attack" and effect.cause.id.startswith("outcome-"))
            outcomes = [str(words.book()["outcomes"][effect.facts["outcome"]]) for effect in ended]
            more += [Span(": " + outcome) for outcome in outcomes if not text.endswith(outcome)]
        if name == "end-slot":
            lapsed = teller.take(page, lambda effect: effect.cause.id == "actions-lapse")
            for effect in lapsed:
                more += phrase("lapses" if effect.change >= -2 else "lapse", amount=amount(-effect.change))
        else:
            paid = teller.take(page, lambda effect: _is_cost(effect, seat, name))
            for effect in paid:
                more += phrase("paid", amount=amount(-effect.change), left=words.half(effect.balance))
        for effect in effects:
            if effect.facts.get("launched"):
                more += self._launched(effect)
        if rules := {effect.cause.rule for effect in effects if effect.cause.id in ("assassinated", "stolen")}:
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
        defender = teller.nation(attack.defender) if attack.defender is not None else Span(phrase_text("independents"))
        what = [words.book()["kinds"][attack.kind], words.book()["battles"][attack.battle]]
        if attack.siege_train:
            what.append(phrase_text("siege-train"))
        ours = scenario.nations[attack.attacker].army if attack.own_army else self._troops(attack, attack.source)
        nation = scenario.nations[attack.defender].army if attack.defender is not None else ""
        theirs = nation or scenario.provinces[attack.target].army
        spans = phrase(
            "sides" if attack.leader is None else "sides-led", attacker=teller.nation(attack.attacker), defender=defender,
            leader=teller.nation(attack.leader), kind=", ".join(what), ours=ours, points=attack.points_attacker, theirs=theirs,
            other=attack.points_defender,
        )  # fmt: skip
        cards = [
            f"{words.card_name(card)} ({words.side_name(side)})"
            for side, played in (("attacker", attack.cards_attacker), ("defender", attack.cards_defender))
            for card in played
        ]
        return (*spans, Span("; " + ", ".join(cards) + "." if cards else "."))

    def _troops(self, attack: Attack, source: str | None) -> str:
        """The army list of covert attackers (their province's) and of insurgents (the attacked nation's, 4.5)."""
        if source is not None:
            return self.scenario.provinces[source].army
        return self.scenario.nations[str(attack.defender)].army


def _is_cost(effect: Effect, seat: str, name: str) -> bool:
    paid = (effect.subject, effect.holder) == ("actions", seat) and effect.change < 0
    return paid and effect.cause.id == OWN_CAUSE.get(name, name)
