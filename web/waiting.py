"""What the table waits for: by the rules, and by what was claimed in the battles that run. Each is read once a request."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from battles import selectors as battle_selectors
from battles.models import Battle, Claim
from battles.projection import RESOLVED
from campaign.seats import selectors as seats_selectors
from games.contract.title import Waiting
from web.shell import page_cache

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


def final_standings(table: TableContext) -> Sequence[Any] | None:
    """The final standings; None while the campaign runs."""
    return table.once("final standings", lambda: table.title.score(table.position))


def waited_for(table: TableContext) -> Sequence[Waiting]:
    """Whom the table waits for: by the rules, and by what was claimed in the battles that run."""
    return table.once("waited for", lambda: _waited_for(table))


def _waited_for(table: TableContext) -> Sequence[Waiting]:
    waits = [] if final_standings(table) is not None else table.title.waiting(table.position)
    if not any(one.contest is not None for one in waits):
        return waits
    return battle_selectors.waiting(waits, live_claims(table), solo_battles(table), program_levels(table))


def running_battles(table: TableContext) -> Sequence[Battle]:
    """The battles that are not resolved, as the database has them; of all, where the page has asked for all."""

    def read() -> Sequence[Battle]:
        if table.has("all battles"):
            return [one for one in all_battles(table) if one.status != RESOLVED]
        rows: Sequence[Battle] = page_cache.of_change(
            table.campaign, "battles", lambda: battle_selectors.listed_running(table.campaign)
        )
        return rows

    return table.once("running battles", read)


def all_battles(table: TableContext) -> Sequence[Battle]:
    """All battles in the order of launch."""
    return table.once("all battles", lambda: battle_selectors.listed(table.campaign))


def live_claims(table: TableContext) -> dict[int, Claim]:
    """The claims that wait, by the number of their battle."""

    def read() -> dict[int, Claim]:
        claims: dict[int, Claim] = page_cache.of_change(
            table.campaign, "claims", lambda: battle_selectors.live_claims(table.campaign)
        )
        return claims

    return table.once("live claims", read)


def solo_battles(table: TableContext, battles: Iterable[Battle] | None = None) -> dict[int, str]:
    """The battles that are played solo, by their number: the seat that is away (RULES 11). `battles` are those that run, where a
    page has asked for them already."""
    return table.once("solo battles", lambda: {
        battle.number: battle.solo for battle in (running_battles(table) if battles is None else battles) if battle.solo
    })  # fmt: skip


def program_levels(table: TableContext) -> dict[str, str]:
    """The seats that programs hold among people: how well each plays, as a key."""
    return table.once("program levels", lambda: seats_selectors.program_levels(table.campaign))


def program_word(table: TableContext, seat: str) -> str:
    """How well the program plays that holds this seat among people, in a word; empty where none does."""
    return next((one.program for one in table.seats if one.key == seat), "")
