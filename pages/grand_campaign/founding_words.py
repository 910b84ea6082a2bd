"""Names of the numbers and tables of the rules, in groups, with the rule each belongs to."""

from __future__ import annotations

from django.utils.translation import gettext_noop as noop

Entry = tuple[str, str, str]

GROUPS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        noop("Die and events"),
        (
            ("die", noop("Sides of the die"), "1.3"),
            ("cards_per_turn", noop("Cards drawn a turn"), "1.3"),
            ("event_turns", noop("Turns with random events"), "5"),
        ),
    ),
    (
        noop("Actions"),
        (
            ("tax_increase_actions", noop("Tax increase gives"), "3.6"),
            ("tax_increases_per_slot", noop("Tax increases a slot"), "3.6"),
            ("chancellor_actions", noop("Chancellor gives"), "4.7"),
        ),
    ),
    (
        noop("Costs, in actions"),
        (
            ("costs.tax-exemption", noop("Tax exemption"), "3.6"),
            ("costs.barracks", noop("Barracks"), "3.8"),
            ("costs.siege-train", noop("Siege train"), "3.9"),
            ("costs.fleet", noop("Fleet"), "3.10"),
            ("costs.provincial-levy", noop("Provincial levy"), "3.11"),
            ("costs.land", noop("Land attack"), "7.1"),
            ("costs.amphibious", noop("Amphibious attack"), "7.1"),
            ("costs.independent", noop("Covert attack"), "7.1"),
            ("costs.independent-prestigious", noop("Covert attack on the prestigious"), "2.7"),
            ("prestigious", noop("Prestigious from prestige"), "2.7"),
        ),
    ),
    (
        noop("Army"),
        (
            ("army.full", noop("Full at"), "2.8"),
            ("army.maximum", noop("At most"), "2.8"),
            ("army.minimum", noop("At least"), "2.8"),
            ("army.victory", noop("A victory"), "2.8"),
            ("army.defeat", noop("A defeat"), "2.8"),
            ("army.independent", noop("Independents and insurgents"), "7.10"),
            ("army.levy", noop("Provincial levy"), "3.11"),
            ("army.mercenaries", noop("Mercenaries"), "4.14"),
            ("army.mercenaries_talents", noop("Mercenaries cost, talents"), "4.14"),
            ("army.reinforcements", noop("Reinforcements"), "4.13"),
        ),
    ),
    (
        noop("Battles"),
        (
            ("attacks_per_turn.overt", noop("Land and amphibious attacks a turn"), "7.2"),
            ("attacks_per_turn.covert", noop("Covert attacks a turn"), "7.2"),
            ("rout.decisive", noop("Ends a battle from, % routed"), "9.1"),
            ("rout.early", noop("Early victory from, %"), "9.1"),
            ("rout.early_own_losses", noop("… with own losses up to, %"), "9.1"),
            ("siege_train", noop("Siege train lowers a siege by"), "9.7"),
            ("naval_technology", noop("Naval Technology"), "4.11"),
            ("escort_from", noop("Escort is forced from"), "7.8"),
            ("truce_turns", noop("Truce, in turns"), "4.8"),
            ("capital_protected_before_turn", noop("Capitals safe before turn"), "6.2"),
        ),
    ),
    (
        noop("Talents"),
        (
            ("talents.conquest", noop("Conquest"), "9.8"),
            ("talents.loss", noop("Loss of a province"), "9.8"),
            ("talents.ravage", noop("Draw, won or lost"), "9.6"),
            ("talents.card_conquest", noop("Province won by a card"), "4.8"),
            ("talents.plague", noop("Plague"), "5"),
            ("talents.agrarian-improvements", noop("Agrarian Improvements"), "5"),
        ),
    ),
    (
        noop("Victory points"),
        (
            ("victory_points.battle", noop("Battle won"), "9.2"),
            ("victory_points.conquest", noop("Conquest"), "9.8"),
            ("victory_points.independent_defence", noop("Defence of independents"), "9.3"),
            ("victory_points.barracks", noop("Barracks"), "12"),
            ("victory_points.fleet", noop("Fleet"), "12"),
            ("victory_points.fortification_level", noop("Level of fortification"), "12"),
            ("victory_points.stability", noop("Point of stability"), "12"),
            ("victory_points.prestige", noop("Point of prestige"), "12"),
        ),
    ),
)

BUILT = (noop("Key"), noop("Cost, actions"), noop("Gain"), noop("Points"))
TABLES: tuple[tuple[str, str, str, tuple[str, ...]], ...] = (
    ("income_actions", noop("Income and actions"), "3.1", (noop("Income from"), noop("Actions"))),
    ("cards", noop("Cards by roll"), "4", (noop("From"), noop("To"), noop("Card"))),
    ("events", noop("Random events by roll"), "5", (noop("From"), noop("To"), noop("Event"))),
    ("architecture.civilized", noop("Architectures"), "3.3", BUILT),
    ("architecture.barbarian", noop("Urban Infrastructures"), "3.3", BUILT),
    ("religious", noop("Religious Buildings"), "3.4", BUILT),
    ("commercial", noop("Commercial Structures"), "3.5", BUILT),
    ("fortifications", noop("Fortifications"), "3.7", (noop("Key"), noop("Cost, actions"), noop("Siege fails up to"))),
)
