"""The English sentences of turn reports: headline, battle lines, nation lines."""

from __future__ import annotations

from engine.language import Texts

REPORT = Texts(
    "grand_campaign.turn_report",
    {
        "headline": "Turn {n}: {what}.",
        "events": {
            "wins": "{nation:The} {nation:win|wins} the campaign",
            "shared": "the victory is shared",
            "lead": "{nation:The} {nation:take|takes} the lead",
            "quiet": "no province changes hands",
            "open": "no province has changed hands yet",
        },
        "standings": {
            "lead": (
                "{nation:The} {nation:lead|leads} with {points} VP, {gap} VP ahead of {second:the}."
            ),
            "won": (
                "{nation:The} {nation:win|wins} with {points} VP, {gap} VP ahead of {second:the}."
            ),
            "tie": "These nations share the lead with {points} VP: {nations}.",
            "none": "No nation has any victory points yet.",
        },
        "headings": {
            "battles": "Battles",
            "nations": "What the nations did",
            "chronicle": "What happened",
            "details": "All details",
        },
        "sides": {
            "player": "{player} ({nation})",
            "army": "{nation} under {player}",
            "independents": "the independents",
            "led": "{independents} led by {leader:the}",
        },
        "battles": {
            "won": "{winner:The} {winner:beat|beats} {loser:the} at {province}, {high} to {low}",
            "won-plain": "{winner:The} {winner:beat|beats} {loser:the} at {province}",
            "draw": "{attacker:The} and {defender:the} draw at {province}, {high} to {low}",
            "draw-plain": "{attacker:The} and {defender:the} draw at {province}",
            "called-off": (
                "The battle of {province} between {attacker:the} and {defender:the} is called off"
                " and counts as a draw"
            ),
            "forfeit": (
                "{winner:The} {winner:win|wins} by forfeit against {loser:the} at {province}"
            ),
            "withdrawn": (
                "{defender:The} {defender:withdraw|withdraws} from {province} when {attacker:the}"
                " {attacker:attack|attacks}"
            ),
            "naval": (
                "{winner:The} {winner:beat|beats} {loser:the} in a sea battle off {province}"
            ),
            "repulsed": (
                "{defender:The} {defender:turn|turns} {attacker:the} back at sea off {province}"
            ),
            "parted": (
                "{attacker:The} and {defender:the} meet at sea off {province}; neither side wins"
            ),
            "lapsed": "The attack of {attacker:the} on {province} lapses",
            "challenged": (
                "{attacker:The} {attacker:attack|attacks} {province}; {defender:the}"
                " {defender:have|has} not answered yet"
            ),
            "fighting": (
                "{attacker:The} {attacker:attack|attacks} {province} against {defender:the}; the"
                " battle has not been decided yet"
            ),
        },
        "ends": {
            "conquered": "{battle}; conquered.",
            "yielded": "{battle}; the province is conquered.",
            "taken": "{battle}; taken by siege.",
            "held": "{battle}; the siege fails.",
            "independent": "{battle}; the province becomes independent.",
            "still": "{battle}.",
        },
        "notes": {
            "forced": "escort forced",
            "failed": "escort failed",
            "fleet": "enemy fleet sunk",
        },
        "nation": {
            "built": "built {names}",
            "fortified": "fortified {names}",
            "fleet": "built a fleet in {names}",
            "fleets": "built fleets in {names}",
            "siege-train": "built a siege train",
            "barracks": "built barracks",
            "tax-increase": "raised taxes",
            "tax-exemption": "granted a tax exemption",
            "provincial-levy": "levied troops in the provinces",
            "attack": "attacked {names}",
            "covert": "covertly attacked {names}",
            "event": "{event} (event)",
            "play": "played {card}",
            "assassin": "used an Assassin against {nation:the} ({card} lost)",
            "assassin-stopped": "used an Assassin against {nation:the} (stopped by a Bodyguard)",
            "assassin-unseen": "used an Assassin against {nation:the} (named: {card})",
            "diplomat-province": "won {province} with a Diplomat",
            "diplomat-truce": "made a truce with {nation:the} through a Diplomat",
            "insurrection": "played Local Insurrection in {province}",
            "spy": "used a Spy against {nation:the}",
            "spy-card": "used a Spy against {nation:the} ({card} stolen)",
            "traitor": "won {province} with a Traitor",
            "offer": "put {card} on the table",
            "take": "took {card} from {nation:the} in exchange",
            "keep": "kept a Bodyguard in hand",
            "guard": "put a Bodyguard on guard",
            "idle": "made no moves",
        },
        "net": {
            "line": "{nation}: {changes}.",
            "none": "no change",
        },
        "waits": {
            "wait-answer": (
                "{nation:The} must answer the attack of {other:the} on {target} (#{n})."
            ),
            "wait-battle": (
                "{nation:The} must play the battle of {target} against {other:the} (#{n})."
            ),
            "wait-open-turn": "{nation:The} must open turn {turn}.",
            "wait-slot": "It is the turn of {nation:the}.",
            "wait-start": "{nation:The} must start the campaign.",
        },
    },
)
