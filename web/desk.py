"""The game master's desk: what the turn waits for, results, the next turn, corrections, and the way to an undo."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods

from battles import selectors as battle_selectors
from battles.models import Battle, Claim
from campaign import services
from campaign.clocks.terms import SLOT
from campaign.errors import TableError
from campaign.log import selectors
from campaign.log.selectors import Line
from campaign.review import selectors as review_selectors
from campaign.seats import selectors as seats_selectors
from engine.effects import Say
from engine.strict_json import clean_text
from games.contract.title import Field, Lapsing, Offer, Waiting
from web.battles import running, sheet, summary
from web.clocks import turn_timeline
from web.clocks.deadlines import Due, span
from web.forum.posts import glance as glance_posts
from web.lobby.about import life
from web.log.lines import rows, thrown
from web.log.undo import choices, rewind_blocked
from web.play import forms, gm_move, nation
from web.play import forms as play_forms
from web.play.gm_move import Deed, consider, make_move, speaker
from web.seats import absences, hidden_hands
from web.seats.absences import absence_impact as gone
from web.seats.views import lobby_url
from web.shell import campaign_page as shell_campaign_page
from web.shell.campaign_page import GAME_MASTER, TableContext, campaign_page, show
from web.shell.head import due_of
from web.titles import extras

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
    return make_move(table, {"by": GAME_MASTER, "move": move}, posted)


def announce(table: TableContext, posted: Any) -> Deed:
    """Any other move of the game master's own."""
    offer = next((one for one in other_offers(table) if one.key == posted.get("offer")), None)
    if offer is None:
        return Deed(wrong=_("This cannot be done any more."))
    return make_move(table, offer.raw(play_forms.read(offer, posted)), posted)


def other_offers(table: TableContext) -> list[Offer]:
    """The game master's own moves that no other form of the desk makes: those of a title without pages of its own."""
    if extras(table.campaign.title, "battle_forms") is not None:
        return []
    offers_here = table.title.offers(table.position, GAME_MASTER)
    return [one for one in offers_here if one.group != CORRECTION and one.move not in OPENING and one.refusal is None]


def page(request: HttpRequest, table: TableContext, typed: Any, deed: Deed | None = None) -> HttpResponse:
    """The desk with what was typed and what became of it."""
    done = typed.get("do", "")
    latest = selectors.log(table.campaign, table.access, limit=LISTED)
    contests = [b for b in battle_selectors.running(table.campaign) if running(b)]
    table.alone = {battle.number: battle.solo for battle in contests if battle.solo}  # asked for with them
    waiting = waits(table, contests)
    context: dict[str, Any] = {
        "path": turn_timeline.turn_path(table),
        "overdue": sum(1 for one in waiting if one["due"] is not None and one["due"].over),
        "seen": table.seen,
        "deed": deed,
        "did": done,
        "waits": waiting,
        "then": (later := next_players(table)),
        "then_names": [one["people"] or one["name"] for one in later[1:]],
        "results": [result(table, battle) for battle in contests],
        "claimed": sum(1 for claim in table.claimed.values() if claim.state == Claim.State.OPEN),
        "disputed": sum(1 for claim in table.claimed.values() if claim.state == Claim.State.DISPUTED),
        "closed": None if table.draft or table.finished else hidden_hands.closed_hands(table),
        "signing": rows(table, (line for line in latest if not line.struck and line.mark.lacks)),
        "opening": opening(table),
        "fix": fix(table, typed, deed if done in ("", "correct") else None),
        "choices": choices(table, latest),
        "restore": restorable(latest),
        "stands": rewind_blocked(table),
        "unseen": None if table.access.chief else seats_selectors.inactive_master(table.campaign, table.places, timezone.now()),
        "life": life(table),
        "lobby_url": lobby_url(table),
        "about_url": table.url("about"),
        "back": "desk",
        "unguarded": unguarded(table),
        "rolls": thrown_now(table, latest),
        "dice_url": table.url("dice"),
        "record_url": table.url("record"),
        "outbox": glance_posts(table),
        "gone": gone(table),
        "seats_url": "" if table.solo else table.url("seats"),
        "others": [
            {"key": one.key, "name": speaker(table).offer_name(one), "controls": play_forms.controls(speaker(table), one, {})}
            for one in other_offers(table)
        ],
        "nations": [
            {"key": s.key, "name": s.name, "url": table.url("nation", s.key)}
            for s in table.seats
            if not (table.draft or table.finished)
        ],
    }
    return show(request, table, "desk/desk.html", context, here="desk", status=deed.status if deed else 200)


def result(table: TableContext, battle: Battle) -> dict[str, Any]:
    """A running battle among the results: with its claim where one waits, else with the form of its shares."""
    claim = table.claimed.get(battle.number)
    facts = summary(table, battle) | {"shares": takes_shares(table, battle.known)}
    return facts | {"claim": sheet(table, battle, claim) if claim is not None else None}


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
    own = extras(table.campaign.title, "table")
    last = offer.move != "start" and table.campaign.turn == table.view.get("turns")
    opens = "" if last else _("Open turn %(number)s") % {"number": table.campaign.turn + 1}
    context: dict[str, Any] = {
        "move": offer.move, "verb": _("Start the campaign") if offer.move == "start" else opens,
        "why": "", "rule": "", "does": own.opening(table) if own else [],
        "free": [seat.name for seat in table.seats if seat.holder is None] if offer.move == "start" else [],
    }  # fmt: skip
    if offer.refusal is not None:
        slots = len(order(table)) + bool(table.campaign.active_seat)
        fought = sum(1 for facts in table.rows.contests.values() if facts.get("status") != "resolved")
        reasons = [ngettext("%(n)d slot to end", "%(n)d slots to end", slots) % {"n": slots}] if slots else []
        reasons += [ngettext("%(n)d battle unresolved", "%(n)d battles unresolved", fought) % {"n": fought}] if fought else []
        context["why"] = ", ".join(reasons) or table.title.refusal(table.scenario, offer.refusal)
        if last and reasons:
            context["why"] = _("%(why)s, then the campaign ends") % {"why": context["why"]}
        context["rule"] = "1.3" if reasons else offer.refusal.rule
    return context


# Undo ----------------------------------------------------------------------------------------------------------------


def unguarded(table: TableContext) -> bool:
    """Has the reader no second factor? It is offered to game masters, and asked of nobody."""
    return not shell_campaign_page.guarded(table.campaign)


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
    by_purpose: dict[str, Any] = {}
    for roll in (roll for line in latest for roll in reversed(line.rolls) if not table.draft):
        if roll.turn == table.campaign.turn:
            by_purpose.setdefault(roll.purpose, roll)
    return thrown(table, list(by_purpose.values())[:ROLLS])


# What the desk says of whom the table waits for: on whom, since when, until when, and what the game master can do.


class Help(NamedTuple):
    """What the game master can do for whom the table waits for: a verb and where it leads, or the fields of a form that
    announces it."""

    verb: str
    url: str = ""
    fields: tuple[tuple[str, str], ...] = ()


def waits(table: TableContext, contests: list[Any]) -> list[dict[str, Any]]:
    """What the turn waits for, on whom, since and until when, and what the game master can do about it."""
    since, launched = moments(table), {battle.number: battle.launched_at for battle in contests}
    lines: dict[tuple[str, Any], dict[str, Any]] = {}
    for one in table.waiting:
        key = (one.what.id, one.contest if one.contest is not None else one.seat)
        line = lines.setdefault(key, {"seats": [], "people": [], "one": one})
        line["seats"].append(one.seat)
        line["people"] += [name for name in table.holders(one.seat) or [table.name_of(one.seat)] if name not in line["people"]]
    rows = []
    for line in lines.values():
        one, seat = line["one"], line["seats"][0]
        contest = one.contest
        if contest is not None:
            claim = table.claimed.get(contest)
            at = max(filter(None, (launched.get(contest), since.get(("attack", str(contest))))), default=None)
            at = claim.last.at if claim is not None else at
        elif seat == GAME_MASTER:
            at = since.get(("last", "")) or table.campaign.founded_at
        else:
            at = since.get(("slot", seat)) or since.get(("last", ""))
        due = due_of(table, one)
        rows.append(
            {
                "seat": seat,
                "name": table.name_of(seat),
                "people": _(" and ").join(line["people"]),
                "text": table.sentence(one.what),
                "contest": contest,
                "url": table.url("battle", contest) if contest is not None else "",
                "since": at,
                "ago": ago(at),
                "mine": seat == GAME_MASTER,
                "due": due,
                "helps": helps(table, one, due),
                "absent": absences.absence_chips(table, *line["seats"]),
            }
        )
    return rows


def helps(table: TableContext, one: Waiting, due: Due | None) -> list[Help]:
    """What the game master can do for whom the table waits for; once it is overdue, what ends the waiting comes first."""
    if not table.playable:
        return []
    helps_here = [first] if (first := help_with(table, one.what, one.contest, one.seat)) else []
    if due is not None and due.over and due.kind == SLOT and (end := lapse(table, one)):
        helps_here = [end]
    if due is not None and not due.held:
        helps_here.append(Help(_("Extend…"), f"{table.url('clocks')}?extend={due.clock.pk}&back=desk#extend"))
    return helps_here


def lapse(table: TableContext, one: Waiting) -> Help | None:
    """What the title says where nobody plays on: the form that announces it for him, if it asks for nothing more."""
    raw = table.title.lapse(table.position, one) if isinstance(table.title, Lapsing) else None
    if raw is None:
        return None
    page = nation.Desk(table, one.seat)
    page.by = GAME_MASTER
    matching = (offer for offer in page.offers if offer.move == raw["move"] and offer.refusal is None and not offer.fields)
    offer = next(matching, None)
    if offer is None:
        return None
    verb = _("End your slot") if one.seat in table.own_seats else _("End his slot")
    return Help(verb, fields=tuple(page.hidden(offer, table.url("desk"))))


def help_with(table: TableContext, what: Say, contest: int | None, seat: str) -> Help | None:
    """What the game master can do for whom the table waits for, or by himself where it waits for his own seat."""
    own = seat in table.own_seats
    if seat == GAME_MASTER:
        return Help(_("Judge"), f"{table.url('battle', contest)}#claim") if contest is not None else None
    if contest is None:
        return Help(_("Play your slot") if own else _("Play his slot"), table.url("nation", seat))
    if what.id == battle_selectors.CONFIRM:
        return Help(_("Judge"), f"{table.url('battle', contest)}#claim")
    if what.id == "wait-answer":
        return Help(_("Answer it") if own else _("Answer for him"), f"{table.url('battle', contest)}?answer=1#answer")
    return Help(_("Enter the result"), f"{table.url('battle', contest)}#report")


def moments(table: TableContext) -> dict[tuple[str, str], datetime]:
    """The last entry in force of each battle, of each slot's opening, and of all."""
    moments_by: dict[tuple[str, str], datetime] = {}
    for entry in table.turn_moves:
        moments_by["last", ""] = entry.at
        for effect in entry.all_effects:
            if effect.kind == "attack":
                moments_by["attack", effect.subject] = entry.at
            elif effect.kind == "slot" and effect.subject == "opened":
                moments_by["slot", effect.holder or ""] = entry.at
    return moments_by


def ago(at: datetime | None) -> str:
    """How long somebody has been waited for."""
    return "" if at is None else span(timezone.now() - at)


def order(table: TableContext) -> list[str]:
    """The seats whose slots are still to come, in the order of play, the open one not among them."""
    keys, now = list(table.view.get("order") or ()), table.campaign.active_seat
    return keys[keys.index(now) + 1 :] if now in keys else []


def next_players(table: TableContext) -> list[dict[str, str]]:
    """Who plays next, in their order."""
    return [{"key": key, "name": table.name_of(key), "people": ", ".join(table.holders(key))} for key in order(table)]


# The game master's corrections at his desk: his four tools, what would follow, the form with all that was typed.

CORRECTION = "correction"
LONGEST_REASON = 1000
TOO_LONG = gettext_lazy("A reason has up to 1,000 characters, all of which can be shown.")


def offers(table: TableContext, group: str) -> list[Offer]:
    """The game master's own offers of a group; whoever comes here is one."""
    return [offer for offer in table.title.offers(table.position, GAME_MASTER) if offer.group == group]


def tool(table: TableContext, key: str) -> Offer | None:
    """The correction of this key, the first where there is none of it."""
    tools = offers(table, CORRECTION)
    return next((offer for offer in tools if offer.key == key), tools[0] if tools else None)


def correction(table: TableContext, typed: Any) -> tuple[Offer | None, dict[str, Any], dict[str, Any]]:
    """The tool, what was typed for it, and the move in record form."""
    offer = tool(table, str(typed.get("fix", "")))
    if offer is None:
        return None, {}, {}
    arguments = forms.read(offer, typed)
    for one in offer.fields:
        if one.kind == "text" and isinstance(arguments.get(one.key), str):
            # A form sends a line break as two characters; its field counts one.
            arguments[one.key] = arguments[one.key].replace("\r\n", "\n")
    return offer, arguments, {**offer.raw(arguments)}


def glance(table: TableContext, typed: Any) -> Deed | None:
    """What would follow from a correction that an address or a half-filled form describes; None where it says too little."""
    offer, arguments, _ = correction(table, typed) if typed.get("fix") else (None, {}, {})
    if offer is None:
        return None
    # Another nation may have been chosen than the card was of: what no longer fits gives way, as in the form.
    arguments = {**arguments, **forms.complete(offer, arguments)}
    if any(one.key not in arguments for one in offer.fields if one.kind != "text"):
        return None
    if closed(table, offer, arguments) is not None:
        return None
    deed = consider(table, offer.raw(arguments | {one.key: "–" for one in offer.fields if one.kind == "text"}))
    deed.looked = True
    deed.own = gm_move.of_move(table, deed.raw)
    return deed


def correct(table: TableContext, posted: Any) -> Deed:
    """A correction: with `look` its consequence alone, which asks for no reason yet."""
    offer, arguments, raw = correction(table, posted)
    if offer is None:
        return Deed(wrong=_("This campaign has no corrections."))
    if closed(table, offer, arguments) is not None:
        return Deed(wrong=_("This hand is closed to you. Look at it first."), raw=raw)
    lacking = forms.missing(offer, arguments)
    if lacking is not None and lacking.kind != "text":
        return Deed(wrong=missing_fields(table, offer, lacking), field=lacking.key, raw=raw)
    texts = [one.key for one in offer.fields if one.kind == "text"]
    if posted.get("look"):
        looked = consider(table, {**raw, **dict.fromkeys(texts, "–")})
        looked.own = gm_move.of_move(table, looked.raw)
        return looked
    for key in texts:
        if not clean_text(arguments.get(key, ""), LONGEST_REASON):
            return Deed(wrong=str(TOO_LONG), field=key, raw=raw)
    if lacking is not None:
        raw[lacking.key] = ""  # for the rules to refuse, in their words
    if not posted.get("own") and (asked := gm_move.of_move(table, raw)) is not None:
        looked = consider(table, raw)
        looked.own = asked
        return looked
    deed = make_move(table, raw, posted)
    if lacking is not None and not deed.overtaken:
        deed.field = lacking.key
    return deed


def closed(table: TableContext, offer: Offer, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """What is said in the place of a correction of cards, where the hand of the nation that is chosen is closed to him."""
    if not any(one.kind == "card" for one in offer.fields):
        return None
    seats = [str(arguments[one.key]) for one in offer.fields if one.kind == "nation" and one.key in arguments]
    return hidden_hands.closed_hands(table, *seats)


def fixing(offer: Offer, shown: Mapping[str, Any]) -> dict[str, str]:
    """The query of the form as it stands, its words aside."""
    return {
        "fix": offer.key,
        **{one.key: str(shown[one.key]) for one in offer.fields if one.kind == "nation" and one.key in shown},
    }


def missing_fields(table: TableContext, offer: Offer, lacking: Field) -> str:
    """What is to be done with a field that was left empty, by the name it has on the page."""
    label = speaker(table).field_label(offer, lacking)
    text = _("%(field)s: type a number first.") if lacking.kind == "number" else _("%(field)s: choose one first.")
    return text % {"field": label}


def fix(table: TableContext, typed: Any, deed: Deed | None) -> dict[str, Any] | None:
    """The form of corrections: its tools, the fields of the open one with what was typed."""
    corrections = offers(table, CORRECTION)
    if not corrections:
        return None
    talk = speaker(table)
    offer = next((one for one in corrections if one.key == typed.get("fix")), corrections[0])
    arguments = correction(table, typed)[1] if typed.get("fix") else {}
    shown = {**arguments, **forms.complete(offer, arguments)}
    shut = closed(table, offer, shown)
    wrong = forms.Wrong(deed.wrong, deed.rule, deed.field) if deed and deed.wrong and not deed.overtaken else None
    why = table.title.refusal(table.scenario, offer.refusal) if offer.refusal else ""
    if not table.playable:
        why = _("Nothing is corrected here any more: take the campaign up again, or out of the archive, first.")
    looked = glance(table, typed) if deed is not None and deed.wrong else deed
    controls = forms.controls(talk, offer, shown, wrong)
    if shut is not None:
        controls = [control for control in controls if control.kind == "nation"]
    for control in controls:
        typed_number = str(typed.get(control.key, "")) if control.kind == "number" else ""
        control.value = control.value or typed_number  # also what is no number stays as it was typed
    return {
        "tools": [{"key": one.key, "name": talk.offer_name(one), "here": one is offer} for one in corrections], "key": offer.key,
        "controls": controls, "deed": deed, "wrong": wrong, "follow": looked.follow if looked and shut is None else None,
        "closed": None if shut is None else {**shut, "back": f"{table.url('desk')}?{urlencode(fixing(offer, shown))}#fix"},
        "own": looked.own if looked else None,
        "why": why, "rule": offer.refusal.rule if offer.refusal and table.playable else "",
    }  # fmt: skip


# A countersigner's word under what a game master corrected, undid or judged, or did for his own seat.


def may(table: TableContext, line: Line) -> bool:
    """May the reader countersign this entry, or object to it, now?"""
    user, own = table.user, line.mark.own
    if not user.is_authenticated or user.username in line.signed:
        return False
    return not review_selectors.bars(line.entry, own, user.pk, table.access, table.places)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def countersign(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """POST countersigns, with `do` = object it objects; a GET leads to the entry."""
    if request.method == "POST":
        try:
            if request.POST.get("do") == "object":
                services.object_to(table.campaign, table.user, number, request.POST.get("reason", ""))
                text = _("Your objection stands under entry %(number)s, and everybody is told.")
            else:
                services.countersign(table.campaign, table.user, number)
                text = _("Entry %(number)s is countersigned.")
        except TableError as error:
            if error.status in (403, 404):
                raise
            messages.error(request, str(error))
        else:
            messages.success(request, text % {"number": number})
    return redirect(table.url("entry", number))
