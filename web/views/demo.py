"""Becoming a demonstration user by a click: only where script/serve runs, only those users."""

from ipaddress import ip_address

from django.conf import settings
from django.contrib.auth import login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from people.models import User
from web.onward import onward


def from_this_machine(request: HttpRequest) -> bool:
    try:
        return ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False


@require_POST
def become(request: HttpRequest, pk: int) -> HttpResponse:
    if not settings.TABULA_DEMO or not from_this_machine(request):
        raise Http404
    user = get_object_or_404(User, pk=pk, demo=True, is_active=True, is_staff=False, is_superuser=False)
    login(request, user, backend=settings.AUTHENTICATION_BACKENDS[-1])
    return redirect(onward(request) or settings.LOGIN_REDIRECT_URL)
