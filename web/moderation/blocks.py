"""Whom the reader has blocked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from people import services as people_services
from people.models import User


class BlockRow(NamedTuple):
    """Someone who is blocked."""

    pk: int
    name: str
    at: datetime


@dataclass(frozen=True, slots=True)
class BlocksPage:
    """The blocks of a user, and the form of a new one."""

    blocks: list[BlockRow]
    name: str
    error: str


def blocks_page(user: User, name: str = "", error: str = "") -> BlocksPage:
    """Return the blocks of a user, with what was typed and what was wrong in it."""
    rows = people_services.blocks_of(user)
    blocks = [BlockRow(row.blocked_id, row.blocked.username, row.at) for row in rows]
    return BlocksPage(blocks, name, error)
