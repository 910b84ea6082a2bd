"""The English sentences of the tone “Chronicle”; frequent sentences have several wordings."""

from __future__ import annotations

from engine.language import Texts

CHRONICLE = Texts(
    "grand_campaign.prose",
    {
        "opening": [
            "{nation:The} had the first move of turn {n}.",
            "In turn {n}, {nation:the} {nation:were|was} first to move.",
            "{nation:The} made the first move of turn {n}.",
        ],
        "opening-events": [
            "Turn {n} began with news from all over the map: {news}.",
            "Events came before the first move of turn {n}: {news}.",
            "The dice spoke first in turn {n}: {news}.",
        ],
        "blessings": [
            "Others were luckier: {news}.",
            "There was good news, too: {news}.",
            "Fortune also had gifts to hand out: {news}.",
        ],
        "only-blessings": [
            "Turn {n} began with gifts: {news}.",
            "Turn {n} began with good news: {news}.",
            "Fortune was kind at the start of turn {n}: {news}.",
        ],
        "events": {
            "riots": "riots broke out among {nation:the}",
            "political-scandal": "a political scandal shook {nation:the}",
            "famine": "famine struck {nation:the}",
            "plague": "plague came to {nation:the}",
            "earthquake": "an earthquake hit {nation:the}",
            "food-distributions": "free food kept the people of {nation:the} content",
            "philosophers": "philosophers came to the court of {nation:the}",
            "administrative-reforms": "reforms gave {nation:the} more room to act",
            "agrarian-improvements": "better harvests filled the coffers of {nation:the}",
            "commercial-efforts": "trade flourished among {nation:the}",
        },
        "attacks": {
            "land": [
                "{attacker:The} marched from {source} into {target} against {defender:the}.",
                "From {source}, {attacker:the} attacked {defender:the} in {target}.",
                "{attacker:The} moved against {defender:the} in {target}.",
                "{attacker:The} wanted {target}, but {defender:the} defended it.",
            ],
            "land-next": [
                "Meanwhile {attacker:the} attacked {defender:the} in {target}.",
                (
                    "{attacker:The} also went to war: from {source}, {attacker:they|it} attacked"
                    " {defender:the} in {target}."
                ),
                (
                    "There was also fighting in {target}, where {attacker:the} challenged"
                    " {defender:the}."
                ),
                "{attacker:The} came from {source} to take {target} from {defender:the}.",
            ],
            "amphibious": [
                "{attacker:The} sailed from {source} against {target}, the land of {defender:the}.",
                "By sea, {attacker:the} attacked {defender:the} in {target}.",
                (
                    "A fleet from {source} carried {attacker:the} to {target} against"
                    " {defender:the}."
                ),
            ],
            "independent": [
                (
                    "Hired swords in the pay of {attacker:the} crossed from {source} into {target}"
                    " to trouble {defender:the}."
                ),
                (
                    "In secret, {attacker:the} sent a foreign army from {source} against"
                    " {defender:the} in {target}."
                ),
                (
                    "{defender:The} had to face mercenaries in {target}; {attacker:the} had paid"
                    " for them."
                ),
            ],
            "insurrection": [
                "In {target} the people rose against {defender:the}, and {attacker:the} led them.",
                "{attacker:The} stirred up {target} against {defender:the}.",
                "An uprising in {target}, led by {attacker:the}, kept {defender:the} busy.",
            ],
        },
        "cards": {
            "ambush": {"attacker": "It was an ambush on the baggage train."},
            "reinforcements": {
                "attacker": "The attackers had called up reinforcements.",
                "defender": "The defenders had called up reinforcements.",
            },
            "scouts": {
                "attacker": "The attackers’ scouts had chosen the ground.",
                "defender": "The defenders’ scouts had chosen the ground.",
            },
            "naval-technology": {
                "attacker": "The attacking ships had new engines on board.",
                "defender": "The defending ships had new engines on board.",
            },
        },
        "escort": {
            "forced": "{defender:The} forced a fight over the baggage train.",
            "failed": "{defender:The} tried in vain to force a fight over the baggage train.",
        },
        "fleet-sunk": [
            "At sea off {target}, {attacker:the} sank the enemy fleet and landed.",
            "The way was clear once {attacker:the} had sunk the fleet that guarded {target}.",
        ],
        "attacker": {
            "rout": [
                "The defenders were routed, {high} to {low}.",
                "The defenders were swept from the field, {high} to {low}.",
                "The attackers won in style, {high} to {low}.",
            ],
            "clear": [
                "The attackers won clearly, {high} to {low}.",
                (
                    "The defenders lost {high} per cent of their men, the attackers {low}: a clear"
                    " decision."
                ),
                "At {high} to {low}, the attackers left little doubt about the outcome.",
            ],
            "narrow": [
                "It was close, but the attackers prevailed, {high} to {low}.",
                "The attackers won by a hair’s breadth, {high} to {low}.",
                ("The battle could have gone either way, but the attackers won, {high} to {low}."),
            ],
            "plain": [
                "The attackers won the day.",
                "The field belonged to the attackers in the end.",
                "The defenders were beaten.",
            ],
        },
        "defender": {
            "rout": [
                "The attack ended in disaster, {high} to {low}.",
                "The attackers were routed, {high} to {low}.",
                "The attackers could not break through and fled, {high} to {low}.",
            ],
            "clear": [
                "The defenders threw the attackers back, {high} to {low}.",
                "The defenders won clearly, {high} to {low}.",
                (
                    "The attackers lost {high} per cent of their men and the defenders only {low};"
                    " the attackers had to turn back."
                ),
            ],
            "narrow": [
                "The defenders held on, but only just, {high} to {low}.",
                "The attackers came close and still lost, {high} to {low}.",
                "A little more luck, and the attack would have worked; it failed, {high} to {low}.",
            ],
            "plain": [
                "The defenders held their ground.",
                "The attack was beaten off.",
                "The attackers got nowhere.",
            ],
        },
        "draw": [
            "Neither side could win, {high} to {low}.",
            "The battle had no winner, {high} to {low}.",
            "Both sides had had enough at {high} to {low}.",
        ],
        "draw-plain": [
            "Neither side could win.",
            "The battle had no winner.",
            "It ended in a draw.",
        ],
        "called-off": [
            "But it never came to blows: the battle was called off and counts as a draw.",
            "The armies faced each other and went home; the battle counts as a draw.",
        ],
        "forfeit": {
            "attacker": [
                "The defenders never appeared, and the battle was awarded to the attackers.",
                "The attackers won without a fight, by decision of the game master.",
            ],
            "defender": [
                "The attackers never appeared, and the battle was awarded to the defenders.",
                "The defenders won without a fight, by decision of the game master.",
            ],
        },
        "naval": {
            "attacker": "The attackers won the battle at sea.",
            "defender": "It was decided at sea, and the defenders won.",
        },
        "withdrawn": [
            "{defender:The} withdrew without a fight.",
            "{defender:The} did not wait for the battle and withdrew.",
            "{defender:The} preferred to withdraw.",
        ],
        "repulsed": [
            "The landing failed: {defender:the} turned the ships back at sea.",
            "The fleet of {defender:the} was stronger, and no one landed in {target}.",
        ],
        "parted": "The fleets met, neither won, and the attack was over.",
        "lapsed": "The attack came to nothing and lapsed.",
        "challenged": "{defender:The} {defender:have|has} not answered yet.",
        "fighting": "The battle has not been decided yet.",
        "conquered": [
            "{target} fell to {attacker:the}.",
            "{target} went to the attackers.",
            "With that, {target} changed hands.",
        ],
        "taken": [
            "The fortifications of {target} did not hold either, and {attacker:the} marched in.",
            "A siege followed, and {target} opened its gates to {attacker:the}.",
        ],
        "held": [
            "However, the walls of {target} held, and {defender:the} kept the province.",
            "But the siege of {target} failed, and the province remained with {defender:the}.",
        ],
        "independent": [
            "{defender:The} lost {target}, which has been independent since.",
            "{target} shook off {defender:the} and became independent.",
        ],
        "race": {
            "lead": [
                "With {points} VP, {nation:the} took the lead, {gap} VP ahead of {rival:the}.",
                (
                    "That put {nation:the} at the top with {points} VP, {gap} VP ahead of"
                    " {rival:the}."
                ),
                "It was enough to put {nation:the} in the lead, {gap} VP ahead of {rival:the}.",
            ],
            "level": [
                "That brought {nation:the} level with {rival:the} at {points} VP.",
                "With {points} VP, {nation:the} caught up with {rival:the}.",
                "It was enough for {nation:the} to share the lead with {rival:the} at {points} VP.",
            ],
            "close": [
                "{nation:The} {nation:were|was} now only {gap} VP behind {rival:the}.",
                "{nation:The} now had {points} VP, {gap} VP fewer than {rival:the}.",
                (
                    "With {points} VP, {nation:the} came within {gap} VP of {rival:the}, who had"
                    " the lead."
                ),
            ],
            "extended": [
                "{nation:The} now had {points} VP, {gap} VP more than {rival:the}.",
                "That widened the lead of {nation:the} over {rival:the} to {gap} VP.",
                "With {points} VP, {nation:the} now led {rival:the} by {gap} VP.",
            ],
        },
        "home": {
            "first": [
                "At home, {nation:the} built {names}",
                "On the home front, {nation:the} built {names}",
                "The nations also built: {nation:the} completed {names}",
            ],
            "more": "{nation:the}, {names}",
            "next": [
                "{nation:The} finished {names}",
                "{nation:The} built {names}",
                "{nation:The} put up {names}",
            ],
        },
        "objects": {
            "royal-palace": "a royal palace",
            "siege-train": "a siege train",
            "barracks": "barracks",
            "fleet": "a fleet in {provinces}",
            "fleets": "fleets in {provinces}",
            "fortify": "fortifications in {provinces}",
        },
        "taxes": {
            "tax-increase": [
                "{nation:The} took one more tax from the people.",
                "The people of {nation:the} had to pay more taxes.",
                "{nation:The} raised taxes.",
            ],
            "tax-exemption": [
                "{nation:The} bought calm with a tax exemption.",
                "The people of {nation:the} were spared part of their taxes.",
                "{nation:The} lowered the taxes.",
            ],
            "provincial-levy": [
                "The provinces of {nation:the} had to send recruits.",
                "{nation:The} levied troops in the provinces.",
            ],
        },
        "plays": {
            "assassin": [
                "An assassin sent by {nation:the} took the card {card} from {other:the}.",
                "{other:The} lost the card {card} to an assassin in the pay of {nation:the}.",
            ],
            "assassin-unseen": [
                "{nation:The} sent an assassin against {other:the}, after the card {card}.",
                "An assassin of {nation:the} looked for the card {card} of {other:the}.",
            ],
            "assassin-stopped": [
                "An assassin sent by {nation:the} against {other:the} was stopped by a bodyguard.",
                "A bodyguard saved {other:the} from an assassin of {nation:the}.",
            ],
            "chancellor": [
                "A chancellor gave {nation:the} additional actions.",
                "Thanks to a chancellor, {nation:the} had additional actions.",
            ],
            "diplomat-province": [
                "A diplomat won {province} for {nation:the} without a blow.",
                "{province} joined {nation:the}, persuaded by a diplomat.",
                "By diplomacy alone, {nation:the} gained {province}.",
            ],
            "diplomat-truce": [
                "A diplomat arranged a truce between {nation:the} and {other:the}.",
                "{nation:The} and {other:the} agreed on a truce.",
            ],
            "mercenaries": [
                "{nation:The} filled the ranks with mercenaries.",
                "Mercenaries brought the army of {nation:the} back to strength.",
            ],
            "spy": [
                "A spy of {nation:the} stole a card from {other:the}.",
                "{nation:The} had a spy at work among {other:the}.",
            ],
            "spy-card": [
                "A spy of {nation:the} stole a card from {other:the}: {card}.",
                "{other:The} lost a card, {card}, to a spy of {nation:the}.",
            ],
            "traitor": [
                "Treason opened the gates of {province} to {nation:the}.",
                "{province} went over to {nation:the}, betrayed from within.",
            ],
            "take": [
                "{nation:The} took a card from the table of {other:the}: {card}.",
                "{other:The} had put a card on the table, {card}; {nation:the} took it.",
            ],
        },
        "corrections": {
            "one": "The game master corrected one entry.",
            "many": "The game master corrected {n} entries.",
        },
        "fallen": {
            "crumbles": [
                "The realm of {nation:the} crumbled, and its provinces became independent.",
                "The stability of {nation:the} had fallen too low, and the realm crumbled.",
            ],
            "falls": [
                "With no province left, {nation:the} fell.",
                "{nation:The} lost everything and fell.",
            ],
        },
        "quiet": [
            "No army marched.",
            "The armies stayed at home.",
            "No one took up arms.",
        ],
        "end": {
            "lead": [
                "At the end of the turn {nation:the} had {points} VP and {rival:the} {others}.",
                (
                    "When the turn closed, {nation:the} led with {points} VP; {rival:the} had"
                    " {others} VP."
                ),
                "That left {nation:the} in front: {points} VP against {others} for {rival:the}.",
            ],
            "last": [
                "{nation:The} brought up the rear with {points} VP.",
                "At the bottom, {nation:the} had {points} VP.",
                "{nation:The} remained last with {points} VP.",
            ],
        },
    },
)
