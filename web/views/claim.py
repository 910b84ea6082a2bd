"""What is said at a battle beside its moves: set up, claimed, confirmed, disputed, judged, shown; the lobby's password."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from battles import selectors as battle_selectors
from battles import services as battle_services
from battles import substitutes as battle_substitutes
from battles.models import Battle, Claim, Evidence
from battles.storage import HEAVIEST, MEDIA, pictures
from campaign.models import LogEntry, Membership
from engine.strict_json import whole
from people.models import called
from web import own
from web.titles import extras
from web.views.common import TableContext, campaign_page
from web.views.deed import Deed, attempt, consider

Act = Callable[..., Any]
DONE = {
    "set-up": gettext_lazy("Said: the battle is set up."),
    "claim": gettext_lazy("Claimed. The other side confirms or disputes it."),
    "withdraw": gettext_lazy("The claim is withdrawn."),
    "confirm": gettext_lazy("Confirmed: the result is entered."),
    "dispute": gettext_lazy("Disputed. The game master judges."),
    "judge": gettext_lazy("Judged: the result is entered."),
    "agree": gettext_lazy("Said."),
    "link": gettext_lazy("The link is shown."),
    "picture": gettext_lazy("The picture is shown."),
    "password": gettext_lazy("The lobby’s password is kept."),
    "substitute": gettext_lazy("Named. He is told."),
    "end-substitute": gettext_lazy("The substitute’s part is ended."),
}


def act(table: TableContext, found: Battle, request: HttpRequest, raw: Mapping[str, Any] | None = None) -> Deed:
    """Do what the form's `do` asks for. `raw` is the result in record form where the form names one."""
    posted, do = request.POST, request.POST.get("do", "")
    here = (table.campaign, table.user, found.number)
    number = whole(posted.get("claim", ""))
    claim = -1 if number is None else number  # no entry has it
    forms = extras(table.campaign.title, "battle_claim")
    plain: dict[str, Act] = {
        "set-up": partial(battle_services.set_up, *here),
        "withdraw": partial(battle_services.withdraw, *here, claim),
        "dispute": partial(battle_services.dispute, *here, claim, posted.get("reason", "")),
        "link": partial(battle_services.add_link, *here, posted.get("url", "")),
        "password": partial(battle_services.set_password, *here, posted.get("password", "")),
    }
    side = posted.get("side", "")
    if do == "substitute":
        plain[do] = partial(battle_substitutes.name, *here, side, called(posted.get("name", "")))
    plain["end-substitute"] = partial(battle_substitutes.end, *here, side)
    known: dict[str, Act] = {name: _unseen(one) for name, one in plain.items()}
    known["confirm"] = partial(battle_services.confirm, *here, claim)
    known["judge"] = lambda seen: battle_services.judge(*here, claim, seen, raw, posted.get("reason", ""))
    if do == "picture":
        sent = request.FILES.get("picture")
        if sent is None:
            return Deed(wrong=_("Choose a picture first."))
        if (sent.size or 0) > HEAVIEST:
            return Deed(wrong=_("The picture has more than 5 MB. Save it smaller."))
        known["picture"] = _unseen(partial(battle_services.add_picture, *here, sent.read()))
    if do == "claim":
        if raw is None or forms is None or not forms.claimable(raw):
            return Deed(wrong=_("Say what the result was first."))
        more = {"agreement": forms.agreement_of(raw)}
        word, line = posted.get("word", ""), posted.get("line", "")
        known["claim"] = _unseen(partial(battle_services.claim, *here, raw, word, line, **more))
    if do == "agree":
        why = _cannot_agree(table, found, forms, posted)
        if why:
            return Deed(wrong=why)
        yes = posted.get("yes") == "1"
        known["agree"] = _unseen(partial(battle_services.agree, *here, posted.get("to", ""), yes))
    if do not in known:
        raise Http404
    deed = attempt(table, known[do], posted)
    deed.raw = {"do": do}
    if deed.done:
        messages.success(table.request, DONE[do])
    return deed


def enter_unagreed(table: TableContext, found: Battle, raw: Mapping[str, Any], agreement: str) -> Deed:
    """The game master enters what the players have not both agreed to. Refused, it is shown again with what follows."""
    posted = table.request.POST
    reason = posted.get("reason", "")
    one = partial(battle_services.enter_unagreed, table.campaign, table.user, found.number, raw, agreement, reason)
    deed = attempt(table, one, posted)
    deed.raw = raw
    if deed.done:
        messages.success(table.request, _("Entered. Your reason stands in the log."))
    else:
        deed.follow = consider(table, raw).follow
    return deed


def _unseen(one: Act) -> Act:
    """An act that asks itself whether it still can be done, whatever else the page has missed."""
    return lambda seen: one()


def _cannot_agree(table: TableContext, found: Battle, forms: Any, posted: Mapping[str, Any]) -> str:
    """Why this cannot be agreed to; empty where it can."""
    if forms is None or posted.get("to") not in forms.agreements(found.known):
        return _("There is nothing of the kind to agree to.")
    if posted.get("yes") == "1" and not getattr(table.user, "owns_mare_nostrum", False):
        return _("Say on your own page that you own Mare Nostrum, then agree.")
    return ""


# What the page shows -------------------------------------------------------------------------------------------------


def page(
    table: TableContext, found: Battle, said: Sequence[LogEntry], typed: Mapping[str, Any], deed: Deed | None
) -> dict[str, Any]:
    """The parts of the battle's page that are the table's own: the claim, evidence, the lobby, agreements."""
    claims = [entry.claim for entry in reversed(said) if entry.act == "claim"]
    live = next((claim for claim in claims if claim.live), None) if running(found) else None
    mine = battle_selectors.sides(found, table.access)
    named = battle_selectors.substitutes(found, table.places)
    done = str((deed.raw if deed else {}).get("do", ""))
    return {
        "claim": sheet(table, found, live) if live else None,
        "claims": claims,
        "evidence": [shown(table, found, one) for one in (entry.evidence for entry in said if entry.act == "evidence")],
        "may_show": bool(mine) or table.game_master,
        "lobby": lobby(table, found, said, typed) if running(found) else None,
        "agreement": agreement(table, found, said) if running(found) else None,
        "named": named, "substitutes": substitutes(table, found, named) if running(found) else [],
        "typed_name": typed.get("name", "") if done == "substitute" else "", "typed_side": typed.get("side", ""),
        "wrong_at": done if deed is not None and deed.wrong else "",
        "typed_reason": typed.get("reason", "") if done in ("dispute", "judge") or typed.get("by") == "naval" else "",
        "typed_word": typed.get("word", "") if done == "claim" else "",
        "typed_url": typed.get("url", "") if done == "link" else "",
    }  # fmt: skip


def running(found: Battle) -> bool:
    return found.resolved_at is None


def sheet(table: TableContext, found: Battle, claim: Claim) -> dict[str, Any]:
    """The claim that waits: who says what, what follows from it, and what the reader may do about it."""
    forms = extras(table.campaign.title, "battle_claim")
    other, mine = found.other(claim.seat), battle_selectors.sides(found, table.access)
    named = battle_selectors.substitutes(found, table.places)
    told = consider(table, claim.result)
    answers = other in mine and claim.entry.actor_id != table.user.pk
    number = claim.entry.number
    return {
        "number": number, "url": table.url("entry", number), "who": claim.entry.actor.username if claim.entry.actor else "",
        "name": table.name_of(claim.seat), "at": claim.entry.at, "disputed": claim.state == Claim.State.DISPUTED,
        "reason": claim.last.said.get("reason", "") if claim.state == Claim.State.DISPUTED else "",
        "word": claim.said.get("word", ""), "line": claim.said.get("line", ""),
        "deed": told, "confirms": answers, "disputes": answers and claim.state == Claim.State.OPEN,
        "withdraws": claim.seat in mine, "judges": table.game_master, "own": own.of_contest(table, found.number),
        "mine": answers or (table.game_master and (claim.state == Claim.State.DISPUTED or not other)),
        "waits": [] if claim.state == Claim.State.DISPUTED else people(table, other, named) or [table.name_of(other)],
        **(forms.claimed(table, found.known, claim.result) if forms else {}),
    }  # fmt: skip


def people(table: TableContext, seat: str, named: Mapping[str, Membership]) -> list[str]:
    """Who fights for this side: the seat's holder, and who stands in for him."""
    return [*table.holders(seat), *([named[seat].user.username] if seat in named else [])]


def substitutes(table: TableContext, found: Battle, named: Mapping[str, Membership]) -> list[dict[str, Any]]:
    """The sides as far as somebody stands in, or the reader may name somebody who does."""
    made = []
    for seat in found.parties:
        speaks = bool(seat) and table.access.speaks_for(seat)
        held = named.get(seat)
        if held is not None or speaks:
            made.append({
                "seat": seat, "name": table.name_of(seat), "who": held.user.username if held else "",
                "since": held.since if held else None, "instead": ", ".join(table.holders(seat)),
                "mine": held is not None and held.user_id == table.user.pk, "speaks": speaks,
            })  # fmt: skip
    return made


def shown(table: TableContext, found: Battle, one: Evidence) -> dict[str, Any]:
    """A piece of evidence in the list."""
    number = one.entry.number
    return {
        "number": number, "url": table.url("evidence", found.number, number) if one.picture and not one.erased_at else one.url,
        "picture": one.picture, "kb": max(1, one.bytes // 1024), "width": one.width, "height": one.height,
        "who": one.entry.actor.username if one.entry.actor else "", "at": one.entry.at, "hash": one.digest,
        "erased": one.erased_at, "why": one.why_erased, "entry_url": table.url("entry", number),
    }  # fmt: skip


def lobby(table: TableContext, found: Battle, said: Sequence[LogEntry], typed: Mapping[str, Any]) -> dict[str, Any]:
    """The lobby in the game: whether it is set up, and its password for those who may read it."""
    ready = next((entry for entry in said if entry.act == "set-up"), None)
    mine = bool(battle_selectors.sides(found, table.access))
    reads = battle_services.may_read_password(table.access, found)
    password = battle_services.password(found, table.access) if reads else None
    opened = reads and typed.get("lobby") == "show"
    return {
        "reads": reads, "has": password is not None, "shown": password if opened else None, "sets": mine,
        "set_up": ready.at if ready else None,
        "may_set_up": mine and ready is None and found.status != "challenged" and found.number not in table.claimed,
    }  # fmt: skip


def agreement(table: TableContext, found: Battle, said: Sequence[LogEntry]) -> dict[str, Any] | None:
    """What both sides may agree to, who has, and whether the reader may say so; None where there is nothing."""
    forms = extras(table.campaign.title, "battle_claim")
    ways = forms.agreements(found.known) if forms else {}
    if not ways:
        return None
    key, (text, rule) = next(iter(ways.items()))
    yes = battle_selectors.agreements(found, said).get(key, set())
    sides = [seat for seat in found.parties if seat]
    mine = [seat for seat in sides if seat in table.own_seats]
    return {
        "key": key, "text": text, "rule": rule, "yes": [table.name_of(seat) for seat in sides if seat in yes],
        "no": [table.name_of(seat) for seat in sides if seat not in yes], "agreed": all(seat in yes for seat in found.parties),
        "mine": bool(mine), "said": bool(mine) and mine[0] in yes,
        "owns": getattr(table.user, "owns_mare_nostrum", False),
    }  # fmt: skip


@campaign_page
@require_safe
def evidence(request: HttpRequest, table: TableContext, number: int, entry: int) -> HttpResponseBase:
    """The bytes of a picture, as something that no browser takes for anything else."""
    found = battle_selectors.battle(table.campaign, number)
    one = battle_selectors.evidence(found).filter(entry__number=entry, bytes__gt=0).first() if found else None
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
