"""Battles: the list, and one battle's page, where the challenged answer, players claim results, the
game master enters them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from battles import projection as battles_projection
from battles import services as battle_services
from battles import services as battle_substitutes
from battles.models import Battle
from battles.services import HEAVIEST, MEDIA, pictures
from campaign.log import selectors
from campaign.models import LogEntry, Membership
from engine.strict_json import whole
from games.registry import REPORTERS
from people.models import called
from web.battles.claims import claim_sheet
from web.battles.contract import BattleRecord, battle_forms
from web.battles.evidence import evidence_item
from web.battles.summary import battle_summaries, battle_summary, is_running
from web.frame.campaign_page import GAME_MASTER, TableContext, campaign_page, show
from web.log.lines import rows
from web.play import gm_move
from web.play.gm_move import Deed, attempt, consider, make_move
from web.seats import hidden_hands
from web.waiting import all_battles, live_claims


@campaign_page
def battles(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """All battles, those that run first, the latest on top."""
    ordered = sorted(
        all_battles(table), key=lambda battle: (not is_running(battle), -battle.number)
    )
    listed = battle_summaries(table, ordered)
    own = battle_forms(table)
    context = {
        "running": [line for line in listed if line.running],
        "resolved": [line for line in listed if not line.running],
        "commands": own.commands(table) if own and table.campaign.started else [],
    }
    return show(request, table, "battles/battles.html", context, here="battles")


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def battle(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """One battle. A POST answers (the challenged) or enters a result (the game master).

    What throws dice or cannot be taken back is shown first: only a form with `sure` does it.
    """
    fight = battles_projection.battle(table.campaign, number)
    if fight is None:
        raise Http404
    if request.method == "POST":
        return act(request, table, fight)
    deed, forms = None, battle_forms(table)
    if forms and enters(table, fight) and request.GET.get("by"):
        typed = pasted(table, fight, request.GET)[0]
        raw = forms.result_move(number, typed)
        if raw is not None:
            deed = consider(table, raw)
        elif typed.get("attacker") and typed.get("defender"):
            # Both shares stand there and cannot be read: half a form is not yet wrong.
            wrong, rule = forms.missing(typed)
            deed = Deed(wrong=wrong, rule=rule)
        if deed is not None:
            deed.looked = True
    return page(request, table, fight, request.GET, deed)


def pasted(table: TableContext, fight: Battle, typed: Any) -> tuple[Any, Any]:
    """What was typed, a result line read into it where the title knows how, and what was read."""
    own = battle_forms(table)
    return own.pasted(table, fight.known, typed) if own and enters(table, fight) else (typed, None)


def enters(table: TableContext, fight: Battle) -> bool:
    """May the reader say how it ended? The game master enters it, its players claim it."""
    return is_running(fight) and (
        table.game_master or bool(battles_projection.sides(fight, table.access))
    )


def act(request: HttpRequest, table: TableContext, fight: Battle) -> HttpResponseBase:
    """What a form of this page asks for."""
    posted, forms = request.POST, battle_forms(table)
    raw: dict[str, Any] | None
    if posted.get("do"):
        raw = forms.result_move(fight.number, posted) if forms and posted.get("by") else None
        deed = claim_act(table, fight, request, raw)
        if deed.done:
            back = posted.get("back")
            return redirect(
                table.url(back) if back in ("desk", "seats") else table.url("battle", fight.number)
            )
        if posted["do"] in ("claim", "judge") and raw is not None:
            deed.follow = consider(table, raw).follow
        return page(request, table, fight, posted, deed)
    if forms is None:
        raise Http404
    wrong, rule = _("Choose an answer first."), "7.8"
    if posted.get("move") == "respond":
        raw = forms.answer_move(fight.number, speaker_of(table, fight), posted)
    else:
        if not table.game_master:
            raise PermissionDenied(_("Only the game master enters results."))
        if fight.number in live_claims(table):
            return page(
                request,
                table,
                fight,
                posted,
                Deed(wrong=_("A claim was made meanwhile: judge it.")),
            )
        raw = forms.result_move(fight.number, posted)
        wrong, rule = forms.missing(posted)
    if raw is None:
        return page(request, table, fight, posted, Deed(wrong=wrong, rule=rule))
    if not forms.sure(posted):
        deed = consider(table, raw)
        if deed.wrong or deed.asks or raw["move"] != "respond":
            return page(request, table, fight, posted, deed)
    lacking = unagreed(table, fight, raw)
    deed = enter_unagreed(table, fight, raw, lacking) if lacking else make_move(table, raw, posted)
    if deed.done:
        return redirect(
            table.url("desk") if posted.get("back") == "desk" else table.url("battle", fight.number)
        )
    return page(request, table, fight, posted, deed)


def unagreed(table: TableContext, fight: Battle, raw: Mapping[str, Any]) -> str:
    """To what both players must agree before this is entered, and have not; empty where nothing is
    lacking.
    """
    own = battle_forms(table)
    agreement = str(own.agreement_of(raw)) if own else ""
    return agreement if agreement and agreement not in battles_projection.agreed(fight) else ""


def speaker_of(table: TableContext, fight: Battle) -> dict[str, str]:
    """Who answers: the challenged seat by who holds it, or the game master for it."""
    seat = fight.defender
    if not seat or not table.access.speaks_for(seat):
        raise PermissionDenied(_("Only the challenged answer."))
    return {"by": seat} if seat in table.own_seats else {"by": GAME_MASTER, "for": seat}


def _solo_entry(table: TableContext, act: LogEntry) -> dict[str, Any]:
    """The act by which a battle is played solo; `program`: because a program holds the
    other seat.
    """
    return {
        "number": act.number,
        "url": table.url("entry", act.number),
        "program": "level" in act.content,
    }


def page(
    request: HttpRequest, table: TableContext, fight: Battle, typed: Any, deed: Deed | None
) -> HttpResponse:
    """The page with what was typed and what became of it."""
    forms = battle_forms(table)
    lines = selectors.lines(
        table.campaign,
        table.access,
        battles_projection.log_of_battle(fight).prefetch_related("rolls"),
    )
    entries = [line for line in lines if line.entry.is_move]
    acts = [line.entry for line in reversed(lines) if not line.entry.is_move]
    alone = next((entry for entry in reversed(acts) if entry.act == "solo"), None)
    context: dict[str, Any] = {
        "solo_entry": _solo_entry(table, alone) if alone and fight.solo else None,
        "battle": battle_summary(table, fight),
        "back": "desk" if typed.get("back") == "desk" else "",
        "deed": deed,
        "entries": rows(table, lines),
        "seen": table.seen,
        "closed": (
            hidden_hands.closed_hands(table, fight.defender)
            if fight.status == "challenged" and fight.defender
            else None
        ),
        "own": (
            gm_move.of_contest(table, fight.number)
            if table.game_master and is_running(fight)
            else None
        ),
        "report_url": (
            table.url("report", f"battle-{fight.number}")
            if table.campaign.title in REPORTERS
            else ""
        ),
        **claim_page(table, fight, acts, typed, deed),
    }
    if forms is not None:
        filled, context["reading"] = pasted(table, fight, typed)
        agreed = bool(context["agreement"] and context["agreement"]["agreed"])
        instead = {seat: one.user for seat, one in context["named"].items()}
        stages = BattleRecord(acts, context["claims"], enters(table, fight), agreed, instead)
        context |= forms.page(table, fight.known, entries, filled, deed, stages)
        context["quiet"] = quiet(context)
        context["judging"] = bool(deed and deed.follow and deed.raw.get("move") != "respond")
        context["body"] = f"titles/{table.campaign.title}/_battle.html"
    else:
        context["own_seats"] = plain_offers(table)
    response = show(
        request,
        table,
        "battles/battle.html",
        context,
        here="battles",
        status=deed.status if deed else 200,
    )
    if context["lobby"] and context["lobby"]["shown"]:
        add_never_cache_headers(response)
    return response


def quiet(context: dict[str, Any]) -> bool:
    """Is something else on the page to be done before the form of results? It has the page's one
    strong button then.
    """
    answer, waits = context.get("answer"), context.get("claim")
    return bool(
        (answer and answer["open"]) or (waits and (waits.confirms or (waits.judges and waits.mine)))
    )


def plain_offers(table: TableContext) -> list[dict[str, str]]:
    """Where a title has no page of battles: whose moves are to be found on which nation's page."""
    return [
        {"name": table.name_of(seat), "url": table.url("nation", seat)} for seat in table.own_seats
    ]


# What is said at a battle beside its moves: set up, claimed, confirmed, disputed, judged, shown;
# the lobby's password.

Act = Callable[..., Any]
DONE = {
    "set-up": gettext_lazy("The battle is set up."),
    "claim": gettext_lazy("Claimed. The other side confirms or disputes it."),
    "withdraw": gettext_lazy("The claim is withdrawn."),
    "confirm": gettext_lazy("Confirmed: the result is entered."),
    "dispute": gettext_lazy("Disputed. The game master judges."),
    "judge": gettext_lazy("Judged: the result is entered."),
    "agree": gettext_lazy("Logged."),
    "link": gettext_lazy("The link is shown."),
    "picture": gettext_lazy("The picture is shown."),
    "password": gettext_lazy("The lobby’s password is saved."),
    "substitute": gettext_lazy("Named, and notified."),
    "end-substitute": gettext_lazy("The substitute’s part has ended."),
}


def claim_act(
    table: TableContext, fight: Battle, request: HttpRequest, raw: Mapping[str, Any] | None = None
) -> Deed:
    """Do what the form's `do` asks for. `raw` is the result in record form where the form names
    one.
    """
    posted, do = request.POST, request.POST.get("do", "")
    here = (table.campaign, table.user, fight.number)
    number = whole(posted.get("claim", ""))
    claim = -1 if number is None else number  # no entry has it
    forms = battle_forms(table)
    plain: dict[str, Act] = {
        "set-up": partial(battle_services.set_up, *here),
        "withdraw": partial(battle_services.withdraw, *here, claim),
        "dispute": partial(battle_services.dispute, *here, claim, posted.get("reason", ""), raw),
        "link": partial(battle_services.add_link, *here, posted.get("url", "")),
        "password": partial(battle_services.set_password, *here, posted.get("password", "")),
    }
    side = posted.get("side", "")
    if (
        do == "dispute"
        and forms
        and raw is None
        and (posted.get("attacker") or posted.get("defender"))
    ):
        return Deed({"do": do}, wrong=forms.missing({"by": "shares"})[0])
    if do == "substitute":
        plain[do] = partial(
            battle_substitutes.name_substitute, *here, side, called(posted.get("name", ""))
        )
    plain["end-substitute"] = partial(battle_substitutes.end_substitute, *here, side)
    known: dict[str, Act] = {name: _checked_act(one) for name, one in plain.items()}
    known["confirm"] = partial(battle_services.confirm, *here, claim)
    known["judge"] = lambda seen: battle_services.judge(
        *here, claim, seen, raw, posted.get("reason", "")
    )
    if do == "picture":
        sent = request.FILES.get("picture")
        if sent is None:
            return Deed(wrong=_("Choose a picture first."))
        if (sent.size or 0) > HEAVIEST:
            return Deed(wrong=_("The picture has more than 5 MB. Save it smaller."))
        known["picture"] = _checked_act(partial(battle_services.add_picture, *here, sent.read()))
    if do == "claim":
        if raw is None or forms is None or not forms.claimable(raw):
            return Deed(wrong=_("Enter the result first."))
        agreement = forms.agreement_of(raw)
        word, line = posted.get("word", ""), posted.get("line", "")
        known["claim"] = _checked_act(
            partial(battle_services.claim, *here, raw, word, line, agreement=agreement)
        )
    if do == "agree":
        why = _cannot_agree(table, fight, forms, posted)
        if why:
            return Deed(wrong=why)
        yes = posted.get("yes") == "1"
        known["agree"] = _checked_act(
            partial(battle_services.agree, *here, posted.get("to", ""), yes)
        )
    if do not in known:
        raise Http404
    deed = attempt(table, known[do], posted)
    deed.raw = {"do": do}
    if deed.done:
        messages.success(table.request, DONE[do])
    return deed


def enter_unagreed(
    table: TableContext, fight: Battle, raw: Mapping[str, Any], agreement: str
) -> Deed:
    """The game master enters what the players have not both agreed to. Refused, it is shown again
    with what follows.
    """
    posted = table.request.POST
    reason = posted.get("reason", "")
    one = partial(
        battle_services.enter_unagreed,
        table.campaign,
        table.user,
        fight.number,
        raw,
        agreement,
        reason,
    )
    deed = attempt(table, one, posted)
    deed.raw = raw
    if deed.done:
        messages.success(table.request, _("Entered. Your reason is in the log."))
    else:
        deed.follow = consider(table, raw).follow
    return deed


def _checked_act(one: Act) -> Act:
    """An act that asks itself whether it still can be done, whatever else the page has missed."""
    return lambda seen: one()


def _cannot_agree(table: TableContext, fight: Battle, forms: Any, posted: Mapping[str, Any]) -> str:
    """Why this cannot be agreed to; empty where it can."""
    if forms is None or posted.get("to") not in forms.agreements(fight.known):
        return _("There is no such thing to agree to.")
    if posted.get("yes") == "1" and not getattr(table.user, "owns_mare_nostrum", False):
        return _("Confirm on your own page that you own Mare Nostrum, then agree.")
    return ""


# What the page shows ------------------------------------------------------------------------------


def claim_page(
    table: TableContext,
    fight: Battle,
    acts: Sequence[LogEntry],
    typed: Mapping[str, Any],
    deed: Deed | None,
) -> dict[str, Any]:
    """The parts of the battle's page that are the table's own: the claim, evidence, the lobby,
    agreements.
    """
    claims = [entry.claim for entry in reversed(acts) if entry.act == "claim"]
    live = next((claim for claim in claims if claim.live), None) if is_running(fight) else None
    mine = battles_projection.sides(fight, table.access)
    named = battles_projection.substitutes(fight, table.places)
    done = str((deed.raw if deed else {}).get("do", ""))
    return {
        "claim": claim_sheet(table, fight, live) if live else None,
        "claims": claims,
        "evidence": [
            evidence_item(table, fight, one)
            for one in (entry.evidence for entry in acts if entry.act == "evidence")
        ],
        "may_show": bool(mine) or table.game_master,
        "lobby": lobby(table, fight, acts, typed) if is_running(fight) else None,
        "agreement": agreement(table, fight, acts) if is_running(fight) else None,
        "named": named,
        "substitutes": substitutes(table, fight, named) if is_running(fight) else [],
        "typed_name": typed.get("name", "") if done == "substitute" else "",
        "typed_side": typed.get("side", ""),
        "wrong_at": done if deed is not None and deed.wrong else "",
        "typed_reason": (
            typed.get("reason", "")
            if done in ("dispute", "judge") or typed.get("by") == "naval"
            else ""
        ),
        "typed_shares": [
            typed.get(side, "") if done == "dispute" else "" for side in ("attacker", "defender")
        ],
        "typed_word": typed.get("word", "") if done == "claim" else "",
        "typed_url": typed.get("url", "") if done == "link" else "",
    }


def substitutes(
    table: TableContext, fight: Battle, named: Mapping[str, Membership]
) -> list[dict[str, Any]]:
    """The sides as far as somebody stands in, or the reader may name somebody who does."""
    rows = []
    for seat in fight.parties:
        speaks = bool(seat) and table.access.speaks_for(seat)
        held = named.get(seat)
        if held is not None or speaks:
            rows.append(
                {
                    "seat": seat,
                    "name": table.name_of(seat),
                    "who": held.user.username if held else "",
                    "since": held.since if held else None,
                    "instead": ", ".join(table.holders(seat)),
                    "mine": held is not None and held.user_id == table.user.pk,
                    "speaks": speaks,
                }
            )
    return rows


def lobby(
    table: TableContext, fight: Battle, acts: Sequence[LogEntry], typed: Mapping[str, Any]
) -> dict[str, Any]:
    """The lobby in the game: whether it is set up, and its password for those who may read it."""
    ready = next((entry for entry in acts if entry.act == "set-up"), None)
    mine = bool(battles_projection.sides(fight, table.access))
    reads = battle_services.may_read_password(table.access, fight)
    password = battle_services.password(fight, table.access) if reads else None
    opened = reads and typed.get("lobby") == "show"
    return {
        "reads": reads,
        "has": password is not None,
        "shown": password if opened else None,
        "sets": mine,
        "set_up": ready.at if ready else None,
        "may_set_up": (
            mine
            and ready is None
            and fight.status != "challenged"
            and fight.number not in live_claims(table)
        ),
    }


def agreement(
    table: TableContext, fight: Battle, acts: Sequence[LogEntry]
) -> dict[str, Any] | None:
    """What both sides may agree to, who has, and whether the reader may say so; None where there is
    nothing.
    """
    forms = battle_forms(table)
    ways = forms.agreements(fight.known) if forms else {}
    if not ways:
        return None
    key, (text, rule) = next(iter(ways.items()))
    yes = battles_projection.agreements(fight, acts).get(key, set())
    sides = [seat for seat in fight.parties if seat]
    mine = [seat for seat in sides if seat in table.own_seats]
    return {
        "key": key,
        "text": text,
        "rule": rule,
        "yes": [table.name_of(seat) for seat in sides if seat in yes],
        "no": [table.name_of(seat) for seat in sides if seat not in yes],
        "agreed": all(seat in yes for seat in fight.parties),
        "mine": bool(mine),
        "said": bool(mine) and mine[0] in yes,
        "owns": getattr(table.user, "owns_mare_nostrum", False),
    }


@campaign_page
@require_safe
def evidence(
    request: HttpRequest, table: TableContext, number: int, entry: int
) -> HttpResponseBase:
    """The bytes of a picture, as something that no browser takes for anything else."""
    fight = battles_projection.battle(table.campaign, number)
    one = (
        battles_projection.evidence(fight).filter(entry__number=entry, bytes__gt=0).first()
        if fight
        else None
    )
    content = pictures.get(one.digest) if one and not one.erased_at else None
    if content is None:
        raise Http404
    response = HttpResponse(content, content_type=MEDIA)
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Content-Security-Policy"] = "sandbox; default-src 'none'"
    response.headers["Content-Disposition"] = f'inline; filename="battle-{number}-{entry}.webp"'
    response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
    response.headers["Cache-Control"] = "private, max-age=600"
    return response
