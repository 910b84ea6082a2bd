"""The game master's remedies for an absent player (RULES 11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from battles import services as battles_services
from campaign import founding, services
from campaign.models import Membership
from engine.language import sentence
from games.contract.plain import RawMove
from games.kit.battle_words import battle_words
from web.absence_impact import NEXT_SLOT, SeatAbsence, impact_on_seat
from web.frame.table import TableContext
from web.moves.actions import ActionOutcome, attempt, make_move, preview_action
from web.moves.own_seats import OwnSeats, of_seat
from web.seats.forms import RemedyForm
from web.titles.contract import pages_of


class PlayersBattle(NamedTuple):
    """A running battle of the absent player."""

    number: int
    where: str
    other: str
    """The seat of the opponent; empty if there is none."""
    is_challenge: bool
    answers: bool
    """Whether the challenge waits for this seat."""
    forfeit: RawMove | None
    """The move that attributes the battle to the opponent."""
    is_solo: bool
    has_substitute: bool


@dataclass(frozen=True, slots=True)
class Remedies:
    """The remedies for one battle."""

    number: int
    where: str
    url: str
    chip: str
    own: OwnSeats | None
    has_substitute: bool
    solo: str
    """The state of the agreement: `agreed`, `possible`, or empty."""
    solo_text: str
    solo_rule: str
    forfeit: ActionOutcome | None
    forfeit_text: str
    answers: bool

    @property
    def is_solo(self) -> bool:
        """Whether the opponent plays the battle alone."""
        return self.solo == "agreed"

    @property
    def can_be_solo(self) -> bool:
        """Whether the opponent may play the battle alone."""
        return self.solo == "possible"


class Follower(NamedTuple):
    """A user who waits for a seat."""

    user: int
    name: str


@dataclass(frozen=True, slots=True)
class AbsenceActionsPage:
    """The remedies for a seat whose player is or may be absent."""

    seat: str
    name: str
    title: str
    holders: str
    absences: list[SeatAbsence]
    outcome: ActionOutcome | None
    slot_is_open: bool
    slot_is_to_come: bool
    clocks_text: str
    """A sentence about the deadlines while the campaign is paused; empty if there are none."""
    is_paused: bool
    has_begun: bool
    """Whether a battle of this player has begun. Before that, the rules allow no time-out."""
    reason: str
    followers: list[Follower]
    battles: list[Remedies]
    seen: int
    url: str
    desk_url: str
    nation_url: str
    seats_url: str

    @property
    def refused(self) -> bool:
        """Whether a remedy was refused."""
        return self.outcome is not None and bool(self.outcome.wrong)


def absence_actions_page(
    table: TableContext, seat: str, form: RemedyForm, outcome: ActionOutcome | None = None
) -> AbsenceActionsPage:
    """Return the page for a seat. `outcome` is a refused remedy."""
    battles, absences = players_battles(table, seat), impact_on_seat(table, seat)
    is_open = table.campaign.active_seat == seat
    duties = {duty.kind for absence in absences for duty in absence.duties}
    return AbsenceActionsPage(
        seat=seat,
        name=table.name_of(seat),
        title=title_text(table.name_of(seat), is_away=bool(absences)),
        holders=", ".join(table.holders(seat)),
        absences=absences,
        outcome=outcome,
        slot_is_open=is_open,
        slot_is_to_come=not is_open and NEXT_SLOT in duties,
        clocks_text=clocks_text(len(table.clocks)),
        is_paused="paused" not in founding.possible_life_acts(table.campaign),
        has_begun=any(not battle.is_challenge for battle in battles),
        reason=form.text_of("reason"),
        followers=[
            Follower(place.user_id, place.user.username)
            for place in table.places
            if place.role == Membership.Role.RESERVE
        ],
        battles=[battle_remedies(table, seat, battle) for battle in battles],
        seen=table.seen,
        url=table.url("remedies", seat),
        desk_url=table.url("desk"),
        nation_url=table.url("nation", seat),
        seats_url=table.url("seats"),
    )


def title_text(name: str, *, is_away: bool) -> str:
    """Return the heading of the page."""
    text = _("{name:The} {name:are|is} away") if is_away else _("If {name:the} {name:are|is} away")
    return sentence(text, name=name)


def clocks_text(clocks: int) -> str:
    """Return a sentence about the effect of a pause on deadlines; empty if there are none."""
    if not clocks:
        return ""
    text = ngettext(
        "%(n)s deadline stops and is extended by the length of the pause.",
        "%(n)s deadlines stop and are extended by the length of the pause.",
        clocks,
    )
    return text % {"n": clocks}


# The player's battles


def players_battles(table: TableContext, seat: str) -> list[PlayersBattle]:
    """Return the running battles of a seat."""
    battles = []
    for number, known in table.rows.contests.items():
        sides = {
            "attacker": known.get("attacker"),
            "defender": known.get("defender") or known.get("leader"),
        }
        side = next((side for side, holder in sides.items() if holder == seat), None)
        if known["status"] != "resolved" and side is not None:
            other = sides["defender" if side == "attacker" else "attacker"] or ""
            battles.append(players_battle(table, seat, number, side, other))
    return battles


def players_battle(
    table: TableContext, seat: str, number: int, side: str, other: str
) -> PlayersBattle:
    """Return a battle of a seat; `side` is attacker or defender."""
    known = table.rows.contests[number]
    forms = pages_of(table.title.key).battle_forms
    is_challenge = known["status"] == "challenged"
    return PlayersBattle(
        number=number,
        where=battle_words(table.title).where(table.scenario, known),
        other=other,
        is_challenge=is_challenge,
        answers=is_challenge and known.get("defender") == seat,
        forfeit=forms.result_move(number, {"by": "forfeit", "side": side}) if forms else None,
        is_solo=table.solo_battles.get(number) == seat,
        has_substitute=(number, seat) in table.substitutes,
    )


def battle_remedies(table: TableContext, seat: str, battle: PlayersBattle) -> Remedies:
    """Return the remedies for a battle."""
    rival = ", ".join(table.holders(battle.other)) if battle.other else ""
    solo, solo_text, solo_rule = solo_state(battle, rival)
    other_name = table.name_of(battle.other) if battle.other else ""
    return Remedies(
        number=battle.number,
        where=battle.where,
        url=table.url("battle", battle.number),
        chip=chip(battle),
        own=of_seat(table, seat, battle.other),
        has_substitute=battle.has_substitute,
        solo=solo,
        solo_text=solo_text,
        solo_rule=solo_rule,
        forfeit=preview_action(table, battle.forfeit) if battle.forfeit is not None else None,
        forfeit_text=forfeit_text(other_name),
        answers=battle.answers,
    )


def chip(battle: PlayersBattle) -> str:
    """Return the remedy in force; empty if there is none."""
    if battle.is_solo:
        return _("solo")
    return _("substitute") if battle.has_substitute else ""


def solo_state(battle: PlayersBattle, rival: str) -> tuple[str, str, str]:
    """Return whether the opponent may play the battle alone, a sentence, and the rule."""
    if battle.is_solo:
        return (
            "agreed",
            _("You have allowed solo play. You will rule on the result that the opponent claims."),
            "",
        )
    if battle.is_challenge:
        return "", _("The challenge has not been answered yet."), "7.8"
    if not rival:
        return "", _("No one holds the seat on the other side."), ""
    text = _(
        "%(rival)s fights the battle against the computer. The log, the battle’s page and its "
        "report show this. You rule on the result they claim. Both players are notified."
    )
    return "possible", text % {"rival": rival}, ""


def forfeit_text(other: str) -> str:
    """Return a text with the winner of a battle that is attributed to the opponent."""
    if not other:
        return _("award it to the other side")
    return sentence(_("award it to {other:the}"), other=other)


# The acts


def do_remedy(table: TableContext, seat: str, do: str, form: RemedyForm) -> ActionOutcome:
    """Do the act of the form: `time-out`, `replace`, `forfeit`, `solo` or `both`."""
    posted = form.data
    if do == "time-out":
        reason = form.text_of("reason")
        pause = partial(services.change_life, table.campaign, table.user, "paused", reason)
        return confirmed(
            table.request,
            attempt(table, without_seen(pause), posted),
            pgettext("seats", "The campaign is paused."),
        )
    if do == "replace":
        return replace_player(table, seat, form)
    number = form.number_of("battle")
    known = {battle.number: battle for battle in players_battles(table, seat)}
    battle = known.get(number) if number is not None else None
    if battle is None:
        raise Http404
    if do == "forfeit" and battle.forfeit is not None:
        return make_move(table, battle.forfeit, posted)
    if do == "solo":
        act = partial(battles_services.agree_solo, table.campaign, table.user, battle.number, seat)
    elif do == "both":
        act = partial(battles_services.end_solo, table.campaign, table.user, battle.number)
    else:
        raise Http404
    outcome = attempt(table, without_seen(act), posted)
    return confirmed(table.request, outcome, _("Logged. Both sides have been notified."))


def without_seen(act: Callable[[], object]) -> Callable[..., object]:
    """Return an act for `attempt` that ignores which entries the reader has seen."""

    def ignoring_seen(*, seen: int) -> object:
        return act()

    return ignoring_seen


def confirmed(request: HttpRequest, outcome: ActionOutcome, text: str) -> ActionOutcome:
    """Add a message for the reader if the act was done, and return the act."""
    if outcome.done:
        messages.success(request, text)
    return outcome


def replace_player(table: TableContext, seat: str, form: RemedyForm) -> ActionOutcome:
    """Attribute the chosen battles to the opponents, free the seat, and give it to a user."""
    moves = [
        battle.forfeit
        for battle in players_battles(table, seat)
        if battle.forfeit is not None and battle.number in form.forfeited
    ]
    successor = form.number_of("person")
    if form.text_of("person") and successor is None:
        return ActionOutcome(wrong=_("This person is not a member of the campaign."))
    act = partial(services.replace_holder, table.campaign, table.user, seat, successor, moves)
    text = sentence(_("The seat of {name:the} has a new holder."), name=table.name_of(seat))
    return confirmed(table.request, attempt(table, act, form.data), text)
