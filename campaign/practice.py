"""Programs at the table: they move as people do, and the worker makes their moves.

In practice and in other games for one person among programs (`Campaign.programs`), no clock runs,
no one is notified, and the model decides battles unless they are entered by hand. In every other
campaign a program may hold a free seat (`campaign.seats.seating`, `Campaign.seat_programs`): it
moves for this seat alone, its moves have no actor, and people decide the battles.
"""

from __future__ import annotations

import hashlib
import hmac
import logging
from collections.abc import Callable, Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime
from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext_lazy

from campaign import access, automatic_moves, founding, hooks, keys, scenarios, services, status
from campaign.clocks import services as clocks_services
from campaign.clocks.selectors import KINDS
from campaign.errors import NotAllowed, NotNow, Refused, TableError
from campaign.founding import GUIDED, LEFT
from campaign.log import entries, positions, selectors
from campaign.log.agreements import must_have_agreement
from campaign.models import GAME_MASTER, AccessLogEntry, Campaign, LogEntry
from campaign.pulse import error_places
from campaign.seats import seating, standing_orders
from campaign.seats import selectors as seats_selectors
from campaign.seats.seating import seat_players, solo
from campaign.seats.selectors import program_levels
from engine.effects import Phrase
from engine.errors import IllegalMove, MalformedRecord
from engine.strict_json import as_stored
from games.contract.players import (
    Lesson,
    Opponents,
    Progress,
    SeatPlayers,
    WithReasons,
    progress,
)
from games.contract.title import Title, current_edition
from games.registry import TITLES

logger = logging.getLogger(__name__)
MODEL, HAND = "model", "hand"
"""How the person's battles are decided: by the model, or entered after they were fought."""
MOVES = 60
"""The number of moves that programs make in one task."""
MISSES = 3
"""The number of times that a program chooses again because its move was not possible."""
FAULTS = (IllegalMove, AssertionError, ArithmeticError, AttributeError, LookupError, TypeError)
"""The errors of a program's choice, which must not stop the whole table."""
playing: ContextVar[bool] = ContextVar("playing", default=False)
"""Whether a program's move is being made."""


def model_decides(campaign: Campaign) -> bool:
    """Return whether the title's model decides the battles of the person among programs."""
    return campaign.programs is not None and campaign.programs["battles"] == MODEL


def opponents(title: str) -> Opponents | None:
    """Return the programs of a title that can play with one person; None if it has none."""
    players = TITLES[title].players if title in TITLES else None
    return players if isinstance(players, Opponents) else None


@transaction.atomic
def begin(
    user: Any,
    title: str,
    scenario: str | Mapping[str, Any],
    seat: str,
    level: str,
    battles: str = MODEL,
    *,
    levels: Mapping[str, str] | None = None,
    options: Mapping[str, Any] | None = None,
    name: str = "",
    drawing: str = "",
    time_zone: str = "UTC",
    seed: str | None = None,
    again: bool = False,
    lesson: bool = False,
) -> Campaign:
    """Found a campaign with programs, and begin it.

    The user is game master and holds one seat, or all seats of one player. Each other seat has a
    program of the level in `levels`, by default of `level`. No clock runs. Raises `Refused` for
    unknown values.
    """
    players = opponents(title)
    if players is None or level not in players.levels:
        raise Refused("unknown-level", _("Choose how well the programs play."))
    if battles not in (MODEL, HAND):
        raise Refused("unknown-battles", _("Choose how your battles are decided."))
    game = TITLES[title]
    known, terms = game.scenario(scenario), game.options(options or {})
    seats = [info.key for info in game.seats(known, terms)]
    if seat not in seats or len(seats) == 1:
        raise Refused("unknown-seat", _("Choose a nation."))
    own = seats_of_player(game, known, terms, seat, seats)
    wanted = {key: (levels or {}).get(key, level) for key in seats if key not in own}
    if not set(wanted.values()) <= set(players.levels):
        raise Refused("unknown-level", _("Choose how well the programs play."))
    programs = {"seats": wanted, "battles": battles}
    campaign = founding.found_campaign(
        user,
        title,
        name or _("Practice"),
        scenario,
        options or {},
        time_zone,
        drawing=drawing,
        programs=programs,
        seed=seed,
        again=again,
        lesson=lesson,
    )
    clocks_services.set_terms(campaign, user, dict.fromkeys(KINDS))
    for key in own:
        seating.take_seat_as_master(campaign, user, key)
    campaign.refresh_from_db()
    pages = TITLES[title].pages
    first = (
        {"by": GAME_MASTER, "move": "start"}
        if pages is None
        else pages.program_move(selectors.position(campaign))
    )
    spoken = automatic_moves.voice(campaign, user).speak(first or {}, program=True)
    services.play(campaign, user, spoken, selectors.seen(campaign, user), program=True)
    campaign.refresh_from_db()
    return campaign


def seats_of_player(
    game: Title, scenario: Any, options: Any, seat: str, seats: Sequence[str]
) -> list[str]:
    """Return all seats of the player who has this seat.

    With two players, each has two seats in the Roman Empire (12).
    """
    holders = game.rows(game.setup(scenario, options)).holders
    player = holders.get(seat, {}).get("player")
    return [
        key
        for key in seats
        if key == seat or (player is not None and holders.get(key, {}).get("player") == player)
    ]


def is_played_on(campaign: Campaign) -> bool:
    """Return whether programs hold seats of a campaign that is being played."""
    return (
        campaign.status == Campaign.Status.RUNNING
        and not campaign.parked
        and bool(campaign.programs or program_levels(campaign))
    )


def asked(campaign: Campaign, misses: int = 0) -> Callable[[Random], dict[str, Any]] | None:
    """Return the function that makes the move of the program that is to move.

    None if the table waits for a person, or if the campaign is not played.
    """
    if not is_played_on(campaign):
        return None
    return _asked(campaign, program_levels(campaign), misses)


def next_move(campaign: Campaign, misses: int = 0) -> dict[str, Any] | None:
    """Return the move that a program makes now.

    None if the table waits for a person or a die, or if the campaign is not played. `misses` is the
    number of choices that were not possible; after such choices the weakest program chooses, with
    other random numbers.
    """
    if (makes := asked(campaign, misses)) is None:
        return None
    use = f"programs/{misses}" if misses else "programs"
    chance = _chance(campaign, selectors.position(campaign), use)
    return None if chance is None else makes(chance)


def _asked(
    campaign: Campaign, held: Mapping[str, str], misses: int
) -> Callable[[Random], dict[str, Any]] | None:
    """Return the function that makes a program's next move; None if no program moves now."""
    players, position = opponents(campaign.title), selectors.position(campaign)
    if players is None:
        return None
    seats = campaign.programs["seats"] if campaign.programs else held
    if misses:
        seats = dict.fromkeys(seats, next(iter(players.levels)))
    if campaign.programs:
        return players.asks(position, seats, campaign.programs["battles"] == HAND)
    if isinstance(players, SeatPlayers):
        return players.plays(position, seats)
    return players.asks(position, seats, by_hand=True)


def advance(pk: int) -> bool:
    """Make the moves of programs until the table waits for a person.

    Returns whether more are left. A program whose move is not possible chooses again.
    """
    token, misses = playing.set(True), 0
    try:
        for _move in range(MOVES):
            campaign = Campaign.objects.select_related("founder").filter(pk=pk).first()
            if campaign is None:
                break
            try:
                if not _make_move(campaign, misses):
                    break
                misses = 0
            except TableError:
                # Another move came between, or the campaign was paused. The next entry starts it
                # again.
                break
            except FAULTS as error:
                misses += 1
                logger.error("A program in campaign %s failed: %s", pk, error_places(error))
                if misses > MISSES:
                    break
        else:
            return True
        settle(pk)
        return False
    finally:
        playing.reset(token)


def _make_move(campaign: Campaign, misses: int) -> bool:
    """Make the next move of a program; return False if the table waits for a person."""
    raw = next_move(campaign, misses)
    if raw is None:
        return False
    why = _reason(campaign, raw)
    if campaign.programs:
        spoken = automatic_moves.voice(campaign, campaign.founder).speak(raw, program=True)
        services.play(
            campaign,
            campaign.founder,
            spoken,
            selectors.seen(campaign, campaign.founder),
            program=True,
        )
    else:
        _move_for_seat(campaign, raw)
    if why is not None:
        _keep_reason(campaign, why)
    return True


def _reason(campaign: Campaign, raw: Mapping[str, Any]) -> Phrase | None:
    """Return the program's reason for a move, if the title can give it."""
    players = campaign.game.players
    return (
        players.reason(selectors.position(campaign), raw)
        if isinstance(players, WithReasons)
        else None
    )


def _keep_reason(campaign: Campaign, why: Phrase) -> None:
    """Store the reason with the program's move: the first move after the position that it saw.

    The reason is only shown to readers: no hash covers it.
    """
    later = LogEntry.objects.filter(
        campaign=campaign.pk, kind=LogEntry.Kind.MOVE, sequence__gt=campaign.last_sequence
    )
    entry = later.order_by("sequence").first()
    if entry is not None:
        LogEntry.objects.filter(pk=entry.pk).update(why=as_stored(why.to_json()))


def _move_for_seat(campaign: Campaign, raw: Mapping[str, Any]) -> None:
    """Make a program's move for a seat among people. Standing orders may answer the move.

    An automatic move belongs to no seat. In the record it is the game master's move. In the log it
    has no actor, so that it is not an act of a game master who plays, too. Raises the errors of a
    move.
    """
    at = timezone.now()
    with transaction.atomic():
        table = entries.lock(campaign)
        if table.last_hash != campaign.last_hash:
            return  # Another entry came between; the program chooses again.
        status.must_be_played(table, by_master=False)
        entries.must_not_wait(table)
        position = positions.current(table)
        seat = {} if raw["by"] == GAME_MASTER else {"for": raw["by"]}
        move = entries.allowed_move(table, position, {**raw, "by": GAME_MASTER, **seat})
        must_have_agreement(table, position, move.to_json())
        announced = entries.announce(
            table, None, position, move, positions.dice(table, new=True), at
        )
        if announced.refused is not None and not any(
            receipt.rolls for receipt in announced.receipts
        ):
            raise announced.refused
        entries.save_campaign(table, announced.position)
        if announced.entries[-1].is_move:
            standing_orders.carry_out_at_once(table, announced.entries[-1], position, at)


@transaction.atomic
def settle(pk: int) -> None:
    """Log which battles are played solo because programs hold seats among people."""
    campaign = (
        Campaign.objects.filter(pk=pk, status=Campaign.Status.RUNNING, programs__isnull=True)
        .filter(seat_programs__isnull=False)
        .first()
    )
    if campaign is not None and program_levels(campaign):
        hooks.programs_changed(entries.lock(campaign), timezone.now())


def suggest(campaign: Campaign, user: Any, seat: str, level: str) -> dict[str, Any]:
    """Return a standing order as a program would give it to a seat now; nothing is saved.

    It reads the seat's hand. A game master may ask for it while the holder is away, if they have
    opened this hand; that is logged for its holder. Raises `NotAllowed`, `NotNow`, `Refused`.
    """
    who = access.access_of(campaign, user)
    players = seat_players(campaign.title)
    if seat not in who.seats:
        gone = [
            away
            for place in selectors.held(campaign)
            if place.seat == seat and (away := seats_selectors.absence_of(place))
        ]
        if not who.game_master or not any(absence.begun for absence in gone):
            raise NotAllowed(
                "not-your-seat",
                _(
                    "Only the holder of a seat can ask for this, or the game master while the "
                    "holder is away."
                ),
            )
        if access.hides(campaign) and not who.opens(seat):
            raise NotAllowed(
                "closed-hand",
                _(
                    "You have not opened this hand. Open it first; its holder will see that you "
                    "did."
                ),
            )
        services.log_access(campaign, user, seat, AccessLogEntry.Way.ORDERS)
    if (
        not isinstance(players, SeatPlayers)
        or campaign.programs
        or campaign.status not in (Campaign.Status.RUNNING, Campaign.Status.PAUSED)
    ):
        raise NotNow("no-programs", _("No program can suggest a move here at present."))
    if level not in players.levels:
        raise Refused("unknown-level", _("Choose how well the program plays."))
    chance = _chance(campaign, selectors.position(campaign), f"suggestion/{seat}")
    if chance is None:
        raise NotNow(
            "not-mixed",
            _("The dice of this turn are still waiting for words or a draw: see the Dice page."),
        )
    return players.suggest_order(selectors.position(campaign), seat, level, chance)


def waits(campaign: Campaign) -> bool:
    """Return whether the table waits for a program."""
    return next_move(campaign) is not None


def tick(now: datetime, most: int) -> int:
    """Make the moves of programs that no worker makes, as part of the pulse."""
    done = 0
    for campaign in campaigns_of_pulse(now, 20 * most):
        if done >= most:
            break
        if waits(campaign):
            advance(campaign.pk)
            done += 1
        else:
            settle(campaign.pk)
    return done


def campaigns_of_pulse(now: datetime, most: int) -> list[Campaign]:
    """Return the campaigns at which the pulse looks now: the newest, and some of the others.

    The others take turns from minute to minute, so that no campaign is left out.
    """
    rows = (
        Campaign.objects.filter(status=Campaign.Status.RUNNING)
        .exclude(programs__isnull=True, seat_programs__isnull=True)
        .order_by("-pk")
    )
    newest = most // 2
    older = max(rows.count() - newest, 0)
    turns = -(-older // newest) or 1
    first = newest + int(now.timestamp() // 60) % turns * newest
    return [*rows[:newest], *rows[first : first + newest]]


def _chance(campaign: Campaign, position: Any, use: str) -> Random | None:
    """Return the random numbers of programs and of the battle model for one use.

    They follow from the number of entries and from the key of the turn's dice: the link of the
    chain in force, with the turn's mixture. So no one can predict them before the link is
    published, and everyone can check them afterwards. None while the turn waits for its mixture.
    """
    turn = getattr(position, "turn", campaign.turn)  # A title may use another name for it.
    key = positions.turn_key(campaign, turn)
    if key is None:
        return None
    message = f"{use}/{turn}/{campaign.last_number}"
    seed = hmac.new(bytes.fromhex(key), message.encode(), hashlib.sha256).hexdigest()
    return Random(seed)  # noqa: S311  # everyone can compute it again


# A campaign that one person has played to its end, alone or with programs, can begin again.

SAME_DICE = pgettext_lazy("name of a campaign", "%(name)s (same dice)")


def may_begin_again(campaign: Campaign) -> bool:
    """Return whether one person has played this campaign to its end, except lessons."""
    return campaign.ended and not campaign.lesson and (bool(campaign.programs) or solo(campaign))


def may_repeat_dice(campaign: Campaign) -> bool:
    """Return whether the campaign can begin again with its own dice.

    It cannot if dice came from elsewhere, or if a newer edition of the rules applies.
    """
    return (
        may_begin_again(campaign)
        and not campaign.imported
        and not campaign.entered_dice
        and not campaign.chance
        and campaign.edition == current_edition(campaign.game)
    )


@transaction.atomic
def begin_again(campaign: Campaign, user: Any, *, same_dice: bool) -> Campaign:
    """Found a campaign with the terms of another that its game master has played to its end.

    It has the same scenario, options, map and seats, and the same programs at the same levels. With
    the same dice, the first hands, events and throws are the same, and the same moves have the same
    consequences. The seed is public by then, so the log says that the dice were known, and
    the campaign counts nowhere. Raises `Refused` if the campaign cannot begin again in this way.
    """
    access.must_be_host(campaign, user)
    allowed = may_repeat_dice(campaign) if same_dice else may_begin_again(campaign)
    if not allowed:
        raise Refused(
            "not-again",
            _(
                "You can begin a campaign again only if you have played it to its end, alone or "
                "with programs. You can use the same dice only if they were its own dice."
            ),
        )
    scenario, options = selectors.terms(campaign)
    seed = keys.unseal(campaign.seed_sealed) if same_dice else None
    name, drawing = _name_again(campaign.name, same_dice=same_dice), scenarios.text_of(campaign)
    try:
        if not campaign.programs:
            return founding.found_campaign(
                user,
                campaign.title,
                name,
                scenario,
                options,
                campaign.time_zone,
                drawing=drawing,
                seed=seed,
                again=same_dice,
            )
        levels: Mapping[str, str] = campaign.programs["seats"]
        return begin(
            user,
            campaign.title,
            scenario,
            next(key for key in seating.seat_keys(campaign) if key not in levels),
            next(iter(levels.values())),
            campaign.programs["battles"],
            levels=levels,
            options=options,
            name=name,
            drawing=drawing,
            time_zone=campaign.time_zone,
            seed=seed,
            again=same_dice,
        )
    # It was founded before the table had its present requirements.
    except MalformedRecord as wrong:
        text = _("The scenario of this campaign can no longer be used for a new campaign: %(why)s.")
        raise Refused("bad-scenario", text % {"why": wrong}) from None


def _name_again(name: str, *, same_dice: bool) -> str:
    """Return the name of a campaign that begins again; it says whether the dice are the same."""
    suffix = str(SAME_DICE) % {"name": ""}
    plain = name.removesuffix(suffix)
    return plain[: scenarios.LONGEST_NAME - len(suffix)] + suffix if same_dice else plain


# Lessons: guided first games, which count nowhere. The title gives the steps
# (`games.contract.players`).
#
# The progress of a lesson is not stored: it follows from the log, so that undoing a move undoes its
# step. `Campaign.lesson` says that a campaign is a lesson, and whether its learner has left the
# guide.

__all__ = [
    "GUIDED",
    "LEFT",
    "begin",
    "guide",
    "lesson_of",
    "progress_of",
]


def begin_lesson(user: Any, title: str, time_zone: str = "UTC") -> Campaign:
    """Found the lesson of a title with the user as learner and programs in the other seats.

    Raises `Refused` if the title has no lesson.
    """
    lesson = TITLES[title].lesson if title in TITLES else None
    if lesson is None:
        raise Refused("no-lesson", _("There is no lesson for this game."))
    name = lesson.texts.text("name")
    if lesson.seat:
        return begin(
            user,
            title,
            lesson.scenario,
            lesson.seat,
            lesson.level,
            options=lesson.options,
            name=name,
            time_zone=time_zone,
            seed=lesson.seed,
            lesson=True,
        )
    return services.found_campaign(
        user, title, name, lesson.scenario, lesson.options, time_zone, seed=lesson.seed, lesson=True
    )


def lesson_of(campaign: Campaign) -> Lesson | None:
    """Return the lesson of this campaign; None if it is not a lesson."""
    return campaign.game.lesson if campaign.lesson and campaign.title in TITLES else None


def progress_of(
    campaign: Campaign,
    user: Any,
    position: Any,
    page: str = "",
    planned: Sequence[Mapping[str, Any]] = (),
) -> Progress | None:
    """Return the learner's progress, planned moves included; None if it is not a lesson."""
    lesson = lesson_of(campaign)
    if lesson is None:
        return None
    seats = {lesson.seat} if lesson.seat else set(access.access_of(campaign, user).seats)
    own = [
        told_move.move
        for told_move in selectors.moves_on_page(campaign, user)
        if told_move.seat in seats and told_move.move.get("by") != "gm"
    ]
    return progress(lesson, [*own, *planned], position, page)


@transaction.atomic
def guide(campaign: Campaign, user: Any, how: str) -> Campaign:
    """Leave the guide, or take it up again, as the learner."""
    table = entries.lock(campaign)
    access.must_be_host(table, user)
    if not table.lesson or how not in (GUIDED, LEFT):
        raise Refused("no-lesson", _("This campaign is not a lesson."))
    table.lesson = how
    table.save(update_fields=["lesson"])
    return table
