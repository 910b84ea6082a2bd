"""The prospects of a game in words: tokens in reserve, obstacles to securing, hopeless games."""

from __future__ import annotations

from dataclasses import dataclass

from games.tetrarchia.rules.moves import SECURE, SECURE_BORDER
from games.tetrarchia.rules.position import (
    OUTSIDE,
    PRINTED,
    REVOLT,
    SPACES,
    UNREST,
    Position,
)
from games.tetrarchia.rules.prospects import (
    certain_loss,
    is_stalled,
    open_borders,
    revolts_behind,
    tokens_left,
)
from games.tetrarchia.text.words import counted_phrase, emperor, listed, phrase_text, space

FEW = 2
"""The number of tokens in reserve from which the page warns."""


def tokens_of(position: Position, key: str) -> str:
    """Return the tokens that an Emperor has in reserve, in words."""
    return counted_phrase("in-reserve", position.supply[key])


def why_not_secure(position: Position) -> str:
    """Return why the Emperor cannot secure the space; empty if they can, or are off the board."""
    at = position.at
    if at is None or position.phase != "roman":
        return ""
    token = position.tokens.get(at)
    if token in (UNREST, REVOLT):
        return phrase_text(f"secure-{token}", space=space(at))
    if token is not None:
        return phrase_text("secure-token", name=emperor(token), space=space(at))
    if at in PRINTED:
        return phrase_text("secure-printed", space=space(at))
    return obstacle(position, at, position.ip, "secure")


def why_not_secure_there(position: Position, key: str, left: int) -> str:
    """Return why the Emperor could not secure an open space after a march; empty if they could.

    `left` are the Imperium Points left after the march.
    """
    return obstacle(position, key, left, "there")


def obstacle(position: Position, key: str, left: int, where: str) -> str:
    """Return the condition of rule 4.2c that a space without a token does not meet."""
    name = emperor(position.emperor)
    if not position.supply[position.emperor]:
        return phrase_text(f"{where}-none", name=name)
    behind = revolts_behind(position, key) if key in OUTSIDE else []
    if behind:
        return phrase_text(
            f"{where}-border-revolt",
            space=space(key),
            spaces=listed(space(other) for other in behind),
        )
    cost = SECURE_BORDER if SPACES[key].outside else SECURE
    if cost > left:
        return phrase_text(
            f"{where}-cost",
            name=name,
            price=counted_phrase("ip", cost),
            left=counted_phrase("ip", left),
        )
    return ""


def few_tokens(position: Position) -> str:
    """Return the warning about an Emperor's last tokens; empty if there are enough."""
    left = position.supply[position.emperor]
    if not left:
        return phrase_text("secure-none", name=emperor(position.emperor))
    if left > FEW:
        return ""
    return counted_phrase(
        "few",
        left,
        name=emperor(position.emperor),
        all=counted_phrase("purse", tokens_left(position)),
        open=counted_phrase("open", open_borders(position)),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """A game that is lost for certain, or in which no Emperor has a token.

    `short` is the sentence for the bar, `text` the explanation.
    """

    is_lost: bool
    head: str
    short: str
    text: str


NOTHING = Outlook(is_lost=False, head="", short="", text="")


def outlook(position: Position) -> Outlook:
    """Return what the page says of a game without prospects; its texts are empty otherwise."""
    lost = certain_loss(position)
    if lost is not None:
        text = phrase_text(f"outlook-{lost}")
        return Outlook(is_lost=True, head=phrase_text("outlook-lost"), short=text, text=text)
    if not is_stalled(position):
        return NOTHING
    key = "imperium" if any(position.removed.values()) else "why"
    return Outlook(
        is_lost=False,
        head=phrase_text("outlook-stalled"),
        short=phrase_text("outlook-stalled"),
        text=phrase_text(
            f"outlook-stalled-{key}", open=counted_phrase("open", open_borders(position))
        ),
    )
