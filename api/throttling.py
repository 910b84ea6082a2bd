"""How often is too often: by person where one is known, else by address, counted in the shared cache."""

from __future__ import annotations

from typing import Any

from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from people.limits import address


class ByAddress(SimpleRateThrottle):
    """Whoever asks without a token, and each token that opens nothing. An IPv6 network counts as one."""

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
        return f"throttle:api:{self.scope}:{request.user.pk}" if request.user.is_authenticated else None


class Writes(ByPerson):
    """What they say: no more than people at a table could."""

    rate = "120/min"
    scope = "writes"

    def get_cache_key(self, request: Request, view: Any) -> str | None:
        return None if request.method in SAFE_METHODS else super().get_cache_key(request, view)
