"""The log of a Grand Campaign as a film: attacks march along their arrows, battles and their
results, provinces, levels.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from engine.effects import Effect
from engine.language import capital
from games.contract.pages import Die, Frame, Told
from games.grand_campaign.drawing import atlas
from games.grand_campaign.text import words
from web.frame.table import TableContext
from web.history.contract import FilmLevel, Tally
from web.log.lines import changes, notes
from web.titles.grand_campaign import maps
from web.titles.grand_campaign.table import state_of

COUNTED = ("victory_points", "prestige", "stability")
"""The levels that a film counts."""
BESIDE = {"victory_points": noop("VP"), "prestige": noop("Prestige")}
"""The levels that it counts beside the nations' names."""
TOLD = ("report", "respond", "open-turn", "start")
TONES = {"attacker": "good", "defender": "bad"}
DICE = 4
"""So many dice of an entry are shown: the last."""


def film(table: TableContext, log: Sequence[Told]) -> list[Frame]:
    """Return the frames of these entries; what a nation builds without a break is one frame."""
    frames = list[Frame]()
    for move in log:
        frame = shot(table, move)
        last = frames[-1] if frames else None
        if last is not None and frame.weight == last.weight == 0 and last.intro == frame.intro:
            frames[-1] = joined(last, frame, move_text(table, move))
        else:
            frames.append(frame)
    return [frame._replace(intro="") if frame.weight == 0 else frame for frame in frames]


def joined(last: Frame, frame: Frame, text: str) -> Frame:
    """Return the last frame with a further move of the same seat; `text` is the move's."""
    result = _("%(before)s; %(then)s") % {"before": last.say.rstrip("."), "then": text}
    return last._replace(
        say=f"{result}.",
        changes=last.changes + frame.changes,
        places=last.places + frame.places,
        at=frame.at,
    )


def move_text(table: TableContext, move: Told) -> str:
    return table.title.move_line(table.scenario, move.move, move.effects)


def shot(table: TableContext, move: Told) -> Frame:
    """Return the frame of one entry.

    A frame of weight 0 is joined with its neighbours of the same seat, its `intro`.
    """
    text = f"{table.name_of(move.seat)} {move_text(table, move)}"
    moves = tuple(changes_on_map(move.effects))
    frame = Frame(
        changes=moves,
        places=tuple(dict.fromkeys(change["at"] for change in moves if "at" in change)),
        at=move.number,
    )
    attacks = [effect for effect in move.effects if effect.kind == "attack"]
    if any(attack.facts.get("launched") for attack in attacks):
        return frame._replace(intro=text, say=sentences(text), weight=2)
    ended = [attack for attack in attacks if "outcome" in attack.facts]
    happened = happened_texts(table, move)
    if ended:
        return decided(table, move, frame, ended, happened)
    is_turn = any(effect.kind == "turn" for effect in move.effects)
    if is_turn or happened or move.rolls or move.move["move"] in TOLD:
        return frame._replace(
            intro=text,
            dice=dice(table, move),
            say=sentences(*(happened or [text]), *levels(table, move.effects)),
            weight=2 if is_turn else 1,
        )
    return frame._replace(intro=move.seat, say=sentences(text), weight=0)


def decided(
    table: TableContext, move: Told, frame: Frame, ended: Sequence[Effect], happened: Sequence[str]
) -> Frame:
    """Return the frame of battles that are decided."""
    where = ", ".join(
        str(words.province_name(table.scenario, str(attack.facts["target"]))) for attack in ended
    )
    tones = {TONES.get(str(attack.facts["outcome"]), "") for attack in ended}
    return frame._replace(
        intro=_("The battle for %(place)s is decided") % {"place": where},
        dice=dice(table, move),
        say=sentences(*happened, *levels(table, move.effects)),
        tone=tones.pop() if len(tones) == 1 else "",
        weight=3,
    )


def happened_texts(table: TableContext, move: Told) -> list[str]:
    effects = [effect for effect in move.effects if effect.kind != "slot"]
    return [capital(note) for note in notes(table, effects)]


def sentences(*texts: str) -> str:
    return " ".join(
        text if text.endswith((".", "!", "?")) else f"{text}." for text in texts if text
    )


def levels(table: TableContext, effects: Sequence[Effect]) -> list[str]:
    """Return the changes of victory points, prestige and stability, in words."""
    counted = changes(table, [effect for effect in effects if effect.subject in COUNTED])
    return [f"{line.holder_name}: {line.label} {line.change} → {line.balance}" for line in counted]


def dice(table: TableContext, move: Told) -> tuple[Die, ...]:
    return tuple(
        Die(roll.value, "", table.title.roll_line(table.scenario, roll), roll.sides)
        for roll in move.rolls[-DICE:]
    )


Change = dict[str, Any]
"""A change on the map as the title's script reads it, as JSON."""


def changes_on_map(effects: Sequence[Effect]) -> Iterator[Change]:
    """Return what changes on the map, in the order in which it happened."""
    for effect in effects:
        if effect.kind == "attack":
            yield from attack_change(effect)
        elif effect.kind == "holding":
            change = {"kind": "holding", "at": effect.subject}
            facts = effect.facts
            yield change | ({"owner": facts["owner"]} if "owner" in facts else {})
        elif effect.kind == "account" and effect.subject in COUNTED:
            yield {
                "kind": "level",
                "seat": effect.holder,
                "level": effect.subject,
                "n": effect.balance,
                "by": effect.change,
            }


def attack_change(effect: Effect) -> Iterator[Change]:
    facts = effect.facts
    if facts.get("launched"):
        yield {
            "kind": "attack",
            "no": effect.subject,
            "seat": effect.holder,
            "from": facts["source"],
            "at": facts["target"],
            "covert": facts["attack_kind"] == "independent",
        }
    elif "outcome" in facts:
        yield {
            "kind": "battle",
            "no": effect.subject,
            "at": facts["target"],
            "outcome": facts["outcome"],
        }


# What the page of the film begins with


def picture(then: TableContext) -> str:
    """Return the map as it stood."""
    return atlas.map_svg(
        maps.drawing_for(then.campaign), then.scenario.raw, state_of(then), links=False
    )


def board(then: TableContext) -> Mapping[str, Any]:
    """Return what the script must know of the map, as JSON."""
    drawing, scenario = maps.drawing_for(then.campaign), then.scenario
    paints = atlas.paints(drawing, scenario.raw["nations"])
    return {
        "size": [drawing.width, drawing.height],
        "kinds": {
            province["key"]: "external" if province["kind"] == "external" else "independent"
            for province in scenario.raw["provinces"]
        },
        "light": [key for key, paint in paints.items() if paint.light_text],
        "places": {
            key: {
                "x": province.seat.at[0],
                "y": province.seat.at[1],
                "label": province.label,
                "name": words.province_name(scenario, key),
            }
            for key, province in drawing.provinces.items()
        },
    }


def tally(then: TableContext) -> list[Tally]:
    """Return every nation with the levels that the film counts."""
    held = then.rows.accounts
    return [
        Tally(
            seat=key,
            name=then.name_of(key),
            levels=[
                FilmLevel(level, _(label), held.get((key, level), 0))
                for level, label in BESIDE.items()
            ],
        )
        for key in then.view["nations"]
    ]
