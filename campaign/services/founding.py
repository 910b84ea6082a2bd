"""Founding a campaign, and changing its terms until it starts."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _

from campaign import access, drawings, keys, positions, projections
from campaign.errors import Refused
from campaign.models import Campaign, Drawing, LogEntry, Membership
from campaign.services import log
from campaign.services.door import play
from campaign.services.seating import keep_a_master, note, seat_keys, sit, solo
from campaign.services.shelf import keep_drawing
from campaign.services.vetting import LONGEST, is_name, vet
from engine.dice import commitment
from engine.errors import MalformedRecord
from engine.log import canonical
from engine.strict_json import read
from engine.title import Title
from games.registry import TITLES

LONGEST_NAME = LONGEST


@transaction.atomic
def found(
    user: Any,
    title: str,
    name: str,
    scenario: str | Mapping[str, Any],
    options: Mapping[str, Any] | None = None,
    time_zone: str = "UTC",
    visibility: str = Campaign.Visibility.UNLISTED,
    *,
    seed: str | None = None,
    given: Mapping[str, int] | None = None,
    digest_key: str | None = None,
    drawing: str = "",
    again: bool = False,
    now: datetime | None = None,
) -> Campaign:
    """A new campaign with the user as its game master: nobody seated, the genesis entry written.

    Where one plays alone he is seated at once, and what can only begin has begun.

    `scenario` is the key of a shipped one or a scenario object; `drawing` the text of its map, where it has one of its own.
    A `seed` that is known beforehand is for demonstrations, tests and records; no form passes one. `given` are dice that fell
    before it was founded, of a record: nothing begins by itself then. `again` says that its founder has seen these dice fall
    in another campaign, which keeps it out of the hall of fame. `digest_key` is a secret under which digests of its
    positions have been made. Raises `MalformedRecord` with the key that is wrong in scenario, options or drawing, for the
    record or for the table (`vetting`), `Refused` for the rest.
    """
    at = log.moment(now)
    if title not in TITLES:
        raise Refused("unknown-title", _("This game is not played here."))
    campaign = Campaign(
        public_id=keys.new_public_id(),
        title=title,
        founder=user,
        founded_at=at,
        digest_key_sealed=keys.seal(digest_key or keys.new_secret()),
    )
    describe_row(campaign, name, time_zone, visibility)
    _terms(campaign, scenario, options or {}, seed)
    vet(read(campaign.scenario))
    campaign.drawing = keep_drawing(campaign.game, read(campaign.scenario), drawing)
    alone = solo(campaign)
    if not alone:
        access.must_have_account(user)
    campaign.save(force_insert=True)
    Membership.objects.create(campaign=campaign, user=user, role=Membership.Role.GAME_MASTER, since=at)
    _genesis(campaign, user, at, given, again)
    if alone and given is None:
        campaign = _alone(campaign, user, at)
    return campaign


@transaction.atomic
def change_terms(
    campaign: Campaign,
    user: Any,
    *,
    scenario: str | Mapping[str, Any] | None = None,
    options: Mapping[str, Any] | None = None,
    drawing: str | None = None,
    now: datetime | None = None,
) -> Campaign:
    """Another scenario or other options, before the first move: a new seed, a new commitment, a new beginning.

    `drawing` is the text of the scenario's own map; None leaves the one there is, if it still fits, for a map goes with its land.
    Who holds a seat that the new scenario has not leaves it, and its invitations end.
    """
    at = log.moment(now)
    table = log.lock(campaign)
    access.must_be_host(table, user)
    if table.entries.filter(kind=LogEntry.Kind.MOVE).exists():
        raise Refused("started", _("Once a campaign has started, its scenario and options stand."))
    _terms(
        table,
        read(table.scenario) if scenario is None else scenario,
        read(table.options) if options is None else options,
    )
    if scenario is not None:
        vet(read(table.scenario))
    table.drawing = _still_fits(table) if drawing is None else keep_drawing(table.game, read(table.scenario), drawing)
    _genesis(table, user, at)
    seats = seat_keys(table)
    held = table.memberships.filter(until=None, role=Membership.Role.SEAT)
    for lost in held.exclude(seat__in=seats):
        lost.until = at
        lost.save(update_fields=["until"])
        note(table, user, "left", lost.seat, lost.user_id, at)
    table.invitations.filter(revoked_at=None).exclude(seat__in=["", *seats]).update(revoked_at=at)
    keep_a_master(table)
    return table


@transaction.atomic
def describe(campaign: Campaign, user: Any, *, name: str, time_zone: str, visibility: str) -> Campaign:
    """Another name, time zone or visibility, at any time. No part of the record."""
    table = log.lock(campaign)
    access.must_be_host(table, user)
    describe_row(table, name, time_zone, visibility)
    table.save()
    return table


def _alone(campaign: Campaign, user: Any, at: datetime) -> Campaign:
    """Seat the founder where one plays alone, and say for him the one thing that can be said, if it leaves no choice."""
    (seat,) = seat_keys(campaign)
    table = log.lock(campaign)
    sit(table, user, seat, "taken", user, at)
    open_now = [offer for offer in table.game.offers(positions.current(table), seat) if offer.refusal is None]
    if len(open_now) == 1 and not open_now[0].fields:
        table = play(table, user, open_now[0].raw({}), table.last_sequence, now=at).campaign
    return table


def describe_row(campaign: Campaign, name: str, time_zone: str, visibility: str) -> None:
    """What a campaign is called and who finds it, on a row that may not have been saved. Raises `Refused`."""
    kept = bool(campaign.name) and name == campaign.name  # given when names might be longer, it stands until it is changed
    if not is_name(name) and not kept:
        raise Refused(
            "bad-name",
            _("A campaign needs a name of at most %(most)s printable characters on one line.") % {"most": LONGEST_NAME},
        )
    try:
        ZoneInfo(time_zone)
    except (ValueError, OSError, LookupError):
        raise Refused("bad-time-zone", _("There is no such time zone.")) from None
    if visibility not in Campaign.Visibility.values:
        raise Refused("bad-visibility", _("A campaign is listed, unlisted or for members only."))
    campaign.name = name.strip()
    campaign.slug = slugify(name)[:60].strip("-")
    campaign.time_zone = time_zone
    campaign.visibility = visibility


def _terms(campaign: Campaign, scenario: str | Mapping[str, Any], options: Mapping[str, Any], seed: str | None = None) -> None:
    """Scenario and options, read by the title, and a fresh seed for them."""
    game = campaign.game
    try:
        campaign.scenario = canonical(_object(game, scenario))
        campaign.options = canonical(options)
        campaign.scenario.encode()
    except (TypeError, ValueError, RecursionError):
        raise MalformedRecord("scenario", _("is no JSON value")) from None
    positions.setup(campaign)
    seed = seed or keys.new_secret()
    campaign.seed_sealed = keys.seal(seed)
    campaign.commitment = commitment(seed, game.last_link(positions.scenario(campaign)))


def _object(game: Title, scenario: str | Mapping[str, Any]) -> Any:
    """A shipped scenario is copied into the campaign, so that it stands whatever is shipped later."""
    return game.scenarios().get(scenario, scenario) if isinstance(scenario, str) else scenario


def _still_fits(table: Campaign) -> Drawing | None:
    try:
        return keep_drawing(table.game, read(table.scenario), drawings.text_of(table))
    except MalformedRecord:
        return None


def _genesis(campaign: Campaign, user: Any, at: datetime, given: Mapping[str, int] | None = None, again: bool = False) -> None:
    """The entry that everything after hangs from, and the rows of a campaign before its first move."""
    start = positions.setup(campaign)
    what = {
        "act": "genesis",
        "format": campaign.game.format,
        "scenario": read(campaign.scenario),
        "options": read(campaign.options),
        "commitment": campaign.commitment,
        **({"drawing": campaign.drawing_id} if campaign.drawing_id else {}),
        **({"given": dict(given)} if given else {}),
        **({"again": True} if again else {}),
    }
    log.append(campaign, what, start, actor=user, at=at)
    campaign.save()
    projections.rebuild(campaign, positions.History(start, []))
