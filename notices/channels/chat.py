"""Messages to channels of Discord, Slack and Telegram, and the addresses of these channels."""

from __future__ import annotations

import html
import re
from dataclasses import dataclass, field
from urllib.parse import unquote

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import keys
from notices.channels import NotSent
from notices.models import Service
from outgoing.client import Client, Doubtful, OutsideError

DISCORD_WEBHOOKS = "https://discord.com/api/webhooks"
SLACK_WEBHOOKS = "https://hooks.slack.com/services"
TELEGRAM_API = "https://api.telegram.org"
LIMIT = {Service.DISCORD: 2000, Service.TELEGRAM: 4096, Service.SLACK: 4000}
"""Characters of one message. Slack takes more, but asks for no more than these."""
GONE = frozenset({401, 403, 404, 410})
"""Statuses after which no further message is sent to the address."""
SUPPRESS_EMBEDS = 4
"""The flag of a Discord message that shows no previews of the linked pages."""
_MARKS = re.compile(r"([\\*_~`|\[<]|^[#>-])", re.MULTILINE)


def plain(service: str, text: str) -> str:
    """Return a text as this service shows it literally, without mark-up and mentions."""
    text = text.replace("@", "@\N{ZERO WIDTH SPACE}")
    return _MARKS.sub(r"\\\1", text) if service == Service.DISCORD else text


def link(service: str, url: str) -> str:
    """Return an address in a message, in Discord without a preview of its page."""
    return f"<{url}>" if service == Service.DISCORD else url


def fitting(service: str, blocks: list[str], more: str) -> str:
    """Return as many of the blocks as one message holds; `more` replaces the rest."""
    limit, text = LIMIT[Service(service)], ""
    for place, block in enumerate(blocks):
        joined = f"{text}\n\n{block}" if text else block
        last = place == len(blocks) - 1
        if len(joined) > limit - (0 if last else len(more) + 2):
            return f"{text}\n\n{more}" if text else f"{block[: limit - len(more) - 3]}…\n\n{more}"
        text = joined
    return text


def send(address: Address, text: str) -> None:
    """Send a message once.

    Raises:
        NotSent: The message has not arrived. The error is doubtful if no answer came.
    """
    named = {"service": address.service.label}
    try:
        answer = Client().post(_url(address), json=_body(address, text))
    except Doubtful:
        raise NotSent(
            _("%(service)s did not answer: it may have arrived.") % named,
            ours=True,
            doubtful=True,
        ) from None
    except OutsideError:
        raise NotSent(_("%(service)s could not be reached.") % named, ours=True) from None
    if not answer.ok:
        raise refusal(address.service, answer.status)


def refusal(service: Service, status: int) -> NotSent:
    """Return the error for a service that has answered with this status."""
    return NotSent(
        _("%(service)s refused it (%(status)d).") % {"service": service.label, "status": status},
        gone=status in GONE,
        ours=status == 429 or status >= 500,
    )


def discord_webhook(address: Address) -> str:
    """Return the URL of a Discord webhook. It is a secret."""
    return f"{DISCORD_WEBHOOKS}/{'/'.join(address.parts)}"


def discord_message(text: str) -> dict[str, object]:
    """Return the body of a Discord message that mentions no one and shows no previews."""
    return {"content": text, "allowed_mentions": {"parse": []}, "flags": SUPPRESS_EMBEDS}


def _url(address: Address) -> str:
    """Return the URL to which messages are posted. It is a secret."""
    if address.service == Service.DISCORD:
        return discord_webhook(address)
    if address.service == Service.SLACK:
        return f"{SLACK_WEBHOOKS}/{'/'.join(address.parts)}"
    bot, _chat = address.parts
    return f"{TELEGRAM_API}/bot{bot}/sendMessage"


def _body(address: Address, text: str) -> dict[str, object]:
    """Return the body of a message."""
    if address.service == Service.DISCORD:
        return discord_message(text)
    # Slack and Telegram read `<` and `&` as mark-up even if all other mark-up is off.
    escaped = html.escape(text, quote=False)
    if address.service == Service.SLACK:
        return {"text": escaped, "mrkdwn": False, "unfurl_links": False, "unfurl_media": False}
    _bot, chat = address.parts
    # Telegram messages have had these line ends from the beginning.
    return {
        "chat_id": int(chat),
        "text": escaped.replace("\n", "\r\n"),
        "parse_mode": "HTML",
        "link_preview_options": {"is_disabled": True},
    }


# Addresses of channels, as users type them. They are secrets.
#
# An address is read by patterns. Only the parts that identify the channel are kept; the hosts are
# the constants above. So nothing that a user types chooses a host, a port or an option.

LONGEST = 500
SCHEMES = {"discord": Service.DISCORD, "tgram": Service.TELEGRAM, "slack": Service.SLACK}
"""The schemes of the short addresses, which are what is stored."""

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
    """An address that is not supported. The text never repeats what the user has typed."""


@dataclass(frozen=True, slots=True)
class Address:
    """A channel of a service; its parts are a secret."""

    service: Service
    parts: tuple[str, ...] = field(repr=False)

    @property
    def url(self) -> str:
        """The short address."""
        scheme = next(name for name, service in SCHEMES.items() if service == self.service)
        return f"{scheme}://{'/'.join(self.parts)}"

    def sealed(self) -> str:
        return keys.seal(self.url)


def parse(typed: str) -> Address:
    """Read an address.

    Raises:
        BadAddress: The address is not supported; the text says what to do.
    """
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
    host = re.split(r"[/:@]", rest, maxsplit=1)[0].lower()
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
