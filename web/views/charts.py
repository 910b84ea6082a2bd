"""Charts of the accounts over the log, all or one, each with a table that says the same."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from web.courses import Courses
from web.titles.talk import capital
from web.views.common import TableContext, campaign_page, show


@require_safe
@campaign_page
def charts(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?account=` is one of the title's; without it all are drawn. The reader's own line is drawn bolder."""
    asked = request.GET.get("account", "")
    chosen = asked if asked in table.accounts else ""
    courses = Courses(table, chosen, table.own_seats[0] if table.own_seats else "")
    shown = [] if courses.empty else [chosen] if chosen else [key for key in table.accounts if courses.has(key)]
    context = {
        "choices": [("", _("All"), not chosen)]
        + [(key, capital(account.label), key == chosen) for key, account in table.accounts.items()],
        "charts": [courses.drawn(key, large=bool(chosen)) for key in shown],
        "chosen": chosen,
    }
    return show(request, table, "campaign/charts.html", context, here="charts")
