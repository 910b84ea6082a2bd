"""The game master's corrections at his desk: his four tools, what would follow, the form with all that was typed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.strict_json import clean_text
from engine.title import Field, Offer
from web import eyes, moves, own
from web.views.common import GAME_MASTER, TableContext
from web.views.deed import Deed, consider, say, speaker

CORRECTION = "correction"
LONGEST_REASON = 1000
TOO_LONG = gettext_lazy("A reason has up to 1,000 characters, all of which can be shown.")


def offers(table: TableContext, group: str) -> list[Offer]:
    """The game master's own offers of a group; whoever comes here is one."""
    return [offer for offer in table.title.offers(table.position, GAME_MASTER) if offer.group == group]


def tool(table: TableContext, key: str) -> Offer | None:
    """The correction of this key, the first where there is none of it."""
    found = offers(table, CORRECTION)
    return next((offer for offer in found if offer.key == key), found[0] if found else None)


def correction(table: TableContext, typed: Any) -> tuple[Offer | None, dict[str, Any], dict[str, Any]]:
    """The tool, what was typed for it, and the move in record form."""
    offer = tool(table, str(typed.get("fix", "")))
    if offer is None:
        return None, {}, {}
    arguments = moves.read(offer, typed)
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
    arguments = {**arguments, **moves.complete(offer, arguments)}
    if any(one.key not in arguments for one in offer.fields if one.kind != "text"):
        return None
    if closed(table, offer, arguments) is not None:
        return None
    deed = consider(table, offer.raw(arguments | {one.key: "–" for one in offer.fields if one.kind == "text"}))
    deed.looked = True
    deed.own = own.of_move(table, deed.raw)
    return deed


def correct(table: TableContext, posted: Any) -> Deed:
    """A correction: with `look` its consequence alone, which asks for no reason yet."""
    offer, arguments, raw = correction(table, posted)
    if offer is None:
        return Deed(wrong=_("This campaign has no corrections."))
    if closed(table, offer, arguments) is not None:
        return Deed(wrong=_("This hand is closed to you. Look at it first."), raw=raw)
    lacking = moves.missing(offer, arguments)
    if lacking is not None and lacking.kind != "text":
        return Deed(wrong=wanted(table, offer, lacking), field=lacking.key, raw=raw)
    texts = [one.key for one in offer.fields if one.kind == "text"]
    if posted.get("look"):
        looked = consider(table, {**raw, **dict.fromkeys(texts, "–")})
        looked.own = own.of_move(table, looked.raw)
        return looked
    for key in texts:
        if not clean_text(arguments.get(key, ""), LONGEST_REASON):
            return Deed(wrong=str(TOO_LONG), field=key, raw=raw)
    if lacking is not None:
        raw[lacking.key] = ""  # for the rules to refuse, in their words
    if not posted.get("own") and (asked := own.of_move(table, raw)) is not None:
        looked = consider(table, raw)
        looked.own = asked
        return looked
    deed = say(table, raw, posted)
    if lacking is not None and not deed.overtaken:
        deed.field = lacking.key
    return deed


def closed(table: TableContext, offer: Offer, arguments: Mapping[str, Any]) -> dict[str, Any] | None:
    """What is said in the place of a correction of cards, where the hand of the nation that is chosen is closed to him."""
    if not any(one.kind == "card" for one in offer.fields):
        return None
    seats = [str(arguments[one.key]) for one in offer.fields if one.kind == "nation" and one.key in arguments]
    return eyes.shut(table, *seats)


def fixing(offer: Offer, shown: Mapping[str, Any]) -> dict[str, str]:
    """The query of the form as it stands, its words aside."""
    return {
        "fix": offer.key,
        **{one.key: str(shown[one.key]) for one in offer.fields if one.kind == "nation" and one.key in shown},
    }


def wanted(table: TableContext, offer: Offer, lacking: Field) -> str:
    """What is to be done with a field that was left empty, by the name it has on the page."""
    label = speaker(table).field_label(offer, lacking)
    said = _("%(field)s: type a number first.") if lacking.kind == "number" else _("%(field)s: choose one first.")
    return said % {"field": label}


def fix(table: TableContext, typed: Any, deed: Deed | None) -> dict[str, Any] | None:
    """The form of corrections: its tools, the fields of the open one with what was typed."""
    found = offers(table, CORRECTION)
    if not found:
        return None
    talk = speaker(table)
    offer = next((one for one in found if one.key == typed.get("fix")), found[0])
    arguments = correction(table, typed)[1] if typed.get("fix") else {}
    shown = {**arguments, **moves.complete(offer, arguments)}
    shut = closed(table, offer, shown)
    wrong = moves.Wrong(deed.wrong, deed.rule, deed.field) if deed and deed.wrong and not deed.overtaken else None
    why = table.title.refusal(table.scenario, offer.refusal) if offer.refusal else ""
    if not table.playable:
        why = _("Nothing is corrected here any more: take the campaign up again, or out of the archive, first.")
    looked = glance(table, typed) if deed is not None and deed.wrong else deed
    controls = moves.controls(talk, offer, shown, wrong)
    if shut is not None:
        controls = [control for control in controls if control.kind == "nation"]
    for control in controls:
        typed_number = str(typed.get(control.key, "")) if control.kind == "number" else ""
        control.value = control.value or typed_number  # also what is no number stays as it was typed
    return {
        "tools": [{"key": one.key, "name": talk.offer_name(one), "here": one is offer} for one in found], "key": offer.key,
        "controls": controls, "deed": deed, "wrong": wrong, "follow": looked.follow if looked and shut is None else None,
        "closed": None if shut is None else {**shut, "back": f"{table.url('desk')}?{urlencode(fixing(offer, shown))}#fix"},
        "own": looked.own if looked else None,
        "why": why, "rule": offer.refusal.rule if offer.refusal and table.playable else "",
    }  # fmt: skip
