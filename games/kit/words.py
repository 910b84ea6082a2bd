"""Texts of a title in the reader's language: sentences of its catalogue with names filled in."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from engine.effects import Effect, Phrase
from engine.errors import IllegalMove
from engine.language import Texts, join_with

Facts = Mapping[str, Any]


def fill(text: object, named: Facts) -> str:
    """Return the text with these names in it.

    A text with an unknown name in braces is returned unchanged: users may type braces too.
    """
    try:
        return str(text).format_map(named)
    except KeyError:
        return str(text)


def join_names(names: Iterable[str], last: str) -> str:
    """Join names as in "one, two and three", with `last` before the last name."""
    *most, end = list(names) or [""]
    return join_with(last, filter(None, [", ".join(most), end]))


class Wording(NamedTuple):
    """The catalogue of a title with one board, with its `causes`, `errors` and `counts`.

    `resolve` turns facts into names. `variant` returns the key of the sentence for a cause that
    depends on its facts. `headlines` are the kinds of effects that deserve a note beside the line
    of their move.
    """

    catalogue: Texts
    resolve: Callable[[Any, Facts], Facts]
    variant: Callable[[Phrase], str]
    headlines: Collection[str]

    def speak(self, scenario: Any, phrase: Phrase) -> str:
        """Return a cause, or a task that a seat has, as a phrase without full stop."""
        book = self.catalogue.read()
        causes = book["causes"]
        text = (
            causes.get(self.variant(phrase))
            or causes.get(phrase.id)
            or book["errors"].get(phrase.id, phrase.id)
        )
        return fill(text, self.resolve(scenario, phrase.facts))

    def effect_line(self, scenario: Any, effect: Effect) -> str:
        """Return an effect as a phrase of its own."""
        return self.speak(scenario, effect.cause)

    def refusal(self, scenario: Any, illegal: IllegalMove) -> str:
        """Return the sentence of a refused move, without its rule, which is shown beside it."""
        errors = self.catalogue.read()["errors"]
        sentence = fill(
            errors.get(illegal.message, illegal.message), self.resolve(scenario, illegal.facts)
        )
        return sentence[:1].upper() + sentence[1:]

    def is_noted(self, effect: Effect) -> bool:
        """Return whether an effect deserves a note beside the line of its move."""
        return effect.kind in self.headlines

    def counted(self, unit: str, n: int) -> str:
        """Return a count with its unit, in digits."""
        return str(self.catalogue.read()["counts"][unit].form(n)).format(n=n)

    def listed(self, names: Iterable[str]) -> str:
        """Join names as in "one, two and three"."""
        return join_names(names, str(self.catalogue.read()["and"]))
