"""Letters by Django's mail: plain text and HTML, threaded by campaign, ended by one click (RFC
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
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit
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
from notices.deadlines import absolute
from notices.models import Channel, Delivery
from notices.registry import KINDS
from notices.wording import NoticeInWords

SALT = "notices.unsubscribe"
LOG = logging.getLogger(__name__)


def address(user: Any) -> str:
    """Where letters to somebody go: their address once it is confirmed, and nowhere for guests and
    demonstration users.
    """
    if not user.is_active or user.guest or user.demo or not user.email:
        return ""
    confirmed = EmailAddress.objects.filter(
        user_id=user.pk, verified=True, email__iexact=user.email
    )
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
    text = "/".join(str(part) for part in parts)
    return hmac.new(
        settings.SECRET_KEY.encode(), f"letters/{text}".encode(), hashlib.sha256
    ).hexdigest()[:20]


def thread(user: Any, campaign: Campaign) -> str:
    """The Message-ID that all letters to somebody about a campaign refer to. No letter has it."""
    return f"<campaign.{campaign.public_id}.{_mark('thread', user.pk, campaign.pk)}@{host()}>"


def message_id(delivery: Delivery) -> str:
    """The same however often a letter is tried, so that a mail program shows it once."""
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
    """Hands the letter to the mail server. Raises `NotSent`."""
    try:
        connection.open()  # stays open for the letters that follow
        message(delivery, to, letter, connection).send()
    except smtplib.SMTPRecipientsRefused as refused:
        code, reply = next(iter(refused.recipients.values()), (0, b""))
        # Even a lasting refusal (5xx) may be of one day, a full box or a filter: it counts, and is
        # not the end by itself.
        raise NotSent(
            _("The address was refused: %(code)s %(said)s") % {"code": code, "said": _clean(reply)}
        ) from None
    except (smtplib.SMTPException, OSError) as error:
        # What a server says while one signs in may name the account: that is for the host alone.
        LOG.warning("The mail server did not take a letter: %s", type(error).__name__)
        raise NotSent(_("Our mail server did not take the e-mail."), ours=True) from None


def _clean(reply: Any) -> str:
    text = reply.decode("utf-8", errors="replace") if isinstance(reply, bytes) else str(reply)
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())[:200]


# Notices as letters: in the reader's language, with absolute times in their zone, what presses most
# first.


@dataclass(frozen=True, slots=True)
class Letter:
    subject: str
    text: str
    html: str
    campaigns: tuple[Campaign, ...] = ()


@contextmanager
def read_by(language: str, zone: str) -> Iterator[None]:
    """Words and times are this reader's inside. Who never chose a language is written to in the
    site's.
    """
    chosen = language or settings.LANGUAGE_CODE
    with translation.override(chosen), reading_in(chosen), timezone.override(ZoneInfo(zone)):
        yield


def pressing(notices: Sequence[NoticeInWords]) -> list[NoticeInWords]:
    """What waits for an answer first, what ends first before all, then as it came."""

    def rank(one: NoticeInWords) -> tuple[bool, bool, str, datetime, int]:
        due = str(one.notice.known.get("due", ""))
        return not KINDS[one.notice.kind].is_urgent, not due, due, one.notice.at, one.notice.pk

    return sorted(notices, key=rank)


def press_address(site: str, one: NoticeInWords) -> str:
    """The address that marks it as read and goes where it leads."""
    return f"{site}{reverse('notice', args=(one.notice.pk,))}"


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
    notices: Sequence[NoticeInWords], *, digest: bool, name: str, site: str, end: str, choose: str
) -> Letter:
    """One letter of all of them. `end` stops the letters, `choose` is where one says what comes
    how.
    """
    ordered = pressing(notices)
    groups: list[dict[str, Any]] = [{"urgent": wanted, "items": []} for wanted in (True, False)]
    for one in ordered:
        groups[not KINDS[one.notice.kind].is_urgent]["items"].append(
            {
                "title": one.title,
                "body": one.body,
                "campaign": one.notice.campaign.name,
                "at": absolute(one.notice.at),
                "url": press_address(site, one),
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


def word(heading: str, body: str, *, name: str, url: str, end: str, choose: str) -> Letter:
    """A letter about one's channels."""
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
