"""The view that switches the forecast of a campaign on and off."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_http_methods

from campaign import forecasts
from web.frame.campaign_page import campaign_page, see_other
from web.frame.raw_forms import PostedForm, text_field
from web.frame.table import TableContext
from web.tasks import ask_to_forecast


class SwitchForm(PostedForm):
    """The switch of the forecast."""

    on = text_field()

    @property
    def is_on(self) -> bool:
        """Return whether the forecast is switched on."""
        return self.text_of("on") == "1"


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def switch(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Switch the forecast on or off for a game master; a GET redirects to the forecast."""
    url = table.url("story") + "#forecast"
    if request.method != "POST":
        return HttpResponseRedirect(url)
    table.must_be_host()
    if forecasts.forecaster(table.campaign.title) is None:
        raise Http404
    on = SwitchForm(request.POST).is_on
    if forecasts.shown(table.campaign) != on:
        forecasts.switch(table.campaign, request.user, on)
        if on:
            ask_to_forecast(table.campaign.pk)
    return see_other(url)
