"""The English texts of March on Rome.

Other languages are in locale/ (docs/contribute/translating.md).
"""

from __future__ import annotations

from engine.language import Plural, Texts

WORDS = Texts(
    "march_on_rome.words",
    {
        "senate": "the Senate",
        "lost": "the barbarians",
        "barbarians": "the barbarians",
        "procurator": "the procurator of {province}",
        "people": "the people of {province}",
        "seat": "a general who would be emperor",
        "accounts": {"legions": "legions", "garrison": "garrison", "armies": "armies"},
        "sides": {"attacker": "attacker", "defender": "defender"},
        "left": "{attacker} against {defender}",
        "again": "{what}, again",
        "event_names": {
            "nothing": "{event}, without effect",
            "victim": "{event} of {victim}",
            "place": "{event} in {province}",
            "invasion": "{event} of {province} by {horde} armies of {invader}",
        },
        "provinces": {
            "spain": "Spain",
            "gaul": "Gaul",
            "italy": "Italy",
            "illyrica": "Illyrica",
            "achaia": "Achaia",
            "asia": "Asia",
            "syria": "Syria",
            "africa": "Africa",
            "britannia": "Britannia",
            "germania": "Germania",
            "noricum": "Noricum",
            "dacia": "Dacia",
            "thrace": "Thrace",
            "armenia": "Armenia",
            "parthia": "Parthia",
            "judaea": "Judaea",
            "egypt": "Egypt",
            "mauretania": "Mauretania",
        },
        "peoples": {
            "picts": "Picts",
            "celts": "Celts",
            "huns": "Huns",
            "vandals": "Vandals",
            "ostrogoths": "Ostrogoths",
            "visigoths": "Visigoths",
            "armenians": "Armenians",
            "parthians": "Parthians",
        },
        "rivals": [
            "Galba",
            "Otho",
            "Vitellius",
            "Vespasian",
            "Vindex",
            "Nymphidius",
            "Piso",
            "Saturninus",
            "Lusius Quietus",
            "Avidius Cassius",
            "Clodius Macer",
            "Civilis",
        ],
        "causes": {
            "opening": "opening",
            "certain": "this happens",
            "declares": "legions in {province} declare for {general}",
            "procurator": "a procurator holds the province",
            "garrison": "garrison of {province}",
            "strength": "the strength of the people of {province} becomes known",
            "forgotten": "the strength of the people of {province} is forgotten",
            "fallen": "losses in the battle for {province}",
            "province_taken": "{by} {by:take|takes} {province}",
            "province_lost": "{province} is lost to {by}",
            "province_lost-rebellion": "{province} is lost in a local rebellion",
            "merged": "{other_name} {other_name:join|joins} {top}",
            "no_province": "{general} has no province left",
            "assassinated": "{general} is murdered",
            "epidemic": "epidemic in {province}",
            "prosperity": "prosperity in {province}",
            "rebellion": "rebellion in {province}",
            "recruited": "recruiting",
            "battle": "battle {no} for {target}: {attacker} against {defender_name}",
            "initiative": "the {side} has the initiative",
            "battle_devoted": "the {side} devotes {legions} of {total}",
            "segments": "segments: {segments}; each hit costs {X}",
            "segment": "segment {segment}: {left_text}",
            "battle_over-attacker": "{attacker} {attacker:win|wins} {target} from {defender_name}",
            "battle_over-defender": (
                "{defender_name} {defender_name:hold|holds} {target} against {attacker}"
            ),
            "battle_over-walkover": "{attacker} {attacker:take|takes} {target} without a fight",
            "battle_over-unarmed": "{attacker} {attacker:come|comes} to {target} without legions",
            "battle_over-conceded": (
                "{defender_name} {defender_name:give|gives} {target} up to {attacker}"
            ),
            "offered": "{general} offers {holder_name} an alliance",
            "refused": "{holder_name} refuses",
            "general_out": "{general} is out of the game",
            "marches": "{general} turns to {target}",
            "order": "order of the rivals: {queue_text}",
            "events": "events this year: {events}",
            "event": "{event_name}",
            "new_general": "legions in {province} make {general} emperor",
            "idle-rest": "{general} does nothing",
            "idle-pass": "{general} waits",
            "idle-no-legions": "{general} has no legions to attack with",
            "idle-all-own": "{general} finds only provinces of their own around {home}",
            "begun": "the struggle begins",
            "year": "year {turn} begins",
            "won": "the reign is won in year {turn}",
            "lost": "the reign is lost in year {turn}",
            "wait-begin": "begin",
            "wait-year": "act in year {turn}",
            "wait-devote": "devote legions to the battle for {target}",
            "wait-answer": "answer {general}’s offer",
            "wait-continue": "let the year go on",
        },
        "events": {
            "assassination": "assassination",
            "new_general": "a new general",
            "epidemic": "epidemic",
            "prosperity": "prosperity",
            "rebellion": "local rebellion",
            "invasion": "invasion",
        },
        "moves": {
            "begin": "begins the struggle",
            "pass": "waits",
            "attack": "attacks {target}",
            "ally": "offers the holder of {target} an alliance",
            "devote": "devotes {legions} {legions_word}",
            "answer-true": "accepts the offer",
            "answer-false": "refuses the offer",
            "continue": "lets the year go on",
        },
        "errors": {
            "unknown-move": "There is no move “{name}”.",
            "not-a-move": "A move must be a JSON object.",
            "argument-missing": "The move must have “{key}”.",
            "unknown-argument": "The move “{move}” does not take “{key}”.",
            "not-a-voice": "Only the player’s general can make moves.",
            "not-str": "The argument “{key}” must be a text.",
            "not-int": "The argument “{key}” must be a whole number.",
            "not-bool": "The argument “{key}” must be yes or no.",
            "game-over-won": "The reign has ended: you have won.",
            "game-over-lost": "The reign has ended: you have lost.",
            "game-over-None": "The reign has ended.",
            "pending-devote": "First choose how many legions you devote to the battle.",
            "pending-answer": "First answer the offer that was made to you.",
            "nothing-pending": "There is no question to answer now.",
            "wrong-phase-setup": "The struggle has not begun yet.",
            "wrong-phase-pc": "It is your turn: wait, attack, or offer an alliance.",
            "wrong-phase-npc": "Your rivals act now; let the year go on.",
            "wrong-phase-recruit": "The legions are being recruited now; let the year go on.",
            "wrong-phase-events": "The events of the year come now; let the year go on.",
            "unknown-province": "There is no province “{name}”.",
            "own-province": "{province} is already yours.",
            "not-adjacent": "{province} does not border any of your provinces.",
            "no-legions": "You have no legion left to attack with.",
            "bad-number": "You may devote {least} to {most} legions.",
            "no-dice": "No dice are left.",
            "choose-one": "Choose a move first.",
            "not-sure": (
                "{general} is stronger and would say YES, which ends your reign. Confirm that you "
                "want this, or choose something else."
            ),
            "bad-argument": "This cannot be recorded.",
        },
        "rolls": {
            "setup/pc/province": "province of {pc}",
            "setup/pc/legions": "legions of {pc}",
            "setup/npc-count": "number of rivals",
            "setup/legions": "legions of {who}",
            "setup/province": "province of {who}",
            "setup/garrison": "garrison of {province}",
            "npc-order": "place of {who} in the order",
            "action": "what {who} does",
            "home": "base of {who}",
            "neighbour": "direction {who} takes",
            "answer": "answer to {who}",
            "barbarians": "strength of the people of {province}",
            "initiative": "battle {no}: initiative of the {side}",
            "devote": "battle {no}: legions that the {side} devotes",
            "segments": "battle {no}: segments",
            "segment": "battle {no}, segment {segment}: the {side} strikes",
            "events": "number of events",
            "event": "event {no}",
            "victim": "event {no}: victim",
            "legions": "event {no}: legions",
            "core": "event {no}: core province",
            "province": "event {no}: province",
            "invader": "event {no}: invaders",
            "strength": "event {no}: strength of the invaders",
        },
        "legions_word": Plural("legion", "legions"),
    },
)

FAULTS = Texts(
    "march_on_rome.faults",
    {
        "battle-sides": (
            "must be between a living general, or invaders, and the owner of the target"
        ),
        "general": "must be pc or npc-1, npc-2 …",
        "horde": "is only for barbarians, who attack in an invasion",
        "no-side": "must be the player’s side in the battle",
        "offer": "must be an offer by a living rival for one of the player’s provinces",
        "printable": "must be 1 to {most} printable characters",
        "strength": "the strength of {target} must be known in a battle for it",
        "wholes": "must be a list of whole numbers, each one of these: {asked}",
    },
)

CHRONICLE = Texts(
    "march_on_rome.chronicle",
    {
        "year": "Year {n}",
        "report": {
            "year": "Year {n}",
            "chronicle": "The chronicle of the reign",
            "final": "The end of the reign",
            "steps": "Step by step",
            "dice": "Dice",
            "holders": "Holders",
            "numbers": "The reign in numbers",
            "details": "All moves and dice",
            "alone": "{hero}",
            "played": "{hero} ({player})",
            "won": "{hero} is emperor after {years}.",
            "lost": "The reign of {hero} ended after {years}.",
            "of_senate": "procurators",
            "of_lost": "lost",
            "none": "lost to the Empire",
            "peoples": "peoples",
            "accounts": {"legions": "legions", "garrison": "garrison", "armies": "armies"},
            "head_holders": ["holder", "legions", "provinces"],
            "head_numbers": ["year", "provinces", "legions", "rivals"],
        },
        "and": " and ",
        "numbers": [
            "no",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
        ],
        "masculine": "one",
        "units": {
            "legions": Plural("{n} legion", "{n} legions"),
            "armies": Plural("{n} army", "{n} armies"),
            "provinces": Plural("{n} province", "{n} provinces"),
            "clashes": Plural("{n} clash", "{n} clashes"),
            "years": Plural("{n} year", "{n} years"),
        },
        "no_units": {
            "legions": "{n} legions",
            "armies": "{n} armies",
            "provinces": "{n} provinces",
            "clashes": "{n} clashes",
            "years": "{n} years",
        },
        "possessive": ["{name}’s", "{name}’"],
        "hero": {"subject": "we", "of": "ours"},
        "foes": {
            "us": "{n} of our legions",
            "rival": "{generals} {n}",
            "senate": "the {legions} of its procurator",
            "lost": "a people of {armies}",
        },
        "asked": {
            "us": "us",
            "rival": "{general}",
            "senate": "the procurator of {province}",
            "lost": "the people of {province}",
        },
        "fell": {
            "none": "none of the attackers fell",
            "some": "{n} of the attackers fell",
            "both": "both fell",
            "all": "all {n} fell",
        },
        "ours_fell": {"none": "we lost no legions", "some": "we lost {n}"},
        "back": {
            "none": "none were lost",
            "some": "{n} did not come back",
            "both": "both were lost",
            "all": "all {n} were lost",
            "only": "it was lost",
        },
        "sentences": {
            "begun": [
                (
                    "{legions} in {province} declared for {hero}; {rivals}. Beyond the core nothing"
                    " was left of the Empire."
                )
            ],
            "begun.rival": ["{n} in {province} for {general}"],
            "pass": ["{hero} stayed in place.", "{hero} waited.", "{hero} let the year pass."],
            "won.us": [
                "{a} took {target} with {legions} against {foe}; it took {clashes} and {price}.",
                "with {legions} against {foe}, {a} won {target} in {clashes}; {price}.",
                (
                    "{a} led {legions} to {target}, found {foe} and held the field after {clashes};"
                    " {price}."
                ),
            ],
            "won.rival": [
                "{a} took {target} with {legions} against {foe}; it took {clashes} and {price}.",
                (
                    "{a} led {legions} to {target}, found {foe} and held the field after {clashes};"
                    " {price}."
                ),
                "with {legions} against {foe}, {a} won {target} in {clashes}; {price}.",
            ],
            "won.from-us": [
                (
                    "{a} took {target} from us with {legions} against {foe}; it took {clashes},"
                    " {price} and {ours}."
                ),
                (
                    "{a} came to {target} with {legions}, met {foe} and held the field after"
                    " {clashes}; {ours}, and we lost it."
                ),
            ],
            "held.us": [
                (
                    "{a} came to {target} with {legions}, met {foe} and were beaten in {clashes}; "
                    "{back}."
                ),
                (
                    "{a} led {legions} to {target}, found {foe} and had to leave the field after"
                    " {clashes}; {back}."
                ),
            ],
            "held.rival": [
                "{target} held against {as} {n}: {foe} sufficed, and {back}.",
                (
                    "{a} came to {target} with {legions}, met {foe} and was beaten in {clashes};"
                    " {back}."
                ),
            ],
            "held.by-us": [
                (
                    "{a} came to {target} with {legions}, met {foe} and was beaten in {clashes};"
                    " {back}, and {ours}."
                ),
                "{target} held against {as} {n}: {foe} sufficed; {back}, and {ours}.",
            ],
            "open": [
                "{a} marched into {target}, where no one stood in the way.",
                "{a} took {target}; there was no legion to hold it.",
            ],
            "open.from-us": ["{a} marched into {target}; we had no legion left to hold it."],
            "unarmed": ["{a} had no legion to take {target} with."],
            "conceded": [
                "we gave {target} up to {a} without a fight.",
                "{target} was given up to {a} without a fight.",
            ],
            "invasion.fell": [
                "{armies} of {people} came down on {target}, and it was lost to the Empire.",
                "{target} fell to {armies} of {people} and was lost to the Empire.",
            ],
            "invasion.fell.rival": [
                (
                    "{armies} of {people} came down on {target}, and it was lost to the Empire, and"
                    " {as} {legions} with it."
                ),
                (
                    "{target} fell to {armies} of {people} and was lost to the Empire, and {as}"
                    " {legions} with it."
                ),
            ],
            "invasion.fell.senate": [
                (
                    "{armies} of {people} came down on {target}, and it was lost to the Empire, and"
                    " its procurator’s {legions} with it."
                ),
                (
                    "{target} fell to {armies} of {people} and was lost to the Empire, and its"
                    " procurator’s {legions} with it."
                ),
            ],
            "invasion.fell.us": [
                (
                    "{armies} of {people} came down on {target}, and we lost it and the {legions} "
                    "that held it."
                ),
                "{target} fell to {armies} of {people}, and we lost {legions} with it.",
            ],
            "invasion.open.us": [
                "{armies} of {people} came down on {target}; we had no legion left to hold it."
            ],
            "invasion.conceded": [
                "we surrendered {target} to {armies} of {people}.",
                "{armies} of {people} came down on {target}, and we gave it up.",
            ],
            "invasion.broke": [
                "{armies} of {people} broke on {target}.",
                "{target} held against {armies} of {people}.",
            ],
            "invasion.broke.us": [
                "{armies} of {people} broke on {target}; we lost {legions}.",
                "{target} held against {armies} of {people}, and we lost {legions}.",
            ],
            "invasion.broke.rival": [
                "{armies} of {people} broke on {target}; {n} of {as} fell with them.",
                "{target} held against {armies} of {people}, and {n} of {as} fell there.",
            ],
            "invasion.broke.senate": [
                "{armies} of {people} broke on {target}; its procurator lost {legions}.",
                "{target} held against {armies} of {people}, and its procurator lost {legions}.",
            ],
            "refused": [
                "{a} offered {asked} an alliance; the answer was no.",
                "{a} offered {asked} an alliance, but the offer was refused.",
            ],
            "refused.by-us": [
                "{a} offered us an alliance; our answer was no.",
                "{hero} refused the alliance that {a} offered.",
            ],
            "joined": [
                "{a} offered {asked} an alliance and got it.",
                "{asked} accepted the alliance that {a} offered.",
            ],
            "joined.with": [
                "{a} offered {asked} an alliance and got it, and {legions} with it.",
                "{asked} accepted the alliance that {a} offered and brought {legions}.",
            ],
            "joined.rival": [
                (
                    "{a} offered {b} an alliance and got it, with {provinces} and {legions}, and"
                    " {b} ruled no more."
                ),
                (
                    "{b} accepted the alliance that {a} offered and gave up everything, {provinces}"
                    " and {legions}."
                ),
            ],
            "joined.rival.us": [
                (
                    "{a} offered {b} an alliance and got it: {provinces} and {legions} became ours,"
                    " and {b} ruled no more."
                ),
                (
                    "{b} accepted the alliance that {a} offered and gave us everything, {provinces}"
                    " and {legions}."
                ),
            ],
            "absorbed.rival": [
                (
                    "{a} offered {b} an alliance, and {b} took it and everything else: {provinces}"
                    " and {legions}."
                ),
                (
                    "{a} sought an alliance with {b}; it was granted, at the price of {provinces}"
                    " and {legions}."
                ),
            ],
            "came-to-us": [
                (
                    "{a}, who was weaker, offered us an alliance: {provinces} and {legions} became"
                    " ours."
                ),
                "{a} sought an alliance with us and gave us everything, {provinces} and {legions}.",
            ],
            "murdered": [
                "after {a} was murdered, {provinces} went back to the Senate.",
                "{a} was murdered, and {provinces} went back to the Senate.",
            ],
            "risen": [
                "in {province} {legions} made {a} their emperor.",
                "{legions} in {province} declared for {a}.",
            ],
            "end": ["that was the end of {a}.", "{a} had no province left, and that was the end."],
            "prosperity.us": [
                "{province} had a good year and gave us a legion.",
                "a good year in {province}: one legion more.",
            ],
            "prosperity.rival": [
                "{province} had a good year and gave {a} a legion.",
                "a good year in {province}: {a} gained a legion.",
            ],
            "prosperity.senate": [
                "{province} had a good year and gave its procurator a legion.",
                "a good year in {province}: its procurator gained a legion.",
            ],
            "epidemic.us": [
                "fever in {province} cost us a legion.",
                "we lost a legion to the fever in {province}.",
            ],
            "epidemic.rival": [
                "fever in {province} cost {a} a legion.",
                "{a} lost a legion to the fever in {province}.",
            ],
            "epidemic.senate": ["fever in {province} cost its procurator a legion."],
            "rebellion.us": [
                "{province} rose; we lost a legion putting it down.",
                "a rising in {province} cost us a legion.",
            ],
            "rebellion.rival": [
                "{province} rose; {a} lost a legion putting it down.",
                "a rising in {province} cost {a} a legion.",
            ],
            "rebellion.senate": ["{province} rose; its procurator lost a legion putting it down."],
            "rebellion.lost": [
                "{province} rose and left the Empire.",
                "{province} rose, and was lost to the Empire.",
            ],
            "rebellion.lost.us": [
                "{province} rose against us and left the Empire.",
                "{province} rose, and we lost it.",
            ],
            "won": ["no rival was left. {hero} had {provinces} and {legions}, and went to Rome."],
            "lost.assassinated": [
                "{hero} was murdered in year {n} of the reign and left {provinces} and {legions}."
            ],
            "lost.no_province": ["the reign of {hero} ended in year {n}: no province was left."],
            "lost.merged": [
                (
                    "the reign of {hero} ended in year {n}: {provinces} and {legions} went over to"
                    " {b}."
                )
            ],
            "offer.accepted": ["{a}, who was stronger, offered us an alliance. {hero} said yes."],
            "offer.granted": ["we offered {b} an alliance, and {b}, who was stronger, said yes."],
        },
    },
)

PAGE = Texts(
    "march_on_rome.page",
    {
        "sure": "certain",
        "none": "none",
        "or": " or ",
        "procurator": "procurator",
        "people": "people of {land}",
        "people-short": "people",
        "invaders": "invaders",
        "senate": "Senate",
        "lost": "Lost",
        "ribbon-action": "one action",
        "ribbon-rivals": "Rivals",
        "ribbon-none": "none left",
        "ribbon-recruit": "Recruiting",
        "ribbon-gain": "you +{n}",
        "ribbon-events": "Events",
        "ribbon-events-unknown": "one to six",
        "ribbon-events-told": "{n} of {of}",
        "title-choose": "Year {year}",
        "title-year": "Year {year} in progress",
        "title-devote": "Battle for {land}",
        "title-answer": "{name}’s offer",
        "title-over-won": "Rome is won",
        "title-over-lost": "The reign has ended",
        "title-setup": "Set-up",
        "do-begin": "Begin",
        "do-on": "Play the year out",
        "do-pass": "Pass the year",
        "do-attack": "Attack {land}",
        "do-ally": "Offer {land} an alliance",
        "do-devote": "Send {n} legions ({chance} to win)",
        "do-devote-one": "Send one legion ({chance} to win)",
        "do-devote-none": "Send no legions",
        "do-out-devote": "Send them and auto-play the year",
        "do-out-refuse": "No, and auto-play the year",
        "do-refuse": "No: fight for {land}",
        "do-accept": "Yes: join {name}, and end the reign",
        "bar-watch": "Year {year}",
        "bar-on": "Year {year} goes on",
        "bar-year": "Year {year}: attack, offer an alliance, or pass",
        "hint-year": (
            "The numbers on the map are your chances of winning there with {n} legions. Tap a "
            "province."
        ),
        "bar-target": "Attack {land}: {chance}",
        "bar-devote": "Battle for {land}: how many legions do you send?",
        "hint-devote": "You face {foe} with {n}.",
        "devote-enough": "This is enough: with more legions, your chance would hardly grow.",
        "devote-needed": "You need all your legions: with fewer, your chance falls.",
        "devote-all-lower": (
            "If you send all your legions, your chance is lower, because each hit then kills more "
            "of them."
        ),
        "devote-all-equal": (
            "If you send all your legions, your chance hardly changes, but more of them are at "
            "risk."
        ),
        "devote-kept": (
            "If you win, you keep about {won} of your {of} legions; if you lose, about {lost}."
        ),
        "devote-kept-always": "You keep about {kept} of your {of} legions.",
        "devote-nothing": "You give {land} up and keep all your {of} legions.",
        "do-enough": "Enough: {n} ({chance})",
        "do-all": "All: {n} ({chance})",
        "bar-answer": "{name} offers an alliance",
        "hint-answer": (
            "If you say no, {land} is attacked at once. Your chance of holding it is {chance}."
        ),
        "hint-out": "Auto-play devotes enough legions each time and declines every offer.",
        "hint-answer-unarmed": "If you say no, {land} is lost: you have no legion to defend it.",
        "no-legions": "no legions",
        "ally-chance": (
            "Or offer an alliance: your chance of gaining the province is then {chance}."
        ),
        "ally-ends": "{name} is stronger: an alliance would end your reign.",
        "odds-wins": "by attack",
        "odds-ally": "by alliance",
        "drawer": "The year, neighbours, holders",
        "film-begin": "The Empire falls apart.",
        "film-order": "The rivals roll for their order.",
        "film-acts": "{name} acts.",
        "film-recruit": "Everyone recruits.",
        "film-events": "A die shows how many events the year has.",
        "film-event": "The dice choose an event.",
        "film-clash": "The armies fight for {land}.",
        "film-round": "After clash {n}: {left}.",
        "told-year": "Year {year}: {told}",
        "told-so-far": "Year {year} so far: {told}",
        "told-none": "no legions",
        "told-you-took": "You took {land} and lost {legions}.",
        "told-you-walked": "You took {land} without a fight.",
        "told-you-failed": "You attacked {land} in vain and lost {legions}.",
        "told-you-held": "You held {land} against {who} and lost {legions}.",
        "told-you-repelled": "You held {land} against the {who} and lost {legions}.",
        "told-you-lost": "{who} took {land} from you, and you lost {legions}.",
        "told-you-overrun": "The {who} overran {land}, and you lost {legions}.",
        "told-you-yielded": "You lost {land} without a fight.",
        "told-you-joined": "{foe} joined you.",
        "told-you-absorbed": "You joined {foe}.",
        "told-you-allied": "{land} joined you.",
        "told-you-murdered": "You were murdered.",
        "told-you-epidemic": "An epidemic in {land} cost you one legion.",
        "told-you-prosperity": "Prosperity in {land} gave you one legion.",
        "told-you-rebellion": "A rebellion in {land} cost you one legion.",
        "told-you-recruited": "You recruited {legions}.",
        "told-took": "{who} took {land}.",
        "told-took-from": "{who} took {land} from {foe}.",
        "told-failed": "{who} attacked {land} in vain.",
        "told-broke": "The {who} attacked {land} in vain.",
        "told-overrun": "The {who} overran {land}.",
        "told-joined": "{foe} joined {who}.",
        "told-allied": "{land} joined {who}.",
        "told-out": "{who} has no province left and is out of the game.",
        "told-murdered": "{who} was murdered.",
        "told-risen": "{who}, a new general, rose in {land}.",
        "told-gone": "{land} rebelled and left the Empire.",
        "end-won": (
            "At the end of year {year}, no rival was alive and you held {provinces} provinces: Rome"
            " is yours."
        ),
        "end-rival-no_province": "The last rival, {who}, lost {land} and had no province left.",
        "end-rival-assassinated": "The last rival, {who}, was murdered.",
        "end-rival-merged": "The last rival, {who}, joined you.",
        "end-murdered": "The dice called for an assassination, and you were the victim.",
        "end-granted": (
            "You offered {who} an alliance. {who} was stronger, said yes, and took over all your "
            "provinces and legions."
        ),
        "end-accepted": (
            "You joined {who}, who was stronger and took over all your provinces and legions."
        ),
        "end-taken": "{who} took {land}, your last province.",
        "end-invaded": "The {who} overran {land}, your last province.",
        "end-rebellion": "{land}, your last province, rebelled and left the Empire.",
        "score-won": (
            "Your reign counts as won in year {year}. In the hall of fame, wins come before lost "
            "reigns, and the shortest win comes first."
        ),
        "score-lost": (
            "Your reign counts as lost in year {year}. In the hall of fame, wins come first; among "
            "lost reigns, the longest comes first."
        ),
        "map": "Map of the 18 provinces and their holders. The table of holders shows the same.",
        "step-begin": "Legions declare for {who} in {land}",
        "step-pass": "{who} waits",
        "step-attack": "{who} attacks {land}",
        "step-ally": "{who} offers the holder of {land} an alliance",
        "step-devote": "{who} devotes {legions} to {land}",
        "step-concede": "{who} gives {land} up",
        "step-accept": "{who} accepts the offer",
        "step-refuse": "{who} refuses the offer",
        "step-order": "The rivals act in this order, the lowest die first",
        "step-nobody": "No rival is left to act",
        "step-rest": "{who} does nothing",
        "step-no-legions": "{who} would attack, but has no legions",
        "step-all-own": "{who} finds only provinces of their own around {land}",
        "step-npc-attack": "{who} attacks {land}",
        "step-npc-ally": "{who} offers the holder of {land} an alliance",
        "step-recruit": "Every general recruits one legion for each province",
        "step-events": "The number of events this year is rolled",
        "step-assassination": "{who} is murdered",
        "step-new_general": "{who}, a new general, rises in {land} with {legions}",
        "step-new_general-nothing": "No new general rises",
        "step-epidemic": "An epidemic strikes {land}",
        "step-prosperity": "{land} prospers",
        "step-rebellion": "A local rebellion breaks out in {land}",
        "step-invasion": "The {people} invade {land}",
        "step-invasion-nothing": "The {people} invade, but find nothing left of the Empire",
        "roll-action": "action",
        "means-nothing": "nothing",
        "means-ally": "an alliance",
        "means-attack": "attack",
        "roll-home": "from",
        "roll-neighbour": "around {home}",
        "means-onward": "{counted} has the same owner; on to {target}",
        "roll-answer": "answer",
        "means-yes": "YES",
        "means-no": "NO: battle at once",
        "roll-strength": "strength 2 +",
        "roll-initiative": "initiative",
        "roll-again": "tie, roll again",
        "means-first": "{side} first",
        "roll-devotes": "{side} devotes",
        "means-devoted": "{n} of {total}",
        "roll-events": "",
        "means-events": "events",
        "means-event": "event",
        "roll-event": "event",
        "roll-where": "province",
        "roll-victim": "victim",
        "roll-invader": "invader",
        "roll-legions": "legions 2 +",
        "spared": "there is no legion to lose",
        "outside": "the province is outside the Empire, so nothing happens",
        "sum-walkover": "{land} is undefended. {side} takes it.",
        "sum-unarmed": "{land} holds: {side} came without legions.",
        "sum-conceded": "{land} goes to {side} without a fight.",
        "sum-taken": "{side} takes {land}",
        "sum-overrun": "the {side} take {land}",
        "sum-held": "{land} holds",
        "sum-level": "Neither side has losses: {attacker} against {defender}",
        "sum-fallen": "Losses: {attacker} {fallen}, {defender} {killed}",
        "sum-merged": "{who} gains {land} without a fight",
        "sum-joined": "{other} joins {who} and hands over everything",
        "sum-out": "{who} is out of the game",
        "sum-won": "No rival is left: Rome is won",
        "sum-lost": "The reign has ended",
        "short-pass": "waited",
        "short-took": "took {land}",
        "short-beaten": "beaten at {land}",
        "short-alliance": "won {land} over",
        "short-joined": "joined {who}",
        "short-rest": "rested",
        "short-offers": "offers an alliance",
        "short-attacks": "attacks {land}",
        "short-out": "is out",
        "army": Plural("1 army", "{n} armies"),
        "legion": Plural("1 legion", "{n} legions"),
    },
)

FOUNDING = Texts(
    "march_on_rome.founding",
    {
        "about": (
            "The Empire has fallen apart, and legions have declared for you. March, bargain and "
            "hold on until no rival is left, and Rome is yours."
        ),
        "lasts": "1 player, one evening",
        "called": "The march of {general}",
        "general": "Your general",
        "general_help": "The name of your general. It is used only in the texts.",
        "initiative": "Barbarians strike harder",
        "initiative_help": (
            "The rules are unclear here (7.2): the source adds 2 for “NPCs and barbarians”, but "
            "also says that barbarians devote all they have. We suggest switching it on: "
            "barbarians who have the initiative then fight with two more armies."
        ),
        "must_be": "must have 1 to 40 printable characters",
        "won": (
            "{general} entered Rome in year {year}, with {provinces} provinces and {legions}"
            " legions"
        ),
        "lost": "{general}’s reign ended in year {year}",
        "rule": "Barbarians with the initiative",
        "rule_on": "two more armies (7.2)",
        "rule_off": "no extra armies",
        "turn": "year",
        "turns": "years",
        "campaign": "reign",
        "turn_number": "year {n}",
        "turn_of_turns": "year {n} of {turns}",
        "before_turns": "Before year 1",
        "turn_back": "Back by one year",
        "turn_forward": "Forward by one year",
        "turn_closed": "year {n} has ended",
        "turn_elsewhere": "year {n} was played elsewhere",
        "turn_closes": "until year {n} ends",
        "values_by_turn": "The values of an account in the course of each year, in order.",
        "fame_lost": (
            "Dice were thrown: if you do this, this reign cannot enter the hall of fame."
        ),
    },
)

LESSON = Texts(
    "games.march_on_rome.lesson",
    {
        "name": "Learn March on Rome",
        "about": (
            "Three years of a general: an attack, an offer of alliance, and a year in which you "
            "only recruit."
        ),
        "steps": {
            "attack": {
                "head": "Attack a neighbour",
                "text": (
                    "You are a general with six legions in Asia. The numbers on the map are your "
                    "chances of winning. Tap Syria, then tap it again or press “Attack Syria”."
                ),
                "late": (
                    "You cannot reach Syria this time. Tap another neighbour and attack it, or "
                    "start the lesson again."
                ),
            },
            "devote": {
                "head": "How many legions go?",
                "text": (
                    "More legions win more often, but you risk more of them. Both sides take "
                    "turns to roll three dice; each 1 removes enemy legions. Press the button "
                    "with the suggested number."
                ),
                "late": (
                    "There was no battle this time. Choose what to do this year: tap Achaia or "
                    "another neighbour."
                ),
            },
            "ally": {
                "head": "The second year",
                "text": (
                    "A rival who is no stronger than you joins you on a 1 or 2; a stronger rival "
                    "would absorb you. Tap Achaia and press “Offer Achaia an alliance”. If the "
                    "answer is no, you attack at once."
                ),
                "late": (
                    "Achaia is not one of your neighbours this time. Tap another province, and "
                    "offer it an alliance or attack it."
                ),
            },
            "again": {
                "head": "The answer is no",
                "text": "So there is a battle. Press the button with the suggested number.",
                "late": (
                    "There was no battle this time. Choose what to do this year, or press “Pass "
                    "the year”."
                ),
            },
            "pass": {
                "head": "A quiet year",
                "text": (
                    "When it is your choice again, press “Pass the year”. You then only recruit "
                    "one legion for each of your provinces. But do not wait too long, or your "
                    "rivals will overtake you."
                ),
            },
            "on": {
                "head": "You know how to play",
                "text": (
                    "You win if, at the end of a year, you hold at least three provinces and no "
                    "rival is alive. You lose when you hold no province."
                ),
            },
        },
    },
)
