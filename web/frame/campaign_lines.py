"""Campaigns as lines of a list: state, seats, and the reader's part in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign.log import positions
from campaign.models import GAME_MASTER, Campaign, Membership
from engine.language import sentence
from games.contract.story import WithStory
from games.registry import words
from people.models import User
from web.frame.chip import Chip
from web.frame.deadlines import Due
from web.frame.head import chip

Reader = User | AnonymousUser
SEATED = (*Membership.MASTERS, Membership.Role.SEAT)


class Swatch(NamedTuple):
    """A seat as a spot of its colour."""

    key: str
    name: str
    free: bool


class State(NamedTuple):
    """The state of a campaign in words, and what follows from it."""

    text: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class CampaignLine:
    """A campaign in a list."""

    name: str
    url: str
    title: str
    by: str
    state: str
    note: str
    chip: str | Promise
    chip_kind: str
    dues: list[Due]
    seats: list[Swatch]


@dataclass(frozen=True, slots=True)
class Seating:
    """The seats of a campaign with their holders, as one reader sees them."""

    names: Mapping[str, str]
    """The seats by their keys."""
    taken: frozenset[str]
    masters: list[str]
    mine: frozenset[str]
    """The reader's seats, and `gm` for a game master."""

    @property
    def alone(self) -> bool:
        return len(self.names) == 1

    @property
    def free(self) -> int:
        return len(self.names) - len(self.taken & set(self.names))


def campaign_line(
    campaign: Campaign,
    held: Sequence[Membership],
    user: User | AnonymousUser,
    dues: Iterable[Due] = (),
) -> CampaignLine:
    """Return a campaign's line; `held` are its places, `dues` the reader's deadlines there."""
    seating = seating_of(campaign, held, user)
    state = state_of(campaign, seating)
    shown = chip_for(campaign, seating)
    people = ", ".join(seating.masters)
    return CampaignLine(
        name=campaign.name,
        url=reverse(page_of(campaign, seating), args=[campaign.address]),
        title=positions.plays(campaign),
        by=people
        if seating.alone
        else pgettext("campaign", "game master: %(names)s") % {"names": people},
        state=state.text,
        note=state.note,
        chip=shown.text,
        chip_kind=shown.tone,
        dues=[due for due in dues if not due.held],
        seats=[] if seating.alone else swatches(seating),
    )


def seating_of(
    campaign: Campaign, held: Sequence[Membership], user: User | AnonymousUser
) -> Seating:
    """Return the holders of the seats; `held` are the present memberships."""
    infos = campaign.game.seats(positions.scenario(campaign), positions.options(campaign))
    own = [place for place in held if place.user_id == user.pk and place.role in SEATED]
    seats = [place.seat for place in held if place.role == Membership.Role.SEAT]
    return Seating(
        names={info.key: info.name for info in infos},
        taken=frozenset(seats),
        masters=[place.user.username for place in held if place.role in Membership.MASTERS],
        mine=frozenset(place.seat or GAME_MASTER for place in own),
    )


def state_of(campaign: Campaign, seating: Seating) -> State:
    """Return the state of a campaign: its free seats, its turn, or how it has ended."""
    if not campaign.started:
        return state_before_start(campaign, seating)
    words_of = words(campaign.title)
    turn = words_of["turn_number"].format(n=campaign.turn)
    if campaign.ended:
        return State(_("finished (%(turn)s)") % {"turn": turn})
    if seating.alone:
        return State(turn)
    if campaign.active_seat in seating.names:
        name = seating.names[campaign.active_seat]
        return State(turn, sentence(words_of["active"], seat=name))
    return State(turn, words_of["idle"])


def state_before_start(campaign: Campaign, seating: Seating) -> State:
    """Return the number of free seats, and the next step."""
    free = seating.free
    note = (
        _("the lobby is open: you can apply for a seat")
        if campaign.lobby_open
        else _("waiting for the game master to start")
    )
    if not free:
        return State(_("all seats are taken"), note)
    text = ngettext("%(free)s of %(seats)s seats free", "%(free)s of %(seats)s seats free", free)
    return State(text % {"free": free, "seats": len(seating.names)}, note)


def chip_for(campaign: Campaign, seating: Seating) -> Chip:
    """Return the chip of a campaign: the reader's part in it, or else its status."""
    running = campaign.status == Campaign.Status.RUNNING
    if running and campaign.active_seat in seating.mine and not seating.alone:
        return Chip(pgettext("state", "Your turn"), "mine")
    if seating.mine and (running or campaign.status == Campaign.Status.DRAFT):
        return Chip(_("Yours"))
    return chip(campaign)


def page_of(campaign: Campaign, seating: Seating) -> str:
    """Return the name of the page to which a campaign's line links."""
    if seating.mine:
        return "table"
    if campaign.lobby_open:
        return "lobby"
    has_story = campaign.started and isinstance(campaign.game, WithStory)
    return "story" if has_story else "table"


def swatches(seating: Seating) -> list[Swatch]:
    """Return the seats, in the order of the title."""
    return [
        Swatch(key, name, False)
        if key in seating.taken
        else Swatch(key, _("%(seat)s: free") % {"seat": name}, True)
        for key, name in seating.names.items()
    ]
