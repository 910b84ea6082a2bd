"""The words that readers of typed lines know in each language, as data.

Users type in any language, whatever the language of their pages, so readers use the words of all
languages at once (`EVERY`). All words are in the form of tokens: without case and accents.
"""

from games.kit.reading.grammar.de import GERMAN
from games.kit.reading.grammar.en import ENGLISH
from games.kit.reading.grammar.es import SPANISH
from games.kit.reading.grammar.fr import FRENCH
from games.kit.reading.grammar.it import ITALIAN
from games.kit.reading.grammar.shape import Grammar, join_grammars

BY_LANGUAGE = {"en": ENGLISH, "de": GERMAN, "es": SPANISH, "it": ITALIAN, "fr": FRENCH}
GRAMMARS = tuple(BY_LANGUAGE.values())
EVERY: Grammar = join_grammars(GRAMMARS)
"""The words of all languages together."""
