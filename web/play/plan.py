"""A player's plan: an unsaved play, seen by nobody else, put in order and announced."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from campaign import plans, services
from campaign.errors import NotNow, PlanChanged, Refused, TableError, TableMovedOn
from campaign.log import selectors
from campaign.models import Plan
from campaign.plans import EARLIER, LATER, MOST, Announced, Foreseen, foresee
from engine.errors import IllegalMove
from engine.strict_json import canonical, whole
from games.contract.title import Offer
from web.frame.campaign_page import (
    GAME_MASTER,
    TableContext,
    accounts_by_key,
    campaign_page,
    see_other,
    show,
)
from web.frame.requests import seen_number
from web.log import lines
from web.play import forms
from web.play.forms import Card, Wrong, asks_twice, to_text
from web.play.move_preview import Follow, outcome_columns
from web.play.nation import Desk, card_of, closed, may_plan
from web.titles.talk import capital, plain_name, talk

NOWHERE = 10**6
"""A place that no plan has: what was sent names none."""


@dataclass
class Shown:
    """What a page of a plan says beyond the plan: what is open in it, what was refused, what has
    moved.
    """

    opened: str = ""
    change: int = NOWHERE
    data: QueryDict = field(default_factory=QueryDict)
    wrong: Wrong | None = None
    notice: str = ""
    moved: list[Any] | None = None
    status: int = 200


@require_http_methods(["GET", "POST"])
@campaign_page
def plan(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """The plan of a seat for who holds it; `?open=KEY` opens a move to be added, `?change=N` the
    N-th of the plan.
    """
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404
    if seat not in table.own_seats:
        raise PermissionDenied(
            _("Only the holder of a seat makes plans for it, and nobody else sees them.")
        )
    if not may_plan(table, seat):
        return redirect(table.url("nation", seat))
    if request.method == "POST":
        return Posted(request, table, seat).answer()
    asked = request.GET
    return page(
        request, table, seat, Shown(asked.get("open", ""), _place(asked.get("change", "")), asked)
    )


def page(request: HttpRequest, table: TableContext, seat: str, shown: Shown) -> HttpResponse:
    """The plan as it stands, with what may follow it."""
    kept = plans.plan_of_user(table.campaign, table.user, seat)
    here = table.url("plan", seat)
    drawn = Drawn(Desk(table, seat), kept.move_list)
    _open(drawn, shown, here)
    then = Desk(table, seat, drawn.end)
    cards = []
    if drawn.stop is None and kept.size < MOST:
        cards = [
            card_of(then, offer, here, shown.opened, shown.data, shown.wrong)
            for offer in then.offers
        ]
    whole_page = {
        "seat": seat,
        "name": table.name_of(seat),
        "here_url": here,
        "nation_url": table.url("nation", seat),
        "kept": kept,
        "drawn": drawn,
        "sums": drawn.sums(),
        "stop": drawn.stop,
        "blocks": then.blocks(cards),
        "closed": closed(cards),
        "full": kept.size >= MOST,
        "most": MOST,
        "notice": shown.notice,
        "moved_on": shown.moved,
        "loose": (
            shown.wrong if shown.wrong and not shown.opened and shown.change == NOWHERE else None
        ),
    }
    return show(
        request, table, "play/plan.html", whole_page, here=f"nation-{seat}", status=shown.status
    )


def shown_beside(table: TableContext, seat: str) -> dict[str, Any] | None:
    """The plan as the seat's page shows it beside the moves; None where it is empty."""
    kept = plans.plan_of_user(table.campaign, table.user, seat)
    if not kept.move_list:
        return None
    drawn = Drawn(Desk(table, seat), kept.move_list)
    return {"kept": kept, "drawn": drawn, "sums": drawn.sums()}


def _open(drawn: Drawn, shown: Shown, here: str) -> None:
    """Open the form of the move that is to be changed, with what it says or what was typed."""
    step = next((one for one in drawn.steps if one.at == shown.change), None)
    if step is None or step.offer is None or step.desk is None:
        return
    typed = "offer" in shown.data
    chosen = (
        forms.read(step.offer, shown.data)
        if typed
        else {k: v for k, v in step.arguments.items() if k not in step.offer.given}
    )
    step.card = step.desk.card(step.offer, here, chosen, shown.wrong)
    step.card.ident = step.ident


def _place(text: str) -> int:
    """A place in the plan as posted, counted from 0; of nonsense none."""
    number = whole(text)
    return NOWHERE if number is None else number


class Posted:
    """A form of the page, of a nation's page where a move is added from there."""

    def __init__(self, request: HttpRequest, table: TableContext, seat: str) -> None:
        self.request, self.table, self.seat = request, table, seat
        self.data = request.POST
        self.here = table.url("plan", seat)
        nation = table.url("nation", seat)
        self.next = nation if self.data.get("back") in ("nation", nation) else self.here
        self.version, self.at = (
            _place(self.data.get("version", "")),
            _place(self.data.get("at", "")),
        )

    def answer(self) -> HttpResponse:
        deeds: dict[str, Callable[[], HttpResponse]] = {
            "add": self.add,
            "replace": self.replace,
            "look": self.look,
            "earlier": self.earlier,
            "later": self.later,
            "remove": self.remove,
            "empty": self.empty,
            "first": self.first,
            "all": self.all,
        }
        deed = deeds.get(self.data.get("do", ""))
        if deed is None:
            return redirect(self.here)
        try:
            return deed()
        except PlanChanged as error:
            return self.page(notice=str(error), status=error.status)
        except TableMovedOn as error:
            entries = selectors.lines(self.table.campaign, self.table.user, error.entries)
            return self.page(moved=lines.rows(self.table, entries), status=error.status)
        except (NotNow, Refused) as error:
            return self.page(notice=str(error), status=error.status)

    def page(self, **shown: Any) -> HttpResponse:
        return page(self.request, self.table, self.seat, Shown(**shown))

    # The moves

    def wanted(self, position: Any) -> tuple[Offer | None, dict[str, Any], Wrong | None]:
        """What the form says at this position: its offer (of the table's own, where it is gone),
        the move, what lacks.
        """
        desk = Desk(self.table, self.seat, position)
        key = self.data.get("offer", "")
        offer = desk.offer(key) or Desk(self.table, self.seat).offer(key)
        arguments = forms.read(offer, self.data)
        lacks = forms.missing(offer, arguments) if offer is not None else None
        wrong = None
        if offer is not None and lacks is not None:
            label = desk.talk.field_label(offer, lacks)
            wrong = Wrong(_("%(field)s: choose one.") % {"field": label}, "", lacks.key)
        return offer, forms.raw_move(offer, self.data, arguments, self.seat, self.seat), wrong

    def drawn(self) -> Drawn:
        return Drawn(
            Desk(self.table, self.seat),
            plans.plan_of_user(self.table.campaign, self.table.user, self.seat).move_list,
        )

    def add(self) -> HttpResponse:
        offer, raw, wrong = self.wanted(self.drawn().end)
        return self.keep(
            offer,
            wrong,
            lambda: services.plan_move(self.table.campaign, self.table.user, self.seat, raw),
        )

    def replace(self) -> HttpResponse:
        offer, raw, wrong = self.wanted(self.before())
        where = (self.table.campaign, self.table.user, self.seat, self.version, self.at)
        return self.keep(offer, wrong, lambda: services.replan(*where, raw))

    def before(self) -> Any:
        """The position at which the move that is changed would be made."""
        drawn = self.drawn()
        return next(
            (
                step.foreseen.before
                for step in drawn.steps
                if step.at == self.at and step.foreseen.reached
            ),
            drawn.end,
        )

    def keep(
        self, offer: Offer | None, wrong: Wrong | None, write: Callable[[], Plan]
    ) -> HttpResponse:
        """Write it, or show the form again with what is wrong in it."""
        if wrong is None:
            try:
                write()
            except IllegalMove as refusal:
                wrong = Wrong(self.table.why_not(refusal), refusal.rule)
            else:
                return see_other(self.next)
        opened = offer.key if offer is not None and self.at == NOWHERE else ""
        return self.page(opened=opened, change=self.at, data=self.data, wrong=wrong, status=422)

    def look(self) -> HttpResponse:
        opened = self.data.get("offer", "") if self.at == NOWHERE else ""
        return self.page(opened=opened, change=self.at, data=self.data)

    # Their order

    def earlier(self) -> HttpResponse:
        return self.shifted(EARLIER)

    def later(self) -> HttpResponse:
        return self.shifted(LATER)

    def shifted(self, by: int) -> HttpResponse:
        services.shift(self.table.campaign, self.table.user, self.seat, self.version, self.at, by)
        return see_other(self.here)

    def remove(self) -> HttpResponse:
        services.unplan(self.table.campaign, self.table.user, self.seat, self.version, self.at)
        return see_other(self.next)

    def empty(self) -> HttpResponse:
        kept = self.current()
        if self.data.get("sure") != "1":
            return self.ask("empty", kept, [])
        services.unplan(self.table.campaign, self.table.user, self.seat, self.version)
        return see_other(self.here)

    # Said

    def first(self) -> HttpResponse:
        return self.announce(1)

    def all(self) -> HttpResponse:
        return self.announce(MOST)

    def announce(self, most: int) -> HttpResponse:
        """Announce; first say what cannot be taken back, where anything cannot."""
        table = self.table
        kept, seen = self.current(), seen_number(self.data.get("seen", ""))
        steps = self.drawn().steps[:most]
        steps = [step for step in steps if step.state in ("certain", "die")]
        if self.data.get("sure") != "1" and any(step.asks for step in steps):
            services.must_still_hold(
                table.campaign, table.user, [step.foreseen.content for step in steps], seen
            )
            return self.ask("first" if most == 1 else "all", kept, steps)
        announced = services.announce_plan(
            table.campaign, table.user, self.seat, self.version, seen, most
        )
        if not announced.results:
            return self.page(status=422)  # the move itself shows why
        self.show_result(announced)
        return see_other(self.here if announced.plan.size else table.url("nation", self.seat))

    def current(self) -> Plan:
        """The plan, if it is still the one that this form is of. Raises `PlanChanged`."""
        kept = plans.plan_of_user(self.table.campaign, self.table.user, self.seat)
        if kept.version != self.version:
            raise PlanChanged
        return kept

    def ask(self, do: str, kept: Plan, steps: list[Step]) -> HttpResponse:
        context = {
            "do": do,
            "kept": kept,
            "steps": steps,
            "seat": self.seat,
            "who": self.table.name_of(self.seat),
            "here_url": self.here,
            "die": any(step.state == "die" for step in steps),
        }
        return show(self.request, self.table, "play/plan_sure.html", context)

    def show_result(self, announced: Announced) -> None:
        """What was announced and what stopped it, on the page that comes next."""
        table, results = self.table, announced.results
        last = results[-1]
        if not last.entries[-1].is_move:
            text = _("Announced. It waits for a die that is thrown elsewhere.")
        elif len(results) == 1:
            effects = [effect for effect in last.effects if table.access.sees(effect.audience)]
            text = talk(table.title, table.scenario, table.position).moved(
                last.entries[-1].content, effects
            )
        else:
            text = ngettext(
                "%(count)d move announced.", "%(count)d moves announced.", len(results)
            ) % {"count": len(results)}
        messages.success(self.request, text)
        if isinstance(announced.refused, IllegalMove):
            why = {"why": table.why_not(announced.refused)}
            messages.warning(
                self.request, _("The next move of the plan was refused: %(why)s") % why
            )
        elif isinstance(announced.refused, TableError):
            messages.warning(self.request, str(announced.refused))
        elif last.rolls and announced.plan.size:
            messages.warning(
                self.request,
                _("A die was thrown. Look at the result before you announce the rest."),
            )


# A plan as its page shows it: what each move would do after those before it, what it costs, what is
# left.

HEAD = {"by", "for", "move"}
"""What every move has in record form beside its arguments."""


@dataclass
class Step:
    """A planned move. `state` is `certain`, `die`, `refused` or `beyond`: a move before it stops
    the plan.
    """

    at: int
    ident: str
    name: str
    state: str
    foreseen: Foreseen
    desk: Desk | None = None
    follow: Follow | None = None
    asks: str = ""
    wrong: Wrong | None = None
    cost: int = 0
    left: str = ""
    offer: Offer | None = None
    """What it is changed by; None where nothing about it can be chosen."""
    card: Card | None = None

    @property
    def number(self) -> int:
        return self.at + 1

    @property
    def gain(self) -> int:
        """What it adds to the purse, for a move that costs less than nothing."""
        return -self.cost

    @property
    def arguments(self) -> dict[str, Any]:
        return {key: value for key, value in self.foreseen.content.items() if key not in HEAD}


class Sum(NamedTuple):
    """An account of the seat before the plan and after what is certain of it."""

    label: str
    was: str
    now: str

    @property
    def stays(self) -> bool:
        return self.was == self.now


class Drawn:
    """The whole plan, foreseen from the position that the reader's page shows."""

    def __init__(self, desk: Desk, moves: Sequence[dict[str, Any]]) -> None:
        self.desk, self.table, self.seat = desk, desk.table, desk.seat
        self.times: Counter[str] = Counter()
        foreseen = foresee(self.table.title, self.table.position, moves)
        self.steps = [self._step(at, one) for at, one in enumerate(foreseen)]

    @property
    def stop(self) -> Step | None:
        """The move that the plan does not come beyond."""
        return next((step for step in self.steps if step.state in ("refused", "die")), None)

    @property
    def possible(self) -> int:
        """How many moves can be announced in one go, the one that throws a die among them."""
        return sum(step.state in ("certain", "die") for step in self.steps)

    @property
    def end(self) -> Any:
        """The position after all that is certain."""
        certain = [step for step in self.steps if step.state == "certain"]
        return certain[-1].foreseen.after if certain else self.table.position

    def sums(self) -> list[Sum]:
        """The purse, and every other account of the seat that changes."""
        totals = []
        before, after = (
            self.table.title.rows(position).accounts for position in (self.table.position, self.end)
        )
        for key, account in accounts_by_key(self.table).items():
            was, now = (
                self.desk.talk.amount(key, rows.get((self.seat, key), 0))
                for rows in (before, after)
            )
            if was != now or key == self.desk.talk.purse:
                totals.append(Sum(capital(account.label), was, now))
        return sorted(totals, key=lambda one: one.label != self._purse_label)

    @property
    def _purse_label(self) -> str:
        purse = accounts_by_key(self.table).get(self.desk.talk.purse)
        return capital(purse.label) if purse else ""

    def _step(self, at: int, one: Foreseen) -> Step:
        table = self.table
        ident = self._ident(one.content)
        name = self._name(one.content)
        if not one.reached:
            return Step(at, ident, name, "beyond", one)
        desk = Desk(table, self.seat, one.before)
        step = Step(at, ident, name, "certain", one, desk)
        step.offer = _offer(desk, step.arguments, str(one.content["move"]))
        if one.refusal is not None:
            step.state, step.wrong = "refused", Wrong(table.why_not(one.refusal), one.refusal.rule)
            return step
        step.follow = outcome_columns(
            desk.talk, one.branches, sees=table.access.sees, first=self.seat
        )
        crossed = _("Thresholds are crossed, as shown.") if step.follow.cascades else ""
        step.asks = asks_twice(desk.talk, one.content, one.branches, step.follow) or crossed
        if one.die:
            step.state = "die"
            return step
        purse = desk.talk.purse
        if purse in accounts_by_key(table):
            before, after = (
                table.title.rows(p).accounts.get((self.seat, purse), 0)
                for p in (one.before, one.after)
            )
            step.cost, step.left = before - after, desk.talk.amount(purse, after)
        return step

    def _name(self, move: Mapping[str, Any]) -> str:
        """The move as a sentence; its name where the sentence wants what was not said."""
        try:
            return capital(self.table.title.move_line(self.table.scenario, move))
        except (KeyError, TypeError, ValueError, AttributeError):
            return plain_name(str(move["move"]))

    def _ident(self, move: Mapping[str, Any]) -> str:
        """The same for the same move wherever it stands, so that the keyboard's focus goes
        with it.
        """
        name = hashlib.sha256(canonical(move).encode()).hexdigest()[:8]
        self.times[name] += 1
        return f"s-{name}-{self.times[name]}"


def _offer(desk: Desk, arguments: Mapping[str, Any], move: str) -> Offer | None:
    """The offer whose form would make this move: of several the one that lists what was chosen."""
    fitting = []
    for offer in desk.offers:
        fields = {one.key for one in offer.fields}
        given = all(arguments.get(key) == value for key, value in offer.given.items())
        if offer.move == move and fields and given and set(arguments) <= fields | set(offer.given):
            fitting.append(offer)
    return next(
        (offer for offer in fitting if _lists(offer, arguments)), fitting[0] if fitting else None
    )


def _lists(offer: Offer, arguments: Mapping[str, Any]) -> bool:
    """Are all these among the values that the offer lists?"""
    for one in offer.fields:
        allowed = offer.values(one.key, arguments)
        known = None if allowed is None else {to_text(value) for value in allowed}
        if known is not None and one.key in arguments and to_text(arguments[one.key]) not in known:
            return False
    return True
