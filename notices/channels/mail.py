"""E-mails with notices: plain text and HTML, threaded by campaign.

They can be unsubscribed with one click (RFC 8058).
"""

from __future__ import annotations

import hashlib
import hmac
import logging
import smtplib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.core.signing import BadSignature, Signer
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign.models import Campaign
from engine.language import use_language
from engine.strict_json import read_whole_number
from notices.channels import NotSent
from notices.channels.channel_type import most_pressing_first, notice_path
from notices.deadlines import absolute_time
from notices.models import Channel, Delivery
from notices.registry import KINDS
from notices.site_address import full_url, host_name
from notices.wording import NoticeInWords

SALT = "notices.unsubscribe"
LOG = logging.getLogger(__name__)


def confirmed_address(user: Any) -> str:
    """Return the confirmed address of a user; empty for guests and demonstration users."""
    if not user.is_active or user.guest or user.demo or not user.email:
        return ""
    confirmed = EmailAddress.objects.filter(
        user_id=user.pk, verified=True, email__iexact=user.email
    )
    return user.email if confirmed.exists() else ""


def unsubscribe_token(channel: Channel) -> str:
    """Return the token that ends the e-mails of a channel. It permits nothing else."""
    return Signer(salt=SALT).sign(str(channel.pk))


def channel_of_token(given: str) -> Channel | None:
    try:
        number = read_whole_number(Signer(salt=SALT).unsign(given), 18)
    except BadSignature:
        return None
    if number is None:
        return None
    return Channel.objects.filter(pk=number, removed_at=None).select_related("user").first()


def _keyed_hash(*parts: object) -> str:
    text = "/".join(str(part) for part in parts)
    return hmac.new(
        settings.SECRET_KEY.encode(), f"letters/{text}".encode(), hashlib.sha256
    ).hexdigest()[:20]


def thread_id(user: Any, campaign: Campaign) -> str:
    """Return the Message-ID to which all e-mails to a user about a campaign refer.

    No e-mail has it.
    """
    key = _keyed_hash("thread", user.pk, campaign.pk)
    return f"<campaign.{campaign.public_id}.{key}@{host_name()}>"


def message_id(delivery: Delivery) -> str:
    """Return the Message-ID of a delivery.

    It is the same at each attempt, so that a mail program shows the e-mail once.
    """
    return f"<notices.{delivery.pk}.{_keyed_hash('letter', delivery.pk)}@{host_name()}>"


def build_email(
    delivery: Delivery, to: str, letter: Letter, connection: Any = None
) -> EmailMultiAlternatives:
    channel = delivery.channel
    end = full_url(reverse("unsubscribe", args=(unsubscribe_token(channel),)))
    headers = {
        "Message-ID": message_id(delivery),
        "List-Id": f"Tabula <notices.{host_name()}>",
        "List-Unsubscribe": f"<{end}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Auto-Submitted": "auto-generated",
    }
    if len(letter.campaigns) == 1:
        root = thread_id(channel.user, letter.campaigns[0])
        headers |= {"References": root, "In-Reply-To": root}
    email = EmailMultiAlternatives(
        letter.subject, letter.text, to=[to], headers=headers, connection=connection
    )
    email.attach_alternative(letter.html, "text/html")
    return email


def send(delivery: Delivery, to: str, letter: Letter, connection: Any) -> None:
    """Hand the letter to the mail server.

    Raises:
        NotSent: The server refused the letter or could not be reached.
    """
    try:
        connection.open()  # it stays open for the following letters
        build_email(delivery, to, letter, connection).send()
    except smtplib.SMTPRecipientsRefused as refused:
        code, reply = next(iter(refused.recipients.values()), (0, b""))
        # Even a permanent refusal (5xx) may be due to a full mailbox or a filter. So it counts as a
        # failure, but does not end the channel by itself.
        raise NotSent(
            _("The mail server refused the address: %(code)s %(said)s")
            % {"code": code, "said": _printable(reply)}
        ) from None
    except (smtplib.SMTPException, OSError) as error:
        # The answer of a server to the sign-in may name the account, which only the host may know.
        LOG.warning("The mail server did not take a letter: %s", type(error).__name__)
        raise NotSent(_("Our mail server did not accept the e-mail."), blameless=True) from None


def _printable(reply: Any) -> str:
    text = reply.decode("utf-8", errors="replace") if isinstance(reply, bytes) else str(reply)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]


# Notices as letters: in the reader's language, with absolute times in the reader's time zone, the
# most urgent first


@dataclass(frozen=True, slots=True)
class Letter:
    subject: str
    text: str
    html: str
    campaigns: tuple[Campaign, ...] = ()


@contextmanager
def reading_as(language: str, zone: str) -> Iterator[None]:
    """Return a context with the language and the time zone of a reader.

    A reader who has not chosen a language gets that of the site.
    """
    chosen = language or settings.LANGUAGE_CODE
    with translation.override(chosen), use_language(chosen), timezone.override(ZoneInfo(zone)):
        yield


def subject(notices: Sequence[NoticeInWords], digest: bool) -> str:
    names = list(dict.fromkeys(shown.notice.campaign.name for shown in notices))
    n = len(notices)
    if n == 1 and not digest:
        return pgettext("notice", "[%(campaign)s] %(title)s") % {
            "campaign": names[0],
            "title": notices[0].title,
        }
    facts = {"campaign": names[0], "n": n, "title": notices[0].title, "others": n - 1}
    if digest and len(names) == 1:
        return (
            ngettext(
                "[%(campaign)s] %(n)d notice today",
                "[%(campaign)s] %(n)d notices today",
                n,
            )
            % facts
        )
    if digest:
        return ngettext("Tabula: %(n)d notice today", "Tabula: %(n)d notices today", n) % facts
    if len(names) == 1:
        return (
            ngettext(
                "[%(campaign)s] %(title)s, and %(others)d more",
                "[%(campaign)s] %(title)s, and %(others)d more",
                n - 1,
            )
            % facts
        )
    return (
        ngettext("%(title)s, and %(others)d more", "%(title)s, and %(others)d more", n - 1) % facts
    )


def notice_letter(
    notices: Sequence[NoticeInWords], *, digest: bool, name: str, end: str, choose: str
) -> Letter:
    """Return one letter with all notices.

    `end` is the address that ends the e-mails, `choose` the page of settings.
    """
    ordered = most_pressing_first(notices)
    groups: list[dict[str, Any]] = [{"urgent": wanted, "items": []} for wanted in (True, False)]
    for shown in ordered:
        groups[not shown.asks]["items"].append(
            {
                "title": shown.title,
                "body": shown.news,
                "threats": shown.expected.threats,
                "button": pgettext("button in a letter", KINDS[shown.notice.kind].button),
                "otherwise": "" if digest else shown.expected.otherwise,
                "campaign": shown.notice.campaign.name,
                "at": absolute_time(shown.notice.at),
                "url": full_url(notice_path(shown)),
            }
        )
    filled = [group for group in groups if group["items"]]
    campaigns = tuple(
        {shown.notice.campaign_id: shown.notice.campaign for shown in ordered}.values()
    )
    return _render_mail(
        subject(ordered, digest),
        filled,
        campaigns,
        digest=digest,
        name=name,
        end=end,
        choose=choose,
    )


def message_letter(
    heading: str, body: str, *, name: str, url: str, end: str, choose: str
) -> Letter:
    """Return a letter about the reader's channels."""
    item = {
        "title": heading,
        "body": body,
        "threats": (),
        "otherwise": "",
        "button": pgettext("button in a letter", "Open the page"),
        "campaign": "",
        "at": "",
        "url": url,
    }
    return _render_mail(
        heading,
        [{"urgent": True, "items": [item]}],
        (),
        digest=False,
        name=name,
        end=end,
        choose=choose,
    )


def _render_mail(
    heading: str, groups: list[dict[str, Any]], campaigns: tuple[Campaign, ...], **more: object
) -> Letter:
    facts = {**more, "groups": groups, "heading": heading, "language": translation.get_language()}
    text, html = (render_to_string(f"notices/letter.{kind}", facts) for kind in ("txt", "html"))
    return Letter(heading, text, html, campaigns)
