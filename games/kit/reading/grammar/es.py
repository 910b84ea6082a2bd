"""Spanish words in typed lines."""

from games.kit.reading.grammar.shape import Grammar, phrases, words

SPANISH = Grammar(
    articles=words("el la los las un una con y e"),
    fillers=words(
        "nosotros yo nuestro nuestra nuestros nuestras mi de del al en para por favor luego despues"
        " entonces tambien ahora queremos quiero vamos nuevo nueva este esta carta"
    ),
    deeds=words(
        "muevo mover movemos envio enviar enviamos ejercito"
        " ejercitos legiones tropas soldados carta cartas"
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
    costs=words("coste cuesta acc media"),
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
    narration=words(
        "emperador emperatriz imperial imperiales rey reina real reales principe soberano"
        " senado consejo corte consul gobernador gobernadores general generales almirante"
        " comandante majestad ciudadanos poblacion habitantes subditos campesinos nobles"
        " enviados enviado embajadores emisarios mensajeros agentes agente ingenieros obreros"
        " albaniles artesanos arquitectos marineros sacerdotes guerreros veteranos cohortes"
        " cohorte fuerzas decreto decretos edicto ley mandato temporada primavera verano ano"
        " gloria honor imperio reino valientes fieles coste cuesta costo perdon disculpad"
        " disculpen lo siento legion legiones ejercito tropas soldados hombres"
    ),
    orders=words(
        "ordena ordeno ordenamos ordenar ordenan manda mandan decreta decretan decretamos"
        " dispone envia envian quiere quieren desea empieza empiezan comienza comienzan inicia"
        " inician obras edificacion ereccion creacion concluye concluyen concluimos concluir"
        " concluyo firma firman firmar firmamos firmo pacta pactan pactamos pactar sella"
        " sellan fomenta fomentan fomentar fomentamos incita incitan incitamos instiga"
        " instigan provoca provocan provocamos agita agitan suscita suscitan dirige dirigen"
        " estoy estamos estan fomentando queda quedan disturbios"
    ),
    participles=words(
        "construido construida construidos construidas erigido erigida concluido concluida"
        " firmado firmada ordenado fortificado fortificada jugado ofrecido"
    ),
    past=words("construyeron jugaron ordenaron edificaron levantaron compraron"),
    passives=words("son sea sean ser sera seran"),
    others=words("sus vuestro vuestros vuestras despues proximo proxima su"),
    third_person=words("construye ataca juega ofrece ordena fortifica hace pone levanta edifica"),
    headings=words(
        "construcciones construccion edificios estructuras obras economia finanzas militar"
        " ejercito guerra diplomacia politica cartas carta acciones accion ordenes orden"
        " jugadas marina"
    ),
    courtesies=phrases(
        "y a ver que pasa, a ver que pasa, y veamos que pasa, veamos que pasa, por favor,"
        " lo siento, sin rencores, nada personal, buena suerte, suerte a todos,"
        " buena suerte a todos, viva el emperador, por que no, como siempre, por supuesto,"
        " claro, el pueblo, nuestro pueblo, si no os importa, su majestad,"
        " el primero que llegue, si alguien lo quiere, si alguien la quiere,"
        " si a alguien le interesa, si alguien quiere, por mi parte, a ver que sale,"
        " y a ver que sale"
    ),
)
