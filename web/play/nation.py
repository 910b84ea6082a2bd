"""A nation: what it has, what it may say now, what follows, what it has cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign import services
from campaign.errors import CannotUndo
from campaign.seats.selectors import knows_orders
from engine.errors import IllegalMove
from games.contract.title import Offer
from nations import projection as nations
from web import waiting
from web.frame import page_cache
from web.frame.campaign_page import GAME_MASTER, TableContext, campaign_page, show
from web.ledger import Courses, drawn
from web.play import forms
from web.play.forms import Card, Wrong
from web.seats import hidden_hands
from web.titles import extras
from web.titles.talk import Talk, capital, plain_name, talk
from web.waiting import live_claims, program_word, waited_for

LINES = 30
ANSWER, SLOT = "answer", "slot"


class Block(NamedTuple):
    """A group of offers as the page shows it."""

    key: str
    name: str
    note: str
    cards: list[Card]

    @property
    def counted(self) -> str:
        """How many of its moves are possible now, and how many are not."""
        off = sum(card.off for card in self.cards)
        may = len(self.cards) - off
        texts = (
            [ngettext("%(count)d move", "%(count)d moves", may) % {"count": may}]
            if may or not off
            else []
        )
        return ", ".join([*texts, *([_("%(count)d not now") % {"count": off}] if off else [])])


class Desk:
    """What one reader may do for one seat on this page: `by` is None for a spectator.

    `position` is the one that is looked at, where that is not the table's own: one foreseen in a
    plan.
    """

    def __init__(self, table: TableContext, seat: str, position: Any = None) -> None:
        self.table, self.seat = table, seat
        self.position = table.position if position is None else position
        self.talk: Talk = self._talk()
        self._sentences: dict[tuple[str, ...], str] = {}
        own = seat in table.own_seats
        self.by: str | None = seat if own or seat == GAME_MASTER else GAME_MASTER
        if not own and not (table.game_master if seat == GAME_MASTER else table.access.opens(seat)):
            self.by = None

    def _talk(self) -> Talk:
        """The title's speaker at this position, made once a position: it keeps nothing of
        who asks.
        """
        table = self.table
        if self.position is not table.position:
            return talk(table.title, table.scenario, self.position)
        speaker: Talk = page_cache.of_position(
            table,
            ("talk", page_cache.rules_of(table)),
            lambda: talk(table.title, table.scenario, table.position),
        )
        return speaker

    @cached_property
    def offers(self) -> Sequence[Offer]:
        if (
            self.by is None
            or not self.table.campaign.started
            or self.table.campaign.ended
            or self.table.campaign.stopped
        ):
            return ()
        table = self.table
        if self.position is not table.position or table.past:
            return table.title.offers(self.position, self.seat, self.by)
        offers: Sequence[Offer] = page_cache.of_position(
            table,
            ("offers", self.seat, self.by),
            lambda: table.title.offers(self.position, self.seat, self.by or ""),
        )
        return offers

    def offer(self, key: str) -> Offer | None:
        return next((offer for offer in self.offers if offer.key == key), None)

    def card(
        self,
        offer: Offer,
        back: str,
        chosen: Mapping[str, Any] | None = None,
        wrong: Wrong | None = None,
    ) -> Card:
        """An offer as shown; with `chosen` its form is open."""
        speaker = self.talk
        card_row = Card(
            offer,
            speaker.offer_name(offer),
            speaker.verb(offer),
            f"o-{offer.key}",
            speaker.offer_sub(offer),
        )
        card_row.wrong, card_row.open = wrong, chosen is not None
        if offer.refusal is not None and not card_row.open:
            card_row.why, card_row.rule = self.sentence(offer.refusal), offer.refusal.rule
            return card_row
        card_row.hidden = self.hidden(offer, back)
        card_row.about = speaker.offer_about(offer)
        if card_row.open or not offer.fields:
            self._look(card_row, offer, chosen or {})
        return card_row

    def _look(self, card_row: Card, offer: Offer, chosen: Mapping[str, Any]) -> None:
        whole = forms.complete(offer, chosen)
        card_row.controls = forms.controls(self.talk, offer, whole, card_row.wrong)
        if forms.missing(offer, whole) is not None:
            return
        try:
            card_row.follow, why = forms.preview_move(
                self.talk, offer.raw(whole), self.table.access.sees
            )
            card_row.asks = bool(why)
        except IllegalMove as refusal:
            if card_row.wrong is None:
                field = forms.where_wrong(offer, whole, refusal)
                card_row.wrong = Wrong(self.sentence(refusal), refusal.rule, field)
                card_row.controls = forms.controls(self.talk, offer, whole, card_row.wrong)

    def sentence(self, refusal: IllegalMove) -> str:
        """Why not, in words; what is closed is mostly closed for one reason."""
        known = refusal.sentence, refusal.code, refusal.rule, str(refusal), repr(refusal.facts)
        if known not in self._sentences:
            self._sentences[known] = self.table.why_not(refusal)
        return self._sentences[known]

    def hidden(self, offer: Offer, back: str) -> list[tuple[str, str]]:
        """The hidden fields of an offer's form."""
        head = [("offer", offer.key), ("move", offer.move), ("seat", offer.seat)]
        if offer.by != offer.seat:
            head.append(("for", offer.seat))
        kinds = " ".join(f"{key}:{kind}" for key, kind in forms.shape(offer).items())
        head += [("seen", str(self.table.seen)), ("shape", kinds), ("back", back)]
        return head + [(key, forms.to_text(value)) for key, value in offer.given.items()]

    def blocks(self, cards: Iterable[Card]) -> list[Block]:
        """The offers in the title's groups, those of no known group after them."""
        by_group: dict[str, list[Card]] = {}
        for card in cards:
            by_group.setdefault(card.offer.group, []).append(card)
        known = {group.key: group for group in self.talk.groups}
        keys = [key for key in known if key in by_group] + [
            key for key in by_group if key not in known
        ]
        return [
            Block(
                key,
                known[key].name if key in known else plain_name(key),
                known[key].note if key in known else "",
                by_group[key],
            )
            for key in keys
        ]

    def own_undo(self) -> dict[str, str] | None:
        """The move that this reader may take back for this seat, and what it is called."""
        if self.seat not in self.table.own_seats:
            return None
        try:
            entry = services.own_undo(self.table.campaign, self.table.access)
        except CannotUndo:
            return None
        if entry.seat != self.seat:
            return None
        return {"name": self.talk.deed(entry.content), "url": self.table.url("undo")}


def may_plan(table: TableContext, seat: str) -> bool:
    """May the reader plan this seat's moves? Only who holds it, while the campaign is played."""
    campaign = table.campaign
    return seat in table.own_seats and campaign.started and not campaign.ended and campaign.playable


@campaign_page
def nation(request: HttpRequest, table: TableContext, seat: str) -> HttpResponse:
    """The page of a seat; `?open=KEY` opens an offer's form with the values of the query."""
    return page(request, table, seat, request.GET.get("open", ""), request.GET)


def page(
    request: HttpRequest,
    table: TableContext,
    seat: str,
    opened: str = "",
    data: QueryDict | None = None,
    wrong: Wrong | None = None,
    status: int = 200,
) -> HttpResponse:
    """The page of a seat, one offer open with what was posted or asked, `wrong` where that was
    refused.
    """
    if seat not in table.names or seat == GAME_MASTER:
        raise Http404
    desk = Desk(table, seat)
    here = table.url("nation", seat)
    cards = [card_of(desk, offer, here, opened, data, wrong) for offer in desk.offers]
    end = next(
        (card for card in cards if card.offer.group == SLOT and card.offer.move == "end-slot"), None
    )
    rest = [card for card in cards if card is not end and card.offer.group != ANSWER]
    answers = [card for card in cards if card.offer.group == ANSWER]
    whole = {
        "desk": desk,
        "seat": seat,
        "here_url": here,
        "name": table.name_of(seat),
        "holders": ", ".join(table.holders(seat)),
        "program": program_word(table, seat),
        "for_nation": desk.by != seat,
        "challenges": _challenges(table, answers),
        "claims": _claims(desk),
        "end": end if end and not end.off else None,
        "blocks": desk.blocks(rest),
        "closed": end if end and end.off else closed(rest),
        "purse": _purse(desk),
        "slot": _slot(desk),
        "undo": desk.own_undo(),
        "plan_url": table.url("plan", seat) if may_plan(table, seat) else "",
        "plan": _plan(table, seat),
        "planned": table.notes.planned or 0,
        "notes_url": (
            table.url("seat_notes", seat) if seat in table.own_seats and not table.solo else ""
        ),
        "standing_url": standing_url(table, seat),
        "closed_hand": (
            None
            if not table.campaign.started or table.campaign.ended
            else hidden_hands.closed_hands(table, seat)
        ),
        "looks_url": hidden_hands.looks_url(table, seat),
        "accounts": accounts(desk),
        "ledger": _ledger(desk, request.GET),
        "more": "",
    }
    own = extras(table.campaign.title, "nation")
    if own is not None:
        whole |= own.context(table, seat, desk, whole)
    return show(request, table, "play/nation.html", whole, here=f"nation-{seat}", status=status)


def _plan(table: TableContext, seat: str) -> dict[str, Any] | None:
    """The reader's plan for this seat, with what it comes to; None where nothing is planned."""
    from web.play.plan import shown_beside  # that page shows offers as this one does

    return shown_beside(table, seat) if may_plan(table, seat) and table.notes.planned else None


def standing_url(table: TableContext, seat: str) -> str:
    """Where the seat's holder gives it standing orders, and the game master reads them; empty for
    everybody else.
    """
    if (
        not table.campaign.started
        or table.campaign.ended
        or table.solo
        or not knows_orders(table.campaign)
    ):
        return ""
    return (
        table.url("standing", seat)
        if seat in table.own_seats or (table.game_master and table.holders(seat))
        else ""
    )


def card_of(
    desk: Desk, offer: Offer, here: str, opened: str, data: QueryDict | None, wrong: Wrong | None
) -> Card:
    """An offer as the page shows it, open where it is the one asked for."""
    if offer.group == ANSWER and offer.refusal is None:
        mine = offer.key == opened and data is not None
        return desk.card(
            offer, here, forms.read(offer, data) if mine and data else {}, wrong if mine else None
        )
    if (
        offer.key != opened
        or not (offer.fields or wrong)
        or (offer.refusal is not None and wrong is None)
    ):
        return desk.card(offer, here)
    return desk.card(offer, here, forms.read(offer, data) if data is not None else {}, wrong)


def _challenges(table: TableContext, cards: Iterable[Card]) -> list[dict[str, Any]]:
    """The answers that are asked for, by the contest they answer."""
    by_attack: dict[Any, list[Card]] = {}
    for card in cards:
        by_attack.setdefault(card.offer.given.get("attack"), []).append(card)
    return [
        {
            "number": number,
            "cards": group,
            "due": waiting.of_contest(table, number) if type(number) is int else None,
        }
        for number, group in by_attack.items()
    ]


def _claims(desk: Desk) -> list[dict[str, Any]]:
    """The claims on battles of this seat that wait for its answer; told to who may answer them."""
    if desk.by is None:
        return []
    table, rows = desk.table, []
    for one in waited_for(table):
        claim = live_claims(table).get(one.contest) if one.contest is not None else None
        if claim is None or one.seat != desk.seat:
            continue
        who = claim.entry.actor.username if claim.entry.actor else table.name_of(claim.seat)
        url = table.url("battle", claim.number) + "#claim"
        due = waiting.of_contest(table, claim.number)
        rows.append(
            {"number": claim.number, "who": who, "at": claim.entry.at, "url": url, "due": due}
        )
    return rows


def _slot(desk: Desk) -> dict[str, Any] | None:
    """Until when this seat's slot is open, and since when."""
    due = waiting.of_slot(desk.table, desk.seat)
    return None if due is None else {"due": due, "since": due.clock.entry.at}


def closed(cards: Sequence[Card]) -> Card | None:
    """An offer whose refusal is everybody's: the slot is not open, the turn has closed."""
    refused = {(card.why, card.rule) for card in cards if card.off}
    return cards[0] if cards and len(refused) == 1 and all(card.off for card in cards) else None


def _purse(desk: Desk) -> dict[str, Any] | None:
    """What is left of the slot's actions, while it is open."""
    purse = desk.talk.accounts.get(desk.talk.purse)
    if purse is None or desk.table.campaign.active_seat != desk.seat:
        return None
    left = desk.table.rows.accounts.get((desk.seat, purse.key), 0)
    had = max(left, nations.gained(desk.table.campaign, desk.table.access, desk.seat, purse.key))
    discs = ["1"] * (left // purse.scale) + ["h"] * (left % purse.scale > 0)
    text, whole = desk.talk.amount(purse.key, left), desk.talk.amount(purse.key, had)
    return {
        "text": text,
        "had_text": whole,
        "one": 0 < had <= purse.scale,
        "discs": discs + ["0"] * (-(-had // purse.scale) - len(discs)),
    }


def accounts(desk: Desk) -> list[dict[str, Any]]:
    """The accounts of the seat, the purse aside; a title's own part adds gauges and notes."""
    rows = []
    for account in desk.table.title.accounts:
        if account.key == desk.talk.purse:
            continue
        value = desk.table.rows.accounts.get((desk.seat, account.key), 0)
        rows.append(
            {
                "key": account.key,
                "label": capital(account.label),
                "value": value,
                "unit": account.unit,
                "text": desk.talk.amount(account.key, value).removesuffix(account.unit),
            }
        )
    return rows


def _ledger(desk: Desk, query: QueryDict) -> dict[str, Any]:
    """The seat's ledger, newest first; without a filter the purse stays out of it."""
    accounts = {account.key: capital(account.label) for account in desk.table.title.accounts}
    chosen = query.get("account", "")
    chosen = chosen if chosen in accounts else ""
    everything = query.get("ledger") == "all"
    wanted = nations.Wanted(desk.seat, chosen, "" if chosen else desk.talk.purse)
    rows = nations.page_of_lines(
        desk.table.campaign, desk.table.access, wanted, 0, None if everything else LINES + 1
    )
    cut = not everything and len(rows) > LINES
    lines = drawn(
        desk.table, desk.talk, rows[:LINES] if cut else rows, "play/_nation_line.html", chosen
    )
    filters = [{"key": "", "name": _("All"), "on": not chosen}]
    filters += [{"key": key, "name": name, "on": key == chosen} for key, name in accounts.items()]
    more = "?" + urlencode({"account": chosen, "ledger": "all"}) + "#ledger" if cut else ""
    file = desk.table.url("ledger_sheet", desk.seat) + (
        "?" + urlencode({"account": chosen}) if chosen else ""
    )
    asked = {"nation": desk.seat, **({"account": chosen} if chosen else {})}
    whole = desk.table.url("ledger") + "?" + urlencode(asked)
    return {
        "lines": lines,
        "chosen": chosen,
        "filters": filters,
        "more": more,
        "file": file,
        "all": whole,
        "chart": _chart(desk, chosen),
    }


def _chart(desk: Desk, account: str) -> dict[str, Any] | None:
    """One account of all over the log, this seat's line the bold one: the account of the ledger, or
    the title's first.
    """
    shown = account or next(
        (one.key for one in desk.table.title.accounts if one.key != desk.talk.purse), ""
    )
    courses = Courses(desk.table, shown, desk.seat) if shown else None
    if courses is None or courses.empty:
        return None
    label, chart = courses.small(shown)
    return {
        "label": label,
        "narrow": chart,
        "url": desk.table.url("charts") + "?" + urlencode({"account": shown}),
    }
