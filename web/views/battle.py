"""Battles: the list, and one battle's page, where the challenged answer, players claim results, the game master enters them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.utils.cache import add_never_cache_headers
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from battles import selectors as battle_selectors
from battles.models import Battle, Claim
from campaign import selectors
from games.registry import REPORTERS
from web import absent, due, eyes, own
from web.titles import contest, extras
from web.views import claim
from web.views.common import GAME_MASTER, TableContext, campaign_page, show
from web.views.deed import Deed, consider, say
from web.views.lines import rows


def words(table: TableContext) -> Any:
    """How this title speaks of battles: its own part, or plain words."""
    return extras(table.campaign.title, "battle") or contest


def summary(table: TableContext, battle: Battle) -> dict[str, Any]:
    """A battle in a list: who, where, what kind, its state in a word and whom it waits for."""
    said, known = words(table), {**battle.known, "ready": battle_selectors.ready(battle)}
    state, tone = said.state_word(table.scenario, known)
    claimed = table.claimed.get(battle.number) if running(battle) else None
    if claimed is not None:
        state, tone = claimed.get_state_display(), "warn"
    waits = [one.seat for one in table.waiting if one.contest == battle.number]
    return {
        "number": battle.number, "url": table.url("battle", battle.number), "turn": battle.turn, "state": state, "tone": tone,
        "sides": [{"key": said.side_nation(known, side), "name": side_name(table, known, side)}
                  for side in ("attacker", "defender")],
        "solo": table.name_of(battle.solo) if battle.solo else "",
        "absent": absent.beside(table, *filter(None, battle.parties)) if running(battle) else [],
        "where": said.where(table.scenario, known), "kind": said.kind_word(known), "running": running(battle),
        "waits": waiting_words(table, battle, waits, claimed), "mine": any(table.is_mine(seat) for seat in waits),
        "resolved_at": battle.resolved_at, "due": due.of_contest(table, battle.number) if running(battle) else None,
    }  # fmt: skip


def side_name(table: TableContext, known: dict[str, Any], side: str) -> str:
    """Who fights on this side: in the title's words, else the seat's name."""
    said = words(table)
    if said is contest and known.get(side) in table.names:
        return table.name_of(str(known[side]))
    return str(said.side_name(table.scenario, known, side))


def waiting_words(table: TableContext, battle: Battle, seats: Sequence[str], claimed: Claim | None = None) -> str:
    """Whom a battle waits for: "Bo to answer", "Ada and Bo play", "Bo to confirm", "Cy to judge"."""
    who = list(dict.fromkeys(", ".join(table.holders(seat)) or table.name_of(seat) for seat in seats))
    if not who:
        return ""
    if claimed is not None:
        said = _("%(who)s to judge") if seats[0] == GAME_MASTER else _("%(who)s to confirm")
    else:
        said = _("%(who)s play") if battle.status == "fighting" else _("%(who)s to answer")
    return said % {"who": _(" and ").join(who)}


def running(battle: Battle) -> bool:
    return battle.resolved_at is None


@campaign_page
def battles(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """All battles, those that run first, the latest on top."""
    found = sorted(battle_selectors.battles(table.campaign), key=lambda b: (not running(b), -b.number))
    listed = [summary(table, battle) for battle in found]
    own = extras(table.campaign.title, "battle_claim")
    context = {
        "running": [b for b in listed if b["running"]], "resolved": [b for b in listed if not b["running"]],
        "commands": own.commands(table) if own and not table.draft else [],
    }  # fmt: skip
    return show(request, table, "campaign/battles.html", context, here="battles")


@campaign_page
@require_http_methods(["GET", "HEAD", "POST"])
def battle(request: HttpRequest, table: TableContext, number: int) -> HttpResponseBase:
    """One battle. A POST answers (the challenged) or enters a result (the game master).

    What throws dice or cannot be taken back is shown first: only a form with `sure` does it.
    """
    found = battle_selectors.battle(table.campaign, number)
    if found is None:
        raise Http404
    if request.method == "POST":
        return act(request, table, found)
    deed, forms = None, extras(table.campaign.title, "battle_forms")
    if forms and enters(table, found) and request.GET.get("by"):
        typed = pasted(table, found, request.GET)[0]
        raw = forms.result_move(number, typed)
        if raw is not None:
            deed = consider(table, raw)
        elif typed.get("attacker") and typed.get("defender"):
            # Both shares stand there and cannot be read: half a form is not yet wrong.
            wrong, rule = forms.missing(typed)
            deed = Deed(wrong=wrong, rule=rule)
        if deed is not None:
            deed.looked = True
    return page(request, table, found, request.GET, deed)


def pasted(table: TableContext, found: Battle, typed: Any) -> tuple[Any, Any]:
    """What was typed, a result line read into it where the title knows how, and what was read."""
    own = extras(table.campaign.title, "battle_claim")
    return own.pasted(table, found.known, typed) if own and enters(table, found) else (typed, None)


def enters(table: TableContext, found: Battle) -> bool:
    """May the reader say how it ended? The game master enters it, its players claim it."""
    return running(found) and (table.game_master or bool(battle_selectors.sides(found, table.access)))


def act(request: HttpRequest, table: TableContext, found: Battle) -> HttpResponseBase:
    """What a form of this page asks for."""
    posted, forms = request.POST, extras(table.campaign.title, "battle_forms")
    raw: dict[str, Any] | None
    if posted.get("do"):
        raw = forms.result_move(found.number, posted) if forms and posted.get("by") else None
        deed = claim.act(table, found, request, raw)
        if deed.done:
            back = posted.get("back")
            return redirect(table.url(back) if back in ("desk", "seats") else table.url("battle", found.number))
        if posted["do"] in ("claim", "judge") and raw is not None:
            deed.follow = consider(table, raw).follow
        return page(request, table, found, posted, deed)
    if forms is None:
        raise Http404
    wrong, rule = _("Choose an answer first."), "7.8"
    if posted.get("move") == "respond":
        raw = forms.answer_move(found.number, speaker_of(table, found), posted)
    else:
        if not table.game_master:
            raise PermissionDenied(_("Only the game master enters results."))
        if found.number in table.claimed:
            return page(request, table, found, posted, Deed(wrong=_("A claim was made meanwhile: judge it.")))
        raw = forms.result_move(found.number, posted)
        wrong, rule = forms.missing(posted)
    if raw is None:
        return page(request, table, found, posted, Deed(wrong=wrong, rule=rule))
    if not forms.sure(posted):
        deed = consider(table, raw)
        if deed.wrong or deed.asks or raw["move"] != "respond":
            return page(request, table, found, posted, deed)
    lacking = unagreed(table, found, raw)
    deed = claim.enter_unagreed(table, found, raw, lacking) if lacking else say(table, raw, posted)
    if deed.done:
        return redirect(table.url("desk") if posted.get("back") == "desk" else table.url("battle", found.number))
    return page(request, table, found, posted, deed)


def unagreed(table: TableContext, found: Battle, raw: Mapping[str, Any]) -> str:
    """To what both players must agree before this is entered, and have not; empty where nothing is lacking."""
    own = extras(table.campaign.title, "battle_claim")
    agreement = str(own.agreement_of(raw)) if own else ""
    return agreement if agreement and agreement not in battle_selectors.agreed(found) else ""


def speaker_of(table: TableContext, found: Battle) -> dict[str, str]:
    """Who answers: the challenged seat by who holds it, or the game master for it."""
    seat = found.defender
    if not seat or not table.access.speaks_for(seat):
        raise PermissionDenied(_("Only the challenged answer."))
    return {"by": seat} if seat in table.own_seats else {"by": GAME_MASTER, "for": seat}


def page(request: HttpRequest, table: TableContext, found: Battle, typed: Any, deed: Deed | None) -> HttpResponse:
    """The page with what was typed and what became of it."""
    forms = extras(table.campaign.title, "battle_forms")
    lines = selectors.lines(table.campaign, table.access, battle_selectors.told(found).prefetch_related("rolls"))
    entries = [line for line in lines if line.entry.is_move]
    said = [line.entry for line in reversed(lines) if not line.entry.is_move]
    alone = next((entry for entry in reversed(said) if entry.act == "solo"), None)
    context: dict[str, Any] = {
        "solo_entry": {"number": alone.number, "url": table.url("entry", alone.number)} if alone and found.solo else None,
        "battle": summary(table, found), "back": "desk" if typed.get("back") == "desk" else "",
        "deed": deed, "entries": rows(table, lines), "seen": table.seen,
        "closed": eyes.shut(table, found.defender) if found.status == "challenged" and found.defender else None,
        "own": own.of_contest(table, found.number) if table.game_master and running(found) else None,
        "report_url": table.url("report", f"battle-{found.number}") if table.campaign.title in REPORTERS else "",
        **claim.page(table, found, said, typed, deed),
    }  # fmt: skip
    if forms is not None:
        filled, context["reading"] = pasted(table, found, typed)
        agreed = bool(context["agreement"] and context["agreement"]["agreed"])
        instead = {seat: one.user for seat, one in context["named"].items()}
        stages = forms.Stages(said, context["claims"], enters(table, found), agreed, instead)
        context |= forms.page(table, found.known, entries, filled, deed, stages)
        context["quiet"] = quiet(context)
        context["judging"] = bool(deed and deed.follow and deed.raw.get("move") != "respond")
        context["body"] = f"titles/{table.campaign.title}/_battle.html"
    else:
        context["own_seats"] = plain_offers(table)
    response = show(request, table, "campaign/battle.html", context, here="battles", status=deed.status if deed else 200)
    if context["lobby"] and context["lobby"]["shown"]:
        add_never_cache_headers(response)
    return response


def quiet(context: dict[str, Any]) -> bool:
    """Is something else on the page to be done before the form of results? It has the page's one strong button then."""
    answer, waits = context.get("answer"), context.get("claim")
    return bool((answer and answer["open"]) or (waits and (waits["confirms"] or (waits["judges"] and waits["mine"]))))


def plain_offers(table: TableContext) -> list[dict[str, str]]:
    """Where a title has no page of battles: whose moves are to be found on which nation's page."""
    return [{"name": table.name_of(seat), "url": table.url("nation", seat)} for seat in table.own_seats]
