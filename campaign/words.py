"""The table's own acts in words, made when read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from campaign import words_hosts
from campaign.words_away import AWAY_ACTS, away_line
from campaign.words_clocks import CLOCK_ACTS, clock_line
from campaign.words_dice import DIE, die_line
from campaign.words_marks import MARKS, mark_line
from engine.sentence import sentence

NOBODY: Mapping[int, str] = {}
LINK = "link"
LIFE = {
    "paused": gettext_noop("The campaign is paused: no moves are made until it is resumed."),
    "resumed": gettext_noop("The campaign goes on."),
    "abandoned": gettext_noop("The campaign is abandoned."),
    "revived": gettext_noop("The campaign is taken up again."),
    "archived": gettext_noop("The campaign goes into the archive."),
    "unarchived": gettext_noop("The campaign comes out of the archive."),
}


def people_of(act: Mapping[str, Any]) -> set[int]:
    """Whose names `act_line` needs, beside the actor's, which the page says."""
    if act["act"] == "lobby" and act["how"] == "drawn":
        return {one["user"] for one in act["order"]}
    if act["act"] in ("substitute", "countersigner"):
        return {act["user"]}
    if act.get("how") in ("given", "drawn", "seated", "handed", "merged", "offered", *words_hosts.PASSES):
        return {act[key] for key in ("user", "from") if key in act}
    return {act["user"]} if act["act"] == "reserve" and act["how"] == "waits" else set()


def act_line(act: Mapping[str, Any], seat_name: str, names: Mapping[int, str] = NOBODY, meant: str = "") -> str:
    """One line of the log for an act of the table. Its actor is named beside it by the page, others from `names`."""
    name = act["act"]
    if words_hosts.tells(act):
        return words_hosts.host_line(act, seat_name, names)
    if name == "genesis":
        if "again" in act:
            return _("The terms of the campaign, with the dice of an earlier one. Commitment of the dice: %(commitment)s.") % act
        return _("The terms of the campaign. Commitment of the dice: %(commitment)s.") % act
    if name == "undo" and act.get("own"):
        many = act.get("moves", 1)
        if many == 1:
            return sentence(_("{seat}: a move is taken back."), seat=seat_name)
        text = ngettext("{seat}: {n} move is taken back.", "{seat}: {n} moves are taken back.", many)
        return sentence(text, seat=seat_name, n=str(many))
    if name == "undo":
        return _("The game master undoes every move after entry %(after)s: %(reason)s") % act
    if name == "restore":
        return _("The game master restores what entry %(undo)s undid: %(reason)s") % act
    if name == "guest":
        was, now = names.get(act["from"]) or _("a guest"), names.get(act["user"]) or _("somebody")
        return _("What %(guest)s held as a guest is %(name)s's.") % {"guest": was, "name": now}
    if name == "talk":
        return sentence(_("{seat}: “{text}”"), seat=seat_name, text=act["text"])
    if name == "deputy":
        end = act["how"] == "end"
        text = _("A program decides for {seat} to the end.") if end else _("A program decides for {seat} for now.")
        return sentence(text, seat=seat_name)
    if name in MARKS:
        return mark_line(act)
    if name in ("seat", "master", "reserve", "lobby", "substitute", "countersigner"):
        return _people(act, seat_name, names)
    if name == "life":
        text = LIFE[act["how"]]
        return _(text) + (f" {act['reason']}" if "reason" in act else "")
    if name == "ruling":
        return _ruling(act)
    if name == LINK:
        return (_("On the forum, entry %(entry)s: %(url)s") if act["url"] else _("Entry %(entry)s has no link any more.")) % act
    if name == DIE:
        return die_line(act, seat_name, meant)
    if name in AWAY_ACTS:
        return away_line(act, seat_name)
    if name in CLOCK_ACTS:
        return clock_line(act, seat_name)
    return str(name)


def _ruling(act: Mapping[str, Any]) -> str:
    if act["rule"] and act["revises"]:
        return _("Ruling %(ruling)s on §%(rule)s, revised: %(text)s") % act
    if act["rule"]:
        return _("Ruling %(ruling)s on §%(rule)s: %(text)s") % act
    if act["revises"]:
        return _("Ruling %(ruling)s, revised: %(text)s") % act
    return _("Ruling %(ruling)s: %(text)s") % act


def _people(act: Mapping[str, Any], seat_name: str, names: Mapping[int, str]) -> str:
    if act["act"] == "lobby" and act["how"] == "drawn":
        return _drawn(act, names)
    user = names.get(act.get("user", 0)) or _("somebody")
    giver = names.get(act.get("from", 0)) or _("somebody")
    text = _said(str(act["act"]), str(act["how"]))
    return sentence(text, **{**act, "seat": seat_name, "user": user, "giver": giver})


def _said(name: str, how: str) -> str:
    """What the act says: `user` is whom it is about, `giver` who had before him what passes to him."""
    match name, how:
        case "seat", "taken":
            return _("{seat}: the seat is taken.")
        case "seat", "left":
            return _("{seat}: the seat is free again.")
        case "seat", "given":
            return _("{seat}: the seat passes from {giver} to {user}.")
        case "seat", "drawn":
            return _("{seat}: the seat goes to {user} by the draw.")
        case "seat", "seated":
            return _("{seat}: the seat goes to {user} from the reserve.")
        case "master", "joined":
            return _("A co-game-master joins.")
        case "master", "left":
            return _("A co-game-master leaves.")
        case "seat", "offered":
            return _("{seat}: the seat is offered to {user}.")
        case "master", "offered":
            return _("The campaign is offered to {user}.")
        case "master", "handed":
            return _("{giver} hands the campaign over to {user}.")
        case "reserve", "waits":
            return _("{user} waits for a seat.")
        case "reserve", _other:
            return _("No longer waits for a seat.")
        case "substitute", "named":
            return _("{seat}: {user} stands in for battle #{battle}.")
        case "substitute", _other:
            return _("{seat}: {user} stands in for battle #{battle} no more.")
        case "countersigner", "named":
            return _("{user} is countersigner.")
        case "countersigner", _other:
            return _("{user} is countersigner no more.")
        case "lobby", "opened":
            return _("The lobby opens: seats are applied for and drawn. Commitment of the draw: {commitment}.")
        case "lobby", "applied":
            return _("Applies for a seat.")
    return _("Takes the application back.")


def _drawn(act: Mapping[str, Any], names: Mapping[int, str]) -> str:
    rolled = [
        _("%(name)s %(value)s of %(sides)s") % {**one, "name": names.get(one["user"]) or _("somebody")} for one in act["order"]
    ]
    if not rolled:
        return _("The lobby closes, and the dice draw: nobody had applied. Seed of the draw: %(seed)s.") % act
    facts = {"drawn": ", ".join(rolled), "seed": act["seed"]}
    return _("The lobby closes, and the dice draw: %(drawn)s. Seed of the draw: %(seed)s.") % facts
