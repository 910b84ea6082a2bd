"""German words in typed lines."""

from games.kit.reading.grammar.shape import Grammar, words

GERMAN = Grammar(
    victory=words("schlagt schlagen geschlagen besiegt besiegen gewinnt gewinnen gewonnen"),
    victory_alone=words("gewinnt gewinnen gewonnen sieg"),
    defeat=words("verliert verlieren verloren"),
    draw=words("unentschieden"),
    auxiliaries=words("wurde wurden"),
    agents=words("von"),
    between_joined_shares=words("zu bis gegen und"),
    beside_shares=words("die der das und gegen"),
)
