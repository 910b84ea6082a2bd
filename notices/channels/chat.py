"""Discord, Telegram and Slack, through Apprise."""

from __future__ import annotations

import logging
import re
from typing import Any

import apprise
from apprise.exception import AppriseImproperlyConfigured
from apprise.plugins.discord import NotifyDiscord
from apprise.plugins.slack import NotifySlack
from apprise.plugins.telegram import NotifyTelegram
from django.utils.translation import gettext as _

from notices.addresses import Address
from notices.channels import NotSent
from notices.models import Service

LIMIT = {Service.DISCORD: 2000, Service.TELEGRAM: 4096, Service.SLACK: 4000}
"""Characters of one message. Slack takes more, nobody reads it."""
SECONDS = 6  # to connect, and to answer
GONE = frozenset({401, 403, 404, 410})
ASSET = apprise.AppriseAsset(
    app_id="Tabula", app_desc="", app_url="", http_redirects=False, secure_logging=True, plugin_paths=[]
)  # fmt: skip
_STATUS = re.compile(r"\berror=(\d{3})\b")
_MARKS = re.compile(r"([\\*_~`|\[<]|^[#>-])", re.MULTILINE)


def plain(service: str, text: str) -> str:
    """A line of text as this service shows it literally: no mark-up of it works, and nobody is called by it."""
    text = text.replace("@", "@\N{ZERO WIDTH SPACE}")
    return _MARKS.sub(r"\\\1", text) if service == Service.DISCORD else text


def link(service: str, url: str) -> str:
    """An address in a message; in Discord without the picture of its page."""
    return f"<{url}>" if service == Service.DISCORD else url


def fitting(service: str, blocks: list[str], more: str) -> str:
    """As many of the blocks as one message holds; `more` stands for the rest."""
    limit, made = LIMIT[Service(service)], ""
    for place, block in enumerate(blocks):
        joined = f"{made}\n\n{block}" if made else block
        last = place == len(blocks) - 1
        if len(joined) > limit - (0 if last else len(more) + 2):
            return f"{made}\n\n{more}" if made else f"{block[: limit - len(more) - 3]}…\n\n{more}"
        made = joined
    return made


class _Heard(logging.Handler):
    """What Apprise says of a message that did not go: it answers yes or no, and tells why in its log alone."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said = ""

    def emit(self, record: logging.LogRecord) -> None:
        self.said += record.getMessage() + "\n"


def send(address: Address, text: str) -> None:
    """Says it. Raises `NotSent`; after a lost answer Apprise says no, so that may be said twice."""
    service = address.service
    log = logging.getLogger("apprise")
    heard = _Heard()
    log.addHandler(heard)
    try:
        notifier = apprise.Apprise(asset=ASSET)
        notifier.add(_plugin(address))
        done = bool(notifier.notify(body=text, body_format=apprise.NotifyFormat.TEXT))
    except AppriseImproperlyConfigured:
        raise NotSent(_("%(service)s does not take this address.") % {"service": service.label}, gone=True) from None
    finally:
        log.removeHandler(heard)
    if done:
        return
    found = _STATUS.search(heard.said)
    if found is None:
        raise NotSent(_("%(service)s could not be reached.") % {"service": service.label}, ours=True)
    status = int(found[1])
    raise NotSent(
        _("%(service)s refused it (%(status)d).") % {"service": service.label, "status": status},
        gone=status in GONE, ours=status == 429 or status >= 500,
    )  # fmt: skip


def _plugin(address: Address) -> apprise.NotifyBase:
    """Apprise's part for the service, made of the parts of its address: no address of anybody's is read by Apprise, and
    none of its other services is loaded."""
    usual: dict[str, Any] = {"asset": ASSET, "cto": SECONDS, "rto": SECONDS}
    if address.service == Service.DISCORD:
        number, token = address.parts
        return NotifyDiscord(number, token, avatar=False, **usual)
    if address.service == Service.SLACK:
        parts = dict(zip(("token_a", "token_b", "token_c"), address.parts, strict=True))
        return NotifySlack(**parts, include_image=False, include_footer=False, **usual)
    bot, chat = address.parts
    return NotifyTelegram(bot, targets=[chat], detect_owner=False, include_image=False, preview=False, **usual)
