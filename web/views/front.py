"""The first page: what this is, which campaigns, sign in."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from people.models import User


def front(request: HttpRequest) -> HttpResponse:
    campaigns: list[dict[str, object]] = []
    demo = User.objects.filter(demo=True, is_active=True).order_by("pk") if settings.TABULA_DEMO else ()
    return render(request, "front.html", {"campaigns": campaigns, "demo_people": [{"user": user} for user in demo]})
