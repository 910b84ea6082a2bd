"""The query of the page of the rules."""

from __future__ import annotations

from engine.language import FIRST
from engine.strict_json import read_whole_number
from web.frame.raw_forms import PostedForm, text_field

LONGEST_SEARCH = 60


class RulesQuery(PostedForm):
    """A search in the rules, in a language, and as of a turn."""

    q = text_field()
    only = text_field()
    text = text_field()
    turn = text_field()

    @property
    def words(self) -> list[str]:
        """Return the words that every shown paragraph contains."""
        return self.text_of("q")[:LONGEST_SEARCH].split()

    @property
    def only_differences(self) -> bool:
        """Return whether the reader wants only paragraphs with other numbers than usual."""
        return bool(self.text_of("only"))

    @property
    def in_english(self) -> bool:
        """Return whether the reader wants the English text instead of a translation."""
        return self.text_of("text") == FIRST

    def turn_before(self, last_change: int) -> int | None:
        """Return the turn whose rules the reader wants, if it is before the last change.

        It is None for the present rules.
        """
        turn = read_whole_number(self.text_of("turn"))
        return turn if turn is not None and turn < last_change else None
