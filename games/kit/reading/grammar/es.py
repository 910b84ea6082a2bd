"""Spanish words in typed lines."""

from games.kit.reading.grammar.shape import Grammar, words

SPANISH = Grammar(
    victory=words(
        "vence vencen vencio vencieron gana ganan gano ganaron derrota derrotan derroto derrotaron"
    ),
    victory_alone=words("gana ganan gano ganaron vence vencen vencio victoria"),
    defeat=words("pierde pierden perdio perdieron"),
    draw=words("empate empatan"),
    auxiliaries=words("fue fueron sido"),
    agents=words("por"),
    between_joined_shares=words("contra y"),
    beside_shares=words("los las y contra"),
)
