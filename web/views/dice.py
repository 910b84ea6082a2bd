"""The dice log: what was promised before the start, what has been published, every roll that was thrown, how they fell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from campaign import access, countersigned, hand, proof, record, selectors
from campaign.countersigned import Mark
from campaign.models import DiceRoll
from engine.log import canonical
from engine.strict_json import whole
from web import by_hand, eyes, fair
from web.fair import Kind, Row, Thrown
from web.titles.talk import capital
from web.views.common import TableContext, campaign_page, show

PAGE = 50
OPEN = 2
"""So many kinds of dice are laid open, the others open at a touch."""


@require_safe
@campaign_page
def dice(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Fifty rolls, and how all fell. They are counted from the first: `?before=` one pages on, `?all` shows every one."""
    return page(request, table)


def page(request: HttpRequest, table: TableContext, typed: Mapping[str, str] | None = None, error: str = "") -> HttpResponse:
    """The page; with what was `typed` of dice thrown elsewhere and refused, and why."""
    asked, line = request.GET.get("before", ""), table.title.roll_line
    found = list(selectors.rolls(table.campaign, table.user))
    before = whole(asked) if asked else len(found) + 1
    if before is None:
        raise Http404
    every = "all" in request.GET
    skip = 0 if every else max(0, len(found) + 1 - before)
    shown = found if every else found[skip : skip + PAGE]
    links = record.published_links(table.campaign)
    given, seen_at = hand.given(table.campaign), hand.links(table.campaign)
    marks = countersigned.of_dice(table.campaign, shown, given)
    thrown = [
        {
            "purpose": row.purpose,
            "sides": row.sides,
            "value": row.value,
            "turn": row.turn,
            "text": line(table.scenario, row.roll),
            "number": row.entry.number,
            "url": table.url("entry", row.entry.number) if row.entry.number is not None else "",
            "at": row.entry.at,
            "struck": row.entry.struck_by_id is not None,
            "hidden": row.audience is not None,
            "hand": row.purpose in given,
            "mark": _mark(table, marks.get(row.pk)),
            "seen_at": seen_at.get(row.purpose, ""),
            "proof": None if row.purpose in given else proof.proof(row, links),
        }
        for row in shown
    ]
    context: dict[str, Any] = {"rolls": thrown, "links": links}
    context["boxes"], context["earlier"], context["later"] = proof.boxes(links, table.title.last_link(table.scenario))
    context["open"] = sum(row.turn < len(links) and row.purpose not in given for row in found)
    context["hand"], context["closed"] = by_hand.sheet(table, typed or {}, error), eyes.shut(table)
    if error and context["hand"] is None:
        messages.error(request, error)
    context["list"] = table.url("rolls_file")
    context |= {"count": len(found), "every": every}
    context["older"] = len(found) + 1 - skip - len(shown) if skip + len(shown) < len(found) else None
    context["newer"] = len(found) + 1 - max(0, skip - PAGE) if skip else None
    context["file"] = table.url("dice_sheet")
    context["kinds"] = _kinds(table, found)
    context["hides"] = access.hides(table.campaign)
    return show(request, table, "campaign/dice.html", context, here="dice", status=422 if error else 200)


@require_safe
@campaign_page
def rolls(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The list of rolls that can be checked without this server, oldest first, as its reader may see them."""
    found = reversed(selectors.rolls(table.campaign, table.user))
    made = proof.listed(table.campaign, table.campaign.address, record.published_links(table.campaign), found)
    answer = HttpResponse(canonical(made), content_type="application/json; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.ref}-rolls.json"'
    return answer


def _mark(table: TableContext, found: tuple[Mark, int] | None) -> dict[str, Any] | None:
    """What a roll says of countersignatures: whether it lacks one, who signed, who objects, and where all this stands."""
    if found is None:
        return None
    mark, number = found
    objects = ", ".join(who for who, _why in mark.objections)
    return {"lacks": mark.lacks, "signed": ", ".join(mark.signed), "objects": objects, "url": table.url("entry", number)}


def _kinds(table: TableContext, found: Sequence[DiceRoll]) -> list[tuple[Kind, bool, list[tuple[Row, str, str]]]]:
    """Each kind of die, whether it is laid open, the whole table's row and those of the seats, with their names and people."""
    order = table.account_holders
    holders = set(order)
    thrown = [Thrown(row.purpose, row.sides, row.value, _for_whom(row, holders)) for row in reversed(found)]
    made = []
    for n, kind in enumerate(fair.kinds(thrown, order)):
        rows = [
            (kind.whole, _("Whole table"), ""),
            *((row, capital(table.name_of(row.seat)), ", ".join(table.holders(row.seat))) for row in kind.seats),
        ]
        made.append((kind, n == 0 or (n < OPEN and not kind.few), rows))
    return made


def _for_whom(row: DiceRoll, holders: Set[str]) -> str:
    """Whom its purpose names (`turn-2/card/huns`), else the seat whose entry threw it."""
    return next((part for part in row.purpose.split("/") if part in holders), row.entry.seat)
