"""The data for the script with which the player acts on the map.

It has the targets with their chances, and the questions about commitments and offers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from games.contract.pages import Reader
from games.march_on_rome.drawing.map import paint
from games.march_on_rome.page.questions import CommitmentQuestion, RivalsOffer
from games.march_on_rome.page.targets import Target
from games.march_on_rome.rules.position import PC, Position, World, data
from games.march_on_rome.text.phrases import phrase_text
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
            "targets": {neighbour.key: target(neighbour) for neighbour in asked.targets},
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
    attack = neighbour.attack.text if neighbour.can_attack else phrase_text("no-legions")
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
    """Return the question how many legions go, with the sufficient number first."""
    rows = {row.legions: row for row in asked.rows}
    return {
        "title": phrase_text("bar-devote", land=asked.name, of=asked.mine),
        "hint": (
            f"{phrase_text('hint-devote', foe=asked.foe.name, n=asked.theirs)}"
            f" {phrase_text('hint-out')}"
        ),
        "focus": asked.target,
        "devote": {
            "out": phrase_text("do-out-devote"),
            "best": asked.best,
            "least": asked.least,
            "most": asked.mine,
            "rows": {
                n: [
                    phrase_text({0: "do-devote-none", 1: "do-devote-one"}.get(n, "do-devote"), n=n),
                    phrase_text("won-with", chance=row.win.text) if n else "",
                ]
                for n, row in rows.items()
            },
        },
    }


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
