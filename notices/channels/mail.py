"""Letters by Django's mail: plain text and HTML, threaded by campaign, ended by one click (RFC 8058)."""

from __future__ import annotations

import hashlib
import hmac
import logging
import smtplib
from typing import Any
from urllib.parse import urlsplit

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.signing import BadSignature, Signer
from django.urls import reverse
from django.utils.translation import gettext as _

from campaign.models import Campaign
from engine.strict_json import whole
from notices.channels import NotSent
from notices.letters import Letter
from notices.models import Channel, Delivery

SALT = "notices.unsubscribe"
LOG = logging.getLogger(__name__)


def address(user: Any) -> str:
    """Where letters to somebody go: his address once it is confirmed, and nowhere for guests and demonstration users."""
    if not user.is_active or user.guest or user.demo or not user.email:
        return ""
    confirmed = EmailAddress.objects.filter(user_id=user.pk, verified=True, email__iexact=user.email)
    return user.email if confirmed.exists() else ""


def site(path: str = "") -> str:
    """An address of this site as a letter tells it."""
    return settings.SITE_URL.rstrip("/") + path


def host() -> str:
    return urlsplit(settings.SITE_URL).hostname or "localhost"


def token(channel: Channel) -> str:
    """What ends the letters of a channel and can do no more than that."""
    return Signer(salt=SALT).sign(str(channel.pk))


def of_token(given: str) -> Channel | None:
    try:
        number = whole(Signer(salt=SALT).unsign(given), 18)
    except BadSignature:
        return None
    if number is None:
        return None
    return Channel.objects.filter(pk=number, removed_at=None).select_related("user").first()


def _mark(*parts: object) -> str:
    said = "/".join(str(part) for part in parts)
    return hmac.new(settings.SECRET_KEY.encode(), f"letters/{said}".encode(), hashlib.sha256).hexdigest()[:20]


def thread(user: Any, campaign: Campaign) -> str:
    """The Message-ID that all letters to somebody about a campaign refer to. No letter has it."""
    return f"<campaign.{campaign.public_id}.{_mark('thread', user.pk, campaign.pk)}@{host()}>"


def message_id(delivery: Delivery) -> str:
    """The same however often a letter is tried, so that a mail program shows it once."""
    return f"<notices.{delivery.pk}.{_mark('letter', delivery.pk)}@{host()}>"


def message(delivery: Delivery, to: str, letter: Letter, connection: Any = None) -> EmailMultiAlternatives:
    channel = delivery.channel
    end = site(reverse("unsubscribe", args=(token(channel),)))
    headers = {
        "Message-ID": message_id(delivery),
        "List-Id": f"Tabula <notices.{host()}>",
        "List-Unsubscribe": f"<{end}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    if len(letter.campaigns) == 1:
        root = thread(channel.user, letter.campaigns[0])
        headers |= {"References": root, "In-Reply-To": root}
    made = EmailMultiAlternatives(letter.subject, letter.text, to=[to], headers=headers, connection=connection)
    made.attach_alternative(letter.html, "text/html")
    return made


def send(delivery: Delivery, to: str, letter: Letter, connection: Any) -> None:
    """Hands the letter to the mail server. Raises `NotSent`."""
    try:
        connection.open()  # stays open for the letters that follow
        message(delivery, to, letter, connection).send()
    except smtplib.SMTPRecipientsRefused as refused:
        code, said = next(iter(refused.recipients.values()), (0, b""))
        # Even a lasting refusal (5xx) may be of one day, a full box or a filter: it counts, and is not the end by itself.
        raise NotSent(_("The address was refused: %(code)s %(said)s") % {"code": code, "said": _clean(said)}) from None
    except (smtplib.SMTPException, OSError) as error:
        # What a server says while one signs in may name the account: that is for the host alone.
        LOG.warning("The mail server did not take a letter: %s", type(error).__name__)
        raise NotSent(_("Our mail server did not take the letter."), ours=True) from None


def _clean(said: Any) -> str:
    text = said.decode("utf-8", errors="replace") if isinstance(said, bytes) else str(said)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]
