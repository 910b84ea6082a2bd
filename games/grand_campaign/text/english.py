"""What Grand Campaign says, in English; other languages are in locale/ (docs/translating.md)."""

from __future__ import annotations

from engine.language import Texts

WORDS = Texts(
    "grand_campaign.words",
    {
        "about": (
            "{nations} nations build, trade cards and attack. Battles are fought in Field of Glory"
            " II, and the story is posted in a thread."
        ),
        "lasts": "{players} players, {turns} turns of three to four weeks",
        "game-master": "game master",
        "nobody": "nobody",
        "independent": "independent",
        "and": " and ",
        "amounts": {
            "0": "0 action",
            "1": "½ action",
            "2": "1 action",
            "3": "1½ actions",
            "whole": "{whole} actions",
            "broken": "{whole}½ actions",
        },
        "cultures": {"civilized": "civilized", "barbarian": "barbarian"},
        "accounts": {
            "stability": "stability",
            "prestige": "prestige",
            "income": "income",
            "army": "army",
            "victory_points": "VP",
            "actions": "actions",
        },
        "cards": {
            "ambush": "Ambush",
            "assassin": "Assassin",
            "bodyguard": "Bodyguard",
            "chancellor": "Chancellor",
            "diplomat": "Diplomat",
            "local-insurrection": "Local Insurrection",
            "mercenaries": "Mercenaries",
            "naval-technology": "Naval Technology",
            "reinforcements": "Reinforcements",
            "scouts": "Scouts",
            "spy": "Spy",
            "traitor": "Traitor",
        },
        "card_texts": {
            "ambush": "The attack you launch is an escort baggage train with you as its attacker.",
            "assassin": "Destroys a Spy, Chancellor, Diplomat or Traitor in another hand.",
            "bodyguard": "Stops an Assassin automatically; both are then discarded.",
            "chancellor": "{actions} more in this slot.",
            "diplomat": "An independent province becomes yours, +{talents}t, or a truce {truce}.",
            "local-insurrection": (
                "Insurgents of {insurgents} points rise in a border province of another nation; you"
                " lead them."
            ),
            "mercenaries": "A depleted army gains {gain} points for {price}t.",
            "naval-technology": "+{naval} on your side of an encounter at sea.",
            "reinforcements": "+{points} points to your army for one battle.",
            "scouts": "You determine the terrain of a battle.",
            "spy": "Steals a card of another hand.",
            "traitor": (
                "A neighbouring province of another nation becomes yours without fighting,"
                " +{talents}t."
            ),
        },
        "card_rules": {
            "ambush": "4.12",
            "assassin": "4.10",
            "bodyguard": "4.10",
            "chancellor": "4.7",
            "diplomat": "4.8",
            "local-insurrection": "4.5",
            "mercenaries": "4.14",
            "naval-technology": "4.11",
            "reinforcements": "4.13",
            "scouts": "4.15",
            "spy": "4.6",
            "traitor": "4.9",
        },
        "structures": {
            "gymnasia": "Gymnasia",
            "theatres": "Theatres",
            "baths": "Baths",
            "academies": "Academies",
            "royal-palace": "Royal Palace",
            "hamlets": "Hamlets",
            "villages": "Villages",
            "oppida": "Oppida",
            "boroughs": "Boroughs",
            "towns": "Towns",
            "shrines": "Shrines",
            "temples": "Temples",
            "sanctuaries": "Sanctuaries",
            "templar-complexes": "Templar Complexes",
            "bridges": "Bridges",
            "roads": "Roads",
            "markets": "Markets",
            "merchants-quarters": "Merchants’ Quarters",
            "ramparts": "Ramparts",
            "walls": "Walls",
            "great-walls": "Great Walls",
            "siege-train": "siege train",
            "barracks": "barracks",
        },
        "tracks": {
            "architecture": {"civilized": "Architectures", "barbarian": "Urban Infrastructures"},
            "religious": "Religious Buildings",
            "commercial": "Commercial Structures",
        },
        "events": {
            "riots": "Riots",
            "political-scandal": "Political Scandal",
            "famine": "Famine",
            "plague": "Plague",
            "earthquake": "Earthquake",
            "food-distributions": "Food Distributions",
            "philosophers": "Philosophers at Court",
            "administrative-reforms": "Administrative Reforms",
            "agrarian-improvements": "Agrarian Improvements",
            "commercial-efforts": "Commercial Efforts",
        },
        "battles": {
            "open": "open battle",
            "flank-march": "flank march",
            "remove-the-head": "Remove the Head",
            "escort-baggage-train": "escort baggage train",
        },
        "kinds": {
            "land": "land attack",
            "amphibious": "amphibious attack",
            "independent": "covert attack",
            "insurrection": "insurrection",
        },
        "sides": {"attacker": "attacker", "defender": "defender", "draw": "draw"},
        "outcomes": {
            "attacker": "the attacker won",
            "defender": "the defender won",
            "draw": "drawn",
            "withdrawn": "the defender withdrew",
            "naval-repulse": "repulsed at sea",
            "lapsed": "lapsed",
        },
        "errors": {
            "not-a-move": "A move must be an object with its keys.",
            "argument-missing": "Something is missing: {key}.",
            "unknown-argument": "“{key}” is not an argument of {move}.",
            "unknown-move": "There is no move “{name}”.",
            "unknown-nation": "There is no nation “{name}” here.",
            "unknown-province": "There is no province “{name}” on this map.",
            "unknown-attack": "There is no attack #{attack}.",
            "not-a-nation": "A nation’s key is asked for.",
            "not-a-province": "A province’s key is asked for.",
            "not-a-card": "That is not a card of the game.",
            "not-a-list": "A list of cards is asked for.",
            "not-a-flag": "The answer must be yes or no.",
            "not-a-number": "A number is asked for.",
            "not-a-whole-number": "A whole number is asked for.",
            "not-halves": "Actions are counted in halves.",
            "not-a-text": "The text has characters that cannot be kept, or is too long.",
            "not-one-of": "It must be one of: {values}.",
            "not-a-structure": "There is no such structure.",
            "not-shares": "Two shares are asked for: attacker and defender.",
            "share-off": "A share is 0 to 100.",
            "only-true": "A battle is called off or not; leave it out if it was not.",
            "one-result": "Give one result: shares, a winner, called off, or a naval battle.",
            "no-reason": "A correction needs a reason. Write what it repairs and cite the post.",
            "no-change": "The change must be a number other than 0, below a thousand million.",
            "card-named-twice": "A card can be named once.",
            "on-oneself": "That is your own; choose another nation.",
            "province-or-truce": "A Diplomat wins a province or a truce: choose one of them.",
            "steal-is-random": "Hands are hidden: the Spy steals at random, no card is named.",
            "roll-beyond-hand": "The roll {roll} is beyond the hand.",
            "only-bodyguard": "Only a Bodyguard can be kept back.",
            "other-culture": "{structure} belong to the other culture.",
            "escort-needs-ambush": "An escort baggage train needs the card Ambush.",
            "covert-siege-train": "A covert attack takes no siege train along.",
            "covert-reinforcements": "Reinforcements go with your own army only.",
            "master-needs-for": "The game master must name the nation for which the move is made.",
            "master-for-nobody": "This move is the game master’s own; it is made for no nation.",
            "for-others": "A nation moves for itself only.",
            "master-only": "Only the game master makes this move.",
            "wrong-phase-setup": "The campaign has not begun. The game master starts it.",
            "wrong-phase-slots": "Turn {turn} is open; this waits for its close.",
            "wrong-phase-battles": "All slots of turn {turn} have ended; only battles are open.",
            "wrong-phase-closed": "Turn {turn} has closed. The game master opens the next.",
            "wrong-phase-finished": "The campaign is finished.",
            "nation-fallen": "{nation:The} {nation:have|has} fallen.",
            "not-your-slot": (
                "It is not the slot of {nation:the}; {slot:the} {slot:are|is} playing."
            ),
            "actions-without-slot": (
                "Actions can be adjusted only while the slot of {nation:the} is open."
            ),
            "not-enough-actions": "This costs {cost}; you have {have}.",
            "already-built": "{structure}: built already.",
            "fully-fortified": "{province} has every level of fortification.",
            "fleet-there": "{province} has a fleet already.",
            "prerequisite-missing": "{structure} need {missing} first.",
            "not-owner": "{province} is not yours.",
            "own-province": "{province} is your own.",
            "not-maritime": "{province} has no sea route; a fleet needs one.",
            "province-under-attack": "{province} is under attack.",
            "no-building-under-attack": (
                "{province} is under attack; nothing is built there until it is resolved."
            ),
            "no-barracks": "A levy needs barracks.",
            "army-not-depleted": "The army is at {army}; it is replenished only below {full}.",
            "no-siege-train": "You own no siege train.",
            "income-too-low": "Mercenaries cost {needed}t; the income is {income}t.",
            "would-crumble": "The nation would crumble as a result.",
            "tax-increase-once": "Taxes were raised in this slot already; this is possible once.",
            "not-adjacent": "{source} does not border {target}.",
            "not-bordering": "{province} does not border your territory.",
            "no-target": "Nothing here can be chosen now.",
            "no-target-land": "No land neighbour can be attacked.",
            "no-target-amphibious": "No sea route leads to a target that is not a land neighbour.",
            "no-target-independent": "No independent province borders {nation:the}.",
            "no-sea-route": "No sea route leads from {source} to {target}.",
            "no-fleet": "{province} has no fleet.",
            "fleet-too-new": (
                "The fleet in {province} was built this turn; it carries attacks from turn"
                " {next_turn} on."
            ),
            "amphibious-neighbours": "{source} and {target} are land neighbours; attack by land.",
            "covert-on-independent": (
                "{target_or_province} is independent; a covert attack strikes a nation."
            ),
            "stability-too-low": (
                "Stability is too low for this attack: {stability} now, {opening} when the slot"
                " opened."
            ),
            "attack-limit": "You have launched your attack of this turn.",
            "covert-attack-limit": "You have launched your covert attack of this turn.",
            "attack-limit-running": (
                "Your attack is not over yet. You can launch another once its result has been"
                " entered."
            ),
            "covert-attack-limit-running": (
                "Your covert attack is not over yet. You can launch another once its result has"
                " been entered."
            ),
            "starting-point-under-attack": (
                "{province} is under attack and cannot be a starting point. Choose another."
            ),
            "starting-point-used": (
                "{province} was the starting point of an attack this turn. Choose another."
            ),
            "starting-point-protected": (
                "{province} was the starting point of an attack this turn and is protected until"
                " the next."
            ),
            "already-attacked": (
                "{province} has been attacked this turn. Not again before the next."
            ),
            "repeat-attack": (
                "You attacked {province} last turn. Not again before turn {next_turn}."
            ),
            "truce": "A truce with {nation:the} holds to the end of turn {until}.",
            "capital-before-turn": "{province} is a capital; it is safe before turn {turn}.",
            "capital-not-last": (
                "{province} is a capital; it is safe while another province of {nation:the} stands."
            ),
            "capital-never": "{province} is a capital, which this card never touches.",
            "external-province": "{province} is out of the game.",
            "external-source": (
                "{province} is external and cannot be a starting point in this campaign."
            ),
            "not-independent": "{province} is not independent.",
            "source-not-independent": (
                "{province} is not independent; a covert attack starts from an independent"
                " province."
            ),
            "target-not-independent": (
                "{province} is not independent; a Diplomat wins independent provinces."
            ),
            "borders-opponent": (
                "You border {nation:the}; a covert attack strikes a nation without a land border to"
                " yours."
            ),
            "card-on-independent": (
                "{province} is independent; {card} touches only a nation’s province."
            ),
            "not-border-province": "{province} borders no other owner.",
            "no-such-card": "{card} is not in the hand.",
            "not-mixed": (
                "The dice of turn {turn} wait for what is mixed into them: see the page Dice."
            ),
            "empty-hand": "The hand of {nation:the} is empty.",
            "not-in-their-hand": "{nation:The} {nation:do|does} not hold {card}.",
            "not-on-their-table": "{nation:The} {nation:have|has} no {card} on the table.",
            "no-hand-for-spy": "No other hand has a card to steal.",
            "no-hand-for-assassin": "No other hand has a card that an Assassin destroys.",
            "nothing-to-give": "A card is given for a card; your hand is empty.",
            "card-not-playable": "{card} cannot be played here.",
            "card-not-here": "{card} does not go with this.",
            "card-not-in-slot": "{card} cannot be played alone in a slot.",
            "no-encounter": "{card} needs an encounter at sea, and none follows.",
            "no-cards-with-withdrawal": "No cards go with a withdrawal.",
            "not-challenged": "#{attack} waits for no answer.",
            "not-the-challenged": "Only {nation:the} {nation:answer|answers} this challenge.",
            "no-escort-right": "{nation:The} cannot force an escort against this army.",
            "no-escort-insurrection": "An insurrection is accepted or answered by withdrawal.",
            "already-resolved": "#{attack} is resolved.",
            "encounter-ended-it": (
                "The encounter at sea ended #{attack}; there is no battle to report."
            ),
            "no-naval-battle": (
                "A naval battle replaces an amphibious attack on a nation’s province, before an"
                " encounter is rolled."
            ),
            "module-by-winner": (
                "{battle} has no house rule: report the winner as the game gave it."
            ),
            "no-dice": "The die for {purpose} is neither fixed nor available.",
            "siege-trains-away": (
                "Every siege train you own goes with an attack that is not resolved yet."
            ),
            "only-in-records": (
                "This move is not possible at the table yet: it is played from records only."
            ),
            "changes-nothing": "It is already so; nothing would change.",
            "no-asset": "Name the barracks, the siege trains, or both.",
            "nobodys-province": (
                "{province} belongs to no nation; only a nation’s province has fortifications and a"
                " fleet."
            ),
            "not-structures": "A list of structures is asked for.",
            "not-as-asked": "{where}: {why}.",
            "not-an-object": "An object with its keys is asked for: {key}.",
            "not-a-list-of": "A list is asked for: {key}.",
            "external-named": "{province} is out of the game; it cannot be listed.",
            "turn-off": "The turn that has closed is 1 to {last}.",
            "nation-missing": "The sheet of {nation:the} is missing; every nation needs one.",
            "fallen-holds-cards": (
                "{nation:The} {nation:have fallen; they hold|has fallen; it holds} no cards."
            ),
            "fallen-holds-province": (
                "{nation:The} {nation:have fallen; they hold|has fallen; it holds} no province."
            ),
            "stands-without-province": (
                "{nation:The} {nation:have not fallen but hold|has not fallen but holds} no"
                " province."
            ),
            "truce-of-two": "A truce is between two nations.",
            "truce-twice": "A truce between the same two nations is given twice.",
            "truce-until": "A truce lasts at least to the end of turn {turn}.",
            "target-twice": "A target of {nation:the} is given twice.",
            "no-rules": "Name the rules that change.",
            "die-stays": "The die cannot change in a running campaign.",
        },
        "causes": {
            "actions-lapse": "unused actions lapse",
            "allowance": "income of {income}t",
            "assassinated": "destroyed by an Assassin of {by:the}",
            "attacks": "attack on {target} from {source}",
            "back-to-hand": "back from the table",
            "battle-drawn": "battle of {target} drawn",
            "battle-lost": "battle of {target} lost",
            "battle-won": "battle of {target} won",
            "betrayed": "treason in {province}",
            "bodyguard-spent": "the Bodyguard stops an Assassin",
            "builds": "{structure}",
            "builds-fleet": "fleet in {province}",
            "campaign-ends": "the campaign ends",
            "certain": "what follows",
            "conquest": "conquest of {target}",
            "correction": "correction: {reason}",
            "covert-lost": "covert attack on {target} lost",
            "covert-won": "covert attack on {target} won",
            "crumbles": "{nation:the} {nation:crumble|crumbles}",
            "draws": "draw",
            "encounter-even": (
                "encounter off {target}: {sum} against {other}: neither side wins; both fleets"
                " survive, the attack ends"
            ),
            "encounter-lost": (
                "encounter off {target}: {sum} against {other}: {victim:the} {victim:win|wins}; "
                "the fleet of {by:the} is wrecked, the attack ends"
            ),
            "encounter-lost-only": (
                "encounter off {target}: {sum} against {other}: {victim:the} {victim:win|wins}; the"
                " attack ends"
            ),
            "encounter-won": (
                "encounter off {target}: {sum} against {other}: {by:the} {by:win|wins}; "
                "the fleet of {victim:the} is wrecked, the battle follows"
            ),
            "encounter-even-foreseen": "even at sea",
            "encounter-lost-foreseen": "{victim:the} {victim:win|wins} at sea",
            "encounter-won-foreseen": "{by:the} {by:win|wins} at sea",
            "escort-failed": "no escort",
            "escort-failed-rolled": (
                "escort: {roll} on the d{sides}, {least} or more needed: no escort; the battle"
                " stays as launched, {battle}"
            ),
            "escort-forced": "escort forced",
            "escort-forced-rolled": (
                "escort: {roll} on the d{sides}, {least} or more needed: the battle is an escort"
                " baggage train, {nation:the} {nation:attack|attacks} in it"
            ),
            "fleet-lost-with-battle": "fleet lost with the battle of {target}",
            "fortifies": "{fortification} in {province}",
            "independents-held": "defence of {target} led to victory",
            "insurrection": "insurrection in {target}",
            "keeps": "the Bodyguard is kept",
            "keeps-not": "the Bodyguard stands guard",
            "lapses": "the attack on {target} lapses",
            "led-anew": "{target} gets a new leader",
            "offers": "{card} put on the table",
            "opening": "at the start",
            "answers-accept": "challenge accepted",
            "answers-withdraw": "withdrawal from {target}",
            "answers-escort": "escort tried",
            "outcome-attacker": "{target}: the attacker won",
            "outcome-defender": "{target}: the defender won",
            "outcome-draw": "{target}: drawn",
            "outcome-withdrawn": "{target}: the defender withdrew",
            "plays-on-battle": "{card} on the battle of {target}",
            "plays-assassin": "Assassin",
            "plays-chancellor": "Chancellor",
            "plays-diplomat": "Diplomat",
            "plays-local-insurrection": "Local Insurrection",
            "plays-mercenaries": "Mercenaries",
            "plays-spy": "Spy",
            "plays-traitor": "Traitor",
            "province-lost": "loss of {target}",
            "provincial-levy": "provincial levy",
            "score-stability": "final scoring, stability",
            "score-prestige": "final scoring, prestige",
            "score-fortifications": "final scoring, fortifications",
            "score-barracks": "final scoring, barracks",
            "score-fleets": "final scoring, fleets",
            "siege-held": "the siege of {target} fails",
            "siege-taken": "{target} is taken by siege",
            "slot-ends": "slot ends",
            "slot-opens": "slot opens",
            "slots-ended": "all slots have ended",
            "standings": "final standings",
            "steals": "stolen from {victim:the}",
            "stolen": "stolen by {thief:the}",
            "tax-exemption": "tax exemption",
            "tax-increase": "tax increase",
            "threshold-stability-3": "stability at 3 or less",
            "threshold-stability-2": "stability at 2 or less",
            "threshold-prestige-1": "prestige at 1 or less",
            "threshold-income-0": "deficit",
            "trades": "trade",
            "train-lost-in-siege": "siege train lost before {target}",
            "train-lost-with-battle": "siege train lost with the battle of {target}",
            "truce": "truce to the end of turn {until}",
            "turn-closes": "turn {turn} closes",
            "turn-opens": "turn {turn} opens",
            "turns-independent": "{target} turns independent",
            "wait-answer": "answer the attack on {target}",
            "wait-battle": "play the battle of {target}",
            "wait-open-turn": "open turn {turn}",
            "wait-slot": "play the slot",
            "wait-start": "start the campaign",
            "why-accept": "{win} of 100 to hold {target}",
            "why-attack": "{win} of 100 to win {target}",
            "why-barracks": "barracks count at the end",
            "why-build": "nothing brings more until the end than what begins with it",
            "why-card-assassin": "the card would be used against others",
            "why-card-chancellor": "one action more",
            "why-card-diplomat": "a province without a battle",
            "why-card-local-insurrection": "its nation has to fight at home",
            "why-card-mercenaries": "the army is below strength",
            "why-card-spy": "the card is worth having",
            "why-card-traitor": "a province without a battle",
            "why-counts": "stability counts at the end, and nothing else brings more for the price",
            "why-end-slot": "nothing else is worth its price",
            "why-escort": "an escort may turn the battle of {target}",
            "why-fleet": "a fleet counts at the end",
            "why-level": "a level counts at the end",
            "why-low": "stability is low",
            "why-provincial-levy": "the army is below strength",
            "why-siege-train": "walls fall more easily",
            "why-tax-increase": "the action brings more now than the stability that it costs",
            "why-walls": "{nation:the} {nation:border|borders} it",
            "why-walls-train": (
                "{nation:the} {nation:border|borders} it and {nation:have|has} a siege train"
            ),
            "why-withdraw": "stability is too low for a defeat at {target}",
            "wins-over": "{province} won over",
            "without-provinces": "{nation:the} {nation:have|has} no province left",
            "rules-amended": "rules amended: {reason}",
            "taken-over": "taken over after turn {turn}: {reason}",
        },
        "moves": {
            "start": "starts the campaign",
            "open-turn": "opens the next turn",
            "build": "{who:build|builds} {structure}",
            "tax-exemption": "{who:grant|grants} a tax exemption",
            "tax-increase": "{who:raise|raises} taxes",
            "barracks": "{who:build|builds} barracks",
            "siege-train": "{who:build|builds} a siege train",
            "provincial-levy": "{who:levy|levies} troops in the provinces",
            "fortify": "{who:fortify|fortifies} {province}",
            "fleet": "{who:outfit|outfits} a fleet in {province}",
            "attack": "{who:attack|attacks} {target} from {source} ({details})",
            "respond-accept": "{who:accept|accepts} {contest}{with_cards}",
            "respond-withdraw": "{who:withdraw|withdraws} from {contest}",
            "respond-escort": "{who:answer|answers} {contest} with an escort{with_cards}",
            "play-assassin": "{who:play|plays} Assassin on {target_nation:the}: {destroy}",
            "play-chancellor": "{who:play|plays} Chancellor",
            "play-diplomat": "{who:play|plays} Diplomat: {diplomacy}",
            "play-local-insurrection": (
                "{who:play|plays} Local Insurrection in {province} ({details})"
            ),
            "play-mercenaries": "{who:play|plays} Mercenaries",
            "play-spy": "{who:play|plays} Spy on {target_nation:the}{stolen}",
            "play-traitor": "{who:play|plays} Traitor in {province}",
            "keep-true": "{who:keep|keeps} the Bodyguard back",
            "keep-false": "{who:set|sets} the Bodyguard on guard",
            "offer": "{who:put|puts} {card} on the table",
            "take": "{who:take|takes} {card} from {from_nation:the}{given}",
            "end-slot": "{who:end|ends} the slot",
            "report": "enters the result of {contest}: {result}",
            "report-claimed": "The result of {contest}: {result}",
            "forfeit": "attributes {contest}: the {side} loses it",
            "forfeit-claimed": "{contest} is attributed: the {side} loses it",
            "adjust": "adjusts {account} of {nation:the} by {change}: “{reason}”",
            "set-owner": "gives {province} to {to}: “{reason}”",
            "give-card": "gives {nation:the} {card}: “{reason}”",
            "discard-card": "discards {card} of {nation:the}: “{reason}”",
            "resume": "takes the campaign over after turn {turn}: “{reason}”",
            "amend": "amends the rules: “{reason}”",
            "set-structures": "sets the structures of {nation:the} to {structures}: “{reason}”",
            "set-assets": "sets the assets of {nation:the} to {assets}: “{reason}”",
            "set-fortification": (
                "sets the fortification of {province} to {fortification}: “{reason}”"
            ),
            "set-fleet-true": "gives {province} a fleet: “{reason}”",
            "set-fleet-false": "takes the fleet of {province} away: “{reason}”",
        },
        "parts": {
            "a-card": "a card",
            "called-off": "called off",
            "drawn": "drawn",
            "for": " for {card}",
            "for-a-card": " for a card",
            "naval": "naval battle, {who}",
            "routed": "routed {attacker}–{defender}",
            "siege-train": "with a siege train",
            "stolen": ": {card}",
            "the-nation": "{nation:the}",
            "truce": "a truce with {nation:the}",
            "with-cards": " with {cards}",
            "won-attacker": "the attacker won",
            "won-defender": "the defender won",
            "none": "none",
            "barracks": "barracks",
            "no-barracks": "no barracks",
            "siege-trains": "siege trains: {n}",
            "crumbled-in": "crumbled in turn {turn}",
            "fell-in": "fallen in turn {turn}",
            "fell": "fallen",
            "sum": "{die} + {bonus} = {sum}",
        },
        "rolls": {
            "start": "{nation} {nation:open|opens} turn 1",
            "card": "{nation} {nation:draw|draws} {card}",
            "event": "{nation}: {event}",
            "spy": "Spy of {nation:the}",
            "escort": "{province}: escort",
            "siege": "{province}: siege",
            "naval": "{province}: encounter, {side}",
        },
        "report": {
            "contents": {
                "final": "The end of the campaign",
                "turn": "Turn {n} report",
                "standings": "Standings after turn {n}",
                "slot": "Slot of {nation:the}",
                "opening": "Turn {n} opens",
                "result": "{name}: result",
                "launched": "{name}: launched",
                "trade": "Trade of {taker:the} with {giver:the}",
            },
            "titles": {
                "final": "the end of the campaign",
                "turn": "turn {n} of {of}",
                "standings": "standings after turn {n} of {of}",
                "slot": "turn {n}: slot of {nation:the}",
                "opening": "turn {n} of {of} opens",
                "challenge": "#{n}: attack on {province}",
                "result": "#{n}: result in {province}",
            },
            "headings": {
                "battles": "Challenges and battles",
                "cards": "Cards",
                "events": "Random events",
                "orders": "Orders and corrections",
                "corrections": "Corrections",
                "close": "Close",
                "standings": "Standings",
                "final": "Final standings",
                "waits": "The table waits for",
            },
            "columns": {
                "standings": [
                    "",
                    "VP",
                    "±",
                    "stability",
                    "prestige",
                    "income",
                    "army",
                    "provinces",
                ],
                "rank": "rank",
                "accounts": ["", "before", "after"],
            },
            "entry": "Entry {n}.",
            "entries": "Entries {first}–{last}.",
            "after-entry": "After entry {n}.",
            "taken-over": "Taken over after turn {turn} from elsewhere: “{reason}”",
            "order": "Order of play: {order}.",
            "opener": " The opener was rolled: {rolled} (§1.2).",
            "draws": "{nation} {nation:draw|draws} {card} ({rolled}).",
            "draws-unseen": "{nation} {nation:draw|draws} a card.",
            "draws-unseen-several": "{nation} {nation:draw|draws} {n} cards.",
            "no-actions": "{nation} {nation:have|has} no actions.",
            "no-action": "no action",
            "gives": "{income}t give {gives}",
            "slot-opens": "The slot opens",
            "back": "; back from the table: {cards}",
            "please-answer": "{nation}, please answer.",
            "undecided": "The battle is not yet decided.",
            "lapsed": "The attack has lapsed.",
            "fallen": "{nation} ({how})",
            "over-one": "The campaign is over. {winners} {winners:have|has} won.",
            "over-several": "The campaign is over. {winners} share the victory.",
            "master": "The game master",
            "master-does": "The game master {what}",
            "nation-does": "{nation} {what}",
            "gains": "{nation} {nation:gain|gains} {card}",
            "gains-table": "{nation} {nation:gain|gains} {card} on the table",
            "loses": "{nation} {nation:lose|loses} {card}",
            "loses-table": "{nation} {nation:lose|loses} {card} on the table",
            "until": "to the end of turn {until}",
            "built": "{nation}: {structure} built",
            "lost": "{nation}: {structure} lost",
            "truce": "{nation} and {by}: {what}",
            "fleet-lost": "{province}: the fleet is lost",
            "fleet": "fleet",
            "with-it": ", {lost} lost",
            "fails": "{rolled}, fails on 1–{holds}, ",
            "cannot-fail": "{rolled}, cannot fail, ",
            "led-by": "{what} by {nation:the}",
            "led-by-nobody": "{what}, by nobody",
            "with": " with {structure}",
            "lapses": "; {amount} lapses",
            "lapse": "; {amount} lapse",
            "paid": " ({amount}, {left} left)",
            "against": ", #{n} against {nation:the}",
            "against-nobody": ", #{n} against independents led by nobody",
            "against-led": ", #{n} against independents led by {nation:the}",
            "sides": (
                "{attacker} against {defender}: {kind}; {ours}, {points} points, against {theirs},"
                " {other} points"
            ),
            "sides-led": (
                "{attacker} against {defender} led by {leader:the}: {kind}; {ours}, {points}"
                " points, against {theirs}, {other} points"
            ),
            "independents": "independents",
            "siege-train": "siege train",
        },
        "orders": {
            "answer": "Answer challenges",
            "answer-about": (
                "Accepts or withdraws for you. An order for a province comes before one for all."
            ),
            "provinces": "Attacked province",
            "provinces-help": "Choose none for an order that holds everywhere.",
            "choice": "Answer",
            "choices": {
                "accept": "accept",
                "withdraw": "withdraw",
                "escort": "try to force an escort",
            },
            "cards": "Cards that go with it",
            "cards-help": (
                "An order is skipped if you do not hold its card then, and you are notified. A"
                " withdrawal takes no cards."
            ),
            "bodyguard": "Bodyguard",
            "bodyguard-about": (
                "Decides, as soon as you hold one, whether it guards your hand from an Assassin or"
                " is kept. Where hands are open, everybody then reads it in the log."
            ),
            "guard": "Your Bodyguard",
            "guards": {
                "keep": "is kept, and the Assassin succeeds",
                "guard": "guards the hand and is spent",
            },
            "everywhere": "Everywhere else",
            "lines": {
                "keep": "A Bodyguard is kept",
                "guard": "A Bodyguard guards the hand",
                "answer": "{where}: {what}",
                "cards": "{where}: {what}, with {cards}",
            },
        },
    },
)

RULEBOOK = Texts(
    "grand_campaign.rulebook",
    {
        "numbers": [
            "0",
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
        "action": "action",
        "actions": "actions",
        "list": "{most}, {last}",
        "keyed": "{code}",
        "nobody": "nobody",
        "none": "none",
        "no-roll": "no roll",
        "civilized": "{names} are civilized (they build Architectures)",
        "civilized-one": "civilized is only this nation: {names} (Architectures)",
        "barbarian": "{names} are barbarian (Urban Infrastructures)",
        "barbarian-one": "barbarian is only this nation: {names} (Urban Infrastructures)",
        "own-map": "of the scenario {name}",
        "own-starts": "These nations begin otherwise: {nations}.",
        "and-more": "and more on its sheet",
        "turn": "turn {turns}",
        "turns": "turns {turns}",
        "turn-none": "no turn",
        "on-turn": "on turn {turns}",
        "on-turns": "on turns {turns}",
        "on-turn-none": "on no turn",
        "truce": "for {turns} turns, this one counted",
        "truce-none": "for no time at all",
        "truce-now": "to the end of this turn",
        "truce-next": "to the end of the next turn",
        "no-actions": "no income gives any",
        "income-under": "under {income} 0",
        "income-from": "from {income} {actions}",
        "income": "{income} {actions}",
        "income-most": "{income} and more {actions}",
        "and-points": " and {points} VP",
        "architecture-first": "{name} {cost} {action}, prestige {gain}",
        "architecture": "{name} {cost}, {gain}",
        "religious-first": "{name} {cost}, stability {gain}",
        "religious": "{name} {cost}, {gain}",
        "commercial-first": "{name} {cost} {action}, income {gain}t",
        "commercial": "{name} {cost}, {gain}t",
        "commercial-each": ", each {cost} and income {gain}: {names}",
        "levels": " (*ruling:* {last} stand on {below}, so {points})",
        "levels-own": " (*ruling:* {last} counts with the levels below it, {below}, so {points})",
        "siege": "{rolls} ({lower})",
        "default": "default: {value}",
        "own": "this scenario: {value}",
        "since": "as of turn {turn}",
        "not-there": "not there",
    },
)

SHEET = Texts(
    "grand_campaign.sheet",
    {
        "turn": "Turn that has closed",
        "first": "Opened turn 1",
        "appointed": "Led independents last",
        "reason": "Reason",
        "nation": "Nation",
        "nobody": "nobody",
        "independent": "independent",
        "yes": "yes",
        "fleet": "fleet",
        "columns": {
            "stability": "Stability",
            "prestige": "Prestige",
            "income": "Income",
            "army": "Army",
            "victory_points": "VP",
            "hand": "Hand",
            "table": "On the table",
            "architecture": "Architecture",
            "religious": "Religious",
            "commercial": "Commercial",
            "barracks": "Barracks",
            "siege_trains": "Siege trains",
            "fallen": "Fallen",
        },
        "parts": {
            "provinces": "Province|Owner|Fortification|Fleet",
            "truces": "Truce of|and|until turn",
            "targets": "Attacked by|provinces",
        },
        "near": " Is {name} meant?",
        "no-number": "“{text}” is not a whole number.",
        "no-nation": "“{text}” is not a nation here.{near}",
        "no-province": "“{text}” is not a province here.{near}",
        "no-card": "“{text}” is not a card.{near}",
        "no-structure": (
            "“{text}” is not a structure of this track. There are: {known}; a number says how many"
            " stand."
        ),
        "no-wall": "“{text}” is neither a fortification nor “fleet”.",
        "no-truce": "“{text}”: a truce is two nations and its last turn, with commas between.",
        "no-reason": "Say where the campaign ran until now: everybody will read it.",
        "yes-or-no": "“{text}” is neither yes nor no.",
        "unknown-column": "The column “{name}” is not known and was left out.",
        "unknown-nation": "Line {line}: “{text}” is not a nation here.{near}",
        "unknown-line": "Line {line}, “{text}”, belongs to no part of the sheet and was left out.",
    },
)

FAULTS = Texts(
    "grand_campaign.faults",
    {
        "a-number": "must be a number",
        "a-path": "must be a path",
        "attack_limit": "must be turn or running",
        "band": "must begin at {first} and not end before it",
        "bands-end": "must end at {die}",
        "capital": "must be a province that the nation owns",
        "colour": "must be a colour written #rrggbb",
        "culture": "must be civilized or barbarian",
        "diplomat": "must be bordering or anywhere",
        "drawing-too-large": "is larger than {most} kB when its curves are lines: draw it simpler",
        "file-empty": (
            "has no closed shape in it: each province is a path, polygon, rectangle, circle or"
            " ellipse"
        ),
        "file-entities": "declares entities of its own, which are not read: save it as plain SVG",
        "file-flat": "has shapes that all lie on one line",
        "file-no-geojson": (
            "is not GeoJSON: it must be a collection of features with Polygon or MultiPolygon"
        ),
        "file-no-svg": "is XML, but not SVG: it begins with {tag}",
        "file-no-xml": "is not well-formed XML, line {line}, column {column}",
        "file-packed": "is compressed: save it as plain .svg or .geojson",
        "file-slow": "takes too long to read: draw it simpler",
        "file-tangled": (
            "has lines that cross each other very often: take hatching and textures out"
        ),
        "file-too-deep": "has groups more than {most} deep in each other",
        "file-too-large": "is larger than {most} MB",
        "file-topojson": "is TopoJSON: save it as GeoJSON",
        "file-unknown": "is neither SVG nor GeoJSON",
        "folder": "must be {key}, like its folder",
        "given-twice": "is given twice",
        "grid-sign": (
            "has the sign {sign} in line {line}: each province is a letter or a digit, the sea a"
            " point"
        ),
        "grid-too-large": "has at most {across} hexagons across and {down} down",
        "halves": "must be in halves",
        "hands": "must be open or hidden",
        "incomes": "the incomes must rise",
        "joins-two": "must join two provinces",
        "key": "must be a key of a-z, 0-9 and -, at most 40 long",
        "key-given-twice": "{key} is given twice",
        "key-gm": "gm is the game master",
        "key-twice": "{key} appears twice",
        "kind": "must be nation, independent or external",
        "leaves": "leaves the viewBox at {x} {y}",
        "name": "must be a name",
        "nations": "must be 2 to 12 nations",
        "no-army": "is not an army of the scenario",
        "no-border": "is not a border of the scenario",
        "no-fortification": "must be a fortification of the rules, or null",
        "no-json": "is not JSON ({why})",
        "no-line": "has no line",
        "no-nation": "is not a nation of the scenario",
        "no-nations": "the province belongs to no nation",
        "no-outline": "has no outline",
        "no-path": "is not a path",
        "no-province": "is not a province of the scenario",
        "no-ring": "is not a closed outline",
        "no-spelling": "has no spelling",
        "no-structure": "is not a structure of the nation’s culture",
        "no-such-province": "{key} is not a province of the scenario",
        "not-drawn": "is in the scenario but not drawn",
        "not-in-scenario": "is not in the scenario",
        "not-known": "is not known",
        "not-maritime": "the province is not maritime",
        "not-of-the-rules": "is not one of the rules",
        "not-touching": "the two do not touch, so they cannot be one province",
        "number": "must be a number from 0 to below 1000000000",
        "number-from-to": "must be a number from {least} to {most}",
        "only-drawn": "is drawn but not in the scenario",
        "outlines-too-long": "have outlines that are too long: draw them simpler",
        "outside": "lies outside the viewBox",
        "outside-province": "lies outside the province",
        "owner": "must be a nation or null",
        "owner-kind": "does not agree with the kind {kind}",
        "pair": "must be two known provinces",
        "pair-order": "must be two provinces in alphabetical order, a|b",
        "pair-twice": "must join two different provinces, once",
        "path-begins": "must begin with M",
        "path-far": "leads too far away",
        "path-number": "has a number at {at} that is too large",
        "path-number-alone": "has a number at {at} without a command",
        "path-points": "has more than {most} points",
        "path-sign": "has a sign at {at} that no path has",
        "path-too-few": "has too few numbers after {letter} at {at}",
        "path-too-long": "is longer than {most} characters",
        "point": "must be a point [x, y]",
        "printable-name": "must be a name of 1 to {most} printable characters",
        "region-key": "must be new, of letters, digits and hyphens, and not `whole`",
        "river-class": "must be 1, 2 or 3",
        "row": "must be a row of {length}",
        "row-stands": "the row of {name} must keep its name and place: it has been built",
        "shape-collection": "is a collection: it must be one Polygon or MultiPolygon",
        "shape-coordinates": "has coordinates that are not lists of two numbers",
        "shape-covered": "is covered by another shape, or too small to be seen",
        "shape-flat": "encloses no land",
        "shape-kind": "is of the kind {kind}; it must be Polygon or MultiPolygon",
        "shape-length": "has a length that is not a plain number: {key}",
        "spelling-twice": "is also a spelling of {army}",
        "stands-twice": "appears twice",
        "structure-before": "needs {before} before it",
        "text-not-empty": "must be text that is not empty",
        "too-crossed": "cross each other more than a map can show: bring a drawing with it",
        "too-few-shapes": "needs two shapes with different names at least",
        "too-many-apart": (
            "have more than {most} borders where they do not touch: draw them side by side"
        ),
        "too-many-elements": "has more than {most} elements",
        "too-many-entries": "has more than {most} entries",
        "too-many-points": "is too much: a drawing has at most {most} points",
        "too-many-shapes": "has more than {most} shapes",
        "touches": "touches {other}, and the scenario has no such border",
        "transform": "has a transform that SVG does not know: {text}",
        "view-box": "must be four numbers: left, top, width, height",
        "view-box-ratio": "must be {least} to {most} times as wide as high",
        "view-box-small": "must be at least 1 wide and high",
        "view-box-whole": "must be [0, 0, width, height] in whole numbers",
        "warn-army": "the least army, {least}, is above the most, {most}",
        "warn-colours": "{colour} looks like the colour of {other}",
        "warn-event-turn": "turn {turn} never comes: the last is {last}",
        "warn-name-twice": "{other} has the same name, {name}",
        "warn-never-falls": (
            "{name} never falls: its sieges fail at {holds} of {die} even with a siege train"
        ),
        "warn-route-on-land": "{one} and {other} have a land border, too",
    },
)

FOUNDING = Texts(
    "grand_campaign.founding",
    {
        "active": "the slot of {seat:the}",
        "idle": "between slots",
        "start": "The start throws the first dice: who opens turn 1, and a card for each.",
    },
)

LESSON = Texts(
    "games.grand_campaign.lesson",
    {
        "name": "Learn the Grand Campaign",
        "about": (
            "One slot of the Romans among programs: the purse, a building, an attack, the end of"
            " the slot."
        ),
        "steps": {
            "nation": {
                "head": "Your slot is open",
                "text": (
                    "In each turn every nation has one slot. Open the page of the Romans: there you"
                    " act."
                ),
            },
            "build": {
                "head": "Spend an action",
                "text": (
                    "The purse says how many actions you have. Choose a building that the form"
                    " offers and announce it. Each form says before what follows."
                ),
                "late": "No action is left for this. Undo a move, or end the slot.",
            },
            "attack": {
                "head": "Attack a province",
                "text": (
                    "Choose a province to attack. Read what follows: what it costs, and what is at"
                    " stake. Then announce it; in this lesson the battle is decided by the model."
                ),
                "late": (
                    "No attack is possible any more in this slot. Undo a move, or end the slot."
                ),
            },
            "end": {
                "head": "End the slot",
                "text": (
                    "Press “End slot”. What is left of the purse lapses. Then the programs play,"
                    " one nation after the other."
                ),
            },
            "on": {
                "head": "You know how a slot goes",
                "text": (
                    "Six turns make a campaign. Play on here against the programs, or found one"
                    " with friends."
                ),
            },
        },
    },
)
