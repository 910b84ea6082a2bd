"""Practice: one person among programs. The programs' moves are ordinary moves, made by the worker after the person's."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import keys, services
from campaign.audience import GAME_MASTER
from campaign.clocks import services as clocks_services
from campaign.clocks.terms import KINDS
from campaign.errors import Refused, TableError
from campaign.lifecycle import founding
from campaign.log import positions, selectors
from campaign.models import Campaign
from campaign.seats import seating
from engine.dice import chain
from engine.errors import IllegalMove
from games.contract.players import Opponents
from games.registry import PLAYERS, TITLES

MODEL, HAND = "model", "hand"
"""How the person's battles are decided: by the model, or entered after they were fought."""
MOVES = 60
"""So many moves of programs at once; what is left is the next task's."""
playing: ContextVar[bool] = ContextVar("playing", default=False)
"""Is it a program whose move is being made?"""


def opponents(title: str) -> Opponents | None:
    """The programs of a title that can hold seats in a campaign; None where there are none."""
    players = PLAYERS.get(title)
    return players if isinstance(players, Opponents) else None


@transaction.atomic
def begin(
    user: Any, title: str, scenario: str | Mapping[str, Any], seat: str, level: str, battles: str = MODEL,
    *, name: str = "", drawing: str = "", time_zone: str = "UTC", seed: str | None = None,
) -> Campaign:  # fmt: skip
    """A practice campaign that has begun: the person in one seat and in the game master's, a program of this level in all
    others. No clock runs. Raises `Refused` for what is not known."""
    players = opponents(title)
    if players is None or level not in players.levels:
        raise Refused("unknown-level", _("Choose how well the programs play."))
    if battles not in (MODEL, HAND):
        raise Refused("unknown-battles", _("Choose how your battles are decided."))
    game = TITLES[title]
    seats = [one.key for one in game.seats(game.scenario(scenario), game.options({}))]
    if seat not in seats:
        raise Refused("unknown-seat", _("Choose a nation."))
    programs = json.dumps({"seats": {key: level for key in seats if key != seat}, "battles": battles})
    campaign = founding.found_campaign(
        user, title, name or _("Practice"), scenario, {}, time_zone, drawing=drawing, programs=programs, seed=seed
    )
    clocks_services.set_terms(campaign, user, dict.fromkeys(KINDS))
    seating.play_too(campaign, user, seat)
    services.play(campaign, user, {"by": GAME_MASTER, "move": "start"}, selectors.seen(campaign, user))
    campaign.refresh_from_db()
    return campaign


def seats_of(campaign: Campaign) -> dict[str, str]:
    """The seats that programs hold, each with its level; empty in a campaign of people."""
    known: dict[str, str] = json.loads(campaign.programs)["seats"] if campaign.programs else {}
    return known


def next_move(campaign: Campaign) -> dict[str, Any] | None:
    """The move that a program makes now; None where the table waits for the person, or the campaign is over."""
    players = opponents(campaign.title)
    if not campaign.programs or players is None or campaign.status != Campaign.Status.RUNNING:
        return None
    known = json.loads(campaign.programs)
    position = selectors.position(campaign)
    asked = players.asks(position, known["seats"], known["battles"] == HAND)
    return None if asked is None else asked(_chance(campaign, position))


def advance(pk: int) -> bool:
    """Make the moves of programs until the table waits for the person; is there more to do?"""
    token = playing.set(True)
    try:
        for _move in range(MOVES):
            campaign = Campaign.objects.select_related("founder").filter(pk=pk).first()
            raw = next_move(campaign) if campaign is not None else None
            if campaign is None or raw is None:
                return False
            spoken = raw if raw["by"] == GAME_MASTER else {**raw, "by": GAME_MASTER, "for": raw["by"]}
            try:
                services.play(campaign, campaign.founder, spoken, selectors.seen(campaign, campaign.founder))
            except (TableError, IllegalMove):
                return False  # another move came between, or the person paused it: the next entry asks again
    finally:
        playing.reset(token)
    return True


def waits(campaign: Campaign) -> bool:
    """Is it a program that the table waits for?"""
    return bool(campaign.programs) and next_move(campaign) is not None


def tick(now: datetime, most: int) -> int:
    """The pulse: practice campaigns that no worker has taken on."""
    rows = Campaign.objects.filter(status=Campaign.Status.RUNNING).exclude(programs="").order_by("-pk")
    done = 0
    for campaign in rows[: 20 * most]:
        if done >= most:
            break
        if waits(campaign):
            advance(campaign.pk)
            done += 1
    return done


def _chance(campaign: Campaign, position: Any) -> Random:
    """The programs' own chance, also that of the battle model: it follows from the sealed link of the turn and from how many
    entries there are, so that everybody can work it out when the link is published, and nobody before."""
    link = chain(keys.unseal(campaign.seed_sealed), campaign.game.last_link(positions.scenario(campaign)))[position.turn]
    message = f"programs/{position.turn}/{campaign.last_number}"
    return Random(hmac.new(bytes.fromhex(link), message.encode(), hashlib.sha256).hexdigest())  # noqa: S311
