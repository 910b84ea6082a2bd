"""Log of possible attacks: refused passwords, codes and permissions, throttled requests.

Each line has the same form, so that fail2ban can read it (docs/host/operate.md, deploy/fail2ban/):

    sign-in-failed from 192.0.2.7 account=12 path="/sign-in/"

The account is the number of the user whom the attempt concerns, or `none`. A line never contains
what someone typed: a user may have typed a password into the field for the name.
"""

from __future__ import annotations

import json
import logging

from allauth.account.internal.stagekit import unstash_login
from django.http import HttpRequest

from people.address_proof import caller

log = logging.getLogger("attacks")
SIGN_IN_FAILED, CODE_REFUSED = "sign-in-failed", "code-refused"
THROTTLED, PERMISSION_REFUSED = "throttled", "permission-refused"
EVENTS = (SIGN_IN_FAILED, CODE_REFUSED, THROTTLED, PERMISSION_REFUSED)
LONGEST_PATH = 200


def note(request: HttpRequest, event: str, account: int | None = None) -> None:
    """Write a line to the log of attacks.

    `account` is the user whom the request concerns, by default the user who signs in or is signed
    in.
    """
    if account is None:
        account = _signing_in(request)
    ip, path = caller(request), request.path[:LONGEST_PATH]
    log.warning(
        "%s from %s account=%s path=%s",
        event,
        ip,
        "none" if account is None else account,
        json.dumps(path),
        extra={
            "event": event,
            "ip": ip,
            "account": account,
            "path": path,
            "method": request.method,
        },
    )


def _signing_in(request: HttpRequest) -> int | None:
    """Return the number of the user who is signed in or has still to enter a code."""
    user = getattr(request, "user", None)
    if user is not None and user.is_authenticated:
        return int(user.pk)
    login = unstash_login(request, peek=True) if hasattr(request, "session") else None
    return login.user.pk if login is not None and login.user is not None else None
