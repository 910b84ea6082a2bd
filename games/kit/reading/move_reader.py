"""Reader of the lines that a user types for a seat at a position."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from decimal import InvalidOperation
from functools import cached_property
from itertools import chain, islice, permutations

from engine.errors import IllegalMove
from engine.language import LANGUAGES, capitalize, use_language
from engine.language import gettext as _
from games.contract.plain import Position, RawMove
from games.contract.title import Offer, Title
from games.kit.move_words import move_words
from games.kit.reading.grammar import EVERY
from games.kit.reading.lines import is_negated, is_quotation, part_spans, plain_line
from games.kit.reading.record import record_line, written
from games.kit.reading.vocabulary import PAST, KnownMove, NamedMove, TypedLine, Vocabulary
from games.kit.reading.wording import GENERAL_VERBS, QUESTION, comparable, names_past, words_of

MOST_MOVES = 5000
"""The most moves of a seat that are examined; no position so far has a third as many."""
SURE_LIKENESS = 0.87
"""The minimum similarity at which a misspelled word is corrected without asking."""
NEAR = 3
"""The most moves that are suggested for a line."""
DETAILS = re.compile(r"\s*\([^()]*\)")


@dataclass
class MoveReading:
    """The reading of a line: the move, or the reason why it was not understood and similar moves.

    `text` is the move as the log writes it. `is_order` says that a line that was not understood
    names a kind of move and a place or the like, `is_chat` that it has nothing of a move.
    """

    typed_text: str
    seat: str = ""
    raw: RawMove | None = None
    text: str = ""
    why: str = ""
    rule: str = ""
    near: list[str] = dataclasses.field(default_factory=list)
    is_order: bool = False
    is_chat: bool = False


class MoveReader:
    """A reader of lines that are typed for one seat at one position."""

    def __init__(
        self, title: Title, scenario: object, position: Position, seat: str, by: str
    ) -> None:
        self.title, self.scenario, self.position = title, scenario, position
        self.seat, self.by = seat, by

    # Moves that are possible now.

    @cached_property
    def offers(self) -> list[Offer]:
        return list(self.title.offers(self.position, self.seat, self.by))

    @cached_property
    def moves(self) -> list[KnownMove]:
        """Return every complete move with its lines.

        A line is written twice in each language: "builds Roads" of a nation, "build Roads" as an
        order.
        """
        moves = [*islice(self.complete_moves(), MOST_MOVES)]
        if not moves:
            return []
        lines: list[list[str]] = []
        for language in LANGUAGES:
            with use_language(language):
                lines.append([self.line(raw) for _offer, raw, _plain in moves])
                lines.append([self.line(without_speaker(raw)) for _offer, raw, _plain in moves])
        return [
            KnownMove(offer, raw, is_plain, lines_of_move)
            for (offer, raw, is_plain), lines_of_move in zip(
                moves, zip(*lines, strict=True), strict=True
            )
        ]

    def complete_moves(self) -> Iterator[tuple[Offer, RawMove, bool]]:
        """Yield every complete move, and whether none of its optional fields is chosen."""
        for offer in self.offers:
            for raw in offer.moves():
                with suppress(IllegalMove):
                    move = self.title.decode(raw, self.position).to_json()
                    yield offer, move, chooses_nothing_optional(offer, raw)

    @cached_property
    def known(self) -> dict[str, list[KnownMove]]:
        """Return the moves by their lines.

        A move without optional choices also has its line without the words in brackets.
        """
        by_text: dict[str, list[KnownMove]] = {}
        for move in self.moves:
            for text in filter(None, move.lines):
                texts = {comparable(text)}
                if move.plain:
                    texts.add(comparable(DETAILS.sub("", text)))
                for key in texts:
                    moves_of_text = by_text.setdefault(key, [])
                    if all(before.raw != move.raw for before in moves_of_text):
                        moves_of_text.append(move)
        return by_text

    @cached_property
    def vocabulary(self) -> Vocabulary:
        return Vocabulary(self.title, self.scenario, self.position, self.offers, self.moves)

    def line(self, raw: RawMove) -> str:
        """Return the log's words for a move, without the speaker's name.

        The line is empty if the title has no words for the choices made so far.
        """
        try:
            return str(self.title.move_line(self.scenario, raw))
        except (KeyError, TypeError, ValueError, AttributeError, InvalidOperation):
            return ""

    def line_read_back(self, raw: RawMove) -> str:
        """Return a line that is read back as exactly this move.

        It is in the log's words if they are unambiguous, otherwise in the form of the record.
        """
        text = self.line(raw)
        try:
            move = self.title.decode(dict(raw), self.position).to_json()
        except IllegalMove:
            move = dict(raw)
        is_read_back = bool(text) and self.read(text).raw == move
        return capitalize(text) if is_read_back else written(raw)

    # The meaning of a line.

    def read(self, typed: str, *, explains: bool = True) -> MoveReading:
        """Return the move that the line means, or else the reason and the nearest moves.

        Without `explains` there is no reason, which takes longest.
        """
        reading = MoveReading(typed, self.seat)
        if is_quotation(typed):
            reading.why = _("A quotation is never read as a move.")
            reading.is_chat = True
            return reading
        moves = self.moves_of_line(typed) if QUESTION not in typed else []
        line_typed, typed = typed, typed if moves else plain_line(typed)
        if len(moves) == 1:
            return self.understood(reading, moves[0].raw)
        raw = self.as_record(line_typed) if not moves else None
        if raw is not None:
            return self.understood(reading, raw)
        if not moves and is_negated(typed):
            reading.why = _("A line with “not” or “no” is never read as a move.")
            return reading
        line = self.vocabulary.typed_line(words_of(typed))
        if names_past(typed, self.vocabulary.words_of_names, self.vocabulary.accented):
            line = dataclasses.replace(line, words=line.words | {PAST})
        moves = moves or self.moves_of_words(line) or self.moves_of_corrected(line)
        if len(moves) == 1 and self.every_part_counts(moves[0], typed):
            return self.understood(reading, moves[0].raw)
        if not explains:
            return reading
        if not moves:
            return self.missed(reading, line)
        is_single = len(moves) == 1
        reading.why = (
            _("Not understood. Did you mean:")
            if is_single
            else _("This could mean several moves. Choose one:")
        )
        reading.near = self.lines_back(moves)
        return reading

    def every_part_counts(self, move: KnownMove, typed: str) -> bool:
        """Return whether each part of a line belongs to this move, and none is another order.

        A part belongs to it if it adds a word of the move or has only words that add nothing:
        in "Buy card, Shrines" and "Move army, Shrines" the first part would be lost.
        """
        spans = part_spans(typed)
        named = next((named for named in self.vocabulary.named_moves if named.move == move), None)
        if len(spans) < 2 or named is None:
            return True
        for start, end in spans:
            words = words_of(typed[start:end])
            line = self.vocabulary.typed_line(words)
            counted = self.vocabulary.corrected(line, SURE_LIKENESS).words
            if counted and not counted & (named.words - GENERAL_VERBS):
                return False
            if not counted and not EVERY.deeds.isdisjoint(words):
                return False
        return True

    def moves_of_line(self, typed: str) -> list[KnownMove]:
        """Return the moves that have this line.

        If there are several, moves without optional choices are preferred.
        """
        moves = self.known.get(comparable(typed), [])
        return [move for move in moves if move.plain] or moves if len(moves) > 1 else moves

    def moves_of_words(self, line: TypedLine) -> list[KnownMove]:
        """Return the moves that fit all words of a line and name the most unusual choices."""
        meant = [
            named
            for named in self.vocabulary.named_moves
            if named.is_meant_by(line) and self.vocabulary.is_in_language_of(line, named)
        ]
        most = max((named.extra_words(line.words) for named in meant), default=0)
        return [named.move for named in meant if named.extra_words(line.words) == most]

    def moves_of_corrected(self, line: TypedLine) -> list[KnownMove]:
        """Return the single move that a line means if a word is misspelled or a choice is clear.

        The misspelled word is very like the right one. A choice is clear if no other is possible.
        """
        corrected = self.vocabulary.corrected(line, SURE_LIKENESS)
        if corrected is not line:
            moves = self.moves_of_words(corrected)
            if len(moves) == 1:
                return moves
        meant = [
            named.move
            for named in self.vocabulary.named_moves
            if named.is_meant_by(corrected, may_miss_choice=True)
            and self.vocabulary.is_in_language_of(corrected, named)
        ]
        return meant if len(meant) == 1 else []

    def understood(self, reading: MoveReading, raw: RawMove) -> MoveReading:
        reading.raw, reading.text = raw, capitalize(self.line(raw)) or str(raw["move"])
        return reading

    def as_record(self, typed: str) -> RawMove | None:
        """Return the move of a line like `report attack=3 winner=attacker`; None for other lines.

        A single word counts as such a line only if that move is offered and needs no arguments.
        """
        line = record_line(typed)
        if line is None or (line.is_one_word and line.move not in self.moves_of_one_word):
            return None
        return line.raw(self.by, self.seat, self.lists)

    @cached_property
    def moves_of_one_word(self) -> frozenset[str]:
        return frozenset(
            str(offer.raw({}).get("move"))
            for offer in self.offers
            if all(field.optional for field in offer.fields)
        )

    @cached_property
    def lists(self) -> frozenset[str]:
        """Return the arguments that are lists, such as a path of places."""
        offered = chain.from_iterable(islice(offer.moves(), 1) for offer in self.offers)
        keys = (key for raw in offered for key, given in raw.items() if isinstance(given, list))
        return frozenset(("cards", *keys))

    # Lines that were not understood.

    def missed(self, reading: MoveReading, line: TypedLine) -> MoveReading:
        """Add the reason why a line was not understood, and similar moves.

        The reason is the refusal of a move that is not possible now, if the line reads as one.
        """
        reading.is_order = self.vocabulary.is_order(line)
        reading.is_chat = self.vocabulary.is_chat(line)
        refusal = self.refusal_of(line)
        if refusal is not None:
            reading.why = refusal.sentence or self.title.refusal(self.scenario, refusal)
            reading.rule = refusal.rule
            return reading
        reading.near = self.lines_back(self.nearest(self.vocabulary.corrected(line)))
        reading.why = _("Not understood. Did you mean:") if reading.near else _("Not understood.")
        return reading

    def nearest(self, line: TypedLine) -> list[KnownMove]:
        """Return the moves that fit a line best (`closeness`)."""
        best: tuple[int, ...] = ()
        nearest: list[KnownMove] = []
        for named in self.vocabulary.named_moves:
            score = closeness(named, line)
            if score is not None and score > best:
                best, nearest = score, []
            if score is not None and score == best:
                nearest.append(named.move)
        return nearest if not line.names or best[:1] > (0,) else []

    def lines_back(self, moves: Sequence[KnownMove]) -> list[str]:
        """Return lines that are read back as these moves, at most `NEAR`."""
        lines = []
        for move in moves[:NEAR]:
            text = capitalize(self.line(move.raw))
            is_unique = [known.raw for known in self.moves_of_line(text)] == [move.raw]
            lines.append(text if is_unique else written(move.raw))
        return list(dict.fromkeys(lines))

    def refusal_of(self, line: TypedLine) -> IllegalMove | None:
        """Return the refusal of a line that reads as a move of this seat that is not possible now.

        Its places or holders are not allowed, or no move of this kind is.
        """
        for offer in self.offers:
            for raw in self.filled_with(offer, line.names[:NEAR]):
                refusal = self.refusal(raw) if self.reads_as(line, offer, raw) else None
                if refusal is not None:
                    return refusal
        for raw in self.moves_of_things(line):
            refusal = self.refusal(raw)
            if refusal is not None:
                return refusal
        for offer in self.offers:
            names = self.vocabulary.offer_vocabulary.offers[offer.key].names
            if offer.refusal is not None and any(name and name <= line.words for name in names):
                return offer.refusal
        return None

    def moves_of_things(self, line: TypedLine) -> Iterator[RawMove]:
        """Yield the moves that build what a line names, if it names nothing else."""
        words = move_words(self.title, self.scenario, self.position)
        actor = {"by": self.by} if self.by == self.seat else {"by": self.by, "for": self.seat}
        for thing in line.things if line.words <= line.things | GENERAL_VERBS else ():
            raw = words.moves_of_things.get(thing[1:])
            if raw is not None:
                yield {**actor, **raw}

    def filled_with(self, offer: Offer, names: Sequence[str]) -> Iterator[RawMove]:
        """Yield an offer's moves with these places and holders in any order, legal or not."""
        rows = self.vocabulary.rows
        places = {"province": rows.holdings, "nation": rows.holders}
        fields = [field for field in offer.fields if field.kind in places and not field.optional]
        if not fields:
            return
        for keys in permutations([name[1:] for name in names], len(fields)):
            chosen = dict(zip((field.key for field in fields), keys, strict=True))
            if all(chosen[field.key] in places[field.kind] for field in fields):
                yield offer.raw(chosen)

    def reads_as(self, line: TypedLine, offer: Offer, raw: RawMove) -> bool:
        """Return whether a line can be read as this move of an offer."""
        words = self.vocabulary.offer_vocabulary.offers[offer.key]
        if not line.words & words.acts or not line.leads_along(raw):
            return False
        chosen = {f"@{raw.get(field.key)}" for field in offer.fields}
        owners = {self.vocabulary.owners.get(name, "") for name in chosen}
        allowed = words.acts | words.labels | GENERAL_VERBS | chosen | owners
        for language in LANGUAGES:
            with use_language(language):
                allowed |= self.vocabulary.stems(self.line(raw))
        return line.words <= allowed

    def refusal(self, raw: RawMove) -> IllegalMove | None:
        """Return why a move is not possible now; None if it is."""
        try:
            self.title.branches(self.position, self.title.decode(dict(raw), self.position))
        except IllegalMove as refusal:
            return refusal
        return None


def without_speaker(raw: RawMove) -> RawMove:
    return {key: given for key, given in raw.items() if key not in ("by", "for")}


def chooses_nothing_optional(offer: Offer, raw: RawMove) -> bool:
    """Return whether every optional field of a move is empty or has its default."""
    usual = {field.key: field.default for field in offer.fields if field.optional}
    return all(raw.get(key, default) in (default, [], (), False) for key, default in usual.items())


def closeness(named: NamedMove, line: TypedLine) -> tuple[int, ...] | None:
    """Return a sort key for how well a move fits a line; None if it does not fit at all.

    The most names count first, then the most words, then the fewest words of other moves.
    """
    names = frozenset(line.names)
    shared = line.words & named.words - GENERAL_VERBS
    acts, fitting_names = len(shared & named.acts), len(names & named.words)
    if not (acts or fitting_names > 1) or not named.names_choice(line.words):
        return None
    if not line.leads_along(named.move.raw) or not line.things <= named.words:
        return None  # Walls are never Ramparts.
    return (
        fitting_names - len(names - named.words),
        acts,
        len(shared),
        named.extra_words(line.words),
        -len(named.wants - line.words),
        named.move.plain,
    )
