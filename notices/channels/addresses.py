"""What somebody types as the address of a channel, read and kept as a secret.

Only services whose hosts are known by their name are served, and of what is typed only the parts that say which channel
there is meant: nothing typed chooses a host, a port, a file or an option. So no address leads anywhere but to them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import keys
from notices.models import Service

LONGEST = 500
SCHEMES = {"discord": Service.DISCORD, "tgram": Service.TELEGRAM, "slack": Service.SLACK}
"""As Apprise calls them. It knows a hundred more; many of those go to any host one names."""

_DISCORD = r"(?P<id>\d{5,25})/(?P<token>[A-Za-z0-9_-]{20,120})"
_SLACK = r"(?P<a>T[A-Z0-9]{5,20})/(?P<b>B[A-Z0-9]{5,20})/(?P<c>[A-Za-z0-9]{15,40})"
_TELEGRAM = r"(?P<bot>\d{5,15}:[A-Za-z0-9_-]{20,60})/(?P<chat>-?\d{1,20})"
_FORMS = (
    (Service.DISCORD, rf"https://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/api(?:/v\d{{1,2}})?/webhooks/{_DISCORD}"),
    (Service.DISCORD, rf"discord://{_DISCORD}"),
    (Service.SLACK, rf"https://hooks\.slack\.com/services/{_SLACK}"),
    (Service.SLACK, rf"slack://{_SLACK}"),
    (Service.TELEGRAM, rf"tgram://{_TELEGRAM}"),
)  # fmt: skip
FORMS = [(service, re.compile(form + "/?", re.ASCII)) for service, form in _FORMS]

NO_ADDRESS = gettext_noop(
    "This address is not supported. Paste a webhook’s address of Discord or Slack, or for Telegram "
    "tgram://token-of-your-bot/number-of-the-chat."
)
OTHER_SCHEME = gettext_noop(
    "Addresses that begin with %(scheme)s:// are not supported: discord://, slack:// and tgram:// are, and the webhook "
    "addresses of Discord and Slack."
)
OPTIONS = gettext_noop("An address has no options: leave out everything after the question mark.")
OTHER_PLACE = gettext_noop("This address is not of Discord or Slack. Webhooks elsewhere are not written to.")
BROKEN = gettext_noop("This begins like an address of %(service)s and is not a whole one. Copy it again.")


class BadAddress(Exception):
    """What is typed is no address that is served. Its text never holds what was typed."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where to write: the service, and what it calls the place, which is a secret."""

    service: Service
    parts: tuple[str, ...] = field(repr=False)

    @property
    def url(self) -> str:
        """As Apprise writes it, without options."""
        scheme = next(name for name, service in SCHEMES.items() if service == self.service)
        return f"{scheme}://{'/'.join(self.parts)}"

    def sealed(self) -> str:
        return keys.seal(self.url)


def parse(typed: str) -> Address:
    """Raises `BadAddress` with a sentence that says what to do."""
    text = typed.strip()
    if len(text) > LONGEST or any(c.isspace() or not c.isprintable() for c in text):
        raise BadAddress(_(NO_ADDRESS))
    address, options, _rest = unquote(text).partition("?")
    for service, form in FORMS:
        if match := form.fullmatch(address):
            if options:
                raise BadAddress(_(OPTIONS))
            return Address(service, match.groups())
    scheme, colon, rest = address.partition("://")
    if not colon or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]{0,20}", scheme, re.ASCII):
        raise BadAddress(_(NO_ADDRESS))
    name = scheme.lower()
    host = re.match(r"[^/:@]*", rest)[0].lower()  # type: ignore[index]
    ours = SCHEMES.get(name) or (name == "https" and next((s for h, s in HOSTS if host == h or host.endswith("." + h)), None))
    if ours:
        raise BadAddress(_(BROKEN) % {"service": ours.label})
    raise BadAddress(_(OTHER_PLACE) if name in ("http", "https") else _(OTHER_SCHEME) % {"scheme": name})


HOSTS = (("discord.com", Service.DISCORD), ("discordapp.com", Service.DISCORD), ("slack.com", Service.SLACK))


def unsealed(sealed: str) -> Address:
    return parse(keys.unseal(sealed))
