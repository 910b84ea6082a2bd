"""The game master's desk: what the turn waits for, results, the next turn, corrections, and the way to an undo."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from battles import selectors as battle_selectors
from battles.models import Battle, Claim
from campaign import selectors, unseen
from engine.title import Offer
from web import beside, closing, eyes, moves
from web.falls import of as gone
from web.titles import extras
from web.views.about import life
from web.views.battle import running, summary
from web.views.claim import sheet
from web.views.common import GAME_MASTER, TableContext, campaign_page, show
from web.views.correct import CORRECTION, correct, fix, glance
from web.views.deed import Deed, say, speaker
from web.views.desk_waits import order, then, waits
from web.views.lines import rows, thrown
from web.views.posts import glance as glance_posts
from web.views.rewind import choices, shut
from web.views.seats import lobby_url

LISTED, ROLLS = 120, 60
OPENING = ("start", "open-turn")


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def desk(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """The desk. `do` of a POST says which form it is: correct, turn, say; `look` shows without doing."""
    table.must_be_game_master()
    if request.method != "POST":
        return page(request, table, request.GET, glance(table, request.GET))
    forms = {"correct": correct, "turn": turn, "say": announce}
    form = forms.get(request.POST.get("do", ""))
    if form is None:
        return page(request, table, request.POST)
    deed = form(table, request.POST)
    if deed.done:
        return redirect(table.url("desk"))
    return page(request, table, request.POST, deed)


def turn(table: TableContext, posted: Any) -> Deed:
    """Starts the campaign or opens the next turn."""
    move = posted.get("move", "")
    if move not in OPENING:
        return Deed(wrong=_("There is no such step."))
    return say(table, {"by": GAME_MASTER, "move": move}, posted)


def announce(table: TableContext, posted: Any) -> Deed:
    """Any other move of the game master's own."""
    offer = next((one for one in other_offers(table) if one.key == posted.get("offer")), None)
    if offer is None:
        return Deed(wrong=_("This cannot be done any more."))
    return say(table, offer.raw(moves.read(offer, posted)), posted)


def other_offers(table: TableContext) -> list[Offer]:
    """The game master's own moves that no other form of the desk makes: those of a title without pages of its own."""
    if extras(table.campaign.title, "battle_forms") is not None:
        return []
    found = table.title.offers(table.position, GAME_MASTER)
    return [one for one in found if one.group != CORRECTION and one.move not in OPENING and one.refusal is None]


def page(request: HttpRequest, table: TableContext, typed: Any, deed: Deed | None = None) -> HttpResponse:
    """The desk with what was typed and what became of it."""
    done = typed.get("do", "")
    latest = selectors.log(table.campaign, table.access, limit=LISTED)
    contests = [b for b in battle_selectors.running(table.campaign) if running(b)]
    table.alone = {battle.number: battle.solo for battle in contests if battle.solo}  # asked for with them
    waiting = waits(table, contests)
    context: dict[str, Any] = {
        "path": closing.of(table), "overdue": sum(1 for one in waiting if one["due"] is not None and one["due"].over),
        "seen": table.seen, "deed": deed, "did": done, "waits": waiting, "then": (later := then(table)),
        "then_names": [one["people"] or one["name"] for one in later[1:]],
        "results": [result(table, battle) for battle in contests],
        "claimed": sum(1 for claim in table.claimed.values() if claim.state == Claim.State.OPEN),
        "disputed": sum(1 for claim in table.claimed.values() if claim.state == Claim.State.DISPUTED),
        "closed": None if table.draft or table.finished else eyes.shut(table),
        "signing": rows(table, (line for line in latest if not line.struck and line.mark.lacks)),
        "opening": opening(table), "fix": fix(table, typed, deed if done in ("", "correct") else None),
        "choices": choices(table, latest), "restore": restorable(latest), "stands": shut(table),
        "unseen": None if table.access.chief else unseen.look(table.campaign, table.places, timezone.now()),
        "life": life(table), "lobby_url": lobby_url(table),
        "about_url": table.url("about"), "back": "desk", "unguarded": unguarded(table),
        "rolls": thrown_now(table, latest), "dice_url": table.url("dice"), "record_url": table.url("record"),
        "outbox": glance_posts(table), "gone": gone(table),
        "seats_url": "" if table.solo else table.url("seats"),
        "others": [{"key": one.key, "name": speaker(table).offer_name(one), "controls": moves.controls(speaker(table), one, {})}
                   for one in other_offers(table)],
        "nations": [{"key": s.key, "name": s.name, "url": table.url("nation", s.key)}
                    for s in table.seats if not (table.draft or table.finished)],
    }  # fmt: skip
    return show(request, table, "campaign/desk.html", context, here="desk", status=deed.status if deed else 200)


def result(table: TableContext, battle: Battle) -> dict[str, Any]:
    """A running battle among the results: with its claim where one waits, else with the form of its shares."""
    claim = table.claimed.get(battle.number)
    made = summary(table, battle) | {"shares": takes_shares(table, battle.known)}
    return made | {"claim": sheet(table, battle, claim) if claim is not None else None}


def takes_shares(table: TableContext, known: Mapping[str, Any]) -> bool:
    """May this battle's result be entered as two shares?"""
    forms = extras(table.campaign.title, "battle_forms")
    return bool(forms and forms.takes_shares(known))


# The next turn -------------------------------------------------------------------------------------------------------


def opening(table: TableContext) -> dict[str, Any] | None:
    """The button of the next turn: what it will do, or why it cannot yet; None once the campaign is finished.

    After the last turn none opens: there `verb` is empty.
    """
    if table.finished or table.stopped:
        return None
    wanted = "start" if table.draft else "open-turn"
    offer = next((one for one in table.title.offers(table.position, GAME_MASTER) if one.move == wanted), None)
    if offer is None:
        return None
    own = extras(table.campaign.title, "desk")
    last = offer.move != "start" and table.campaign.turn == table.view.get("turns")
    opens = "" if last else _("Open turn %(number)s") % {"number": table.campaign.turn + 1}
    made: dict[str, Any] = {
        "move": offer.move, "verb": _("Start the campaign") if offer.move == "start" else opens,
        "why": "", "rule": "", "does": own.opening(table) if own else [],
        "free": [seat.name for seat in table.seats if seat.holder is None] if offer.move == "start" else [],
    }  # fmt: skip
    if offer.refusal is not None:
        slots = len(order(table)) + bool(table.campaign.active_seat)
        fought = sum(1 for facts in table.rows.contests.values() if facts.get("status") != "resolved")
        told = [ngettext("%(n)d slot to end", "%(n)d slots to end", slots) % {"n": slots}] if slots else []
        told += [ngettext("%(n)d battle unresolved", "%(n)d battles unresolved", fought) % {"n": fought}] if fought else []
        made["why"] = ", ".join(told) or table.title.refusal(table.scenario, offer.refusal)
        if last and told:
            made["why"] = _("%(why)s, then the campaign ends") % {"why": made["why"]}
        made["rule"] = "1.3" if told else offer.refusal.rule
    return made


# Undo ----------------------------------------------------------------------------------------------------------------


def unguarded(table: TableContext) -> bool:
    """Has the reader no second factor? It is offered to game masters, and asked of nobody."""
    return not beside.guarded(table.campaign)


def restorable(latest: list[selectors.Line]) -> dict[str, Any] | None:
    """The last undo, if nothing was played since: how many moves it struck, or that there are `more` than are at hand."""
    for line in latest:
        entry = line.entry
        if entry.number is None:
            continue
        if entry.is_move:
            return None
        if entry.act == "undo":
            if entry.struck_by_id is not None:
                return None
            struck = sum(1 for one in latest if one.entry.struck_by_id == entry.pk)
            more = len(latest) == LISTED and latest[-1].entry.struck_by_id == entry.pk
            return {"number": entry.number, "count": struck, "more": more}
    return None


def thrown_now(table: TableContext, latest: list[selectors.Line]) -> list[Any]:
    """The rolls of this turn, the latest first, each purpose once."""
    made: dict[str, Any] = {}
    for roll in (roll for line in latest for roll in reversed(line.rolls) if not table.draft):
        if roll.turn == table.campaign.turn:
            made.setdefault(roll.purpose, roll)
    return thrown(table, list(made.values())[:ROLLS])
