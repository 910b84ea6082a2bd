"""The view of charts."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from web.charts.page import charts_page
from web.frame.campaign_page import campaign_page, show
from web.frame.table import TableContext


@require_safe
@campaign_page
def charts(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the chart of `?account=`, or of all accounts with the forecast."""
    page = charts_page(table, request.GET.get("account", ""))
    return show(request, table, "charts/charts.html", {"page": page}, tab="charts")
