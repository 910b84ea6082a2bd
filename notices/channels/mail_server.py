"""The connection to the mail server."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.core.mail import get_connection
from django.utils.translation import gettext as _

from notices.channels import NotSent


class MailServer:
    """A connection to the mail server for all e-mails of a tick, opened with the first.

    `away` means that the mail server has failed in this tick. So a tick waits for a silent server
    once, and not once for each e-mail.
    """

    def __init__(self) -> None:
        self._connection: Any = None
        self.away = False

    def connection(self) -> Any:
        """Return the connection. Raises `NotSent` if the mail server has failed in this tick."""
        if self.away:
            raise NotSent(_("Our mail server did not accept the e-mail."), blameless=True)
        if self._connection is None:
            self._connection = get_connection()
        return self._connection

    def close(self) -> None:
        if self._connection is not None:
            with suppress(OSError):
                self._connection.close()
            self._connection = None
