"""What may go wrong outside. A text names the host and nothing behind it: an address may hold a secret."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

REASONS = {
    "address": gettext_noop("This is no address of the web that can be asked: it begins with https:// and names a host."),
    "not-https": gettext_noop("{host}: only addresses that begin with https:// are asked."),
    "not-public": gettext_noop("{host} is no public address of the internet."),
    "port": gettext_noop("{host}: this port is not for the web."),
    "header": gettext_noop("A header of the request holds what no header may hold."),
    "no-host": gettext_noop("{host} is not known: its name leads nowhere."),
    "connect": gettext_noop("{host} does not answer."),
    "certificate": gettext_noop("{host} does not prove that it is {host}: its certificate is not valid."),
    "connect-time": gettext_noop("{host} did not answer in time."),
    "cut": gettext_noop("{host} was asked, and the connection broke before it had answered."),
    "time": gettext_noop("{host} was asked, and has not answered in time."),
    "too-long": gettext_noop("{host} was asked, and its answer is longer than is read."),
    "broken": gettext_noop("{host} was asked, and its answer cannot be read."),
}


class OutsideError(Exception):
    """`reason` for programs, the text for people, in the reader's language when it is asked for."""

    def __init__(self, reason: str, host: str = "") -> None:
        super().__init__(reason, host)
        self.reason = reason
        self.host = host

    def __str__(self) -> str:
        return _(REASONS[self.reason]).format(host=self.host)


class Refused(OutsideError):
    """Not an address that is asked from here, or not a request that is sent: it will not be otherwise the next time."""


class Unreachable(OutsideError):
    """No word of the request was sent: surely not done."""


class Doubtful(OutsideError):
    """Sent, at least in part, and no answer or a broken one: it may have been done."""
