"""Errors in records and moves. Sentences are made when they are read, from ids and facts."""

from __future__ import annotations

from difflib import get_close_matches
from functools import partial
from json import dumps
from typing import Any, ClassVar, Self

from engine.language import Texts, localize_number, sentence

FAULTS = Texts(
    "engine.faults",
    {
        "and-found": "{why}; here it is {found}",
        "and-found-of": "{why}; for {row} it is {found}",
        "and-known": "{why}; known: {known}",
        "and-near": "{why}; the nearest known one is {near}",
        "boolean": "must be true or false",
        "commitment-other": "does not lead to the commitment",
        "json": "not JSON: {what} at line {line}, column {column}",
        "json-colon": "not JSON: Expecting ':' delimiter at line {line}, column {column}",
        "json-comma": "not JSON: Expecting ',' delimiter at line {line}, column {column}",
        "json-control": "not JSON: Invalid control character at line {line}, column {column}",
        "json-key": (
            "not JSON: Expecting property name enclosed in double quotes at line {line}, column"
            " {column}"
        ),
        "json-more": "not JSON: Extra data at line {line}, column {column}",
        "json-open-text": "not JSON: Unterminated string starting at line {line}, column {column}",
        "json-value": "not JSON: Expecting value at line {line}, column {column}",
        "key-twice": "the key {key} appears twice in one object",
        "link": "must be 64 lower-case hex digits",
        "link-before": "does not hash to the link before it",
        "links-of-seed": "do not match the seed",
        "list": "must be a list",
        "list-of": "must be a list of {count}",
        "listed-twice": "is listed twice",
        "missing": "is missing",
        "named-twice": "names something twice",
        "no-number": "{text} is not a JSON number",
        "not-shipped": "there is no built-in scenario with this name",
        "not-utf-8": "the text is not UTF-8",
        "nothing-mixed": "must have phrases or a draw",
        "object": "must be an object",
        "one-of": "must be one of {values}",
        "only-in-records": "is allowed only in records of campaigns that began under earlier rules",
        "phrase": "must be a text of 1 to {most} characters",
        "renewed-twice": "{purpose} is renewed twice",
        "standard": "must be standard",
        "text": "must be a text",
        "thrown-twice": "is given both as a list and one by one",
        "too-deep": "nested too deeply",
        "too-large": "the record is larger than 20 MB",
        "too-many-links": "must be a list of at most {most} links",
        "too-many-moves": "more than 50,000 moves",
        "turn-number": "must be the number of a turn, 0 to {most}",
        "unknown-key": "unknown key",
        "unknown-purpose": "unknown purpose",
        "whole": "must be a whole number from {least} to {most}",
        "whole-least": "must be a whole number from {least}",
    },
)
"""Faults that the record of any title can have."""


class MalformedRecord(Exception):
    """An invalid record.

    `where` is the path of the wrong key, `message` the id of the sentence that says what is wrong
    there, `facts` the values for its placeholders.

    The sentences are in tables: those of a title in its `BOOK`, the common ones in FAULTS. A
    `message` that is in neither is a complete sentence.
    """

    BOOK: ClassVar[Texts] = FAULTS

    def __init__(self, where: str, message: str, /, **facts: Any) -> None:
        super().__init__(where, message, facts)
        self.where = where
        self.message = message
        self.facts = facts

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling for another process.

        Exceptions do not pickle their keyword arguments.
        """
        return partial(type(self), self.where, self.message, **self.facts), ()

    def at(self, where: str) -> Self:
        """Return the same fault in another place."""
        return type(self)(where, self.message, **self.facts)

    @property
    def why(self) -> str:
        """The fault in the current language, without its place and without a full stop."""
        text = self.BOOK.read().get(self.message) or FAULTS.read().get(self.message)
        why = (
            sentence(text, **{key: _fact_text(fact) for key, fact in self.facts.items()})
            if text
            else self.message
        )
        more = FAULTS.read()
        if "found" in self.facts:
            form = "and-found-of" if "row" in self.facts else "and-found"
            why = sentence(
                more[form], why=why, found=self.facts["found"], row=self.facts.get("row", "")
            )
        if "near" in self.facts:
            return sentence(more["and-near"], why=why, near=self.facts["near"])
        return (
            sentence(more["and-known"], why=why, known=self.facts["choices"])
            if "choices" in self.facts
            else why
        )

    def __str__(self) -> str:
        return f"{self.where}: {self.why}" if self.where else self.why


KIND_FAULTS = ("a-number", "boolean", "key", "list", "number", "pair", "row", "text", "whole")
"""Faults that ask for a kind of value other than an object."""
SELF_EXPLAINED = ("culture", "kind")
"""Faults whose sentence already lists all known words."""
FEW, SHORT, LONGEST_SHOWN = 12, 60, 40
"""The longest list of known words that is shown, and the longest list and text that are shown in
full.
"""


def explain_fault(fault: MalformedRecord, whole: Any) -> MalformedRecord:
    """Return the fault with the value at its place in `whole`, and with the nearest known word."""
    facts = dict(fault.facts)
    there, value, row = _value_at(whole, fault.where)
    is_strange = fault.message in ("unknown-key", "not-known")
    word = fault.where.rpartition(".")[2] if is_strange else value
    if there and not is_strange and (not isinstance(value, dict) or fault.message in KIND_FAULTS):
        facts |= _value_facts(fault, value, row)
    known = [str(known) for known in facts.get("known", ())]
    if isinstance(value, list) and not is_strange:
        word = next((item for item in value if isinstance(item, str) and item not in known), None)
    near = _nearest(word, known)
    if near:
        facts["near"] = near
    elif known and len(known) <= FEW and fault.message not in SELF_EXPLAINED:
        facts["choices"] = ", ".join(sorted(known))
    return type(fault)(fault.where, fault.message, **facts)


def _value_facts(fault: MalformedRecord, value: Any, row: str) -> dict[str, str]:
    """Return the value at the place of a fault, and the key of its row if that says more."""
    shown = _shown_value(value)
    if not shown:
        return {}
    is_short = len(row) <= LONGEST_SHOWN
    if row in ("", value) or not is_short or f".{row}" in fault.where:
        return {"found": shown}
    return {"found": shown, "row": _printable(row)}


def _nearest(word: Any, known: list[str]) -> str:
    """Return the known word that is nearest; empty if none is near."""
    if not known or not isinstance(word, str) or len(word) > SHORT:
        return ""
    return next(iter(get_close_matches(word, known, 1)), "")


def _value_at(whole: Any, where: str) -> tuple[bool, Any, str]:
    """Return whether there is a value at a place, the value, and the key of its row in a list.

    A row may be named by its key.
    """
    value, row = whole, ""
    for step in where.split("."):
        if isinstance(value, dict) and step in value:
            value = value[step]
        elif isinstance(value, list):
            named = [item for item in value if isinstance(item, dict) and item.get("key") == step]
            if not named and not (step.isdecimal() and int(step) < len(value)):
                return False, None, ""
            value = named[0] if named else value[int(step)]
            key = value.get("key") if isinstance(value, dict) else None
            row = key if isinstance(key, str) and not named else row
        else:
            return False, None, ""
    return True, value, row


def _shown_value(value: Any) -> str:
    """Return a JSON value as a fault shows it; empty if it is too long to help."""
    if isinstance(value, str):
        return f"“{_printable(value[:LONGEST_SHOWN])}{'…' if len(value) > LONGEST_SHOWN else ''}”"
    if isinstance(value, dict):
        return "{…}" if value else "{}"
    if isinstance(value, list) and len(value) > FEW:
        return ""
    try:
        text = dumps(value, ensure_ascii=False, default=float)
    except (ValueError, OverflowError):  # a number with very many digits
        return ""
    return _printable(text) if len(text) <= SHORT else ""


def _printable(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


def _fact_text(fact: Any) -> Any:
    if isinstance(fact, float):
        return localize_number(f"{fact:g}")
    return fact if isinstance(fact, (str, int)) else ", ".join(fact)


class IllegalMove(Exception):
    """A move that the rules forbid now.

    `code` is one of the title's error codes, `rule` the paragraph that forbids it, `message` the id
    of the sentence (the code itself, where one sentence serves), `facts` what the sentence names,
    by key. `sentence` is empty until the table has rendered it for a reader.
    """

    def __init__(self, code: str, rule: str, message: str = "", **facts: Any) -> None:
        super().__init__(code, rule, message, facts)
        self.code = code
        self.rule = rule
        self.message = message or code
        self.facts = facts
        self.index: int | None = None
        self.sentence = ""

    def __str__(self) -> str:
        return f"{self.message} ({self.rule})" if self.rule else self.message


class RollsMissing(Exception):
    """A move that cannot be played before the rolls of `purposes` exist.

    Such rolls are thrown elsewhere: a lottery, dice in the players' hands.
    """

    def __init__(self, purposes: tuple[str, ...], sides: int) -> None:
        super().__init__(", ".join(purposes))
        self.purposes = purposes
        self.sides = sides
