"""The page of the users that the reader has blocked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from people import services as people_services
from people.models import User


class BlockRow(NamedTuple):
    """A blocked user."""

    pk: int
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class BlocksPage:
    """The blocks of a user, and the form for a new block."""

    blocks: list[BlockRow]
    name: str
    error: str


def blocks_page(user: User, name: str = "", error: str = "") -> BlocksPage:
    """Return the blocks of a user, with the typed name and its error."""
    rows = people_services.blocks_of(user)
    blocks = [BlockRow(row.blocked_id, row.blocked.username, row.at) for row in rows]
    return BlocksPage(blocks, name, error)
