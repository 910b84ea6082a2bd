"""French words in result lines. The pages have no French, but players write it on forums."""

from games.kit.reading.grammar.shape import Grammar, words

FRENCH = Grammar(
    victory=words("bat battent battu gagne gagnent"),
    victory_alone=words("gagne gagnent victoire"),
    defeat=words("perd perdent perdu"),
    draw=words("nul"),
    auxiliaries=words("ete"),
    agents=words("par"),
    between_joined_shares=words("contre et"),
    beside_shares=words("les et la contre"),
    battles=words("bataille batailles resultat combat"),
    doubts=words(
        "si presque environ peut etre probablement espere esperons pourrait devrait serait"
        " seraient ne pas jamais parie dernier derniere"
    ),
)
