"""The campaign's record as a file: what `manage.py replay` reads."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import record as records
from engine.log import canonical
from web.views.common import TableContext, campaign_page


@require_safe
@campaign_page
def record(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The record of the moves in force; with hidden hands for the game master only, until the campaign has finished."""
    text = canonical(records.export(table.campaign, table.user))
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.campaign.address}.json"'
    return answer
