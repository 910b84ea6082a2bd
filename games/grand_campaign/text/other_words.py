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
        " terraplén, terraplenes, remparts, levée de terre, levées de terre"
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
            "exempt from taxes, exempt from tax, tax relief, tax cut, tax break, cut taxes,"
            " lower taxes, lower the taxes, remit taxes, Steuerbefreiung, Steuernachlass,"
            " Steuererleichterung, Steuern senken, sgravio fiscale, esenzione dalle tasse,"
            " esenzione delle tasse, exención fiscal, exención tributaria, rebaja de impuestos,"
            " exemption fiscale, exemption d'impôts, exemption d'impôt, exonération fiscale,"
            " exonération d'impôts, baisse d'impôts, exemption de taxes, exonération de taxes"
        ),
        "raise taxes": (
            "tax rise, tax hike, more taxes, put taxes up, put up taxes, put up the taxes,"
            " Steuererhöhung, höhere Steuern, Steuern hoch, Steuern rauf, tasse su,"
            " aumento fiscale, più tasse, aumento tasse, alziamo le tasse, alzo le tasse,"
            " alzare le tasse, más impuestos, aumento de impuestos, aumentamos los impuestos,"
            " aumento los impuestos, subir los impuestos, subir impuestos, aumentar impuestos,"
            " hausse d'impôts, hausse des impôts, hausse fiscale, augmentation des impôts,"
            " augmentation d'impôts, augmenter les impôts, augmentons les impôts,"
            " j'augmente les impôts, nous augmentons les impôts, plus d'impôts,"
            " augmentation des taxes, augmenter les taxes"
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
            " ataque de flanco, por el flanco, marche de flanc, attaque de flanc, par le flanc"
        ),
        "open battle": (
            "pitched battle, field battle, offene Schlacht, Feldschlacht, battaglia campale,"
            " battaglia aperta, batalla abierta, batalla campal, bataille rangée, bataille ouverte,"
            " bataille en rase campagne"
        ),
        "amphibious attack": (
            "naval attack, sea attack, attack by sea, landing, seaborne attack, Seeangriff,"
            " Angriff über See, Angriff zur See, Landung, attacco dal mare, attacco via mare,"
            " attacco navale, sbarco, sbarco anfibio, ataque por mar, ataque naval, desembarco,"
            " desembarco anfibio, attaque amphibie, attaque navale, attaque par mer,"
            " attaque par la mer, débarquement, assaut amphibie"
        ),
        "covert attack": (
            "secret attack, independent attack, hidden attack, Geheimangriff, geheimer Angriff,"
            " verdeckter Angriff, attacco segreto, attacco nascosto, ataque secreto,"
            " ataque oculto, attaque secrète, attaque couverte, attaque clandestine,"
            " attaque indépendante"
        ),
        "land attack": (
            "Angriff zu Lande, Angriff über Land, attacco via terra, attacco di terra,"
            " ataque por tierra, attaque terrestre, attaque par terre"
        ),
        "truce with": (
            "ceasefire with, armistice with, peace with, Waffenruhe mit, Waffenstillstand mit,"
            " Frieden mit, tregua con, pace con, armistizio con, paz con, armisticio con,"
            " trêve avec, paix avec, armistice avec"
        ),
        "end turn": (
            "end of turn, end of my turn, end of our turn, my turn is over, turn over,"
            " I am done, I'm done, that is all, that's all, that's it, we are done, done,"
            " fertig, Zugende, Ende, Zug Ende, Ende des Zuges, ich bin fertig, das war's,"
            " wir sind fertig, das ist alles, ho finito, abbiamo finito, finito, è tutto,"
            " fine del turno, fine turno, fine del mio turno, he terminado, hemos terminado,"
            " eso es todo, nada más, fin del turno, fin de turno, fin de mi turno,"
            " fin de la fase, terminé, j'ai fini, j'ai terminé, nous avons fini, c'est tout,"
            " fin du tour, fin de tour, fin de mon tour, je passe, nous passons, paso, pasamos"
        ),
        "fleet": "navy, warships, galleys, Schiffe, Kriegsflotte, armada, naves, navires, escadre",
        "remove the head": "rth, Kopf ab, taglia la testa, couper la tête, coupez la tête",
        "attack": (
            "hit, raid, storm, march on, march against, march into, advance on, advance into,"
            " marschiere gegen, marschieren gegen, überfalle, überfallen, stürme, stürmen,"
            " marcio su, marciamo su, marcho contra, marchamos contra, asalto, asaltamos,"
            " marche sur, marchons sur, marche contre, prends d'assaut"
        ),
        "steal": (
            "grab, nick, stiehlt, stehlen, stehle, klaut, klaue, klauen, rubo, rubare, ruba,"
            " rubiamo, robo, robar, roba, robamos, vole, voler, volons"
        ),
        "on the table": "auf den Tisch, sul tavolo, sobre la mesa, en la mesa, sur la table",
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
