"""Addresses of chats as users type them. They are secrets."""

from __future__ import annotations

import re
from urllib.parse import unquote

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from notices.channels.chat import Address, Chat
from notices.channels.registry import CHATS

LONGEST = 500

NO_ADDRESS = gettext_noop(
    "This address is not supported. Paste the address of a Discord or Slack webhook, or for "
    "Telegram tgram://token-of-your-bot/number-of-the-chat."
)
OTHER_SCHEME = gettext_noop(
    "Addresses that begin with %(scheme)s:// are not supported. Use discord://, slack://, "
    "tgram://, or the webhook address of Discord or Slack."
)
OPTIONS = gettext_noop(
    "The address cannot have options. Leave out the question mark and everything after it."
)
OTHER_PLACE = gettext_noop(
    "This is not an address of Discord or Slack. Webhooks of other services are not supported here."
)
BROKEN = gettext_noop(
    "This looks like an address of %(service)s, but it is incomplete. Copy it again."
)


class BadAddress(Exception):
    """An address that is not supported. The text never repeats what the user has typed."""


def parse_address(typed_text: str) -> Address:
    """Read an address.

    Raises:
        BadAddress: The address is not supported; the text says what to do.
    """
    text = typed_text.strip()
    if len(text) > LONGEST or any(c.isspace() or not c.isprintable() for c in text):
        raise BadAddress(_(NO_ADDRESS))
    address, options, _rest = unquote(text).partition("?")
    for service in CHATS:
        parts = service.parts(address)
        if parts is not None:
            if options:
                raise BadAddress(_(OPTIONS))
            return Address(service, parts)
    raise _parse_error(address)


def _parse_error(address: str) -> BadAddress:
    """Return what is wrong with an address that no service knows."""
    scheme, colon, rest = address.partition("://")
    if not colon or not re.fullmatch(r"[A-Za-z][A-Za-z0-9+.-]{0,20}", scheme, re.ASCII):
        return BadAddress(_(NO_ADDRESS))
    name = scheme.lower()
    host = re.split(r"[/:@]", rest, maxsplit=1)[0].lower()
    for service in CHATS:
        if name == service.scheme or (name == "https" and _has_host(service, host)):
            return BadAddress(_(BROKEN) % {"service": service.key.label})
    if name in ("http", "https"):
        return BadAddress(_(OTHER_PLACE))
    return BadAddress(_(OTHER_SCHEME) % {"scheme": name})


def _has_host(service: Chat, host: str) -> bool:
    return any(host == own or host.endswith(f".{own}") for own in service.hosts)
