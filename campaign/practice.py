"""One person among programs: practice, or a game with them. Their moves are ordinary moves, made by the worker after the
person's."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import keys, playing_on, services
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
from games.contract.title import Title
from games.registry import PAGES, PLAYERS, TITLES

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
    *, levels: Mapping[str, str] | None = None, options: Mapping[str, Any] | None = None, name: str = "", drawing: str = "",
    time_zone: str = "UTC", seed: str | None = None,
) -> Campaign:  # fmt: skip
    """A campaign with programs that has begun: the person in one seat, or in all of one player, and in the game master's, a
    program in each other, of the level that `levels` names for it, else of `level`. No clock runs. Raises `Refused` for what
    is not known."""
    players = opponents(title)
    if players is None or level not in players.levels:
        raise Refused("unknown-level", _("Choose how well the programs play."))
    if battles not in (MODEL, HAND):
        raise Refused("unknown-battles", _("Choose how your battles are decided."))
    game = TITLES[title]
    known, terms = game.scenario(scenario), game.options(options or {})
    seats = [one.key for one in game.seats(known, terms)]
    if seat not in seats or len(seats) == 1:
        raise Refused("unknown-seat", _("Choose a nation."))
    own = _of_one_player(game, known, terms, seat, seats)
    wanted = {key: (levels or {}).get(key, level) for key in seats if key not in own}
    if not set(wanted.values()) <= set(players.levels):
        raise Refused("unknown-level", _("Choose how well the programs play."))
    programs = json.dumps({"seats": wanted, "battles": battles})
    campaign = founding.found_campaign(
        user, title, name or _("Practice"), scenario, options or {}, time_zone, drawing=drawing, programs=programs, seed=seed
    )
    clocks_services.set_terms(campaign, user, dict.fromkeys(KINDS))
    for key in own:
        seating.play_too(campaign, user, key)
    campaign.refresh_from_db()
    pages = PAGES.get(title)
    first = {"by": GAME_MASTER, "move": "start"} if pages is None else pages.deputy(selectors.position(campaign))
    spoken = playing_on.voice(campaign, user).speak(first or {}, program=True)
    services.play(campaign, user, spoken, selectors.seen(campaign, user), program=True)
    campaign.refresh_from_db()
    return campaign


def _of_one_player(game: Title, scenario: Any, options: Any, seat: str, seats: Sequence[str]) -> list[str]:
    """The seats of the player who has this one: of two players at the Roman Empire each has two (12)."""
    holders = game.rows(game.setup(scenario, options)).holders
    player = holders.get(seat, {}).get("player")
    return [one for one in seats if one == seat or (player is not None and holders.get(one, {}).get("player") == player)]


def seats_of(campaign: Campaign) -> dict[str, str]:
    """The seats that programs hold, each with its level; empty in a campaign of people."""
    return seating.program_seats(campaign)


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
            spoken = playing_on.voice(campaign, campaign.founder).speak(raw, program=True)
            try:
                services.play(campaign, campaign.founder, spoken, selectors.seen(campaign, campaign.founder), program=True)
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
    turn = getattr(position, "turn", campaign.turn)  # a title may call it otherwise
    link = chain(keys.unseal(campaign.seed_sealed), campaign.game.last_link(positions.scenario(campaign)))[turn]
    message = f"programs/{turn}/{campaign.last_number}"
    return Random(hmac.new(bytes.fromhex(link), message.encode(), hashlib.sha256).hexdigest())  # noqa: S311
