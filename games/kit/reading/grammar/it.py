"""Italian words in typed lines."""

from games.kit.reading.grammar.shape import Grammar, phrases, words

ITALIAN = Grammar(
    articles=words("il lo la i gli l le un una con e ed"),
    fillers=words(
        "io noi uno dell del della dei delle dello degli di nel nella nei per poi anche ora vorrei"
        " vogliamo voglio nostro nostra mio mia nuovo nuova questo questa carta al alla all ai agli"
        " alle dallo"
    ),
    deeds=words(
        "muovo muovere muoviamo sposto spostare mando mandare mandiamo invio"
        " esercito eserciti legioni truppe soldati carta carte"
    ),
    general_verbs=words(
        "costruisco costruiamo costruire gioco giochiamo giocare metto guadagna conquista"
        " annetto costruzione erigo faccio facciamo compro uso"
    ),
    origins=words("da dal dalla dallo dai dagli dalle dall"),
    goals=words("contro su sul sulla verso"),
    conjunctions=phrases("e, poi, e poi"),
    amounts=phrases("mezza, una, due"),
    costs=words("costo costa az azz mezza"),
    actions=words("azione azioni"),
    beats=phrases(
        "batte|sbatte|sconfigge, ha battuto|sbattuto|sconfitto,"
        " vince contro|con|su, ha vinto contro|con|su"
    ),
    loses_to=phrases(
        "perde contro|con|da, ha perso contro|con|da,"
        " e|viene battuto|battuta|sconfitto|sconfitta da,"
        " e|viene stato|stata battuto|battuta|sconfitto|sconfitta da"
    ),
    draws_with=phrases("pareggia|pari contro|con, ha pareggiato contro|con"),
    between_shares=words("a"),
    points=words("pti pte punti"),
    eras=phrases("d . c, a . c"),
    victory=words(
        "vince vincono vinto batte battono battuto battuti battuta sconfigge sconfiggono sconfitto"
        " sconfitti sconfitta"
    ),
    victory_alone=words("vince vincono vinto vittoria"),
    defeat=words("perde perdono perso"),
    draw=words("pareggio pareggiano"),
    auxiliaries=words("stato stata stati state"),
    agents=words("da dai dagli dal dalla"),
    between_joined_shares=words("contro e"),
    beside_shares=words("i gli le il la e ed contro risultato perdite rotta"),
    battles=words("battaglia battaglie risultato esito scontro"),
    doubts=words(
        "se quasi circa forse magari probabilmente sarebbe sarebbero vorrei spero speriamo"
        " potrebbe dovrebbe finche non mai scommetto ipotesi scorso scorsa prevedo"
    ),
    negations=words("non mai nessun nessuna niente nulla invece"),
    conditions=words("o oppure se qualora quando forse magari"),
    without=words("senza"),
    chat=words(
        "ok allora bene ciao salve ragazzi amici tutti buonasera buongiorno qui oggi adesso"
        " subito ora stavolta volta mossa mosse ordine ordini piano idea favore prego"
        " solo prima infine inoltre quindi dunque cosi pure ancora un po mi ci si vi mia mie"
        " miei nostre nostri che come perche siccome ma fare fa faccio"
        " facciamo metto mettiamo mettere prendo prendiamo mando mandiamo mandare lancio"
        " lanciamo lanciare comincio cominciamo inizio iniziamo iniziare decido decidiamo"
        " dichiaro dichiariamo annuncio annunciamo penso pensiamo credo direi devo dobbiamo vado"
        " andiamo legione legioni esercito truppe soldati uomini via attraverso usando tramite"
        " mediante a in su"
    ),
    links=words("d di del dell della dei delle degli"),
    additions=words("con"),
    thanks=words("grazie"),
    narration=words(
        "imperatore imperatrice imperiale imperiali re regina reale sovrano principe senato"
        " consiglio corte console governatore governatori generale generali ammiraglio"
        " comandante comandanti maesta popolo popoli cittadini popolazione abitanti sudditi"
        " contadini nobili inviati inviato ambasciatori emissari messi messaggeri agenti"
        " agente ingegneri operai muratori artigiani architetti marinai sacerdoti guerrieri"
        " veterani coorti coorte forze decreto decreti editto editti legge comando stagione"
        " primavera estate anno gloria onore impero regno valorose valorosi fedeli costo costa"
        " scusate scusa legione legioni esercito truppe soldati uomini"
    ),
    orders=words(
        "ordina ordino ordiniamo ordinare ordinano comanda comandano decreta decretano"
        " decretiamo dispone inviano invia invio manda mandano vuole vogliono desidera inizia"
        " iniziano comincia cominciano avvia avviano lavori edificazione erezione"
        " realizzazione conclude concludono concludere concludiamo concludo firma firmano"
        " firmare firmiamo firmo stipula stipulano stipuliamo stringe stringono stringiamo"
        " fomenta fomentano fomentare fomentiamo fomento sobilla sobillano sobillare"
        " sobilliamo istiga istigano incita incitano scatena scatenano scateniamo provoca"
        " provocano suscita suscitano guida guidano sto stiamo sta stanno fomentando"
        " sobillando innalzo innalziamo innalza innalzano innalzare disordini"
    ),
    participles=words(
        "costruito costruita costruiti costruite eretto eretta eretti erette concluso"
        " conclusa conclusi firmato firmata edificato edificata edificati ordinato ordinata"
        " giocato giocata fortificato fortificata offerto offerta"
    ),
    past=words("costruirono costruimmo giocarono giocai ordinarono"),
    passives=words("viene vengono venga vengano"),
    others=words("loro suoi sue suo vostro vostri vostre dopo prossima prossimo"),
    headings=words(
        "costruzioni costruzione edifici strutture opere economia finanze militare esercito"
        " guerra diplomazia politica carte carta azioni azione ordini ordine mosse marina"
    ),
    courtesies=phrases(
        "e vediamo che succede, vediamo che succede, e vediamo cosa succede,"
        " vediamo cosa succede, per favore, mi dispiace, senza rancore, niente di personale,"
        " buona fortuna, buona fortuna a tutti, buon divertimento, viva l imperatore,"
        " perche no, come sempre, come al solito, naturalmente, ovviamente, se permettete,"
        " non me ne vogliate, sua maesta, chi primo arriva, se qualcuno la vuole,"
        " se qualcuno lo vuole, se a qualcuno interessa, basta cosi, per me basta cosi,"
        " e vediamo, vediamo un po"
    ),
)
