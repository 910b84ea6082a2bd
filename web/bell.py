"""The bell in the bar: how many notices are new; those of the page that is read are new no longer."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from notices import selectors, services
from notices.selectors import News
from web.leads import leads

MOST = 100
"""More are not looked at for one page: the bell says 99+."""


def news(request: HttpRequest) -> list[News]:
    """The reader's unread notices, asked for once a request."""
    found: list[News] | None = getattr(request, "_news", None)
    if found is None:
        found = selectors.news(request.user, MOST) if request.user.is_authenticated else []
        request._news = found  # type: ignore[attr-defined]
    return found


def look(request: HttpRequest) -> None:
    """Marks as read what leads to the page that is shown now. A part fetched in the background shows no page."""
    if request.method != "GET" or getattr(request, "htmx", False) or hasattr(request, "_looked"):
        return
    request._looked = True  # type: ignore[attr-defined]
    match = request.resolver_match
    if match is None or "ref" not in match.kwargs:
        return
    page = (match.url_name, *(given for key, given in match.kwargs.items() if key != "ref"))
    begun = [one for one in news(request) if match.kwargs["ref"].startswith(one.public_id)]
    here = [one for one in begun if page in (leads(one.title, one.page), ("entry", one.number))]
    if here:
        services.mark_read(request.user, notices=[one.pk for one in here])
        request._news = [one for one in news(request) if one not in here]  # type: ignore[attr-defined]


def count(request: HttpRequest) -> str:
    """What the bell says: nothing, a number, 99+."""
    new = len(news(request))
    return "99+" if new > 99 else str(new or "")


def bell(request: HttpRequest) -> dict[str, Any]:
    """For every page: asked only where the bar is drawn."""
    return {"bell": lambda: count(request)}
