"""The transports that this site has, each declared in a module of its own."""

from __future__ import annotations

from forum.boards import Recognizable, Transport
from forum.boards.clipboard import Clipboard
from forum.boards.discord import Discord
from forum.boards.discourse import Discourse
from forum.boards.mail import Mail
from forum.boards.mybb import Mybb
from forum.boards.nodebb import Nodebb
from forum.boards.phpbb import Phpbb

DECLARED: tuple[Transport, ...] = (
    Clipboard(),
    Phpbb(),
    Mybb(),
    Discord(),
    Discourse(),
    Nodebb(),
    Mail(),
)
"""All transports. If two of them recognize an address, the first is used."""
BY_KEY = {declared.key: declared for declared in DECLARED}


def transports() -> dict[str, Transport]:
    """Return all transports by key: those that need a person first, each group sorted by name."""
    return dict(
        sorted(BY_KEY.items(), key=lambda item: (item[1].automatic, str(item[1].name).lower()))
    )


def transport(key: str) -> Transport:
    """Return the transport with this key. Raises `KeyError` if it no longer exists."""
    return BY_KEY[key]


def recognize(address: str) -> Recognizable | None:
    """Return the transport of a board with this address; None if it is not recognized."""
    for declared in BY_KEY.values():
        if isinstance(declared, Recognizable) and declared.address_pattern.search(address.strip()):
            return declared
    return None
