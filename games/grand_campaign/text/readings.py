"""The unclear places of the Grand Campaign's rules, with the readings that founding offers."""

from __future__ import annotations

from typing import NamedTuple

from engine.language import gettext as _
from engine.language import gettext_noop as noop
from engine.language import ngettext, pgettext, sentence
from games.contract.plain import RawOptions
from games.grand_campaign.rules.position import EDITION, Options
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.rule_changes import changes

ON, OFF = "on", "off"
TAXES = "tax_increases_per_slot"
"""The reading that is a number of the rules, typed by the user (3.6)."""


class Choice(NamedTuple):
    """A reading of an unclear place: its value in the form, its name, and its consequence."""

    value: str
    name: str
    follows: str


class Reading(NamedTuple):
    """An unclear place in the rules.

    Attributes:
        key: The option of the record.
        rule: The paragraph.
        name: The subject of the place.
        source: The words of the source about it, in short quotations.
        choices: The readings, the proposed one first.
    """

    key: str
    rule: str
    name: str
    source: str
    choices: tuple[Choice, ...]


READINGS = (
    Reading(
        "hands",
        "4.2",
        noop("Hands"),
        noop(
            "The source lets players keep cards “in hand until the opportunity arises”, and does"
            " not say who sees them."
        ),
        (
            Choice(
                "open",
                noop("All hands are open"),
                noop("Drawn cards are public, as on a forum."),
            ),
            Choice(
                "hidden",
                noop("Only the holder and the game master see a hand"),
                noop(
                    "The others see how many cards a nation holds; the roll for a card stays sealed"
                    " until the card is played."
                ),
            ),
        ),
    ),
    Reading(
        "external_attacks",
        "6.1",
        noop("External attacks"),
        noop(
            "The source allows “one independent or external attack” beside the land attack, yet"
            " puts external provinces “out of the game”."
        ),
        (
            Choice(
                ON,
                noop("External provinces may start covert attacks"),
                noop("More nations are within reach of a covert attack."),
            ),
            Choice(
                OFF,
                noop("External provinces start no attacks"),
                noop("Covert attacks start from independent provinces only."),
            ),
        ),
    ),
    Reading(
        "diplomat",
        "4.8",
        noop("Diplomat"),
        noop(
            "The source names no border for the Diplomat, but says that independent provinces "
            "can be conquered “by any adjacent player”."
        ),
        (
            Choice(
                "bordering",
                noop("A Diplomat wins a bordering province"),
                noop("The province borders your territory by land or by sea route."),
            ),
            Choice(
                "anywhere",
                noop("A Diplomat wins any independent province"),
                noop(
                    "A nation can gain a distant province, even one without a land border to its "
                    "territory."
                ),
            ),
        ),
    ),
    Reading(
        "attack_limit",
        "7.2",
        noop("Number of attacks"),
        noop("The source limits attacks that are “running simultaneously”."),
        (
            Choice(
                "turn",
                noop("One attack of each kind in a turn"),
                noop("A nation announces its turn once and does not wait for battles."),
            ),
            Choice(
                "running",
                noop("One attack of each kind at a time"),
                noop("A nation whose attack has ended can launch another during its turn."),
            ),
        ),
    ),
)

ESCORT_BEFORE = noop(
    "No escort is possible against a nation with escorts that attacks with its own army; army "
    "lists do not matter (§7.8)"
)
"""The rule of the first edition that differs from the present edition."""


def usual_value(reading: Reading) -> str:
    """Return the form value of the reading that the form proposes."""
    return reading.choices[0].value


def value_of(reading: Reading, options: RawOptions) -> str:
    """Return the form's value for these options of a record."""
    if reading.key == "external_attacks":
        return ON if options.get(reading.key, False) else OFF
    return str(options.get(reading.key, usual_value(reading)))


def chosen(scenario: Scenario, options: Options) -> list[tuple[str, str]]:
    """Return the reading of each unclear place in a campaign, with a label and the paragraph."""
    raw = options._asdict() | {"hands": "hidden" if options.hidden else "open"}
    lines = []
    for reading in READINGS:
        value = value_of(reading, raw)
        name = next(choice.name for choice in reading.choices if choice.value == value)
        lines.append((_(reading.name), f"{_(name)} (§{reading.rule})"))
    most = scenario.rules.tax_increases_per_slot
    taxes = ngettext("at most {n} per turn", "at most {n} per turn", most)
    lines.append((_("Tax increases"), f"{sentence(taxes, n=most)} (§3.6)"))
    if options.edition != EDITION:
        lines.append((_("Rules from before November 2026"), _(ESCORT_BEFORE)))
    return lines


def founding_facts(scenario: Scenario, options: Options) -> list[tuple[str, str]]:
    """Return labels and texts of the facts that users should know before they join."""
    changed = len(changes(scenario))
    house_rules_text = sentence(ngettext("{n} changed", "{n} changed", changed), n=changed)
    return [
        (
            pgettext("readings", "Length"),
            sentence(_("{n} turns of 3 to 4 weeks"), n=scenario.turns),
        ),
        (_("Your part"), _("your nation’s moves once a turn, one or two battles")),
        (pgettext("readings", "Battles"), _("Field of Glory II, against people")),
        *chosen(scenario, options),
        (
            pgettext("readings", "House rules"),
            house_rules_text if changed else pgettext("readings", "none"),
        ),
    ]
