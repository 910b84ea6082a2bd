"""The map beside an open form: the provinces its fields may be are lit, and choosing one there fills the field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from pages.grand_campaign import atlas, drawn
from pages.grand_campaign.table import state_of

if TYPE_CHECKING:
    from web.moves import Card, Control
    from web.views.common import TableContext
    from web.views.nation import Block


def crop(table: TableContext, blocks: Sequence[Block], here: str) -> dict[str, Any] | None:
    """The map about the places that the open offer may choose; None where it chooses none.

    The last field's provinces are lit, those of the fields before it are marked as places to start from. Each is a
    link to the page with the form as it stands and this province in its field.
    """
    card = next((card for block in blocks for card in block.cards if card.open), None)
    fields = [control for control in card.controls if control.kind == "province"] if card else []
    if card is None or not fields:
        return None
    chosen = {control.key: next((c.value for c in control.choices or () if c.chosen), "") for control in fields}
    goals = [choice.value for choice in fields[-1].choices or ()]
    means = {choice.value: control for control in fields for choice in control.choices or ()}
    starts = [key for key in means if key not in goals]
    first = chosen.get("from") or chosen.get(fields[-1].key) or None
    raw = table.scenario.raw
    drawing = drawn.of(table.campaign)
    asked = {key: _query(card, control, key) for key, control in means.items()}
    return atlas.map_context(
        drawing, raw, state_of(table),
        highlight=goals, starts=starts, selected=first if "from" in chosen else None,
        target=chosen[fields[-1].key] if len(fields) > 1 else first,
        window=atlas.window_on(drawing, {*goals, *([first] if first else [])}),
        links=lambda key: f"{here}?{asked[key]}#{card.ident}" if key in asked else "",
        fills={key: control.ident for key, control in means.items()},
        title=_("The provinces this move may be about. The fields below say the same."), uid="n",
    )  # fmt: skip


def _query(card: Card, meant: Control, province: str) -> str:
    """The form as it stands, this province in the field meant; what depends on it is chosen anew."""
    pairs = [("open", card.offer.key)]
    depends = {one.key for one in card.offer.fields if meant.key in one.depends and one.kind == "province"}
    for control in card.controls:
        if control.key == meant.key:
            pairs.append((control.key, province))
        elif control.key in depends:
            continue
        elif control.choices is not None:
            pairs += [(control.key, choice.value) for choice in control.choices if choice.chosen]
        elif control.parts:
            pairs += [(one.name, one.value) for one in control.parts]
        elif control.value:
            pairs.append((control.key, control.value))
    return urlencode(pairs)
