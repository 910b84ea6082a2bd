"""Names of the numbers and tables of the rules, in groups, with the rule each belongs to."""

from __future__ import annotations

Entry = tuple[str, str, str]

GROUPS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "Die and events",
        (("die", "Sides of the die", "1.3"), ("event_turns", "Turns with random events", "5")),
    ),
    (
        "Actions",
        (
            ("tax_increase_actions", "Tax increase gives", "3.6"),
            ("tax_increases_per_slot", "Tax increases a slot", "3.6"),
            ("chancellor_actions", "Chancellor gives", "4.7"),
        ),
    ),
    (
        "Costs, in actions",
        (
            ("costs.tax-exemption", "Tax exemption", "3.6"),
            ("costs.barracks", "Barracks", "3.8"),
            ("costs.siege-train", "Siege train", "3.9"),
            ("costs.fleet", "Fleet", "3.10"),
            ("costs.provincial-levy", "Provincial levy", "3.11"),
            ("costs.land", "Land attack", "7.1"),
            ("costs.amphibious", "Amphibious attack", "7.1"),
            ("costs.independent", "Covert attack", "7.1"),
            ("costs.independent-prestigious", "Covert attack on the prestigious", "2.7"),
            ("prestigious", "Prestigious from prestige", "2.7"),
        ),
    ),
    (
        "Army",
        (
            ("army.full", "Full at", "2.8"),
            ("army.maximum", "At most", "2.8"),
            ("army.minimum", "At least", "2.8"),
            ("army.victory", "A victory", "2.8"),
            ("army.defeat", "A defeat", "2.8"),
            ("army.independent", "Independents and insurgents", "7.10"),
            ("army.levy", "Provincial levy", "3.11"),
            ("army.mercenaries", "Mercenaries", "4.14"),
            ("army.mercenaries_talents", "Mercenaries cost, talents", "4.14"),
            ("army.reinforcements", "Reinforcements", "4.13"),
        ),
    ),
    (
        "Battles",
        (
            ("rout.decisive", "Ends a battle from, % routed", "9.1"),
            ("rout.early", "Early victory from, %", "9.1"),
            ("rout.early_own_losses", "… with own losses up to, %", "9.1"),
            ("siege_train", "Siege train lowers a siege by", "9.7"),
            ("naval_technology", "Naval Technology", "4.11"),
            ("escort_from", "Escort is forced from", "7.8"),
            ("truce_turns", "Truce, in turns", "4.8"),
            ("capital_protected_before_turn", "Capitals safe before turn", "6.2"),
        ),
    ),
    (
        "Talents",
        (
            ("talents.conquest", "Conquest", "9.8"),
            ("talents.loss", "Loss of a province", "9.8"),
            ("talents.ravage", "Draw, won or lost", "9.6"),
            ("talents.card_conquest", "Province won by a card", "4.8"),
            ("talents.plague", "Plague", "5"),
            ("talents.agrarian-improvements", "Agrarian Improvements", "5"),
        ),
    ),
    (
        "Victory points",
        (
            ("victory_points.battle", "Battle won", "9.2"),
            ("victory_points.conquest", "Conquest", "9.8"),
            ("victory_points.independent_defence", "Defence of independents", "9.3"),
            ("victory_points.barracks", "Barracks", "12"),
            ("victory_points.fleet", "Fleet", "12"),
            ("victory_points.fortification_level", "Level of fortification", "12"),
            ("victory_points.stability", "Point of stability", "12"),
            ("victory_points.prestige", "Point of prestige", "12"),
        ),
    ),
)

BUILT = ("Key", "Cost, actions", "Gain", "Points")
TABLES: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("income_actions", "Income and actions", "3.1", ("Income from", "Actions")),
    ("cards", "Cards by roll", "4", ("From", "To", "Card")),
    ("events", "Random events by roll", "5", ("From", "To", "Event")),
    ("architecture.civilized", "Architectures", "3.3", BUILT),
    ("architecture.barbarian", "Urban Infrastructures", "3.3", BUILT),
    ("religious", "Religious Buildings", "3.4", BUILT),
    ("commercial", "Commercial Structures", "3.5", BUILT),
    ("fortifications", "Fortifications", "3.7", ("Key", "Cost, actions", "Siege fails up to")),
)
