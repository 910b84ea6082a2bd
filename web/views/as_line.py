"""Which move a form says, whichever form it is: for the button that writes it as a line."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from battles.models import Battle
from engine.strict_json import whole
from web.titles import extras
from web.views import correct
from web.views.announce import Said
from web.views.battle import speaker_of
from web.views.common import TableContext


def move_of(request: HttpRequest, table: TableContext) -> dict[str, Any] | None:
    """The move in record form: a correction (`fix`), an answer or a result (`battle`), else an offer. None where the form
    says too little."""
    posted = request.POST if request.method == "POST" else request.GET
    if posted.get("fix"):
        table.must_be_game_master()
        return correct.correction(table, posted)[2] or None
    if "battle" not in posted:
        return Said(table, posted).raw
    forms = extras(table.campaign.title, "battle_forms")
    number = whole(posted["battle"])
    found = (
        Battle.objects.filter(campaign=table.campaign, number=number).first() if number is not None and number < 10**6 else None
    )
    if forms is None or found is None:
        return None
    if posted.get("move") == "respond":
        made = forms.answer_move(found.number, speaker_of(table, found), posted)
    else:
        made = forms.result_move(found.number, posted)
    return dict(made) if made is not None else None
