"""E-mails to a list, by the mail server of this site (Django's mail settings).

This site cannot find out whether an e-mail arrived. All attempts at a letter have the same
Message-ID, made from its mark, so that mail programs and lists can tell a second copy from a second
letter.
"""

from __future__ import annotations

import re
import smtplib
from collections.abc import Sequence
from contextlib import suppress
from html import unescape
from typing import ClassVar

from django.conf import settings as site
from django.core.exceptions import ValidationError
from django.core.mail import EmailMultiAlternatives, get_connection
from django.core.validators import validate_email
from django.utils.html import escape, strip_tags
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forum.boards import (
    CannotRead,
    Doubtful,
    Later,
    Letter,
    Need,
    Permanent,
    Sent,
    Settings,
    Wrong,
)
from outgoing.client import Client

HTML = "html"
SECONDS = 10
_MARK = re.compile(r"[^A-Za-z0-9-]")


class Mail:
    """Writes to one address, which may be that of a list."""

    key: ClassVar[str] = "mail"
    name = gettext_lazy("E-mail to a list")
    needs: ClassVar[Sequence[Need]] = (
        Need(
            "address",
            gettext_lazy("Address of the list"),
            help=gettext_lazy("One address. Its members read the reports as e-mails."),
            kind="email",
        ),
    )
    dialect: ClassVar[str] = "plain"
    limit: ClassVar[int] = 200_000
    automatic: ClassVar[bool] = True
    account = gettext_lazy(
        "This site writes to one address, which may be a list’s; the list must accept e-mails from"
        " the site’s own address. An e-mail has no link, and nobody can check from here whether it"
        " arrived: if the mail server breaks the connection while it takes one, you are asked to"
        " look for its mark."
    )

    def check(self, settings: Settings) -> dict[str, str]:
        """Implement `Transport.check`."""
        try:
            validate_email(settings["address"])
        except ValidationError:
            raise Wrong("address", _("This is not an e-mail address.")) from None
        return {"address": settings["address"]}

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        """Implement `Transport.send`."""
        headers = {
            "Message-ID": f"<{_MARK.sub('', post.marker)}@{_host()}>",
            "Auto-Submitted": "auto-generated",
        }
        rich = post.dialect == HTML
        text = unescape(strip_tags(post.text)) if rich else post.text
        message = EmailMultiAlternatives(
            " ".join(post.subject.split())[:200], text, to=[settings["address"]], headers=headers
        )
        if rich:
            body, _gap, mark = post.text.rpartition("\n\n")
            message.attach_alternative(f"{body}\n<p>{escape(mark)}</p>\n", "text/html")
        try:
            connection = get_connection(timeout=SECONDS)
        except TypeError:  # a backend without a time limit
            connection = get_connection()
        try:
            connection.open()
        except (OSError, smtplib.SMTPException):
            raise Later(60, _("The mail server of this site does not answer.")) from None
        try:
            message.connection = connection
            message.send()
        except smtplib.SMTPRecipientsRefused as error:
            code = min((code for code, _said in error.recipients.values()), default=500)
            _refused(code)
        except smtplib.SMTPResponseException as error:
            _refused(error.smtp_code)
        except smtplib.SMTPNotSupportedError:
            _refused(500)
        except (smtplib.SMTPException, OSError):
            raise Doubtful(
                _("The mail server broke the connection while it took the e-mail.")
            ) from None
        finally:
            with suppress(OSError, smtplib.SMTPException):
                connection.close()
        return Sent("")

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        """Raise `CannotRead`: this site cannot search a list."""
        raise CannotRead(
            _("Nobody can check from here whether an e-mail arrived: ask somebody on the list.")
        )


def _refused(code: int) -> None:
    """Raise what a refusal means by its first figure: 4 asks to try again (RFC 5321, 4.2.1)."""
    if 400 <= code < 500:
        raise Later(
            300, _("The mail server asks to try later ({code}).").format(code=code)
        ) from None
    raise Permanent(
        _("The mail server does not take this e-mail ({code}).").format(code=code)
    ) from None


def _host() -> str:
    match = re.search(r"@([A-Za-z0-9.-]+)", site.DEFAULT_FROM_EMAIL)
    return match[1] if match else "localhost"
