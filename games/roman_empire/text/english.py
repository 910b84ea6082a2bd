"""The English texts of History of the Roman Empire.

Other languages are in locale/ (docs/contribute/translating.md).
"""

from __future__ import annotations

from engine.language import Plural, Texts

WORDS = Texts(
    "roman_empire.words",
    {
        "nobody": "no one",
        "about": "of player {player}",
        "seat": "seat {seat}",
        "first-years": "60 BC–AD 14",
        "groups": {
            "red": "the red Faction",
            "blue": "the blue Faction",
            "white": "the white Faction",
            "purple": "the purple Faction",
            "rebel": "Rebels",
        },
        "factions": {
            "red": "Red Faction",
            "blue": "Blue Faction",
            "white": "White Faction",
            "purple": "Purple Faction",
        },
        "sources": {
            "start": "the start land",
            "sea": "the sea",
            "reentry": "exile",
            "revolt": "the revolt",
        },
        "counters": {"people": "a People counter", "emperor": "an Emperor counter"},
        "held": {"presence": "presence", "domination": "domination", "control": "control"},
        "winners": {},
        "and": " and ",
        "again": "{what}, again",
        "causes": {
            "certain": "this happens",
            "begun": (
                "Cities are placed in the four start lands, and each seat gets its hand of cards"
            ),
            "founded": "placed at the beginning",
            "dealt": "dealt at the beginning",
            "order": "the counters are drawn in this order: {order_text}",
            "drawn": "{seat} draws {what}",
            "looked": "the counter shows {n}",
            "kept": "{seat} keeps it",
            "passed": "{seat} passes it, face down",
            "dealt_out": "every seat has a People and an Emperor",
            "opened-people": (
                "{group} {group:begin their|begins its} phase with {in_hand_text} in hand"
            ),
            "opened-faction": "{emperor_text} leads {group}, with {in_hand_text} in hand",
            "placed": "an army of {group} is placed",
            "placed-strengthen": "{group} {group:add|adds} an army in {land}",
            "placed-vacant": "{group} {group:enter|enters} {land}",
            "placed-claim": "{group} {group:appear|appears} in {land}",
            "placed-own": "{group} {group:enter|enters} {land}, which the same seat holds",
            "placed-take": ("{group} {group:enter|enters} {land}, which has a Fort but no Legions"),
            "placed-attack": "{group} {group:attack|attacks} {land}",
            "asked_offer": "{seat} may offer points for {land}",
            "asked_retreat": "{seat} may retreat from {land}",
            "round-attacker": (
                "round {round} in {land}: the attacker throws {attacker} and reaches {mine}, the"
                " defender throws {thrown} and reaches {his}; the attacker wins"
            ),
            "round-defender": (
                "round {round} in {land}: the attacker throws {attacker} and reaches {mine}, the"
                " defender throws {thrown} and reaches {his}; the defender wins"
            ),
            "round-attacker-fort": (
                "round {round} in {land}: the attacker throws {attacker} and reaches {mine}, the"
                " defender throws {thrown} and reaches {his}; the walls fall"
            ),
            "round-defender-fort": (
                "round {round} in {land}: the attacker throws {attacker} and reaches {mine}, the"
                " defender throws {thrown} and reaches {his}; the walls hold"
            ),
            "round-tie": (
                "round {round} in {land}: the attacker throws {attacker} and reaches {mine}, the"
                " defender throws {thrown} and reaches {his}; both throw again"
            ),
            "rebel_round-attacker": (
                "round {round} of the rebellion in {land}: the Rebels throw {attacker} and reach"
                " {mine}, the defender throws {thrown} and reaches {his}; the Rebels win"
            ),
            "rebel_round-defender": (
                "round {round} of the rebellion in {land}: the Rebels throw {attacker} and reach"
                " {mine}, the defender throws {thrown} and reaches {his}; the Rebels lose"
            ),
            "rebel_round-attacker-fort": (
                "round {round} of the rebellion in {land}: the Rebels throw {attacker} and reach"
                " {mine}, the defender throws {thrown} and reaches {his}; the walls fall"
            ),
            "rebel_round-defender-fort": (
                "round {round} of the rebellion in {land}: the Rebels throw {attacker} and reach"
                " {mine}, the defender throws {thrown} and reaches {his}; the walls hold"
            ),
            "rebel_round-tie": (
                "round {round} of the rebellion in {land}: the Rebels throw {attacker} and reach"
                " {mine}, the defender throws {thrown} and reaches {his}; both throw again"
            ),
            "army_lost": "{group} {group:lose|loses} an army in {land}",
            "army_lost-saved": (
                "{group} {group:lose|loses} an army in {land}, but Elite Troops return it to the"
                " hand"
            ),
            "killed": "an army of {group} falls",
            "leader_killed": "a triple: the leader of {group} dies",
            "fort_lost": "{colour} {colour:lose|loses} a Fort in {land}",
            "fortress_lost": "{colour} {colour:lose|loses} a Fortress in {land}",
            "conquered": "{group} {group:conquer|conquers} {land}",
            "conquered-of": "{group} {group:conquer|conquers} {land} from {of}",
            "looted": "{group} {group:loot|loots} the City of {land} for {points_text}",
            "retreated": "{group} {group:retreat|retreats} from {land} to {to}",
            "retreated-lost": (
                "{group} {group:retreat|retreats} from {land} to {to} and {group:lose|loses}"
                " {lost_text}"
            ),
            "stood": "{seat} holds {land}",
            "stood-hold": "{seat} holds {land} to the end",
            "scattered": "an army of {group} makes way",
            "displaced": "{group} {group:make|makes} way in {land}",
            "displaced-lost": (
                "{group} {group:make|makes} way in {land} and {group:lose|loses} {lost_text}"
            ),
            "replaced": "{by} {by:take|takes} over from {group}",
            "overrun": (
                "{group} {group:take|takes} over {land} from {of}, which the same seat controls"
            ),
            "fort_kept": "the Fort stays, in the colour of {group}",
            "fort_taken": "{group} {group:take|takes} over a Fort in {land}",
            "city_built": "{group} {group:build|builds} a City in {land}",
            "scored": "{seat} scores {points_text}",
            "scored-none": "{seat} scores nothing",
            "turn": "period {period} begins",
            "lands": "points for the lands of the Faction",
            "kingdom_stands": "{group} still {group:exist|exists}: {points_text}",
            "game_end": "the Empire of the West has ended: {winner_text} wins; {totals_text}",
            "played": "a card is played",
            "event_played": "{card}",
            "event_played-land": "{card}: {land}",
            "event_played-area": "{card}: {area}",
            "event_played-people": "{card}: {people}",
            "event_played-use": "{card}: {use}",
            "kingdom_city": "a Kingdom gets a City",
            "sub_begun": "{group} {group:act|acts} with {n_text}",
            "sub_ended": "{group} {group:have|has} acted; {by} {by:continue|continues}",
            "struck": "{card} in {land}: {group} {group:lose|loses} {n_text}",
            "spared": "{card} spares {land}",
            "ruined": "{card}: the City of {land} lies in ruins",
            "destroyed": "{card}: the City of {land} is destroyed",
            "rebelled": "in {land}, {colour} {colour:lose|loses} {n_text} to the Rebels",
            "rebellion_over": "Rebels hold {land}",
            "rebellion_over-quelled": "the rebellion in {land} is put down",
            "betrayed": "{group} {group:are|is} betrayed",
            "taken_up": "{group} {group:take|takes} up {n_text} in {land}",
            "offered": "{seat} offers {points_text} for peace in {land}",
            "offered-none": "{seat} offers nothing",
            "declined": "{seat} refuses {points_text}",
            "accepted": (
                "{seat} takes {points_text}, and {group} {group:leave|leaves} {colour} in peace"
                " this turn"
            ),
            "started": "{seat} starts in {land}",
            "recruited": "{group} {group:recruit|recruits} {n_text}",
            "bribed": "{group} {group:bribe|bribes} {n_text} of the Rebels in {land}",
            "fort_built": "{group} {group:build|builds} a Fort in {land}",
            "fort_turned": ("{group} {group:turn their|turns its} Fort in {land} into a Fortress"),
            "rebuilt": "{group} {group:rebuild|rebuilds} the City of {land}",
            "course-draw": "drawing {what}",
            "course-people": "the People counters",
            "course-emperor": "the Emperor counters",
            "course-phase": "the phase of {group}",
            "course-phases": "the phases still to be called",
            "course-choice": "decision about {land}",
            "course-asked": "a decision by another seat, if needed",
            "wait-begin": "lay out the Cities and deal the cards",
            "wait-order": "determine the drawing order of period {period}",
            "wait-open": "open the next phase",
            "wait-draw": "draw {what} for period {period}",
            "wait-keep": "keep or pass {what}",
            "wait-phase": "play {group} in period {period}",
            "wait-retreat": "retreat from {land} or hold it",
            "wait-offer": "offer points for {land} or fight",
            "wait-answer": "take {points_text} for {land} or fight",
        },
        "moves": {
            "begin": "lays out the Cities and deals the cards",
            "order": "determines the drawing order",
            "open": "opens the next phase",
            "draw": "draws a counter",
            "keep": "keeps the counter",
            "pass_counter": "passes the counter to {to}",
            "place": "places an army in {land} from {source}",
            "place-same": "strengthens {land}",
            "place-start": "places the first army in {land}",
            "place-sea": "lands an army in {land}",
            "place-reentry": "returns to the map in {land}",
            "place-revolt": "raises the revolt in {land}",
            "take_up": "takes {n_text} back into the hand from {land}",
            "play_event": "plays {card}",
            "end_sub": "ends the sub-turn of the card",
            "end_phase": "ends the phase",
            "end_phase-cities": "ends the phase and builds Cities in {cities_text}",
            "retreat": "retreats to {to}",
            "retreat-stand": "holds for a round",
            "retreat-hold": "holds to the end",
            "retreat-lands": "sends the armies to {lands_text}",
            "retreat-usual": "leaves the retreat to the usual rule",
            "offer": "offers {points_text}",
            "answer-yes": "accepts the offer",
            "answer-no": "refuses the offer",
            "choose_start": "starts in {land}",
            "recruit": "recruits {n_text}",
            "bribe": "bribes the Rebels of {land}",
            "fort": "builds a Fort in {land}",
            "fortress": "turns the Fort in {land} into a Fortress",
            "rebuild": "rebuilds the City of {land}",
        },
        "errors": {
            "unknown-move": "There is no move called “{name}”.",
            "not-a-move": "A move must be an object.",
            "argument-missing": "The move needs the argument “{key}”.",
            "not-listed": "Only placements can be put on the list.",
            "unknown-argument": "The move “{move}” has no argument “{key}”.",
            "not-a-voice": "No one of this name can make moves here.",
            "not-text": "The argument “{key}” must be text.",
            "not-texts": "The argument “{key}” must be a list of texts.",
            "not-number": "The argument “{key}” must be a whole number.",
            "not-flag": "The argument “{key}” must be true or false.",
            "not-a-way": "The argument “{key}” must be one of: {ways}.",
            "no-cities-here": "Only a Faction can build Cities.",
            "retreat-or-hold": "You can retreat or hold, but not both.",
            "game-over": "The game has ended.",
            "not-your-turn": "It is {seat}’s turn.",
            "wrong-phase-setup": "The game has not begun yet.",
            "wrong-phase-draw": "The counters have to be drawn first.",
            "wrong-phase-turns": "The next phase has to be opened first.",
            "wrong-phase-people": "This is a People’s phase.",
            "wrong-phase-faction": "This is a Faction’s phase.",
            "begun-already": "The game has already begun.",
            "dead": "A Faction without Legions and points can only end its phases.",
            "phase-done": "This phase has ended. The next one has to be opened first.",
            "not-done": "The current phase has not ended yet.",
            "ordered": "The drawing order has already been determined.",
            "not-ordered": "The drawing order has not been determined yet.",
            "only-turn-1": "Start lands can only be chosen in period I.",
            "card-of-people": "{card} can only be played in a People’s phase.",
            "card-of-faction": "{card} can only be played in a Faction’s phase.",
            "no-sub-turn": "No Kingdom, Minor People or revived People is acting.",
            "pending-retreat": "{seat} must first decide whether to retreat.",
            "pending-offer": "{seat} must first decide whether to offer points.",
            "pending-answer": "{seat} must first answer the offer.",
            "counter-drawn": "First keep or pass the counter that has been drawn.",
            "nothing-pending": "There is nothing to decide.",
            "nothing-drawn": "No counter has been drawn.",
            "too-late": "This must be done before the first army is placed.",
            "start-chosen": "The start land has already been chosen.",
            "card-too-late": "{card} must be played before the first army is placed.",
            "no-fort-points": (
                "No fort points are left, and Forts can only be bought before the first army is "
                "placed."
            ),
            "unknown-land": "There is no land called “{name}”.",
            "no-units": "{group} {group:have|has} no army left to place.",
            "bad-from": "No army can come from “{name}”.",
            "no-revolt": "There is no revolt.",
            "other-revolt": "The revolt is in {land}.",
            "not-start": (
                "An army can only be placed in the start land while its group has no army on the"
                " map."
            ),
            "no-ships": "Only Legions can cross the sea.",
            "no-coast": "Legions can cross the sea only from one coastal land to another.",
            "no-return": "A Faction with no Legion on the map cannot come back there.",
            "not-adjacent": "{land} does not border {source}.",
            "not-beside": "{land} does not border a land that you hold.",
            "stack-full": "There are already three armies in {land}.",
            "cannot-loot": "The City of {land} cannot be looted.",
            "no-city": "There is no whole City in {land}.",
            "bad-number": "This number is not allowed.",
            "not-positive": "The number must be at least 1.",
            "not-negative": "The number must not be negative.",
            "no-fort-counters": "No Fort counter is left.",
            "not-controlled": "You do not control {land}.",
            "would-leave-vacant": "A Legion or a Fort must stay in {land}.",
            "legion-limit": "The limit is {limit} Legions; {room} can still be recruited.",
            "no-counters": "There are not enough Legion counters left.",
            "not-enough-vp": "This costs {cost_text}, but there are only {points}.",
            "bad-target": "This cannot be used there.",
            "no-start": "{land} is not a start land, or another seat has already chosen it.",
            "bribed": (
                "{group} {group:have|has} taken gold and must leave {colour} in peace this turn."
            ),
            "no-other-seat": "There is no other seat called “{name}”.",
            "no-shelter": "The armies cannot retreat to {land}.",
            "a-land-each": "Name a land for each army. Number of armies: {n}.",
            "no-rebels": "There are no Rebels in {land}.",
            "not-looted": "There is no looted City in {land}.",
            "no-earlier-people": "This People has not been called in an earlier period.",
            "not-your-people": (
                "This seat does not control this People, or the People is acting now."
            ),
            "no-foreign-faction": "No other player’s Faction holds {land}.",
            "no-rebels-left": "No Rebel counters are left.",
            "no-area": "There is no such area.",
            "no-armies": "There are no armies in {land}.",
            "nothing-to-ruin": "There is neither a whole City nor a Fort in {land}.",
            "no-city-there": "There is no City in {land}.",
            "no-enemy": "No enemy holds {land}.",
            "fort-there": "There is already a Fort in {land}.",
            "no-own-fort": "The Faction has no Fort of its own in {land}.",
            "fort-too-new": "The Fort in {land} was built this turn.",
            "too-many-cities": "The limit for new Cities is {most}.",
            "bad-site": "No City can be built in {land}.",
            "home-area-first": "You must build in the home area first: {land}.",
            "has-counter": "{seat} already has a counter.",
            "not-in-hand": "{card} is not in your hand.",
            "wrong-period": "{card} cannot be played in this period.",
            "event-limit": "Two cards have already been played this turn.",
            "sub-turn": "{group} {group:are|is} acting: no other card can be played now.",
            "end-sub-first": "{group} {group:are|is} acting and must finish first.",
            "no-dice": "There are no more dice.",
        },
        "counts": {
            "army": Plural("one army", "{n} armies"),
            "point": Plural("one point", "{n} points"),
        },
        "orders": {
            "retreat": "Retreat",
            "retreat-about": (
                "Where the Legions go when their land is attacked and a retreat is possible."
            ),
            "hold": "Hold",
            "hold-about": "The Legions stand their ground to the end of the combat.",
            "lands": "Lands",
            "lands-help": (
                "If no land is ticked, the order applies to every land of the Faction. An order "
                "for certain lands takes precedence over one for all."
            ),
            "when": "They retreat",
            "whens": {
                "once": "after the first round",
                "two": "when at most two armies are left",
                "one": "when one army is left",
            },
            "to": "To",
            "second": "Otherwise to",
            "third": "Third choice",
            "third-help": (
                "The Legions retreat to the first of these lands that is open then. If none is "
                "open, the next order that applies is used, or you are asked."
            ),
            "any": "the land with the most room",
            "any-line": "the land with the most room",
            "none": "nowhere",
            "everywhere": "Everywhere else",
            "lines": {
                "hold": "{where}: hold to the end",
                "retreat-1": "{where}: retreat to {first}, {when}",
                "retreat-2": "{where}: retreat to {first}, otherwise to {second}, {when}",
                "retreat-3": (
                    "{where}: retreat to {first}, otherwise to {second} or {third}, {when}"
                ),
            },
        },
        "rolls": {
            "hand": "card of set {no} for {seat}",
            "order": "drawing order: {seat}",
            "draw-people": "People counter, draw {no}",
            "draw-emperor": "Emperor counter, draw {no}",
            "combat/attacker": "combat {no}, round {round}: attacker",
            "combat/defender": "combat {no}, round {round}: defender",
            "loot": "loot of {land}",
            "event": "{card} in {land}",
            "rebellion/attacker": "rebellion, round {round}: Rebels",
            "rebellion/defender": "rebellion, round {round}: loyal Legions",
            "kingdom": "{group} at the end",
        },
    },
)

FAULTS = Texts(
    "roman_empire.faults",
    {
        "a-seat": "must name a seat",
        "armies-group": "must name the group of the armies",
        "at-most": "must be at most {most}",
        "colours": "must be different colours of {values}",
        "draw-order": "must have every seat in its drawing order",
        "kind-of": "must be a {kind}",
        "no-combat": "must be a combat",
        "on-chart": "must be on the chart",
        "pairs": "must be a list of pairs",
        "pending-combat": "must belong to a combat in its land",
        "players": "must be a whole number from 2 to 4, or name the player of each seat",
        "players-named": "must name players",
        "players-of-seats": (
            "must name the player of each seat: three, four, or two with two seats each"
        ),
        "wholes": "must be a list of {least} whole numbers from 1 to 6",
        "wholes-or": "must be a list of {least} or {most} whole numbers from 1 to 6",
    },
)

CHRONICLE = Texts(
    "roman_empire.chronicle",
    {
        "period": "Period {numeral}, {years}",
        "report": {
            "chronicle": "The chronicle of the Empire",
            "final": "The end",
            "dice": "Dice",
            "points": "Points",
            "numbers": "Period by period",
            "steps": "The last steps",
            "details": "All moves and dice",
            "opening": "The counters",
            "standings": "Standings",
            "phase.people": "{group} ({seat})",
            "phase.faction": "{emperor} and {group} ({seat})",
            "won": "{winner} has won with {points}. {players}",
            "players": "At the table: {names}.",
            "player": "{seat} ({name})",
            "accounts": {"p": "points of the Peoples", "f": "points of the Faction"},
            "none": "vacant",
            "fort": "Fort of {colour}",
            "fortress": "Fortress of {colour}",
            "city": {"whole": "City", "looted": "looted City"},
            "head_points": ["seat", "Peoples", "Faction", "total"],
            "head_numbers": ["period"],
        },
        "names": {
            "people": "the {name}",
            "kingdom": "the Kingdom of {name}",
            "minor": "the {name}",
            "helvetii": "the {name}",
            "iudaei": "the {name}",
            "alamanni": "the {name}",
            "hunni": "the {name}",
            "heruli": "the {name}",
            "isauri": "the {name}",
            "alani": "the {name}",
            "nabataei": "the Kingdom of the {name}",
            "imperium_galliarum": "the {name}",
            "regnum_tolosanum": "the {name}",
            "red": "{name}",
            "blue": "{name}",
            "white": "{name}",
            "purple": "{name}",
            "rebel": "{name}",
        },
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
        "units": {
            "army": Plural("{n} army", "{n} armies"),
            "point": Plural("{n} point", "{n} points"),
            "land": Plural("{n} land", "{n} lands"),
        },
        "sentences": {
            "begun": ["There were four Cities in the Empire, and no one held them yet."],
            "people": [
                "{group} rose in {land}, {armies} strong.",
                "From {land} came {group} with {armies}.",
            ],
            "people.again": ["{group} rose again, now under {seat}, with {armies} more."],
            "faction": ["{emperor} led {group}.", "{group} followed {emperor}."],
            "sub": ["{group} rose in {land}.", "In {land} {group} appeared."],
            "entered": ["{group} settled in {lands}.", "{group} spread over {lands}."],
            "conquered": ["{group} took {lands}.", "{lands} fell to {group}."],
            "looted": ["{group} looted {lands}, for {points}."],
            "repulsed": [
                "{group} lost {armies} at {land} and gained nothing.",
                "{land} held out against {group}.",
            ],
            "overrun": ["{group} took over {lands}."],
            "retreated": ["{group} gave up {land} and retreated to {to}."],
            "leader": ["A triple of dice killed the leader of {group}."],
            "rebelled": ["In {land}, Legions of {colour} rose against their own side."],
            "rebels": ["Rebels held {land}."],
            "quelled": ["The rebellion in {land} was put down."],
            "struck": ["{card} struck {lands}."],
            "ruined": ["The City of {land} lay in ruins after {card}."],
            "peace": ["{seat} took gold, and {group} left {colour} in peace."],
            "cities": ["{group} built Cities in {lands}."],
            "forts": ["{group} fortified {lands}."],
            "scored": ["That was worth {points}.", "It earned {points}."],
            "nothing": ["It earned nothing."],
            "kingdom": ["{group} still existed at the end, worth {points}."],
            "end": ["The Empire of the West ended, and {winner} had gained the most from it."],
        },
    },
)

PAGE = Texts(
    "roman_empire.page",
    {
        "board-title": (
            "The board: 45 lands in nine areas, with their armies, Cities and Forts. The table"
            " below shows the same."
        ),
        "no-neighbour": "{land} does not border a land of {group}.",
        "land": "{name}: {what}",
        "nothing": "vacant",
        "armies-of": Plural("1 army of {group}", "{n} armies of {group}"),
        "city-whole": "City",
        "city-looted": "looted City",
        "fort-of": "Fort of {group}",
        "fortress-of": "Fortress of {group}",
        "title-setup": "History of the Roman Empire",
        "title-over": "The winner: {seat}",
        "title-draw": "Counters, period {period}",
        "title-go": "Period {period}",
        "title-act": "{group}, period {period}",
        "peoples-of": "Peoples of {seat}",
        "how-presence": "presence",
        "how-domination": "domination",
        "how-control": "control",
        "over-mountain": "mountains",
        "over-forest": "forest",
        "over-strait": "strait",
        "bonus-none": "brings nothing",
        "bonus-three_dice": "attacks with three dice until a triple is thrown",
        "bonus-attack_plus": "adds {n} to the attack dice",
        "bonus-legions": "more Legions: {n}",
        "bonus-ties": "wins ties when attacking",
        "bonus-vp_per_land": "{n} VP for every land of the Faction",
        "people-line": "starts in {land}, strength {n}",
        "in-hand": Plural("1 army in hand", "{n} armies in hand"),
        "fort-points": Plural("1 fort point", "{n} fort points"),
        "cards-left": Plural(
            "1 card may still be played this turn", "{n} cards may still be played this turn"
        ),
        "defenders": Plural("1 to beat", "{n} to beat"),
        "would-be": Plural("1 army there afterwards", "{n} armies there afterwards"),
        "do-attack": "Attack {land}",
        "do-vacant": "Enter {land}",
        "do-own": "Take over {land}",
        "do-take": "Enter {land}",
        "do-claim": "Appear in {land}",
        "do-first": "Appear in {land}",
        "do-strengthen": "Strengthen {land}",
        "list-land": "Place an army in {land} from {source}",
        "list-same": "Strengthen {land}",
        "list-start": "Place the first army in {land}",
        "list-sea": "Land an army in {land}",
        "list-reentry": "Return to the map in {land}",
        "list-revolt": "Raise the revolt in {land}",
        "from-land": "from {land}",
        "from-start": "the first army",
        "from-sea": "over the sea",
        "from-reentry": "returning to the map",
        "from-revolt": "from the revolt",
        "loot-one": "loot the City of {land} if it falls: 1d6 VP",
        "loot-two": "loot the City of {land} if it falls: 2d6 VP",
        "dice-one": "one die",
        "dice-two": "two dice",
        "dice-three": "three dice",
        "plus": "+{n}",
        "wins-ties": "wins ties",
        "hard": "difficult terrain",
        "overseas": "+1 against landings",
        "fort": "+1 for the Fort",
        "fortress": "+1 for the Fortress, which wins ties",
        "walls-none": "the walls do not help",
        "group-choose_start": "Choose the start land",
        "group-take_up": "Take up armies",
        "group-recruit": "Recruit Legions",
        "group-bribe": "Bribe Rebels",
        "group-fort": "Build a Fort",
        "group-fortress": "Turn a Fort into a Fortress",
        "group-rebuild": "Rebuild a City",
        "recruit-each": "{n} VP each",
        "costs": "{n} VP",
        "costs-fort-point": "1 of {n} fort points",
        "card-people": "in a People’s phase",
        "card-faction": "in a Faction’s phase",
        "card-either": "in either phase",
        "card-before": "before placing",
        "card-during": "at any time",
        "no-target": "There is no possible target.",
        "names-land": "Land",
        "names-area": "Area",
        "names-people": "People",
        "names-use": "Used for",
        "and-loot": "loot its City",
        "use-forts": "two fort points",
        "use-bridges": "no difficult terrain this phase",
        "effect-minor": "A Minor People acts first, from {land}, strength {strength}.",
        "effect-kingdom": (
            "A Kingdom acts first, from {land}, strength {strength}, and gets a City if there is"
            " none."
        ),
        "effect-three_dice": "The People attacks with three dice until a triple is thrown.",
        "effect-attack_plus": "Adds {n} to the attack dice for this phase.",
        "effect-ties": "You win ties when attacking; against a Fortress, both sides throw again.",
        "effect-save_losses": "The first {n} armies lost in attack return to the hand.",
        "effect-revolt": "{n} free armies rise in a land of another player’s Faction.",
        "effect-area_roll": (
            "In one area, every land with armies loses one army on a roll of 1 to 3."
        ),
        "effect-area_loss": "In one area, every land with armies loses one army.",
        "effect-land_strip": "All armies in one land are removed.",
        "effect-ruin": "The City of a land is looted, and its Fort or Fortress is removed.",
        "effect-destroy_city": "In one land, the City and one army are removed.",
        "effect-revive": "An earlier People of yours acts first, with half its strength.",
        "effect-fort_points": "{n} fort points.",
        "effect-rebellion": (
            "Half the Legions of a land of another player’s Faction turn Rebel and attack the rest,"
            " who may retreat from the second round on."
        ),
        "effect-engineering": (
            "Two fort points in a Faction’s phase, or no difficult terrain by land and strait."
        ),
        "effect-treachery": (
            "A land that borders one of yours falls to an army from your hand without combat."
        ),
        "effect-surprise": (
            "In the next combat in one land, the defender has no difficult terrain and cannot "
            "retreat."
        ),
        "effect-no_fort_bonus": "Forts and Fortresses do not help against you this phase.",
        "on-three_dice": "three attack dice until a triple",
        "on-attack_plus": "+{n} in attack",
        "on-ties": "wins ties in attack",
        "on-save_losses": "Elite Troops save {n} more",
        "on-no_fort_bonus": "walls do not help",
        "on-surprise": "surprise in {land}",
        "on-ignore_terrain": "no difficult terrain",
        "on-rests": "other cards apply only to {main}",
        "on-revolt": "{n} armies of the revolt may rise in {land}",
        "stop-lost": "an army is lost",
        "stop-taken": "a land is taken",
        "stop-looted": "a City is looted",
        "stopped-lost": "The list stopped: an army was lost.",
        "stopped-taken": "The list stopped: {land} was taken.",
        "stopped-looted": "The list stopped: the City of {land} was looted.",
        "stopped-asked": "The list stopped: {seat} must decide first.",
        "stopped-you": "The list stopped: you have to decide.",
        "stopped-turn": "The list stopped: it is no longer this seat’s turn.",
        "goes-on": (
            "The combat in {land} continues after round {n} if another army is placed there."
        ),
        "asked-retreat": "Retreat from {land}?",
        "asked-rebellion": "Rebellion in {land}, {rebels} Rebels: do your loyal Legions retreat?",
        "asked-offer": "Offer points for {land}?",
        "asked-answer": "Take {n} VP and leave the land in peace?",
        "retreat-to": "Retreat to {land}",
        "retreat-loses": "Retreat to {land}, lose {n}",
        "stand": "Hold this round",
        "stand-note": "you will be asked again before the next",
        "hold": "Hold to the end",
        "hold-note": "you will not be asked again in this combat",
        "hold-note-rebellion": "you will not be asked again in this Rebellion",
        "asked-way": "{group:The} {group:enter|enters} {land}: where do your armies go?",
        "way-share": "{n} to {land}",
        "way-to": "Send {lands}",
        "way-usual": "Let the usual rule decide",
        "way-usual-why": (
            "The usual rule sends them to the neighbouring land with the fewest armies."
        ),
        "answer-yes": "Take {n} VP",
        "answer-no": "Fight",
        "scores-presence": "{area}, presence",
        "scores-domination": "{area}, domination",
        "scores-control": "{area}, control",
        "scores-cities": "Cities: {names}",
        "scores-emperor": "{name}, for every land",
        "told-people": "{group}, period {period}",
        "told-faction": "{emperor} for {group}, period {period}",
        "told-begin": "The beginning",
        "told-counters": "The counters of period {period}",
        "variant-gods_favor": "God’s Favor",
        "variant-bribe_barbarians": "gold for Peoples",
        "variant-strict_domination": "strict domination",
        "variant-choose_retreat": "chosen retreats",
        "charts": "The charts",
        "charts-areas": (
            "**Points of the areas** in periods I to VII: once for presence, twice for "
            "domination, three times for control (10.1)."
        ),
        "charts-peoples": "**Peoples of period {period}** ({years}), by number (5.1).",
        "charts-emperors": "**Emperors of period {period}** ({years}), by number (7.1).",
        "charts-counters": "**Counters of the Peoples**: the most armies of each on the map (2.1).",
        "charts-kingdoms": "**Kingdoms**, which come into play through cards (9.2).",
        "charts-minors": "**Minor Peoples**, which come into play through cards (9.2).",
        "charts-loot": "{n} extra points for looting its capital",
        "charts-set": "**Cards of set {n}**: every seat gets one of them (3.3).",
        "charts-optional": "**Optional card** (12.2).",
    },
)

BOARD = Texts(
    "roman_empire.board",
    {
        "acts": "plays {group}",
        "draws": "draws",
        "is-asked": "decides",
        "armies-of": Plural("1 army of {group}", "{n} armies of {group}"),
        "city-whole": "City",
        "city-looted": "looted City",
        "fort": "Fort",
        "fortress": "Fortress",
        "can-start": "can be the start land",
        "can-attack": "can be attacked",
        "can-place": "an army can be placed",
        "in-hand": Plural("1 in hand", "{n} in hand"),
        "points": Plural("1 point", "{n} points"),
        "cities": "Cities",
        "emperor": "the Emperor",
        "if-ended": "If the phase ended like this:",
        "if-won": "{n} if every attack succeeds",
        "nothing-placed": "Nothing has been placed yet.",
        "struck": "No longer possible, removed: {what}",
        "take-back": "Take back",
        "take-back-one": "Take one back: {what}",
        "row-war-taken": "Attack {land} from {from}: up to {n}, {chance}, until it is taken",
        "row-war-loss": "Attack {land} from {from}: up to {n}, {chance}, stop at the first loss",
        "row-war-taken-if": (
            "Attack {land} from {from}: up to {n}, {chance}, until it is taken (if {won} is won)"
        ),
        "row-war-loss-if": (
            "Attack {land} from {from}: up to {n}, {chance}, stop at the first loss "
            "(if {won} is won)"
        ),
        "row-place-if": "{place} (if {won} is won)",
        "row-choose_start": "Start in {land}",
        "row-take_up": "Take up {n} in {land}",
        "row-recruit": "Recruit {n}",
        "row-bribe": "Bribe the Rebels in {land}",
        "row-fort": "Build a Fort in {land}",
        "row-fortress": "Turn the Fort in {land} into a Fortress",
        "row-rebuild": "Rebuild the City of {land}",
        "from-sea": "the sea",
        "from-start": "the start land",
        "from-reentry": "exile",
        "from-revolt": "the revolt",
        "from-land": "From {land}.",
        "loot-it": "loot its City: {dice} points",
        "fort-there": "The Fort in {land}",
        "fort-take": "take the Fort over",
        "fort-destroy": "destroy the Fort",
        "recruit": "Recruit Legions, {price} VP each",
        "recruits": "Legions to recruit",
        "one-fewer": "One fewer",
        "one-more": "One more",
        "at-home": "at home, {points}",
        "new-cities": Plural("New Cities at the end: up to 1", "New Cities at the end: up to {n}"),
        "do-attack": "Attack {land}",
        "odds": "The attack succeeds with a chance of {n} per cent.",
        "held": "held {n}%",
        "taken": "taken {n}%",
        "you-throw": "You throw",
        "they-throw": "The defender ({who}) throws",
        "to-beat": "Armies and walls to beat",
        "may-retreat": (
            "From the second round on they may retreat; the march waits there until they answer."
        ),
        "sending": "The march is being sent.",
        "armies-in-hand": Plural("{of}: 1 army in hand", "{of}: {n} armies in hand"),
        "none-in-hand": "{of}: no army in hand",
        "all-placed": "All armies are placed",
        "unused-lost": "Unused armies are lost.",
        "not-sent": "Nothing has been sent yet.",
        "tap-lit": "Tap a highlighted land to place an army; a red edge means a fight.",
        "tap-start": "Tap {land}, their start land.",
        "why-hand": "No army is left in hand. Take one back to place it elsewhere.",
        "why-full": "{land} is full: it holds three armies.",
        "why-far": "{land} does not border a land of {group}.",
        "choose-start": "Choose your start land",
        "choose-start-note": (
            "Tap a highlighted land: {lands}. The numbers are the points of its area in periods I "
            "to III."
        ),
        "start-taken": "{land} is the start land of {seat}",
        "no-start": "{land} is not a start land",
        "start-in": "Start in {land}",
        "start-note": (
            "{area} gives {points} points in periods I to III (presence; twice for domination,"
            " three times for control). New Cities go there first."
        ),
        "another": "Choose another land",
        "attack-with": "Attack {land}: {chance} with up to {n}",
        "only-if": "Only if {land} is won first.",
        "when-stop": "When to stop",
        "until-taken": "until it is taken",
        "until-loss": "stop at the first loss",
        "most-armies": "Maximum number of armies",
        "not-there": "Cancel",
        "do-bribe": "Bribe them: {n} VP",
        "place-in": "Place {n} in {land}",
        "here": "{n} here",
        "take-up": "Take up one from {land}",
        "build-fort": "Build a Fort in {land}: {price}",
        "build-fortress": "Turn the Fort in {land} into a Fortress: {price}",
        "rebuild": "Rebuild the City of {land}: {price}",
        "costs": "{n} VP",
        "fort-point": "a fort point",
        "n-recruits": Plural("1 recruit", "{n} recruits"),
        "n-placed": Plural("1 army", "{n} armies"),
        "n-attacks": Plural("1 attack", "{n} attacks"),
        "n-other": Plural("1 action", "{n} actions"),
        "armies-lost": Plural("1 army is lost", "{n} armies are lost"),
        "send": "Confirm: {what}",
        "send-score": "Confirm, end and score {n}",
        "end-score": "End the phase and score {n}",
        "back-to": "Back to {main}",
        "bar-recruit": "Recruit",
        "bar-cards": "Cards ({n})",
        "bar-move": "Move armies",
        "bar-fort": "Forts",
        "bar-rebuild": "Rebuild",
        "bar-bribe": "Bribe",
        "bar-end": "End",
        "propose-place": "Place in {land}",
        "propose-recruit": Plural("Recruit 1 Legion", "Recruit {n} Legions"),
        "have-points": Plural("You have 1 point.", "You have {n} points."),
        "note-recruit": "Recruited Legions come into your hand.",
        "note-move": "Tap a highlighted land to take up an army, then place it elsewhere.",
        "note-fort": (
            "Tap a highlighted land to build a Fort. A Fort in a land with a City becomes a "
            "Fortress."
        ),
        "note-rebuild": "Tap a highlighted land to rebuild its looted City for 1 point.",
        "note-bribe": "Tap a highlighted land to bribe its Rebels for 2 points each.",
        "note-cards": (
            "You can play two cards in a turn. The panel shows your whole hand, and why a card "
            "cannot be played now."
        ),
        "done": "Done",
        "play-card": "Play {card}",
        "ask-end": "Do you want to end the phase anyway?",
        "end-armies": Plural("1 army in hand is lost.", "{n} armies in hand are lost."),
        "end-forts": Plural("1 fort point is lost.", "{n} fort points are lost."),
        "end-recruits": Plural(
            "{points} points remain unused; you can still recruit 1 Legion.",
            "{points} points remain unused; you can still recruit {n} Legions.",
        ),
        "end-cards": Plural("1 card remains unused.", "{n} cards remain unused."),
        "note-early": (
            "Once you confirm an army, you can no longer recruit or play cards that come before "
            "placing."
        ),
        "note-early-cards": (
            "Once you confirm an army, you can no longer play cards that come before placing."
        ),
        "go-on": "Continue the phase",
        "end-anyway": "End the phase anyway",
        "no-recruits-limit": "You cannot recruit: all your Legions are in play.",
        "no-recruits-points": "You cannot recruit: a Legion costs {price} points.",
        "nothing-left": "There is nothing more to place: end the phase to score.",
        "nothing-left-cards": "You can still play a card. Otherwise end the phase to score.",
        "no-recruits-late": "You cannot recruit: you have already placed armies in this phase.",
        "film-round": "{land}, round {n}.",
        "film-loot": "The City of {land} is looted.",
        "film-count": "The lands of {group} are counted.",
        "film-rebels": "Rebels",
        "film-walls": "Walls",
    },
)

FOUNDING = Texts(
    "roman_empire.founding",
    {
        "turn": "period",
        "turns": "periods",
        "campaign": "history",
        "active": "{seat} to move",
        "idle": "no one to move",
        "start": "At the start, the Cities are laid out and the cards are dealt.",
        "turn_number": "period {n}",
        "turn_of_turns": "period {n} of {turns}",
        "before_turns": "Before period 1",
        "turn_back": "Back by one period",
        "turn_forward": "Forward by one period",
        "turn_closed": "period {n} has ended",
        "turn_elsewhere": "period {n} was played elsewhere",
        "turn_closes": "until period {n} ends",
        "values_by_turn": "The values of an account in the course of each period, in order.",
        "about": (
            "Seven periods from Caesar to the last Augustulus: each seat leads a People against the"
            " Empire and an Emperor for its Faction, and scores for both."
        ),
        "lasts": "2 to 4 players; one evening, or a few months at a distance",
        "players": "Players",
        "players_help": "With two players, each has two seats: A and C, B and D.",
        "players_2": "2: two seats each",
        "players_3": "3: nine Legions each at the start",
        "players_4": "4: one seat each",
        "gods_favor": "God’s Favor: a card in place of the second Wrath of God",
        "bribe_barbarians": "Gold for Peoples: an attacked Faction may offer points",
        "strict_domination": "Strict domination: at least two lands (our own rule)",
        "choose_retreat": "Chosen retreats: the holder of a start land decides where its armies go",
        "edition": "Rules from before November 2026",
        "edition_1": (
            "A Faction rolls two dice for the loot of ITALIA, and of TRACIA from period IV (8.10); "
            "no one retreats in a Rebellion (9.3)"
        ),
        "choose_retreat_help": (
            "The rules are unclear here (8.6); the source lets the holder choose. We suggest "
            "leaving this on. If it is off, the armies go to the neighbouring land with the "
            "fewest armies."
        ),
        "called": "History for {n} players",
        "told": "{total} points: {p} by Peoples, {f} by the Faction",
        "rules": "Optional rules",
        "none": "none",
        "must_be": "must be one of the listed values",
    },
)

BOTS = Texts(
    "roman_empire.bots",
    {
        "beginner": "beginner",
        "cautious": "cautious",
        "bold": "bold",
        "cunning": "cunning",
        "beginner-about": (
            "sees only the points of this phase, plays no cards, does not attack the leader"
        ),
        "cautious-about": (
            "attacks when the chance is 60% or better, keeps armies together, rebuilds Cities early"
        ),
        "bold-about": (
            "attacks when the chance is 40% or better, goes for the leader, spends what it has"
        ),
        "cunning-about": (
            "tries each proposal to the end of the phase before it chooses, and passes on weak "
            "counters"
        ),
        "goes-on": "No one has a choice here.",
        "no-gold": "Fighting promises more than gold.",
        "gold": "The gold is worth more than the land.",
        "retreats": "Without walls, a single Legion is soon lost there.",
        "stands": "Walls, terrain or numbers help to hold.",
        "draws": "A counter has to be drawn first.",
        "keeps": "This counter is worth keeping.",
        "passes": "This counter is weak: those that are left are worth more.",
        "starts": "{land} has the most room around it.",
        "rebuilds": "The City in {land} will score again.",
        "gathers": "One army holds the land; the others are needed elsewhere.",
        "recruits": "There are enough points for another Legion.",
        "card": "The card helps more now than later.",
        "guards": "A second army holds {land} better.",
        "fights": "{land} is worth the fight: the chance of winning is {chance}%.",
        "spreads": "{land} brings the most points of all free lands.",
        "fort": "{land} needs a Fort most.",
        "cities": "New Cities score in every period.",
        "nothing-more": "Another army would gain nothing.",
        "tried": "Best of {n} trials. {because}",
        "any": "Any move that the rules allow.",
    },
)

LESSON = Texts(
    "games.roman_empire.lesson",
    {
        "name": "Learn History of the Roman Empire",
        "about": (
            "A real game against three beginners: a march of the Galli, and the first phase of "
            "your Faction."
        ),
        "steps": {
            "people": {
                "head": "Draw a People",
                "text": (
                    "In each period you lead a People and your Faction. Press “Determine the "
                    "drawing order”, then “Draw a counter”, and keep the People that you draw."
                ),
            },
            "emperor": {
                "head": "Draw an Emperor",
                "text": (
                    "Your Faction plays under an Emperor, who gives it a bonus. Press “Draw a "
                    "counter” again, and keep the Emperor that you draw."
                ),
            },
            "home": {
                "head": "Where the Galli begin",
                "text": (
                    "You have seven armies in hand. The first goes to the start land of the "
                    "Galli. Tap Lugdunensis: one tap places one army. The highlighted button "
                    "only proposes a move."
                ),
                "late": (
                    "You lead another People this time. Tap the highlighted land where it "
                    "starts: one tap places one army."
                ),
            },
            "spread": {
                "head": "Spread out",
                "text": (
                    "An area scores its points once if you hold a land there, twice if you hold "
                    "three or more than others, and three times if you hold all five. Tap "
                    "Aquitania, or another highlighted land; a red edge means a fight."
                ),
            },
            "cards": {
                "head": "Your cards",
                "text": (
                    "You have nine cards for the whole game and can play two in a turn. Press "
                    "“Cards” to see which you can play now. Play a card, or place another army."
                ),
            },
            "send": {
                "head": "Confirm the march",
                "text": (
                    "Place the armies that are left, because unused armies are lost. Then press "
                    "“Confirm”. When there is nothing more to do, press “End”, and the phase "
                    "scores. If something remains unused, the bar asks first."
                ),
            },
            "faction": {
                "head": "Your Faction",
                "text": (
                    "Your Faction begins in Aquitania, Italia, Macedonia or Syria, where no "
                    "other Faction has begun. When its turn comes, tap a highlighted land and "
                    "start there."
                ),
            },
            "recruit": {
                "head": "Your Legions",
                "text": (
                    "Place your Legions like the armies of your People. From the next period on, "
                    "you can replace lost Legions: press “Recruit” before you place. A Legion "
                    "costs 2 of your Faction’s points, and 3 from period IV."
                ),
            },
            "score": {
                "head": "End the phase",
                "text": (
                    "Confirm what you have placed and end the phase. At the end, your Faction may "
                    "build a City for every two resource symbols that it controls. The panel "
                    "shows in advance what the phase will score."
                ),
            },
            "on": {
                "head": "You know how to play",
                "text": (
                    "There are seven periods. You win with the most points of your Peoples and "
                    "your Faction together."
                ),
            },
        },
    },
)
