"""The steps of a move or a claim at Discord, each kept until the next button is pressed."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.core.cache import cache

from games.contract.plain import RawMove

SECONDS_KEPT = 15 * 60


@dataclass(frozen=True, slots=True)
class MoveStep:
    """A move that is being composed: the choices so far, and the choices offered now.

    `campaign` is its public id, `seen` the last entry that the user had seen, `offer` the key of
    the kind of move. The options of a menu are either `values` of the field `field_key`, or
    complete `moves`. `move` is the move that can be announced; None before it is complete.
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
    """A battle, with a claim to confirm or a result to claim.

    `campaign` is its public id, `seen` the last entry that the user had seen. `number` is that of
    the battle, 0 before one is chosen; `claim` that of the claim's entry, None without a claim.
    """

    campaign: str
    seen: int
    number: int = 0
    claim: int | None = None
    move: RawMove | None = None


Step = MoveStep | BattleStep


def keep_step(discord_id: str, step: Step) -> str:
    """Keep a step for this user only, and return its token."""
    token = secrets.token_urlsafe(12)
    cache.set(cache_key(token), (discord_id, step), SECONDS_KEPT)
    return token


def kept_step(discord_id: str, token: str) -> Step | None:
    """Return the step with this token; None if it belongs to another user or has expired."""
    kept = cache.get(cache_key(token))
    if not isinstance(kept, tuple):
        return None
    owner, step = kept
    return step if owner == discord_id and isinstance(step, Step) else None


def cache_key(token: str) -> str:
    return f"discord-step-{token}"
