"""The campaign's record as a file: what `manage.py replay` reads."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from campaign import record as records
from campaign import services
from campaign.models_looked import Look
from engine.log import canonical
from web import eyes
from web.views.common import TableContext, campaign_page


@require_safe
@campaign_page
def record(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The record of the moves in force; with hidden hands for the game master only, until the campaign has finished."""
    if records.must_take(table.campaign, table.user):
        if eyes.ahead(request):
            return eyes.not_ahead()
        services.looked_at_all(table.campaign, table.user, Look.Way.RECORD)
    text = canonical(records.export(table.campaign, table.user))
    answer = HttpResponse(text, content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.campaign.address}.json"'
    return answer
