"""Views of the rules of a title or a campaign; each paragraph has an anchor (`#r-7.1`)."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from campaign import rulebook
from campaign import scenarios as shelves
from games.contract.title import WithScenarioRules
from games.registry import TITLES
from web.frame.campaign_page import campaign_page, show
from web.frame.table import TableContext
from web.rules.page import campaign_rules_page, scenario_rules_page, title_rules_page


def index(request: HttpRequest) -> HttpResponse:
    """Redirect a citation without a title to the first title; browsers keep its anchor."""
    titles = rulebook.with_rules()
    if not titles:
        raise Http404
    return redirect("rules", titles[0])


def rules(request: HttpRequest, title: str) -> HttpResponse:
    """Show the rules of a title."""
    return render(request, "rules/rules.html", {"page": title_rules_page(request, title)})


@require_safe
def of_scenario(request: HttpRequest, ref: str) -> HttpResponse:
    """Show the rules with the numbers of a scenario on a user's shelf."""
    row = shelves.visible_scenario(ref, request.user)
    title = TITLES.get(row.title) if row else None
    if row is None or title is None or not isinstance(title, WithScenarioRules):
        raise Http404
    return render(request, "rules/rules.html", {"page": scenario_rules_page(request, row, title)})


@require_safe
@campaign_page
def of_campaign(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the rules with the numbers of this campaign and its rulings at their paragraphs."""
    page = campaign_rules_page(request, table)
    return show(request, table, "rules/campaign.html", {"page": page}, tab="rules")
