"""Back to where somebody came from."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def onward(request: HttpRequest) -> str:
    """The address of this site that the form names as `next`; empty if it names none, or another site's."""
    return inside(request, request.POST.get("next", ""))


def inside(request: HttpRequest, wanted: str, below: str = "/") -> str:
    """`wanted`, if it is a path of this site that begins with `below`; else empty."""
    hosts = {request.get_host()}
    safe = wanted.startswith(below) and url_has_allowed_host_and_scheme(wanted, hosts, require_https=request.is_secure())
    return wanted if safe else ""
