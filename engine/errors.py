"""What can go wrong with a record or a move. Sentences are made when read, from ids and facts."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar, Self

from engine.language import catalogue, pointed, sentence

ENGINE = Path(__file__).parent


class MalformedRecord(Exception):
    """A record that is not one: `where` is the path of the offending key, `message` the id of the sentence that says what is
    wrong there, `facts` what the sentence names, by key.

    The sentences are in `faults_<language>.json`: a title's own in its `BOOK`, the common ones in the engine's. What is in
    neither is a sentence already.
    """

    BOOK: ClassVar[Path] = ENGINE

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
        said = catalogue(self.BOOK, "faults").get(self.message) or catalogue(ENGINE, "faults").get(self.message)
        return sentence(said, **{key: _named(fact) for key, fact in self.facts.items()}) if said else self.message

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
