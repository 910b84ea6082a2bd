"""Moves as text: a line a move, in players' words or those of the log, in any of our languages; and
a move as such a line.

What a seat may announce now is known: every complete move of its offers. A typed line is compared
with these, so it can never mean a move the rules forbid. A line is understood by itself where all
its words belong to one move and that move's choices are all named; where a word is left over,
misspelled or missing, the moves that fit best are offered and the person chooses. What cannot be
listed, an amount or a reason, is written as the record has it: `adjust nation=huns account=prestige
change=1 reason="as ruled"`. How well it does: docs/text-moves.md.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cached_property, lru_cache
from itertools import chain, islice, permutations
from typing import Any, NamedTuple

from django.utils import translation
from django.utils.translation import gettext as _
from rapidfuzz import fuzz, process

from campaign.log import positions
from engine.errors import IllegalMove
from engine.language import LANGUAGES, reading_in
from games.contract.title import Offer
from web.frame.campaign_page import GAME_MASTER, TableContext
from web.titles.talk import capital, talk

LONGEST_LINE = 300
MOST_MOVES = 5000
"""So many moves of a seat are looked through; no position of ours has a third of it."""
NEAR = 3
BULLET = re.compile(r"^\s*(?:[-*•>]+|\d{1,2}[.)])\s*")
DETAILS = re.compile(r"\s*\([^()]*\)")
RECORD = re.compile(
    r'(?P<move>[a-z][a-z_-]{1,39})(?P<rest>(?:\s+[a-z_.]{1,40}=(?:"[^"]*"|[^\s"]+))*)', re.ASCII
)
PAIR = re.compile(r'([a-z_.]{1,40})=(?:"([^"]*)"|([^\s"]+))', re.ASCII)
NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,6})?", re.ASCII)
WORDS = {"true": True, "false": False, "null": None}
SMALL = frozenset(
    {
        "the",
        "a",
        "an",
        "il",
        "lo",
        "la",
        "i",
        "gli",
        "le",
        "l",
        "un",
        "una",
        "with",
        "con",
        "and",
        "e",
        "ed",
    }
)
FILLERS = SMALL | frozenset(
    re.findall(
        r"\w+",
        "we my our me us it its of in for then also now please would like will want wish let lets s"
        " m d ll re ve is are be that this so ok some another new first second next finally go goes"
        " card their his her own by to out all i io noi uno dell del della dei delle dello degli di"
        " nel nella nei per poi anche ora vorrei vogliamo voglio nostro nostra mio mia nuovo nuova"
        " questo questa carta al alla all ai agli alle dallo",
    )
)
"""Words that add nothing to a move."""
WEAK = frozenset(
    {
        "build",
        "construct",
        "make",
        "erect",
        "buy",
        "get",
        "play",
        "use",
        "faccio",
        "facciamo",
        "compro",
        "uso",
    }
)
"""Verbs that fit any move; by themselves they say none."""
FROM = frozenset(
    {"from", "by", "out", "da", "dal", "dalla", "dallo", "dai", "dagli", "dalle", "dall"}
)
TO = frozenset(
    {">", "on", "onto", "into", "against", "vs", "versus", "to", "toward", "towards", "at"}
)
TO |= {"contro", "su", "sul", "sulla", "verso"}
UNHEARD = FILLERS | FROM | TO
ARROW = re.compile(r"\s*(?:[-=]{1,2}>|[→⇒➔➜»])\s*|\s+[-–—>]\s+")
COST = re.compile(
    r"\(?\s*(?:(?:half an|half|one|two|mezza|una|due|\d+)\s*)?(?:½|1/2)?"
    r"\s*(?:an?\s+)?(?:actions?|azion[ei])\b\s*\)?"
    r"|\(\s*(?:½|1/2)\s*\)",
    re.IGNORECASE,
)
"""What a move costs, as players write behind it."""
WORD = re.compile(r"[^\W_]+|[>?]")
NAMED = ("province", "nation", "card")
"""Kinds of choices that are called by a name of their own."""
FREE = ("number", "text", "shares")
"""Kinds of choices that anybody may fill."""
LIKE = 78
"""From here on two words are taken for one that is misspelled, of 100."""


def fold(text: str) -> str:
    """Only what a line says: letters and digits, without case, accents, articles."""
    plain = _plain(text.replace("½", " 1/2 ").replace("−", "-"))
    return " ".join(word for word in re.findall(r"[^\W_]+|#|[-+]?\d+", plain) if word not in SMALL)


def _plain(text: str) -> str:
    """Without case and accents."""
    if text.isascii():
        return text.casefold()
    return "".join(
        sign
        for sign in unicodedata.normalize("NFKD", text.casefold())
        if not unicodedata.combining(sign)
    )


@lru_cache(8192)
def _words(text: str) -> Sequence[str]:
    """The words of a line in their order; an arrow is `>`."""
    return WORD.findall(_plain(ARROW.sub(" > ", COST.sub(" ", text.replace("−", "-")))))


@lru_cache(8192)
def _stem(word: str) -> str:
    """What the forms of a word share: "attack", "attacks", "attacking"; "costruisco", "costruiamo",
    "costruzione".
    """
    if len(word) > 5 and word.endswith("ing"):
        word = word[:-3]
    if len(word) > 4 and word.endswith(("xes", "ches", "shes", "sses")):
        word = word[:-2]
    elif len(word) > 3 and word.endswith("s") and not word.endswith("ss"):
        word = word[:-1]
    word = word[:5]
    return word[:-1] if len(word) > 3 and word[-1] in "aeio" else word


@dataclass
class Heard:
    """A line as it was understood: the move, or why not and what is near. `text` is the move in the
    log's words.
    """

    typed: str
    seat: str = ""
    raw: dict[str, Any] | None = None
    text: str = ""
    why: str = ""
    rule: str = ""
    near: list[str] = field(default_factory=list)


class Known(NamedTuple):
    """A move that may be announced now, with the log's line for it in each language. `plain`:
    nothing optional is chosen.
    """

    offer: Offer
    raw: dict[str, Any]
    plain: bool
    lines: tuple[str, ...]


class Sense(NamedTuple):
    """A move by the words that may name it: stems, and places, holders and cards as `@key`.

    words: all that its line, its name and its choices hold · acts: of them what names the kind of
    move · wants: what has to be chosen · more: in each language what a choice beyond the usual
    adds, which has to be named.
    """

    move: Known
    words: frozenset[str]
    acts: frozenset[str]
    wants: frozenset[str]
    more: tuple[frozenset[str], ...]


class Typed(NamedTuple):
    """A typed line: its words as in `Sense`, what is named in its order, which of it is `from` or
    `to`, the words as typed.
    """

    words: frozenset[str]
    names: tuple[str, ...]
    roles: Mapping[str, str]
    typed: tuple[str, ...]


class Listener:
    """Understands what is typed for one seat at one position."""

    def __init__(self, table: TableContext, seat: str, by: str, position: Any) -> None:
        self.table, self.seat, self.by, self.position = table, seat, by, position
        self.title, self.scenario = table.title, table.scenario

    @cached_property
    def offers(self) -> list[Offer]:
        return list(self.title.offers(self.position, self.seat, self.by))

    @cached_property
    def moves(self) -> list[Known]:
        """Every complete move with its lines."""
        moves = [*islice(self._complete(), MOST_MOVES)]
        lines: list[list[str]] = []
        for language in LANGUAGES:
            with translation.override(language), reading_in(language):
                for unsaid in (
                    (),
                    ("by", "for"),
                ):  # "builds Roads" of one nation; "build Roads", as an order
                    content = (
                        {key: value for key, value in raw.items() if key not in unsaid}
                        for _offer, raw, _plain in moves
                    )
                    lines.append([self.line(raw) for raw in content])
        return (
            [
                Known(*one, content)
                for one, content in zip(moves, zip(*lines, strict=True), strict=True)
            ]
            if moves
            else []
        )

    def _complete(self) -> Iterator[tuple[Offer, dict[str, Any], bool]]:
        for offer in self.offers:
            usual = {one.key: one.default for one in offer.fields if one.optional}
            for raw in offer.moves():
                with suppress(IllegalMove):
                    move = self.title.decode(raw, self.position).to_json()
                    yield (
                        offer,
                        move,
                        all(
                            raw.get(key, value) in (value, [], (), False)
                            for key, value in usual.items()
                        ),
                    )

    @cached_property
    def known(self) -> dict[str, list[Known]]:
        """The moves by their lines: in full, or without what stands in brackets where nothing
        optional is chosen.
        """
        by_text: dict[str, list[Known]] = {}
        for move in self.moves:
            for text in filter(None, move.lines):
                for one in {fold(text), *([fold(DETAILS.sub("", text))] if move.plain else [])}:
                    moves_of = by_text.setdefault(one, [])
                    if all(before.raw != move.raw for before in moves_of):
                        moves_of.append(move)
        return by_text

    def line(self, raw: Mapping[str, Any]) -> str:
        """The log's words for the move, after its speaker's name; empty where it has none for what
        is chosen so far.
        """
        try:
            return str(self.title.move_line(self.scenario, raw))
        except (KeyError, TypeError, ValueError, AttributeError, InvalidOperation):
            return ""

    def _exactly(self, typed: str) -> list[Known]:
        """The moves whose line this is; of several those in which nothing optional is chosen."""
        moves = self.known.get(fold(typed), [])
        return [one for one in moves if one.plain] or moves if len(moves) > 1 else moves

    def hear(self, typed: str) -> Heard:
        """What the line means, if it means a move that is possible now; else why not, and the moves
        that fit best.
        """
        heard = Heard(typed, self.seat)
        moves = self._exactly(typed)
        if len(moves) == 1:
            return self._understood(heard, moves[0].raw)
        if not moves and (raw := self._as_record(typed)) is not None:
            return self._understood(heard, raw)
        line = self._typed(_words(typed))
        if not moves:
            meant = [one for one in self.senses if self._means(one, line)]
            most = max((self._extra(one, line.words) for one in meant), default=0)
            moves = [one.move for one in meant if self._extra(one, line.words) == most]
        if len(moves) == 1:
            return self._understood(heard, moves[0].raw)
        if moves:
            heard.why, heard.near = (
                _("This may mean several moves. Choose one:"),
                self._lines_back(moves),
            )
            return heard
        return self._missed(heard, line)

    def _understood(self, heard: Heard, raw: dict[str, Any]) -> Heard:
        heard.raw, heard.text = raw, capital(self.line(raw)) or str(raw["move"])
        return heard

    def _as_record(self, typed: str) -> dict[str, Any] | None:
        """The move that a line like `report attack=3 winner=attacker` says; None where it is no
        such line. One word by itself is one only where that move is offered and needs nothing more.
        """
        match = RECORD.fullmatch(typed.strip())
        if match is None or not (re.search("[_=-]", typed) or match["move"] in self._bare):
            return None
        raw: dict[str, Any] = {"by": self.by, "move": match["move"]}
        if self.by != self.seat:
            raw["for"] = self.seat
        for key, quoted, bare in PAIR.findall(match["rest"]):
            put(raw, key, quoted or value(bare), key in self._lists)
        return raw

    @cached_property
    def _bare(self) -> frozenset[str]:
        return frozenset(
            str(one.raw({}).get("move"))
            for one in self.offers
            if all(given.optional for given in one.fields)
        )

    @cached_property
    def _lists(self) -> frozenset[str]:
        """Arguments that are lists, such as a way from place to place, in what is offered."""
        offered = chain.from_iterable(islice(offer.moves(), 1) for offer in self.offers)
        return frozenset(
            (
                "cards",
                *(key for raw in offered for key, given in raw.items() if isinstance(given, list)),
            )
        )

    # By its words: which moves a line may mean. ---------------------------------------------------

    @cached_property
    def _labels(self) -> dict[str, list[tuple[tuple[str, ...], str]]]:
        """What places, holders and cards are called in any language, by the first word; the longest
        name first.
        """
        rows = self.title.rows(self.position)
        keys: dict[str, set[str]] = {
            "province": set(rows.holdings),
            "nation": set(rows.holders),
            "card": set(),
        }
        fields = {
            one.kind: (offer, one)
            for offer in self.offers
            for one in offer.fields
            if one.kind in keys
        }
        cards = {one.key for offer in self.offers for one in offer.fields if one.kind == "card"} | {
            "card"
        }
        keys["card"] = {str(one.raw[key]) for one in self.moves for key in cards & one.raw.keys()}
        labels: dict[str, set[tuple[tuple[str, ...], str]]] = {}
        parts: dict[str, set[str]] = {}
        for language in LANGUAGES:
            with translation.override(language), reading_in(language):
                speaker = talk(self.title, self.scenario, self.position)
                for kind, (offer, one) in fields.items():
                    for key in keys[kind]:
                        label = tuple(_words(speaker.value_label(offer, one, key)))
                        for words in (
                            label,
                            (*label[:-1], label[-1].removesuffix("s")) if label else (),
                        ):
                            if words:
                                labels.setdefault(words[0], set()).add((words, f"@{key}"))
                        if kind == "province" and len(label) > 1:
                            for word in label:
                                parts.setdefault(word, set()).add(f"@{key}")
        for word, of in parts.items():  # a part of a name that no other place has
            if len(of) == 1 and len(word) > 3:
                labels.setdefault(word, set()).add(((word,), next(iter(of))))
        return {
            first: sorted(some, key=lambda one: (-len(one[0]), one))
            for first, some in labels.items()
        }

    def _tokens(self, words: Sequence[str]) -> Iterator[str]:
        """The words, with places, holders and cards as `@key`."""
        at = 0
        while at < len(words):
            for label, key in self._labels.get(words[at], ()):
                if tuple(words[at : at + len(label)]) == label:
                    yield key
                    at += len(label)
                    break
            else:
                yield words[at]
                at += 1

    def _stems(self, text: str) -> frozenset[str]:
        """The words of a text that count."""
        tokens = self._tokens(_words(text))
        return frozenset(
            one if one[0] == "@" else _stem(one) for one in tokens if one not in UNHEARD
        )

    @cached_property
    def _speech(
        self,
    ) -> tuple[
        dict[str, tuple[frozenset[str], frozenset[str], list[frozenset[str]]]],
        dict[str, frozenset[str]],
    ]:
        """Of each offer the words for its kind, for its choices, and its names; and what other
        words mean, by their stems.
        """
        speech: dict[str, tuple[frozenset[str], frozenset[str], list[frozenset[str]]]] = {}
        others: dict[str, frozenset[str]] = {}
        for language in LANGUAGES:
            with translation.override(language), reading_in(language):
                speaker = talk(self.title, self.scenario, self.position)
                groups = {one.key: one.name for one in speaker.groups}
                for offer in self.offers:
                    given = " ".join(
                        str(one) for one in offer.given.values() if isinstance(one, str)
                    )
                    name = self._stems(speaker.offer_name(offer))
                    acts = name | self._stems(f"{offer.move} {groups.get(offer.group, '')} {given}")
                    labels = self._stems(
                        " ".join(speaker.field_label(offer, one) for one in offer.fields)
                    )
                    before = speech.get(offer.key, (frozenset(), frozenset(), []))
                    speech[offer.key] = before[0] | acts, before[1] | labels, [*before[2], name]
                others |= {
                    _stem(word): self._stems(meant) for word, meant in speaker.synonyms.items()
                }
        return speech, others

    @cached_property
    def _owners(self) -> dict[str, str]:
        rows = self.title.rows(self.position)
        return {
            f"@{key}": f"@{row['owner']}" for key, row in rows.holdings.items() if row.get("owner")
        }

    @cached_property
    def senses(self) -> list[Sense]:
        """Every move that may be announced now, by its words."""
        speech, _others = self._speech
        content = [[self._stems(text) for text in one.lines] for one in self.moves]
        places = [
            (
                one.offer.key,
                *(str(one.raw.get(each.key)) for each in one.offer.fields if not each.optional),
            )
            for one in self.moves
        ]
        usual = {
            place: lines
            for one, place, lines in zip(self.moves, places, content, strict=True)
            if one.plain
        }
        senses = []
        for one, place, lines in zip(self.moves, places, content, strict=True):
            if any(each.kind in FREE for each in one.offer.fields):
                continue  # an amount or a reason: its moves are examples
            acts, labels, _names = speech[one.offer.key]
            wants = frozenset(
                f"@{one.raw[field.key]}"
                for field in one.offer.fields
                if not field.optional and field.kind in NAMED and one.raw.get(field.key)
            )
            plain = usual.get(place, lines)
            more = tuple(words - before for words, before in zip(lines, plain, strict=True))
            words = frozenset().union(
                *lines, acts, labels, wants, (self._owners.get(key, key) for key in wants)
            )
            kinds = (acts | (frozenset().union(*plain) - wants - labels)) - WEAK
            senses.append(Sense(one, words | WEAK, kinds, wants, more))
        return senses

    def _typed(self, words: Sequence[str]) -> Typed:
        counted, names, roles = set[str](), list[str](), dict[str, str]()
        _speech, others = self._speech
        role = ""
        for one in self._tokens(words):
            if one == ">" and names:
                roles.setdefault(names[-1], "from")
            if one in FROM or one in TO:
                role = "from" if one in FROM else "to"
            elif one[0] == "@":
                names.append(one)
                if role:
                    roles.setdefault(one, role)
                role = ""
                counted.add(one)
            elif one not in FILLERS:
                role = ""
                counted |= others.get(_stem(one), frozenset({_stem(one)}))
                if len(one) > 4 and one.endswith("ed"):
                    counted.add("-ed")  # it tells what was: nothing to announce
        return Typed(frozenset(counted), tuple(names), roles, tuple(words))

    @staticmethod
    def _directed(raw: Mapping[str, Any], line: Typed) -> bool:
        """Does the line lead from where this move begins to where it ends? "Africa attacks Asia",
        "Africa > Asia", "on Asia from Africa".
        """
        start, end = f"@{raw.get('from')}", f"@{raw.get('target')}"
        if line.roles.get(start) == "to" or line.roles.get(end) == "from":
            return False
        if (
            start in line.names
            and end in line.names
            and line.roles.get(start) != "from"
            and line.roles.get(end) != "to"
        ):
            return line.names.index(start) < line.names.index(end)
        return True

    def _chosen(self, one: Sense, words: frozenset[str]) -> bool:
        """Is what was chosen beyond the usual named, all of it in one language?"""
        return one.move.plain or any(more and more <= words for more in one.more)

    @staticmethod
    def _extra(one: Sense, words: frozenset[str]) -> int:
        """How many of these words tell what was chosen beyond the usual."""
        return max((len(more) for more in one.more if more <= words), default=0)

    def _means(self, one: Sense, line: Typed) -> bool:
        """Do all words of the line belong to this move, and are all its choices named?"""
        named = bool(line.words & one.acts) or (">" in line.typed and len(one.wants) > 1)
        played = f"@{one.move.offer.given.get('card')}"  # a Spy who steals a Spy is named twice
        return (
            named
            and line.words <= one.words
            and one.wants <= line.words
            and self._chosen(one, line.words)
            and self._directed(one.move.raw, line)
            and (played not in one.wants or line.names.count(played) > 1)
        )

    def _nearest(self, line: Typed) -> list[Known]:
        """The moves that fit best: the most names, then the most words, the fewest of other
        moves.
        """
        best: tuple[int, ...] = ()
        nearest: list[Known] = []
        names = frozenset(line.names)
        for one in self.senses:
            shared = line.words & one.words - WEAK
            acts, named = len(shared & one.acts), len(names & one.words)
            if (
                not (acts or named > 1)
                or not self._chosen(one, line.words)
                or not self._directed(one.move.raw, line)
            ):
                continue
            score = (
                named - len(names - one.words),
                acts,
                len(shared),
                self._extra(one, line.words),
                -len(one.wants - line.words),
                one.move.plain,
            )
            if score > best:
                best, nearest = score, []
            if score == best:
                nearest.append(one.move)
        return nearest if not names or best[:1] > (0,) else []

    @cached_property
    def _vocabulary(self) -> list[str]:
        """Every word of our lines and names, as it is written."""
        words = {word for one in self.moves for text in one.lines for word in _words(text)}
        words |= {word for some in self._labels.values() for label, _key in some for word in label}
        return sorted(word for word in words if len(word) > 3)

    def _mended(self, line: Typed) -> Typed:
        """The line with misspelled words as they are probably meant."""
        stems = frozenset().union(*(one.words for one in self.senses)) | self._speech[1].keys()
        words = []
        for word in line.typed:
            known = (
                word in UNHEARD or _stem(word) in stems or word in self._vocabulary or len(word) < 4
            )
            near = (
                None
                if known
                else process.extractOne(
                    word, self._vocabulary, scorer=fuzz.ratio, score_cutoff=LIKE
                )
            )
            words.append(near[0] if near else word)
        return self._typed(words)

    def _lines_back(self, moves: Sequence[Known]) -> list[str]:
        """Lines that are read back as these moves, at most `NEAR`."""
        lines = []
        for one in moves[:NEAR]:
            text = capital(self.line(one.raw))
            lines.append(
                text
                if [known.raw for known in self._exactly(text)] == [one.raw]
                else written(one.raw)
            )
        return list(dict.fromkeys(lines))

    def _missed(self, heard: Heard, line: Typed) -> Heard:
        """Why it was not understood: a move that is not possible now, or words that are near to
        ones that are.
        """
        refusal = self._against_a_rule(line)
        if refusal is not None:
            heard.why, heard.rule = self.table.why_not(refusal), refusal.rule
            return heard
        heard.near = self._lines_back(self._nearest(self._mended(line)))
        heard.why = _("Not understood. Did you mean:") if heard.near else _("Not understood.")
        return heard

    def _against_a_rule(self, line: Typed) -> IllegalMove | None:
        """The refusal of what was typed, where it reads as a move of ours with places or holders
        that it may not have now, or as one that is not possible at all.
        """
        speech, _others = self._speech
        rows = self.title.rows(self.position)
        places = {"province": rows.holdings, "nation": rows.holders}
        for offer in self.offers:
            fields = [one for one in offer.fields if one.kind in places and not one.optional]
            acts, labels, names = speech[offer.key]
            for keys in (
                permutations([one[1:] for one in line.names[:NEAR]], len(fields)) if fields else ()
            ):
                if not all(key in places[one.kind] for key, one in zip(keys, fields, strict=True)):
                    continue
                raw = offer.raw(dict(zip((one.key for one in fields), keys, strict=True)))
                words = (
                    acts
                    | labels
                    | WEAK
                    | {f"@{key}" for key in keys}
                    | {self._owners.get(f"@{key}", "") for key in keys}
                )
                for language in LANGUAGES:
                    with translation.override(language), reading_in(language):
                        words |= self._stems(self.line(raw))
                if (
                    line.words & acts
                    and line.words <= words
                    and self._directed(raw, line)
                    and (refusal := self._refusal(raw)) is not None
                ):
                    return refusal
        for offer in self.offers:
            _acts, _labels, names = speech[offer.key]
            if offer.refusal is not None and any(name and name <= line.words for name in names):
                return offer.refusal
        return None

    def _refusal(self, raw: Mapping[str, Any]) -> IllegalMove | None:
        try:
            self.title.branches(self.position, self.title.decode(dict(raw), self.position))
        except IllegalMove as refusal:
            return refusal
        return None


def put(raw: dict[str, Any], key: str, given: Any, several: bool) -> None:
    """An argument; `routed.attacker` goes into `routed`, several words with commas make a list
    where there may be several.
    """
    outer, _dot, inner = key.partition(".")
    if inner:
        held = raw.setdefault(outer, {})
        if isinstance(held, dict):
            held[inner] = given
    elif several:
        raw[outer] = [one for one in str(given).split(",") if one]
    else:
        raw[outer] = given


def value(text: str) -> Any:
    """A value as a record has it: number, true, false, null; else the word itself."""
    if text in WORDS:
        return WORDS[text]
    if NUMBER.fullmatch(text):
        return Decimal(text) if "." in text else int(text)
    return text


def written(raw: Mapping[str, Any]) -> str:
    """The move as the record has it, on a line."""

    def one(key: str, given: Any) -> str:
        if isinstance(given, Mapping):
            return " ".join(one(f"{key}.{inner}", held) for inner, held in given.items())
        if isinstance(given, list | tuple):
            return f"{key}={','.join(map(str, given))}" if given else ""
        if given is None or isinstance(given, bool):
            return f"{key}={str(given).lower() if given is not None else 'null'}"
        text = str(given)
        if re.fullmatch(r'[^\s"=]+', text) and value(text) == given:
            return f"{key}={text}"
        return f'{key}="{text.replace(chr(34), chr(8217))}"'  # a quotation mark would end it

    rest = [one(key, given) for key, given in raw.items() if key not in ("by", "for", "move")]
    return " ".join([str(raw["move"]), *filter(None, rest)])


def as_line(table: TableContext, raw: Mapping[str, Any]) -> str:
    """The move as a line that is read back as this very move: in the log's words if they say all of
    it.
    """
    seat = str(raw.get("for", raw["by"]))
    listener = Listener(table, seat, str(raw["by"]), table.position)
    text = listener.line(raw)
    try:
        move = table.title.decode(dict(raw), table.position).to_json()
    except IllegalMove:
        move = dict(raw)
    if not text or listener.hear(text).raw != move:
        text = written(raw)
    else:
        text = capital(text)
    return text if seat == GAME_MASTER else f"{capital(table.name_of(seat))}: {text}"


BETWEEN = re.compile(r"\s*(?:[,;+&]|\b(?:and then|then|and|e poi|poi|e)\b)\s*", re.IGNORECASE)


def parts(line: str) -> list[str]:
    """What may be several moves in one line."""
    return [one for one in BETWEEN.split(line) if one]


def typed_lines(text: str) -> list[str]:
    """What was typed, a line each, without bullets, quotation marks of a forum and empty lines."""
    return [
        one
        for one in (BULLET.sub("", line).strip()[:LONGEST_LINE] for line in text.splitlines())
        if one
    ]


def speakers(table: TableContext) -> dict[str, str]:
    """How seats are called at the beginning of a line, in every language: the longest names
    first.
    """
    names: dict[str, str] = {}
    for language in LANGUAGES:
        with translation.override(language), reading_in(language):
            names |= {
                fold(info.name): info.key
                for info in table.title.seats(table.scenario, positions.options(table.campaign))
            }
    names |= {fold(key): key for key in table.names if key != GAME_MASTER}
    return dict(sorted(names.items(), key=lambda one: -len(one[0])))


def addressed(line: str, names: Mapping[str, str]) -> tuple[str, str]:
    """The seat that the line begins with (empty: none), and the rest."""
    head, colon, rest = line.partition(":")
    if colon and fold(head) in names:
        return names[fold(head)], rest.strip()
    words = line.split()
    for count in range(min(4, len(words) - 1), 0, -1):
        if (seat := names.get(fold(" ".join(words[:count])))) is not None:
            return seat, " ".join(words[count:])
    return "", line
