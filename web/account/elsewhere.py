"""The pages between this site and another one whose accounts sign in here.

A browser is sent away by a page of ours, because the policy lets forms lead to this site alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import time
from typing import cast

from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.helpers import complete_social_login, render_authentication_error
from allauth.socialaccount.providers.base import AuthError, Provider, ProviderException
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from outgoing.client import OutsideError
from people import ways
from web.account.forms import DepartureForm
from web.frame import throttle
from web.frame.requests import inside_this_site
from web.provider import AGAIN, CONNECT, LOGIN, Discord, DiscordAdapter, Steam, SteamAccount


@dataclass(frozen=True, slots=True)
class DeparturePage:
    """The page from which a reader goes to another site."""

    name: str
    """The name of the other site."""
    process: str
    """Why the reader goes there: one of `web.provider.PURPOSES`."""
    next: str
    """The page that follows."""
    form_url: str
    back_url: str
    away: str
    """The address of the other site; empty before the reader agrees to go there."""

    @property
    def heading(self) -> str:
        text = _("On to %(name)s") if self.away else _("Go on with %(name)s")
        return text % {"name": self.name}

    @property
    def explanation(self) -> str:
        """Return what the other site does."""
        if self.process == CONNECT:
            text = _(
                "%(name)s asks you to agree, and brings you back here. From then on it signs you"
                " in."
            )
        elif self.process == AGAIN:
            text = _("%(name)s confirms who you are, and brings you back here.")
        else:
            text = _("%(name)s asks you to agree, and brings you back here.")
        return text % {"name": self.name}

    @property
    def verb(self) -> str:
        return _("Go on to %(name)s") % {"name": self.name}


def provider_of(request: HttpRequest, site: str) -> Discord | Steam:
    """Return allauth's provider of a site; raise `Http404` if the host does not offer the site."""
    if site not in dict(ways.offered()):
        raise Http404
    return cast(Discord | Steam, get_adapter().get_provider(request, site))


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, site: str) -> HttpResponse:
    """Show the page from which a reader goes to another site. A POST sends the browser there."""
    provider = provider_of(request, site)
    form = DepartureForm(request.POST if request.method == "POST" else request.GET)
    form.is_valid()
    process = form.cleaned_data["process"]
    onward = inside_this_site(request, form.cleaned_data["next"])
    if elsewhere := where_instead(request, process, onward):
        return elsewhere
    away = ""
    if request.method == "POST":
        if wait := throttle.spend(request, throttle.ELSEWHERE):
            return throttle.refused(request, wait)
        away = address_of_site(request, provider, process, onward)
    page = DeparturePage(
        name=provider.name,
        process=process,
        next=onward,
        form_url=reverse(f"{site}_login"),
        back_url=reverse("ways" if request.user.is_authenticated else "account_login"),
        away=away,
    )
    return render(request, "account/leaving.html", {"page": page})


def where_instead(request: HttpRequest, process: str, onward: str) -> HttpResponse | None:
    """Return a redirect if the reader cannot go to another site for this purpose now."""
    if process == LOGIN and request.user.is_authenticated:
        return redirect(onward or "ways")
    if process != LOGIN and not request.user.is_authenticated:
        return redirect("account_login")
    if process == CONNECT and not ways.fresh(request):
        query = urlencode({"next": reverse("ways")})
        return redirect(f"{reverse('account_reauthenticate')}?{query}")
    return None


def address_of_site(
    request: HttpRequest, provider: Discord | Steam, process: str, onward: str
) -> str:
    """Return the address at the other site, and keep in the session why the reader goes there."""
    facts: dict[str, object] = {"since": time()}
    if isinstance(provider, Discord):
        facts["scope"] = provider.get_scope_from_request(request)
    answer = provider.redirect(request, process, next_url=onward or None, **facts)
    return str(answer.headers["Location"])


# Back from there

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""What reading the answer of another site may raise."""


@require_http_methods(["GET"])  # a HEAD would use up what serves once
def back_from_discord(request: HttpRequest) -> HttpResponse:
    """Sign in by the account of Discord with which a reader comes back."""
    provider = provider_of(request, Discord.id)
    if wait := throttle.spend(request, throttle.ELSEWHERE):
        return throttle.refused(request, wait)
    view = OAuth2CallbackView.adapter_view(DiscordAdapter)
    return guarded(request, provider, partial(view, request))


@require_http_methods(["GET"])  # a HEAD would use up what serves once
def back_from_steam(request: HttpRequest) -> HttpResponse:
    """Sign in by the account of Steam with which a reader comes back."""
    provider = provider_of(request, Steam.id)
    assert isinstance(provider, Steam)
    if wait := throttle.spend(request, throttle.ELSEWHERE):
        return throttle.refused(request, wait)
    return guarded(request, provider, partial(complete_steam_login, request, provider))


def guarded(
    request: HttpRequest, provider: Provider, complete: Callable[[], HttpResponse]
) -> HttpResponse:
    """Complete a sign-in. Whatever another site answers, the reader learns what to do."""
    try:
        try:
            return complete()
        except (ProviderException, OutsideError, PermissionDenied, *UNREADABLE) as error:
            return render_authentication_error(request, provider, exception=error)
    except ImmediateHttpResponse as answer:
        return answer.response


def complete_steam_login(request: HttpRequest, provider: Steam) -> HttpResponse:
    """Sign in by what Steam has signed."""
    number = request.GET.get("state", "")
    try:
        state = provider.unstash_redirect_state(request, number)
    except PermissionDenied:
        return cast(HttpResponse, render_authentication_error(request, provider))
    if any(len(values) > 1 for _name, values in request.GET.lists()):
        raise ProviderException("twice")
    given = {
        name.removeprefix("openid."): value
        for name, value in request.GET.dict().items()
        if name.startswith("openid.")
    }
    if given.get("mode") == "cancel":
        cancelled = render_authentication_error(request, provider, error=AuthError.CANCELLED)
        return cast(HttpResponse, cancelled)
    account = provider.verified(given, number, timezone.now())
    login = provider.sociallogin_from_response(
        request, SteamAccount(account, provider.account_name(account))
    )
    login.state = state
    return complete_social_login(request, login)
