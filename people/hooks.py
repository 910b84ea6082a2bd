"""What higher packages give to the accounts of users.

`config.hooks` assigns all of it at the start; until then it does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from django.utils.functional import Promise

from people.models import User


@dataclass(frozen=True, slots=True)
class Credential:
    """A credential that opens the account or acts for it.

    `key` identifies it within its kind and is not secret; `people.ways` uses the same keys.
    """

    kind: str
    key: str
    name: str
    begun_at: datetime | None = None
    used_at: datetime | None = None
    ends_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """A kind of credential: its heading, its list for a user, and the function that ends it.

    `end` ends the credential with the given key, or all of the kind without a key.
    """

    kind: str
    heading: Promise
    listed: Callable[[User], list[Credential]]
    end: Callable[[User, datetime, str | None], None]


class AccessEnded(Protocol):
    """A function that is called when everything that opens an account has ended."""

    def __call__(self, user: User, at: datetime, /) -> None:
        """End what others may have set up for the user in higher packages."""


credential_sources: Sequence[Source]
"""The kinds of credentials of higher packages."""
access_ended: AccessEnded
