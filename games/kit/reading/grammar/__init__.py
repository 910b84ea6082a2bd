"""The words that readers of typed lines know in each language, as data.

People write in any language, whichever the pages have, so that readers use the words of all
languages at once (`EVERY`). All words are as tokens are: without case and accents.
"""

from games.kit.reading.grammar.de import GERMAN
from games.kit.reading.grammar.en import ENGLISH
from games.kit.reading.grammar.es import SPANISH
from games.kit.reading.grammar.fr import FRENCH
from games.kit.reading.grammar.it import ITALIAN
from games.kit.reading.grammar.shape import Grammar, join_grammars

GRAMMARS = (ENGLISH, GERMAN, SPANISH, ITALIAN, FRENCH)
EVERY: Grammar = join_grammars(GRAMMARS)
"""The words of all languages together."""
