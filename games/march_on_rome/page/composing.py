"""The map as one acts on it, and the years as a film: targets with their chances, the two questions
in the middle of things.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from games.contract.pages import Die, Frame, Reader, Told
from games.march_on_rome.drawing.map import paint
from games.march_on_rome.rules.position import PC, Position, World, data, is_general
from games.march_on_rome.text.telling import (
    Fight,
    Part,
    Step,
    Teller,
    holder_with_paint,
    phrase_text,
    segments_shown,
)
from games.march_on_rome.text.words import general_name, province_name

Act = dict[str, Any]
ROUNDS = 4
"""So many segments of a battle have a frame of their own; a longer one goes on to its last."""


def document(position: Position, reader: Reader, asked: dict[str, Any]) -> dict[str, Any]:
    """What the script of the page needs. `asked` has the title's own readings of the position:
    `targets`, `commitment`, `answer`, as far as it is asked for them.
    """
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
    elif "commitment" in asked:
        created |= commitment(asked["commitment"])
    elif "answer" in asked:
        created |= answer(asked["answer"])
    elif position.phase == "pc":
        created |= {
            "title": phrase_text("bar-year", year=position.turn),
            "hint": phrase_text("hint-year", n=position.legions[PC]),
            "targets": {one["key"]: target(one) for one in asked["targets"]},
            "acts": [act(phrase_text("do-pass"), [{"move": "pass"}], main=not asked["targets"])],
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


def target(one: dict[str, Any]) -> dict[str, Any]:
    """A neighbour: the chance on the map, what the bar says, what may be done there."""
    name, acts = one["name"], []
    if one["can_attack"]:
        acts.append(
            act(
                phrase_text("do-attack", land=name),
                [{"move": "attack", "target": one["key"]}],
                main=True,
            )
        )
    if not one["absorbed"]:
        move = {"move": "ally", "target": one["key"]}
        acts.append(act(phrase_text("do-ally", land=name), [move], main=not one["can_attack"]))
    attack = one["attack"]["text"] if one["can_attack"] else phrase_text("no-legions")
    hint = (
        phrase_text("ally-ends", name=one["who"]["name"])
        if one["absorbed"]
        else phrase_text("ally-chance", chance=one["ally"]["text"])
    )
    return {
        "chance": attack,
        "title": phrase_text("bar-target", land=name, chance=attack),
        "hint": hint,
        "acts": acts,
        "label": (
            f"{name}, {one['who']['name']}. {phrase_text('bar-target', land=name, chance=attack)}"
        ),
        "head": f"{name}, {one['who']['name']}",
        "share": one["attack"]["share"],
        "odds": (
            [
                [attack, phrase_text("odds-wins")],
                [one["ally"]["text"], phrase_text("odds-ally")],
            ]
            if not one["absorbed"]
            else [[attack, phrase_text("odds-wins")]]
        ),
    }


def commitment(asked: dict[str, Any]) -> dict[str, Any]:
    """Ask how many legions go: show the sufficient number first, every other number a tap away."""
    rows = {row["legions"]: row for row in asked["rows"]}
    return {
        "title": phrase_text("bar-devote", land=asked["name"], of=asked["mine"]),
        "hint": (
            f"{phrase_text('hint-devote', foe=asked['foe']['name'], n=asked['his'])}"
            f" {phrase_text('hint-out')}"
        ),
        "focus": asked["target"],
        "devote": {
            "out": phrase_text("do-out-devote"),
            "best": asked["best"],
            "least": asked["least"],
            "most": asked["mine"],
            "rows": {
                n: [
                    phrase_text({0: "do-devote-none", 1: "do-devote-one"}.get(n, "do-devote"), n=n),
                    phrase_text("won-with", chance=row["win"]["text"]) if n else "",
                ]
                for n, row in rows.items()
            },
        },
    }


def answer(asked: dict[str, Any]) -> dict[str, Any]:
    """A stronger rival's offer: no is what the game goes on with, yes ends it."""
    name = asked["who"]["name"]
    no = "hint-answer-unarmed" if asked["walkover"] else "hint-answer"
    hint = phrase_text(no, land=asked["name"], chance=asked["hold"]["text"])
    return {
        "title": phrase_text("bar-answer", name=name),
        "focus": asked["target"],
        "hint": f"{hint} {phrase_text('hint-out')}",
        "acts": [
            act(
                phrase_text("do-refuse", land=asked["name"]),
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


# The film: the steps of the log, each with what is tried, its dice, and what came of it.


def text(parts: Iterable[Part]) -> str:
    """A sentence of parts as plain text."""
    words = "".join(
        str(part.get("name") or part.get("strong") or part.get("text", "")) for part in parts
    )
    return words if not words or words[-1] in ".!?:" else f"{words}."


def film(before: Position, log: Sequence[Told]) -> list[Frame]:
    """The frames of these entries, from the position before them."""
    teller = Teller(before.scenario)
    teller.world = World(before.owner.copy(), before.garrison.copy(), before.legions.copy())
    teller.year, teller.phase = (
        before.turn,
        before.phase if before.phase in ("pc", "npc", "recruit", "events") else "pc",
    )
    if before.battle is not None:
        teller.fight = running(before)
    frames: list[Frame] = []
    for one in log:
        step = teller.tell_move(one)
        frames += shots(before, step, teller.world)
    return frames


def running(position: Position) -> Fight:
    """The battle in which the player is asked, as far as it has come."""
    battle = position.battle
    assert battle is not None
    totals = {side: position.total(side, battle) for side in ("attacker", "defender")}
    defender = battle["defender"] if "defender" in battle else position.owner[battle["target"]]
    devoted = {side: n for side, n in battle["devoted"].items() if n is not None}
    return Fight(
        battle["no"],
        battle["target"],
        battle["attacker"],
        str(defender),
        battle["cause"],
        totals,
        first=str(battle["initiative"] or ""),
        devoted=devoted,
    )


def shots(position: Position, step: Step, after: World) -> list[Frame]:
    """Return an entry's frames: its dice, the rounds of its battle, what came of it."""
    line, sums = text(step.line), [text(part) for part in step.sums]
    dice = dice_of_step(step)
    moves = marches(step)
    settled = {"kind": "world", **world(position, after)}
    place = (step.place,) if step.place else ()
    intro = line if step.kind in SHOWN_AT_ONCE else introduced(position, step)
    fought = step.fight if step.clashed else None
    fight = segments_shown(position.scenario, fought) if fought is not None else None
    if fight is None:
        phrase = " ".join([line, *(part for part in sums if part)])
        weight = 1 if phrase else 0
        shown = (*moves, settled)
        return [Frame(intro, dice, phrase, shown, place, tone(step), weight, step.entry)]
    return [
        Frame(intro, dice, line, moves, place, "", 1, step.entry),
        *(round_frame(step, row, fight) for row in rounds(fight["rows"])),
        Frame("", (), " ".join(sums), (settled,), place, tone(step), 2, step.entry),
    ]


SHOWN_AT_ONCE = ("attack", "ally", "pass", "devote", "answer")
"""The kinds of steps whose line is shown before the dice."""


def dice_of_step(step: Step) -> tuple[Die, ...]:
    """Return the dice that an entry threw, without those of its battle."""
    return tuple(
        Die(value, "", roll["label"], 6 if value <= 6 else 20)
        for roll in step.rolls
        for value in roll["dice"]
    )


def marches(step: Step) -> tuple[dict[str, Any], ...]:
    """Return the march of an entry, if it has one."""
    if step.arrow is None:
        return ()
    source, goal, who = step.arrow
    march = {
        "kind": "march",
        "from": source,
        "to": goal,
        "paint": paint(who),
        "legions": str(after_legions(step, who)),
    }
    return (march,)


def round_frame(step: Step, row: Mapping[str, Any], fight: Mapping[str, Any]) -> Frame:
    """Return one round of a battle: the dice of both sides, and what is left of them."""
    cells, names = row["cells"], (fight["first"], fight["second"])
    thrown = tuple(
        Die(value, "hit" if value == 1 else "", name, 6)
        for cell, name in zip(cells, names, strict=True)
        if cell
        for value in cell["dice"][:5]
    )
    losers = zip(cells, reversed(names), strict=True)
    left = {name: cell["now"] for cell, name in losers if cell}
    listed = ", ".join(f"{name} {number}" for name, number in left.items())
    phrase = phrase_text("film-round", n=row["no"], left=listed)
    clash = phrase_text("film-clash", land=province_name(step.place))
    return Frame(clash, thrown, phrase, (), (), "", 0, step.entry)


def after_legions(step: Step, who: str) -> int:
    if step.fight is not None and step.fight.devoted.get("attacker") and step.fight.attacker == who:
        return step.fight.devoted["attacker"]
    return step.before.legions.get(who, 0)


def rounds(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return list(rows) if len(rows) <= ROUNDS else [*rows[: ROUNDS - 1], rows[-1]]


def introduced(position: Position, step: Step) -> str:
    """What is tried, before its dice have fallen."""
    if step.kind == "npc" and is_general(step.actor):
        return phrase_text(
            "film-acts", name=holder_with_paint(position.scenario, step.actor)["name"]
        )
    return (
        phrase_text(f"film-{step.kind}")
        if step.kind in ("order", "recruit", "events", "event", "begin")
        else ""
    )


def tone(step: Step) -> str:
    """Good or bad for the player, where a battle of theirs came to its end."""
    fight = step.fight
    if fight is None or not fight.winner or PC not in (fight.attacker, fight.defender):
        return ""
    return "good" if fight.holder_of(fight.winner) == PC else "bad"
