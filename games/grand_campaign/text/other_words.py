"""Other words that players type for structures, cards and moves, besides those on the pages.

They are in the languages of the site and in French. `THINGS` has other names of structures and
fortifications, `CARDS` of cards. `PHRASES` has phrases with the English words that they mean, and
`SYNONYMS` single words, each for one language. All of them are compared without case and accents.
"""

from __future__ import annotations

from collections.abc import Mapping

from games.grand_campaign.text.words import book


def names(text: str) -> tuple[str, ...]:
    """Return the names of a list with commas."""
    return tuple(name.strip() for name in text.split(","))


THINGS: Mapping[str, tuple[str, ...]] = {
    "gymnasia": names("gymnasium, gymnasiums, Gymnasion, ginnasio, gimnasio, gymnase, gymnases"),
    "theatres": names("theater, theaters, theatre, théâtre, théâtres, teatri, teatro, teatros"),
    "baths": names("bath, bathhouses, public baths, thermae, Bäder, Therme, terme, baños, thermes"),
    "academies": names("academy, Akademie, accademia, academia, académie, académies"),
    "royal-palace": names(
        "palace, Palast, Königlicher Palast, palazzo reale, palais royal, palais"
    ),
    "hamlets": names("hamlet, casale, casali, caserío, hameau, hameaux"),
    "villages": names("village, Dorf, villaggio, villaggi, aldea, pueblos, villages"),
    "oppida": names("oppidum, oppidums"),
    "boroughs": names("borough, borgo, borghi, burgo, bourg, bourgs, Flecken"),
    "towns": names("town, Stadt, città, ciudad, villes, ville"),
    "shrines": names(
        "shrine, Schrein, sacello, sacelli, sagrario, capillas, capilla, autel, autels, chapelles"
    ),
    "temples": names("temple, tempio, templi, templo"),
    "sanctuaries": names("sanctuary, Heiligtum, santuario, santuari, sanctuaire, sanctuaires"),
    "templar-complexes": names(
        "templar complex, temple complex, temple complexes, Tempelbezirk,"
        " Tempelanlagen, complesso templare, complexe de temples,"
        " complexes de temples"
    ),
    "bridges": names("bridge, Brücke, ponte, ponti, puente, pont, ponts"),
    "roads": names(
        "road, Straße, strada, strade, calzada, caminos, carreteras, route, routes, voies"
    ),
    "markets": names(
        "market, marketplaces, Markt, Marktplätze, mercato, mercati, mercado, marché, marchés"
    ),
    "merchants-quarters": names(
        "merchant quarters, merchants quarter, merchant quarter,"
        " quartieri mercantili, quartiere dei mercanti, barrio mercantil,"
        " quartier marchand, quartiers marchands, quartier des marchands"
    ),
    "ramparts": names(
        "rampart, earthworks, earthwork, Erdwall, Erdwälle, terrapieno,"
        " terraplén, terraplenes, bastioni, bastione, bastiones, bastions, remparts, levée"
        " de terre, levées de terre"
    ),
    "walls": names(
        "city walls, city wall, town walls, stone walls, Mauer, Stadtmauer,"
        " Stadtmauern, mura, muro, muri, mura cittadine, muralla, muros, mur, murs,"
        " muraille, murailles"
    ),
    "great-walls": names(
        "great wall, Große Mauer, großen Mauern, große Mauer, grandi mura,"
        " gran muralla, grande muraille, grandes murailles, grands murs"
    ),
}
CARDS: Mapping[str, tuple[str, ...]] = {
    "ambush": names("embuscade, imboscata"),
    "assassin": names("Mörder, Meuchelmörder, asesino, sicario"),
    "bodyguard": names("bodyguards, Leibwächter, guardaespaldas, garde du corps"),
    "chancellor": names("chancelier"),
    "diplomat": names("diplomate, Diplomaten, ambassador"),
    "local-insurrection": names(
        "insurrection, local revolt, local uprising, Aufstand, insurrección,"
        " revuelta local, insurrezione, rivolta locale, révolte locale,"
        " soulèvement local, insurrection locale"
    ),
    "mercenaries": names("mercenary, mercenaires"),
    "naval-technology": names("Marinetechnik, technologie navale"),
    "reinforcements": names("reinforcement, Verstärkung, renforts, renfort"),
    "scouts": names("scout, Späher, éclaireurs"),
    "spy": names("spies, espion, Spionin, Spione"),
    "traitor": names("traître, Verräterin"),
}
PHRASES: Mapping[str, str] = {
    phrase: meaning
    for meaning, phrases in {
        "grant tax exemption": (
            "frees people from taxes, free people from taxes, exempts people from taxes,"
            " frees our people from taxes, befreit Volk von Steuern, befreit das Volk von den"
            " Steuern, befreien Volk von Steuern, befreien das Volk von den Steuern, libera il"
            " popolo dalle tasse, liberiamo il popolo dalle tasse, esenta il popolo dalle"
            " tasse, libera al pueblo de impuestos, liberamos al pueblo de impuestos, exime al"
            " pueblo de impuestos, libère le peuple des impôts, libérons le peuple des impôts,"
            " exempte le peuple d'impôts, taxes exemption, Steuern Erleichterung, Steuern"
            " Befreiung, tasse esenzione, imposte esenzione, impuestos exención, impôts"
            " exemption,"
            " exempt from taxes, exempt from tax, tax relief, tax cut, tax break, cut taxes,"
            " lower taxes, lower the taxes, remit taxes, Steuerbefreiung, Steuernachlass,"
            " Steuererleichterung, Steuern senken, sgravio fiscale, esenzione dalle tasse,"
            " esenzione delle tasse, exención fiscal, exención tributaria, rebaja de impuestos,"
            " exemption fiscale, exemption d'impôts, exemption d'impôt, exonération fiscale,"
            " exonération d'impôts, baisse d'impôts, exemption de taxes, exonération de taxes,"
            " free from taxes, freed from taxes, free of taxes, freed of taxes, freed from all"
            " taxes, exempted from taxes, relieved of taxes, taxes are waived, waive taxes, waive"
            " the taxes, tax holiday, tax free, Steuern erlassen, Steuern werden erlassen, Steuern"
            " erlassen wir, von den Steuern befreit, von Steuern befreit, von allen Steuern"
            " befreit, Befreiung von Steuern, Steuerfreiheit, esentato dalle tasse, esentati dalle"
            " tasse, esente dalle tasse, esenti dalle tasse, libero dalle tasse, liberato dalle"
            " tasse, esonerato dalle tasse, esonero dalle tasse, esenzione tasse, esenzione"
            " imposte, exento de impuestos, exenta de impuestos, exentos de impuestos, libre de"
            " impuestos, libres de impuestos, liberado de impuestos, exención de impuestos, exempt"
            " d'impôts, exempté d'impôts, exempté d'impôt, exonéré d'impôts, libéré des impôts,"
            " libéré de l'impôt, libre d'impôts, dispensé d'impôts"
        ),
        "raise taxes": (
            "taxes increase, taxes raise, Steuern Erhöhung, tasse aumento, impuestos subida,"
            " impuestos aumento, impôts hausse, impôts augmentation,"
            " tax rise, tax hike, more taxes, put taxes up, put up taxes, put up the taxes,"
            " Steuererhöhung, höhere Steuern, Steuern hoch, Steuern rauf, tasse su,"
            " aumento fiscale, più tasse, aumento tasse, alziamo le tasse, alzo le tasse,"
            " alzare le tasse, más impuestos, aumento de impuestos, aumentamos los impuestos,"
            " aumento los impuestos, subir los impuestos, subir impuestos, aumentar impuestos,"
            " hausse d'impôts, hausse des impôts, hausse fiscale, augmentation des impôts,"
            " augmentation d'impôts, augmenter les impôts, augmentons les impôts,"
            " j'augmente les impôts, nous augmentons les impôts, plus d'impôts,"
            " augmentation des taxes, augmenter les taxes,"
            " tax raise, raise in taxes, increase of taxes, increase in taxes, taxes go up, taxes"
            " are raised, taxes are increased, Steuern werden erhöht, Steuern steigen, Erhöhung"
            " der Steuern, mehr Steuern, Steuern erhöhen, tasse aumentano, tasse salgono,"
            " aumentare le tasse, aumento delle imposte, aumentano le tasse, aumenta le tasse,"
            " suben los impuestos, sube los impuestos, impuestos suben, subida impuestos, alza de"
            " impuestos, impôts augmentent, augmente les impôts, augmentent les impôts, lever plus"
            " d'impôts"
        ),
        "build siege train": (
            "siege engines, siege engine, siege equipment, Belagerungsgerät, Belagerungsmaschinen,"
            " Belagerungstross, Belagerungspark, macchine d'assedio, treno d'assedio,"
            " máquinas de asedio, train de siège, engins de siège, matériel de siège,"
            " parc de siège, machines de siège"
        ),
        "levy troops in provinces": (
            "levy, provincial levies, raise troops, raise a levy, Provinzaushebung, Aushebung,"
            " Truppen ausheben, Truppenaushebung, leva provinciale, leva nelle province,"
            " leva provincial, leva en las provincias, levée provinciale, levée de troupes,"
            " lever des troupes"
        ),
        "barracks": "caserma, caserme, cuartel, cuarteles, caserne, casernes, Kaserne, Kasernen",
        "flank march": (
            "flanking march, flanking attack, flanking, outflank, Flankenangriff, Umgehung,"
            " marcia di fianco, marcia laterale, attacco sul fianco, marcha de flanco, flanqueo,"
            " ataque de flanco, por el flanco, marche de flanc, attaque de flanc, par le flanc,"
            " flank, flanco, flanc, fianco, Flanke, über die Flanke, in die Flanke, in der Flanke,"
            " by the flank, on the flank, with a flank march, per il fianco, sul fianco, di"
            " fianco, por flanco, de flanco, par flanc, en flanc, sur le flanc, flanc march, flank"
            " mrch, Flankenm, Umgehungsmarsch, aggiramento, envolvimiento, contournement"
        ),
        "open battle": (
            "pitched battle, field battle, offene Schlacht, Feldschlacht, battaglia campale,"
            " battaglia aperta, batalla abierta, batalla campal, bataille rangée, bataille ouverte,"
            " bataille en rase campagne,"
            " open, offen, offene, aperta, abierta, ouverte, open field, in the open, offenes"
            " Feld, auf offenem Feld, im offenen Feld, campo aperto, in campo aperto, campo"
            " abierto, a campo abierto, champ ouvert, rase campagne, en rase campagne, campale,"
            " campal, rangée"
        ),
        "amphibious attack": (
            "naval attack, sea attack, attack by sea, landing, seaborne attack, Seeangriff,"
            " Angriff über See, Angriff zur See, Landung, attacco dal mare, attacco via mare,"
            " attacco navale, sbarco, sbarco anfibio, ataque por mar, ataque naval, desembarco,"
            " desembarco anfibio, attaque amphibie, attaque navale, attaque par mer,"
            " attaque par la mer, débarquement, assaut amphibie,"
            " amph, amphib, amphibious, amphibisch, anfibio, anfibia, amphibie, amphibische"
            " Landung, by sea, per mare, via mare, dal mare, por mar, par mer, par la mer, übers"
            " Meer, über See, übers Wasser, across the sea, sail against, sails against, sail to"
            " attack, sails to attack, naval assault, amphibious landing"
        ),
        "covert attack": (
            "secret attack, independent attack, hidden attack, Geheimangriff, geheimer Angriff,"
            " verdeckter Angriff, attacco segreto, attacco nascosto, ataque secreto,"
            " ataque oculto, attaque secrète, attaque couverte, attaque clandestine,"
            " attaque indépendante,"
            " covert, covertly, secretly, verdeckt, coperto, coperta, encubierto, encubierta,"
            " ataque encubierto, attacco coperto"
        ),
        "land attack": (
            "Angriff zu Lande, Angriff über Land, attacco via terra, attacco di terra,"
            " ataque por tierra, attaque terrestre, attaque par terre"
        ),
        "truce with": (
            "ceasefire with, armistice with, peace with, Waffenruhe mit, Waffenstillstand mit,"
            " Frieden mit, tregua con, pace con, armistizio con, paz con, armisticio con,"
            " trêve avec, paix avec, armistice avec,"
            " Waffenstillstand m, sign truce with, offer truce to, offers truce to, offer peace"
            " to, offre tregua a, offriamo tregua a, ofrece tregua a, ofrecemos tregua a, offre"
            " trêve à, offrons trêve à, offre une trêve aux, truce for, cessez-le-feu avec, cese"
            " el fuego con, alto el fuego con, cessate il fuoco con, Friede mit, Friedensvertrag"
            " mit, peace treaty with, trattato di pace con, tratado de paz con, traité de paix"
            " avec"
        ),
        "end turn": (
            "end of turn, end of my turn, end of our turn, my turn is over, turn over,"
            " I am done, I'm done, that is all, that's all, that's it, we are done, done,"
            " fertig, Zugende, Ende, Zug Ende, Ende des Zuges, ich bin fertig, das war's,"
            " wir sind fertig, das ist alles, ho finito, abbiamo finito, finito, è tutto,"
            " fine del turno, fine turno, fine del mio turno, he terminado, hemos terminado,"
            " eso es todo, nada más, fin del turno, fin de turno, fin de mi turno,"
            " fin de la fase, terminé, j'ai fini, j'ai terminé, nous avons fini, c'est tout,"
            " fin du tour, fin de tour, fin de mon tour, je passe, nous passons, paso, pasamos,"
            " I have finished, I've finished, we have finished, finished, all done, I'm finished,"
            " next player, next player please, over to next player, over to the next, over to you,"
            " your turn, your go, you're up, who's next, that's all from me, that's all for now,"
            " that's all folks, nothing more from me, that concludes my turn, my turn ends, end my"
            " turn, done for this turn, der Nächste, der Nächste bitte, Nächster, nächster bitte,"
            " nächster Spieler, der nächste Spieler, der nächste ist dran, weiter zum nächsten"
            " Spieler, zum nächsten Spieler, an den nächsten Spieler, weiter an den nächsten,"
            " passo al prossimo, passo al prossimo giocatore, du bist dran, ihr seid"
            " dran, weiter geht's, ich gebe weiter, gebe ab, Zug vorbei, Zug zu Ende, mein Zug ist"
            " zu Ende, mein Zug ist vorbei, Zug beendet, bin fertig, sind fertig, das war alles,"
            " mehr nicht, avanti il prossimo, al prossimo, il prossimo, prossimo giocatore, passo"
            " la mano, passo il turno, passo la palla, tocca a voi, tocca a te, tocca al prossimo,"
            " a voi, ho concluso, abbiamo concluso, per me è tutto, il mio turno finisce,"
            " siguiente, al siguiente, que pase el siguiente, pase el siguiente, siguiente"
            " jugador, le toca al siguiente, turno del siguiente, te toca, os toca, tu turno,"
            " vuestro turno, paso el turno, he acabado, hemos acabado, terminado, acabado, terminé"
            " mi turno, ya está, nada más por mi parte, termino mi turno, termino, terminamos, au"
            " suivant, au joueur suivant, suivant, joueur suivant, à vous, à toi, à toi de jouer,"
            " à vous de jouer, je passe la main, passe la main, je rends la main, j'ai terminé mon"
            " tour, mon tour est fini, mon tour est terminé, terminé, c'est fini, c'est tout pour"
            " moi, rien d'autre, je termine mon tour, je termine"
        ),
        "fleet": "navy, warships, galleys, Schiffe, Kriegsflotte, armada, naves, navires, escadre",
        "remove the head": "rth, Kopf ab, taglia la testa, couper la tête, coupez la tête",
        "diplomat": "Botschafter, Unterhändler, ambasciatore, embajador, ambassadeur",
        "local insurrection": (
            "revolt, revolts, uprising, rebellion, Revolte, Rebellion, Erhebung, Aufruhr, rivolta,"
            " sollevazione, ribellione, revuelta, rebelión, sublevación, levantamiento, révolte,"
            " rébellion, soulèvement, local rebellion, lokale Revolte, lokalen Aufstand,"
            " lokaler Aufstand, rebelión local, ribellione locale, levantamiento local"
        ),
        "build": (
            "se construyen, se construye, se edifican, se edifica, se levantan, se levanta,"
            " se erigen, se erige, si costruiscono, si costruisce, si edificano, si edifica,"
            " si gioca, si firma, si conclude, se juega, se juegan, se firma, se concluye, se"
            " pacta"
        ),
        "ramparts": (
            "raise ramparts, raises ramparts, Wall, Wälle, Schutzwall, Schutzwälle, Wallanlagen"
        ),
        "attack": (
            "hit, raid, storm, march on, march against, march into, advance on, advance into,"
            " marschiere gegen, marschieren gegen, überfalle, überfallen, stürme, stürmen,"
            " marcio su, marciamo su, marcho contra, marchamos contra, asalto, asaltamos,"
            " marche sur, marchons sur, marche contre, prends d'assaut,"
            " march, marches, marching, marches on, marches into, marches against, marching on,"
            " marching against, march from, advance, advances, advances on, advances into,"
            " advances against, advancing, move on, moves on, move against, moves against, moving"
            " against, push into, pushes into, invades, invading, assaults, assaulting, storms,"
            " storming, hits, attacks, attacking, strikes, strikes at, marschiert, marschieren,"
            " marschiere, ziehen, zieht, rücken, rückt, rücken vor, rückt vor, marschiert"
            " gegen, marschiert auf, marschieren auf, marschiert nach,"
            " marschieren nach, ziehen gegen, zieht gegen, rücken vor gegen, rückt vor gegen,"
            " rücken gegen, rückt gegen, rücken auf, stürmt, überfällt, fallen ein, fällt ein,"
            " einfallen, erobern, greift an, greifen an, marcia, marciano, marciamo, marcio,"
            " marciare, marcia contro, marciano contro, marciamo contro, marciano su, marcia su,"
            " avanza, avanzano, avanziamo, avanzano su, avanza su, invade, invadono, invadere,"
            " assalta, assaltano, assaltiamo, assalto, assalire, attaccano, attacca, attaccare,"
            " marcha, marchan, marchar, marchamos, marcho, marchan sobre, marcha sobre, marchan"
            " contra, avanza contra, avanzan, avanzan contra, avanzamos, avanzan sobre, invaden,"
            " invadir, invadimos, invado, asalta, asaltan, asaltar, ataca, atacan, atacar,"
            " marchent, marchons, marcher, marchent sur, marchent contre, marchons contre, avance,"
            " avancent, avançons, avancent sur, avancer, envahit, envahissent, envahissons,"
            " attaquent, attaquons, assaillent, assaille"
        ),
        "steal": (
            "grab, nick, stiehlt, stehlen, stehle, klaut, klaue, klauen, rubo, rubare, ruba,"
            " rubiamo, robo, robar, roba, robamos, vole, voler, volons,"
            " steals, stealing, swipe, snatch, snatches, pinch, pinches, grabs, stiehl, entwendet,"
            " entwenden, robamos, roban, rubano, rubando, volent, dérobe, dérober, dérobent"
        ),
        "on the table": (
            "auf den Tisch, sul tavolo, sobre la mesa, en la mesa, sur la table, offer, offers,"
            " offering, up for grabs, to anybody who wants it, to whomever wants it, to anyone"
            " interested, a chiunque lo voglia, a chiunque la voglia, a chi lo voglia, a chi"
            " la voglia, a cualquiera que lo quiera, a cualquiera que la quiera, à quiconque"
            " le veut, à quiconque la veut, à quiconque, an jeden der ihn will, an jeden der"
            " will, up for trade, for trade, for sale, for swap, to trade, goes"
            " to whoever wants it, to whoever wants it, to whoever wants, for whoever wants it, to"
            " anyone who wants it, for anyone who wants it, to highest bidder, to best bidder, who"
            " wants, who wants it, anyone want, anyone interested in, is available, is on offer,"
            " on offer, wer will, wer möchte, wer mag, für den der will, wer will kann, zu haben,"
            " ist zu haben, zum Tausch, zum Tauschen, im Angebot, im Tausch, biete, biete an,"
            " bieten, bieten an, bietet, bietet an, anbieten, anzubieten, zur Verfügung, zum"
            " Verkauf, an den Meistbietenden, wer ihn will, wer ihn haben will, wer sie will, wer"
            " sie haben will, für alle die ihn wollen, kann haben, offro, offriamo, offre,"
            " offrono, offrire, a chi lo vuole, a chi la vuole, a chi lo desidera, a chi la"
            " desidera, a chi vuole, chi vuole, chi lo vuole, chi la vuole, in offerta, in"
            " vendita, in scambio, per lo scambio, da scambiare, a disposizione, al miglior"
            " offerente, ofrezco, ofrecemos, ofrece, ofrecen, ofrecer, a quien lo quiera, a quien"
            " la quiera, a quien quiera, para quien lo quiera, para quien la quiera, para quien"
            " quiera, al que lo quiera, al que la quiera, quién quiere, en oferta, en venta, a"
            " cambio, para intercambiar, para cambiar, al mejor postor, disponible, offrons,"
            " offrent, offrir, j'offre, propose, proposons, je propose, à qui le veut, à qui la"
            " veut, à qui en veut, à qui veut, à qui voudra, qui veut, qui le veut, pour qui le"
            " veut, pour qui la veut, pour qui veut, à échanger, à vendre, en vente, à l'échange,"
            " au plus offrant, à disposition"
        ),
    }.items()
    for phrase in names(phrases)
}
FRENCH = {
    "attaque": "attack",
    "attaquer": "attack",
    "assaut": "attack",
    "envahir": "attack",
    "envahis": "attack",
    "invasion": "attack",
    "flotte": "fleet",
    "fortifier": "fortify",
    "fortifie": "fortify",
    "fortification": "fortify",
    "espion": "spy",
    "voler": "steal",
    "vole": "steal",
    "table": "table",
    "treve": "truce",
    "accepte": "accept",
    "accepter": "accept",
    "retraite": "withdraw",
    "retirer": "withdraw",
    "tour": "turn",
    "fin": "end",
    "terminer": "end",
    "impots": "taxes",
}


def things() -> Mapping[str, tuple[str, ...]]:
    """Return the names of structures and fortifications: in the current language, and others."""
    own: Mapping[str, str] = book()["structures"]
    return {key: (own[key], *others) for key, others in THINGS.items()}
