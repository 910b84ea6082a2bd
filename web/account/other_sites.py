"""The pages between this site and another site whose accounts can sign in here.

A browser goes to the other site from a page of this site, because the content security policy lets
forms lead only to this site.
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
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from outgoing.client import OutsideError
from people import sign_in_ways
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
    """The purpose: one of `web.provider.PURPOSES`."""
    next: str
    """The page that follows."""
    form_url: str
    back_url: str
    away: str
    """The address at the other site; empty before the reader agrees to go there."""

    @property
    def heading(self) -> str:
        text = (
            _("Continuing to %(name)s")
            if self.away
            else pgettext("heading", "Continue with %(name)s")
        )
        return text % {"name": self.name}

    @property
    def explanation(self) -> str:
        """A sentence about what the other site does."""
        if self.process == CONNECT:
            text = _(
                "%(name)s will ask for your consent and bring you back here. From then on you can "
                "sign in with it."
            )
        elif self.process == AGAIN:
            text = _("%(name)s will confirm who you are and bring you back here.")
        else:
            text = _("%(name)s will ask for your consent and bring you back here.")
        return text % {"name": self.name}

    @property
    def verb(self) -> str:
        return _("Continue to %(name)s") % {"name": self.name}


def provider_of(request: HttpRequest, site: str) -> Discord | Steam:
    """Return allauth's provider of a site; raise `Http404` if the host does not offer the site."""
    if site not in dict(sign_in_ways.offered_sites()):
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
    if process == CONNECT and not sign_in_ways.is_recently_confirmed(request):
        query = urlencode({"next": reverse("ways")})
        return redirect(f"{reverse('account_reauthenticate')}?{query}")
    return None


def address_of_site(
    request: HttpRequest, provider: Discord | Steam, process: str, onward: str
) -> str:
    """Return the address at the other site, and keep the purpose in the session."""
    facts: dict[str, object] = {"since": time()}
    if isinstance(provider, Discord):
        facts["scope"] = provider.get_scope_from_request(request)
    answer = provider.redirect(request, process, next_url=onward or None, **facts)
    return str(answer.headers["Location"])


# The way back

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, RecursionError)
"""The exceptions that reading the answer of another site may raise."""


@require_http_methods(["GET"])  # a HEAD request would use up the one-time answer
def back_from_discord(request: HttpRequest) -> HttpResponse:
    """Sign in with the Discord account with which a reader comes back."""
    provider = provider_of(request, Discord.id)
    if wait := throttle.spend(request, throttle.ELSEWHERE):
        return throttle.refused(request, wait)
    view = OAuth2CallbackView.adapter_view(DiscordAdapter)
    return guarded(request, provider, partial(view, request))


@require_http_methods(["GET"])  # a HEAD request would use up the one-time answer
def back_from_steam(request: HttpRequest) -> HttpResponse:
    """Sign in with the Steam account with which a reader comes back."""
    provider = provider_of(request, Steam.id)
    assert isinstance(provider, Steam)
    if wait := throttle.spend(request, throttle.ELSEWHERE):
        return throttle.refused(request, wait)
    return guarded(request, provider, partial(complete_steam_login, request, provider))


def guarded(
    request: HttpRequest, provider: Provider, complete: Callable[[], HttpResponse]
) -> HttpResponse:
    """Complete a sign-in. If it fails at the other site, show a page that says what to do."""
    try:
        try:
            return complete()
        except (ProviderException, OutsideError, PermissionDenied, *UNREADABLE) as error:
            return render_authentication_error(request, provider, exception=error)
    except ImmediateHttpResponse as answer:
        return answer.response


def complete_steam_login(request: HttpRequest, provider: Steam) -> HttpResponse:
    """Sign in with the account that Steam has confirmed by its signature."""
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
