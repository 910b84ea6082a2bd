"""Founding a campaign, and changing its terms until it starts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.utils.text import slugify
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from campaign import access, keys, open_pages, scenarios
from campaign.dice.selectors import MIXES
from campaign.dice.services import throw_by
from campaign.errors import NoSuchCampaign, NotAllowed, NotNow, Refused
from campaign.log import entries, positions
from campaign.log import selectors as log_selectors
from campaign.log.acts.life import LIFE
from campaign.log.acts.seats import LOBBY
from campaign.log.acts.undo import GENESIS
from campaign.log.acts.words import SIGHT, SIGHTS
from campaign.log.door import play
from campaign.models import Application, Campaign, Lobby, LogEntry, MapDrawing, Membership
from campaign.rulebook import NEEDS, TWO_THIRDS
from campaign.scenarios import LONGEST_NAME as LONGEST
from campaign.scenarios import is_name, keep_drawing, vet
from campaign.seats import handover, selectors
from campaign.seats.seating import (
    ALONE,
    free_seats,
    keep_a_master,
    must_have_company,
    note,
    seat_keys,
    sit,
    solo,
)
from engine.dice import Dice, commitment
from engine.errors import MalformedRecord
from engine.language import FIRST, reading_in
from engine.strict_json import canonical, clean_text, read
from games import registry
from games.contract.title import RULES_EDITION, Title, current_edition
from games.registry import TITLES

LONGEST_NAME = LONGEST
GUIDED, LEFT = "guided", "left"
"""A lesson that leads through its steps; one whose guide the learner has left
(`Campaign.lesson`).
"""
SIGHT_ALL, SIGHT_REPORTED, SIGHT_ADDRESSED = "all", "reported", "addressed"
USUAL_SIGHT = SIGHT_REPORTED
"""What the game master reads of the messages between seats."""


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
    programs: str = "",
    lesson: bool = False,
    now: datetime | None = None,
) -> Campaign:
    """A new campaign with the user as its game master: nobody seated, the genesis entry written.

    Where the user plays alone they are seated at once, and what can only begin has begun.

    `scenario` is the key of a shipped one or a scenario object; `drawing` the text of its map,
    where it has one of its own. A `seed` that is known beforehand is for demonstrations, tests and
    records; no form passes one. `given` are dice that fell before it was founded, of a record:
    nothing begins by itself then. `again` says that its founder has seen these dice fall in another
    campaign, which keeps it out of the hall of fame; so does `imported`, for a record may bring
    dice that somebody chose. A `lesson` says so in its first entry and counts nowhere. `digest_key`
    is a secret under which digests of its positions have been made. Raises `MalformedRecord` with
    the key that is wrong in scenario, options or drawing, for the record or for the table
    (`vetting`), `Refused` for the rest.
    """
    at = entries.moment(now)
    if title not in TITLES:
        raise Refused("unknown-title", _("This game is not played here."))
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
    campaign.sight = a_sight(sight)
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
        campaign = throw_by(campaign, user, True, now=at)
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
    """Another scenario or other options, before the first move: a new seed, a new commitment, a new
    beginning.

    `drawing` is the text of the scenario's own map; None leaves the one there is, if it still fits,
    for a map goes with its land. Who holds a seat that the new scenario has not leaves it, and its
    invitations end.
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
    if sight is not None and a_sight(sight) != table.sight:
        if (
            table.memberships.filter(until=None, role=Membership.Role.SEAT)
            .exclude(user=user)
            .exists()
        ):
            reason = _(
                "Somebody has joined under the rule for messages. Change it on the page Talk:"
                " everybody is notified."
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
        note(table, user, "left", lost.seat, lost.user_id, at)
    table.invitations.filter(revoked_at=None).exclude(seat__in=["", *seats]).update(revoked_at=at)
    keep_a_master(table)
    return table


@transaction.atomic
def describe(
    campaign: Campaign, user: Any, *, name: str, time_zone: str, visibility: str
) -> Campaign:
    """Another name, time zone or visibility, at any time. No part of the record."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    describe_row(table, name, time_zone, visibility)
    table.changes += 1
    table.public_changes += 1
    table.save()
    open_pages.changed(table)
    return table


def _alone(campaign: Campaign, user: Any, at: datetime) -> Campaign:
    """Seat a founder who plays alone, and say for them the one thing that can be said, if it leaves
    no choice.
    """
    (seat,) = seat_keys(campaign)
    table = entries.lock(campaign)
    sit(table, user, seat, "taken", user, at)
    open_now = [
        offer
        for offer in table.game.offers(positions.current(table), seat)
        if offer.refusal is None
    ]
    if len(open_now) == 1 and not open_now[0].fields:
        table = play(table, user, open_now[0].raw({}), table.last_sequence, now=at).campaign
    return table


def describe_row(campaign: Campaign, name: str, time_zone: str, visibility: str) -> None:
    """What a campaign is called and who finds it, on a row that may not have been saved. Raises
    `Refused`.
    """
    kept = (
        bool(campaign.name) and name == campaign.name
    )  # given when names might be longer, it stands until it is changed
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
        raise Refused("bad-visibility", _("A campaign is listed, unlisted or for members only."))
    campaign.name = name.strip()
    campaign.slug = slugify(name)[:60].strip("-")
    campaign.time_zone = time_zone
    campaign.visibility = visibility


MANUAL = "manual"
CHANCES = ("", *MIXES, MANUAL)
"""How chance may come about: the generator alone, with words, with a public draw, with both, or
dice thrown elsewhere.
"""


def _chance(campaign: Campaign, chance: str) -> str:
    """What is mixed into the dice. Raises `Refused` for what is not offered, and where turns do not
    open one by one.
    """
    if chance not in CHANCES:
        raise Refused("bad-chance", _("Choose how the dice are thrown."))
    if chance and not may_mix(campaign.title):
        raise Refused(
            "bad-chance", _("In this game the generator throws the dice, provable afterwards.")
        )
    return chance if chance in MIXES else ""


def _amending(amending: str) -> str:
    if amending not in NEEDS:
        raise Refused("bad-amending", _("Choose who must agree before rules change in play."))
    return amending


def may_mix(title: str) -> bool:
    """Can words and draws be waited for? Only where turns open one by one, over weeks."""
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
    """A shipped scenario is copied into the campaign, so that it stands whatever is shipped
    later.
    """
    return game.scenarios().get(scenario, scenario) if isinstance(scenario, str) else scenario


def _still_fits(table: Campaign) -> MapDrawing | None:
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
    """The entry that everything after hangs from, and the rows of a campaign before its
    first move.
    """
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


# A campaign's life: paused, resumed, abandoned, put into the archive, copied, begun again.

COPY = gettext_lazy(" (copy)")
WITH_REASON = ("abandoned",)


def possible(campaign: Campaign) -> list[str]:
    """What a game master may do now with the campaign's life, by the acts' names."""
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
def live(
    campaign: Campaign, user: Any, how: str, reason: str = "", *, now: datetime | None = None
) -> Campaign:
    """One act of a campaign's life: paused, resumed, abandoned, revived, archived or unarchived.
    Each can be taken back.

    Raises `NotNow` where the campaign stands so already or it makes no sense now.
    """
    table, at = entries.lock(campaign), entries.moment(now)
    access.must_be_host(table, user)
    if how not in LIFE.flags:
        raise Refused("unknown-act", _("A campaign cannot do this."))
    if how not in possible(table):
        raise NotNow(
            "not-now", _("This cannot be done now: the campaign is not in the state for it.")
        )
    entries.must_be_seen(reason, _("Reason"))
    if how in WITH_REASON:
        reason = entries.a_reason(reason)
    elif reason and not clean_text(reason, 1000):
        raise Refused(
            "bad-reason", _("A reason has up to 1,000 characters, all of which can be shown.")
        )
    entries.append_act(
        table,
        user,
        {"act": LIFE.name, "how": how, **({"reason": reason.strip()} if reason.strip() else {})},
        now=at,
    )
    return table


@transaction.atomic
def copy(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Campaign:
    """A new campaign with the same title, scenario and options, new dice, nobody seated; the user
    is its game master.
    """
    access.must_be_host(campaign, user)
    name = campaign.name[: LONGEST_NAME - len(str(COPY))].rstrip() + str(COPY)
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
    except MalformedRecord as wrong:  # founded before the table asked for more
        raise Refused(
            "bad-scenario", _("Its scenario cannot be founded any more: %(why)s.") % {"why": wrong}
        ) from None


@transaction.atomic
def again(campaign: Campaign, user: Any, *, now: datetime | None = None) -> Campaign:
    """Where one plays alone and it is over: the same beginning with the same dice, for other
    choices. Raises `Refused` where others play, before the end, and where dice were thrown
    elsewhere.
    """
    access.must_be_host(campaign, user)
    if not repeatable(campaign):
        raise Refused(
            "not-again",
            _(
                "Only a campaign that you played alone, to its end and with its own dice, can begin"
                " again this way."
            ),
        )
    terms, seed = log_selectors.terms(campaign), keys.unseal(campaign.seed_sealed)
    return found_campaign(
        user,
        campaign.title,
        campaign.name,
        *terms,
        campaign.time_zone,
        seed=seed,
        again=True,
        now=now,
    )


def repeatable(campaign: Campaign) -> bool:
    """May it be played `again`?"""
    return (
        solo(campaign)
        and campaign.ended
        and not campaign.lesson
        and campaign.given == "{}"
        and campaign.drawing_id is None
    )


# The lobby: people apply for seats, and dice of its own say who chooses first.

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
    """People may apply from now on; the commitment of the draw's dice is public before the first
    does.

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
def reword(campaign: Campaign, user: Any, words: str) -> Lobby:
    """Other words of the game master above the open lobby."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    lobby = _open(table)
    lobby.words = _words(words)
    lobby.save(update_fields=["words"])
    return lobby


@transaction.atomic
def apply(
    campaign: Campaign, user: Any, wishes: Sequence[str], *, now: datetime | None = None
) -> Application:
    """Apply with these seats, the best liked first; again, to wish otherwise, which keeps one's
    place in the order.
    """
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
        mine_now.preferences, mine_now.changed_at = canonical(wanted), at
        mine_now.save(update_fields=["preferences", "changed_at"])
        return mine_now
    if mine.count() >= MOST_TRIES:
        raise Refused(
            "too-often",
            _("You have applied and withdrawn %(n)s times. Ask the game master for an invitation.")
            % {"n": MOST_TRIES},
        )
    if applicants(lobby).count() >= MOST_APPLICANTS:
        raise Refused("full", _("%(n)s people have applied already.") % {"n": MOST_APPLICANTS})
    application = Application.objects.create(
        lobby=lobby, user=user, preferences=canonical(wanted), applied_at=at, changed_at=at
    )
    entries.append_act(table, user, {"act": LOBBY.name, "how": "applied", "user": user.pk}, now=at)
    return application


@transaction.atomic
def withdraw(campaign: Campaign, user: Any, *, now: datetime | None = None) -> None:
    """Take one's application back. Who applies again stands at the end. Twice is no error."""
    table, at = entries.lock(campaign), entries.moment(now)
    lobby = _open(table)
    if applicants(lobby).filter(user=user).update(withdrawn_at=at):
        entries.append_act(
            table, user, {"act": LOBBY.name, "how": "withdrew", "user": user.pk}, now=at
        )


@transaction.atomic
def draw(campaign: Campaign, user: Any, *, now: datetime | None = None) -> dict[str, Any]:
    """Close the lobby and seat people by its dice; who is left over goes on the reserve. What the
    entry says comes back.
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
    # In one language for everybody: whoever draws could choose between two orders by choosing their
    # language.
    with reading_in(FIRST):
        names = positions.seats(table)
    free = sorted(free_seats(table), key=lambda seat: (names[seat].casefold(), seat))
    seed = keys.unseal(lobby.seed_sealed)
    drawn = lots(seed, [(one.user_id, one.seats) for one in people], free)
    lobby.closed_at = at
    lobby.save(update_fields=["closed_at"])
    what = {
        "act": LOBBY.name,
        "how": "drawn",
        "commitment": lobby.commitment,
        "seed": seed,
        "free": free,
        "applications": [{"user": one.user_id, "wishes": one.seats} for one in people],
        "order": drawn,
    }
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


def lots(
    seed: str, applications: Sequence[tuple[int, Sequence[str]]], free: Sequence[str]
) -> list[dict[str, Any]]:
    """Whom the dice draw, in order, and which seat each gets; "" where none is left.

    `applications` stand in their order, `free` in the alphabet's. `lobby/order/1` is a d(n) over
    all of them, `lobby/order/2` a d(n-1) over the rest, and so on. The best still free seat of the
    list is given, else the first free.
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


def current(campaign: Campaign) -> Lobby | None:
    """The open lobby, if any."""
    return campaign.lobbies.filter(closed_at=None).first()


def last_draw(campaign: Campaign) -> LogEntry | None:
    """The entry of the last draw, with all that was drawn; None where there was none."""
    return campaign.entries.filter(kind=LogEntry.Kind.TABLE, act=LOBBY.name, how="drawn").last()


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
        raise Refused(
            "bad-words",
            _("Up to %(most)s characters, all of which can be shown.") % {"most": LONGEST_WORDS},
        )
    return words.strip()


def _may_play(table: Campaign, user: Any) -> None:
    """A game master alone with hidden hands is told when they apply, not when the dice have
    fallen.
    """
    masters = table.memberships.filter(role__in=Membership.MASTERS, until=None)
    seated = table.memberships.filter(role=Membership.Role.SEAT, until=None).values("user")
    alone = not masters.exclude(user=user).exclude(user__in=seated).exists()
    if (
        access.hides(table)
        and masters.filter(user=user).exists()
        and alone
        and not selectors.alone(table)
    ):
        raise Refused("no-master-left", _(ALONE))


# What the game master reads of the messages between seats: chosen at founding, in the log, changed
# only before everybody's eyes.
#
# A message is read by the rule under which it was written, so that a change opens nothing of before
# (`talk.models.Message`).


def a_sight(sight: str) -> str:
    """The rule of this name. Raises `Refused` where there is none."""
    if sight not in SIGHTS:
        raise Refused("bad-sight", _("Choose what the game master reads of the messages."))
    return sight


@transaction.atomic
def change_sight(
    campaign: Campaign, user: Any, sight: str, *, now: datetime | None = None
) -> LogEntry:
    """Another rule from now on, as an act of the log that everybody at the table is notified of.
    The game master's alone.
    """
    table = entries.lock(campaign)
    if not access.must_be_host(table, user).chief:
        raise NotAllowed(
            "game-master-only", _("Only the game master may do this, not a co-game-master.")
        )
    if table.archived:
        raise NotNow(
            "archived",
            _("This campaign is in the archive. Everything can be read; nothing can be added."),
        )
    if a_sight(sight) == table.sight:
        raise NotNow("so-already", _("This is the rule already."))
    table.sight = sight
    table.save(update_fields=["sight"])
    campaign.sight = sight
    return entries.append_act(table, user, {"act": SIGHT.name, "how": sight}, now=now)
