"""Build the page of what a game master may do about an absent player (RULES 11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from battles import services as battles_services
from campaign import founding, services
from campaign.models import Membership
from engine.language import sentence
from games.contract.plain import RawMove
from games.kit.battle_words import battle_words
from web.absence_impact import NEXT_SLOT, SeatAbsence, impact_on_seat
from web.frame.table import TableContext
from web.moves.deeds import Deed, attempt, consider, make_move
from web.moves.own_seats import OwnSeats, of_seat
from web.seats.forms import RemedyForm
from web.titles.contract import pages_of


class PlayersBattle(NamedTuple):
    """A battle of the absent player that runs."""

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
    """What can be done about one battle."""

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
    forfeit: Deed | None
    forfeit_text: str
    answers: bool

    @property
    def is_solo(self) -> bool:
        """Return whether the opponent plays the battle alone."""
        return self.solo == "agreed"

    @property
    def can_be_solo(self) -> bool:
        """Return whether the opponent may play the battle alone."""
        return self.solo == "possible"


class Follower(NamedTuple):
    """A user who waits for a seat."""

    user: int
    name: str


@dataclass(frozen=True, slots=True)
class AbsenceActionsPage:
    """The remedies for a seat whose player is away, or may be."""

    seat: str
    name: str
    title: str
    holders: str
    absences: list[SeatAbsence]
    deed: Deed | None
    slot_is_open: bool
    slot_is_to_come: bool
    clocks_text: str
    """What happens to the deadlines while the campaign is paused; empty if there are none."""
    is_paused: bool
    has_begun: bool
    """Whether a battle of this player has begun. Before that the rules allow no time-out."""
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
        """Return whether a remedy was refused."""
        return self.deed is not None and bool(self.deed.wrong)


def absence_actions_page(
    table: TableContext, seat: str, form: RemedyForm, deed: Deed | None = None
) -> AbsenceActionsPage:
    """Return the page for a seat. `deed` is the remedy that was refused."""
    battles, absences = players_battles(table, seat), impact_on_seat(table, seat)
    is_open = table.campaign.active_seat == seat
    duties = {duty.kind for absence in absences for duty in absence.duties}
    return AbsenceActionsPage(
        seat=seat,
        name=table.name_of(seat),
        title=title_text(table.name_of(seat), is_away=bool(absences)),
        holders=", ".join(table.holders(seat)),
        absences=absences,
        deed=deed,
        slot_is_open=is_open,
        slot_is_to_come=not is_open and NEXT_SLOT in duties,
        clocks_text=clocks_text(len(table.clocks)),
        is_paused="paused" not in founding.possible(table.campaign),
        has_begun=any(not battle.is_challenge for battle in battles),
        reason=form.typed("reason"),
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
    """Return what a pause does to the deadlines; empty if there are none."""
    if not clocks:
        return ""
    text = ngettext(
        "%(n)s deadline stands still meanwhile and moves by as long.",
        "%(n)s deadlines stand still meanwhile and move by as long.",
        clocks,
    )
    return text % {"n": clocks}


# The player's battles


def players_battles(table: TableContext, seat: str) -> list[PlayersBattle]:
    """Return the battles of a seat that run."""
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
    """Return what can be done about a battle."""
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
        forfeit=consider(table, battle.forfeit) if battle.forfeit is not None else None,
        forfeit_text=forfeit_text(other_name),
        answers=battle.answers,
    )


def chip(battle: PlayersBattle) -> str:
    """Return which remedy is in force; empty if none is."""
    if battle.is_solo:
        return _("solo")
    return _("a substitute") if battle.has_substitute else ""


def solo_state(battle: PlayersBattle, rival: str) -> tuple[str, str, str]:
    """Return whether the opponent may play the battle alone, in words, and the rule."""
    if battle.is_solo:
        return "agreed", _("It is agreed. You judge the result that the opponent claims."), ""
    if battle.is_challenge:
        return "", _("The challenge is not answered yet."), "7.8"
    if not rival:
        return "", _("Nobody sits on the other side."), ""
    text = _(
        "%(rival)s fights it against the computer. The log, the battle’s page and its report show"
        " this; you judge the result they claim. Both are notified."
    )
    return "possible", text % {"rival": rival}, ""


def forfeit_text(other: str) -> str:
    """Return to whom a battle goes that is attributed."""
    if not other:
        return _("goes to the other side")
    return sentence(_("goes to {other:the}"), other=other)


# What is done


def do_remedy(table: TableContext, seat: str, do: str, form: RemedyForm) -> Deed:
    """Do what the form asks for: `time-out`, `replace`, `forfeit`, `solo` or `both`."""
    posted = form.data
    if do == "time-out":
        reason = form.typed("reason")
        pause = partial(services.live, table.campaign, table.user, "paused", reason)
        return confirmed(
            table.request, attempt(table, without_seen(pause), posted), _("The campaign is paused.")
        )
    if do == "replace":
        return replace_player(table, seat, form)
    number = form.number("battle")
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
    deed = attempt(table, without_seen(act), posted)
    return confirmed(table.request, deed, _("Logged. Both sides are notified."))


def without_seen(act: Callable[[], object]) -> Callable[..., object]:
    """Return an act for `attempt` that does not ask what the reader has seen."""

    def ignoring_seen(*, seen: int) -> object:
        return act()

    return ignoring_seen


def confirmed(request: HttpRequest, deed: Deed, text: str) -> Deed:
    """Tell the reader that it is done, if it is, and return the deed."""
    if deed.done:
        messages.success(request, text)
    return deed


def replace_player(table: TableContext, seat: str, form: RemedyForm) -> Deed:
    """Attribute the chosen battles, free the seat, and give it to the chosen user."""
    moves = [
        battle.forfeit
        for battle in players_battles(table, seat)
        if battle.forfeit is not None and battle.number in form.forfeited
    ]
    successor = form.number("person")
    if form.typed("person") and successor is None:
        return Deed(wrong=_("There is no such person here."))
    act = partial(services.replace, table.campaign, table.user, seat, successor, moves)
    text = _("%(seat)s: the seat has a new holder.") % {"seat": table.name_of(seat)}
    return confirmed(table.request, attempt(table, act, form.data), text)
