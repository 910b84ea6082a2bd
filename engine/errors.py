"""What can go wrong with a record or a move. Sentences are made when read, from ids and facts."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from engine.language import Texts, pointed, sentence

FAULTS = Texts(
    "engine.faults",
    {
        "boolean": "must be true or false",
        "commitment-other": "does not lead to the commitment",
        "json": "not JSON: {what} at line {line}, column {column}",
        "json-colon": "not JSON: Expecting ':' delimiter at line {line}, column {column}",
        "json-comma": "not JSON: Expecting ',' delimiter at line {line}, column {column}",
        "json-control": "not JSON: Invalid control character at line {line}, column {column}",
        "json-key": "not JSON: Expecting property name enclosed in double quotes at line {line}, column {column}",
        "json-more": "not JSON: Extra data at line {line}, column {column}",
        "json-open-text": "not JSON: Unterminated string starting at line {line}, column {column}",
        "json-value": "not JSON: Expecting value at line {line}, column {column}",
        "key-twice": "the key {key} appears twice in one object",
        "link": "must be 64 lower-case hex digits",
        "link-before": "does not hash to the link before it",
        "links-of-seed": "are not those of the seed",
        "list": "must be a list",
        "list-of": "must be a list of {count}",
        "listed-twice": "is listed twice",
        "missing": "is missing",
        "named-twice": "names something twice",
        "no-number": "{text} is not a JSON number",
        "not-shipped": "no scenario of this name is shipped",
        "not-utf-8": "the text is not UTF-8",
        "nothing-mixed": "must have phrases or a draw",
        "object": "must be an object",
        "one-of": "must be one of {values}",
        "phrase": "must be a text of 1 to {most} characters",
        "renewed-twice": "{purpose} is renewed twice",
        "standard": "must be standard",
        "text": "must be a text",
        "thrown-twice": "appears as a list and one by one",
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
"""What can be wrong with the record of any title."""


class MalformedRecord(Exception):
    """A record that is not one: `where` is the path of the offending key, `message` the id of the sentence that says what is
    wrong there, `facts` what the sentence names, by key.

    The sentences are in tables: a title's own in its `BOOK`, the common ones in FAULTS. What is in neither is a sentence
    already.
    """

    BOOK: ClassVar[Texts] = FAULTS

    def __init__(self, where: str, message: str, /, **facts: Any) -> None:
        super().__init__(where, message, facts)
        self.where = where
        self.message = message
        self.facts = facts

    def at(self, where: str) -> Self:
        """The same fault, in another place."""
        return type(self)(where, self.message, **self.facts)

    @property
    def why(self) -> str:
        """What is wrong, in the language of now, without place and full stop."""
        text = self.BOOK.read().get(self.message) or FAULTS.read().get(self.message)
        return sentence(text, **{key: _named(fact) for key, fact in self.facts.items()}) if text else self.message

    def __str__(self) -> str:
        return f"{self.where}: {self.why}" if self.where else self.why


def _named(fact: Any) -> Any:
    if isinstance(fact, float):
        return pointed(f"{fact:g}")
    return fact if isinstance(fact, (str, int)) else ", ".join(fact)


class IllegalMove(Exception):
    """A move that the rules forbid now.

    `code` is one of the title's error codes, `rule` the paragraph that forbids it, `message` the id of the
    sentence (the code itself, where one sentence serves), `facts` what the sentence names, by key. `sentence` is
    empty until the table has rendered it for a reader.
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


class Awaits(Exception):
    """A move that cannot be played before the rolls of `purposes` exist (a lottery, a hand at the table)."""

    def __init__(self, purposes: tuple[str, ...], sides: int) -> None:
        super().__init__(", ".join(purposes))
        self.purposes = purposes
        self.sides = sides
