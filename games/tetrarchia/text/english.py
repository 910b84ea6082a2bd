"""The English texts of Tetrarchia.

Other languages are in locale/ (docs/contribute/translating.md).
"""

from __future__ import annotations

from engine.language import Plural, Texts

WORDS = Texts(
    "tetrarchia.words",
    {
        "reserve": "the reserve",
        "about": "plays {names}",
        "seats": {"tetrarchy": "The Tetrarchy", "east": "The East", "west": "The West"},
        "seats-within": {"east": "the East", "west": "the West"},
        "emperors": {
            "diocletian": "Diocletian",
            "galerius": "Galerius",
            "constantius": "Constantius",
            "maximian": "Maximian",
        },
        "tokens": {"unrest": "Unrest", "revolt": "Revolt", "barbarians": "armies"},
        "variants": {
            "imperium": "Imperium",
            "mare_nostrum": "Mare nostrum",
            "diarchia": "Diarchia",
            "patres_patriae": "Patres patriae",
            "the_great": "The Great",
            "amphibious": "amphibious attacks",
        },
        "accounts": {
            "ip": "Imperium Points",
            "supply": "tokens",
            "removed": "tokens given up",
            "glory": "glory",
            "unrest": "Unrest",
            "revolt": "Revolt",
            "barbarians": "armies",
        },
        "and": " and ",
        "again": "{what}, again",
        "of-emperor": "{said} ({emperor})",
        "causes": {
            "opening": "set up",
            "certain": "this happens",
            "allowance": "Imperium Points of the turn",
            "lapsed": "unspent points are lost",
            "begun": "the first threats are placed, level {level}",
            "fleets": "fleets in {zones_text}",
            "turn": "{emperor}’s turn, round {round}",
            "ended": "{emperor} ends the turn",
            "entered": "{emperor} enters the board in {space}",
            "moved": "{emperor} moves to {to}",
            "moved-by": "{emperor} moves to {to} by way of {way_text}",
            "sailed": "a fleet sails from {zone} to {to_zone}",
            "secured-border": "{emperor} secures the border at {space}",
            "secured": "{emperor} secures {space}",
            "subdued-remove": "{emperor} removes {was_name} from {space}",
            "subdued-calm": "{emperor} calms Revolt in {space} to Unrest",
            "subdued": "{emperor} subdues {space}",
            "attack": (
                "{emperor} with {roman_text} against the army in {army} with {barbarian_text}"
            ),
            "victory": "{emperor} beats the army of {army}",
            "defeat": "the army of {army} beats {emperor}",
            "draw": "{emperor} and the army of {army} fight to a draw",
            "beaten": "army beaten by {emperor}",
            "fled": "token in the space from which {emperor} fled",
            "moved_in": "{emperor} moves into {to}",
            "army_removed": "the army in {space} is removed",
            "glory": "glory of {emperor}",
            "shame": "glory that {emperor} loses",
            "regained": "{emperor} gets a token back",
            "emperor_removed-revolt": "{emperor} leaves the board because of the Revolt in {space}",
            "emperor_removed-defeat": "{emperor} leaves the board, beaten in {space}",
            "emperor_removed-sharing": "{emperor} finds no room in {space} and leaves the board",
            "status_revolt": "Unrest in {space} becomes Revolt",
            "threat-token": "a threat to {space}, which holds",
            "threat": "a threat to {space}",
            "unrest": "Unrest in {space}",
            "revolt": "Revolt in {space}",
            "uprising": "uprising in {space}",
            "echo": "an aftermath in {region}, whose border is not empty",
            "invaders": "an army gathers in {space}",
            "advance": "the army of {space} advances to {to}",
            "blocked": "the army of {space} is blocked by another army in {to}",
            "not_linked-status": "no link from {to} to {space} this time",
            "not_linked-uprising": "no link from {to} to {space} this time",
            "not_linked-advance": "no link from {space} to {to} this time",
            "devastation": "{space} is laid waste",
            "imperium": "{emperor} gives up {n}",
            "patres-diocletian": "{emperor} takes a point from {other}’s next turn",
            "patres-constantius": "{emperor} gives a point to {other}’s next turn",
            "patres": "{other}’s next turn has {change_text}",
            "pays-move": "paid for a move",
            "pays-sail": "paid for a fleet’s voyage",
            "pays-secure": "paid for placing a token",
            "pays-subdue": "paid to subdue",
            "pays-attack": "paid for an attack",
            "won": "all six borders are secured: the game is won in round {round}",
            "lost-rome": "barbarians enter ROMA: the game is lost in round {round}",
            "lost-no_revolt": "no Revolt token is left to place: the game is lost in round {round}",
            "lost-no_unrest": "no Unrest token is left to place: the game is lost in round {round}",
            "course-fleets": "the fleets",
            "course-turn": "{emperor}’s turn",
            "wait-begin": "roll the first threats",
            "wait-fleets": "place {fleets_text}",
            "wait-turn": "play {emperor}’s turn of round {round}",
        },
        "moves": {
            "begin": "rolls the first threats",
            "place_fleets": "places fleets in {zones_text}",
            "enter": "enters in {at}",
            "move": "moves to {goal}",
            "sail": "sends a fleet from {from} to {to}",
            "secure": "secures the space",
            "subdue-remove": "subdues the space",
            "subdue-calm": "calms the space",
            "attack": "attacks the army in {target}",
            "imperium": "gives up {tokens_text} for as many points",
            "patres-diocletian": "takes a point from Galerius’s next turn",
            "patres-constantius": "gives a point to Maximian’s next turn",
            "patres": "uses Patres patriae",
            "end_turn": "ends the turn",
        },
        "errors": {
            "unknown-move": "There is no move called “{name}”.",
            "not-a-move": "A move must be an object.",
            "argument-missing": "The move needs the argument “{key}”.",
            "unknown-argument": "The move “{move}” has no argument “{key}”.",
            "not-a-voice": "No one of this name can make moves here.",
            "not-text": "The argument “{key}” must be text.",
            "not-texts": "The argument “{key}” must be a list of texts.",
            "no-step": "A path must have at least one step.",
            "not-number": "The argument “{key}” must be a whole number from 1.",
            "not-a-way": "The argument “{key}” must be one of: {ways}.",
            "bad-argument": "This cannot be recorded.",
            "game-over-won": "The Empire is saved, and the game has ended.",
            "game-over-lost": "The Empire is lost, and the game has ended.",
            "game-over-None": "The game has ended.",
            "wrong-phase-setup": "The first threats have not been rolled yet.",
            "wrong-phase-fleets": "The fleets have to be placed first.",
            "wrong-phase-roman": "The game has already begun: it is an Emperor’s turn.",
            "not-the-owner": "Only the owner of the table can roll the first threats.",
            "not-your-turn": "It is {emperor}’s turn.",
            "must-enter": "{emperor} is off the board and must enter first.",
            "cannot-enter": "{emperor} cannot enter the board now.",
            "bad-entry": "{emperor} can only enter in ROMA or in {space}.",
            "entry-blocked": "{space} is not free.",
            "off-board": "{emperor} has left the board and can only end the turn.",
            "sharing": (
                "{emperor} shares ROMA with another Emperor and can only move, send a fleet or "
                "end the turn."
            ),
            "unknown-province": "There is no province called “{name}”.",
            "not-linked": "{to} is not linked to {space}.",
            "barbarian-there": "There is an army in {space}.",
            "occupied": "There is another Emperor in {space}.",
            "not-enough-ip": "This costs {cost}, but only {ip_text}.",
            "no-fleet": "There is no fleet in {zone}.",
            "not-adjacent": "{to_zone} is not next to {zone}.",
            "zone-taken": "There is already a fleet in {zone}.",
            "bad-zones": "Choose {zones_count}, all different.",
            "token-there": "There is already a token in {space}.",
            "no-tokens": "{emperor} has no token left.",
            "not-so-many": "{emperor} has only {n} left.",
            "region-in-revolt": "There is Revolt in {region}: its border cannot be secured.",
            "nothing-to-remove": "There is neither Unrest nor Revolt in {space}.",
            "nothing-to-calm": "There is no Revolt in {space}.",
            "no-unrest-tokens": "No Unrest token is left to calm a Revolt.",
            "no-barbarian": "There is no army in {space}.",
            "variant-off": "This game is played without {variant}.",
            "no-father": "Only Diocletian can take a point, and only Constantius can give one.",
            "once-a-round": "{emperor} has already done this in this round.",
            "no-dice": "There are no more dice.",
        },
        "counts": {
            "point": Plural("{n} point", "{n} points"),
            "fleet": Plural("one fleet", "{n} fleets"),
            "token": Plural("one token", "{n} tokens"),
            "zone": Plural("one zone of the sea", "{n} zones of the sea"),
            "left": Plural("1 point is left", "{n} points are left"),
            "more": Plural("one point more", "{n} points more"),
            "less": Plural("one point less", "{n} points less"),
        },
        "sums": {
            "plain": "{die} + {support} = {value}",
            "times": "({die} + {support}) × {times} = {value}",
        },
        "rolls": {
            "setup/revolt": "first Revolt in {region}",
            "setup/extra/region": "extra Revolt {no}: region",
            "setup/extra/number": "extra Revolt {no}: province",
            "setup/barbarian": "army {no}: region",
            "attack/roman": "{emperor}’s attack {no}: Rome",
            "attack/barbarian": "{emperor}’s attack {no}: barbarians",
            "status": "status: {to} to {space}",
            "threat/region": "threat: region",
            "threat/number": "threat {no}: province",
            "uprising": "uprising {no}: broken link to {space}",
            "echo": "aftermath of uprising {no}",
            "advance": "advance from {space}",
            "battle/roman": "battle with the army of {space}: Rome",
            "battle/barbarian": "battle with the army of {space}: barbarians",
        },
    },
)

FAULTS = Texts(
    "tetrarchia.faults",
    {
        "boolean-and-list": "must be true or false, and agree with the list",
        "caesar": "must be named with three players, and only then",
        "great": "the_great cannot be used with three players",
        "level": "must be four digits: tokens 3-5, fleets 1-3, extra revolts 0-2, armies 0-2",
        "names-once": "must be a list of names, each once",
        "of": "must be of {values}",
        "token-beyond": "only an Emperor's token may be beyond a border",
    },
)

CHRONICLE = Texts(
    "tetrarchia.chronicle",
    {
        "round": "Round {n}",
        "report": {
            "round": "Round {n}",
            "chronicle": "The chronicle of the Tetrarchy",
            "final": "The end",
            "opening": "Set-up",
            "turn": "{emperor}",
            "dice": "Dice",
            "board": "The board",
            "numbers": "Round by round",
            "steps": "The last turn",
            "score": "Score",
            "details": "All moves and dice",
            "won": (
                "The Empire is saved: all six borders are secured after {rounds} at level {level}."
                " {players}"
            ),
            "lost": "The Empire is lost after {rounds} at level {level}, with {borders}. {players}",
            "players": "At the table: {names}.",
            "nobody": "",
            "player": "{seat} ({name})",
            "none": "no token",
            "head_board": ["region", "Emperors’ tokens", "Unrest", "Revolt", "border"],
            "head_numbers": ["round", "borders", "Revolt", "Unrest", "armies"],
            "head_score": ["score", "points"],
            "secured": "secured",
            "open": "open",
            "no_border": "·",
            "scores": {
                "secured": "borders secured: {n}",
                "quiet": "ITALIA without Revolt",
                "unsecured": "borders open: {n}",
                "armies": "armies on the board: {n}",
                "heavy": "heavy regions: {n}",
                "sum": "total",
            },
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
        ],
        "ordinals": ["", "first", "second", "third", "fourth", "fifth", "sixth"],
        "units": {
            "rounds": Plural("{n} round", "{n} rounds"),
            "borders": Plural("{n} border secured", "{n} borders secured"),
        },
        "sentences": {
            "begun": ["Revolt broke out in {spaces}."],
            "begun.army": ["Barbarians gathered beyond the border, in {spaces}."],
            "secured": [
                "{emperor} secured the border at {space}, the {nth} of six.",
                "At {space}, {emperor} closed the {nth} of the six borders.",
            ],
            "subdued": [
                "{emperor} put down the unrest in {spaces}.",
                "{emperor} restored order in {spaces}.",
            ],
            "calmed": ["{emperor} calmed {spaces}."],
            "pacified": ["{emperor} restored order in {spaces} and calmed {others}."],
            "won.attack": [
                "{emperor} attacked the army in {army} and destroyed it.",
                "In {army} {emperor} met the barbarians and beat them.",
            ],
            "won.attack.helped": [
                "{emperor}, helped by {helpers}, attacked the army in {army} and destroyed it.",
                (
                    "In {army} {emperor} met the barbarians; {helpers} came from the other side, "
                    "and the barbarians were beaten."
                ),
            ],
            "lost.attack": [
                "{emperor} attacked the army in {army} and had to flee from {space}.",
                "{emperor} had no luck against the army in {army} and fled from {space}.",
            ],
            "level.attack": ["{emperor} and the army in {army} fought, and neither gave way."],
            "won.defence": [
                "The army in {army} fell upon {emperor} in {space} and was destroyed.",
                "{emperor} held {space} and destroyed the army that came from {army}.",
            ],
            "lost.defence": ["The army in {army} fell upon {emperor}, who had to leave {space}."],
            "level.defence": ["{emperor} held {space} against the army in {army}."],
            "revolt.left": ["{emperor} had to leave {space} to the Revolt."],
            "status": [
                "The unrest in {spaces} became open revolt.",
                "In {spaces} unrest turned to revolt.",
            ],
            "uprising": [
                "{space} rose a second time, and {spaces} rose with it.",
                "An uprising in {space} carried {spaces} along.",
            ],
            "uprising.alone": [
                "{space} rose a second time, but there was nothing left to lose around it.",
                "An uprising in {space} found no neighbour to carry along.",
            ],
            "invaders": [
                "Barbarians gathered in {space}.",
                "A new army of barbarians appeared in {space}.",
            ],
            "crossed": [
                "The army of {space} crossed the border into {to}.",
                "From {space} barbarians broke into {to}.",
            ],
            "italia": [
                "Barbarians entered ITALIA: {to} was laid waste.",
                "{to} in ITALIA was laid waste by barbarians.",
            ],
            "near": ["From there it is one march to ROMA."],
            "sharing": ["{emperor} found no room in ROMA and left again."],
            "won": ["All six borders were secured. Roma victrix!"],
            "lost.rome": ["The barbarians marched into ROMA, and the Empire was lost."],
            "lost.no_revolt": ["The revolts could no longer be counted, and the Empire was lost."],
            "lost.no_unrest": ["The unrest could no longer be counted, and the Empire was lost."],
        },
    },
)

PAGE = Texts(
    "tetrarchia.page",
    {
        "board": {
            "title": (
                "The board: 42 provinces and six lands beyond the borders, with their links,"
                " tokens, Emperors and armies. The table below shows the same."
            ),
            "space": "{name}: {what}",
            "token-of": "token of {name}",
            "unrest": "Unrest",
            "revolt": "Revolt",
            "printed": "printed token",
            "army": "a barbarian army",
            "nothing": "empty",
        },
        "title-setup": "The Empire in four hands",
        "title-fleets": "The fleets",
        "title-roman": "{name}, round {round}",
        "title-over": "The end",
        "title-won": "The Empire is saved",
        "title-lost": "The Empire is lost",
        "from-to": "{first} to {last}",
        "none": "none",
        "unrest": "Unrest",
        "revolt": "Revolt",
        "printed": "printed token",
        "stands": "in {space}",
        "off": "off the board",
        "points-left": Plural("1 point is left", "{n} points are left"),
        "tokens": Plural("one token", "{n} tokens"),
        "steps": Plural("1 step from ROMA", "{n} steps from ROMA"),
        "rounds": Plural("one round", "{n} rounds"),
        "fleet": "fleet",
        "shared": (
            "Everyone plays {name}: anyone may propose moves, and the player of {augustus} makes "
            "them."
        ),
        "remove-unrest": "Remove the Unrest in {space}",
        "remove-revolt": "Remove the Revolt in {space}",
        "calm": "Calm the Revolt in {space} to Unrest",
        "secure": "Secure {space} with a token",
        "secure-border": "Secure the border at {space}",
        "sail": "Send a fleet from {zone} to {to}",
        "patres-diocletian": "Take a point from Galerius’s next turn",
        "patres-constantius": "Give a point to Maximian’s next turn",
        "chain": Plural("support: {chain}", "support: {chain}"),
        "chain-none": "no token within reach supports the attack",
        "revolts": Plural(
            "support: the Revolt in {chain}", "support: {n} linked spaces in Revolt, {chain}"
        ),
        "revolts-none": "no Revolt supports it",
        "if-token": "one more token in the chain",
        "if-away": "{name} elsewhere",
        "if-revolt": "one Revolt fewer linked to it",
        "was-victory": "won",
        "was-defeat": "lost",
        "was-draw": "drawn",
        "step-status": "Unrest linked to Revolt",
        "step-leave": "Emperors on a Revolt leave the board",
        "step-threat": "The threat",
        "step-uprising": "Uprising",
        "step-advance": "The armies advance, nearest to ROMA first",
        "step-next": "Next",
        "reserve-revolt": Plural("1 Revolt token", "{n} Revolt tokens"),
        "reserve-unrest": Plural("1 Unrest token", "{n} Unrest tokens"),
        "reserve-barbarians": Plural("1 army", "{n} armies"),
        "army-open": "moves to {to} next",
        "army-broken": "moves to {to} next, over a broken link: on 4 to 6",
        "army-battle": "meets {name} in {to} next: a battle",
        "army-battle-broken": "meets {name} in {to} next, over a broken link: a battle on 4 to 6",
        "army-blocked": "waits for the army in {to} to move on",
        "die-nothing": "Nothing",
        "die-nothing-why": "an Emperor’s token is there",
        "die-unrest": "Unrest",
        "die-unrest-why": "no token is there",
        "die-revolt": "Revolt",
        "die-revolt-why": "from Unrest",
        "die-uprising": "Uprising",
        "die-uprising-why": "from Revolt: everything linked to it revolts",
        "variant-imperium": "Imperium",
        "variant-mare_nostrum": "Mare nostrum",
        "variant-diarchia": "Diarchia",
        "variant-patres_patriae": "Patres patriae",
        "variant-the_great": "The Great",
        "variant-amphibious": "amphibious attacks",
        "why-rome": "An army has entered ROMA.",
        "why-no_revolt": "A Revolt token was needed, and none was left.",
        "why-no_unrest": "An Unrest token was needed, and none was left.",
        "score-secured": "borders secured: {n}",
        "score-quiet": "no Revolt in ITALIA",
        "score-loud": "Revolt in ITALIA",
        "score-open": "borders open: {n}",
        "score-armies": "armies on the board: {n}",
        "score-heavy": "regions with Unrest and Revolt that cost more than 6 IP to remove: {names}",
        "named-great": "the Great",
        "named-east": "Emperor of the East",
        "named-west": "Emperor of the West",
        "told-border": "{name} secured the border at {space}.",
        "told-victory": "{name} beat the army of {space}.",
        "told-defeat": "{name} lost against the army of {space}.",
        "told-uprising": "An uprising spread from {space}.",
        "told-invaders": "An army gathered in {space}.",
        "aim-1": "no one gets a title",
        "aim-2": "one of its Emperors is the Great",
        "aim-4": "its Emperor gets a title",
        "ip": Plural("1 IP", "{n} IP"),
        "bar-setup": "Four Emperors, one Empire",
        "bar-fleets": "Where the fleets begin",
        "spent-enter": "Enter",
        "spent-move": "Move",
        "spent-sail": "Sail",
        "spent-secure": "Secure",
        "spent-subdue": "Subdue",
        "spent-attack": "Attack",
        "spent-imperium": "Imperium",
        "spent-patres": "Patres",
        "purse": Plural("1 token", "{n} tokens"),
        "in-reserve": Plural("1 token in reserve", "{n} tokens in reserve"),
        "open": Plural("1 open border", "{n} open borders"),
        "few": Plural(
            "This is {name}’s last token. All four Emperors together have {all} for {open}.",
            "{name} has {n} tokens left. All four Emperors together have {all} for {open}.",
        ),
        "secure-unrest": "Remove the Unrest in {space} before you place a token there.",
        "secure-revolt": "Remove the Revolt in {space} before you place a token there.",
        "secure-token": "{name}’s token already holds {space}.",
        "secure-printed": "The token printed on {space} already holds it.",
        "secure-none": "{name} has no token in reserve and cannot secure anything.",
        "secure-border-revolt": (
            "The border at {space} cannot be secured while there is Revolt in {spaces}."
        ),
        "secure-cost": "Securing this space costs {price}, but {name} has only {left}.",
        "there-none": "There: no token. {name} has none in reserve to secure it.",
        "there-border-revolt": (
            "There: the border. It cannot be secured while there is Revolt in {spaces}."
        ),
        "there-cost": "There: no token. Securing it costs {price}, more than will be left.",
        "there-unrest-later": "There: Unrest. Removing it costs {price}, more than will be left.",
        "there-revolt-later": "There: Revolt. Removing it costs {price}, more than will be left.",
        "outlook-lost": "The game is lost",
        "outlook-rome": (
            "The army beside ROMA will enter it in the coming barbarian phase, and no Emperor can "
            "stop it."
        ),
        "outlook-no_revolt": (
            "The coming barbarian phase needs more Revolt tokens than are left, and no Emperor can "
            "prevent this."
        ),
        "outlook-stalled": "No Emperor has a token left, so no border can be secured now.",
        "outlook-stalled-why": (
            "A token comes back only when a Revolt, an army or a defeat takes it from the board. "
            "You can play on and hope for this, or end the game here with {open}."
        ),
        "outlook-stalled-imperium": (
            "A token comes back only when a Revolt, an army or a defeat takes it from the board, or"
            " when an Emperor wins a battle after giving up a token. You can play on and hope for "
            "this, or end the game here with {open}."
        ),
        "outlook-end": "Ways to end the game",
        "do-end-lost": "End the turn and the game",
        "bar-turn": "{name} in {space}, {left}, {tokens}",
        "bar-off": "{name} enters the board",
        "bar-gone": "{name} has left the board",
        "bar-over": "The end",
        "hint-watch": "It is another player’s turn.",
        "hint-setup": "Dice decide where the first Revolts and armies appear.",
        "hint-fleets": (
            "Tap a sea to move a fleet there. Two coasts of a sea with a fleet are one step apart."
        ),
        "hint-enter": "Choose where to enter. It costs nothing.",
        "hint-gone": "{name} can do nothing more this turn and enters again in the next.",
        "hint-sharing": (
            "{name} shares ROMA and may only march, send a fleet or end the turn. An Emperor who "
            "still shares ROMA at the end of the turn leaves the board."
        ),
        "hint-turn": "Tap a ringed space to march, an army to attack, a fleet to sail.",
        "hint-spent": "{name} has spent all points. End the turn, or take something back.",
        "hint-over": "The game has ended.",
        "drawer": "{left} · plan, odds, threats",
        "drawer-plain": "Plan, odds, threats",
        "march": "March to {space}, {price}",
        "do-march": "March to {space}",
        "march-sub": "Route: {way}; {left} will be left. {there}",
        "by-sea": "by sea to {space}",
        "march-first": "March to {space} first.",
        "there-unrest": "There: Unrest, {price} to remove.",
        "there-revolt": "There: Revolt, {price} to remove.",
        "there-token": "There: {name}’s token.",
        "there-printed": "There: a printed token.",
        "there-open": "There: no token, {price} to secure.",
        "there-border": "There: the border, {price} to secure.",
        "off-taken": "{name} is in {space}: you can pass through, but not stop.",
        "off-far": "The way to {space} costs {price}, but {name} has only {left}.",
        "off-closed": "No way leads to {space} now.",
        "off-attack": "An attack on {space} costs more than the {left} that {name} has left.",
        "attack": "Attack the army in {space}, {price}",
        "do-attack": "Attack {space}",
        "attack-sub": "{won} to win, {level} to draw, {lost} to lose. The dice are rolled at once.",
        "attack-note": (
            "If you win, the army and its token are removed, and the Emperor moves in. If you "
            "lose, the Emperor leaves the board. In a draw, only the points are spent."
        ),
        "odds-won": "won",
        "odds-level": "drawn",
        "odds-lost": "lost",
        "odds-exact": "Of 36 pairs of dice, {won} win, {level} draw and {lost} lose.",
        "sum-ours": "The Emperor’s tokens in one group: {spaces}",
        "sum-ours-helped": "{names} linked to the army",
        "sum-ours-all": "Rome",
        "sum-theirs": "Revolts in one group: {spaces}",
        "sum-theirs-helped": "The army in {names} linked to the Emperor",
        "sum-theirs-all": "Barbarians",
        "do-begin": "Roll the first threats",
        "do-fleets": "Place the fleets",
        "do-end": "End the turn: the barbarians come",
        "do-enter": "Enter in {space}",
        "do-secure": "Secure {space}",
        "do-secure-border": "Secure the border at {space}",
        "do-remove-unrest": "Remove the Unrest",
        "do-remove-revolt": "Remove the Revolt",
        "do-calm-revolt": "Calm the Revolt to Unrest",
        "do-imperium": "Give up a token for 1 IP",
        "do-sail": "Sail to {zone}, {price}",
        "fleet-in": "Fleet in {zone}",
        "sail-sub": "An Emperor can send any fleet, from anywhere on the board.",
        "die-region": "region",
        "die-province": "province",
        "die-broken": "broken link",
        "die-barbarians": "barbarians",
        "film-first": "Dice decide where the first threats are.",
        "film-first-revolt": "There is Revolt in {space}.",
        "film-first-army": "An army gathers in {space}.",
        "film-status": "Unrest beside a Revolt becomes Revolt: in {spaces}.",
        "film-status-none": "No Revolt crosses a broken link: all Unrest stays Unrest.",
        "film-status-try": "Revolt spreads to Unrest over a broken link on 4 to 6.",
        "film-threat": "Two dice decide which province is threatened: its region and its number.",
        "film-threat-again": (
            "The aftermath strikes again in this region. A die decides in which province."
        ),
        "film-threat-held": "{coord} is {space}. A token holds it, and nothing happens.",
        "film-threat-open": "{coord} is {space}. There is Unrest now.",
        "film-threat-unrest": "{coord} is {space}. Its Unrest becomes Revolt.",
        "film-threat-revolt": "{coord} is {space}. It is already in Revolt: an uprising begins.",
        "film-uprising": "The provinces linked to {space} revolt, too.",
        "film-uprising-try": "The uprising crosses a broken link on 4 to 6.",
        "film-echo": "The uprising has an aftermath. A die decides in which region.",
        "film-broken": "The army in {space} crosses the broken link to {to} on 4 to 6.",
        "film-held": "The army in {space} cannot cross the broken link to {to} this time.",
        "film-march": "The army marches from {space} to {to}, {steps}.",
        "film-attack": "{name} attacks the army in {army}.",
        "film-attacked": "The army of {army} attacks {name} in {space}.",
        "film-victory": (
            "{name} wins with {ours} against {theirs}. The army of {army} is destroyed."
        ),
        "film-defeat": "{name} loses with {ours} against {theirs} and leaves the board.",
        "film-draw": "{ours} against {theirs} is a draw. Nothing changes.",
        "film-turn": "It is {name}’s turn, with {left}.",
        "aim-met": "{seat}: objective reached ({aim}).",
        "aim-missed": "{seat}: objective missed ({aim}).",
    },
)

FOUNDING = Texts(
    "tetrarchia.founding",
    {
        "turn": "round",
        "turns": "rounds",
        "campaign": "tetrarchy",
        "active": "{seat} to move",
        "idle": "no one to move",
        "start": "At the start, the first Revolts and armies are rolled.",
        "turn_number": "round {n}",
        "turn_of_turns": "round {n} of {turns}",
        "before_turns": "Before round 1",
        "turn_back": "Back by one round",
        "turn_forward": "Forward by one round",
        "turn_closed": "round {n} has ended",
        "turn_elsewhere": "round {n} was played elsewhere",
        "turn_closes": "until round {n} ends",
        "values_by_turn": "The values of an account in the course of each round, in order.",
        "about": (
            "Four Emperors, one Empire: bring Revolt under control and secure all six borders "
            "before an army enters Rome. Everyone wins or loses together."
        ),
        "lasts": "1 to 4 players; about an hour, or a few weeks at a distance",
        "players": "Players",
        "players_help": (
            "One player leads all four Emperors. Two players lead one half of the Empire each,"
            " three or four players one Emperor each."
        ),
        "players_1": "1: all four Emperors, or everyone at this screen",
        "players_2": "2: East and West",
        "players_3g": "3: Diocletian, Maximian and Galerius",
        "players_3c": "3: Diocletian, Maximian and Constantius",
        "players_4": "4: one Emperor each",
        "tokens": "Tokens of each Emperor",
        "tokens_help": (
            "More is easier. To begin with, choose 4 tokens, 2 fleets, no extra Revolts and no "
            "armies. The usual game has 4, 2, 1 and 1."
        ),
        "fleets": "Fleets",
        "revolts": "Extra Revolts",
        "armies": "Armies at the start",
        "armies_help": "More Revolts and more armies are harder.",
        "imperium": "Variant Imperium: give up tokens for points",
        "mare_nostrum": "Variant Mare nostrum: zones with fleets are one sea",
        "diarchia": "Variant Diarchia: a colleague’s tokens give support, too",
        "patres_patriae": "Variant Patres patriae: colleagues can pass on points",
        "the_great": "Variant The Great: glory and titles (not with three)",
        "amphibious": "Attacks across a sea with a fleet (our own rule)",
        "called": "Tetrarchy {level}",
        "won": "the Empire saved in round {round}, level {level}, {secured} borders secured",
        "lost": "the Empire lost in round {round}, level {level}, borders secured: {secured}",
        "division": "Level {level}",
        "level": "Level",
        "level_text": (
            "{level}: tokens {tokens}, fleets {fleets}, extra Revolts {revolts}, armies {armies}"
        ),
        "variants": "Variants",
        "none": "none",
        "must_be": "must be one of the listed values",
    },
)

BOTS = Texts(
    "tetrarchia.bots",
    {
        "random": "careless",
        "random-about": "any move that the rules allow",
        "sensible": "careful",
        "sensible-about": (
            "plans each turn for its Emperor and considers where the barbarians will be"
        ),
    },
)

LESSON = Texts(
    "games.tetrarchia.lesson",
    {
        "name": "Learn Tetrarchia",
        "about": (
            "A real game at level 4200: a turn of Diocletian, a barbarian phase, and a battle of "
            "Galerius."
        ),
        "steps": {
            "fleets": {
                "head": "Place the fleets",
                "text": (
                    "You have two fleets for two seas. All coasts of a sea with a fleet are one "
                    "step apart. Press “Place the fleets” in the bar."
                ),
            },
            "enter": {
                "head": "Diocletian enters",
                "text": (
                    "Four Emperors take turns, and you lead them all. Press “Enter in BITHYNIA”. "
                    "It costs nothing."
                ),
            },
            "march": {
                "head": "March along the links",
                "text": (
                    "A link costs 1 point, a dashed link 2, and a step into a Revolt 1 more. Tap "
                    "ASIA: the way lights up with its price. Tap ASIA again, or press “March to "
                    "ASIA”."
                ),
                "late": (
                    "Diocletian has too few points left for this way now. Take a march back, or "
                    "end the turn and continue from there."
                ),
            },
            "quiet": {
                "head": "Put down a Revolt",
                "text": (
                    "The red triangle is a Revolt. If you leave it alone, it spreads. Press "
                    "“Remove the Revolt, 2 IP” in the bar."
                ),
                "late": "No points are left for this. Take something back, or end the turn.",
            },
            "secure": {
                "head": "Leave your token",
                "text": (
                    "Press “Secure ASIA, 1 IP”. No threat puts Unrest on a province with your "
                    "token, and the token supports you in battle."
                ),
                "late": "No points are left for this. Take something back, or end the turn.",
            },
            "end": {
                "head": "End the turn",
                "text": (
                    "So far you could take everything back. Press “End the turn: the barbarians "
                    "come”. Then dice are rolled, and the board shows what happens."
                ),
            },
            "galerius": {
                "head": "The next Emperor",
                "text": "It is Galerius’s turn. Press “Enter in PANNONIA INFERIOR”.",
            },
            "attack": {
                "head": "Attack an army",
                "text": (
                    "A barbarian army is in DACIA. Tap it to see the way, its price and your "
                    "chances. An attack costs as much as a march there. Tap it again to attack."
                ),
                "late": (
                    "There is no army within reach in DACIA this time. March, put down a Revolt "
                    "or end the turn, or begin the lesson again."
                ),
            },
            "on": {
                "head": "You know how to play",
                "text": (
                    "You win when all six borders are secured. You lose when an army enters "
                    "ROMA, or when a Revolt or Unrest token is needed and none is left."
                ),
            },
        },
    },
)
