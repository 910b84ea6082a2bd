"""Spanish words in typed lines."""

from games.kit.reading.grammar.shape import Grammar, phrases, words

SPANISH = Grammar(
    articles=words("el la los las un una con y e"),
    fillers=words(
        "nosotros yo nuestro nuestra nuestros nuestras mi de del al en para por favor luego despues"
        " entonces tambien ahora queremos quiero vamos nuevo nueva este esta carta"
    ),
    general_verbs=words("construyo construimos construyen compro compramos uso juego jugamos"),
    origins=words("desde"),
    goals=words("contra sobre hacia"),
    conjunctions=phrases("y, luego, y luego"),
    amounts=phrases("media, una, dos"),
    actions=words("accion acciones"),
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
    battles=words("batalla batallas resultado combate"),
    doubts=words(
        "si casi aproximadamente quiza quizas talvez ojala espero esperamos probablemente"
        " podria podrian deberia seria serian no nunca apuesto unos pasado pasada"
    ),
)
