"""A turn in whole paragraphs, for the tone “Chronicle”.

The wording follows from the numbers of turns and attacks, so that a report is always the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.language import inside_sentence
from games.contract.report import Paragraph, ReportEntry, Spans
from games.grand_campaign.rules.position import Attack
from games.grand_campaign.text import words
from games.grand_campaign.text.battle_lines import ending, kind_of_line
from games.grand_campaign.text.chronicle_texts import CHRONICLE
from games.grand_campaign.text.nation_lines import assassin_key
from games.grand_campaign.text.spans import Value, fill_spans, join_spans, with_capital, with_stop
from games.grand_campaign.text.turn_facts import Battle, Points, TurnFacts
from games.grand_campaign.text.turn_names import TurnNames

BATTLES_PER_PARAGRAPH = 2
NATIONS_PER_SENTENCE = 3
CLOSE = 2
"""The greatest distance to the leader that is worth a sentence."""
LEAST_POINTS, MOST_RACES = 3, 2
"""The minimum points for a sentence about the lead, and the maximum number of such sentences."""
BLESSINGS = (
    "food-distributions",
    "philosophers",
    "administrative-reforms",
    "agrarian-improvements",
    "commercial-efforts",
)


class Prose:
    """A writer of the paragraphs of a turn."""

    def __init__(self, facts: TurnFacts, people: Mapping[str, str]) -> None:
        self.facts = facts
        self.names = TurnNames(facts.scenario, people, is_prose=True)
        self.used: dict[str, int] = {}
        self.races = 0

    def paragraphs(self) -> list[Paragraph]:
        """Return the paragraphs of the turn in order."""
        texts = [
            self._opening(),
            self._cards(),
            *self._battles(),
            self._fallen_nations(),
            self._home(),
            self._end(),
        ]
        return [Paragraph(join_spans(sentences, " ")) for sentences in texts if sentences]

    # Sentences ------------------------------------------------------------------------------------

    def write(self, path: str, **named: Value) -> Spans:
        """Return a sentence of the table; among several wordings, the next one of this turn."""
        text: Any = CHRONICLE.read()
        for key in path.split("/"):
            text = text[key]
        if isinstance(text, list):
            number = self.facts.turn + self.used.get(path, 0)
            self.used[path] = self.used.get(path, 0) + 1
            text = text[number % len(text)]
        return with_capital(fill_spans(str(text), **named))

    def _news(self, nation: str, event: str) -> Spans:
        text = str(CHRONICLE.read()["events"][event])
        return fill_spans(text, nation=self.names.nation(nation))

    # Paragraphs -----------------------------------------------------------------------------------

    def _opening(self) -> list[Spans]:
        """Return the random events, or the nation that had the first move."""
        facts = self.facts
        known = CHRONICLE.read()["events"]
        events = [event for event in facts.events if event.subject in known]
        good = [self._news(str(e.holder), e.subject) for e in events if e.subject in BLESSINGS]
        bad = [self._news(str(e.holder), e.subject) for e in events if e.subject not in BLESSINGS]
        sentences = []
        if bad:
            sentences.append(self.write("opening-events", n=facts.turn, news=_listed(bad)))
        if good:
            path = "blessings" if bad else "only-blessings"
            sentences.append(self.write(path, n=facts.turn, news=_listed(good)))
        if not events and facts.moves:
            first = next(iter(facts.moves))
            sentences.append(self.write("opening", n=facts.turn, nation=self.names.army(first)))
        return sentences

    def _cards(self) -> list[Spans]:
        """Return a sentence about each card that was played without a battle."""
        return [
            spans
            for key, lines in self.facts.moves.items()
            for line in lines
            for spans in self._card(key, line)
        ]

    def _card(self, key: str, line: ReportEntry) -> Iterator[Spans]:
        """Yield the sentence about a card that is played without a battle."""
        move = line.move
        if move["move"] not in ("play", "take"):
            return
        path, other = self._card_path(line)
        if path not in CHRONICLE.read()["plays"]:
            return
        card = move.get("steal") or move.get("destroy") or move["card"]
        yield self.write(
            f"plays/{path}",
            nation=self.names.nation(key),
            other=self.names.nation(other or key),
            card=words.card_name(card),
            province=self.names.province(move.get("province")),
        )

    @staticmethod
    def _card_path(line: ReportEntry) -> tuple[str, str]:
        """Return the key of the sentence about a card, and the other nation in it."""
        move = line.move
        if move["move"] == "take":
            return "take", move["from"]
        match move["card"]:
            case "assassin":
                return assassin_key(line), move["target"]
            case "diplomat" if "truce" in move:
                return "diplomat-truce", move["truce"]
            case "diplomat":
                return "diplomat-province", ""
            case "spy":
                return "spy-card" if "steal" in move else "spy", move["target"]
        return move["card"], ""

    def _battles(self) -> Iterator[list[Spans]]:
        """Yield paragraphs with a few battles each."""
        sentences: list[Spans] = []
        for n, battle in enumerate(self.facts.battles):
            place = n % BATTLES_PER_PARAGRAPH
            if not place and sentences:
                yield sentences
                sentences = []
            sentences += self._battle(battle, follows=bool(place))
        if sentences:
            yield sentences
        elif self.facts.is_closed:
            yield [self.write("quiet")]

    def _battle(self, battle: Battle, follows: bool) -> Iterator[Spans]:
        attack = battle.attack
        kind = f"{attack.kind}-next" if follows and attack.kind == "land" else attack.kind
        yield self.write(
            f"attacks/{kind}",
            attacker=self.names.army(attack.attacker),
            defender=self.names.opposing_army(attack),
            source=self.names.province(attack.source),
            target=self.names.province(attack.target),
        )
        named = self._sides(attack)
        known = CHRONICLE.read()["cards"]
        for side, cards in (
            ("attacker", attack.cards_attacker),
            ("defender", attack.cards_defender),
        ):
            for card in cards:
                if side in known.get(card, ()):
                    yield self.write(f"cards/{card}/{side}")
        if battle.escort:
            yield self.write(f"escort/{battle.escort}", **named)
        if battle.encounter is not None and battle.encounter.id == "encounter-won":
            yield self.write("fleet-sunk", **named)
        yield self._outcome(battle, named)
        if ending(battle) != "still":
            yield self.write(ending(battle), **named)
        if battle.points:
            yield from self._race(battle.points)

    def _sides(self, attack: Attack) -> dict[str, Value]:
        """Return the names for the sentences after the first one about an attack."""
        independents = self.names.independents(None)
        nation = attack.defender
        return {
            "attacker": self.names.nation(attack.attacker),
            "defender": self.names.nation(nation) if nation else independents,
            "target": self.names.province(attack.target),
        }

    def _outcome(self, battle: Battle, named: Mapping[str, Value]) -> Spans:
        kind = kind_of_line(battle)
        high, low = battle.score
        if kind in ("won", "won-plain"):
            return self.write(f"{battle.winner}/{battle.margin}", high=high, low=low)
        if kind in ("forfeit", "naval"):
            return self.write(f"{kind}/{battle.winner}")
        return self.write(kind, high=high, low=low, **named)

    def _race(self, points: Points) -> Iterator[Spans]:
        """Yield what a battle means for the standings, if it matters for the lead."""
        gap = points.gap
        if gap < -CLOSE or points.total < LEAST_POINTS or points.total == gap:
            return
        if self.races == MOST_RACES:
            return
        self.races += 1
        if gap > 0:
            kind = "extended" if points.led else "lead"
        else:
            kind = "close" if gap else "level"
        yield self.write(
            f"race/{kind}",
            nation=self.names.nation(points.nation),
            rival=self.names.nation(points.rival),
            points=points.total,
            gap=abs(gap),
        )

    def _fallen_nations(self) -> list[Spans]:
        return [
            self.write(
                f"fallen/{'crumbles' if fall.cause.id == 'crumbles' else 'falls'}",
                nation=self.names.nation(str(fall.holder)),
            )
            for fall in self.facts.falls
        ]

    def _home(self) -> list[Spans]:
        """Return what the nations built, their taxes, and the number of corrections."""
        facts = self.facts
        built = [(key, self._objects(lines)) for key, lines in facts.moves.items()]
        works = [(key, words.listed_all(objects)) for key, objects in built if objects]
        sentences = [
            self._works("home/next" if at else "home/first", works[at : at + NATIONS_PER_SENTENCE])
            for at in range(0, len(works), NATIONS_PER_SENTENCE)
        ]
        for name in CHRONICLE.read()["taxes"]:
            for key, lines in facts.moves.items():
                if any(line.move["move"] == name for line in lines):
                    sentences.append(self.write(f"taxes/{name}", nation=self.names.nation(key)))
        number = len(facts.corrections)
        if number:
            sentences.append(
                self.write(f"corrections/{'one' if number == 1 else 'many'}", n=number)
            )
        return sentences

    def _works(self, path: str, works: Sequence[tuple[str, str]]) -> Spans:
        """Return a sentence about what a few nations built; it names the verb only once."""
        (key, built), *others = works
        more = str(CHRONICLE.read()["home"]["more"])
        clauses = [
            self.write(path, nation=self.names.nation(key), names=built),
            *(fill_spans(more, nation=self.names.nation(k), names=names) for k, names in others),
        ]
        return with_stop(join_spans(clauses, "; "))

    def _objects(self, lines: Sequence[ReportEntry]) -> list[str]:
        """Return what these moves built, as the object of a sentence."""
        texts: Mapping[str, str] = CHRONICLE.read()["objects"]
        built: list[str] = []
        provinces: dict[str, list[str]] = {}
        for line in lines:
            name = str(line.move["move"])
            if name == "build":
                key = line.move["structure"]
                built.append(str(texts.get(key) or inside_sentence(words.structure_name(key))))
            elif name in ("siege-train", "barracks"):
                built.append(str(texts[name]))
            elif name in ("fleet", "fortify"):
                place = str(self.names.province(line.move["province"]).text)
                provinces.setdefault(name, []).append(place)
        for name, places in provinces.items():
            key = "fleets" if name == "fleet" and len(places) > 1 else name
            built.append(str(texts[key]).format(provinces=words.listed_all(places)))
        return built

    def _end(self) -> list[Spans]:
        """Return the standings at the end of the turn, unless the campaign has ended."""
        facts = self.facts
        if not facts.is_closed or facts.after.standings is not None:
            return []
        ranked = facts.ranked(facts.after)
        first, second, last = ranked[0], ranked[1], ranked[-1]
        if first.victory_points == second.victory_points:
            return []
        sentences = [
            self.write(
                "end/lead",
                nation=self.names.nation(first.key),
                rival=self.names.nation(second.key),
                points=first.victory_points,
                others=second.victory_points,
            )
        ]
        before_last = ranked[-2] if len(ranked) > 2 else second
        if last.victory_points < before_last.victory_points and not last.fallen:
            sentences.append(
                self.write(
                    "end/last", nation=self.names.nation(last.key), points=last.victory_points
                )
            )
        return sentences


def _listed(clauses: Sequence[Spans]) -> Spans:
    return join_spans(clauses, ", ", str(words.book()["and"]))


def prose(facts: TurnFacts, people: Mapping[str, str]) -> list[Paragraph]:
    """Return a turn in paragraphs."""
    return Prose(facts, people).paragraphs()
