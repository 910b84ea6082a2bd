"""The steps of the turn, and the button that opens the next turn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from campaign import rulebook
from games.contract.desk import RuleText, WithTurnOpening
from games.contract.title import Offer
from web.desk.waiting_list import seats_to_come
from web.forum.posts.page import outbox_state
from web.frame.table import TableContext


@dataclass(frozen=True, slots=True)
class Opening:
    """The button that starts the campaign or opens the next turn.

    `blocked` is the reason why it is not possible yet. `verb` is empty after the last turn.
    """

    move: str
    verb: str
    effects: list[RuleText]
    free_seats: list[str]
    start_url: str = ""
    """The page that asks what happens with the free seats; empty if none is free."""
    blocked: str = ""
    rule: str = ""

    @property
    def free_text(self) -> str:
        if not self.free_seats:
            return ""
        text = ngettext(
            "Free: %(names)s. The next page asks who plays this nation.",
            "Free: %(names)s. The next page asks who plays these nations.",
            len(self.free_seats),
        )
        return text % {"names": ", ".join(self.free_seats)}


@dataclass(frozen=True, slots=True)
class Outbox:
    """The number of reports' posts that are waiting, on their way, and posted.

    `lacks_announcement` is true if the announcement should be posted before the start and has not
    been posted.
    """

    waiting: int
    on_way: int
    posted_count: int
    url: str
    new_url: str
    opening_due: bool
    opening_posted: bool
    lacks_announcement: bool


class TurnStep(NamedTuple):
    """A step of the turn; `state` is `done`, `now` or empty."""

    state: str
    text: str

    @property
    def is_done(self) -> bool:
        return self.state == "done"


def outbox_of(table: TableContext) -> Outbox | None:
    """Return the state of the reports' posts; None for a title without reports."""
    state = outbox_state(table)
    if state is None:
        return None
    return Outbox(
        waiting=state["waiting"],
        on_way=state["on_way"],
        posted_count=state["posted"],
        url=state["url"],
        new_url=state["new_url"],
        opening_due=state["opening"],
        opening_posted=state["opened"],
        lacks_announcement=state["announcement"],
    )


def steps_of_turn(table: TableContext, outbox: Outbox | None, battles: int) -> list[TurnStep]:
    """Return the steps of the turn; the first that is not done is `now`."""
    campaign = table.campaign
    seats = [key for key in table.view.get("order") or () if key in table.names]
    if not campaign.started or campaign.ended or not seats:
        return []
    if table.turn_times.taken_over:
        text = _("Continued from elsewhere after turn %(number)s") % {"number": campaign.turn}
        steps = [(True, text)]
    else:
        steps = steps_of_play(table, outbox, len(seats), battles)
    steps += open_amendment(table)
    last = campaign.turn == table.view.get("turns")
    steps.append(
        (False, _("Post the last report") if last else _("Open the next turn and post the report"))
    )
    now = next(place for place, (done, _text) in enumerate(steps) if not done)
    return [
        TurnStep("done" if done else "now" if place == now else "", text)
        for place, (done, text) in enumerate(steps)
    ]


def steps_of_play(
    table: TableContext, outbox: Outbox | None, seats: int, battles: int
) -> list[tuple[bool, str]]:
    """Return the steps up to the last battle: whether each is done, and its text."""
    steps = [(True, _("Turn %(number)s opened") % {"number": table.campaign.turn})]
    if outbox is not None and outbox.opening_due:
        steps.append((outbox.opening_posted, _("First post, with the order of play")))
    ended = seats - len(seats_to_come(table)) - bool(table.campaign.active_seat)
    all_ended = ended == seats
    steps.append(
        (all_ended, _("Players’ turns: %(n)s of %(all)s ended") % {"n": ended, "all": seats})
    )
    if battles:
        text = ngettext("Battles: %(n)d to resolve", "Battles: %(n)d to resolve", battles)
        steps.append((False, text % {"n": battles}))
    else:
        steps.append((all_ended, _("All battles resolved")))
    return steps


def open_amendment(table: TableContext) -> list[tuple[bool, str]]:
    """Return the step for a change of the rules that is neither in force nor withdrawn."""
    proposed = rulebook.amendment_book(table.campaign) if table.notes.amended else []
    for amendment in proposed:
        if amendment.open:
            text = _("Amendment %(n)s: put it into force or withdraw it")
            return [(False, text % {"n": amendment.number})]
    return []


def opening(table: TableContext, offers: Sequence[Offer]) -> Opening | None:
    """Return the button of the next turn; None once the campaign has ended or stopped."""
    campaign = table.campaign
    if campaign.ended or campaign.stopped:
        return None
    wanted = "open-turn" if campaign.started else "start"
    offer = next((offer for offer in offers if offer.move == wanted), None)
    if offer is None:
        return None
    title = table.title
    last = campaign.started and campaign.turn == table.view.get("turns")
    blocked, rule = opening_blocked(table, offer, last=last)
    free = [
        seat.name
        for seat in table.seats
        if not campaign.started and seat.holder is None and not seat.program
    ]
    return Opening(
        move=offer.move,
        verb="" if last else opening_verb(table),
        effects=list(title.turn_opening(table.position))
        if isinstance(title, WithTurnOpening)
        else [],
        free_seats=free,
        start_url=table.url("start") if free else "",
        blocked=blocked,
        rule=rule,
    )


def opening_verb(table: TableContext) -> str:
    if not table.campaign.started:
        return pgettext("button", "Start the campaign")
    return _("Open turn %(number)s") % {"number": table.campaign.turn + 1}


def opening_blocked(table: TableContext, offer: Offer, *, last: bool) -> RuleText:
    """Return why the next turn cannot be opened yet, and the rule for it."""
    if offer.refusal is None:
        return "", ""
    slots = len(seats_to_come(table)) + bool(table.campaign.active_seat)
    battles = sum(1 for facts in table.rows.contests.values() if facts.get("status") != "resolved")
    reasons = []
    if slots:
        reasons.append(
            ngettext(
                "%(n)d player must still end their turn",
                "%(n)d players must still end their turns",
                slots,
            )
            % {"n": slots}
        )
    if battles:
        text = ngettext(
            "%(n)d battle must still be resolved", "%(n)d battles must still be resolved", battles
        )
        reasons.append(text % {"n": battles})
    if not reasons:
        return table.title.refusal(table.scenario, offer.refusal), offer.refusal.rule
    why = ", ".join(reasons)
    return (_("Before the campaign ends: %(why)s") % {"why": why} if last else why), "1.3"
