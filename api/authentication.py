"""Who asks: the person of the token that the request brings. There are no cookies here, so no form
of another site can ask.
"""

from __future__ import annotations

from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext as _
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import AuthenticationFailed, Throttled
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from campaign.log.entries import note_presence
from people import services, tokens
from people.models import Token, User
from people.proof import address

REALM = 'Bearer realm="Tabula"'


class Bearer(BaseAuthentication):
    """`Authorization: Bearer tab_…`. Without the header one is nobody; with one that opens nothing
    one is refused.
    """

    def authenticate(self, request: Request) -> tuple[User, Token] | None:
        header = request.META.get("HTTP_AUTHORIZATION", "")
        if not header:
            return None
        scheme, _space, secret = header.partition(" ")
        now = timezone.now()
        token = tokens.by_secret(secret.strip(), now) if scheme.lower() == "bearer" else None
        if token is None:
            limit = ByAddress()
            if not limit.allow_request(request, cast(Any, None)):
                raise Throttled(limit.wait())
            raise AuthenticationFailed(
                _("This token opens nothing: it is unknown, revoked or expired."), "bad-token"
            )
        if services.note_presence(token.user, now):
            note_presence(token.user)
        return token.user, token

    def authenticate_header(self, request: Request) -> str:
        return REALM


class Scope(BasePermission):
    """Nobody writes without a token, and none of scope `read` does. A view whose POST only asks
    says `writes = False`.
    """

    def has_permission(self, request: Request, view: Any) -> bool:
        if request.method in SAFE_METHODS or not getattr(view, "writes", True):
            return True
        token = cast("Token | None", request.auth)
        self.message, self.code = _("This token only reads. Make one that may play."), "scope"
        return token is not None and token.scope == Token.Scope.PLAY


# How often is too often: by person where one is known, else by address, counted in the shared
# cache.


class ByAddress(SimpleRateThrottle):
    """Whoever asks without a token, and each token that opens nothing. An IPv6 network counts as
    one.
    """

    rate = "120/min"
    scope = "address"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        if view is not None and request.user.is_authenticated:
            return None
        return f"throttle:api:{self.scope}:{address(request)}"


class ByPerson(SimpleRateThrottle):
    """All that somebody's programs ask, whichever token they bring."""

    rate = "600/min"
    scope = "person"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        return (
            f"throttle:api:{self.scope}:{request.user.pk}"
            if request.user.is_authenticated
            else None
        )


class Writes(ByPerson):
    """What they say: no more than people at a table could. What only asks is counted with what is
    read.
    """

    rate = "120/min"
    scope = "writes"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        asks = request.method in SAFE_METHODS or not getattr(view, "writes", True)
        return None if asks else super().get_cache_key(request, view)
