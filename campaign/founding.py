"""Founding a campaign, changing its terms until it starts, its life, and its lobby."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from campaign import access, keys, open_pages, scenarios
from campaign.dice.selectors import MIXES
from campaign.dice.services import set_manual_dice
from campaign.errors import NoSuchCampaign, NotAllowed, NotNow, Refused
from campaign.log import entries, positions
from campaign.log import selectors as log_selectors
from campaign.log.acts.life import LIFE
from campaign.log.acts.seats import LOBBY
from campaign.log.acts.undo import GENESIS
from campaign.log.acts.words import SIGHT, SIGHTS
from campaign.log.move_service import play
from campaign.models import Application, Campaign, Lobby, LogEntry, MapDrawing, Membership
from campaign.rulebook import NEEDS, TWO_THIRDS
from campaign.scenarios import LONGEST_NAME as LONGEST
from campaign.scenarios import is_name, keep_drawing, vet
from campaign.seats import handover, selectors
from campaign.seats.seating import (
    ALONE,
    end_program,
    free_seats,
    log_seat_change,
    must_have_company,
    must_keep_a_master,
    seat_keys,
    seat_user,
    solo,
)
from campaign.seats.selectors import program_levels
from engine.dice import Dice, commitment
from engine.errors import MalformedRecord
from engine.language import FIRST, use_language
from engine.strict_json import canonical, is_clean_text, read
from games import registry
from games.contract.title import RULES_EDITION, Title, current_edition
from games.registry import TITLES

LONGEST_NAME = LONGEST
GUIDED, LEFT = "guided", "left"
"""The values of `Campaign.lesson`: guided through its steps, and left by the learner."""
SIGHT_ALL, SIGHT_REPORTED, SIGHT_ADDRESSED = "all", "reported", "addressed"
USUAL_SIGHT = SIGHT_REPORTED
"""By default the game master reads messages between seats only when they are reported."""


@transaction.atomic
def found_campaign(
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
    imported: bool = False,
    chance: str = "",
    amending: str = TWO_THIRDS,
    sight: str = USUAL_SIGHT,
    programs: dict[str, Any] | None = None,
    lesson: bool = False,
    now: datetime | None = None,
) -> Campaign:
    """Found a campaign with the user as its game master and log its first entry.

    No seat is taken. A user who plays alone is seated at once, and if there is only one way to
    begin, the campaign has begun.

    Args:
        user: The founder.
        title: The key of the title.
        name: The name of the campaign.
        scenario: The key of a scenario that the title ships, or a scenario object.
        options: The options in record form.
        time_zone: The time zone of its deadlines.
        visibility: Who can find it.
        seed: A seed known beforehand, for demonstrations, tests and records. No form passes one.
        given: Dice of a record that fell before. Then nothing begins by itself.
        digest_key: A secret under which digests of its positions have been made already.
        drawing: The text of its map, if it has one of its own.
        again: Whether its founder has seen these dice fall in another campaign. This keeps it out
            of the hall of fame.
        imported: Whether it is a record, which may bring dice that someone chose. This keeps it
            out of the hall of fame, too.
        chance: What is mixed into the dice.
        amending: Who must agree before the rules change in play.
        sight: What the game master reads of messages.
        programs: The programs of a practice campaign.
        lesson: Whether it is a lesson, which is logged in its first entry and counts nowhere.
        now: The time of founding, for tests.

    Raises:
        MalformedRecord: A key of scenario, options or drawing is wrong, for the record or for the
            table (`vet`).
        Refused: Another argument is invalid.
    """
    at = entries.moment(now)
    if title not in TITLES:
        raise Refused("unknown-title", _("This site does not offer this game."))
    campaign = Campaign(
        public_id=keys.new_public_id(),
        title=title,
        founder=user,
        founded_at=at,
        digest_key_sealed=keys.seal(digest_key or keys.new_secret()),
        imported=imported,
    )
    describe_row(campaign, name, time_zone, visibility)
    _terms(campaign, scenario, options or {}, seed, of_record=imported)
    campaign.chance = _chance(campaign, chance)
    campaign.amending = _amending(amending)
    campaign.sight = checked_sight(sight)
    vet(read(campaign.scenario))
    campaign.drawing = keep_drawing(campaign.game, read(campaign.scenario), drawing)
    alone = solo(campaign)
    if not alone and not programs:
        access.must_have_account(user)
    campaign.programs = programs
    campaign.lesson = GUIDED if lesson else ""
    campaign.save(force_insert=True)
    Membership.objects.create(
        campaign=campaign, user=user, role=Membership.Role.GAME_MASTER, since=at
    )
    _genesis(campaign, user, at, given, again)
    if chance == MANUAL:
        campaign = set_manual_dice(campaign, user, True, now=at)
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
    chance: str | None = None,
    amending: str | None = None,
    sight: str | None = None,
    now: datetime | None = None,
) -> Campaign:
    """Change the scenario or the options before the first move.

    This makes a new seed, a new commitment and a new beginning. `drawing` is the text of the
    scenario's own map; None keeps the present one, if it still fits. A user whose seat is not in
    the new scenario loses it, and its invitations end.
    """
    at = entries.moment(now)
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    if table.entries.filter(kind=LogEntry.Kind.MOVE).exists():
        raise Refused(
            "started", _("Once a campaign has started, its scenario and options cannot change.")
        )
    _terms(
        table,
        read(table.scenario) if scenario is None else scenario,
        log_selectors.terms(table)[1] if options is None else options,
    )
    if scenario is not None:
        vet(read(table.scenario))
    if chance is not None:
        table.chance = _chance(table, chance)
    if amending is not None:
        table.amending = _amending(amending)
    if sight is not None and checked_sight(sight) != table.sight:
        if (
            table.memberships.filter(until=None, role=Membership.Role.SEAT)
            .exclude(user=user)
            .exists()
        ):
            reason = _(
                "Someone has joined under the present rule for messages. Change the rule on the "
                "Messages page, where everyone is notified."
            )
            raise Refused("bad-sight", reason)
        table.sight = sight
    table.drawing = (
        _still_fits(table)
        if drawing is None
        else keep_drawing(table.game, read(table.scenario), drawing)
    )
    _genesis(table, user, at)
    seats = seat_keys(table)
    held = table.memberships.filter(until=None, role=Membership.Role.SEAT)
    for lost in held.exclude(seat__in=seats):
        lost.until = at
        lost.save(update_fields=["until"])
        log_seat_change(table, user, "left", lost.seat, lost.user_id, at)
    for seat in set(program_levels(table)).difference(seats):
        end_program(table, user, seat, at)
    table.invitations.filter(revoked_at=None).exclude(seat__in=["", *seats]).update(revoked_at=at)
    must_keep_a_master(table)
    return table


@transaction.atomic
def change_description(
    campaign: Campaign, user: Any, *, name: str, time_zone: str, visibility: str
) -> Campaign:
    """Change the name, the time zone or the visibility, at any time.

    They are not in the record.
    """
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    describe_row(table, name, time_zone, visibility)
    table.changes += 1
    table.public_changes += 1
    table.save()
    open_pages.changed(table)
    return table


def _alone(campaign: Campaign, user: Any, at: datetime) -> Campaign:
    """Seat a founder who plays alone, and make the first move if there is only one.

    A first move that has fields to fill in is left to the player.
    """
    (seat,) = seat_keys(campaign)
    table = entries.lock(campaign)
    seat_user(table, user, seat, "taken", user, at)
    open_now = [
        offer
        for offer in table.game.offers(positions.current(table), seat)
        if offer.refusal is None
    ]
    if len(open_now) == 1 and not open_now[0].fields:
        table = play(table, user, open_now[0].raw({}), table.last_sequence, now=at).campaign
    return table


def describe_row(campaign: Campaign, name: str, time_zone: str, visibility: str) -> None:
    """Set name, time zone and visibility of a row that may not have been saved.

    Raises `Refused`.
    """
    # A name that is longer than the present limit is valid until it is changed.
    kept = bool(campaign.name) and name == campaign.name
    if not is_name(name) and not kept:
        raise Refused(
            "bad-name",
            _("A campaign needs a name of at most %(most)s printable characters on one line.")
            % {"most": LONGEST_NAME},
        )
    try:
        ZoneInfo(time_zone)
    except (ValueError, OSError, LookupError):
        raise Refused("bad-time-zone", _("There is no such time zone.")) from None
    if visibility not in Campaign.Visibility.values:
        raise Refused(
            "bad-visibility", _("A campaign must be listed, unlisted, or for members only.")
        )
    campaign.name = name.strip()
    campaign.slug = slugify(name)[:60].strip("-")
    campaign.time_zone = time_zone
    campaign.visibility = visibility


MANUAL = "manual"
CHANCES = ("", *MIXES, MANUAL)
"""The choices of dice at founding.

The generator alone, with words, with a public draw, with both, or dice thrown elsewhere.
"""


def _chance(campaign: Campaign, chance: str) -> str:
    """Return what is mixed into the dice.

    Raises `Refused` for an unknown choice, and if turns do not open one by one.
    """
    if chance not in CHANCES:
        raise Refused("bad-chance", _("Choose how the dice are thrown."))
    if chance and not may_mix(campaign.title):
        raise Refused(
            "bad-chance",
            _(
                "In this game only the program can throw the dice. Everyone can check them "
                "afterwards."
            ),
        )
    return chance if chance in MIXES else ""


def _amending(amending: str) -> str:
    """Return the rule for amendments if it is known. Raises `Refused`."""
    if amending not in NEEDS:
        raise Refused(
            "bad-amending", _("Choose who must agree before the rules change during play.")
        )
    return amending


def may_mix(title: str) -> bool:
    """Return whether dice can be mixed in a title: only if turns open one by one, over weeks."""
    return not registry.has_board(title)


def _terms(
    campaign: Campaign,
    scenario: str | Mapping[str, Any],
    options: Mapping[str, Any],
    seed: str | None = None,
    *,
    of_record: bool = False,
) -> None:
    """Set scenario and options, which the title reads, and a new seed.

    The current edition of the rules applies, unless the options are those of a record (`of_record`)
    that names another.
    """
    game = campaign.game
    if RULES_EDITION in options and not of_record:
        raise MalformedRecord(f"options.{RULES_EDITION}", "only-in-records")
    campaign.edition = current_edition(game)
    try:
        campaign.scenario = canonical(_object(game, scenario))
        campaign.options = canonical(options)
        campaign.scenario.encode()
    except (TypeError, ValueError, RecursionError):
        raise MalformedRecord("scenario", _("is not a JSON value")) from None
    positions.setup(campaign)
    seed = seed or keys.new_secret()
    campaign.seed_sealed = keys.seal(seed)
    campaign.commitment = commitment(seed, game.last_link(positions.scenario(campaign)))


def _object(game: Title, scenario: str | Mapping[str, Any]) -> Any:
    """Return the scenario object.

    The campaign has its own copy, which later releases do not change.
    """
    return game.scenarios().get(scenario, scenario) if isinstance(scenario, str) else scenario


def _still_fits(table: Campaign) -> MapDrawing | None:
    """Return the present drawing if it fits the new scenario, otherwise None."""
    try:
        return keep_drawing(table.game, read(table.scenario), scenarios.text_of(table))
    except MalformedRecord:
        return None


def _genesis(
    campaign: Campaign,
    user: Any,
    at: datetime,
    given: Mapping[str, int] | None = None,
    again: bool = False,
) -> None:
    """Log the first entry, and write the rows of a campaign before its first move."""
    start = positions.setup(campaign)
    what = {
        "act": GENESIS.name,
        "format": campaign.game.format,
        "scenario": read(campaign.scenario),
        "options": read(campaign.options),
        "commitment": campaign.commitment,
        **({"edition": campaign.edition} if campaign.edition > 1 else {}),
        **({"drawing": campaign.drawing_id} if campaign.drawing_id else {}),
        **({"given": dict(given)} if given else {}),
        **({"again": True} if again else {}),
        **({"imported": True} if campaign.imported else {}),
        **({"lesson": True} if campaign.lesson else {}),
        **({"chance": campaign.chance} if campaign.chance else {}),
        **({"amending": campaign.amending} if campaign.amending != TWO_THIRDS else {}),
        **({"sight": campaign.sight} if campaign.sight != USUAL_SIGHT else {}),
    }
    entries.append(campaign, what, start, actor=user, at=at)
    campaign.save()
    entries.rebuild(campaign, positions.History(start, []))


# The life of a campaign: paused, resumed, abandoned, archived, copied.

COPY = gettext_lazy("%(name)s (copy)")
WITH_REASON = ("abandoned",)


def possible_life_acts(campaign: Campaign) -> list[str]:
    """Return the acts of a campaign's life that a game master may do now."""
    if campaign.suspended:
        return []
    if campaign.archived:
        return ["unarchived"]
    if campaign.abandoned:
        return ["revived", "archived"]
    if campaign.ended or not campaign.started:
        ways = [] if campaign.ended else ["abandoned"]
        return ways if campaign.lobby_open else [*ways, "archived"]
    return ["resumed" if campaign.paused else "paused", "abandoned"]


@transaction.atomic
def change_life(
    campaign: Campaign, user: Any, how: str, reason: str = "", *, now: datetime | None = None
) -> Campaign:
    """Pause, resume, abandon, revive, archive or unarchive a campaign. Each can be undone.

    Raises `NotNow` if the campaign's state does not allow it.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    if how not in LIFE.flags:
        raise Refused("unknown-act", _("There is no such action for a campaign."))
    if how not in possible_life_acts(table):
        raise NotNow("not-now", _("This is not possible in the present state of the campaign."))
    entries.must_be_visible(reason, pgettext("field", "Reason"))
    if how in WITH_REASON:
        reason = entries.checked_reason(reason)
    elif reason and not is_clean_text(reason, 1000):
        raise Refused(
            "bad-reason", _("A reason can have up to 1,000 characters, all of them printable.")
        )
    entries.append_act(
        table,
        user,
        {"act": LIFE.name, "how": how, **({"reason": reason.strip()} if reason.strip() else {})},
        now=at,
    )
    return table


@transaction.atomic
def copy_campaign(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Campaign:
    """Found a campaign with the same title, scenario and options, new dice, and no seat taken.

    The user is its game master.
    """
    access.must_be_host(campaign, user)
    room = LONGEST_NAME - len(COPY % {"name": ""})
    name = COPY % {"name": campaign.name[:room].rstrip()}
    terms = log_selectors.terms(campaign)
    try:
        drawn = scenarios.text_of(campaign)
        return found_campaign(
            user,
            campaign.title,
            name,
            *terms,
            campaign.time_zone,
            campaign.visibility,
            sight=campaign.sight,
            drawing=drawn,
            chance=campaign.chance,
            now=now,
        )
    # It was founded before the table had its present requirements.
    except MalformedRecord as wrong:
        raise Refused(
            "bad-scenario",
            _("The scenario of this campaign can no longer be used for a new campaign: %(why)s.")
            % {"why": wrong},
        ) from None


# The lobby: users apply for seats, and its own dice decide who chooses first.

LONGEST_WORDS = 2000
MOST_APPLICANTS = 50
MOST_TRIES = 5


@transaction.atomic
def open_lobby(
    campaign: Campaign,
    user: Any,
    words: str = "",
    *,
    seed: str | None = None,
    now: datetime | None = None,
) -> Lobby:
    """Open the lobby. The commitment of its dice is public before the first user applies.

    A `seed` known beforehand is for tests; no page passes one.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    must_have_company(table)
    if table.started or table.abandoned or table.archived:
        raise NotNow("started", _("A lobby can be opened only before the campaign starts."))
    if table.lobby_open:
        raise NotNow("open", _("The lobby is already open."))
    if not free_seats(table):
        raise NotNow("full", _("All seats are taken, so there is nothing to apply for."))
    seed = seed or keys.new_secret()
    bound = commitment(seed, 0)
    lobby = Lobby.objects.create(
        campaign=table,
        words=_words(words),
        seed_sealed=keys.seal(seed),
        commitment=bound,
        opened_at=at,
    )
    entries.append_act(
        table, user, {"act": LOBBY.name, "how": "opened", "commitment": bound}, now=at
    )
    return lobby


@transaction.atomic
def change_lobby_text(campaign: Campaign, user: Any, words: str) -> Lobby:
    """Change the game master's text above the open lobby."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    lobby = _open(table)
    lobby.words = _words(words)
    lobby.save(update_fields=["words"])
    return lobby


@transaction.atomic
def apply_for_seat(
    campaign: Campaign, user: Any, wishes: Sequence[str], *, now: datetime | None = None
) -> Application:
    """Apply for these seats, the preferred one first.

    A second application changes the wishes and keeps the place in the order.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    if not access.may_see(table, user):
        raise NoSuchCampaign
    access.must_have_account(user)
    lobby = _open(table)
    wanted = list(wishes)
    if not wanted or len(set(wanted)) < len(wanted) or not set(wanted) <= set(seat_keys(table)):
        raise Refused("bad-wishes", _("Choose at least one seat, and no seat twice."))
    if table.memberships.filter(user=user, role=Membership.Role.SEAT, until=None).exists():
        raise Refused("seated", _("You already have a seat here."))
    _may_play(table, user)
    mine = lobby.applications.filter(user=user)
    mine_now = mine.filter(withdrawn_at=None).first()
    if mine_now is not None:
        mine_now.preferences, mine_now.changed_at = wanted, at
        mine_now.save(update_fields=["preferences", "changed_at"])
        return mine_now
    if mine.count() >= MOST_TRIES:
        raise Refused(
            "too-often",
            _("You have applied and withdrawn %(n)s times. Ask the game master for an invitation.")
            % {"n": MOST_TRIES},
        )
    if applicants(lobby).count() >= MOST_APPLICANTS:
        raise Refused(
            "full",
            _("The lobby is full: %(n)s people have already applied.") % {"n": MOST_APPLICANTS},
        )
    application = Application.objects.create(
        lobby=lobby, user=user, preferences=wanted, applied_at=at, changed_at=at
    )
    entries.append_act(table, user, {"act": LOBBY.name, "how": "applied", "user": user.pk}, now=at)
    return application


@transaction.atomic
def withdraw_application(campaign: Campaign, user: Any, *, now: datetime | None = None) -> None:
    """Withdraw the user's application. This function is idempotent.

    A user who applies again is last in the order.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    lobby = _open(table)
    if applicants(lobby).filter(user=user).update(withdrawn_at=at):
        entries.append_act(
            table, user, {"act": LOBBY.name, "how": "withdrew", "user": user.pk}, now=at
        )


@transaction.atomic
def draw_seats(campaign: Campaign, user: Any, *, now: datetime | None = None) -> dict[str, Any]:
    """Close the lobby and seat the applicants by its dice; return the content of the entry.

    Applicants without a seat are put in the reserve.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    lobby = _open(table)
    seated = table.memberships.filter(role=Membership.Role.SEAT, until=None).values("user")
    people = list(
        applicants(lobby)
        .exclude(user__in=seated)
        .filter(user__is_active=True)
        .select_related("user")
    )
    # In one language for every user. Otherwise the user who draws could choose between two orders
    # by choosing a language.
    with use_language(FIRST):
        names = positions.seats(table)
    free = sorted(free_seats(table), key=lambda seat: (names[seat].casefold(), seat))
    seed = keys.unseal(lobby.seed_sealed)
    drawn = draw_lots(
        seed, [(application.user_id, application.preferences) for application in people], free
    )
    lobby.closed_at = at
    lobby.save(update_fields=["closed_at"])
    what = {
        "act": LOBBY.name,
        "how": "drawn",
        "commitment": lobby.commitment,
        "seed": seed,
        "free": free,
        "applications": [
            {"user": application.user_id, "wishes": application.preferences}
            for application in people
        ],
        "order": drawn,
    }
    entries.append_act(table, user, what, now=at)
    users = {application.user_id: application.user for application in people}
    for lot in drawn:
        if lot["seat"]:
            seat_user(table, user, lot["seat"], "drawn", users[lot["user"]], at)
    waits = set(handover.waiting_members(table).values_list("user_id", flat=True))
    for lot in drawn:
        if not lot["seat"] and lot["user"] not in waits:
            handover.put_in_reserve(table, user, users[lot["user"]], at)
    return what


def draw_lots(
    seed: str, applications: Sequence[tuple[int, Sequence[str]]], free: Sequence[str]
) -> list[dict[str, Any]]:
    """Return the users in the order in which the dice draw them, each with a seat ("" for none).

    `applications` are in their order, `free` in the alphabet's. `lobby/order/1` is a d(n) over all
    of them, `lobby/order/2` a d(n-1) over the rest, and so on. Each user gets the first seat of
    their list that is free, otherwise the first free seat.
    """
    dice, left, open_seats, seated = Dice(0, seed=seed), list(applications), list(free), []
    for place in range(1, len(applications) + 1):
        purpose, sides = f"lobby/order/{place}", len(left)
        value = dice.roll(purpose, sides, 0)
        who, wishes = left.pop(value - 1)
        seat = next(
            (wish for wish in wishes if wish in open_seats), open_seats[0] if open_seats else ""
        )
        if seat:
            open_seats.remove(seat)
        seated.append(
            {"purpose": purpose, "sides": sides, "value": value, "user": who, "seat": seat}
        )
    return seated


def current_lobby(campaign: Campaign) -> Lobby | None:
    """Return the open lobby; None if there is none."""
    return campaign.lobbies.filter(closed_at=None).first()


def last_draw(campaign: Campaign) -> LogEntry | None:
    """Return the entry of the last draw; None if there was none."""
    return campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=LOBBY.name, how="drawn").last()


def applicants(lobby: Lobby) -> Any:
    """Return the present applications, in their order."""
    return lobby.applications.filter(withdrawn_at=None).order_by("applied_at", "pk")


def is_proven_draw(drawing: Mapping[str, Any]) -> bool:
    """Return whether seed, commitment and result of a draw's entry fit together."""
    applications = [
        (application["user"], application["wishes"]) for application in drawing["applications"]
    ]
    bound = commitment(drawing["seed"], 0) == drawing["commitment"]
    return bound and draw_lots(drawing["seed"], applications, drawing["free"]) == drawing["order"]


def replace_words(lobby: Lobby, words: str) -> None:
    """Replace a removed text of a lobby by the sentence that says that it was removed."""
    Lobby.objects.filter(pk=lobby.pk).update(words=words)


def _open(table: Campaign) -> Lobby:
    """Return the open lobby. Raises `NotNow`."""
    lobby = current_lobby(table)
    if lobby is None:
        raise NotNow("closed", pgettext("error", "The lobby is closed."))
    return lobby


def _words(words: str) -> str:
    """Return the stripped text of a lobby. Raises `Refused`."""
    entries.must_be_visible(words, pgettext("field", "Words"))
    if words and not is_clean_text(words, LONGEST_WORDS):
        raise Refused(
            "bad-words",
            _("Up to %(most)s printable characters.") % {"most": LONGEST_WORDS},
        )
    return words.strip()


def _may_play(table: Campaign, user: Any) -> None:
    """Raise `Refused` if the only game master applies while hands are hidden.

    The draw would refuse it later.
    """
    masters = table.memberships.filter(role__in=Membership.MASTERS, until=None)
    seated = table.memberships.filter(role=Membership.Role.SEAT, until=None).values("user")
    alone = not masters.exclude(user=user).exclude(user__in=seated).exists()
    if (
        access.hides(table)
        and masters.filter(user=user).exists()
        and alone
        and not selectors.may_sole_master_play(table)
    ):
        raise Refused("no-master-left", _(ALONE))


# The rule for what the game master may read of messages between seats. It is chosen at founding,
# logged, and changed only in public.
#
# A message is read by the rule under which it was written, so a change opens no older messages
# (`talk.models.Message`).


def checked_sight(sight: str) -> str:
    """Return this rule if it is known. Raises `Refused`."""
    if sight not in SIGHTS:
        raise Refused("bad-sight", _("Choose which messages the game master reads."))
    return sight


@transaction.atomic
def change_sight(
    campaign: Campaign, user: Any, sight: str, *, now: datetime | None = None
) -> LogEntry:
    """Change the rule from now on, as the game master. Everyone at the table is notified."""
    table = entries.lock(campaign)
    if not access.must_be_host(table, user).chief:
        raise NotAllowed(
            "game-master-only", _("Only the game master may do this, not a co-game-master.")
        )
    if table.archived:
        raise NotNow(
            "archived",
            _(
                "This campaign is in the archive: you can read everything, but nothing can be "
                "added."
            ),
        )
    if checked_sight(sight) == table.sight:
        raise NotNow("so-already", _("This rule is already in force."))
    table.sight = sight
    table.save(update_fields=["sight"])
    campaign.sight = sight
    return entries.append_act(table, user, {"act": SIGHT.name, "how": sight}, now=now)
