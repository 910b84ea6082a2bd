"""The English sentences about the end of a campaign; frequent sentences have two wordings."""

from __future__ import annotations

from engine.language import Plural, Texts

ENDING = Texts(
    "grand_campaign.ending",
    {
        "eyebrow": "The campaign has ended after turn {turn}",
        "own-victory": "Victory for {nation:the}",
        "victory": "{nation:The} {nation:have|has} won",
        "shared": "Shared victory",
        "won": {
            "you": (
                "You have won with {points} victory points, {gap} more than {rival:the} in second"
                " place."
            ),
            "other": (
                "{nation:The} won with {points} victory points, {gap} more than {rival:the} in"
                " second place."
            ),
        },
        "by-income": (
            "{nation:The} and {rival:the} had {points} victory points each, and the greater income"
            " decided."
        ),
        "equal": "{names} had {points} victory points each and the same income.",
        "scoring": {
            "decided": (
                "Before the final scoring, {rival:the} {rival:were|was} in the lead. Stability,"
                " prestige, fortifications, barracks and fleets changed the order."
            ),
            "confirmed": (
                "{nation:The} already {nation:were|was} in the lead before the final scoring."
            ),
        },
        "own-place": (
            "Your final place was {rank} of {of}, with {points} victory points, {gap} behind the"
            " winner."
        ),
        "own-fell": "Your nation fell in turn {turn}, but its deeds remain in the story.",
        "own-led": "At the end of turn {turn}, you were ahead of every other nation.",
        "own-height": "In turn {turn} you ruled {most} provinces, more than at any other time.",
        "own-battles": "Your armies won {won} of their {all} decisive battles.",
        "own-held": "You held your land to the last turn.",
        "numbers": {
            "points": Plural("victory point", "victory points"),
            "provinces": Plural("province", "provinces"),
            "battles": Plural("battle won", "battles won"),
        },
        "prologue": {
            "largest": "When the campaign began, {nation:the} ruled the most provinces: {most}.",
            "own": "You led {nation:the}, who ruled {provinces} provinces.",
        },
        "conquest": [
            "{nation:The} took {provinces} from {loser:the}.",
            "{loser:The} lost {provinces} to {nation:the}.",
        ],
        "gain": [
            "{nation:The} took {provinces}.",
            "{nation:The} added {provinces} to {nation:their|its} land.",
        ],
        "independence": "{loser:The} lost {provinces}, which became independent.",
        "more": Plural("{n} other province changed hands.", "{n} other provinces changed hands."),
        "stopped": [
            "In {province}, {defender:the} stopped {attacker:the}.",
            "{attacker:The} attacked {province}, but {defender:the} won the battle.",
        ],
        "failed": "{attacker:The} tried in vain to take {province}.",
        "at-sea": "{attacker:The} did not get past the fleet that guarded {province}.",
        "won-without": "{attacker:The} won a battle in {province} but could not take it.",
        "no-winner": "The battle for {province}, which {attacker:the} attacked, had no winner.",
        "fell": "{nation:The} fell.",
        "crumbled": (
            "The power of {nation:the} crumbled, and all {nation:their|its} provinces became"
            " independent."
        ),
        "quiet": "No province changed hands, and no battle was decided.",
        "lead": {
            "first": "{nation:The} had the most victory points: {points}.",
            "new": (
                "{nation:The} passed {rival:the} and now led with {points} victory points to"
                " {others}."
            ),
            "kept": [
                "{nation:The} stayed in front with {points} victory points to {others}.",
                "With {points} victory points to {others}, {nation:the} still led.",
            ],
            "level": "{names} shared the lead with {points} victory points each.",
            "scored": (
                "After the final scoring, {nation:the} had {points} victory points,"
                " and {rival:the} had {others}."
            ),
        },
        "course": {
            "provinces": "Provinces: {start} at the start, {most} at most, {end} at the end.",
            "battles": "Battles: {won} won, {lost} lost.",
            "height": "Highest place: {rank}, after turn {turn}.",
            "turning": (
                "Turning point: turn {turn} (victory points {points}, provinces {provinces})."
            ),
        },
        "charts": {
            "points": "Victory points before the final scoring",
            "provinces": "Provinces",
            "income": "Income",
            "turn": "Turn {turn}",
        },
    },
)
