"""Spanish words in typed lines."""

from games.kit.reading.grammar.shape import Grammar, phrases, words

SPANISH = Grammar(
    articles=words("el la los las un una con y e"),
    fillers=words(
        "nosotros yo nuestro nuestra nuestros nuestras mi de del al en para por favor luego despues"
        " entonces tambien ahora queremos quiero vamos nuevo nueva este esta carta"
    ),
    general_verbs=words(
        "construir construccion jugar gana ganamos gano juega levanto levantamos levantar"
        " edifico edificamos construyo construimos construyen compro compramos uso juego"
        " jugamos"
    ),
    origins=words("dsd desde"),
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
    negations=words("no nunca ningun ninguna nada jamas tampoco"),
    conditions=words("o u si cuando quiza quizas"),
    without=words("sin"),
    chat=words(
        "ok vale bueno bien hola buenas buenos tardes noches dias amigos companeros chicos"
        " todos aqui hoy ahora mismo ya vez ronda jugada jugadas orden ordenes plan idea "
        " solo primero despues ademas asi entonces finalmente ultimo tambien me nos os les se "
        " mis que como porque pero hago hacemos hacer pongo ponemos poner doy"
        " damos tomo tomamos mando mandamos mandar lanzo lanzamos lanzar empiezo empezamos"
        " inicio iniciamos decido decidimos declaro declaramos anuncio anunciamos creo pienso"
        " pensamos debo debemos voy vamos ir legion legiones ejercito tropas soldados hombres"
        " usando mediante con a en por un poco mas"
    ),
    links=words("de del"),
    additions=words("con"),
    thanks=words("gracias"),
)
