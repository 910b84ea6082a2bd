"""Sign-in with accounts of other sites: Discord (OAuth 2) and Steam (OpenID 2.0).

allauth looks for providers in a module of this name. `outgoing.client` sends every request to the
other sites. Another site is trusted for a single fact: that this browser holds this account there.
An e-mail address from it proves nothing here, and a name is only a proposal. The pages are in
`web.account.other_sites`.
"""

from __future__ import annotations

import io
import logging
import re
import unicodedata
from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from time import time
from typing import NamedTuple, TypedDict, cast
from urllib.parse import urlencode

import requests
from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter, get_adapter
from allauth.socialaccount.internal.flows import signup
from allauth.socialaccount.models import SocialAccount, SocialApp, SocialLogin, SocialToken
from allauth.socialaccount.providers.base import (
    AuthError,
    Provider,
    ProviderAccount,
    ProviderException,
)
from allauth.socialaccount.providers.discord.provider import DiscordProvider
from allauth.socialaccount.providers.discord.views import DiscordOAuth2Adapter
from django.conf import settings
from django.contrib import messages
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _

from engine.strict_json import is_printable
from outgoing.client import Answer, Client, OutsideError
from people import sign_in_ways
from people.forms import SignUpElsewhere
from people.models import User
from people.validators import CHOSEN

log = logging.getLogger(__name__)
LOGIN, CONNECT, AGAIN = "login", "connect", "redirect"
PURPOSES = (LOGIN, CONNECT, AGAIN)
"""The reasons to visit another site, by allauth's names.

They are: to sign in or up, to link the account, to reauthenticate.
"""


# Outgoing requests of allauth, which uses `requests`


class Out(requests.adapters.BaseAdapter):
    """A transport of `requests` that sends through `outgoing.client`.

    The policy, time limit and length limit of that client apply.
    """

    OURS = frozenset(
        {"user-agent", "accept-encoding", "connection", "content-length", "host", "cookie"}
    )
    """The headers that the client sets itself."""

    def send(
        self, request: requests.PreparedRequest, *args: object, **kwargs: object
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
        response.request, response.url = request, str(request.url)
        response.status_code, response.encoding = answer.status, "utf-8"
        response.headers.update(answer.headers.items())
        response.raw = io.BytesIO(answer.bytes)
        return response

    def close(self) -> None:
        pass


class OutSession(requests.Session):
    """A session of `requests` that sends through `outgoing.client` and follows no redirects."""

    def __init__(self) -> None:
        super().__init__()
        self.trust_env = False  # ignore the proxies that environment variables name
        for scheme in ("https://", "http://"):
            self.mount(scheme, Out())

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Return None, because redirects are not followed."""


# The adapter of allauth


class StatedApp(TypedDict):
    """The keys that another site has issued to this site."""

    client_id: str
    secret: str


class StatedSite(TypedDict, total=False):
    """The settings of another site."""

    APPS: list[StatedApp]


class Elsewhere(DefaultSocialAccountAdapter):
    """allauth's adapter for accounts of other sites."""

    def list_apps(
        self, request: HttpRequest, provider: str | None = None, client_id: str | None = None
    ) -> list[SocialApp]:
        """Return the keys from the settings, never from the database."""
        stated = cast(Mapping[str, StatedSite], settings.SOCIALACCOUNT_PROVIDERS)
        return [
            SocialApp(provider=site, **app)
            for site, keys in stated.items()
            for app in keys.get("APPS", [])
            if provider in (None, site) and client_id in (None, app["client_id"])
        ]

    def get_requests_session(self) -> requests.Session:
        return OutSession()

    def new_user(self, request: HttpRequest, sociallogin: SocialLogin) -> User:
        """Return an empty user.

        A guest becomes the new user when the form is sent, not when it is shown.
        """
        return User()

    def save_user(
        self, request: HttpRequest, sociallogin: SocialLogin, form: SignUpElsewhere | None = None
    ) -> User:
        """Save the user who signs up: the guest of this browser, or else a new user.

        The caller opens a transaction.
        """
        assert form is not None  # because SOCIALACCOUNT_AUTO_SIGNUP is off
        account = get_account_adapter(request)
        user = cast(User, account.new_user(request))
        sociallogin.user = user
        user.set_unusable_password()
        account.save_user(request, user, form, commit=False)
        sociallogin.email_addresses = []  # `save_user` has saved the address of the form
        sociallogin.save(request)
        return user

    def pre_social_login(self, request: HttpRequest, sociallogin: SocialLogin) -> None:
        """Record a reauthentication if the reader returns as the same user."""
        if sociallogin.state.get("process") != AGAIN or not request.user.is_authenticated:
            return
        if sociallogin.is_existing and sociallogin.user == request.user:
            named = {"provider": sociallogin.account.provider, "reauthenticated": True}
            record_authentication(request, request.user, "socialaccount", **named)
        else:
            text = _("This is a different account from the one you sign in with here.")
            messages.error(request, text)

    def get_connect_redirect_url(self, request: HttpRequest, socialaccount: SocialAccount) -> str:
        return reverse("ways")

    def send_notification_mail(
        self, template_prefix: str, user: User, context: Mapping[str, SocialAccount], **more: object
    ) -> None:
        """Send the site's own e-mail about a new way to sign in."""
        account = context["account"]
        name = str(account.extra_data.get("name", ""))
        sign_in_ways.notify(
            user, "way_added", sign_in_ways.Way("", account.provider, name, None, None, True).title
        )

    def on_authentication_error(
        self,
        request: HttpRequest,
        provider: Provider,
        error: str | None = None,
        exception: Exception | None = None,
        extra_context: Mapping[str, object] | None = None,
    ) -> None:
        """Redirect to the page that the reader came from, with a message on what to do.

        The log records the kind of the fault, never the content of the answer.
        """
        if error == AuthError.CANCELLED:
            text = _("You came back from %(site)s without agreeing, so nothing was done.")
        elif isinstance(exception, requests.RequestException | OutsideError):
            text = _("%(site)s is not responding. Try again later, or choose another way.")
        elif exception is None:
            text = _("The answer came too late or from another browser. Please start again.")
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


# Accounts elsewhere: their number is stored, and their name, by which users recognise them


class Account(ProviderAccount):
    """An account elsewhere, in the form that allauth shows."""

    def to_str(self) -> str:
        return str(self.account.extra_data.get("name", ""))


LONGEST_NAME = 60


def printable_text(facts: Mapping[str, object], *names: str) -> str:
    """Return the first of these facts that is text, without unprintable characters."""
    for name in names:
        value = facts.get(name)
        if isinstance(value, str) and (text := "".join(filter(is_printable, value)).strip()):
            return text[:LONGEST_NAME]
    return ""


def proposed_name(name: str) -> str:
    """Return the name without characters that are not allowed here.

    It is empty if the name looks like a role or mixes scripts.
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
    """Discord's accounts, by number. An address is only proposed if Discord has confirmed it."""

    account_class = Account  # type: ignore[assignment]  # allauth's is another class

    def get_scope_from_request(self, request: HttpRequest) -> list[str]:
        """Return both scopes as a single text, because allauth would order them like a set."""
        return ["identify email"]

    def get_auth_params_from_request(self, request: HttpRequest, action: str) -> dict[str, str]:
        return {}

    def extract_uid(self, data: object) -> str:
        number = data.get("id") if isinstance(data, dict) else None
        if not isinstance(number, str) or not re.fullmatch(r"[0-9]{15,20}", number):
            raise ProviderException("no account")
        return number

    def extract_extra_data(self, data: Mapping[str, object]) -> dict[str, str]:
        return {"name": printable_text(data, "global_name", "username")}

    def extract_common_fields(self, data: Mapping[str, object]) -> dict[str, str]:
        email = data.get("email") if data.get("verified") is True else ""
        return {
            "username": proposed_name(printable_text(data, "global_name", "username")),
            "email": email if isinstance(email, str) else "",
        }

    def extract_email_addresses(self, data: object) -> list[EmailAddress]:
        return []

    def cleanup_email_addresses(
        self, email: str | None, addresses: list[EmailAddress], email_verified: bool = False
    ) -> str | None:
        """Return the address that the form proposes. It is not yet the user's address."""
        return email or None


class DiscordAdapter(DiscordOAuth2Adapter):
    """Discord's addresses, from the settings."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(request)
        self.access_token_url = f"{settings.DISCORD_SITE}/api/oauth2/token"
        self.authorize_url = f"{settings.DISCORD_SITE}/oauth2/authorize"
        self.profile_url = f"{settings.DISCORD_SITE}/api/users/@me"

    def get_callback_url(self, request: HttpRequest, app: SocialApp) -> str:
        """Return the callback address, which is registered at Discord."""
        return settings.SITE_URL.rstrip("/") + reverse("discord_callback")

    def parse_token(self, data: Mapping[str, object]) -> SocialToken:
        """Return the token without its lifetime, because it is used immediately and not stored."""
        if not isinstance(data["access_token"], str):
            raise ProviderException("no token")
        return super().parse_token({"access_token": data["access_token"]})

    def complete_login(
        self, request: HttpRequest, app: SocialApp, token: SocialToken, **kwargs: object
    ) -> SocialLogin:
        """Ask Discord for the owner of this token."""
        with get_adapter().get_requests_session() as session:
            answer = session.get(
                self.profile_url, headers={"Authorization": f"Bearer {token.token}"}
            )
        if answer.status_code != 200:
            raise ProviderException("no account")
        return self.get_provider().sociallogin_from_response(request, answer.json())


Discord.oauth2_adapter_class = DiscordAdapter


class SteamAccount(NamedTuple):
    """An account of Steam."""

    number: str
    name: str


class Steam(Provider):
    """Steam's accounts, by number.

    This is OpenID 2.0 without associations: Steam is asked to confirm its signature.
    """

    id, name = "steam", "Steam"
    account_class = Account
    supports_redirect = True
    NAMESPACE = "http://specs.openid.net/auth/2.0"
    SIGNED = frozenset(
        {"op_endpoint", "claimed_id", "identity", "return_to", "response_nonce", "assoc_handle"}
    )
    """The fields that the signature has to cover (OpenID 2.0, 10.1)."""
    FRESH = timedelta(minutes=5)

    def get_login_url(self, request: HttpRequest, **kwargs: str) -> str:
        return reverse("steam_login") + (f"?{urlencode(kwargs)}" if kwargs else "")

    def redirect(
        self,
        request: HttpRequest,
        process: str,
        next_url: str | None = None,
        data: object = None,
        **kwargs: object,
    ) -> HttpResponse:
        """Send the browser to Steam, which asks the reader to agree."""
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
        """Return the number of the account in Steam's answer.

        Raises:
            ProviderException: The answer is invalid.
            OutsideError: Steam could not be asked.
        """
        number = self.claimed_number(given, state)
        self.use_nonce(given.get("response_nonce", ""), now)
        self.confirm(given)
        return number

    def claimed_number(self, given: Mapping[str, str], state: str) -> str:
        """Return the number of the account in the answer, before Steam is asked to confirm it."""
        if given.get("mode") != "id_res" or given.get("ns") != self.NAMESPACE:
            raise ProviderException("no answer")
        is_from_steam = given.get("op_endpoint") == f"{settings.STEAM_SITE}/openid/login"
        if not is_from_steam or given.get("return_to") != self.return_to(state):
            raise ProviderException("for another place")
        account = re.escape(settings.STEAM_SITE) + r"/openid/id/([0-9]{17})"
        number = re.fullmatch(account, given.get("claimed_id", ""))
        if number is None or given.get("identity") != given.get("claimed_id"):
            raise ProviderException("no account")
        if not set(given.get("signed", "").split(",")) >= self.SIGNED:
            raise ProviderException("not signed")
        return number[1]

    def use_nonce(self, nonce: str, now: datetime) -> None:
        """Refuse an answer that was used before, or was signed more than five minutes ago."""
        try:
            signed_at = datetime.strptime(nonce[:20], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        except ValueError:
            raise ProviderException("no nonce") from None
        if len(nonce) > 255 or abs(now - signed_at) > self.FRESH:
            raise ProviderException("late")
        key = f"steam:{sha256(nonce.encode()).hexdigest()}"
        if not cache.add(key, 1, int(2 * self.FRESH.total_seconds())):
            raise ProviderException("used")

    def confirm(self, given: Mapping[str, str]) -> None:
        """Ask Steam whether it has signed the answer."""
        asked = {f"openid.{name}": value for name, value in given.items()}
        asked["openid.mode"] = "check_authentication"
        answer = Client().post(f"{settings.STEAM_SITE}/openid/login", data=asked)
        lines = dict(line.partition(":")[::2] for line in answer.text.splitlines())
        if not answer.ok or lines.get("ns") != self.NAMESPACE or lines.get("is_valid") != "true":
            raise ProviderException("not confirmed")

    def account_name(self, number: str) -> str:
        """Return the name of an account; empty if Steam does not send it.

        A user without a name there can sign in as well.
        """
        query = urlencode({"key": self.app.secret, "steamids": number})
        try:
            answer: Answer = Client().get(
                f"{settings.STEAM_API}/ISteamUser/GetPlayerSummaries/v2/?{query}"
            )
            people = answer.json()["response"]["players"] if answer.ok else []
            return printable_text(people[0], "personaname") if people else ""
        except (OutsideError, LookupError, TypeError, AttributeError):
            return ""

    def extract_uid(self, data: SteamAccount) -> str:
        return data.number

    def extract_extra_data(self, data: SteamAccount) -> dict[str, str]:
        return {"name": data.name}

    def extract_common_fields(self, data: SteamAccount) -> dict[str, str]:
        return {"username": proposed_name(data.name)}


provider_classes = [Discord, Steam]


WAITS = 30 * 60
"""Seconds for which an account elsewhere can wait to be signed up or linked.

The time is limited because a browser may have several users.
"""


def waiting(request: HttpRequest) -> SocialLogin | None:
    """Return the sign-in with another site that waits in this browser.

    It is looked up again, because another request may have linked it. Return None if there is none,
    or if its site is no longer offered.
    """
    login = None
    with suppress(SocialApp.DoesNotExist, ValueError):
        login = signup.get_pending_signup(request)
    if login is None or time() - login.state.get("since", 0) > WAITS:
        signup.clear_pending_signup(request)
        return None
    login.lookup()
    return login
