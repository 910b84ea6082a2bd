"""Single lines of a report: what an entry did, clause by clause, each effect and roll taken up exactly once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from string import Formatter
from typing import Any, NamedTuple

from engine.effects import Effect, Roll, Say
from engine.language import Name
from games.contract.report import Line, Span, Spans, Told
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text import words

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
            spans = (Span(str(value)),) if isinstance(value, (str, int)) else (value,) if isinstance(value, Span) else value
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

    `kind` is `opening` (of a turn), `slot` (a slot opens), `closing` (slots or turn end) or `move` for all else.
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


def pages(lines: Iterable[Line]) -> list[Page]:
    """The lines in their parts. What follows the opening of a slot in an entry belongs to that slot, what follows the
    end of all slots to the close: an entry opens a slot or closes a turn last of all."""
    shown = []
    for line in lines:
        move = line.move
        rolls = [roll for roll in line.rolls if roll.audience is None]
        page = Page("opening" if move["move"] in OPENINGS else "move", str(move.get("for", move["by"])), line, rolls)
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

    # Taking ----------------------------------------------------------------------------------------------------

    def take(self, page: Page, wanted: Callable[[Effect], bool]) -> list[Effect]:
        """All effects of the page that are wanted, told from now on."""
        taken = [effect for effect in page.effects if wanted(effect)]
        page.effects = [effect for effect in page.effects if not wanted(effect)]
        self.told.extend(Told(page.line.number, effect) for effect in taken)
        return taken

    def roll(self, page: Page, purpose: str) -> str:
        """The page's roll whose purpose ends so, as "d100 = 35"; "" where there is none that everybody may see."""
        for roll in page.rolls:
            if roll.purpose.endswith(purpose):
                page.rolls.remove(roll)
                self.told.append(Told(page.line.number, roll))
                return f"d{roll.sides} = {roll.value}"
        return ""

    # Names -----------------------------------------------------------------------------------------------------

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

    # Clauses ---------------------------------------------------------------------------------------------------

    def account(self, effect: Effect) -> str:
        """A ledger line: stability 4 → 3."""
        was, now = effect.balance - effect.change, effect.balance
        label = self.labels[effect.subject]
        if effect.subject == "actions":
            return f"{label} {words.half(was)}{ARROW}{words.half(now)}"
        unit = "t" if effect.subject == "income" else ""
        return f"{label} {count(was)}{unit}{ARROW}{count(now)}{unit}"

    def reason(self, cause: Say) -> str:
        """A cause with its paragraph, for brackets; of a correction the headline has given the reason."""
        if cause.id == "correction":
            return f"§{cause.rule}"
        text = words.speak(self.scenario, cause)
        return f"{text}, §{cause.rule}" if cause.rule else text

    def clauses(self, page: Page, seat: str = "", own: str = "") -> list[Clause]:
        """All that is left of the page, in its order. The sentence has named `seat` already, so its accounts stand without
        a name, and those that the cause `own` changed without a reason, too."""
        told_clauses: list[Clause] = []
        while page.effects:
            first = page.effects[0]
            if first.kind != "account":
                self.take(page, lambda effect, this=first: effect is this)  # type: ignore[misc]
                told_clauses.append(self._other(page, first))
                continue
            run = []
            for effect in page.effects:
                if (effect.kind, effect.holder, effect.cause) != ("account", first.holder, first.cause):
                    break
                run.append(effect)
            self.take(page, lambda effect, these=run: any(effect is one for one in these))  # type: ignore[misc]
            changes = ", ".join(map(self.account, run))
            if first.holder == seat:
                told_clauses.append(Clause((Span(changes),), "" if first.cause.id == own else self.reason(first.cause)))
            else:
                told_clauses.append(Clause((self.nation(first.holder), Span(f": {changes}")), self.reason(first.cause)))
        for roll in list(page.rolls):
            text = words.roll_line(self.scenario, roll)
            told_clauses.append(Clause((Span(f"{text}: {self.roll(page, roll.purpose)}"),)))
        return told_clauses

    def _other(self, page: Page, effect: Effect) -> Clause:
        """An effect that is no ledger line."""
        reason, own = self.reason(effect.cause), effect.cause.id in OF_CARD.get(page.line.move.get("card", ""), ())
        if effect.kind == "card":
            key = ("gains" if effect.change > 0 else "loses") + ("-table" if effect.facts["zone"] == "table" else "")
            return Clause(phrase(key, nation=self.nation(effect.holder), card=words.card_name(effect.subject)), reason)
        if effect.kind == "structure":
            key, what = "built" if effect.facts["built"] else "lost", words.structure_name(effect.subject)
            return Clause(phrase(key, nation=self.nation(effect.holder), structure=what), reason)
        if effect.kind == "holding":
            if own:
                return Clause(self._changed(page, effect), f"§{effect.cause.rule}")
            return self._holding(page, effect, reason)
        if effect.kind == "attack":
            return self._attack(page, effect)
        if effect.kind == "truce" and own:
            return Clause((Span(phrase_text("until", **effect.cause.facts)),), f"§{effect.cause.rule}")
        if effect.kind == "truce":
            pair = {"nation": self.nation(effect.holder), "by": self.nation(effect.subject)}
            return Clause(phrase("truce", **pair, what=words.speak(self.scenario, effect.cause)), f"§{effect.cause.rule}")
        return Clause((Span(words.speak(self.scenario, effect.cause)),), f"§{effect.cause.rule}" if effect.cause.rule else "")

    def _holding(self, page: Page, effect: Effect, reason: str) -> Clause:
        name = self.province(effect.subject)
        if effect.cause.id.startswith("encounter-"):
            reason = f"{self._encounter(page, effect)}; {reason}".removeprefix("; ")
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
                "fails" if cause.facts["holds"] else "cannot-fail", rolled=self.roll(page, "/siege"), **cause.facts
            )
        elif cause.id.startswith("escort-"):
            rolled = f"{self.roll(page, '/escort')}, "
        elif cause.id.startswith("encounter-"):
            rolled = self._encounter(page, effect)
            rolled += ", " if rolled else ""
        elif cause.id == "led-anew":
            key = "led-by" if effect.holder else "led-by-nobody"
            text = phrase_text(key, what=text, nation=words.nation_name(self.scenario, effect.holder))
        about = "" if effect.subject == str(page.line.move.get("attack")) else f"#{effect.subject}: "
        return Clause((Span(about + text),), f"{rolled}§{cause.rule}")

    def _encounter(self, page: Page, effect: Effect) -> str:
        """Both rolls of an encounter, where they have not been told yet."""
        sides = []
        for side in ("attacker", "defender"):
            rolled = self.roll(page, f"/naval/{side}")
            bonus = int(effect.cause.facts[side]) - int(rolled.rpartition(" ")[2]) if rolled else 0
            sides.append(f"{words.side_name(side)} {rolled}" + (f" + {bonus}" if bonus else ""))
            if not rolled:
                return ""
        return ", ".join(sides)


def count(amount: int) -> str:
    """A balance, with a true minus."""
    return str(amount) if amount >= 0 else f"−{-amount}"


def joined(head: Spans, clauses: Sequence[Clause], between: str = ": ") -> Spans:
    """A headline and what followed from it, as one line with a full stop."""
    spans: list[Span] = list(head)
    for n, clause in enumerate(clauses):
        spans.append(Span(between if n == 0 else "; "))
        spans.extend(clause.spans)
        if clause.reason:
            spans.append(Span(f" ({clause.reason})"))
    return (*spans, Span("."))
