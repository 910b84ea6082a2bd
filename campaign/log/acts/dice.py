"""The acts that concern the dice: dice thrown elsewhere, renewed dice, what is mixed into them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.dates import written
from campaign.log.acts.declaration import Act, Content, LineFacts
from engine.language import Name, sentence, with_stop
from engine.strict_json import as_stored


def _die_line(act: LineFacts) -> str:
    content = act.content
    match act.how:
        case "by-hand":
            return _("From now on dice are thrown elsewhere and entered by hand.")
        case "by-program":
            return _("From now on the program throws the dice again.")
        case "parked":
            return sentence(
                _("{seat}: {move}. This move is waiting for a die: {purpose}."),
                seat=act.seat,
                move=act.move,
                purpose=content["purpose"],
            )
        case "given":
            text = (
                _("Thrown elsewhere: %(purpose)s is %(value)s. Source: %(url)s")
                if content["url"]
                else _("Thrown elsewhere: %(purpose)s is %(value)s.")
            )
            return text % content
        case _dropped:
            text = _("{seat}: the move that was waiting for a die is withdrawn. {reason}")
            return sentence(text, seat=act.seat, reason=content["reason"]).strip()


def _update_hand(row: Any, content: Content, seat: str, sequence: int) -> None:
    """Update the mode, the announcement that waits for a die, and the values by purpose."""
    match content["how"]:
        case "by-hand" | "by-program":
            row.by_hand = content["how"] == "by-hand"
        case "parked":
            row.parked = as_stored({key: content[key] for key in ("move", "purpose", "sides")})
        case "dropped":
            row.parked = None
        case "given":
            row.entered_dice = {**row.entered_dice, content["purpose"]: content["value"]}
            if row.parked and row.parked["purpose"] == content["purpose"]:
                row.parked = None


DIE = Act(
    name="die",
    line=_die_line,
    update_row=_update_hand,
    public=frozenset({"purpose", "sides", "value", "url", "move", "reason"}),
    names_move=True,
    concerns_dice=True,
)
"""Dice are thrown elsewhere (`by-hand`) or by the program again (`by-program`); a move waits for a
die (`parked`) or is taken back (`dropped`); a die is entered (`given`).
"""


def _renew_line(act: LineFacts) -> str:
    content = act.content
    if content.get("how") == "import":
        text = _(
            "The dice are renewed, because the person who imported the record may know the rolls "
            "to come."
        )
    elif "reason" in content:
        text = _("The game master renews the dice: %(reason)s") % content
    else:
        text = _("The dice are renewed.")
    return with_new_dice(text, content)


def with_new_dice(text: str, content: Content) -> str:
    """Return the line with the commitment of the new dice, if the act promises new dice.

    The text may end with a typed reason, that is, without a full stop.
    """
    if "commitment" not in content:
        return text
    addition = (
        _("Rolls already thrown keep their value. Commitment of the new dice: %(commitment)s.")
        % content
    )
    return f"{with_stop(text)} {addition}"


RENEW = Act(
    name="renew",
    line=_renew_line,
    public=frozenset({"reason", "commitment"}),
    concerns_dice=True,
)
"""New dice replace those that someone may know: by the game master, or after the import of a record
(`import`).
"""


def _mix_line(act: LineFacts) -> str:
    content, turn = act.content, turn_name(act.content["turn"])
    match act.how:
        case "words":
            text = _("{seat}: words for {turn}: “{text}”")
            return sentence(text, seat=act.seat, turn=turn, text=content["text"])
        case "named":
            at = written(datetime.fromisoformat(content["falls"]), "j M Y H:i")
            text = _("The dice of {turn} will be mixed with a public draw: {draw}, on {at} UTC.")
            return sentence(text, turn=turn, draw=draw_name(content), at=at)
        case "closed":
            return _closed_text(content, turn)
        case "drawn":
            facts = {"text": content["text"], "url": content["url"]}
            before = content.get("instead", "")
            return sentence(_drawn_text(content), turn=turn, **facts, before=before)
        case "confirmed":
            return sentence(
                _("The server has verified drand’s signature of the draw for {turn}."), turn=turn
            )
        case "refuted":
            text = _(
                "The draw that the game master entered for {turn} is wrong. drand signed {text}."
            )
            return sentence(text, turn=turn, text=content["text"])
        case "without":
            text = _("The dice of {turn} are thrown without a public draw: {reason}")
            return sentence(text, turn=turn, reason=content["reason"])
        case _objected:
            text = _("{seat}: objection to the draw for {turn}: {reason}")
            return sentence(text, seat=act.seat, turn=turn, reason=content["reason"])


def _closed_text(content: Content, turn: Name) -> str:
    many = len(content["late"])
    if not many:
        text = _("Words for {turn} can no longer be added. Every seat has added some.")
        return sentence(text, turn=turn)
    text = ngettext(
        "Words for {turn} can no longer be added. {n} seat has added none.",
        "Words for {turn} can no longer be added. {n} seats have added none.",
        many,
    )
    return sentence(text, turn=turn, n=str(many))


def _drawn_text(content: Content) -> str:
    """Return the text for a public draw, or for the correction of one."""
    if "instead" in content and content["url"]:
        return _("Corrected draw for {turn}: {text} in place of {before}. Source: {url}")
    if "instead" in content:
        return _("Corrected draw for {turn}: {text} in place of {before}.")
    if content["url"]:
        return _("Drawn for {turn}: {text}. Source: {url}")
    return _("Drawn for {turn}: {text}.")


def turn_name(link: int) -> Name:
    """Return the name of the turn whose dice follow from the key with this number, for sentences.

    The first key serves the start and turn 1.
    """
    # Translators: with its article, as the name of a nation; sentences give it their own form
    return Name.parse(_("turn %(n)s") % {"n": link} if link else _("the start and turn 1"))


def draw_name(named: Content) -> str:
    """Return the name of a public draw, as it was named before it fell."""
    if named["source"] == "lotto":
        wheels = ", ".join(named["wheels"])
        return _("the Italian lottery (%(wheels)s)") % {"wheels": wheels}
    if named["source"] == "drand":
        return _("round %(round)s of drand") % {"round": named["round"]}
    return f"“{named['name']}”"


NAMED = ("source", "name", "falls", "round", "wheels", "numbers")
"""The facts by which a public draw is named."""


def _update_mixture(row: Any, content: Content, seat: str, sequence: int) -> None:
    mixing = as_stored(row.mixing)
    stage = mixing.setdefault(f"{content['chain']}/{content['turn']}", {})
    match content["how"]:
        case "words":
            stage.setdefault("words", {})[content["seat"]] = content["text"]
        case "named":
            stage["named"] = {key: content[key] for key in NAMED if key in content}
        case "closed":
            stage["late"] = list(content["late"])
        case "drawn":
            _add_draw(stage, content)
        case "confirmed":
            stage["signature"] = content["signature"]
        case "refuted":
            stage["signature"], stage["true_draw"] = content["signature"], content["text"]
        case "without":
            stage["without"] = content["reason"]
    row.mixing = as_stored(mixing)


def _add_draw(stage: dict[str, Any], content: Content) -> None:
    """Add a draw and the value that it corrects.

    Acts of older campaigns name neither corrections nor signatures.
    """
    stage["drawn"], stage["url"] = content["text"], content["url"]
    if "instead" in content:
        stage["corrected"] = [*stage.get("corrected", ()), content["instead"]]
    for key in ("typed", "signature"):
        stage.pop(key, None)
        if key in content:
            stage[key] = content[key]


MIX = Act(
    name="mix",
    line=_mix_line,
    update_row=_update_mixture,
    public=frozenset(
        {
            "chain",
            "turn",
            "seat",
            "text",
            "late",
            "source",
            "name",
            "falls",
            "round",
            "wheels",
            "url",
            "reason",
        }
    ),
    concerns_dice=True,
    binds_texts=True,
)
"""Something is mixed into the dice of a turn.

These are the words of a seat (`words`, `closed`) and a public draw (`named`, `drawn`, `confirmed`,
`refuted`, `without`, `objected`).
"""
