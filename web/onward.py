"""Back to where somebody came from."""

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def onward(request: HttpRequest) -> str:
    """The address of this site that the form names as `next`; empty if it names none, or another site's."""
    wanted = request.POST.get("next", "")
    hosts = {request.get_host()}
    safe = wanted.startswith("/") and url_has_allowed_host_and_scheme(wanted, hosts, require_https=request.is_secure())
    return wanted if safe else ""
