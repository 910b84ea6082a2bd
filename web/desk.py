"""The game master's desk: what waits for them, whom they wait for, results, corrections, and the way to the turn's close."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext, pgettext
from django.views.decorators.http import require_http_methods

from battles import projection as battles_projection
from battles.models import Battle, Claim
from campaign import access as campaign_access
from campaign import review, rulebook, services
from campaign.clocks.selectors import SLOT, TURN
from campaign.errors import TableError
from campaign.log import selectors
from campaign.log.selectors import Line
from campaign.seats import selectors as seats_selectors
from engine.effects import Say
from engine.language import joined
from engine.strict_json import clean_text, whole
from games.contract.title import Field, Lapsing, Offer, Waiting
from notices import selectors as notice_selectors
from notices import services as notice_services
from notices.models import Service
from notices.selectors import Matter, Sent
from web import waiting as table_waiting
from web.battles import claim_act, evidence_row, running, sheet, summary
from web.clocks import turn_timeline
from web.forum.posts import glance as glance_posts
from web.lobby.about import life
from web.log.lines import rows
from web.log.undo import choices, rewind_blocked
from web.play import forms, gm_move, nation
from web.play import forms as play_forms
from web.play.gm_move import Deed, consider, make_move, speaker
from web.seats import absences, hidden_hands
from web.seats.absences import absence_impact as gone
from web.seats.views import lobby_url
from web.shell.campaign_page import GAME_MASTER, RESUME, TableContext, campaign_page, due_of, show, turn_moves
from web.shell.requests import inside_this_site
from web.titles import extras
from web.waiting import Due, live_claims, solo_battles, waited_for

LISTED, LATEST = 120, 5
OPENING = ("start", "open-turn")


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def desk(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """The desk. `do` of a POST says which form it is; `look` shows what follows without doing it."""
    table.must_be_game_master()
    if request.method != "POST":
        return page(request, table, request.GET, glance(table, request.GET))
    acts = {"correct": correct, "turn": turn, "say": announce, "judge": judge, "results": enter_results, "remind": remind}
    act = acts.get(request.POST.get("do", ""))
    if act is None:
        return page(request, table, request.POST)
    deed = act(table, request.POST)
    if deed.done:
        back = inside_this_site(request, request.POST.get("back", ""), f"/c/{table.ref}/")
        return redirect(back or table.url("desk"))
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
    contests = [b for b in battles_projection.running(table.campaign) if running(b)]
    solo_battles(table, contests)  # asked for with them
    waiting = waits(table, contests)
    outbox = glance_posts(table)
    path = turn_timeline.turn_path(table)
    others = [one for one in waiting if not one["mine"] and not one["own"]]
    judging = case(table, contests, typed, deed if done == "judge" else None)
    context: dict[str, Any] = {
        "status": status(table, path),
        "path": path,
        "seen": table.seen,
        "deed": deed,
        "did": done,
        "case": judging,
        "mine": own_matters(table, waiting, judging, outbox),
        "waits": others,
        "overdue": sum(1 for one in others if one["due"] is not None and one["due"].over),
        "today": sum(1 for one in others if one["due"] is not None and not one["due"].over and due_today(one["due"])),
        "remindable": [one for one in others if one["remind"] and not one["remind"]["next"]],
        "asks_all": typed.get("remind") == "all",
        "then": (later := next_players(table)),
        "then_names": [one["people"] or one["name"] for one in later[1:]],
        "results": (lines := results(table, contests, typed)),
        "ready": [one for one in lines if one["follow"]],
        "enterable": any(one["shares"] for one in lines),
        "signature": signature(lines),
        "closed": None if not table.campaign.started or table.campaign.ended else hidden_hands.closed_hands(table),
        "signing": rows(table, (line for line in latest if not line.struck and line.mark.lacks)),
        "opening": opening(table),
        "fix": fix(table, typed, deed if done in ("", "correct") else None),
        "fixes": typed.get("fix", "") or ("adjust" if done == "correct" else ""),
        "choices": choices(table, latest),
        "restore": restorable(latest),
        "stands": rewind_blocked(table),
        "decided": decided(table, latest),
        "looks": own_looks(table),
        "unseen": None if table.access.chief else seats_selectors.inactive_master(table.campaign, table.places, timezone.now()),
        "life": life(table),
        "lobby_url": lobby_url(table),
        "about_url": table.url("about"),
        "unguarded": unguarded(table),
        "record_url": table.url("record"),
        "outbox": outbox,
        "steps": checklist(table, outbox, len(contests)),
        "gone": gone(table),
        "seats_url": "" if table.solo else table.url("seats"),
        "clocks_url": "" if table.solo else table.url("clocks"),
        "others": [
            {"key": one.key, "name": speaker(table).offer_name(one), "controls": play_forms.controls(speaker(table), one, {})}
            for one in other_offers(table)
        ],
        "nations": [
            {"key": s.key, "name": s.name, "url": table.url("nation", s.key)}
            for s in table.seats
            if not (not table.campaign.started or table.campaign.ended)
        ],
    }
    return show(request, table, "desk/desk.html", context, here="desk", status=deed.status if deed else 200)


# How the campaign stands, and the steps of its turn -----------------------------------------------------------------------


def status(table: TableContext, path: turn_timeline.Path | None) -> dict[str, Any]:
    """The line at the top: which day of how many the turn is in, when it closes; of a draft nothing but its chip."""
    if not table.campaign.started or table.campaign.ended:
        return {"day": 0}
    clock = next((one for one in table_waiting.clocks(table) if one.kind == TURN), None)
    first = timezone.localdate(clock.started_at if clock else next((move.at for move in turn_moves(table)), timezone.now()))
    return {
        "day": (timezone.localdate() - first).days + 1,
        "days": (timezone.localdate(clock.due_at) - first).days + 1 if clock else 0,
        "closes": path.latest if path else None,
    }


def checklist(table: TableContext, outbox: Mapping[str, Any] | None, fought: int) -> list[tuple[str, str]]:
    """The steps of this turn, each with its state: `done`, `now` or empty."""
    keys = turn_order(table)
    if not table.campaign.started or table.campaign.ended or not keys:
        return []
    turn = table.campaign.turn
    ended = len(keys) - len(order(table)) - bool(table.campaign.active_seat)
    steps = [(True, _("Turn %(number)s opened") % {"number": turn})]
    if outbox and outbox["opening"]:
        steps.append((outbox["opened"], _("First post, with the order of play")))
    steps.append((ended == len(keys), _("Slots: %(n)s of %(all)s ended") % {"n": ended, "all": len(keys)}))
    over = ended == len(keys) and not fought
    steps.append((over, ngettext("Battles: %(n)d to resolve", "Battles: %(n)d to resolve", fought) % {"n": fought}
                  if fought else _("Battles judged and applied")))  # fmt: skip
    last = turn == table.view.get("turns")
    if any(move.act == RESUME for move in turn_moves(table)):
        steps = [(True, _("Taken over after turn %(number)s from elsewhere") % {"number": turn})]
    proposed = rulebook.amendment_book(table.campaign) if table.notes.amended else []
    if (amendment := next((one for one in proposed if one.open), None)) is not None:
        steps.append((False, _("Amendment %(n)s: put it in force or withdraw it") % {"n": amendment.number}))
    steps.append((False, _("Post the last report") if last else _("Open the next turn, post the report")))
    now = next(place for place, (done, _text) in enumerate(steps) if not done)
    return [("done" if done else "now" if place == now else "", text) for place, (done, text) in enumerate(steps)]


def turn_order(table: TableContext) -> list[str]:
    """The seats in the order of play of this turn; empty where the title has none."""
    return [key for key in table.view.get("order") or () if key in table.names]


def decided(table: TableContext, latest: Sequence[Line]) -> list[Any]:
    """The last rulings, corrections, undos and judgments that stand, the latest first."""
    acts = (one for one in latest if not one.struck and (one.entry.act == "ruling" or review.concerns(one.entry)))
    return rows(table, list(acts)[:LATEST])


def own_looks(table: TableContext) -> list[dict[str, Any]]:
    """When the reader opened whose hidden hand, the latest first. One query, none where all hands are open."""
    if not campaign_access.hides(table.campaign) or table.solo:
        return []
    kept = review.looks_of(table.campaign, table.user.pk)[:LATEST]
    return [{"seat": one.seat, "name": table.name_of(one.seat), "at": one.last_at, "url": table.url("looks", one.seat)}
            for one in kept]  # fmt: skip


# What waits for the game master ----------------------------------------------------------------------------------------


def own_matters(
    table: TableContext, waiting: Sequence[Mapping[str, Any]], judging: Mapping[str, Any] | None, outbox: Mapping[str, Any] | None
) -> list[dict[str, Any]]:
    """What else waits for the game master beside the case that is open on the page, a row each."""
    matters = []
    for one in waiting:
        text = one["text"] if one["contest"] is None else f"{one['text']} #{one['contest']}"
        if one["own"] and one["helps"]:
            matters.append({"text": f"{one['seats'][0][1]}: {text}", "since": one["since"], "url": one["helps"][0].url,
                         "verb": one["helps"][0].verb})  # fmt: skip
        elif one["mine"] and one["contest"] is not None and not (judging and one["contest"] == judging["number"]):
            matters.append({"text": text, "since": one["since"], "url": f"?judge={one['contest']}#mine", "verb": _("Judge")})
    if outbox and outbox["waiting"]:
        n = outbox["waiting"]
        text = ngettext("%(n)d post is ready to be posted", "%(n)d posts are ready to be posted", n) % {"n": n}
        matters.append({"text": text, "since": None, "url": outbox["url"], "verb": _("Outbox")})
    return matters


def case(table: TableContext, contests: Sequence[Battle], typed: Any, deed: Deed | None) -> dict[str, Any] | None:
    """The battle that waits for the game master's ruling, that of `?judge=` or else the first: both versions side by side."""
    forms = extras(table.campaign.title, "battle_forms")
    numbers = [one.contest for one in waited_for(table) if one.seat == GAME_MASTER and one.contest is not None]
    if not numbers or forms is None or not table.campaign.playable:
        return None
    asked = whole(str(typed.get("judge") or typed.get("battle") or ""))
    number = asked if asked in numbers else numbers[0]
    battle = next((one for one in contests if one.number == number), None)
    claim = live_claims(table).get(number)
    if battle is None or claim is None:
        return None
    claimed = sheet(table, battle, claim)
    shown = list(battles_projection.evidence(battle))
    versions = [
        {"key": "claim", "seat": claim.seat, "name": table.name_of(claim.seat), "who": claimed["who"], "at": claim.entry.at,
         "did": _("claimed"), "url": claimed["url"], "line": claimed["line"], "words": claimed["word"],
         "follow": claimed["deed"].follow, "open": False,
         "evidence": _evidence(table, battle, shown, claim.entry.actor_id), **version(table, forms, battle, claim.result)},
    ]  # fmt: skip
    if claim.state == Claim.State.DISPUTED:
        last, raw = claim.last, claim.disputed_result
        who = next((one.user.username for one in table.places if one.user_id == last.actor_id), "")
        versions.append({
            "key": "dispute", "seat": last.seat, "name": table.name_of(last.seat), "who": who, "at": last.at,
            "did": _("disputed"), "url": table.url("entry", last.number), "line": "", "words": claimed["reason"],
            "follow": consider(table, raw).follow if raw else None, "evidence": _evidence(table, battle, shown, last.actor_id),
            **(version(table, forms, battle, raw) if raw else {"numbers": "", "sentence": "", "rule": ""}), "open": raw is None,
        })  # fmt: skip
    named = {claim.entry.actor_id, claim.last.actor_id}
    chosen = typed.get("version", "") if deed else "" if len(versions) > 1 else "claim"
    return {
        "number": number, "where": summary(table, battle)["where"], "url": table.url("battle", number),
        "claim": claim.entry.number, "since": claim.last.at,
        "versions": versions, "chosen": chosen, "shares": takes_shares(table, battle.known),
        "sides": sides(table, battle), "attacker": typed.get("attacker", ""), "defender": typed.get("defender", ""),
        "sure": f"{typed.get('attacker', '')}:{typed.get('defender', '')}" if deed and deed.follow else "",
        "reason": typed.get("reason", "") if deed else "", "deed": deed, "own": gm_move.of_contest(table, number),
        "further": [evidence_row(table, battle, one) for one in shown if one.entry.actor_id not in named],
    }  # fmt: skip


def version(table: TableContext, forms: Any, battle: Battle, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A result as one side has it: its two numbers where there are two, and what it means."""
    words = forms.claimed(table, battle.known, raw)
    return {
        "numbers": "–".join(value for _name, value in words.get("shares", ())),
        "sentence": words["sentence"],
        "rule": words["rule"],
    }


def sides(table: TableContext, battle: Battle) -> list[dict[str, str]]:
    return list(summary(table, battle)["sides"])


def _evidence(table: TableContext, battle: Battle, shown: Iterable[Any], actor: int | None) -> list[dict[str, Any]]:
    return [evidence_row(table, battle, one) for one in shown if one.entry.actor_id == actor]


def judge(table: TableContext, posted: Any) -> Deed:
    """The ruling: a side's own version, or two other numbers, whose consequence is shown before they are applied."""
    forms, number = extras(table.campaign.title, "battle_forms"), whole(posted.get("battle", ""))
    battle = battles_projection.battle(table.campaign, number) if number else None
    claim = live_claims(table).get(number) if number else None
    if battle is None or claim is None or forms is None:
        return Deed(wrong=_("This battle no longer waits for a ruling."))
    raw, chosen = None, posted.get("version", "")
    if chosen == "other":
        raw = forms.result_move(number, {**posted.dict(), "by": "shares"})
        if raw is None:
            return Deed(wrong=forms.missing({"by": "shares"})[0], field="other")
        if posted.get("sure") != f"{posted.get('attacker')}:{posted.get('defender')}":
            return consider(table, raw)
    elif chosen == "dispute" and claim.disputed_result is not None:
        raw = claim.disputed_result
    elif chosen != "claim":
        return Deed(wrong=_("Choose whose result is valid."))
    return claim_act(table, battle, table.request, raw)


# Results, two numbers a row --------------------------------------------------------------------------------------------


def results(table: TableContext, contests: Sequence[Battle], typed: Any) -> list[dict[str, Any]]:
    """The battles that run, each with its claim, or with the numbers typed for it and what they mean."""
    lines = []
    for battle in contests:
        line = summary(table, battle)
        claim = live_claims(table).get(battle.number)
        line |= {"claim": None, "disputed": False, "shares": claim is None and takes_shares(table, battle.known)}
        line |= {"follow": None, "raw": None, **dict.fromkeys(("attacker", "defender", "verdict", "rule", "wrong"), "")}
        if claim is not None:
            line |= {"claim": sheet(table, battle, claim), "disputed": claim.state == Claim.State.DISPUTED}
        elif line["shares"]:
            line |= _typed_result(table, battle, typed)
        lines.append(line)
    return lines


def _typed_result(table: TableContext, battle: Battle, typed: Any) -> dict[str, Any]:
    """What was typed in a row, and what follows from it."""
    forms: Any = extras(table.campaign.title, "battle_forms")
    n = battle.number
    given = {"by": "shares", "attacker": typed.get(f"a-{n}", "").strip(), "defender": typed.get(f"d-{n}", "").strip()}
    line: dict[str, Any] = {"attacker": given["attacker"], "defender": given["defender"]}
    if not given["attacker"] and not given["defender"]:
        return line
    raw = forms.result_move(n, given)
    if raw is None:
        both = given["attacker"] and given["defender"]
        return line | {"wrong": forms.missing(given)[0] if both or typed.get("do") == "results" else ""}
    words, looked = version(table, forms, battle, raw), consider(table, raw)
    return line | {
        "raw": raw,
        "verdict": words["sentence"],
        "rule": words["rule"],
        "follow": looked.follow,
        "wrong": looked.wrong,
    }


def signature(lines: Sequence[Mapping[str, Any]]) -> str:
    """All that is typed in the rows: what was shown is applied, and nothing else."""
    return " ".join(f"{one['number']}:{one['attacker']}:{one['defender']}" for one in lines if one["follow"])


def enter_results(table: TableContext, posted: Any) -> Deed:
    """Apply the results typed in all rows, one after the other; what was not shown before is shown first."""
    contests = [b for b in battles_projection.running(table.campaign) if running(b)]
    lines = results(table, contests, posted)
    typed = [one for one in lines if one["attacker"] or one["defender"]]
    wrong = next((one for one in typed if one["wrong"]), None)
    if not typed:
        return Deed(wrong=_("Type two numbers in a row first."), field="results")
    if wrong is not None:
        return Deed(wrong=f"#{wrong['number']}: {wrong['wrong']}", field="results")
    if posted.get("sure") != signature(lines):
        return Deed(looked=True)
    here, applied = table, list[str]()
    for one in typed:
        deed = make_move(here, one["raw"], {"seen": str(here.seen)} if applied else posted)
        if not deed.done:
            if applied:
                text = _("Applied: %(done)s. Not applied: #%(number)s. %(why)s")
                messages.warning(table.request, text % {"done": ", ".join(applied), "number": one["number"], "why": deed.wrong})
                return Deed(done=True)
            deed.field = "results"
            return deed
        applied.append(f"#{one['number']}")
        if deed.parked:
            break
        table.campaign.refresh_from_db()
        here = TableContext(table.request, table.campaign, table.access, notes=table.notes)
    return Deed(done=True)


def takes_shares(table: TableContext, known: Mapping[str, Any]) -> bool:
    """May this battle's result be entered as two shares?"""
    forms = extras(table.campaign.title, "battle_forms")
    return bool(forms and forms.takes_shares(known))


# The next turn -------------------------------------------------------------------------------------------------------


def opening(table: TableContext) -> dict[str, Any] | None:
    """The button of the next turn: what it will do, or why it cannot yet; None once the campaign is finished.

    After the last turn none opens: there `verb` is empty.
    """
    if table.campaign.ended or table.campaign.stopped:
        return None
    wanted = "start" if not table.campaign.started else "open-turn"
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
    return not table.notes.guarded


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


# Waiting for players: who, what for, since and until when; what was sent last, and what the game master can do ------------


class Help(NamedTuple):
    """What the game master can do for whom the table waits for: a verb and where it leads, or the fields of a form that
    announces it."""

    verb: str
    url: str = ""
    fields: tuple[tuple[str, str], ...] = ()


def waits(table: TableContext, contests: Sequence[Battle]) -> list[dict[str, Any]]:
    """What the turn waits for, each thing once, however many it needs; `mine` waits for the game master, `own` for a seat
    that they hold."""
    since, launched = moments(table), {battle.number: battle for battle in contests}
    lines: dict[tuple[str, Any], dict[str, Any]] = {}
    for one in waited_for(table):
        key = (one.what.id, one.contest if one.contest is not None else one.seat)
        line = lines.setdefault(key, {"seats": [], "people": [], "one": one})
        line["seats"].append((one.seat, table.name_of(one.seat)))
        line["people"] += [name for name in table.holders(one.seat) or [table.name_of(one.seat)] if name not in line["people"]]
    matters = {key: matter_of(table, line["one"], [seat for seat, _name in line["seats"]]) for key, line in lines.items()}
    sent = notice_selectors.last_sent(table.campaign, [one for one in matters.values() if one is not None])
    listed = []
    for key, line in lines.items():
        one, seat = line["one"], line["seats"][0][0]
        contest = one.contest
        if contest is not None:
            began = launched[contest].launched_at if contest in launched else None
            claim = live_claims(table).get(contest)
            at = claim.last.at if claim else max(filter(None, (began, since.get(("attack", str(contest))))), default=None)
        elif seat == GAME_MASTER:
            at = since.get(("last", "")) or table.campaign.founded_at
        else:
            at = since.get(("slot", seat)) or since.get(("last", ""))
        due, matter = due_of(table, one), matters[key]
        listed.append(
            {
                "seats": line["seats"],
                "people": joined(_(" and "), line["people"]),
                "text": table.sentence(one.what),
                "contest": contest,
                "where": summary(table, launched[contest])["where"] if contest in launched else "",
                "url": table.url("battle", contest) if contest is not None else "",
                "since": at,
                "mine": seat == GAME_MASTER,
                "own": all(key in table.own_seats for key, _name in line["seats"]),
                "due": due,
                "helps": helps(table, one, due),
                "absent": absences.absence_chips(table, *(key for key, _name in line["seats"])),
                "remind": reminder(table, matter, sent.get(matter.key)) if matter else None,
            }
        )
    return listed


def due_today(due: Due) -> bool:
    return timezone.localdate(due.at) == timezone.localdate()


def matter_of(table: TableContext, one: Waiting, seats: Sequence[str]) -> Matter | None:
    """What somebody else can be reminded of; None for the game master's own, and where nobody else holds these seats."""
    others = {place.seat for place in table.places if place.seat in seats and place.user_id != table.user.pk}
    if GAME_MASTER in seats or not others or not table.campaign.playable or table.campaign.stopped or not table.campaign.started:
        return None
    task = "slot"
    if one.contest is not None:
        status = table.rows.contests.get(one.contest, {}).get("status")
        task = "claim" if one.what.id == battles_projection.CONFIRM else "answer" if status == "challenged" else "battle"
    return Matter(task, tuple(seats), one.contest)


def reminder(table: TableContext, matter: Matter, sent: Sent | None) -> dict[str, Any]:
    """What stands beside Remind: what was sent last, and from when on the next may be sent where that is not now."""
    shown: dict[str, Any] = {"key": matter.key, "way": "", "at": None, "by": "", "next": None}
    if sent is None:
        return shown
    shown |= {"at": sent.at, "way": Service(sent.service).label if sent.service else _("Notice"), "by": _("automatic")}
    if sent.by is not None:
        who = next((one.user.username for one in table.places if one.user_id == sent.by), _("a game master"))
        own = sent.by == table.user.pk
        shown["by"] = pgettext("reminder", "by you") if own else pgettext("reminder", "by %(name)s") % {"name": who}
        again = sent.at + notice_services.APART
        shown["next"] = again if again > timezone.now() else None
    return shown


def remind(table: TableContext, posted: Any) -> Deed:
    """Sends a reminder in one matter, or with `matter=all` in every one that may have one now."""
    contests = [b for b in battles_projection.running(table.campaign) if running(b)]
    known: dict[str, Matter] = {}
    for one in waited_for(table):
        seats = [other.seat for other in waited_for(table) if (other.what.id, other.contest) == (one.what.id, one.contest)]
        matter = matter_of(table, one, seats if one.contest is not None else [one.seat])
        if matter is not None:
            known[matter.key] = matter
    every = posted.get("matter") == "all"
    if every:
        may = {line["remind"]["key"] for line in waits(table, contests) if line["remind"] and not line["remind"]["next"]}
        known = {key: matter for key, matter in known.items() if key in may}
    else:
        known = {key: matter for key, matter in known.items() if key == posted.get("matter")}
    if not known:
        none = (
            _("Everybody was already reminded within the last day.")
            if every
            else _("Nobody is waited for in this matter any more.")
        )
        return Deed(wrong=none)
    reached, wrong = list[str](), ""
    for matter in known.values():
        try:
            notice_services.remind(table.campaign, table.user, matter)
            reached += [name for seat in matter.seats for name in table.holders(seat) if name != table.user.username]
        except TableError as refusal:
            if refusal.status == 403:
                raise
            wrong = str(refusal)
    if not reached:
        return Deed(wrong=wrong)
    messages.success(table.request, _("Reminded: %(names)s.") % {"names": ", ".join(dict.fromkeys(reached))})
    return Deed(done=True)


def helps(table: TableContext, one: Waiting, due: Due | None) -> list[Help]:
    """What the game master can do for whom the table waits for; once it is overdue, what ends the waiting comes first."""
    if not table.campaign.playable:
        return []
    helps_here = [first] if (first := help_with(table, one.what, one.contest, one.seat)) else []
    if due is not None and due.over and due.kind == SLOT and one.seat not in table.own_seats and (end := lapse(table, one)):
        helps_here = [end]
    if due is not None and not due.held:
        helps_here.append(Help(_("Extend…"), f"{table.url('clocks')}?extend={due.clock.pk}&back=desk#extend"))
    return helps_here


def lapse(table: TableContext, one: Waiting) -> Help | None:
    """What the title says where nobody plays on: the form that announces it for the seat, if it asks for nothing more."""
    raw = table.title.lapse(table.position, one) if isinstance(table.title, Lapsing) else None
    if raw is None:
        return None
    page = nation.Desk(table, one.seat)
    page.by = GAME_MASTER
    matching = (offer for offer in page.offers if offer.move == raw["move"] and offer.refusal is None and not offer.fields)
    offer = next(matching, None)
    return None if offer is None else Help(_("End the slot"), fields=tuple(page.hidden(offer, table.url("desk"))))


def help_with(table: TableContext, what: Say, contest: int | None, seat: str) -> Help | None:
    """What the game master can do for whom the table waits for."""
    if seat == GAME_MASTER:
        return None
    if contest is None:
        return Help(_("Play your slot") if seat in table.own_seats else _("Play…"), table.url("nation", seat))
    if what.id == battles_projection.CONFIRM:
        return Help(_("Judge…"), f"{table.url('battle', contest)}#claim")
    if what.id == "wait-answer":
        return Help(_("Answer…"), f"{table.url('battle', contest)}?answer=1#answer")
    return Help(_("Result…"), f"{table.url('battle', contest)}#report")


def moments(table: TableContext) -> dict[tuple[str, str], datetime]:
    """The last entry in force of each battle, of each slot's opening, and of all."""
    moments_by: dict[tuple[str, str], datetime] = {}
    for entry in turn_moves(table):
        moments_by["last", ""] = entry.at
        for effect in entry.all_effects:
            if effect.kind == "attack":
                moments_by["attack", effect.subject] = entry.at
            elif effect.kind == "slot" and effect.subject == "opened":
                moments_by["slot", effect.holder or ""] = entry.at
    return moments_by


def order(table: TableContext) -> list[str]:
    """The seats whose slots are still to come, in the order of play, the open one not among them."""
    keys, now = list(table.view.get("order") or ()), table.campaign.active_seat
    return keys[keys.index(now) + 1 :] if now in keys else []


def next_players(table: TableContext) -> list[dict[str, str]]:
    """Who plays next, in their order."""
    return [{"key": key, "name": table.name_of(key), "people": ", ".join(table.holders(key))} for key in order(table)]


# Corrections: the tools, what would follow, the form with all that was typed ----------------------------------------------

CORRECTION = "correction"
LONGEST_REASON = 1000
TOO_LONG = gettext_lazy("A reason has up to 1,000 characters, all of which can be shown.")


def offers(table: TableContext, group: str) -> list[Offer]:
    """The game master's own offers of a group; whoever comes here is one."""
    return [offer for offer in table.title.offers(table.position, GAME_MASTER) if offer.group == group]


def corrections(table: TableContext, typed: Any) -> list[Offer]:
    """The tools: those that the title offers, then those of its sheets, of the nation that was typed."""
    own: Any = extras(table.campaign.title, "table")
    return [*offers(table, CORRECTION), *(own.corrections(table, typed) if hasattr(own, "corrections") else ())]


def tool(table: TableContext, typed: Any) -> Offer | None:
    """The correction that was chosen, the first where there is none of it."""
    tools = corrections(table, typed)
    return next((offer for offer in tools if offer.key == typed.get("fix")), tools[0] if tools else None)


def correction(table: TableContext, typed: Any) -> tuple[Offer | None, dict[str, Any], dict[str, Any]]:
    """The tool, what was typed for it, and the move in record form."""
    offer = tool(table, typed)
    if offer is None:
        return None, {}, {}
    arguments = forms.read(offer, typed)
    if typed.get("of") != arguments.get("nation"):  # typed of another nation's sheet
        arguments = {key: value for key, value in arguments.items() if key not in of_sheet(offer)}
    for one in offer.fields:
        if one.kind == "text" and isinstance(arguments.get(one.key), str):
            # A form sends a line break as two characters; its field counts one.
            arguments[one.key] = arguments[one.key].replace("\r\n", "\n")
    return offer, arguments, {**offer.raw(arguments)}


def of_sheet(offer: Offer) -> set[str]:
    """The fields that show how a nation's sheet stands now."""
    return {one.key for one in offer.fields if "nation" in one.depends}


def glance(table: TableContext, typed: Any) -> Deed | None:
    """What would follow from a correction that an address or a half-filled form describes; None where it says too little."""
    offer, arguments, _ = correction(table, typed) if typed.get("fix") else (None, {}, {})
    if offer is None:
        return None
    # Another nation may have been chosen than the card was of: what no longer fits gives way, as in the form.
    arguments = {**arguments, **forms.complete(offer, arguments)}
    if any(one.key not in arguments for one in offer.fields if one.kind != "text" and not one.optional):
        return None
    if of_sheet(offer) and typed.get("of") != arguments.get("nation"):
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
        return Deed(wrong=_("This hand is closed to you. Open it first."), raw=raw)
    if of_sheet(offer) and posted.get("of") != arguments.get("nation"):
        return Deed(looked=True)
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
    """What is said in the place of a correction of cards, where the hand of the nation that is chosen is closed to them."""
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
    tools = corrections(table, typed)
    if not tools:
        return None
    talk = speaker(table)
    offer = next((one for one in tools if one.key == typed.get("fix")), tools[0])
    arguments = correction(table, typed)[1] if typed.get("fix") else {}
    shown = {**arguments, **forms.complete(offer, arguments)}
    shut = closed(table, offer, shown)
    wrong = forms.Wrong(deed.wrong, deed.rule, deed.field) if deed and deed.wrong and not deed.overtaken else None
    why = table.title.refusal(table.scenario, offer.refusal) if offer.refusal else ""
    if not table.campaign.playable:
        why = _("Nothing can be corrected here now: resume the campaign, or take it out of the archive, first.")
    looked = glance(table, typed) if deed is not None and deed.wrong else deed
    controls = forms.controls(talk, offer, shown, wrong)
    if shut is not None:
        controls = [control for control in controls if control.kind == "nation"]
    for control in controls:
        typed_number = str(typed.get(control.key, "")) if control.kind == "number" else ""
        control.value = control.value or typed_number  # also what is no number stays as it was typed
    return {
        "tools": [{"key": one.key, "name": talk.offer_name(one), "here": one is offer} for one in tools], "key": offer.key,
        "of": shown.get("nation", "") if of_sheet(offer) else "", "controls": controls, "deed": deed, "wrong": wrong,
        "follow": looked.follow if looked and shut is None else None,
        "closed": None if shut is None else {**shut, "back": f"{table.url('desk')}?{urlencode(fixing(offer, shown))}#fix"},
        "own": looked.own if looked else None,
        "why": why, "rule": offer.refusal.rule if offer.refusal and table.campaign.playable else "",
    }  # fmt: skip


# A countersigner's word under what a game master corrected, undid or judged, or did for their own seat.


def may(table: TableContext, line: Line) -> bool:
    """May the reader countersign this entry, or object to it, now?"""
    user, own = table.user, line.mark.own
    if not user.is_authenticated or user.username in line.signed:
        return False
    return not review.bars(line.entry, own, user.pk, table.access, table.places)


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def countersign(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """POST countersigns, with `do` = object it objects; a GET leads to the entry."""
    if request.method == "POST":
        try:
            if request.POST.get("do") == "object":
                services.object_to(table.campaign, table.user, number, request.POST.get("reason", ""))
                text = _("Your objection is under entry %(number)s, and everybody is notified.")
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
