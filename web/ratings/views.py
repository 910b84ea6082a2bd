"""Views of ratings. Only users who take part are shown."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from web.ratings.page import ratings_page
from web.ratings.person import person_page


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """Show the ratings of all users who take part."""
    reader = request.user.pk if request.user.is_authenticated else None
    return render(request, "ratings/ratings.html", {"page": ratings_page(reader)})


@require_safe
def person(request: HttpRequest, number: int) -> HttpResponse:
    """Show the results behind a user's ratings."""
    page = person_page(number, request.user)
    if page is None:
        raise Http404
    return render(request, "ratings/person.html", {"page": page})
