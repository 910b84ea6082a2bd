"""The English texts of the Grand Campaign.

Other languages are in locale/ (docs/contribute/translating.md).
"""

from __future__ import annotations

from engine.language import Texts

WORDS = Texts(
    "grand_campaign.words",
    {
        "about": (
            "{nations} nations build, trade cards and attack. Battles are fought in Field of Glory"
            " II, and the story is posted in a thread."
        ),
        "lasts": "{players} players, {turns} turns of three to four weeks each",
        "game-master": "game master",
        "nobody": "no one",
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
            "bodyguard": "Stops an Assassin automatically; both cards are then discarded.",
            "chancellor": "{actions} more this turn.",
            "diplomat": "Wins an independent province, +{talents}t, or a truce {truce}.",
            "local-insurrection": (
                "Insurgents with {insurgents} points rise in a border province of another nation; "
                "you lead them."
            ),
            "mercenaries": "A depleted army gains {gain} points for {price}t.",
            "naval-technology": "+{naval} to your roll in an encounter at sea.",
            "reinforcements": "+{points} points to your army for one battle.",
            "scouts": "You choose the terrain of a battle.",
            "spy": "Steals a card from another hand.",
            "traitor": (
                "Wins a neighbouring province of another nation without fighting, +{talents}t."
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
            "draw": "draw",
            "withdrawn": "the defender withdrew",
            "naval-repulse": "repulsed at sea",
            "lapsed": "lapsed",
        },
        "errors": {
            "not-a-move": "A move must be an object with its keys.",
            "argument-missing": "The argument {key} is missing.",
            "unknown-argument": "“{key}” is not an argument of {move}.",
            "unknown-move": "There is no move “{name}”.",
            "unknown-nation": "There is no nation “{name}” here.",
            "unknown-province": "There is no province “{name}” on this map.",
            "unknown-attack": "There is no attack #{attack}.",
            "not-a-nation": "Give the key of a nation.",
            "not-a-province": "Give the key of a province.",
            "not-a-card": "That is not a card of the game.",
            "not-a-list": "Give a list of cards.",
            "not-a-flag": "The answer must be yes or no.",
            "not-a-number": "Give a number.",
            "not-a-whole-number": "Give a whole number.",
            "not-halves": "Give actions in whole or half numbers.",
            "not-a-text": "The text is too long or has characters that cannot be stored.",
            "not-one-of": "Choose one of: {values}.",
            "not-a-structure": "There is no such structure.",
            "not-shares": "Give two shares: the attacker’s and the defender’s.",
            "share-off": "A share must be from 0 to 100.",
            "only-true": "This can only be true. Leave it out if the battle was not called off.",
            "one-result": (
                "Give exactly one result: shares, a winner, called off, or a naval battle."
            ),
            "no-reason": "A correction needs a reason. Say what it repairs and cite the post.",
            "no-change": (
                "The change must be a number other than 0, and less than a thousand million."
            ),
            "card-named-twice": "You can name each card only once.",
            "on-oneself": "You cannot choose your own nation. Choose another.",
            "province-or-truce": "A Diplomat wins a province or a truce: choose one of them.",
            "steal-is-random": "Hands are hidden, so the Spy steals at random. Do not name a card.",
            "roll-beyond-hand": "The roll {roll} is higher than the number of cards in the hand.",
            "only-bodyguard": "Only a Bodyguard can be kept back.",
            "other-culture": "Only the other culture can build {structure}.",
            "escort-needs-ambush": "An escort baggage train needs the card Ambush.",
            "covert-siege-train": "A covert attack cannot use a siege train.",
            "covert-reinforcements": "Reinforcements can only join your own army.",
            "master-needs-for": "Name the nation for which you, the game master, make this move.",
            "master-for-nobody": (
                "The game master makes this move on their own behalf. Do not name a nation."
            ),
            "for-others": "A nation can only move for itself.",
            "master-only": "Only the game master can make this move.",
            "wrong-phase-setup": "The campaign has not begun yet. The game master starts it.",
            "wrong-phase-slots": "Turn {turn} is still open. Wait until it closes.",
            "wrong-phase-battles": (
                "Every nation has ended turn {turn}; only battles are still open."
            ),
            "wrong-phase-closed": "Turn {turn} has closed. The game master opens the next turn.",
            "wrong-phase-finished": "The campaign has ended.",
            "nation-fallen": "{nation:The} {nation:have|has} fallen.",
            "not-your-slot": (
                "It is not the turn of {nation:the}; {slot:the} {slot:are|is} playing."
            ),
            "actions-without-slot": (
                "Actions can be adjusted only during the turn of {nation:the}."
            ),
            "not-enough-actions": "This costs {cost}, but you have only {have}.",
            "already-built": "{structure}: already built.",
            "fully-fortified": "{province} already has every level of fortification.",
            "fleet-there": "{province} already has a fleet.",
            "prerequisite-missing": "Build {missing} before {structure}.",
            "not-owner": "{province} is not yours.",
            "own-province": "{province} is already yours.",
            "not-maritime": "{province} has no sea route, so it cannot have a fleet.",
            "province-under-attack": "{province} is under attack.",
            "no-building-under-attack": (
                "{province} is under attack. Nothing can be built there until the attack is "
                "resolved."
            ),
            "no-barracks": "You need barracks to levy troops.",
            "army-not-depleted": (
                "The army has {army} points. It can only be replenished below {full}."
            ),
            "no-siege-train": "You own no siege train.",
            "income-too-low": "Mercenaries cost {needed}t, but the income is only {income}t.",
            "would-crumble": "Your nation would crumble as a result.",
            "tax-increase-once": (
                "You have already raised taxes this turn. You can do so only once."
            ),
            "not-adjacent": "{source} does not border {target}.",
            "not-bordering": "{province} does not border your territory.",
            "no-target": "There is nothing to choose here now.",
            "no-target-land": "There is no neighbour by land that you can attack.",
            "no-target-amphibious": "No sea route leads to a target beyond your land neighbours.",
            "no-target-independent": "No independent province borders {nation:the}.",
            "no-sea-route": "No sea route leads from {source} to {target}.",
            "no-fleet": "{province} has no fleet.",
            "fleet-too-new": (
                "The fleet in {province} was built this turn. It can carry attacks from turn "
                "{next_turn} on."
            ),
            "amphibious-neighbours": "{source} and {target} are land neighbours. Attack by land.",
            "covert-on-independent": (
                "{target_or_province} is independent. A covert attack must target a nation’s "
                "province."
            ),
            "stability-too-low": (
                "Stability is too low for this attack: it is {stability} now and was {opening} "
                "when your turn began."
            ),
            "attack-limit": "You have already launched your attack this turn.",
            "covert-attack-limit": "You have already launched your covert attack this turn.",
            "attack-limit-running": (
                "Your attack has not ended yet. You can launch another once its result has been "
                "entered."
            ),
            "covert-attack-limit-running": (
                "Your covert attack has not ended yet. You can launch another once its result has "
                "been entered."
            ),
            "starting-point-under-attack": (
                "{province} is under attack, so no attack can start there. Choose another province."
            ),
            "starting-point-used": (
                "An attack has already started from {province} this turn. Choose another province."
            ),
            "starting-point-protected": (
                "An attack started from {province} this turn, so it is protected until the next "
                "turn."
            ),
            "already-attacked": (
                "{province} has already been attacked this turn. It cannot be attacked again "
                "before the next turn."
            ),
            "repeat-attack": (
                "You attacked {province} last turn. You cannot attack it again before turn "
                "{next_turn}."
            ),
            "truce": "A truce with {nation:the} lasts to the end of turn {until}.",
            "capital-before-turn": (
                "{province} is a capital. It cannot be attacked before turn {turn}."
            ),
            "capital-not-last": (
                "{province} is a capital. It is safe as long as {nation:the} {nation:hold|holds} "
                "another province."
            ),
            "capital-never": "{province} is a capital. This card cannot be played on capitals.",
            "external-province": "{province} is external: it is not part of the game.",
            "external-source": (
                "{province} is external. Attacks cannot start there in this campaign."
            ),
            "not-independent": "{province} is not independent.",
            "source-not-independent": (
                "{province} is not independent. A covert attack must start from an independent "
                "province."
            ),
            "target-not-independent": (
                "{province} is not independent. A Diplomat can only win independent provinces."
            ),
            "borders-opponent": (
                "You border {nation:the}. A covert attack needs a target nation with no land "
                "border to yours."
            ),
            "card-on-independent": (
                "{province} is independent. {card} can only be played on a nation’s province."
            ),
            "not-border-province": "{province} does not border any other owner.",
            "no-such-card": "{card} is not in your hand.",
            "not-mixed": (
                "The dice of turn {turn} are waiting for the value to be mixed in. See the page "
                "Dice."
            ),
            "empty-hand": "The hand of {nation:the} is empty.",
            "not-in-their-hand": "{nation:The} {nation:do|does} not hold {card}.",
            "not-on-their-table": "{nation:The} {nation:have|has} no {card} on the table.",
            "no-hand-for-spy": "No other nation has a card to steal.",
            "no-hand-for-assassin": "No other nation has a card that an Assassin can destroy.",
            "nothing-to-give": "You must give a card in return, but your hand is empty.",
            "card-not-playable": "{card} cannot be played here.",
            "card-not-here": "{card} cannot be used with this.",
            "card-not-in-slot": "{card} cannot be played on its own.",
            "no-encounter": (
                "{card} can only be played for an encounter at sea, and there will be none."
            ),
            "no-cards-with-withdrawal": "You cannot play cards with a withdrawal.",
            "not-challenged": "#{attack} is not waiting for an answer.",
            "not-the-challenged": "Only {nation:the} can answer this challenge.",
            "no-escort-right": "{nation:The} cannot force an escort against this army.",
            "no-escort-insurrection": (
                "You can accept an insurrection or withdraw, but you cannot force an escort."
            ),
            "already-resolved": "#{attack} has already been resolved.",
            "encounter-ended-it": (
                "The encounter at sea ended #{attack}, so there is no battle to report."
            ),
            "no-naval-battle": (
                "A naval battle is only possible in an amphibious attack on a nation’s province, "
                "before the encounter is rolled."
            ),
            "module-by-winner": (
                "{battle} has no house rule. Report the winner that the game declared."
            ),
            "no-dice": (
                "The die for {purpose} is missing: the move does not give it and none is available."
            ),
            "siege-trains-away": (
                "All your siege trains are with attacks that have not been resolved yet."
            ),
            "only-in-records": (
                "This move is not possible at the table yet. It is only played from records."
            ),
            "changes-nothing": "That is already the case. Nothing would change.",
            "no-asset": "Name the barracks, the siege trains, or both.",
            "nobodys-province": (
                "{province} does not belong to a nation. Only a nation’s province can have "
                "fortifications and a fleet."
            ),
            "not-structures": "Give a list of structures.",
            "not-as-asked": "{where}: {why}.",
            "not-an-object": "Give an object with its keys: {key}.",
            "not-a-list-of": "Give a list: {key}.",
            "external-named": "{province} is external, so it cannot be listed.",
            "turn-off": "The turn that has closed must be from 1 to {last}.",
            "nation-missing": "The sheet of {nation:the} is missing; every nation needs one.",
            "fallen-holds-cards": (
                "{nation:The} {nation:have fallen and cannot hold|has fallen and cannot hold} "
                "cards."
            ),
            "fallen-holds-province": (
                "{nation:The} {nation:have fallen and cannot hold|has fallen and cannot hold} a "
                "province."
            ),
            "stands-without-province": (
                "{nation:The} {nation:have not fallen but hold|has not fallen but holds} no"
                " province."
            ),
            "truce-of-two": "A truce must be between two nations.",
            "truce-twice": "The truce between these two nations is listed twice.",
            "truce-until": "A truce must last at least to the end of turn {turn}.",
            "target-twice": "A target of {nation:the} is listed twice.",
            "no-rules": "Name the rules to change.",
            "die-stays": "The die cannot be changed in a running campaign.",
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
            "draws": "card drawn",
            "encounter-even": (
                "encounter off {target}: {sum} against {other}: neither side wins; both fleets "
                "survive and the attack ends"
            ),
            "encounter-lost": (
                "encounter off {target}: {sum} against {other}: {victim:the} {victim:win|wins}; "
                "the fleet of {by:the} is wrecked and the attack ends"
            ),
            "encounter-lost-only": (
                "encounter off {target}: {sum} against {other}: {victim:the} {victim:win|wins} "
                "and the attack ends"
            ),
            "encounter-won": (
                "encounter off {target}: {sum} against {other}: {by:the} {by:win|wins}; the fleet "
                "of {victim:the} is wrecked and the battle follows"
            ),
            "encounter-even-foreseen": "draw at sea",
            "encounter-lost-foreseen": "{victim:the} {victim:win|wins} at sea",
            "encounter-won-foreseen": "{by:the} {by:win|wins} at sea",
            "escort-failed": "no escort",
            "escort-failed-rolled": (
                "escort: {roll} on the d{sides}, {least} or more needed: no escort; the battle "
                "remains as launched, {battle}"
            ),
            "escort-forced": "escort forced",
            "escort-forced-rolled": (
                "escort: {roll} on the d{sides}, {least} or more needed: the battle is an escort "
                "baggage train, and {nation:the} {nation:attack|attacks} in it"
            ),
            "fleet-lost-with-battle": "fleet lost with the battle of {target}",
            "fortifies": "{fortification} in {province}",
            "independents-held": "successful defence of {target}",
            "insurrection": "insurrection in {target}",
            "keeps": "the Bodyguard is kept back",
            "keeps-not": "the Bodyguard guards the hand",
            "lapses": "the attack on {target} lapses",
            "led-anew": "{target} gets a new leader",
            "offers": "{card} put on the table",
            "opening": "at the start",
            "answers-accept": "challenge accepted",
            "answers-withdraw": "withdrawal from {target}",
            "answers-escort": "escort attempted",
            "outcome-attacker": "{target}: the attacker won",
            "outcome-defender": "{target}: the defender won",
            "outcome-draw": "{target}: draw",
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
            "slot-ends": "turn ends",
            "slot-opens": "turn begins",
            "slots-ended": "all nations have ended their turns",
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
            "threat-attack": "{nation:The} {nation:attack|attacks} {target}",
            "threat-crumbles": "Your stability is {level}: at {least} your nation crumbles",
            "threat-insurrection": (
                "{nation:The} {nation:stir|stirs} up an insurrection in {target}"
            ),
            "threat-leads": (
                "{nation:The} {nation:attack|attacks} {target}, whose defence you lead"
            ),
            "turn-opens": "turn {turn} opens",
            "turns-independent": "{target} becomes independent",
            "wait-answer": "answer the attack on {target}",
            "wait-battle": "play the battle of {target}",
            "wait-open-turn": "open turn {turn}",
            "wait-slot": "play the turn",
            "wait-start": "start the campaign",
            "why-accept": "the chance of holding {target} is {win}%",
            "why-accept-worth": (
                "the chance of holding {target} is {win}%, and giving it up would cost more"
            ),
            "why-attack": (
                "the chance of winning {target} is {win}%, and {least}% is enough for what is at"
                " stake"
            ),
            "why-attack-covert": (
                "{nation:the} {nation:are|is} among the leaders and would lose ground; the chance"
                " of winning is {win}%"
            ),
            "why-attack-decides": (
                "a victory in {target} can win the campaign in the last turn; the chance of winning"
                " is {win}%"
            ),
            "why-attack-place": (
                "a victory in {target} can win a better final place; the chance of winning is"
                " {win}%"
            ),
            "why-attack-rash": "a venture against the odds: the chance of winning is only {win}%",
            "why-barracks": "barracks score at the end",
            "why-battle": "chances: attack {win}%, draw {draw}%, defence {lose}%",
            "why-build": "the best long-term build",
            "why-card-assassin": "the card could be used against others",
            "why-card-chancellor": "one more action",
            "why-card-diplomat": "a province without a battle",
            "why-card-local-insurrection": "its owner has to fight at home",
            "why-card-insurrection-leader": (
                "{nation:the} {nation:are|is} among the leaders and {nation:have|has} to fight at"
                " home"
            ),
            "why-card-mercenaries": "the army is below strength",
            "why-card-spy": "the card is worth stealing",
            "why-card-traitor": "a province without a battle",
            "why-counts": "stability scores at the end, and no other action is better value",
            "why-end-slot": "no other action is worth its cost",
            "why-escort": "an escort may decide the battle for {target}",
            "why-fleet": "a fleet scores at the end",
            "why-level": "a level of fortification scores at the end",
            "why-low": "stability is low",
            "why-provincial-levy": "the army is below strength",
            "why-siege-train": "walls fall more easily",
            "why-tax-increase": "the action is worth more now than the stability that it costs",
            "why-walls": "{nation:the} {nation:border|borders} it",
            "why-walls-train": (
                "{nation:the} {nation:border|borders} it and {nation:have|has} a siege train"
            ),
            "why-withdraw": "stability is too low to risk a defeat at {target}",
            "why-withdraw-weak": (
                "the chance of holding {target} is only {win}%, and a defeat would cost more than"
                " the province"
            ),
            "wins-over": "{province} won over",
            "without-provinces": "{nation:the} {nation:have|has} no provinces left",
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
            "fleet": "{who:build|builds} a fleet in {province}",
            "attack": "{who:attack|attacks} {target} from {source} ({details})",
            "respond-accept": "{who:accept|accepts} {contest}",
            "respond-accept-cards": "{who:accept|accepts} {contest} with {cards}",
            "respond-withdraw": "{who:withdraw|withdraws} from {contest}",
            "respond-escort": "{who:answer|answers} {contest} with an escort",
            "respond-escort-cards": "{who:answer|answers} {contest} with an escort and {cards}",
            "play-assassin": "{who:play|plays} Assassin on {target_nation:the}: {destroy}",
            "play-chancellor": "{who:play|plays} Chancellor",
            "play-diplomat-province": "{who:play|plays} Diplomat: {province}",
            "play-diplomat-truce": "{who:play|plays} Diplomat: a truce with {truce:the}",
            "play-local-insurrection": (
                "{who:play|plays} Local Insurrection in {province} ({details})"
            ),
            "play-mercenaries": "{who:play|plays} Mercenaries",
            "play-spy": "{who:play|plays} Spy on {target_nation:the}",
            "play-spy-card": "{who:play|plays} Spy on {target_nation:the}: {steal}",
            "play-traitor": "{who:play|plays} Traitor in {province}",
            "keep-true": "{who:keep|keeps} the Bodyguard back",
            "keep-false": "{who:put|puts} the Bodyguard on guard",
            "offer": "{who:put|puts} {card} on the table",
            "take": "{who:take|takes} {card} from {from_nation:the} for {give}",
            "take-unseen": "{who:take|takes} {card} from {from_nation:the} for a card",
            "end-slot": "{who:end their|ends its} turn",
            "report": "enters the result of {contest}: {result}",
            "report-claimed": "The result of {contest}: {result}",
            "forfeit": "awards {contest} by forfeit: the {side} loses",
            "forfeit-claimed": "{contest} is awarded by forfeit: the {side} loses",
            "adjust": "changes the {account} of {nation:the} by {change}: “{reason}”",
            "set-owner": "gives {province} to {to}: “{reason}”",
            "give-card": "gives {nation:the} the card {card}: “{reason}”",
            "give-card-unseen": "gives {nation:the} a card: “{reason}”",
            "discard-card": "discards {card} from the hand of {nation:the}: “{reason}”",
            "discard-card-unseen": "discards a card from the hand of {nation:the}: “{reason}”",
            "resume": "takes over the campaign after turn {turn}: “{reason}”",
            "amend": "amends the rules: “{reason}”",
            "set-structures": "sets the structures of {nation:the} to {structures}: “{reason}”",
            "set-assets": (
                "corrects the barracks and siege trains of {nation:the} ({assets}): “{reason}”"
            ),
            "set-fortification": (
                "sets the fortification of {province} to {fortification}: “{reason}”"
            ),
            "set-fleet-true": "gives {province} a fleet: “{reason}”",
            "set-fleet-false": "removes the fleet of {province}: “{reason}”",
        },
        "plans": {
            "build": "build {structure}",
            "tax-exemption": "grant a tax exemption",
            "tax-increase": "raise taxes",
            "barracks": "build barracks",
            "siege-train": "build a siege train",
            "provincial-levy": "levy troops in the provinces",
            "fortify": "fortify {province}",
            "fleet": "build a fleet in {province}",
            "attack": "attack {target} from {source} ({details})",
            "respond-accept": "accept {contest}",
            "respond-accept-cards": "accept {contest} with {cards}",
            "respond-withdraw": "withdraw from {contest}",
            "respond-escort": "answer {contest} with an escort",
            "respond-escort-cards": "answer {contest} with an escort and {cards}",
            "play-assassin": "play Assassin on {target_nation:the}: {destroy}",
            "play-chancellor": "play Chancellor",
            "play-diplomat-province": "play Diplomat: {province}",
            "play-diplomat-truce": "play Diplomat: a truce with {truce:the}",
            "play-local-insurrection": "play Local Insurrection in {province} ({details})",
            "play-mercenaries": "play Mercenaries",
            "play-spy": "play Spy on {target_nation:the}",
            "play-spy-card": "play Spy on {target_nation:the}: {steal}",
            "play-traitor": "play Traitor in {province}",
            "keep-true": "keep the Bodyguard back",
            "keep-false": "put the Bodyguard on guard",
            "offer": "put {card} on the table",
            "take": "take {card} from {from_nation:the} for {give}",
            "end-slot": "end the turn",
        },
        "parts": {
            "called-off": "called off",
            "drawn": "draw",
            "naval": "naval battle, {who}",
            "routed": "routed {attacker}–{defender}",
            "siege-train": "with a siege train",
            "the-nation": "{nation:the}",
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
                "final": "End of the campaign",
                "turn": "Turn {n} report",
                "standings": "Standings after turn {n}",
                "slot": "Turn of {nation:the}",
                "opening": "Turn {n} opens",
                "result": "{name}: result",
                "launched": "{name}: launched",
                "trade": "Trade of {taker:the} with {giver:the}",
            },
            "titles": {
                "final": "end of the campaign",
                "turn": "turn {n} of {of}",
                "standings": "standings after turn {n} of {of}",
                "slot": "turn {n}: {nation:the}",
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
                "close": "Close of the turn",
                "standings": "Standings",
                "final": "Final standings",
                "waits": "Next moves",
            },
            "columns": {
                "standings": [
                    "nation",
                    "VP",
                    "stability",
                    "prestige",
                    "income",
                    "army",
                    "provinces",
                ],
                "rank": "rank",
                "accounts": ["account", "before", "after"],
            },
            "entry": "Entry {n}.",
            "entries": "Entries {first}–{last}.",
            "after-entry": "After entry {n}.",
            "taken-over": "Taken over from elsewhere after turn {turn}: “{reason}”",
            "order": "Order of play: {order}.",
            "order-rolled": (
                "Order of play: {order}. The first nation was rolled: {rolled} (§1.2)."
            ),
            "draws": "{nation:The} {nation:draw|draws} {card} ({rolled}).",
            "draws-unseen": "{nation:The} {nation:draw|draws} a card.",
            "draws-unseen-several": "{nation:The} {nation:draw|draws} {n} cards.",
            "no-actions": "{nation:The} {nation:have|has} no actions.",
            "no-action": "no action",
            "gives": "An income of {income}t gives {gives}",
            "slot-opens": "The turn begins",
            "back": "back from the table: {cards}",
            "please-answer": "{nation:The} {nation:have|has} not answered yet.",
            "undecided": "The battle has not been decided yet.",
            "lapsed": "The attack has lapsed.",
            "fallen": "{nation} ({how})",
            "over-one": "The campaign has ended. {winners:The} {winners:have|has} won.",
            "over-several": "The campaign has ended. These nations share the victory: {winners}.",
            "master": "The game master",
            "master-does": "The game master {what}",
            "nation-does": "{nation:The} {what}",
            "gains": "{nation:the} {nation:gain|gains} {card}",
            "gains-table": "{nation:the} {nation:gain|gains} {card} on the table",
            "loses": "{nation:the} {nation:lose|loses} {card}",
            "loses-table": "{nation:the} {nation:lose|loses} {card} on the table",
            "until": "to the end of turn {until}",
            "built": "{nation:the} {nation:gain|gains} {structure}",
            "lost": "{nation:the} {nation:lose|loses} {structure}",
            "truce": "{nation} and {by}: {what}",
            "fleet-lost": "{province}: the fleet is lost",
            "fleet": "fleet",
            "changed-lost": "{was} → {owner}, {lost} lost",
            "fails": "{rolled}, fails on 1–{holds}, §{rule}",
            "cannot-fail": "{rolled}, cannot fail, §{rule}",
            "led-by": "{nation:the} now {nation:lead|leads} the troops of {target}",
            "led-by-nobody": "no nation leads the troops of {target} now",
            "with": "{what} with {structure}",
            "lapses": "{what}; {amount} lapses",
            "lapse": "{what}; {amount} lapse",
            "paid": "{what} ({amount}, {left} left)",
            "against": "{what}, #{n} against {nation:the}",
            "against-nobody": "{what}, #{n} against independents without a leader",
            "against-led": "{what}, #{n} against independents led by {nation:the}",
            "sides": (
                "{attacker} against {defender}: {kind}; {ours}, {points} points, against {theirs},"
                " {other} points"
            ),
            "sides-led": (
                "{attacker} against {defender}, led by {leader:the}: {kind}; {ours}, {points} "
                "points, against {theirs}, {other} points"
            ),
            "independents": "independents",
            "siege-train": "siege train",
        },
        "orders": {
            "answer": "Answer challenges",
            "answer-about": (
                "Accepts or withdraws for you. An order for a certain province takes precedence "
                "over one for all provinces."
            ),
            "provinces": "Attacked province",
            "provinces-help": "Choose none for an order that applies everywhere.",
            "choice": "Answer",
            "choices": {
                "accept": "accept",
                "withdraw": "withdraw",
                "escort": "try to force an escort",
            },
            "cards": "Cards to play with it",
            "cards-help": (
                "If you no longer hold the card, the order is skipped and you are notified. You "
                "cannot play cards with a withdrawal."
            ),
            "bodyguard": "Bodyguard",
            "bodyguard-about": (
                "Decides, as soon as you hold a Bodyguard, whether it guards your hand from an "
                "Assassin or is kept back. If hands are open, everyone can then read this in the "
                "log."
            ),
            "guard": "Your Bodyguard",
            "guards": {
                "keep": "is kept back, and the Assassin succeeds",
                "guard": "guards the hand and is spent",
            },
            "everywhere": "Everywhere else",
            "lines": {
                "keep": "A Bodyguard is kept back",
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
        "nobody": "no one",
        "none": "none",
        "no-roll": "no roll",
        "civilized": "{names} are civilized (they build Architectures)",
        "civilized-one": "only one nation, {names}, is civilized (it builds Architectures)",
        "barbarian": "{names} are barbarian (Urban Infrastructures)",
        "barbarian-one": "only one nation, {names}, is barbarian (it builds Urban Infrastructures)",
        "own-map": "of the scenario {name}",
        "own-starts": "These nations have other starting values: {nations}.",
        "and-more": "and more on its sheet",
        "turn": "turn {turns}",
        "turns": "turns {turns}",
        "turn-none": "no turn",
        "on-turn": "on turn {turns}",
        "on-turns": "on turns {turns}",
        "on-turn-none": "on no turn",
        "truce": "for {turns} turns, including this one",
        "truce-none": "for no time at all",
        "truce-now": "to the end of this turn",
        "truce-next": "to the end of the next turn",
        "no-actions": "no income gives any",
        "income-under": "under {income} 0",
        "income-from": "from {income} {actions}",
        "income": "{income} {actions}",
        "income-most": "{income} and more {actions}",
        "and-points": "{structure} and {points} VP",
        "architecture-first": "{name} {cost} {action}, prestige {gain}",
        "architecture": "{name} {cost}, {gain}",
        "religious-first": "{name} {cost}, stability {gain}",
        "religious": "{name} {cost}, {gain}",
        "commercial-first": "{name} {cost} {action}, income {gain}t",
        "commercial": "{name} {cost}, {gain}t",
        "commercial-each": "in this order, each for {cost} and {gain} income: {names}",
        "commercial-listed": "in order: {structures}",
        "level": "Each level that remains at the end is worth {each} VP.",
        "levels": (
            "Each level that remains at the end is worth {each} VP (*ruling:* {last} include "
            "{below}, so they are worth {points})."
        ),
        "levels-own": (
            "Each level that remains at the end is worth {each} VP (*ruling:* {last} counts with "
            "the levels below it, {below}, so it is worth {points})."
        ),
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
        "nobody": "no one",
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
        "near": "Did you mean {name}?",
        "no-number": "“{text}” is not a whole number.",
        "no-nation": "“{text}” is not the name of a nation in this scenario.",
        "no-province": "“{text}” is not the name of a province in this scenario.",
        "no-card": "“{text}” is not a card.",
        "no-structure": (
            "“{text}” is not a structure of this track. The track has: {known}. You can also give "
            "the number of structures that are built."
        ),
        "no-wall": "“{text}” is neither a fortification nor “fleet”.",
        "no-truce": (
            "“{text}”: give two nations and the last turn of the truce, separated by commas."
        ),
        "no-reason": "Say where the campaign was played until now. Everyone can read it.",
        "yes-or-no": "“{text}” is neither yes nor no.",
        "unknown-column": "The column “{name}” is unknown and was ignored.",
        "unknown-nation": "Line {line}: “{text}” is not the name of a nation in this scenario.",
        "unknown-line": "Line {line}, “{text}”, belongs to no part of the sheet and was ignored.",
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
        "drawing-too-large": (
            "is larger than {most} kB when its curves are converted to lines: simplify it"
        ),
        "file-empty": (
            "has no closed shape in it: draw each province as a path, polygon, rectangle, circle "
            "or ellipse"
        ),
        "file-entities": "declares entities of its own, which are not read: save it as plain SVG",
        "file-flat": "has shapes that all lie on one line",
        "file-no-geojson": (
            "is not usable GeoJSON: it must be a FeatureCollection of Polygons or MultiPolygons"
        ),
        "file-no-svg": "is XML, but not SVG: it begins with {tag}",
        "file-no-xml": "is not well-formed XML, line {line}, column {column}",
        "file-packed": "is compressed: save it as plain .svg or .geojson",
        "file-slow": "takes too long to read: simplify it",
        "file-tangled": (
            "has lines that cross each other very often: remove hatching and textures"
        ),
        "file-too-deep": "has groups nested more than {most} deep",
        "file-too-large": "is larger than {most} MB",
        "file-topojson": "is TopoJSON: save it as GeoJSON",
        "file-unknown": "is neither SVG nor GeoJSON",
        "folder": "must be {key}, like its folder",
        "given-twice": "is given twice",
        "grid-sign": (
            "has the character {sign} in line {line}: use a letter or a digit for each province, "
            "and a full stop for the sea"
        ),
        "grid-too-large": "can have at most {across} hexagons across and {down} down",
        "halves": "must be a multiple of ½",
        "hands": "must be open or hidden",
        "incomes": "the incomes must rise from row to row",
        "joins-two": "must join two provinces",
        "key": "must be a key of at most 40 characters from a-z, 0-9 and -",
        "key-given-twice": "{key} is given twice",
        "key-gm": "gm is reserved for the game master",
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
        "outlines-too-long": "have outlines that are too long: simplify them",
        "outside": "lies outside the viewBox",
        "outside-province": "lies outside the province",
        "owner": "must be a nation or null",
        "owner-kind": "does not match the kind {kind}",
        "pair": "must be two known provinces",
        "pair-order": "must be two provinces in alphabetical order, a|b",
        "pair-twice": "must join two different provinces, once",
        "path-begins": "must begin with M",
        "path-far": "leads too far outside the drawing",
        "path-number": "has a number at {at} that is too large",
        "path-number-alone": "has a number at {at} without a command",
        "path-points": "has more than {most} points",
        "path-sign": "has a character at {at} that is not allowed in a path",
        "path-too-few": "has too few numbers after {letter} at {at}",
        "path-too-long": "is longer than {most} characters",
        "point": "must be a point [x, y]",
        "name-twice": "{name} is also a name of {other}",
        "printable-name": "must be a name of 1 to {most} printable characters",
        "region-key": "must be a new key of letters, digits and hyphens, other than `whole`",
        "river-class": "must be 1, 2 or 3",
        "row": "must be a row of {length}",
        "row-stands": "the row of {name} must keep its name and place, because it has been built",
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
        "too-crossed": "cross each other too often to be shown on a map: add a drawing",
        "too-few-shapes": "needs at least two shapes with different names",
        "too-many-apart": (
            "have more than {most} borders where they do not touch: draw them side by side"
        ),
        "too-many-elements": "has more than {most} elements",
        "too-many-entries": "has more than {most} entries",
        "too-many-points": "has too many points: a drawing can have at most {most}",
        "too-many-shapes": "has more than {most} shapes",
        "touches": "touches {other}, and the scenario has no such border",
        "transform": "has a transform that SVG does not know: {text}",
        "view-box": "must be four numbers: left, top, width, height",
        "view-box-ratio": "must be {least} to {most} times as wide as high",
        "view-box-small": "must be at least 1 wide and high",
        "view-box-whole": "must be [0, 0, width, height] in whole numbers",
        "warn-army": "the minimum army, {least}, is above the maximum, {most}",
        "warn-colours": "{colour} looks like the colour of {other}",
        "warn-event-turn": "there is no turn {turn}: the last turn is {last}",
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
        "active": "the turn of {seat:the}",
        "idle": "no nation’s turn",
        "start": (
            "The start rolls the first dice: they decide which nation opens turn 1, and draw a "
            "card for each nation."
        ),
    },
)

LESSON = Texts(
    "games.grand_campaign.lesson",
    {
        "name": "Learn the Grand Campaign",
        "about": (
            "Play one turn of the Romans against programs: a building, an attack, and the end of "
            "the turn."
        ),
        "steps": {
            "nation": {
                "head": "It is your turn",
                "text": (
                    "A turn of the campaign ends when every nation has had its own turn. Now it "
                    "is the turn of the Romans. Open their page: that is where you act."
                ),
            },
            "build": {
                "head": "Spend an action",
                "text": (
                    "The purse shows your actions; a nation with a higher income has more of "
                    "them. Choose a building in the list and press “Announce”. Each move first "
                    "shows what follows."
                ),
                "late": "You have no actions left for this. Undo a move, or end your turn.",
            },
            "attack": {
                "head": "Attack a province",
                "text": (
                    "Choose the land attack and a province. Read what it costs and what is at "
                    "stake, then announce it. You may launch one land or amphibious attack in a "
                    "turn. In this lesson the program decides the battle."
                ),
                "late": ("No more attacks are possible this turn. Undo a move, or end your turn."),
            },
            "end": {
                "head": "End your turn",
                "text": (
                    "Press “End turn”. Actions that are left in the purse lapse. Then the "
                    "programs play the other nations."
                ),
            },
            "on": {
                "head": "You know how to play",
                "text": (
                    "A campaign lasts six turns, and the nation with the most victory points wins. "
                    "The levels of your nation at the end count, too."
                ),
            },
        },
    },
)
