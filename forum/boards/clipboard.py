"""Posting by hand: a person copies the text here, pastes it there, and brings back the link.

This needs no password, and no board objects to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from forum.boards import CannotRead, Letter, Need, Permanent, Sent, Settings, Wrong
from outgoing import Refused
from outgoing.client import Client, check


class Clipboard:
    """The default: the forum of most campaigns has no way for programs to write."""

    key: ClassVar[str] = "clipboard"
    name = gettext_lazy("Copy and paste")
    needs: ClassVar[Sequence[Need]] = (
        Need(
            "address",
            gettext_lazy("Address of the thread"),
            required=False,
            help=gettext_lazy(
                "With it, one click leads there. Leave it empty if there is none yet."
            ),
            kind="url",
        ),
    )
    dialect: ClassVar[str] = "phpbb"
    limit: ClassVar[int] = 1_000_000
    automatic: ClassVar[bool] = False
    account = gettext_lazy(
        "You copy the text here, paste it there, and bring back the link of the post: that is its"
        " receipt. Works with every board, needs nobody’s permission and no password."
    )

    def check(self, settings: Settings) -> dict[str, str]:
        """Implement `Transport.check`: a thread may have no address yet."""
        address = settings.get("address", "")
        if address:
            try:
                check(address.replace("http://", "https://", 1))
            except Refused:
                raise Wrong(
                    "address",
                    _("This is not an address: copy it from the browser, with https:// in front."),
                ) from None
        return {"address": address}

    def send(self, settings: Settings, post: Letter, client: Client) -> Sent:
        """Raise `Permanent`: a person posts."""
        raise Permanent(_("This is posted by hand."))

    def find(self, settings: Settings, marker: str, client: Client) -> Sent | None:
        """Raise `CannotRead`: a person looks."""
        raise CannotRead(_("Nobody looks there but you."))
