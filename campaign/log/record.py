"""The campaign as a record (RECORD): what export writes and anybody may replay."""

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
    """The links of the first chain that are published: link n when turn n + 1 opens, all when the
    campaign has finished. What was published once stays so for good, however much is undone.
    """
    due = max(campaign.links_published, campaign.game.links_due(positions.current(campaign)))
    return _chain(campaign)[:due]


def chains(campaign: Campaign) -> list[Chain]:
    """The first chain, and those of all renewals, each with its published links."""
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
    last = campaign.game.last_link(positions.scenario(campaign))
    return chain(keys.unseal(campaign.seed_sealed), last)


def keeps_secrets(campaign: Campaign) -> bool:
    """Is there anything now that only some may see?"""
    if positions.copies(campaign, positions.current(campaign)).finished:
        return False
    hidden = campaign.game.rows(positions.current(campaign)).private
    rolls = DiceRoll.objects.filter(entry__campaign=campaign)
    return bool(hidden) or any(
        rows.filter(audience__isnull=False).exists() for rows in (campaign.entries.all(), rolls)
    )


def export(campaign: Campaign, user: Any) -> dict[str, Any]:
    """The record of the moves in force, as JSON values.

    While the campaign runs it carries every roll made so far, of struck moves too, and the links
    published, and no seed; when it has finished the seed and all links. With anything hidden, a
    running campaign's record is for the game master only: `NotAllowed`.
    """
    must_take(campaign, user)
    return whole(campaign)


def must_take(campaign: Campaign, user: Any) -> bool:
    """Raises `NotAllowed` for whom the record is not. Is there anything in it that only the game
    master may know?
    """
    keeps = keeps_secrets(campaign)
    if keeps and not access.access_of(campaign, user).game_master:
        raise NotAllowed(
            "hidden-hands",
            _("Until the campaign has finished, only the game master may take its record."),
        )
    return keeps


def whole(campaign: Campaign) -> dict[str, Any]:
    """The record as `export` writes it, whoever asks."""
    if positions.copies(campaign, positions.current(campaign)).finished:
        dice: dict[str, Any] = {
            "seed": keys.unseal(campaign.seed_sealed),
            "links": _chain(campaign),
        }
        if given := read(campaign.given):
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
        _mix(campaign, dice)
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


def _mix(campaign: Campaign, dice: dict[str, Any]) -> None:
    """The mixtures. A record has one for a turn, whatever chain it is thrown from: that of the last
    chain which threw a die of the turn. What was thrown under another one of the same turn stands
    there with its value.
    """
    rolls = list(DiceRoll.objects.filter(entry__campaign=campaign))
    thrown, mixed = {(row.chain, row.turn) for row in rolls}, dict[int, Any]()
    for number, ready in enumerate(of_chain := mixtures(campaign)):
        mixed |= {
            link: one
            for link, one in ready.items()
            if (number, link) in thrown or link not in mixed
        }
    if texts := {str(link): one for link, one in mixed.items() if one}:
        dice["mixed"] = texts
    if other := {
        row.purpose: row.value
        for row in rolls
        if of_chain[row.chain].get(row.turn) != mixed.get(row.turn)
    }:
        dice["fixed"] = {**dice.get("fixed", {}), **other}


def _renewals(campaign: Campaign, finished: bool) -> list[dict[str, Any]]:
    """The renewals with the purposes that each gave; their seeds when the campaign has finished."""
    if not campaign.renewals:
        return []
    purposes: dict[int, list[str]] = {}
    for purpose, number in sorted(positions.thrown_chains(campaign).items()):
        purposes.setdefault(number, []).append(purpose)
    renewals: list[dict[str, Any]] = []
    for one, row in zip(chains(campaign)[1:], campaign.dice_renewals.all(), strict=True):
        renewals.append(
            {
                "commitment": one.commitment,
                "links": one.links,
                "purposes": purposes.get(one.number, []),
            }
        )
        if finished:
            renewals[-1]["seed"] = keys.unseal(row.seed_sealed)
    return renewals


def replays(campaign: Campaign) -> bool:
    """Does a stranger's replay of the exported record give the state that stands here?"""
    parsed = record.parse(read(canonical(whole(campaign))), by_format())
    game = campaign.game
    return canonical(game.state(record.replay(parsed))) == canonical(
        game.state(positions.current(campaign))
    )
