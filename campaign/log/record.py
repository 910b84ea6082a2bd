"""The campaign as a record (RECORD.md), which anyone can download and replay."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from campaign import access, keys
from campaign.dice.selectors import Chain, mixtures
from campaign.errors import NotAllowed
from campaign.log import positions
from campaign.models import Campaign, DiceRoll
from engine import record
from engine.dice import chain
from engine.strict_json import canonical, read
from games.registry import by_format


def published_links(campaign: Campaign) -> list[str]:
    """Return the published links of the first chain.

    Link n is published when turn n + 1 opens; all are when the campaign has finished. A published
    link stays published, whatever is undone.
    """
    due = max(campaign.links_published, campaign.game.links_due(positions.current(campaign)))
    return _chain(campaign)[:due]


def chains(campaign: Campaign) -> list[Chain]:
    """Return the first chain and those of all renewals, each with its published links."""
    mixed = mixtures(campaign)
    whole = [Chain(0, campaign.commitment, published_links(campaign), mixed=mixed[0])]
    if campaign.renewals:
        due, last = (
            campaign.game.links_due(positions.current(campaign)),
            campaign.game.last_link(positions.scenario(campaign)),
        )
        for row in campaign.dice_renewals.select_related("entry"):
            links = chain(keys.unseal(row.seed_sealed), last)[: max(row.links_published, due)]
            whole.append(
                Chain(row.number, row.commitment, links, row.entry.number, mixed[row.number])
            )
    return whole


def _chain(campaign: Campaign) -> list[str]:
    """Return all links of the first chain, secret ones included."""
    last = campaign.game.last_link(positions.scenario(campaign))
    return chain(keys.unseal(campaign.seed_sealed), last)


def keeps_secrets(campaign: Campaign) -> bool:
    """Return whether the campaign has anything now that only some readers may see."""
    if positions.copies(campaign, positions.current(campaign)).finished:
        return False
    hidden = campaign.game.rows(positions.current(campaign)).private
    rolls = DiceRoll.objects.filter(entry__campaign=campaign)
    return bool(hidden) or any(
        rows.filter(audience__isnull=False).exists() for rows in (campaign.entries.all(), rolls)
    )


def export(campaign: Campaign, user: Any) -> dict[str, Any]:
    """Return the record of the moves in force, as JSON values.

    While the campaign runs, the record has every roll so far, also of struck moves, and the
    published links, but no seed. After the end it has the seed and all links. While anything is
    hidden, only the game master may take the record of a running campaign; others get `NotAllowed`.
    """
    check_may_export(campaign, user)
    return full_record(campaign)


def check_may_export(campaign: Campaign, user: Any) -> bool:
    """Raise `NotAllowed` if this user may not take the record.

    Returns whether the record has anything that only the game master may know.
    """
    keeps = keeps_secrets(campaign)
    if keeps and not access.access_of(campaign, user).game_master:
        raise NotAllowed(
            "hidden-hands",
            _("Until the campaign has ended, only the game master may download its record."),
        )
    return keeps


def full_record(campaign: Campaign) -> dict[str, Any]:
    """Return the record as `export` does, without checking the user."""
    if positions.copies(campaign, positions.current(campaign)).finished:
        dice: dict[str, Any] = {
            "seed": keys.unseal(campaign.seed_sealed),
            "links": _chain(campaign),
        }
        if given := campaign.entered_dice:
            dice["fixed"] = given
    else:
        rolls = DiceRoll.objects.filter(entry__campaign=campaign).order_by("purpose")
        dice = {
            "fixed": dict(rolls.values_list("purpose", "value")),
            "links": published_links(campaign),
        }
    if renewed := _renewals(campaign, "seed" in dice):
        dice["renewals"] = renewed
    if campaign.chance:
        _add_mixtures(campaign, dice)
    return {
        "format": campaign.game.format,
        "scenario": read(campaign.scenario),
        "options": positions.record_options(campaign),
        "dice": dice,
        "moves": [
            read(what)
            for what in positions.moves_in_force(campaign).values_list("content_json", flat=True)
        ],
    }


def _add_mixtures(campaign: Campaign, dice: dict[str, Any]) -> None:
    """Add the mixtures of the turns to the dice of a record.

    A record has one mixture for each turn: that of the last chain from which a die of the turn was
    thrown. Dice of the same turn from another chain are recorded as fixed values.
    """
    rolls = list(DiceRoll.objects.filter(entry__campaign=campaign))
    thrown, mixed = {(row.chain, row.turn) for row in rolls}, dict[int, Any]()
    for number, ready in enumerate(of_chain := mixtures(campaign)):
        mixed |= {
            link: mixture
            for link, mixture in ready.items()
            if (number, link) in thrown or link not in mixed
        }
    if texts := {str(link): mixture for link, mixture in mixed.items() if mixture}:
        dice["mixed"] = texts
    if other := {
        row.purpose: row.value
        for row in rolls
        if of_chain[row.chain].get(row.turn) != mixed.get(row.turn)
    }:
        dice["fixed"] = {**dice.get("fixed", {}), **other}


def _renewals(campaign: Campaign, finished: bool) -> list[dict[str, Any]]:
    """Return the renewals with the purposes thrown from each; with their seeds after the end."""
    if not campaign.renewals:
        return []
    purposes: dict[int, list[str]] = {}
    for purpose, number in sorted(positions.thrown_chains(campaign).items()):
        purposes.setdefault(number, []).append(purpose)
    renewals: list[dict[str, Any]] = []
    for known_chain, row in zip(chains(campaign)[1:], campaign.dice_renewals.all(), strict=True):
        renewals.append(
            {
                "commitment": known_chain.commitment,
                "links": known_chain.links,
                "purposes": purposes.get(known_chain.number, []),
            }
        )
        if finished:
            renewals[-1]["seed"] = keys.unseal(row.seed_sealed)
    return renewals


def replays(campaign: Campaign) -> bool:
    """Return whether a replay of the exported record gives the campaign's current state."""
    parsed = record.parse(read(canonical(full_record(campaign))), by_format())
    game = campaign.game
    return canonical(game.state(record.replay(parsed))) == canonical(
        game.state(positions.current(campaign))
    )
