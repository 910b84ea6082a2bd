"""Accounts of other sites that sign in here: Discord (OAuth 2) and Steam (OpenID 2.0). This
module's name is where allauth looks.

Every request to them leaves by the one way out (`outgoing.client`). What another site says is
believed for one thing: that this browser holds this account there. Its address proves nothing here;
a name is a proposal.
"""

from __future__ import annotations

import logging
import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from time import time
from typing import Any, cast
from urllib.parse import urlencode

import requests
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.helpers import complete_social_login, render_authentication_error
from allauth.socialaccount.internal.flows import signup
from allauth.socialaccount.models import SocialApp, SocialLogin
from allauth.socialaccount.providers.base import (
    AuthError,
    Provider,
    ProviderAccount,
    ProviderException,
)
from allauth.socialaccount.providers.discord.provider import DiscordProvider
from allauth.socialaccount.providers.discord.views import DiscordOAuth2Adapter
from allauth.socialaccount.providers.oauth2.views import OAuth2CallbackView
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.strict_json import printable
from outgoing.client import Answer, Client, OutsideError
from people import ways
from people.models import User
from people.validators import CHOSEN
from web.frame import throttle
from web.frame.requests import inside_this_site

log = logging.getLogger(__name__)
LOGIN, CONNECT, AGAIN = "login", "connect", "redirect"
"""What somebody goes to another site for: to sign in or up; to add it to the account; to confirm
again who they are.
"""


# The way out, for allauth, which speaks to `requests`.


class Out(requests.adapters.BaseAdapter):
    """What a session of `requests` is to send goes by our client: its policy, its time, its length,
    no redirects.
    """

    OURS = frozenset(
        {"user-agent", "accept-encoding", "connection", "content-length", "host", "cookie"}
    )

    def send(
        self, request: requests.PreparedRequest, *args: Any, **kwargs: Any
    ) -> requests.Response:
        headers = {
            name: str(value)
            for name, value in request.headers.items()
            if name.lower() not in self.OURS
        }
        body = request.body.encode() if isinstance(request.body, str) else request.body
        try:
            answer = Client().request(
                str(request.method), str(request.url), data=body, headers=headers
            )
        except OutsideError as error:
            raise requests.ConnectionError(error.reason, request=request) from None
        response = requests.Response()
        response.status_code, response._content, response.request = (
            answer.status,
            answer.bytes,
            request,
        )
        response.headers.update(answer.headers.items())
        response.url, response.encoding = str(request.url), "utf-8"
        return response

    def close(self) -> None:
        pass


class Elsewhere(DefaultSocialAccountAdapter):
    """How people of other sites meet allauth. Keys come from the settings alone, never from
    rows.
    """

    def list_apps(
        self, request: HttpRequest, provider: Any = None, client_id: Any = None
    ) -> list[Any]:
        stated: dict[str, Any] = settings.SOCIALACCOUNT_PROVIDERS
        return [
            SocialApp(provider=site, **app)
            for site, one in stated.items()
            for app in one.get("APPS", [])
            if provider in (None, site) and client_id in (None, app["client_id"])
        ]

    def get_requests_session(self) -> requests.Session:
        session = requests.Session()
        session.trust_env = False  # no proxy of the environment
        for scheme in ("https://", "http://"):
            session.mount(scheme, Out())
        session.request = partial(session.request, allow_redirects=False)  # type: ignore[method-assign]
        return session

    def new_user(self, request: HttpRequest, sociallogin: Any) -> Any:
        """Nobody yet: a guest becomes this person when the form is sent, not when it is
        looked at.
        """
        return User()

    def save_user(self, request: HttpRequest, sociallogin: Any, form: Any = None) -> Any:
        """As every sign-up: the guest of this browser, or a new person. Asks for a transaction."""
        account = get_account_adapter(request)
        user = sociallogin.user = account.new_user(request)
        user.set_unusable_password()
        account.save_user(request, user, form, commit=False)
        sociallogin.email_addresses = []  # the one of the form is written, and not confirmed
        sociallogin.save(request)
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: Any) -> None:
        """Who is to confirm again who they are has to come back as the same person."""
        if sociallogin.state.get("process") != AGAIN or not request.user.is_authenticated:
            return
        if sociallogin.is_existing and sociallogin.user == request.user:
            named = {"provider": sociallogin.account.provider, "reauthenticated": True}
            record_authentication(request, request.user, "socialaccount", **named)
        else:
            text = _("This is another account than the one that signs in here.")
            messages.error(request, text)

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: Any) -> str:
        return reverse("ways")

    def send_notification_mail(
        self, template_prefix: str, user: Any, context: Any = None, **more: Any
    ) -> None:
        account = context["account"]
        name = str(account.extra_data.get("name", ""))
        ways.notify(user, "way_added", ways.Way("", account.provider, name, None, None, True).title)

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Any,
        error: Any = None,
        exception: Any = None,
        extra_context: Any = None,
    ) -> None:
        """Back to where somebody came from, with what to do. The log names the kind of the fault,
        never what was answered.
        """
        if error == AuthError.CANCELLED:
            text = _("Nothing was done: you came back from %(site)s without agreeing.")
        elif isinstance(exception, requests.RequestException | OutsideError):
            text = _("%(site)s does not answer now. Try again later, or choose another way.")
        elif exception is None:
            text = _("This came too late, or from another browser. Begin again.")
        else:
            text = _("%(site)s did not confirm who you are. Try again, or choose another way.")
        if exception is not None:
            log.warning(
                "Signing in by %s failed: %s",
                provider.id,
                getattr(exception, "reason", type(exception).__name__),
            )
        messages.error(request, text % {"site": provider.name})
        raise ImmediateHttpResponse(
            redirect("ways" if request.user.is_authenticated else "account_login")
        )


# What of an account elsewhere is kept: its number and its name, so that people know it again.


class Account(ProviderAccount):
    def to_str(self) -> str:
        return str(self.account.extra_data.get("name", ""))


LONGEST_NAME = 60


def _text(facts: Mapping[str, Any], *names: str) -> str:
    """The first of these that is a text which may be shown."""
    for name in names:
        value = facts.get(name)
        if isinstance(value, str) and (text := "".join(filter(printable, value)).strip()):
            return text[:LONGEST_NAME]
    return ""


def _proposed(name: str) -> str:
    """Return the name without signs that are not allowed here; empty if it looks like a role or
    mixes scripts.
    """
    allowed = "".join(
        sign if sign in ".'_-" or unicodedata.category(sign)[0] in "LMN" else " " for sign in name
    )
    proposal = " ".join(allowed.split())
    try:
        for must_hold in CHOSEN:
            must_hold(proposal)
    except ValidationError:
        return ""
    return proposal


class Discord(DiscordProvider):
    """Discord's account, by number. Its address is proposed only where Discord has confirmed it."""

    account_class = Account  # type: ignore[assignment]

    def get_scope_from_request(self, request: HttpRequest) -> list[str]:
        return ["identify", "email"]

    def get_auth_params_from_request(self, request: HttpRequest, action: Any) -> dict[str, str]:
        return {}

    def extract_uid(self, data: Any) -> str:
        number = data.get("id") if isinstance(data, dict) else None
        if not isinstance(number, str) or not re.fullmatch(r"[0-9]{15,20}", number):
            raise ProviderException("no account")
        return number

    def extract_extra_data(self, data: Any) -> dict[str, Any]:
        return {"name": _text(data, "global_name", "username")}

    def extract_common_fields(self, data: Any) -> dict[str, Any]:
        email = data.get("email") if data.get("verified") is True else ""
        return {
            "username": _proposed(_text(data, "global_name", "username")),
            "email": email if isinstance(email, str) else "",
        }

    def extract_email_addresses(self, data: Any) -> list[Any]:
        return []

    def cleanup_email_addresses(
        self, email: Any, addresses: Any, email_verified: bool = False
    ) -> Any:
        """A proposal for the form, no address of anybody yet."""
        return email or None


class DiscordAdapter(DiscordOAuth2Adapter):
    """Addresses from the settings; back to the site's own address, which Discord has in its
    list.
    """

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.access_token_url = f"{settings.DISCORD_SITE}/api/oauth2/token"
        self.authorize_url = f"{settings.DISCORD_SITE}/oauth2/authorize"
        self.profile_url = f"{settings.DISCORD_SITE}/api/users/@me"

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:
        return settings.SITE_URL.rstrip("/") + reverse("discord_callback")

    def parse_token(self, data: Any) -> Any:
        """How long it lives is of no interest: it is used once, at once, and not kept."""
        if not isinstance(data["access_token"], str):
            raise ProviderException("no token")
        return super().parse_token({"access_token": data["access_token"]})

    def complete_login(self, request: HttpRequest, app: Any, token: Any, **kwargs: Any) -> Any:
        with get_adapter().get_requests_session() as session:
            answer = session.get(
                self.profile_url, headers={"Authorization": f"Bearer {token.token}"}
            )
        if answer.status_code != 200:
            raise ProviderException("no account")
        return self.get_provider().sociallogin_from_response(request, answer.json())


Discord.oauth2_adapter_class = DiscordAdapter


class Steam(Provider):
    """Steam's account, by number. OpenID 2.0 without associations: Steam is asked whether it has
    signed what came.
    """

    id, name = "steam", "Steam"
    account_class = Account
    supports_redirect = True
    NAMESPACE = "http://specs.openid.net/auth/2.0"
    SIGNED = frozenset(
        {"op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"}
    )
    """What the signature has to cover (OpenID 2.0, 10.1)."""
    FRESH = timedelta(minutes=5)

    def get_login_url(self, request: HttpRequest, **kwargs: Any) -> str:
        return reverse("steam_login") + (f"?{urlencode(kwargs)}" if kwargs else "")

    def redirect(
        self,
        request: HttpRequest,
        process: Any,
        next_url: Any = None,
        data: Any = None,
        **kwargs: Any,
    ) -> HttpResponse:
        state = self.stash_redirect_state(request, process, next_url, data, **kwargs)
        anybody = f"{self.NAMESPACE}/identifier_select"
        asked = {
            "ns": self.NAMESPACE,
            "mode": "checkid_setup",
            "claimed_id": anybody,
            "identity": anybody,
            "return_to": self.return_to(state),
            "realm": settings.SITE_URL.rstrip("/") + "/",
        }
        query = urlencode({f"openid.{name}": value for name, value in asked.items()})
        return HttpResponseRedirect(f"{settings.STEAM_SITE}/openid/login?{query}")

    def return_to(self, state: str) -> str:
        callback = f"{settings.SITE_URL.rstrip('/')}{reverse('steam_callback')}"
        return f"{callback}?{urlencode({'state': state})}"

    def verified(self, given: Mapping[str, str], state: str, now: datetime) -> str:
        """The number of the account that came. Raises `ProviderException`, or `OutsideError` where
        Steam could not be asked.
        """
        if given.get("mode") != "id_res" or given.get("ns") != self.NAMESPACE:
            raise ProviderException("no answer")
        if given.get("op_endpoint") != f"{settings.STEAM_SITE}/openid/login" or given.get(
            "return_to"
        ) != self.return_to(state):
            raise ProviderException("for another place")
        number = re.fullmatch(
            re.escape(settings.STEAM_SITE) + r"/openid/id/([0-9]{17})", given.get("claimed_id", "")
        )
        if number is None or given.get("identity") != given.get("claimed_id"):
            raise ProviderException("no account")
        if not set(given.get("signed", "").split(",")) >= self.SIGNED:
            raise ProviderException("not signed")
        self._once(given.get("response_nonce", ""), now)
        asked = {f"openid.{name}": value for name, value in given.items()} | {
            "openid.mode": "check_authentication"
        }
        answer = Client().post(f"{settings.STEAM_SITE}/openid/login", data=asked)
        lines = dict(line.partition(":")[::2] for line in answer.text.splitlines())
        if not answer.ok or lines.get("ns") != self.NAMESPACE or lines.get("is_valid") != "true":
            raise ProviderException("not confirmed")
        return number[1]

    def _once(self, nonce: str, now: datetime) -> None:
        """What Steam signed serves once, within minutes."""
        try:
            at = datetime.strptime(nonce[:20], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        except ValueError:
            raise ProviderException("no nonce") from None
        if len(nonce) > 255 or abs(now - at) > self.FRESH:
            raise ProviderException("late")
        if not cache.add(
            f"steam:{sha256(nonce.encode()).hexdigest()}", 1, int(2 * self.FRESH.total_seconds())
        ):
            raise ProviderException("used")

    def account_name(self, number: str) -> str:
        """What the person is called there; "" where Steam does not say it: nobody is kept out for
        that.
        """
        query = urlencode({"key": self.app.secret, "steamids": number})
        try:
            answer: Answer = Client().get(
                f"{settings.STEAM_API}/ISteamUser/GetPlayerSummaries/v2/?{query}"
            )
            people = answer.json()["response"]["players"] if answer.ok else []
            return _text(people[0], "personaname") if people else ""
        except (OutsideError, LookupError, TypeError, AttributeError):
            return ""

    def extract_uid(self, data: Any) -> str:
        return str(data["number"])

    def extract_extra_data(self, data: Any) -> dict[str, Any]:
        return {"name": data["name"]}

    def extract_common_fields(self, data: Any) -> dict[str, Any]:
        return {"username": _proposed(data["name"])}


provider_classes = [Discord, Steam]


WAITS = 30 * 60
"""Seconds for which an account elsewhere that somebody came by waits to be signed up or linked: a
browser may have several users.
"""


def waiting(request: HttpRequest) -> SocialLogin | None:
    """The sign-in by another site that waits in this browser, looked up anew: meanwhile it may have
    been linked. None where there is none, or its site is offered no more.
    """
    login = None
    with suppress(SocialApp.DoesNotExist, ValueError):
        login = signup.get_pending_signup(request)
    if login is None or time() - login.state.get("since", 0) > WAITS:
        signup.clear_pending_signup(request)
        return None
    login.lookup()
    return login


# Pages. A browser is sent away by a page of ours: the policy lets forms lead to this site alone.


def _provider(request: HttpRequest, site: str) -> Any:
    if site not in dict(ways.offered()):
        raise Http404
    return get_adapter().get_provider(request, site)


@require_http_methods(["GET", "HEAD", "POST"])
def leave(request: HttpRequest, site: str) -> HttpResponse:
    """To another site. A GET asks first; `process` says what for, `next` where to go afterwards."""
    provider = _provider(request, site)
    asked = request.POST if request.method == "POST" else request.GET
    process = asked.get("process", LOGIN)
    process = process if process in (LOGIN, CONNECT, AGAIN) else LOGIN
    onward = inside_this_site(request, asked.get("next", ""))
    if process == LOGIN and request.user.is_authenticated:
        return redirect(onward or "ways")
    if process != LOGIN and not request.user.is_authenticated:
        return redirect("account_login")
    if process == CONNECT and not ways.fresh(request):
        return redirect(
            f"{reverse('account_reauthenticate')}?{urlencode({'next': reverse('ways')})}"
        )
    context = {"site": site, "name": provider.name, "process": process, "next": onward}
    if request.method != "POST":
        return render(request, "account/leaving.html", context)
    if wait := throttle.spend(request, throttle.ELSEWHERE):
        return throttle.refused(request, wait)
    kwargs = {"scope": provider.get_scope_from_request(request)} if site == Discord.id else {}
    away = provider.redirect(request, process, next_url=onward or None, since=time(), **kwargs)
    return render(request, "account/leaving.html", {**context, "away": away.headers["Location"]})


UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, RecursionError)


def _guarded(request: HttpRequest, provider: Any, work: Any) -> HttpResponse:
    """What another site answers may be anything: whatever is wrong with it, people read
    what to do.
    """
    try:
        try:
            return cast(HttpResponse, work())
        except (ProviderException, OutsideError, PermissionDenied, *UNREADABLE) as error:
            return render_authentication_error(request, provider, exception=error)
    except ImmediateHttpResponse as answer:
        return answer.response


@require_http_methods(["GET"])  # a HEAD would use up what serves once
def back_from_discord(request: HttpRequest) -> HttpResponse:
    provider = _provider(request, Discord.id)
    if wait := throttle.spend(request, throttle.ELSEWHERE):
        return throttle.refused(request, wait)
    return _guarded(
        request, provider, partial(OAuth2CallbackView.adapter_view(DiscordAdapter), request)
    )


@require_http_methods(["GET"])  # a HEAD would use up what serves once
def back_from_steam(request: HttpRequest) -> HttpResponse:
    provider = _provider(request, Steam.id)
    if wait := throttle.spend(request, throttle.ELSEWHERE):
        return throttle.refused(request, wait)
    return _guarded(request, provider, partial(_from_steam, request, provider))


def _from_steam(request: HttpRequest, provider: Steam) -> HttpResponse:
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
        return cast(
            HttpResponse, render_authentication_error(request, provider, error=AuthError.CANCELLED)
        )
    account = provider.verified(given, number, timezone.now())
    login = provider.sociallogin_from_response(
        request, {"number": account, "name": provider.account_name(account)}
    )
    login.state = state
    return complete_social_login(request, login)
