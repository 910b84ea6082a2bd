"""The map on which the player acts: targets with their chances, and the two questions."""

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
"""So many segments of a battle have a frame of their own; a longer one goes on to its last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What the player is asked now."""

    targets: Sequence[Target] = ()
    commitment: CommitmentQuestion | None = None
    offer: RivalsOffer | None = None


def document(position: Position, reader: Reader, asked: Asked) -> dict[str, Any]:
    """Return what the script of the page needs."""
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
            "targets": {one.key: target(one) for one in asked.targets},
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
    """A button: what it says, its moves, is it the one that is meant? After each the year goes on
    by itself, with `out` over all that is asked until its end.
    """
    return {
        "do": words,
        "moves": list(moves),
        "main": main,
        "danger": danger,
        "then": "out" if out else "on",
    }


def places() -> dict[str, dict[str, Any]]:
    """Where each province is named on the map, and where legions stand."""
    drawn = data("drawing")["provinces"]
    return {
        key: {
            "x": one["markers"]["legions"][0],
            "y": one["markers"]["legions"][1],
            "lx": one["label"][0],
            "ly": one["label"][1],
            "name": province_name(key),
        }
        for key, one in drawn.items()
    }


def world(position: Position, now: World) -> dict[str, Any]:
    """Who holds what, and with how many legions."""
    return {
        "owner": {key: paint(owner) for key, owner in now.owner.items()},
        "legions": {
            paint(one): f"{general_name(position.scenario, one)} {now.legions[one]}"
            for one in now.generals()
        },
        "garrison": dict(now.garrison),
    }


def target(one: Target) -> dict[str, Any]:
    """A neighbour: the chance on the map, what the bar says, what may be done there."""
    name, acts = one.name, []
    if one.can_attack:
        acts.append(
            act(
                phrase_text("do-attack", land=name),
                [{"move": "attack", "target": one.key}],
                main=True,
            )
        )
    if not one.absorbed:
        move = {"move": "ally", "target": one.key}
        acts.append(act(phrase_text("do-ally", land=name), [move], main=not one.can_attack))
    attack = one.attack.text if one.can_attack else phrase_text("no-legions")
    hint = (
        phrase_text("ally-ends", name=one.who.name)
        if one.absorbed
        else phrase_text("ally-chance", chance=one.ally.text)
    )
    return {
        "chance": attack,
        "title": phrase_text("bar-target", land=name, chance=attack),
        "hint": hint,
        "acts": acts,
        "label": (f"{name}, {one.who.name}. {phrase_text('bar-target', land=name, chance=attack)}"),
        "head": f"{name}, {one.who.name}",
        "share": one.attack.share,
        "odds": (
            [
                [attack, phrase_text("odds-wins")],
                [one.ally.text, phrase_text("odds-ally")],
            ]
            if not one.absorbed
            else [[attack, phrase_text("odds-wins")]]
        ),
    }


def commitment(asked: CommitmentQuestion) -> dict[str, Any]:
    """Ask how many legions go: show the sufficient number first, every other number a tap away."""
    rows = {row.legions: row for row in asked.rows}
    return {
        "title": phrase_text("bar-devote", land=asked.name, of=asked.mine),
        "hint": (
            f"{phrase_text('hint-devote', foe=asked.foe.name, n=asked.his)}"
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
    """A stronger rival's offer: no is what the game goes on with, yes ends it."""
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
