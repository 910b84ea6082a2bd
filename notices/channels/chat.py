"""Discord, Telegram and Slack, through Apprise."""

from __future__ import annotations

import logging
import re
import sys
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

import apprise
import requests
from apprise.exception import AppriseImproperlyConfigured
from apprise.plugins.discord import NotifyDiscord
from apprise.plugins.slack import NotifySlack
from apprise.plugins.telegram import NotifyTelegram
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from urllib3.exceptions import ConnectTimeoutError, MaxRetryError

from campaign import keys
from notices.channels import NotSent
from notices.models import Service

LIMIT = {Service.DISCORD: 2000, Service.TELEGRAM: 4096, Service.SLACK: 4000}
"""Characters of one message. Slack takes more, nobody reads it."""
SECONDS = 6  # to connect, and to answer
GONE = frozenset({401, 403, 404, 410})
ASSET = apprise.AppriseAsset(
    app_id="Tabula",
    app_desc="",
    app_url="",
    http_redirects=False,
    secure_logging=True,
    plugin_paths=[],
)
_STATUS = re.compile(r"\berror=(\d{3})\b")
_MARKS = re.compile(r"([\\*_~`|\[<]|^[#>-])", re.MULTILINE)


def plain(service: str, text: str) -> str:
    """A line of text as this service shows it literally: no mark-up of it works, and nobody is
    called by it.
    """
    text = text.replace("@", "@\N{ZERO WIDTH SPACE}")
    return _MARKS.sub(r"\\\1", text) if service == Service.DISCORD else text


def link(service: str, url: str) -> str:
    """An address in a message; in Discord without the picture of its page."""
    return f"<{url}>" if service == Service.DISCORD else url


def fitting(service: str, blocks: list[str], more: str) -> str:
    """As many of the blocks as one message holds; `more` stands for the rest."""
    limit, text = LIMIT[Service(service)], ""
    for place, block in enumerate(blocks):
        joined = f"{text}\n\n{block}" if text else block
        last = place == len(blocks) - 1
        if len(joined) > limit - (0 if last else len(more) + 2):
            return f"{text}\n\n{more}" if text else f"{block[: limit - len(more) - 3]}…\n\n{more}"
        text = joined
    return text


class _Heard:
    """What Apprise says of one message that did not go: it answers yes or no, and tells why in the
    log of that call alone.
    """

    def __init__(self) -> None:
        self.content = ""
        self.lost = False

    def __call__(self, entry: Any, service: Any) -> None:
        """It tells while it looks after what went wrong, which so can be seen here."""
        self.content += f"{entry.message}\n"
        self.lost = self.lost or _lost(sys.exc_info()[1])


def _lost(error: BaseException | None) -> bool:
    """Did the line break when it had been connected, so that the message may have arrived?"""
    if not isinstance(error, requests.RequestException) or isinstance(
        error, requests.ConnectTimeout | requests.exceptions.SSLError
    ):
        return False
    cause = error.args[0] if error.args else None
    return not (isinstance(cause, MaxRetryError) and isinstance(cause.reason, ConnectTimeoutError))


def send(address: Address, text: str) -> None:
    """Says it. Raises `NotSent`; after an answer that did not come it is a doubtful one."""
    service = address.service
    heard = _Heard()
    try:
        notifier = apprise.Apprise(asset=ASSET)
        notifier.add(_plugin(address))
        done = bool(
            notifier.notify(
                body=text,
                body_format=apprise.NotifyFormat.TEXT,
                log_callback=heard,
                log_level=logging.WARNING,
            )
        )
    except AppriseImproperlyConfigured:
        raise NotSent(
            _("%(service)s does not take this address.") % {"service": service.label}, gone=True
        ) from None
    if done:
        return
    match = _STATUS.search(heard.content)
    if match is None:
        named = {"service": service.label}
        if heard.lost:
            raise NotSent(
                _("%(service)s did not answer: it may have arrived.") % named,
                ours=True,
                doubtful=True,
            )
        raise NotSent(_("%(service)s could not be reached.") % named, ours=True)
    status = int(match[1])
    raise NotSent(
        _("%(service)s refused it (%(status)d).") % {"service": service.label, "status": status},
        gone=status in GONE,
        ours=status == 429 or status >= 500,
    )


def _plugin(address: Address) -> apprise.NotifyBase:
    """Apprise's part for the service, made of the parts of its address: no address of anybody's is
    read by Apprise, and none of its other services is loaded.
    """
    usual: dict[str, Any] = {"asset": ASSET, "cto": SECONDS, "rto": SECONDS}
    if address.service == Service.DISCORD:
        number, token = address.parts
        return NotifyDiscord(number, token, avatar=False, **usual)
    if address.service == Service.SLACK:
        parts = dict(zip(("token_a", "token_b", "token_c"), address.parts, strict=True))
        return NotifySlack(**parts, include_image=False, include_footer=False, **usual)
    bot, chat = address.parts
    return NotifyTelegram(
        bot, targets=[chat], detect_owner=False, include_image=False, preview=False, **usual
    )


# What somebody types as the address of a channel, read and kept as a secret.
#
# Only services whose hosts are known by their name are served, and of what is typed only the parts
# that say which channel there is meant: nothing typed chooses a host, a port, a file or an option.
# So no address leads anywhere but to them.

LONGEST = 500
SCHEMES = {"discord": Service.DISCORD, "tgram": Service.TELEGRAM, "slack": Service.SLACK}
"""As Apprise calls them. It knows a hundred more; many of those go to any host one names."""

_DISCORD = r"(?P<id>\d{5,25})/(?P<token>[A-Za-z0-9_-]{20,120})"
_SLACK = r"(?P<a>T[A-Z0-9]{5,20})/(?P<b>B[A-Z0-9]{5,20})/(?P<c>[A-Za-z0-9]{15,40})"
_TELEGRAM = r"(?P<bot>\d{5,15}:[A-Za-z0-9_-]{20,60})/(?P<chat>-?\d{1,20})"
_FORMS = (
    (
        Service.DISCORD,
        rf"https://(?:(?:ptb|canary)\.)?discord(?:app)?\.com/api(?:/v\d{{1,2}})?/webhooks/{_DISCORD}",
    ),
    (Service.DISCORD, rf"discord://{_DISCORD}"),
    (Service.SLACK, rf"https://hooks\.slack\.com/services/{_SLACK}"),
    (Service.SLACK, rf"slack://{_SLACK}"),
    (Service.TELEGRAM, rf"tgram://{_TELEGRAM}"),
)
FORMS = [(service, re.compile(form + "/?", re.ASCII)) for service, form in _FORMS]

NO_ADDRESS = gettext_noop(
    "This address is not supported. Paste a webhook’s address of Discord or Slack, or for Telegram "
    "tgram://token-of-your-bot/number-of-the-chat."
)
OTHER_SCHEME = gettext_noop(
    "Addresses that begin with %(scheme)s:// are not supported: discord://, slack:// and tgram://"
    " are, and the webhook addresses of Discord and Slack."
)
OPTIONS = gettext_noop("An address has no options: leave out everything after the question mark.")
OTHER_PLACE = gettext_noop(
    "This address is not of Discord or Slack. Webhooks elsewhere are not written to."
)
BROKEN = gettext_noop(
    "This begins like an address of %(service)s and is not a whole one. Copy it again."
)


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
    ours = SCHEMES.get(name) or (
        name == "https" and next((s for h, s in HOSTS if host == h or host.endswith("." + h)), None)
    )
    if ours:
        raise BadAddress(_(BROKEN) % {"service": ours.label})
    raise BadAddress(
        _(OTHER_PLACE) if name in ("http", "https") else _(OTHER_SCHEME) % {"scheme": name}
    )


HOSTS = (
    ("discord.com", Service.DISCORD),
    ("discordapp.com", Service.DISCORD),
    ("slack.com", Service.SLACK),
)


def unsealed(sealed: str) -> Address:
    return parse(keys.unseal(sealed))
