"""E-mails about notices: plain text and HTML, threaded by campaign, ended by one click (RFC
8058).
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
from django.utils.translation import ngettext

from campaign.models import Campaign
from engine.language import reading_in
from engine.strict_json import whole
from notices.channels import NotSent
from notices.channels.channel_type import most_pressing_first, notice_path
from notices.deadlines import absolute
from notices.models import Channel, Delivery
from notices.registry import KINDS
from notices.site import host, site
from notices.wording import NoticeInWords

SALT = "notices.unsubscribe"
LOG = logging.getLogger(__name__)


def address(user: Any) -> str:
    """Return the confirmed address of a user; empty for guests and demonstration users."""
    if not user.is_active or user.guest or user.demo or not user.email:
        return ""
    confirmed = EmailAddress.objects.filter(
        user_id=user.pk, verified=True, email__iexact=user.email
    )
    return user.email if confirmed.exists() else ""


def token(channel: Channel) -> str:
    """Return the token that ends the e-mails of a channel, and can do no more than that."""
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
    text = "/".join(str(part) for part in parts)
    return hmac.new(
        settings.SECRET_KEY.encode(), f"letters/{text}".encode(), hashlib.sha256
    ).hexdigest()[:20]


def thread(user: Any, campaign: Campaign) -> str:
    """Return the Message-ID to which all e-mails to a user about a campaign refer.

    No e-mail has it.
    """
    return f"<campaign.{campaign.public_id}.{_mark('thread', user.pk, campaign.pk)}@{host()}>"


def message_id(delivery: Delivery) -> str:
    """Return the Message-ID of a delivery. It is the same at each attempt, so that a mail program
    shows the e-mail once.
    """
    return f"<notices.{delivery.pk}.{_mark('letter', delivery.pk)}@{host()}>"


def message(
    delivery: Delivery, to: str, letter: Letter, connection: Any = None
) -> EmailMultiAlternatives:
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
    email = EmailMultiAlternatives(
        letter.subject, letter.text, to=[to], headers=headers, connection=connection
    )
    email.attach_alternative(letter.html, "text/html")
    return email


def send(delivery: Delivery, to: str, letter: Letter, connection: Any) -> None:
    """Hand the letter to the mail server. Raises `NotSent`."""
    try:
        connection.open()  # stays open for the letters that follow
        message(delivery, to, letter, connection).send()
    except smtplib.SMTPRecipientsRefused as refused:
        code, reply = next(iter(refused.recipients.values()), (0, b""))
        # Even a lasting refusal (5xx) may be due to a full mailbox or a filter: it counts, but does
        # not end the channel by itself.
        raise NotSent(
            _("The address was refused: %(code)s %(said)s") % {"code": code, "said": _clean(reply)}
        ) from None
    except (smtplib.SMTPException, OSError) as error:
        # The answer of a server to the sign-in may name the account, which only the host may know.
        LOG.warning("The mail server did not take a letter: %s", type(error).__name__)
        raise NotSent(_("Our mail server did not take the e-mail."), ours=True) from None


def _clean(reply: Any) -> str:
    text = reply.decode("utf-8", errors="replace") if isinstance(reply, bytes) else str(reply)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]


# Notices as letters: in the reader's language, with absolute times in the reader's zone, the most
# pressing first.


@dataclass(frozen=True, slots=True)
class Letter:
    subject: str
    text: str
    html: str
    campaigns: tuple[Campaign, ...] = ()


@contextmanager
def read_by(language: str, zone: str) -> Iterator[None]:
    """Return a context with the language and the time zone of a reader. A reader who has not chosen
    a language gets that of the site.
    """
    chosen = language or settings.LANGUAGE_CODE
    with translation.override(chosen), reading_in(chosen), timezone.override(ZoneInfo(zone)):
        yield


def subject(notices: Sequence[NoticeInWords], digest: bool) -> str:
    names = list(dict.fromkeys(one.notice.campaign.name for one in notices))
    n = len(notices)
    if n == 1 and not digest:
        return _("[%(campaign)s] %(title)s") % {"campaign": names[0], "title": notices[0].title}
    facts = {"campaign": names[0], "n": n, "title": notices[0].title, "others": n - 1}
    if digest and len(names) == 1:
        return (
            ngettext(
                "[%(campaign)s] %(n)d notice of this day",
                "[%(campaign)s] %(n)d notices of this day",
                n,
            )
            % facts
        )
    if digest:
        return (
            ngettext("Tabula: %(n)d notice of this day", "Tabula: %(n)d notices of this day", n)
            % facts
        )
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
    """Return one letter with all notices. `end` is the address that ends the e-mails, `choose` the
    page of settings.
    """
    ordered = most_pressing_first(notices)
    groups: list[dict[str, Any]] = [{"urgent": wanted, "items": []} for wanted in (True, False)]
    for one in ordered:
        groups[not KINDS[one.notice.kind].is_urgent]["items"].append(
            {
                "title": one.title,
                "body": one.body,
                "campaign": one.notice.campaign.name,
                "at": absolute(one.notice.at),
                "url": site(notice_path(one)),
            }
        )
    filled = [group for group in groups if group["items"]]
    campaigns = tuple({one.notice.campaign_id: one.notice.campaign for one in ordered}.values())
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
    item = {"title": heading, "body": body, "campaign": "", "at": "", "url": url}
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
