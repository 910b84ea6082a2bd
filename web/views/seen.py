"""What a form's page had shown, and what has moved since."""

from __future__ import annotations

from typing import TYPE_CHECKING

from campaign import selectors
from campaign.selectors import Line
from campaign.services.log import QUIET
from engine.strict_json import whole

if TYPE_CHECKING:
    from web.views.common import TableContext


def seen_number(text: str) -> int:
    """The last entry a form's page had shown, as posted; of nonsense nothing was seen."""
    number = whole(text)
    return -1 if number is None else number


def since(table: TableContext, seen: int) -> list[Line]:
    """What has moved since the form was made; seats taken and the like move nothing."""
    if seen == table.seen:
        return []
    found = selectors.since(table.campaign, table.user, seen)
    return [line for line in found if line.entry.table_act not in QUIET]
