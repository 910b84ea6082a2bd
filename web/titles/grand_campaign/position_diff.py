"""What of two positions of the Grand Campaign differs beyond every title's rows: structures, the army's, truces, cards' names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from games.grand_campaign.text.words import card_name, structure_name
from web.log.position_diff import Level
from web.titles.grand_campaign.table import truces

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


def item(key: str) -> str:
    """The name of a card."""
    return card_name(key)


def levels(now: TableContext, then: TableContext, key: str) -> list[Level]:
    """Structures, barracks, siege trains, the fall: of a nation."""
    if key not in now.view["nations"]:
        return []
    was, will = now.view["nations"][key], then.view["nations"][key]
    made = []
    for label, texts in (
        (_("structures"), [_listed(one["structures"]) for one in (was, will)]),
        (structure_name("barracks"), [_yes(one["barracks"]) for one in (was, will)]),
        (_("siege trains"), [str(one["siege_trains"]) for one in (was, will)]),
        (_("fallen"), [_yes(one["fallen"]) for one in (was, will)]),
    ):
        if texts[0] != texts[1]:
            made.append(Level(label, *texts))
    return made


def agreements(now: TableContext, then: TableContext) -> list[tuple[str, bool]]:
    """Truces of which only one of the positions knows, or not to the same turn; whether they hold in the second."""
    was, will = ([_truce(one) for one in truces(table)] for table in (now, then))
    return [*((one, False) for one in was if one not in will), *((one, True) for one in will if one not in was)]


def _truce(truce: Any) -> str:
    names = " – ".join(name for _seat, name in truce["pair"])
    return _("Truce %(names)s, to the end of turn %(until)s") % {"names": names, "until": truce["until"]}


def _listed(keys: Any) -> str:
    return ", ".join(structure_name(key) for key in keys) or "–"


def _yes(value: Any) -> str:
    return _("yes") if value else _("no")
