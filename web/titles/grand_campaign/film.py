"""The log of a Grand Campaign as a film: attacks march along their arrows, battles and their
results, provinces, levels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from engine.effects import Effect
from games.contract.pages import Die, Frame, Told
from games.grand_campaign.text import words
from web.log.lines import Change, changes, notes
from web.titles.grand_campaign import atlas
from web.titles.grand_campaign.table import state_of
from web.titles.talk import capital

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

COUNTED = ("victory_points", "prestige", "stability")
"""The levels of which a film tells."""
BESIDE = {"victory_points": noop("VP"), "prestige": noop("Prestige")}
"""Those that it counts beside the nations' names."""
TOLD = ("report", "respond", "open-turn", "start")
TONES = {"attacker": "good", "defender": "bad"}
DICE = 4
"""So many dice of an entry are shown: the last."""


def film(table: TableContext, log: Sequence[Told]) -> list[Frame]:
    """The frames of these entries; what a nation builds in one go is one of them."""
    frames = list[Frame]()
    for one in log:
        frame = shot(table, one)
        last = frames[-1] if frames else None
        if last is not None and frame.weight == last.weight == 0 and last.intro == frame.intro:
            result = _("%(before)s; %(then)s") % {
                "before": last.say.rstrip("."),
                "then": table.title.move_line(*line(table, one)),
            }
            frames[-1] = last._replace(
                say=f"{result}.",
                changes=last.changes + frame.changes,
                places=last.places + frame.places,
                at=frame.at,
            )
        else:
            frames.append(frame)
    return [one._replace(intro="") if one.weight == 0 else one for one in frames]


def line(table: TableContext, one: Told) -> tuple[Any, Any, Any]:
    return table.scenario, one.move, one.effects


def shot(table: TableContext, one: Told) -> Frame:
    """The frame of one entry. One of weight 0 is told in one breath with its neighbours of the same
    seat, its `intro`.
    """
    name = table.name_of(one.seat)
    text = f"{name} {table.title.move_line(*line(table, one))}"
    happened = [
        capital(note)
        for note in notes(table, [effect for effect in one.effects if effect.kind != "slot"])
    ]
    moves = tuple(_changes(one.effects))
    launched = [
        effect for effect in one.effects if effect.kind == "attack" and effect.facts.get("launched")
    ]
    ended = [
        effect for effect in one.effects if effect.kind == "attack" and "outcome" in effect.facts
    ]
    places = tuple(dict.fromkeys(change["at"] for change in moves if "at" in change))
    if launched:
        return Frame(text, (), sentences(text), moves, places, "", 2, one.number)
    if ended:
        where = ", ".join(
            str(words.province_name(table.scenario, str(effect.facts["target"])))
            for effect in ended
        )
        tones = {TONES.get(str(effect.facts["outcome"]), "") for effect in ended}
        result = sentences(*happened, *levels(table, one.effects))
        intro = _("The battle for %(place)s is decided") % {"place": where}
        tone = tones.pop() if len(tones) == 1 else ""
        return Frame(intro, dice(table, one), result, moves, places, tone, 3, one.number)
    turns = [effect for effect in one.effects if effect.kind == "turn"]
    if turns or happened or one.rolls or one.move["move"] in TOLD:
        result = sentences(*(happened or [text]), *levels(table, one.effects))
        return Frame(
            text, dice(table, one), result, moves, places, "", 2 if turns else 1, one.number
        )
    return Frame(one.seat, (), sentences(text), moves, places, "", 0, one.number)


def sentences(*texts: str) -> str:
    return " ".join(one if one.endswith((".", "!", "?")) else f"{one}." for one in texts if one)


def levels(table: TableContext, effects: Sequence[Effect]) -> list[str]:
    """What became of victory points, prestige and stability, in words."""
    rows: list[Change] = changes(table, [effect for effect in effects if effect.subject in COUNTED])
    return [f"{row.who}: {row.label} {row.change} → {row.balance}" for row in rows]


def dice(table: TableContext, one: Told) -> tuple[Die, ...]:
    return tuple(
        Die(roll.value, "", table.title.roll_line(table.scenario, roll), roll.sides)
        for roll in one.rolls[-DICE:]
    )


def _changes(effects: Sequence[Effect]) -> Iterator[dict[str, Any]]:
    """What changes on the map, in the order in which it happened."""
    for effect in effects:
        facts = effect.facts
        if effect.kind == "attack" and facts.get("launched"):
            yield {
                "kind": "attack",
                "no": effect.subject,
                "seat": effect.holder,
                "from": facts["source"],
                "at": facts["target"],
                "covert": facts["attack_kind"] == "independent",
            }
        elif effect.kind == "attack" and "outcome" in facts:
            yield {
                "kind": "battle",
                "no": effect.subject,
                "at": facts["target"],
                "outcome": facts["outcome"],
            }
        elif effect.kind == "holding":
            change = {"kind": "holding", "at": effect.subject}
            yield change | ({"owner": facts["owner"]} if "owner" in facts else {})
        elif effect.kind == "account" and effect.subject in COUNTED:
            yield {
                "kind": "level",
                "seat": effect.holder,
                "level": effect.subject,
                "n": effect.balance,
                "by": effect.change,
            }


# What the page of the film begins with.


def picture(then: TableContext) -> str:
    """The map as it stood."""
    return atlas.map_svg(
        atlas.drawing_for(then.campaign), then.scenario.raw, state_of(then), links=False
    )


def board(then: TableContext) -> dict[str, Any]:
    """What the stage of the film must know of the map."""
    drawing, scenario = atlas.drawing_for(then.campaign), then.scenario
    kinds = {
        one["key"]: "external" if one["kind"] == "external" else "independent"
        for one in scenario.raw["provinces"]
    }
    return {
        "size": [drawing.width, drawing.height],
        "kinds": kinds,
        "light": [
            key
            for key, one in atlas.paints(drawing, scenario.raw["nations"]).items()
            if one.light_text
        ],
        "places": {
            key: {
                "x": one.seat.at[0],
                "y": one.seat.at[1],
                "label": one.label,
                "name": words.province_name(scenario, key),
            }
            for key, one in drawing.provinces.items()
        },
    }


def tally(then: TableContext) -> list[dict[str, Any]]:
    """Every nation with the levels that the film counts."""
    return [
        {
            "seat": key,
            "name": then.name_of(key),
            "levels": [
                {"key": level, "label": _(label), "n": then.rows.accounts.get((key, level), 0)}
                for level, label in BESIDE.items()
            ],
        }
        for key in then.view["nations"]
    ]
