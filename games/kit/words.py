"""What a title says, from ids and facts, in the reader's language: the sentences of its catalogue
with names filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from engine.effects import Effect, Say
from engine.errors import IllegalMove
from engine.language import Texts, joined

Facts = Mapping[str, Any]


def fill(text: object, named: Facts) -> str:
    """The text with these names in it. A text of a stranger may hold braces: only the catalogue's
    own are filled.
    """
    try:
        return str(text).format_map(named)
    except KeyError:
        return str(text)


def join_names(names: Iterable[str], last: str) -> str:
    """One, two and three; `last` stands before the last."""
    *most, end = list(names) or [""]
    return joined(last, filter(None, [", ".join(most), end]))


class Wording(NamedTuple):
    """The catalogue of a title with one board, with its `causes`, `errors` and `counts`.

    `resolve` turns facts into names, `variant` gives the sentence of a cause that depends on what
    happened, `headlines` are the kinds of effects that are worth a note beside their move's own
    line.
    """

    catalogue: Texts
    resolve: Callable[[Any, Facts], Facts]
    variant: Callable[[Say], str]
    headlines: Collection[str]

    def speak(self, scenario: Any, phrase: Say) -> str:
        """A cause or a waiting, as a phrase without full stop."""
        book = self.catalogue.read()
        causes = book["causes"]
        text = (
            causes.get(self.variant(phrase))
            or causes.get(phrase.id)
            or book["errors"].get(phrase.id, phrase.id)
        )
        return fill(text, self.resolve(scenario, phrase.facts))

    def effect_line(self, scenario: Any, effect: Effect) -> str:
        """An effect as a phrase of its own."""
        return self.speak(scenario, effect.cause)

    def refusal(self, scenario: Any, illegal: IllegalMove) -> str:
        """The sentence of a refused move, without its rule, which stands beside it."""
        errors = self.catalogue.read()["errors"]
        return fill(
            errors.get(illegal.message, illegal.message), self.resolve(scenario, illegal.facts)
        )

    def tells(self, effect: Effect) -> bool:
        """Is it worth a note beside the move's own line?"""
        return effect.kind in self.headlines

    def counted(self, unit: str, n: int) -> str:
        """So many of something, in digits."""
        return str(self.catalogue.read()["counts"][unit].form(n)).format(n=n)

    def listed(self, names: Iterable[str]) -> str:
        """One, two and three."""
        return join_names(names, str(self.catalogue.read()["and"]))
