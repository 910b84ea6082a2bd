"""The origin of chance in a campaign, and the possible knowledge of its dice in advance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign.models import Campaign

MANUAL = "manual"

CHANCES = (
    (
        "",
        gettext_lazy("The generator"),
        gettext_lazy("a sealed number made before the start; everyone can check it afterwards"),
    ),
    (
        "words",
        gettext_lazy("With the players’ words"),
        gettext_lazy("each seat adds words before a turn opens"),
    ),
    (
        "draw",
        gettext_lazy("With a public draw"),
        gettext_lazy("lottery, drand or another number, named before it is drawn"),
    ),
    (
        "both",
        gettext_lazy("With words and a public draw"),
        gettext_lazy("words are accepted until the draw"),
    ),
    (
        "manual",
        gettext_lazy("Dice thrown elsewhere"),
        gettext_lazy("the game master enters each die"),
    ),
)


@dataclass(frozen=True, slots=True)
class Chance:
    """The origin of chance: possible knowledge of the dice, and possible lies of the server."""

    mode: str
    name: str | Promise
    known_by: list[str]
    lies: Sequence[str | Promise]
    commitment: str


def chance_sheet(campaign: Campaign) -> Chance:
    """Return the origin of chance in a campaign."""
    mode = MANUAL if campaign.by_hand else campaign.chance
    return Chance(
        mode=mode,
        name=next(name for key, name, _about in CHANCES if key == mode),
        known_by=known_by(mode),
        lies=lies_of(mode),
        commitment=campaign.commitment,
    )


def known_by(mode: str) -> list[str]:
    """Return three sentences on who could have known which part of the dice in advance."""
    fixed = _(
        "Every value follows from its purpose and from numbers that were fixed before the throw: "
        "no one can change it."
    )
    table = _("No one at the table can know a value before the throw, nor choose it.")
    match mode:
        case "manual":
            return [
                _(
                    "Dice are now thrown elsewhere. For these, you trust the game master and the"
                    " place where they were seen."
                ),
                _(
                    "Values that the program threw before follow from numbers that were fixed: no "
                    "one can change them."
                ),
                _(
                    "The person who runs this server could have known those beforehand, but could"
                    " not change them."
                ),
            ]
        case "words":
            return [
                fixed,
                table,
                _(
                    "The person who runs this server could know or choose values only together with"
                    " the player whose words come last."
                ),
            ]
        case "draw" | "both":
            return [
                fixed,
                table,
                _(
                    "No one can know a value before the public draw, not even the person who runs "
                    "this server."
                ),
            ]
    return [
        fixed,
        table,
        _(
            "The person who runs this server could look at the sealed numbers, and so know values"
            " beforehand. They could choose among many such numbers before the commitment was"
            " published, but not change them afterwards."
        ),
    ]


def lies_of(mode: str) -> list[str | Promise]:
    """Return how a dishonest server could manipulate the dice, and what prevents it."""
    return [*LIES[mode], _CUT, _WITNESS if mode in ("words", "both") else _HASH]


_CUT = gettext_lazy(
    "It could cut off the end of the log, or show different logs to different people. A log that"
    " was cut off looks complete."
)
_WITNESS = gettext_lazy(
    "Your words prevent that: everyone who added words to a later turn sees that they "
    "are missing from a log that was cut off. Also keep the last hash of the audit pack, "
    "or post it in the forum."
)
_HASH = gettext_lazy(
    "To prevent that, keep the last hash of the audit pack, or post it in the forum: every later"
    " log must contain it."
)
_RENEWED = gettext_lazy(
    "If an undo goes back past a published key, the words and the draw are not used for the "
    "next dice. The log shows this undo and its reason to everyone."
)
_NAMED = gettext_lazy(
    "It could claim that a draw was named before it took place. You are notified when a draw is"
    " named: look before it takes place."
)
LIES: dict[str, list[str | Promise]] = {
    "": [
        gettext_lazy(
            "It could try many sealed numbers at the founding, and again at each renewal, and keep"
            " those that it likes best. The commitment only proves that they did not change"
            " afterwards."
        ),
        gettext_lazy(
            "Players’ words prevent that: they come after the commitment, so no one can choose"
            " numbers to suit them."
        ),
    ],
    "words": [
        gettext_lazy(
            "It cannot choose sealed numbers that suit it, neither at the founding nor at a"
            " renewal: words come after each commitment. This holds for every turn to which one"
            " honest player adds words that no one could guess."
        ),
        gettext_lazy(
            "It could try many words for a seat that it controls and that speaks last, or stop"
            " accepting words before you add yours. A public draw prevents that."
        ),
        _RENEWED,
    ],
    "draw": [
        gettext_lazy(
            "It cannot choose sealed numbers that suit it, neither at the founding nor at a"
            " renewal: the draw comes after each commitment. Look the draw up where it is"
            " published. For drand the log has the signature."
        ),
        _NAMED,
        _RENEWED,
    ],
    "both": [
        gettext_lazy(
            "It cannot choose sealed numbers or words that suit it, neither at the founding nor at"
            " a renewal: the draw comes after both. Look the draw up where it is published. For"
            " drand the log has the signature."
        ),
        _NAMED,
        _RENEWED,
    ],
    "manual": [
        gettext_lazy(
            "No computation proves a die that was thrown elsewhere. The log proves which value "
            "was entered, and when; the link next to it shows where it can be seen."
        ),
    ],
}
"""Possible lies by the mode of chance, each with what prevents it."""
