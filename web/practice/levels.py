"""The levels of programs in words."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from games.contract.players import Opponents
from web.lobby.questions import Choice

LEVELS = {
    "random": (gettext_lazy("Careless"), gettext_lazy("makes any move that the rules allow")),
    "bold": (
        gettext_lazy("Bold"),
        gettext_lazy("attacks before it builds, even if the battle is even"),
    ),
    "cautious": (
        gettext_lazy("Cautious"),
        gettext_lazy("builds and defends, and attacks where it will probably win"),
    ),
    "cunning": (
        gettext_lazy("Cunning"),
        gettext_lazy("plans its actions to the end of the campaign; the strongest"),
    ),
}
USUAL = "bold"
"""The level that is proposed if the title has it; otherwise its strongest level is."""


def level_choices(players: Opponents) -> list[Choice]:
    """Return each level with its name and description, in the title's own words if it has any."""
    own: Mapping[str, str] | None = getattr(players, "manners", None)
    if own is not None:
        return [Choice(key, name.capitalize(), own[key]) for key, name in players.levels.items()]
    words = {key: LEVELS[key] for key in players.levels}
    return [Choice(key, str(name), str(about)) for key, (name, about) in words.items()]
