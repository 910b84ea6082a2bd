"""What can go wrong with a record or a move. Sentences are made when read, from ids and facts."""

from __future__ import annotations

from typing import Any


class MalformedRecord(Exception):
    """A record that is not one: `where` is the path of the offending key, `why` says what is wrong there."""

    def __init__(self, where: str, why: str) -> None:
        super().__init__(f"{where}: {why}" if where else why)
        self.where = where
        self.why = why


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
