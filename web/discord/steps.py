"""The steps of a move or a claim at Discord: each is kept until the next button is pressed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.core.cache import cache

from games.contract.plain import RawMove

SECONDS_KEPT = 15 * 60


@dataclass(frozen=True, slots=True)
class MoveStep:
    """A move on its way: the choices made so far, and those that are offered now.

    `campaign` is its public id, `seen` the last entry that the user had seen, `offer` the key of
    the kind of move. The options of a menu are either `values` of the field `field_key`, or
    complete `moves`. `move` is the move that waits for its announcement; None before.
    """

    campaign: str
    seen: int
    seat: str
    offer: str = ""
    chosen: Mapping[str, object] = field(default_factory=dict)
    field_key: str = ""
    values: Sequence[object] = ()
    moves: Sequence[RawMove] = ()
    move: RawMove | None = None


@dataclass(frozen=True, slots=True)
class BattleStep:
    """A battle with the claim that waits for a confirmation, or the result that is to be claimed.

    `campaign` is its public id, `seen` the last entry that the user had seen. `number` is that of
    the battle, 0 before one is chosen; `claim` that of the claim's entry, None without a
    claim.
    """

    campaign: str
    seen: int
    number: int = 0
    claim: int | None = None
    move: RawMove | None = None


Step = MoveStep | BattleStep


def keep_step(discord_id: str, step: Step) -> str:
    """Keep a step for this user alone, and return the token under which it is kept."""
    token = secrets.token_urlsafe(12)
    cache.set(cache_key(token), (discord_id, step), SECONDS_KEPT)
    return token


def kept_step(discord_id: str, token: str) -> Step | None:
    """Return the step that is kept under a token; None if it is of another user or has expired."""
    kept = cache.get(cache_key(token))
    if not isinstance(kept, tuple):
        return None
    owner, step = kept
    return step if owner == discord_id and isinstance(step, Step) else None


def cache_key(token: str) -> str:
    return f"discord-step-{token}"
