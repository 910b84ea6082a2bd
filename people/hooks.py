"""Functions and values that higher packages provide for the accounts of users.

`config.hooks` assigns them at the start; they do not exist before.
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

    `key` identifies it within its kind and is not secret; `people.sign_in_ways` uses the same keys.
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
    """A function that is called when all credentials of an account have ended."""

    def __call__(self, user: User, at: datetime, /) -> None:
        """End everything in higher packages that others may have set up for the user."""


credential_sources: Sequence[Source]
"""The kinds of credentials of higher packages."""
access_ended: AccessEnded
"""The function of the higher packages that ends what others may have set up for a user."""
