"""Moves as text: a line a move, in the words of the log, in any of our languages; and a move as such a line.

What a seat may say now is known: every complete move of its offers has a line, the one the log would show. A typed line is
looked up among these, whatever its case, accents, signs and small words. So it can never mean a move the rules forbid, and
a title needs nothing of its own. What cannot be listed, an amount or a reason, is written as the record has it:
`adjust nation=huns account=prestige change=1 reason="as ruled"`.
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import cached_property
from itertools import chain, islice, permutations
from typing import Any

from django.utils import translation
from django.utils.translation import gettext as _

from campaign.log import positions
from engine.errors import IllegalMove
from engine.language import LANGUAGES, reading_in
from games.contract.title import Offer
from web.shell.campaign_page import GAME_MASTER, TableContext
from web.titles.talk import capital, talk

LONGEST_LINE = 300
MOST_MOVES = 5000
"""So many moves of a seat are looked through; no position of ours has a third of it."""
NEAR = 3
BULLET = re.compile(r"^\s*(?:[-*•>]+|\d{1,2}[.)])\s*")
DETAILS = re.compile(r"\s*\([^()]*\)")
RECORD = re.compile(r'(?P<move>[a-z][a-z_-]{1,39})(?P<rest>(?:\s+[a-z_.]{1,40}=(?:"[^"]*"|[^\s"]+))*)', re.ASCII)
PAIR = re.compile(r'([a-z_.]{1,40})=(?:"([^"]*)"|([^\s"]+))', re.ASCII)
NUMBER = re.compile(r"-?\d{1,12}(?:\.\d{1,6})?", re.ASCII)
WORDS = {"true": True, "false": False, "null": None}
SMALL = frozenset({"the", "a", "an", "il", "lo", "la", "i", "gli", "le", "l", "un", "una", "with", "con", "and", "e", "ed"})


def fold(text: str) -> str:
    """Only what a line says: letters and digits, without case, accents, articles."""
    plain = unicodedata.normalize("NFKD", text.casefold().replace("½", " 1/2 ").replace("−", "-"))
    plain = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return " ".join(word for word in re.findall(r"[^\W_]+|#|[-+]?\d+", plain) if word not in SMALL)


@dataclass
class Heard:
    """A line as it was understood: the move, or why not and what is near. `text` is the move in the log's words."""

    typed: str
    seat: str = ""
    raw: dict[str, Any] | None = None
    text: str = ""
    why: str = ""
    rule: str = ""
    near: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Known:
    """A move that may be said now, by its line: in full, or without what stands in brackets where nothing was chosen."""

    raw: dict[str, Any]
    plain: bool


class Listener:
    """Understands what is said for one seat at one position."""

    def __init__(self, table: TableContext, seat: str, by: str, position: Any) -> None:
        self.table, self.seat, self.by, self.position = table, seat, by, position
        self.title, self.scenario = table.title, table.scenario

    @cached_property
    def offers(self) -> list[Offer]:
        return list(self.title.offers(self.position, self.seat, self.by))

    @cached_property
    def known(self) -> dict[str, list[Known]]:
        by_text: dict[str, list[Known]] = {}
        moves = [*islice(self._moves(), MOST_MOVES)]
        for language in LANGUAGES:
            with translation.override(language), reading_in(language):
                for raw, plain in moves:
                    text = self.line(raw)
                    for one in {fold(text), *([fold(DETAILS.sub("", text))] if plain else [])}:
                        moves_of = by_text.setdefault(one, [])
                        if all(before.raw != raw for before in moves_of):
                            moves_of.append(Known(raw, plain))
        return by_text

    def _moves(self) -> Iterator[tuple[dict[str, Any], bool]]:
        """Every complete move with whether nothing optional was chosen in it."""
        for offer in self.offers:
            usual = {one.key: one.default for one in offer.fields if one.optional}
            for raw in offer.moves():
                with suppress(IllegalMove):
                    move = self.title.decode(raw, self.position).to_json()
                    yield move, all(raw.get(key, value) in (value, [], (), False) for key, value in usual.items())

    def line(self, raw: Mapping[str, Any]) -> str:
        """The log's words for the move, after its speaker's name; empty where it has none for what is said so far."""
        try:
            return str(self.title.move_line(self.scenario, raw))
        except (KeyError, TypeError, ValueError, AttributeError, InvalidOperation):
            return ""

    def hear(self, typed: str) -> Heard:
        """What the line says, if it says a move that is possible now."""
        heard = Heard(typed, self.seat)
        wanted = fold(typed)
        moves = self.known.get(wanted, [])
        if len(moves) > 1:
            moves = [one for one in moves if one.plain] or moves
        if len(moves) == 1:
            return self._understood(heard, moves[0].raw)
        if moves:
            heard.why = _("This may mean several moves. Choose one:")
            heard.near = [capital(self.line(one.raw)) for one in moves[:NEAR]]
            return heard
        if (raw := self._as_record(typed)) is not None:
            return self._understood(heard, raw)
        return self._missed(heard, wanted)

    def _understood(self, heard: Heard, raw: dict[str, Any]) -> Heard:
        heard.raw, heard.text = raw, capital(self.line(raw)) or str(raw["move"])
        return heard

    def _as_record(self, typed: str) -> dict[str, Any] | None:
        """The move that a line like `report attack=3 winner=attacker` says; None where it is no such line. One word by itself
        is one only where that move is offered and needs nothing more."""
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
        return frozenset(str(one.raw({}).get("move")) for one in self.offers if all(given.optional for given in one.fields))

    @cached_property
    def _lists(self) -> frozenset[str]:
        """Arguments that are lists, such as a way from place to place, in what is offered."""
        offered = chain.from_iterable(islice(offer.moves(), 1) for offer in self.offers)
        return frozenset(("cards", *(key for raw in offered for key, given in raw.items() if isinstance(given, list))))

    def _missed(self, heard: Heard, wanted: str) -> Heard:
        """Why it was not understood: a move that is not possible now, or words that are near to ones that are."""
        speaker = talk(self.title, self.scenario, self.position)
        refused = {
            fold(speaker.offer_name(offer)): offer.refusal for offer in self.offers if offer.refusal is not None
        }  # a line that begins with the name of what is refused asks for it
        name = next((one for one in sorted(refused, key=len, reverse=True) if one and f"{wanted} ".startswith(f"{one} ")), None)
        refusal = refused[name] if name is not None else None
        if refusal is not None:
            heard.why, heard.rule = self.table.why_not(refusal), refusal.rule
            return heard
        if (refusal := self._against_a_rule(wanted)) is not None:
            heard.why, heard.rule = self.table.why_not(refusal), refusal.rule
            return heard
        close = difflib.get_close_matches(wanted, self.known, NEAR, 0.5)
        heard.near = list(dict.fromkeys(capital(self.line(self.known[one][0].raw)) for one in close))
        heard.why = _("Not understood. Did you mean:") if heard.near else _("Not understood.")
        return heard

    def _against_a_rule(self, wanted: str) -> IllegalMove | None:
        """The refusal of what was said, where it reads as a move of ours with places or seats that it may not have now."""
        rows = self.title.rows(self.position)
        names = {"province": tuple(rows.holdings), "nation": tuple(rows.holders)}
        for language in LANGUAGES:
            with translation.override(language), reading_in(language):
                speaker = talk(self.title, self.scenario, self.position)
                for offer in self.offers:
                    fields = [one for one in offer.fields if one.kind in names and not one.optional]
                    refusals = [
                        key
                        for key in dict.fromkeys(chain.from_iterable(names[one.kind] for one in fields))
                        if f" {fold(speaker.value_label(offer, fields[0], key))} " in f" {wanted} "
                    ][:NEAR]
                    for keys in permutations(refusals, len(fields)) if fields else ():
                        raw = offer.raw(dict(zip((one.key for one in fields), keys, strict=True)))
                        line = self.line(raw)
                        if wanted in (fold(line), fold(DETAILS.sub("", line))) and (refusal := self._refusal(raw)) is not None:
                            return refusal
        return None

    def _refusal(self, raw: Mapping[str, Any]) -> IllegalMove | None:
        try:
            self.title.branches(self.position, self.title.decode(dict(raw), self.position))
        except IllegalMove as refusal:
            return refusal
        return None


def put(raw: dict[str, Any], key: str, given: Any, several: bool) -> None:
    """An argument; `routed.attacker` goes into `routed`, several words with commas make a list where there may be several."""
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
    """The move as a line that is read back as this very move: in the log's words if they say all of it."""
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


def typed_lines(text: str) -> list[str]:
    """What was typed, a line each, without bullets, quotation marks of a forum and empty lines."""
    return [one for one in (BULLET.sub("", line).strip()[:LONGEST_LINE] for line in text.splitlines()) if one]


def speakers(table: TableContext) -> dict[str, str]:
    """How seats are called at the beginning of a line, in every language: the longest names first."""
    names: dict[str, str] = {}
    for language in LANGUAGES:
        with translation.override(language), reading_in(language):
            names |= {fold(info.name): info.key for info in table.title.seats(table.scenario, positions.options(table.campaign))}
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
