"""The page of a plan, and the plan on the page of the nation."""

from __future__ import annotations

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import plans
from campaign.models import Plan
from campaign.plans import MOST
from web.frame.table import TableContext
from web.log.lines import LogRow
from web.moves.forms import FormRefusal, read
from web.moves.offers import OfferCard, OfferGroup, SeatOffers, common_refusal
from web.plan.forms import OpenPlanForm
from web.plan.preview import ForeseenPlan, PlannedMove, Sum


@dataclass(frozen=True, slots=True)
class PlanPage:
    """The page of a plan."""

    seat: str
    name: str
    page_url: str
    nation_url: str
    version: int
    seen: int
    moves: list[PlannedMove]
    sums: list[Sum]
    certain_note: str
    """A note up to which move the plan is certain; empty if all of it is."""
    announce_all: str
    """The text of the button that announces several moves; empty if there are none."""
    can_be_announced: bool
    offers_heading: str
    groups: list[OfferGroup]
    closed: OfferCard | None
    nothing_follows: str
    """The reason why no move can be added, if none is offered."""
    notice: str
    overtaken: list[LogRow] | None
    """The entries that others have made since the page was shown, if any."""
    wrong: FormRefusal | None
    """The refusal of a move whose form is not on the page."""

    @property
    def shows_filter(self) -> bool:
        """Return whether impossible moves can be hidden."""
        return bool(self.groups) and self.closed is None


@dataclass(frozen=True, slots=True)
class PlanOnNation:
    """The plan as shown beside the moves on the page of the nation."""

    url: str
    link_text: str
    version: int
    moves: list[PlannedMove]
    changes: list[Sum]
    possible: int

    @property
    def announce_text(self) -> str:
        """Return the text of the button that announces several moves; empty if there are none."""
        return _("Announce %(n)s") % {"n": self.possible} if self.possible > 1 else ""


@dataclass(frozen=True, slots=True)
class PlanQuestion:
    """The question before moves are announced, or before the plan is emptied."""

    act: str
    page_url: str
    version: int
    seen: int
    seat: str
    name: str
    heading: str
    text: str
    note: str
    moves: list[PlannedMove]
    verb: str


@dataclass(frozen=True, slots=True)
class PlanResult:
    """The outcome of a refused form, for the page."""

    opened: OpenPlanForm = OpenPlanForm()  # noqa: RUF009  # it is frozen
    notice: str = ""
    overtaken: list[LogRow] | None = None
    status: int = 200


def may_plan(table: TableContext, seat: str) -> bool:
    """Return whether the reader holds the seat and the campaign runs, so that they may plan."""
    campaign = table.campaign
    return seat in table.own_seats and campaign.started and not campaign.ended and campaign.playable


def plan_page(table: TableContext, seat: str, result: PlanResult) -> PlanPage:
    """Return the plan, with the moves that can be added."""
    kept = plans.plan_of_user(table.campaign, table.user, seat)
    page_url, opened = table.url("plan", seat), result.opened
    foreseen = ForeseenPlan(SeatOffers(table, seat), kept.moves)
    is_full, stop = kept.size >= MOST, foreseen.stop
    after = SeatOffers(table, seat, foreseen.end)
    cards = after.cards(page_url, opened.form) if stop is None and not is_full else []
    return PlanPage(
        seat=seat,
        name=table.name_of(seat),
        page_url=page_url,
        nation_url=table.url("nation", seat),
        version=kept.version,
        seen=table.seen,
        moves=[with_open_form(move, opened, page_url) for move in foreseen.moves],
        sums=foreseen.sums(),
        certain_note=certain_note(stop),
        announce_all=announce_all_text(foreseen),
        can_be_announced=foreseen.possible > 0,
        offers_heading=_("What may follow")
        if foreseen.moves
        else pgettext("heading", "Your moves"),
        groups=after.groups(cards),
        closed=common_refusal(cards),
        nothing_follows="" if cards else nothing_follows(stop, is_full=is_full),
        notice=result.notice,
        overtaken=result.overtaken,
        wrong=None if opened.is_open else opened.form.wrong,
    )


def with_open_form(move: PlannedMove, opened: OpenPlanForm, page_url: str) -> PlannedMove:
    """Return the move with its form if that is open.

    The form has the typed data, or otherwise the values of the move.
    """
    offer = move.offer
    if move.place != opened.place or offer is None or move.actor is None:
        return move
    if opened.has_typed_values:
        chosen = read(offer, opened.form.data)
    else:
        chosen = move.chosen_arguments
    card = move.actor.card(offer, page_url, chosen, opened.form.wrong)
    return replace(move, card=replace(card, ident=move.ident))


def certain_note(stop: PlannedMove | None) -> str:
    """Return a note up to which move the sums are certain; empty if all of them are."""
    if stop is None:
        return ""
    if stop.is_die:
        text = _("Certain only up to move %(number)s, where a die is thrown.")
    else:
        text = _("Only as far as possible: move %(number)s is refused at present.")
    return text % {"number": stop.number}


def announce_all_text(foreseen: ForeseenPlan) -> str:
    possible = foreseen.possible
    if possible < 2:
        return ""
    if possible == len(foreseen.moves):
        return _("Announce all")
    return _("Announce the first %(number)s") % {"number": possible}


def nothing_follows(stop: PlannedMove | None, *, is_full: bool) -> str:
    """Return why no move can be added."""
    if is_full:
        text = _("A plan holds up to %(most)s moves. Announce some, or remove some.")
        return text % {"most": MOST}
    if stop is None:
        return _("No moves can be made at present.")
    if stop.is_die:
        text = _("A die is thrown at move %(number)s. What may follow is shown after the throw.")
    else:
        text = _(
            "Move %(number)s is refused at present. What may follow is shown when every move of"
            " the plan is possible."
        )
    return text % {"number": stop.number}


# The plan on the page of the nation


def plan_on_nation(table: TableContext, seat: str) -> PlanOnNation | None:
    """Return the plan beside the moves; None if the reader may not plan for this seat."""
    if not may_plan(table, seat):
        return None
    url, planned = table.url("plan", seat), table.notes.planned
    if not planned:
        return PlanOnNation(
            url, pgettext("plan", "Plan"), version=0, moves=[], changes=[], possible=0
        )
    kept = plans.plan_of_user(table.campaign, table.user, seat)
    foreseen = ForeseenPlan(SeatOffers(table, seat), kept.moves)
    return PlanOnNation(
        url=url,
        link_text=_("Plan (%(count)s)") % {"count": planned},
        version=kept.version,
        moves=foreseen.moves,
        changes=[line for line in foreseen.sums() if not line.stays],
        possible=foreseen.possible,
    )


# Questions


def question_to_empty(table: TableContext, seat: str, kept: Plan) -> PlanQuestion:
    """Return the question whether to empty the plan."""
    text = ngettext(
        "The move in it will be removed and is not kept anywhere else. Nothing is announced.",
        "The %(number)s moves in it will be removed and are not kept anywhere else. Nothing is"
        " announced.",
        kept.size,
    )
    return PlanQuestion(
        act="empty",
        page_url=table.url("plan", seat),
        version=kept.version,
        seen=table.seen,
        seat=seat,
        name=table.name_of(seat),
        heading=_("Empty the plan?"),
        text=text % {"number": kept.size},
        note="",
        moves=[],
        verb=_("Empty the plan"),
    )


def question_to_announce(
    table: TableContext, seat: str, kept: Plan, act: str, moves: list[PlannedMove]
) -> PlanQuestion:
    """Return the question whether to announce these moves."""
    heading = ngettext("Announce this move?", "Announce these %(number)s moves?", len(moves))
    note = _(
        "They are announced one after another, each as an entry of its own. Announcing stops "
        "where a move is refused, where a die is thrown, or where someone else moves in the "
        "meantime. Moves that were not announced stay in the plan."
    )
    return PlanQuestion(
        act=act,
        page_url=table.url("plan", seat),
        version=kept.version,
        seen=table.seen,
        seat=seat,
        name=table.name_of(seat),
        heading=heading % {"number": len(moves)},
        text="",
        note=note if len(moves) > 1 else "",
        moves=moves,
        verb=_("Announce all") if len(moves) > 1 else pgettext("button", "Announce"),
    )
