"""German words in typed lines."""

from games.kit.reading.grammar.shape import Grammar, phrases, words

GERMAN = Grammar(
    articles=words("der die das den dem des ein eine einen einem einer eines mit und"),
    fillers=words(
        "wir ich uns unser unsere unseren unserem unserer mein meine meinen meinem meiner im am"
        " dann danach auch jetzt nun bitte mochte mochten wollen noch neu neue neuen neuer neues"
        " zuerst ihre ihren karte fur"
    ),
    deeds=words(
        "bewege bewegen ziehe ziehen schicke schicken sende senden armee"
        " armeen heer heere legionen truppen soldaten karte karten"
    ),
    general_verbs=words(
        "lege legen gewinne gewinnt gewinnen holt holen hole ausspielen baut baue bauen"
        " errichte errichten kaufe kaufen spiele spielen nutze nutzen"
    ),
    origins=words("von vom aus"),
    goals=words("auf gegen nach zu zum zur"),
    conjunctions=phrases("und, dann, und dann"),
    amounts=phrases("halbe, eine halbe, eine, zwei"),
    costs=words("kosten kostet fur akt"),
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
    narration=words(
        "kaiser kaisers kaiserin kaiserlich kaiserliche kaiserlichen kaiserlicher"
        " kaiserliches konig konigs konigin konigliche koniglicher koniglichen herrscher"
        " herrscherin furst senat senats rat hof statthalter feldherr feldherren general"
        " generale admiral befehlshaber majestat volk volks volkes burger burgern bevolkerung"
        " bewohner untertanen bauern adel gesandte gesandten gesandter boten bote unterhandler"
        " agenten agent baumeister ingenieure arbeiter handwerker maurer architekten"
        " schiffbauer matrosen seeleute priester krieger veteranen kohorten kohorte"
        " streitmacht streitkrafte erlass erlasse dekret edikt gesetz anordnung verfugung"
        " auftrag jahreszeit fruhling fruhjahr sommer saison jahr ehre ruhm ruhme reich"
        " reiches heimat unseres unserer tapferen tapfere treuen kosten kostet sorry mal"
        " schauen leider legion legionen armee heer truppen soldaten manner"
    ),
    orders=words(
        "befiehlt befehle befehlen ordnet ordnen ordne anordnen verfugt verfugen verordnet"
        " verordnen beauftragt beauftragen lasst bau baus errichtung ausbau beginnt schliesst"
        " schliessen schliesse abschluss abschliessen unterzeichnet unterzeichnen vereinbaren"
        " stiftet stiften zettelt zetteln schurt schuren entfacht entfachen wiegelt wiegeln"
        " anstiften anzetteln anzuzetteln beschliesst beschliessen wird erhalt bekommt"
        " bekommen gewahrt gewahren gewahre schickt entsendet entsenden sind bin dabei soll"
        " sollen unruhen"
    ),
    participles=words(
        "gebaut errichtet ausgehoben abgeschlossen geschlossen unterzeichnet ausgespielt"
        " gespielt gelegt angelegt befohlen angeordnet angeboten befestigt ausgerustet gewahrt"
    ),
    past=words(
        "baute bauten errichtete errichteten spielte spielten kaufte kauften legte legten"
        " nutzte nutzten befahl"
    ),
    passives=words("wird werden"),
    others=words(
        "deren seine seinen seiner ihre ihren ihrer eure euer nachste nachsten nachster nach"
    ),
    headings=words(
        "bauten bau bauwerke gebaude bauvorhaben wirtschaft finanzen militar armee heer krieg"
        " diplomatie politik karten karte aktionen aktion befehle befehl zuge marine"
    ),
    courtesies=phrases(
        "mal sehen was passiert, und mal sehen was passiert, schauen wir mal,"
        " mal schauen was passiert, dann schauen wir mal, tut mir leid, nichts fur ungut,"
        " nicht bose sein, viel gluck, viel gluck allen, viel spass, es lebe der kaiser,"
        " warum nicht, wie immer, naturlich, wenn s recht ist, seine majestat, ihre majestat,"
        " wer zuerst kommt mahlt zuerst, wenn ihn jemand will, wenn ihn jemand haben will,"
        " wenn jemand will, falls jemand interesse hat, falls ihn jemand will,"
        " falls ihn jemand haben mochte, von mir, und schauen was passiert,"
        " und sehen was passiert"
    ),
)
