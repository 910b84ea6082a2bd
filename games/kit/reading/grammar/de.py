"""German words in typed lines."""

from games.kit.reading.grammar.shape import Grammar, phrases, words

GERMAN = Grammar(
    articles=words("der die das den dem des ein eine einen einem einer eines mit und"),
    fillers=words(
        "wir ich uns unser unsere unseren unserem unserer mein meine meinen meinem meiner im am"
        " dann danach auch jetzt nun bitte mochte mochten wollen noch neu neue neuen neuer neues"
        " zuerst ihre ihren karte fur"
    ),
    general_verbs=words(
        "lege legen gewinne gewinnt gewinnen holt holen hole ausspielen baut baue bauen"
        " errichte errichten kaufe kaufen spiele spielen nutze nutzen"
    ),
    origins=words("von vom aus"),
    goals=words("auf gegen nach zu zum zur"),
    conjunctions=phrases("und, dann, und dann"),
    amounts=phrases("halbe, eine halbe, eine, zwei"),
    actions=words("aktion aktionen"),
    victory=words("schlagt schlagen geschlagen besiegt besiegen gewinnt gewinnen gewonnen"),
    victory_alone=words("gewinnt gewinnen gewonnen sieg"),
    defeat=words("verliert verlieren verloren"),
    draw=words("unentschieden"),
    auxiliaries=words("wurde wurden"),
    agents=words("von"),
    between_joined_shares=words("zu bis gegen und"),
    beside_shares=words("die der das und gegen"),
    battles=words("schlacht schlachten ergebnis gefecht kampf"),
    doubts=words(
        "wenn falls ob fast beinahe etwa ungefahr circa rund vielleicht wahrscheinlich"
        " hoffentlich hoffe hoffen ware waren konnte konnten sollte sollten nicht nie kein"
        " keine keiner wette tippe vermutlich wird werden letzte letzten letztes"
    ),
    negations=words("nicht kein keine keinen keinem keiner nie niemals nichts statt"),
    conditions=words("oder entweder wenn falls ob sofern vielleicht"),
    without=words("ohne"),
    chat=words(
        "ok also hallo moin servus leute freunde alle allen guten abend morgen tag mal mir uns"
        " euch es hier heute jetzt gleich noch diese diesmal dieses runde"
        " befehl befehle plan idee bitte gerne gern einfach nur erst zuerst zunachst"
        " ausserdem dazu zudem anschliessend schliesslich zuletzt letztlich werde werden "
        " will muss mussen lasse lassen lasst mache machen macht gebe geben setze"
        " setzen stelle stellen nehme nehmen schicke schicken marschiere marschieren legion"
        " legionen armee heer truppen soldaten manner wie als da denn weil aber ja doch gruss"
        " grusse tschuss viel spass in bei fur vor unserer meines unseres hin her los durch"
        " wieder etwas starte starten beginne beginnen verkunde verkunden sagen sage"
    ),
    additions=words("mit"),
    thanks=words("danke dank"),
)
