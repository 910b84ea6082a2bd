"""The transport that sends e-mails to a list, through the mail server of this site.

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
    DoubtfulError,
    InvalidSetting,
    Letter,
    PermanentError,
    SearchError,
    SentPost,
    SettingField,
    Settings,
    TemporaryError,
)
from outgoing.client import Client

HTML = "html"
SECONDS = 10
_MARK = re.compile(r"[^A-Za-z0-9-]")


class Mail:
    """The transport to one e-mail address, which may be that of a list."""

    key: ClassVar[str] = "mail"
    name = gettext_lazy("E-mail to a list")
    needs: ClassVar[Sequence[SettingField]] = (
        SettingField(
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
        "This site writes to one address, which may be that of a mailing list; the list must "
        "accept e-mails from the site’s own address. An e-mail has no link, and we cannot check "
        "whether it arrived: if the mail server breaks the connection while accepting one, you "
        "are asked to look for its mark."
    )

    def check(self, settings: Settings) -> dict[str, str]:
        """Implement `Transport.check`."""
        try:
            validate_email(settings["address"])
        except ValidationError:
            raise InvalidSetting("address", _("This is not an e-mail address.")) from None
        return {"address": settings["address"]}

    def send(self, settings: Settings, post: Letter, client: Client) -> SentPost:
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
        except TypeError:  # The backend does not support a time limit.
            connection = get_connection()
        try:
            connection.open()
        except (OSError, smtplib.SMTPException):
            raise TemporaryError(60, _("The mail server of this site does not answer.")) from None
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
            raise DoubtfulError(
                _("The mail server broke the connection while it was accepting the e-mail.")
            ) from None
        finally:
            with suppress(OSError, smtplib.SMTPException):
                connection.close()
        return SentPost("")

    def find(self, settings: Settings, marker: str, client: Client) -> SentPost | None:
        """Raise `SearchError`, because this site cannot search a list."""
        raise SearchError(_("We cannot check whether an e-mail arrived. Ask someone on the list."))


def _refused(code: int) -> None:
    """Raise the error for a refusal by its first digit: 4 asks to try again (RFC 5321, 4.2.1)."""
    if 400 <= code < 500:
        raise TemporaryError(
            300, _("The mail server asked us to try again later ({code}).").format(code=code)
        ) from None
    raise PermanentError(
        _("The mail server refused this e-mail ({code}).").format(code=code)
    ) from None


def _host() -> str:
    match = re.search(r"@([A-Za-z0-9.-]+)", site.DEFAULT_FROM_EMAIL)
    return match[1] if match else "localhost"
