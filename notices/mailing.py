"""E-mails that a request causes: codes, links and decisions of moderators.

A request writes a row in its own transaction and asks the worker for the kind of work `mail`, so
that no request waits for a mail server. The worker sends each row, tries again after a failure, and
deletes the row once the mail server has accepted the e-mail or the e-mail has expired. The content
has codes and links, so it is sealed with the vault key. These e-mails have their own queue: a code
does not wait behind e-mails about notices (`notices.delivery`).
"""

from __future__ import annotations

import logging
import smtplib
from collections.abc import Sequence
from datetime import datetime, timedelta
from email.utils import make_msgid
from time import monotonic
from typing import Any

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from campaign import keys, pulse
from engine.strict_json import canonical, read
from notices.channels.mail_server import MailServer
from notices.delivery import claimable
from notices.models import RequestedMail
from notices.site_address import host_name

LOG = logging.getLogger(__name__)
KIND = "mail"
"""The name of this kind of work and its queue in `settings.TICKS`."""
LEASE = timedelta(minutes=5)
"""The time for which a row that a worker has taken is not taken again."""
LIFETIME = timedelta(days=3)
"""How long an e-mail is useful by default: links of this site work for three days."""
BACK_OFF = tuple(
    timedelta(minutes=minutes) for minutes in (1, 1, 2, 5, 10, 30, 60, 120, 240, 480, 960)
)
"""The pauses between attempts. A row is deleted after the attempt that follows the last pause."""

CLOSING = 421
"""The code with which a mail server ends the connection."""


class ByWorker(BaseEmailBackend):
    """A mail backend that leaves each message to the worker, for at most `lasts`."""

    def __init__(self, lasts: timedelta = LIFETIME, **options: Any) -> None:
        super().__init__(**options)
        self.lasts = lasts

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        for message in email_messages:
            enqueue(message, self.lasts)
        return len(email_messages)


def enqueue(message: EmailMessage, lasts: timedelta = LIFETIME) -> None:
    """Store the message as a row and ask the worker to send it after the commit.

    Only plain text and an optional HTML alternative are kept; the requests of this site use nothing
    else.
    """
    html = [
        str(other.content)
        for other in getattr(message, "alternatives", ())
        if other.mimetype == "text/html"
    ]
    content = {
        "subject": str(message.subject),
        "text": str(message.body),
        "html": html[0] if html else "",
        "from": str(message.from_email or settings.DEFAULT_FROM_EMAIL),
        "to": [str(address) for address in message.to],
        # The same at each attempt, so that a mail program shows the e-mail once.
        "headers": {
            "Message-ID": make_msgid(domain=host_name()),
            **{k: str(v) for k, v in message.extra_headers.items()},
        },
    }
    now = timezone.now()
    RequestedMail.objects.create(
        sealed=keys.seal(canonical(content)), made_at=now, next_at=now, expires_at=now + lasts
    )
    soon()


def soon() -> None:
    """Ask the worker for this kind of work after the commit."""
    pulse.soon(KIND)


def tick(now: datetime, limit: int | None = None) -> int:
    """Send at most `limit` due e-mails. Return how many were tried.

    If the mail server does not answer, the tick ends, because each further e-mail would wait again.
    The next pulse continues.
    """
    start, done, post = monotonic(), 0, MailServer()

    def clock() -> datetime:
        """Return `now` plus the time that this tick has taken."""
        return now + timedelta(seconds=monotonic() - start)

    drop_expired(now)
    try:
        while (limit is None or done < limit) and (mail := take(now, clock())) is not None:
            done += 1
            if not send(mail, post, clock):
                break
    finally:
        post.close()
    return done


def drop_expired(now: datetime) -> None:
    """Delete expired e-mails."""
    count, _by_model = RequestedMail.objects.filter(expires_at__lte=now).delete()
    if count:
        LOG.error(
            "%d requested e-mails have expired unsent: the mail server does not take them.", count
        )


@transaction.atomic
def take(now: datetime, at: datetime) -> RequestedMail | None:
    """Return the next row that is due, marked as taken at `at`."""
    free = Q(taken_at=None) | Q(taken_at__lt=at - LEASE)
    mail = claimable(
        RequestedMail.objects.filter(free, next_at__lte=now).order_by("next_at", "pk")
    ).first()
    if mail is None:
        return None
    RequestedMail.objects.filter(pk=mail.pk).update(taken_at=at, attempts=F("attempts") + 1)
    mail.attempts += 1
    return mail


def send(mail: RequestedMail, post: MailServer, clock: Any) -> bool:
    """Give the e-mail to the mail server, then delete or postpone its row.

    Returns whether the server answers.
    """
    try:
        message = unseal_message(mail)
    except InvalidToken:
        LOG.error("The requested e-mail %d does not open under the vault key.", mail.pk)
        _leased_row(mail).delete()
        return True
    try:
        connection = post.connection()
        connection.open()  # it stays open for the following e-mails
        message.connection = connection
        message.send()
    except smtplib.SMTPRecipientsRefused as refused:
        codes = [code for code, _reply in refused.recipients.values()]
        if codes and min(codes) >= 500:
            # The user learns nothing: strangers must not find out whether an address exists.
            LOG.warning(
                "The mail server refuses the address of requested e-mail %d: %d.", mail.pk, codes[0]
            )
            _leased_row(mail).delete()
        else:
            _postpone(mail, refused, clock())
        return True
    except (smtplib.SMTPException, OSError, ValueError) as error:
        _postpone(mail, error, clock())
        if _affects_others(error):
            post.close()
            return False
        return True
    _leased_row(mail).delete()
    return True


def _affects_others(error: Exception) -> bool:
    """Return whether further e-mails would fail as well.

    They would not if the server refuses the content of this e-mail, or if this e-mail cannot be
    composed.
    """
    if isinstance(error, smtplib.SMTPDataError):
        return error.smtp_code == CLOSING
    return not isinstance(error, ValueError)


def unseal_message(mail: RequestedMail) -> EmailMultiAlternatives:
    """Return the message of a row.

    Raises:
        InvalidToken: The row was sealed with another vault key.
    """
    content = read(keys.unseal(mail.sealed))
    message = EmailMultiAlternatives(
        content["subject"],
        content["text"],
        content["from"],
        content["to"],
        headers=content["headers"],
    )
    if content["html"]:
        message.attach_alternative(content["html"], "text/html")
    return message


def _leased_row(mail: RequestedMail) -> Any:
    """Return the row as a query; empty if another worker has taken it after the lease."""
    return RequestedMail.objects.filter(pk=mail.pk, attempts=mail.attempts)


def _postpone(mail: RequestedMail, error: Exception, now: datetime) -> None:
    """Postpone the e-mail, or give it up after the last attempt.

    Only the type of the error is logged, because the server's text may name the account.
    """
    if mail.attempts > len(BACK_OFF):
        LOG.error(
            "Requested e-mail %d was given up after %d attempts: %s",
            mail.pk,
            mail.attempts,
            type(error).__name__,
        )
        _leased_row(mail).delete()
        return
    LOG.warning(
        "Requested e-mail %d did not leave (attempt %d): %s",
        mail.pk,
        mail.attempts,
        type(error).__name__,
    )
    _leased_row(mail).update(taken_at=None, next_at=now + BACK_OFF[mail.attempts - 1])
