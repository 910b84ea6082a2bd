"""The lobby: people apply for seats, and dice of its own say who chooses first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from campaign import access, keys
from campaign.errors import NoSuchCampaign, NotNow, Refused
from campaign.lifecycle import status
from campaign.log import entries, positions
from campaign.models import Application, Campaign, Lobby, LogEntry, Membership
from campaign.seats import handover, selectors
from campaign.seats.seating import ALONE, free_seats, must_have_company, seat_keys, sit
from engine.dice import Dice, commitment
from engine.language import FIRST, reading_in
from engine.log import canonical
from engine.strict_json import clean_text

LONGEST_WORDS = 2000
MOST_APPLICANTS = 50
MOST_TRIES = 5


@transaction.atomic
def open_lobby(campaign: Campaign, user: Any, words: str = "", *, seed: str | None = None, now: datetime | None = None) -> Lobby:
    """People may apply from now on; the commitment of the draw's dice is public before the first does.

    A `seed` known beforehand is for tests; no page passes one.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    must_have_company(table)
    if table.started or table.abandoned or table.archived:
        raise NotNow("started", _("A lobby is for a campaign that has not started."))
    if table.lobby_open:
        raise NotNow("open", _("The lobby is open already."))
    if not free_seats(table):
        raise NotNow("full", _("All seats are taken: there is nothing to apply for."))
    seed = seed or keys.new_secret()
    bound = commitment(seed, 0)
    lobby = Lobby.objects.create(campaign=table, words=_words(words), seed_sealed=keys.seal(seed), commitment=bound, opened_at=at)
    entries.append_act(table, user, {"act": "lobby", "how": "opened", "commitment": bound}, now=at)
    return lobby


@transaction.atomic
def reword(campaign: Campaign, user: Any, words: str) -> Lobby:
    """Other words of the game master above the open lobby."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    lobby = _open(table)
    lobby.words = _words(words)
    lobby.save(update_fields=["words"])
    return lobby


@transaction.atomic
def apply(campaign: Campaign, user: Any, wishes: Sequence[str], *, now: datetime | None = None) -> Application:
    """Apply with these seats, the best liked first; again, to wish otherwise, which keeps one's place in the order."""
    table, at = entries.lock(campaign), entries.moment(now)
    if not access.may_see(table, user):
        raise NoSuchCampaign
    access.must_have_account(user)
    lobby = _open(table)
    wanted = list(wishes)
    if not wanted or len(set(wanted)) < len(wanted) or not set(wanted) <= set(seat_keys(table)):
        raise Refused("bad-wishes", _("Name at least one seat, and each seat once only."))
    if table.memberships.filter(user=user, role=Membership.Role.SEAT, until=None).exists():
        raise Refused("seated", _("You have a seat here already."))
    _may_play(table, user)
    mine = lobby.applications.filter(user=user)
    mine_now = mine.filter(withdrawn_at=None).first()
    if mine_now is not None:
        mine_now.wishes, mine_now.changed_at = canonical(wanted), at
        mine_now.save(update_fields=["wishes", "changed_at"])
        return mine_now
    if mine.count() >= MOST_TRIES:
        raise Refused(
            "too-often",
            _("You have applied and withdrawn %(n)s times. Ask the game master for an invitation.") % {"n": MOST_TRIES},
        )
    if applicants(lobby).count() >= MOST_APPLICANTS:
        raise Refused("full", _("%(n)s people have applied already.") % {"n": MOST_APPLICANTS})
    application = Application.objects.create(lobby=lobby, user=user, wishes=canonical(wanted), applied_at=at, changed_at=at)
    entries.append_act(table, user, {"act": "lobby", "how": "applied", "user": user.pk}, now=at)
    return application


@transaction.atomic
def withdraw(campaign: Campaign, user: Any, *, now: datetime | None = None) -> None:
    """Take one's application back. Who applies again stands at the end. Twice is no error."""
    table, at = entries.lock(campaign), entries.moment(now)
    lobby = _open(table)
    if applicants(lobby).filter(user=user).update(withdrawn_at=at):
        entries.append_act(table, user, {"act": "lobby", "how": "withdrew", "user": user.pk}, now=at)


@transaction.atomic
def draw(campaign: Campaign, user: Any, *, now: datetime | None = None) -> dict[str, Any]:
    """Close the lobby and seat people by its dice; who is left over goes on the reserve. What the entry says comes back."""
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    lobby = _open(table)
    seated = table.memberships.filter(role=Membership.Role.SEAT, until=None).values("user")
    people = list(applicants(lobby).exclude(user__in=seated).filter(user__is_active=True).select_related("user"))
    # In one language for everybody: whoever draws would choose between two orders by his own.
    with reading_in(FIRST):
        names = positions.seats(table)
    free = sorted(free_seats(table), key=lambda seat: (names[seat].casefold(), seat))
    seed = keys.unseal(lobby.seed_sealed)
    drawn = lots(seed, [(one.user_id, one.seats) for one in people], free)
    lobby.closed_at = at
    lobby.save(update_fields=["closed_at"])
    what = {
        "act": "lobby", "how": "drawn", "commitment": lobby.commitment, "seed": seed, "free": free,
        "applications": [{"user": one.user_id, "wishes": one.seats} for one in people], "order": drawn,
    }  # fmt: skip
    entries.append_act(table, user, what, now=at)
    users = {one.user_id: one.user for one in people}
    for one in drawn:
        if one["seat"]:
            sit(table, user, one["seat"], "drawn", users[one["user"]], at)
    waits = set(handover.waiting(table).values_list("user_id", flat=True))
    for one in drawn:
        if not one["seat"] and one["user"] not in waits:
            handover.put_in_reserve(table, user, users[one["user"]], at)
    return what


def lots(seed: str, applications: Sequence[tuple[int, Sequence[str]]], free: Sequence[str]) -> list[dict[str, Any]]:
    """Whom the dice draw, in order, and which seat each gets; "" where none is left.

    `applications` stand in their order, `free` in the alphabet's. `lobby/order/1` is a d(n) over all of them,
    `lobby/order/2` a d(n-1) over the rest, and so on. The best still free seat of the list is given, else the first free.
    """
    dice, left, open_seats, seated = Dice(0, seed=seed), list(applications), list(free), []
    for place in range(1, len(applications) + 1):
        purpose, sides = f"lobby/order/{place}", len(left)
        value = dice.roll(purpose, sides, 0)
        who, wishes = left.pop(value - 1)
        seat = next((wish for wish in wishes if wish in open_seats), open_seats[0] if open_seats else "")
        if seat:
            open_seats.remove(seat)
        seated.append({"purpose": purpose, "sides": sides, "value": value, "user": who, "seat": seat})
    return seated


def current(campaign: Campaign) -> Lobby | None:
    """The open lobby, if any."""
    return campaign.lobbies.filter(closed_at=None).first()


def last_draw(campaign: Campaign) -> LogEntry | None:
    """The entry of the last draw, with all that was drawn; None where there was none."""
    return campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=status.LOBBY, how="drawn").last()


def applicants(lobby: Lobby) -> Any:
    """Who applies now, in the order in which they did."""
    return lobby.applications.filter(withdrawn_at=None).order_by("applied_at", "pk")


def proves(drawing: Mapping[str, Any]) -> bool:
    """Do seed, commitment and result of a draw's entry fit together?"""
    applications = [(one["user"], one["wishes"]) for one in drawing["applications"]]
    bound = commitment(drawing["seed"], 0) == drawing["commitment"]
    return bound and lots(drawing["seed"], applications, drawing["free"]) == drawing["order"]


def replace_words(lobby: Lobby, words: str) -> None:
    """What says that the words were removed stands in their place."""
    Lobby.objects.filter(pk=lobby.pk).update(words=words)


def _open(table: Campaign) -> Lobby:
    lobby = current(table)
    if lobby is None:
        raise NotNow("closed", _("The lobby is closed."))
    return lobby


def _words(words: str) -> str:
    entries.must_be_seen(words, _("Words"))
    if words and not clean_text(words, LONGEST_WORDS):
        raise Refused("bad-words", _("Up to %(most)s characters, all of which can be shown.") % {"most": LONGEST_WORDS})
    return words.strip()


def _may_play(table: Campaign, user: Any) -> None:
    """A game master alone with hidden hands is told when he applies, not when the dice have fallen."""
    masters = table.memberships.filter(role__in=Membership.MASTERS, until=None)
    seated = table.memberships.filter(role=Membership.Role.SEAT, until=None).values("user")
    alone = not masters.exclude(user=user).exclude(user__in=seated).exists()
    if access.hides(table) and masters.filter(user=user).exists() and alone and not selectors.alone(table):
        raise Refused("no-master-left", _(ALONE))
