"""The data for the script with which the player acts on the map.

It has the targets with their chances, and the questions about commitments and offers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.contract.pages import Reader
from games.march_on_rome.drawing import plaques
from games.march_on_rome.drawing.map import Standard, armies_on_map, paint
from games.march_on_rome.page.questions import CommitmentQuestion, RivalsOffer
from games.march_on_rome.page.targets import Target, rounded
from games.march_on_rome.rules import odds
from games.march_on_rome.rules.position import PC, Position, World, data
from games.march_on_rome.text.phrases import count, phrase_text
from games.march_on_rome.text.words import general_name, province_name

Act = dict[str, Any]
ROUNDS = 4
"""The number of segments of a battle with frames of their own; a longer battle skips to its last.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The choices that the player has now."""

    targets: Sequence[Target] = ()
    commitment: CommitmentQuestion | None = None
    offer: RivalsOffer | None = None


def document(position: Position, reader: Reader, asked: Asked) -> dict[str, Any]:
    """Return the data for the script of the page."""
    mine = reader.plays and position.phase != "over"
    created: dict[str, Any] = {
        "mine": mine,
        "places": places(),
        "world": world(position, World(position.owner, position.garrison, position.legions)),
        "title": phrase_text("bar-watch", year=position.turn),
        "hint": "",
        "handle": phrase_text("drawer"),
        "told": "",
        "acts": [],
        "targets": {},
    }
    if not mine:
        return created
    if position.phase == "setup":
        words = phrase_text("do-begin")
        created |= {"title": words, "acts": [act(words, [{"move": "begin"}], main=True)]}
    elif asked.commitment is not None:
        created |= commitment(asked.commitment)
    elif asked.offer is not None:
        created |= answer(asked.offer)
    elif position.phase == "pc":
        created |= {
            "title": phrase_text("bar-year", year=position.turn),
            "hint": phrase_text("hint-year", n=position.legions[PC]),
            "targets": targets(position, asked.targets),
            "acts": [act(phrase_text("do-pass"), [{"move": "pass"}], main=not asked.targets)],
        }
    else:
        words = phrase_text("do-on")
        created |= {
            "title": phrase_text("bar-on", year=position.turn),
            "acts": [act(words, [], main=True)],
        }
    return created


def act(
    words: str,
    moves: Sequence[dict[str, Any]],
    *,
    main: bool = False,
    danger: bool = False,
    out: bool = False,
) -> Act:
    """Return a button with its text and its moves; `main` marks the usual choice.

    After the moves the year goes on automatically; with `out` also over later questions, to its
    end.
    """
    return {
        "do": words,
        "moves": list(moves),
        "main": main,
        "danger": danger,
        "then": "out" if out else "on",
    }


def places() -> dict[str, dict[str, Any]]:
    """Return the places of each province's name and of its legions on the map."""
    drawn = data("drawing")["provinces"]
    return {
        key: {
            "x": province["markers"]["legions"][0],
            "y": province["markers"]["legions"][1],
            "lx": province["label"][0],
            "ly": province["label"][1],
            "name": province_name(key),
        }
        for key, province in drawn.items()
    }


def world(position: Position, now: World) -> dict[str, Any]:
    """Return the holders of all provinces, with their legions."""
    return {
        "owner": {key: paint(owner) for key, owner in now.owner.items()},
        "legions": {
            paint(general): f"{general_name(position.scenario, general)} {now.legions[general]}"
            for general in now.generals()
        },
        "garrison": dict(now.garrison),
    }


def targets(position: Position, neighbours: Sequence[Target]) -> dict[str, Any]:
    """Return the neighbours, each with the place of its chance on the map."""
    standards = [
        Standard(general, general_name(position.scenario, general), legions)
        for general, legions in position.legions.items()
    ]
    placed = plaques.chances(
        armies_on_map(position.owner, position.garrison, standards),
        {neighbour.key: chance_text(neighbour) for neighbour in neighbours},
    )
    return {
        neighbour.key: target(neighbour) | {"plaque": plaque_of_chance(placed[neighbour.key])}
        for neighbour in neighbours
    }


def plaque_of_chance(plaque: plaques.Plaque) -> dict[str, float]:
    """Return the offset of a chance from the province's name, and its size."""
    return {
        "x": round(plaque.offset[0], 1),
        "y": round(plaque.offset[1], 1),
        "width": plaque.size.width,
        "height": plaque.size.height,
    }


def chance_text(neighbour: Target) -> str:
    """Return the chance of an attack on a neighbour, for the map."""
    return neighbour.attack.text if neighbour.can_attack else phrase_text("no-legions")


def target(neighbour: Target) -> dict[str, Any]:
    """Return a neighbour: its chance on the map, the text of the bar, and its buttons."""
    name, acts = neighbour.name, []
    if neighbour.can_attack:
        acts.append(
            act(
                phrase_text("do-attack", land=name),
                [{"move": "attack", "target": neighbour.key}],
                main=True,
            )
        )
    if not neighbour.absorbed:
        move = {"move": "ally", "target": neighbour.key}
        acts.append(act(phrase_text("do-ally", land=name), [move], main=not neighbour.can_attack))
    attack = chance_text(neighbour)
    hint = (
        phrase_text("ally-ends", name=neighbour.who.name)
        if neighbour.absorbed
        else phrase_text("ally-chance", chance=neighbour.ally.text)
    )
    return {
        "chance": attack,
        "title": phrase_text("bar-target", land=name, chance=attack),
        "hint": hint,
        "acts": acts,
        "label": (
            f"{name}, {neighbour.who.name}. {phrase_text('bar-target', land=name, chance=attack)}"
        ),
        "head": f"{name}, {neighbour.who.name}",
        "share": neighbour.attack.share,
        "odds": (
            [
                [attack, phrase_text("odds-wins")],
                [neighbour.ally.text, phrase_text("odds-ally")],
            ]
            if not neighbour.absorbed
            else [[attack, phrase_text("odds-wins")]]
        ),
    }


def commitment(asked: CommitmentQuestion) -> dict[str, Any]:
    """Return the question how many legions go, with enough legions and with all of them."""
    every = {row.legions: row for row in asked.every}
    best, most = every[asked.best], every[asked.mine]
    unit = "army" if asked.army else "legion"
    return {
        "title": phrase_text("bar-devote", land=asked.name),
        "hint": phrase_text("hint-devote", foe=asked.facing, n=count(asked.theirs, unit)),
        "focus": asked.target,
        "devote": {
            "out": phrase_text("do-out-devote"),
            "auto": phrase_text("hint-out"),
            "best": asked.best,
            "least": asked.least,
            "most": asked.mine,
            "presets": [
                {"legions": row.legions, "do": preset(key, row)}
                for key, row in (("do-enough", best), ("do-all", most))
                if key == "do-all" or row is not most
            ],
            "rows": {
                n: {"do": send_text(row), "hint": consequence(asked, row, best)}
                for n, row in every.items()
            },
        },
    }


def preset(key: str, row: odds.Commitment) -> str:
    """Return the text of the button that chooses a number, with its chance."""
    return phrase_text(key, n=row.legions, chance=odds.percent(row.win))


def send_text(row: odds.Commitment) -> str:
    """Return the text of the button that sends this number."""
    key = {0: "do-devote-none", 1: "do-devote-one"}.get(row.legions, "do-devote")
    return phrase_text(key, n=row.legions, chance=odds.percent(row.win))


def consequence(asked: CommitmentQuestion, row: odds.Commitment, best: odds.Commitment) -> str:
    """Return the reason for a number, if it has one, and the legions that are left."""
    if not row.legions:
        return phrase_text("devote-nothing", land=asked.name, of=asked.mine)
    reason = ""
    if row is best:
        reason = "devote-enough" if row.legions < asked.mine else "devote-needed"
    elif row.legions == asked.mine:
        reason = f"devote-all-{'lower' if best.win - row.win > odds.SPARE else 'equal'}"
    return " ".join(filter(None, [reason and phrase_text(reason), kept(row, asked.mine)]))


def kept(row: odds.Commitment, mine: int) -> str:
    """Return how many legions the player keeps on average, with those at home."""
    won, lost = rounded(row.kept_won), rounded(row.kept_lost)
    if won and lost:
        return phrase_text("devote-kept", won=won, lost=lost, of=mine)
    return phrase_text("devote-kept-always", kept=won or lost, of=mine)


def answer(asked: RivalsOffer) -> dict[str, Any]:
    """Return a stronger rival's offer. After NO the game goes on, YES ends it."""
    name = asked.who.name
    no = "hint-answer-unarmed" if asked.walkover else "hint-answer"
    hint = phrase_text(no, land=asked.name, chance=asked.hold.text)
    return {
        "title": phrase_text("bar-answer", name=name),
        "focus": asked.target,
        "hint": f"{hint} {phrase_text('hint-out')}",
        "acts": [
            act(
                phrase_text("do-refuse", land=asked.name),
                [{"move": "answer", "accept": False}],
                main=True,
            ),
            act(phrase_text("do-out-refuse"), [{"move": "answer", "accept": False}], out=True),
            act(
                phrase_text("do-accept", name=name),
                [{"move": "answer", "accept": True}],
                danger=True,
            ),
        ],
    }
