"""The bell in the bar: how many notices are new; those of the page that is read are new no longer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.http import HttpRequest

from notices import selectors, services
from web.views.common import address

if TYPE_CHECKING:
    from notices.models import Notice

MOST = 200
"""More are not looked at for one page; the bell says 99+ long before."""


def news(request: HttpRequest) -> list[Notice]:
    """The reader's unread notices, asked for once a request."""
    found: list[Notice] | None = getattr(request, "_news", None)
    if found is None:
        found = list(selectors.unread(request.user)[:MOST]) if request.user.is_authenticated else []
        request._news = found  # type: ignore[attr-defined]
    return found


def look(request: HttpRequest) -> None:
    """Marks as read what leads to the page that is shown now. A part fetched in the background shows no page."""
    if request.method != "GET" or getattr(request, "htmx", False):
        return
    here = [one for one in news(request) if where(one) == request.path or entry_of(one) == request.path]
    if here:
        services.mark_read(request.user, notices=[one.pk for one in here])
        request._news = [one for one in news(request) if one not in here]  # type: ignore[attr-defined]


def where(notice: Notice) -> str:
    """The address that a notice leads to."""
    name, *rest = selectors.page(notice)
    return address(name, notice.campaign.address, *rest)


def entry_of(notice: Notice) -> str:
    """The address of the entry it tells of; empty where that has no number."""
    number = notice.entry.number
    return "" if number is None else address("entry", notice.campaign.address, number)


def count(request: HttpRequest) -> str:
    """What the bell says: nothing, a number, 99+."""
    new = len(news(request))
    return "99+" if new > 99 else str(new or "")


def bell(request: HttpRequest) -> dict[str, Any]:
    """For every page: asked only where the bar is drawn."""
    return {"bell": lambda: count(request)}
