"""Campaigns as lines of a list: state, seats, and what is the reader's there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.log import positions
from campaign.models import GAME_MASTER, Campaign, Membership
from engine.language import sentence
from games.contract.story import Storied
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
class Sitting:
    """The seats of a campaign with their holders, as one reader sees them."""

    names: Mapping[str, str]
    """The seats by their keys."""
    taken: frozenset[str]
    masters: list[str]
    mine: frozenset[str]
    """What the reader holds: seats, and `gm`."""

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
    sitting = sitting_in(campaign, held, user)
    state = state_of(campaign, sitting)
    shown = chip_for(campaign, sitting)
    people = ", ".join(sitting.masters)
    return CampaignLine(
        name=campaign.name,
        url=reverse(page_of(campaign, sitting), args=[campaign.address]),
        title=positions.plays(campaign),
        by=people if sitting.alone else _("game master %(names)s") % {"names": people},
        state=state.text,
        note=state.note,
        chip=shown.text,
        chip_kind=shown.tone,
        dues=[due for due in dues if not due.held],
        seats=[] if sitting.alone else swatches(sitting),
    )


def sitting_in(
    campaign: Campaign, held: Sequence[Membership], user: User | AnonymousUser
) -> Sitting:
    """Return who sits where; `held` are the places that someone has now."""
    infos = campaign.game.seats(positions.scenario(campaign), positions.options(campaign))
    own = [place for place in held if place.user_id == user.pk and place.role in SEATED]
    seats = [place.seat for place in held if place.role == Membership.Role.SEAT]
    return Sitting(
        names={info.key: info.name for info in infos},
        taken=frozenset(seats),
        masters=[place.user.username for place in held if place.role in Membership.MASTERS],
        mine=frozenset(place.seat or GAME_MASTER for place in own),
    )


def state_of(campaign: Campaign, sitting: Sitting) -> State:
    """Return the state of a campaign: its free seats, its turn, or how it has ended."""
    if not campaign.started:
        return state_before_start(campaign, sitting)
    words_of = words(campaign.title)
    if campaign.ended:
        facts = {"turn": words_of["turn"], "number": campaign.turn}
        return State(_("finished after %(turn)s %(number)s") % facts)
    text = f"{words_of['turn']} {campaign.turn}"
    if sitting.alone:
        return State(text)
    if campaign.active_seat in sitting.names:
        name = sitting.names[campaign.active_seat]
        return State(text, sentence(words_of["active"], seat=name))
    return State(text, words_of["idle"])


def state_before_start(campaign: Campaign, sitting: Sitting) -> State:
    """Return how many seats are free, and what is to be done."""
    free = sitting.free
    note = (
        _("the lobby is open: apply for one")
        if campaign.lobby_open
        else _("the game master starts it")
    )
    if not free:
        return State(_("all seats taken"), note)
    text = ngettext("%(free)s of %(seats)s seats free", "%(free)s of %(seats)s seats free", free)
    return State(text % {"free": free, "seats": len(sitting.names)}, note)


def chip_for(campaign: Campaign, sitting: Sitting) -> Chip:
    """Return the chip of a campaign: whether it is the reader's own or waits for them, or else its
    status.
    """
    running = campaign.status == Campaign.Status.RUNNING
    if running and campaign.active_seat in sitting.mine and not sitting.alone:
        return Chip(_("Your slot"), "mine")
    if sitting.mine and (running or campaign.status == Campaign.Status.DRAFT):
        return Chip(_("Yours"))
    return chip(campaign)


def page_of(campaign: Campaign, sitting: Sitting) -> str:
    """Return the name of the page to which a campaign's line leads."""
    if sitting.mine:
        return "table"
    if campaign.lobby_open:
        return "lobby"
    has_story = campaign.started and isinstance(campaign.game, Storied)
    return "story" if has_story else "table"


def swatches(sitting: Sitting) -> list[Swatch]:
    """Return the seats, in the order of the title."""
    return [
        Swatch(key, name, False)
        if key in sitting.taken
        else Swatch(key, _("%(seat)s: free") % {"seat": name}, True)
        for key, name in sitting.names.items()
    ]
