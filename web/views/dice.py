"""The dice log: what was promised before the start, what has been published, every roll that was thrown."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import record, selectors
from web.views.common import TableContext, campaign_page, show


@require_safe
@campaign_page
def dice(request: HttpRequest, table: TableContext) -> HttpResponse:
    line = table.title.roll_line
    thrown = [
        {
            "purpose": row.purpose,
            "sides": row.sides,
            "value": row.value,
            "turn": row.turn,
            "text": line(table.scenario, row.roll),
            "number": row.entry.number,
            "url": table.url("entry", row.entry.number) if row.entry.number is not None else "",
            "struck": row.entry.struck_by_id is not None,
            "hidden": row.audience is not None,
        }
        for row in selectors.rolls(table.campaign, table.user)
    ]
    context = {"rolls": thrown, "links": list(enumerate(record.published_links(table.campaign)))}
    context["file"] = table.url("dice_sheet")
    return show(request, table, "campaign/dice.html", context, here="dice")
