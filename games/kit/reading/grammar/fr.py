"""French words in result lines. The pages have no French, but players write it on forums."""

from games.kit.reading.grammar.shape import Grammar, phrases, words

FRENCH = Grammar(
    articles=words("le la les l un une et avec"),
    fillers=words(
        "de du des d nous je j notre nos mon ma mes en dans pour puis ensuite alors apres aussi"
        " maintenant s il vous plait svp allons vais voulons veux voudrais nouveau nouvelle ce"
        " cette"
        " carte a au aux enfin premierement dernierement"
    ),
    deeds=words(
        "deplace deplacer deplacons envoie envoyer envoyons armee"
        " armees legions troupes soldats carte cartes"
    ),
    general_verbs=words(
        "gagne gagner gagnons edifions edifier construisez erigeons construis construit"
        " construisons construire construction batis batissons batir bati faire"
        " fais faisons acheter achete achetons jouer joue jouons utiliser utilise utilisons mettre"
        " mets mettons poser pose posons lancer lance lancons"
    ),
    origins=words("depuis partir"),
    goals=words("sur contre vers"),
    conjunctions=phrases("et, puis, ensuite, et puis, et ensuite, apres"),
    amounts=phrases("demi, une demi, une, deux, un"),
    costs=words("cout coute pour demi"),
    actions=words("action actions"),
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
    negations=words("ne pas jamais aucun aucune rien"),
    conditions=words("ou soit si quand lorsque peut"),
    without=words("sans"),
    chat=words(
        "ok bon bien salut bonjour bonsoir amis tous toutes ici aujourd hui maintenant cette"
        " fois coup coups ordre ordres plan idee seulement abord aussi encore donc enfin"
        " finalement ainsi me m te vous on mes nos que qu comme"
        " car parce mais oui fais faisons faire mets prends prenons prendre donne donnons envoie"
        " envoyons envoyer lance lancons lancer commence commencons commencer debute decide"
        " decidons declare declarons annonce annoncons pense pensons crois dois devons vais"
        " allons va aller legion legions armee armees troupes soldats hommes par via avec un peu"
        " plus tout c est ce ca cela"
    ),
    links=words("d de du des l"),
    additions=words("avec"),
    thanks=words("merci"),
    narration=words(
        "empereur imperatrice imperial imperiale imperiaux roi reine royal royale prince"
        " souverain senat conseil cour consul gouverneur gouverneurs general generaux amiral"
        " commandant majeste peuple citoyens population habitants sujets paysans nobles"
        " envoyes emissaires ambassadeurs messagers agents agent ingenieurs ouvriers macons"
        " artisans architectes marins pretres guerriers veterans cohortes cohorte forces"
        " decret decrets edit edits loi saison printemps annee gloire honneur empire royaume"
        " vaillantes fideles cout coute desole desolee pardon legion legions armee armees"
        " troupes soldats hommes"
    ),
    orders=words(
        "ordonne ordonnent ordonner ordonnons commande decrete decretent decretons envoie"
        " envoient veut desire commence commencent debute debutent lance lancent travaux"
        " edification erection creation conclut concluent concluons conclure conclus signe"
        " signent signons signer fomente fomentent fomenter fomentons incite incitent incitons"
        " provoque provoquent provoquons suscite suscitent suscitons attise attisent dirige"
        " dirigent sommes suis fomentant eleve elevons elevent dressons dresse dressent"
        " troubles"
    ),
    participles=words(
        "construite construits construites batie baties edifiee edifies erigee eriges conclue"
        " signee fortifiee offerte libere liberee exempte exonere dispense degreve ordonnee"
    ),
    past=words("construisirent jouerent ordonna ordonnerent construisit"),
    passives=words("est sont soient sera seront"),
    others=words("leur leurs votre vos apres prochain prochaine sa"),
    third_person=words(
        "construit batit erige edifie joue attaque offre ordonne pose met lance fortifie"
        " fait marche envahit"
    ),
    headings=words(
        "constructions construction batiments edifices structures travaux economie finances"
        " militaire armee guerre diplomatie politique cartes carte actions action ordres ordre"
        " coups marine"
    ),
    courtesies=phrases(
        "et voyons ce qui se passe, voyons ce qui se passe, et on verra bien, on verra bien,"
        " et on verra, s il vous plait, s il te plait, desole pour ca, sans rancune,"
        " rien de personnel, bonne chance, bonne chance a tous, vive l empereur, pourquoi pas,"
        " comme toujours, bien sur, evidemment, si vous permettez, bon jeu a tous, sa majeste,"
        " premier arrive premier servi, si quelqu un le veut, si quelqu un la veut,"
        " si ca interesse quelqu un, si quelqu un en veut, en train de, en train d,"
        " c est bon pour moi, ca suffit, et on verra ce qui se passe, on verra ce qui se passe"
    ),
)
