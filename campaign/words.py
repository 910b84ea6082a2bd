"""The table's own acts in words, made when read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NOBODY: Mapping[int, str] = {}
LIFE = {
    "paused": "The campaign is paused: no moves are made until it is resumed.",
    "resumed": "The campaign goes on.",
    "abandoned": "The campaign is abandoned.",
    "revived": "The campaign is taken up again.",
    "archived": "The campaign goes into the archive.",
    "unarchived": "The campaign comes out of the archive.",
}


def people_of(act: Mapping[str, Any]) -> set[int]:
    """Whose names `act_line` needs, beside the actor's, which the page says."""
    if act["act"] == "lobby" and act["how"] == "drawn":
        return {one["user"] for one in act["order"]}
    if act["act"] in ("substitute", "countersigner"):
        return {act["user"]}
    if act.get("how") in ("given", "drawn", "seated", "handed", "merged", "offered"):
        return {act[key] for key in ("user", "from") if key in act}
    return {act["user"]} if act["act"] == "reserve" and act["how"] == "waits" else set()


def act_line(act: Mapping[str, Any], seat_name: str, names: Mapping[int, str] = NOBODY) -> str:
    """One line of the log for an act of the table. Its actor is named beside it by the page, others from `names`."""
    name = act["act"]
    if name == "genesis":
        return f"The terms of the campaign. Commitment of the dice: {act['commitment']}."
    if name == "undo" and act.get("own"):
        return f"{seat_name}: a move is taken back."
    if name == "undo":
        return f"The game master undoes every move after entry {act['after']}: {act['reason']}"
    if name == "restore":
        return f"The game master restores what entry {act['undo']} undid: {act['reason']}"
    if name == "guest":
        return f"What {names.get(act['from'], 'a guest')} held as a guest is {names.get(act['user'], 'somebody')}'s."
    if name == "deputy":
        return f"A program decides for {seat_name} {'to the end' if act['how'] == 'end' else 'for now'}."
    if name == "countersign":
        return f"Entry {act['entry']} is countersigned."
    if name in ("seat", "master", "reserve", "lobby", "substitute", "countersigner"):
        return _people(act, seat_name, names)
    if name == "life":
        return LIFE[act["how"]] + (f" {act['reason']}" if "reason" in act else "")
    if name == "ruling":
        on = f" on §{act['rule']}" if act["rule"] else ""
        return f"Ruling {act['ruling']}{on}{', revised' if act['revises'] else ''}: {act['text']}"
    return str(name)


def _people(act: Mapping[str, Any], seat_name: str, names: Mapping[int, str]) -> str:
    def who(key: str) -> str:
        return names.get(act[key], "somebody")

    match act["act"], act["how"]:
        case "seat", "taken":
            return f"{seat_name}: the seat is taken."
        case "seat", "left":
            return f"{seat_name}: the seat is free again."
        case "seat", "given":
            return f"{seat_name}: the seat passes from {who('from')} to {who('user')}."
        case "seat", "drawn":
            return f"{seat_name}: the seat goes to {who('user')} by the draw."
        case "seat", "seated":
            return f"{seat_name}: the seat goes to {who('user')} from the reserve."
        case "master", "joined":
            return "A co-game-master joins."
        case "master", "left":
            return "A co-game-master leaves."
        case "seat", "offered":
            return f"{seat_name}: the seat is offered to {who('user')}."
        case "master", "offered":
            return f"The campaign is offered to {who('user')}."
        case "master", "handed":
            return f"{who('from')} hands the campaign over to {who('user')}."
        case "reserve", "waits":
            return f"{who('user')} waits for a seat."
        case "reserve", _:
            return "No longer waits for a seat."
        case "substitute", "named":
            return f"{seat_name}: {who('user')} stands in for battle #{act['battle']}."
        case "substitute", _:
            return f"{seat_name}: {who('user')} stands in for battle #{act['battle']} no more."
        case "countersigner", "named":
            return f"{who('user')} is countersigner."
        case "countersigner", _:
            return f"{who('user')} is countersigner no more."
        case "lobby", "opened":
            return f"The lobby opens: seats are applied for and drawn. Commitment of the draw: {act['commitment']}."
        case "lobby", "applied":
            return "Applies for a seat."
        case "lobby", "withdrew":
            return "Takes the application back."
    drawn = ", ".join(f"{names.get(one['user'], 'somebody')} {one['value']} of {one['sides']}" for one in act["order"])
    return f"The lobby closes, and the dice draw: {drawn or 'nobody had applied'}. Seed of the draw: {act['seed']}."
