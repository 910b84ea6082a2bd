"""Posting by hand: a person copies the text here, pastes it there, and enters the link here.

This needs no password, and no board objects to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from forum.boards import (
    InvalidSetting,
    Letter,
    PermanentError,
    SearchError,
    SentPost,
    SettingField,
    Settings,
)
from outgoing import Refused
from outgoing.client import Client, check


class Clipboard:
    """The default transport, because most forums have no interface for programs."""

    key: ClassVar[str] = "clipboard"
    name = gettext_lazy("Copy and paste")
    needs: ClassVar[Sequence[SettingField]] = (
        SettingField(
            "address",
            pgettext_lazy("field", "Address of the thread"),
            required=False,
            help=gettext_lazy(
                "With this address, one click takes you there. Leave it empty if there is no "
                "thread yet."
            ),
            kind="url",
        ),
    )
    dialect: ClassVar[str] = "phpbb"
    limit: ClassVar[int] = 1_000_000
    automatic: ClassVar[bool] = False
    account = gettext_lazy(
        "You copy the text here, paste it there, and enter the link of the post here as its "
        "receipt. This works with every board and needs no permission and no password."
    )

    def check(self, settings: Settings) -> dict[str, str]:
        """Implement `Transport.check`; a thread may have no address yet."""
        address = settings.get("address", "")
        if address:
            try:
                check(address.replace("http://", "https://", 1))
            except Refused:
                raise InvalidSetting(
                    "address",
                    _("This is not a web address. Copy it from the browser, including https://."),
                ) from None
        return {"address": address}

    def send(self, settings: Settings, post: Letter, client: Client) -> SentPost:
        """Raise `PermanentError`, because a person posts."""
        raise PermanentError(_("This is posted by hand."))

    def find(self, settings: Settings, marker: str, client: Client) -> SentPost | None:
        """Raise `SearchError`, because a person has to look."""
        raise SearchError(_("Only you can look there."))
