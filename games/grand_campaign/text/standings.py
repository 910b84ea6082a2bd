"""The standings while a campaign runs: the levels of all nations, with warnings."""

from __future__ import annotations

from engine.language import gettext as _
from engine.language import gettext_noop as noop
from engine.language import pgettext
from games.contract.standings import StandingLine, StandingNumber
from games.grand_campaign.rules.position import Nation, Position
from games.grand_campaign.text.words import fall_text

NEAR = {
    4: noop("One more loss costs prestige and forbids covert attacks (2.1)"),
    3: noop("No covert attacks (2.1)"),
    2: noop("No attacks at all (2.2)"),
}
"""The consequences of low levels of stability."""


def standings(position: Position) -> list[StandingLine]:
    """Return the nations, those with most victory points first."""
    nations = position.nations
    order = sorted(nations, key=lambda k: (-nations[k].victory_points, -nations[k].income, k))
    return [
        StandingLine(key, numbers(position, key), fall_text(position.nations[key])) for key in order
    ]


def numbers(position: Position, key: str) -> list[StandingNumber]:
    """Return the numbers of a nation."""
    nation = position.nations[key]
    provinces = sum(1 for owner in position.owner.values() if owner == key)
    return [
        StandingNumber(pgettext("standings", "VP"), str(nation.victory_points).replace("-", "−")),
        StandingNumber(pgettext("standings", "Stability"), str(nation.stability), warning(nation)),
        StandingNumber(pgettext("standings", "Prestige"), str(nation.prestige)),
        StandingNumber(pgettext("standings", "Income"), f"{nation.income}t"),
        StandingNumber(pgettext("standings", "Army"), str(nation.army)),
        StandingNumber(pgettext("standings", "Provinces"), str(provinces)),
        StandingNumber(pgettext("standings", "Cards"), str(len(nation.hand) + len(nation.table))),
    ]


def warning(nation: Nation) -> str:
    """Return the consequence of low stability, or an empty text if it is not low."""
    level = max(2, nation.stability)
    return "" if nation.fallen or level not in NEAR else _(NEAR[level])
