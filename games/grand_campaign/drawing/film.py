"""The log of a Grand Campaign as a film of attacks, battles, results, provinces and levels."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from engine.effects import Effect
from engine.language import capitalize, pgettext, sentence
from engine.language import gettext as _
from engine.language import gettext_noop as noop
from games.contract.film import FilmLevel, SeatLevels
from games.contract.pages import Die, Frame, LoggedMove
from games.grand_campaign.drawing import atlas
from games.grand_campaign.drawing.drawing import drawing_of
from games.grand_campaign.rules.position import Position
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.rules.view import view
from games.grand_campaign.text import words

GAME_MASTER = "gm"
COUNTED = ("victory_points", "prestige", "stability")
"""The levels that a film counts."""
TOLD = ("report", "respond", "open-turn", "start")
TONES = {"attacker": "good", "defender": "bad"}
RESULTS = {
    "attacker": noop("{attacker:The} {attacker:win|wins} the battle for {place}."),
    "defender": noop("{defender:The} {defender:hold|holds} {place}."),
    "draw": noop("The battle for {place} ends in a draw."),
}
SIDES = ("attacker", "defender")
LONG_ODDS = 35
"""A victory with a smaller chance, in per cent, is against the odds."""
DICE = 4
"""The most dice of an entry that are shown, which are its last ones."""


def film(scenario: Scenario, log: Sequence[LoggedMove]) -> list[Frame]:
    """Return the frames of these entries; consecutive constructions of a nation share a frame."""
    frames = list[Frame]()
    for move in log:
        frame = shot(scenario, move)
        last = frames[-1] if frames else None
        if last is not None and frame.weight == last.weight == 0 and last.intro == frame.intro:
            frames[-1] = joined(last, frame, move_text(scenario, move))
        else:
            frames.append(frame)
    return [frame._replace(intro="") if frame.weight == 0 else frame for frame in frames]


def joined(last: Frame, frame: Frame, text: str) -> Frame:
    """Return the last frame with a further move of the same seat, which has this `text`."""
    result = _("%(before)s; %(then)s") % {"before": last.say.rstrip("."), "then": text}
    return last._replace(
        say=f"{result}.",
        changes=last.changes + frame.changes,
        places=last.places + frame.places,
        at=frame.at,
    )


def move_text(scenario: Scenario, move: LoggedMove) -> str:
    return words.move_line(scenario, move.move, move.effects)


def shot(scenario: Scenario, move: LoggedMove) -> Frame:
    """Return the frame of an entry.

    A frame of weight 0 is joined with its neighbours of the same seat, which is its `intro`.
    """
    text = f"{holder_name(scenario, move.seat)} {move_text(scenario, move)}"
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
    happened = happened_texts(scenario, move)
    if ended:
        return decided(scenario, move, frame, ended, happened)
    is_turn = any(effect.kind == "turn" for effect in move.effects)
    if is_turn or happened or move.rolls or move.move["move"] in TOLD:
        return frame._replace(
            intro=text,
            dice=dice(scenario, move),
            say=sentences(*(happened or [text]), *levels(scenario, move.effects)),
            weight=2 if is_turn else 1,
        )
    return frame._replace(intro=move.seat, say=sentences(text), weight=0)


def decided(
    scenario: Scenario,
    move: LoggedMove,
    frame: Frame,
    ended: Sequence[Effect],
    happened: Sequence[str],
) -> Frame:
    """Return the frame of battles that have been decided."""
    if move.why is not None and len(ended) == 1 and move.why.id == "why-battle":
        return decided_by_model(scenario, move, frame, ended[0], move.why.facts)
    where = ", ".join(
        str(words.province_name(scenario, str(attack.facts["target"]))) for attack in ended
    )
    tones = {TONES.get(str(attack.facts["outcome"]), "") for attack in ended}
    return frame._replace(
        intro=_("The battle for %(place)s has been decided") % {"place": where},
        dice=dice(scenario, move),
        say=sentences(*happened, *levels(scenario, move.effects)),
        tone=tones.pop() if len(tones) == 1 else "",
        weight=3,
    )


def decided_by_model(
    scenario: Scenario, move: LoggedMove, frame: Frame, ended: Effect, chances: Mapping[str, Any]
) -> Frame:
    """Return the frame of a battle that the model has decided: its chances, its routed shares."""
    outcome, place = str(ended.facts["outcome"]), str(ended.facts["target"])
    facts = {
        "place": words.province_name(scenario, place),
        "attacker": words.nation_name(scenario, chances["attacker"]),
        "defender": words.nation_name(scenario, chances["defender"] or None),
        **{key: chances[key] for key in ("win", "draw", "lose")},
    }
    intro = _(
        "Battle for {place}. Chances: {attacker:the} {win}%, draw {draw}%, {defender:the} {lose}%."
    )
    if not chances["defender"]:
        intro = _("Battle for {place}. Chances: {attacker:the} {win}%, draw {draw}%, loss {lose}%.")
    result = sentence(_(RESULTS.get(outcome, RESULTS["draw"])), **facts)
    odds = {"attacker": chances["win"], "defender": chances["lose"]}.get(outcome, 100)
    if odds < LONG_ODDS:
        text = _("{result} The chance was only {odds}%.")
        result = sentence(text, result=result, odds=odds)
    others = happened_texts(scenario, move, but=ended)
    winner = {"attacker": chances["attacker"], "defender": chances["defender"]}.get(outcome, "")
    return frame._replace(
        intro=sentence(intro, **facts),
        dice=(*routed_shares(scenario, move, chances), *dice(scenario, move)),
        say=sentences(result, *others, *levels_by_seat(scenario, move.effects)),
        tone=TONES.get(outcome, ""),
        weight=3,
        changes=tuple(
            {
                **change,
                "sides": [chances["attacker"], chances["defender"]],
                "winner": winner,
                "odds": odds,
                "text": result,
            }
            if change["kind"] == "battle"
            else change
            for change in frame.changes
        ),
    )


def routed_shares(
    scenario: Scenario, move: LoggedMove, chances: Mapping[str, Any]
) -> Iterator[Die]:
    """Yield the routed share of each army, which the film rolls like dice."""
    routed = move.move.get("routed", {})
    for side in SIDES:
        if side in routed:
            name = words.nation_name(scenario, chances[side] or None)
            value = routed[side]
            yield Die(
                round(value), "", sentence(_("{nation}, routed"), nation=name), 100, f"{value}%"
            )


def happened_texts(scenario: Scenario, move: LoggedMove, *, but: Effect | None = None) -> list[str]:
    """Return the other consequences of the entry, without repetition and without slots.

    The effect `but` is left out.
    """
    causes = [
        words.speak(scenario, effect.cause)
        for effect in move.effects
        if effect.kind != "slot" and effect is not but and words.is_noted(effect)
    ]
    return [capitalize(cause) for cause in dict.fromkeys(causes)]


def holder_name(scenario: Scenario, key: str) -> str:
    """Return the name of a nation or of the game master for the beginning of a sentence."""
    return (
        pgettext("film", "Game master")
        if key == GAME_MASTER
        else str(words.nation_name(scenario, key))
    )


def sentences(*texts: str) -> str:
    return " ".join(
        text if text.endswith((".", "!", "?")) else f"{text}." for text in texts if text
    )


def levels(scenario: Scenario, effects: Sequence[Effect]) -> list[str]:
    """Return the changes of victory points, prestige and stability, in words."""
    labels = words.book()["accounts"]
    return [
        f"{holder_name(scenario, effect.holder or '')}: {labels[effect.subject]}"
        f" {'+' if effect.change > 0 else ''}{level(effect.change)} → {level(effect.balance)}"
        for effect in effects
        if effect.kind == "account" and effect.subject in COUNTED
    ]


def levels_by_seat(scenario: Scenario, effects: Sequence[Effect]) -> Iterator[str]:
    """Yield the changed levels of each nation in one sentence."""
    labels = words.book()["accounts"]
    by_seat: dict[str, list[str]] = {}
    for effect in effects:
        if effect.kind == "account" and effect.subject in COUNTED:
            text = f"{labels[effect.subject]} {level(effect.balance)}"
            sign = "+" if effect.change > 0 else ""
            by_seat.setdefault(effect.holder or "", []).append(
                f"{text} ({sign}{level(effect.change)})"
            )
    for seat, texts in by_seat.items():
        yield f"{holder_name(scenario, seat)}: {', '.join(texts)}"


def level(value: int) -> str:
    return str(value).replace("-", "−")


def dice(scenario: Scenario, move: LoggedMove) -> tuple[Die, ...]:
    return tuple(
        Die(roll.value, "", words.roll_line(scenario, roll), roll.sides)
        for roll in move.rolls[-DICE:]
    )


Change = dict[str, Any]
"""A change on the map as JSON, which the title's script reads."""


def changes_on_map(effects: Sequence[Effect]) -> Iterator[Change]:
    """Yield the changes on the map, in the order in which they happened."""
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


# The page of the film at the beginning


def picture(position: Position, drawing: str) -> str:
    """Return the map of the position."""
    scenario = position.scenario.amended(position.amendments)
    names = [fortification.name for fortification in scenario.rules.fortifications]
    state = atlas.from_record(view(position, None), names)
    return atlas.map_svg(drawing_of(scenario.raw, drawing), scenario.raw, state, links=False)


def board(position: Position, text: str) -> Mapping[str, Any]:
    """Return the facts of the map that the script needs, as JSON."""
    scenario = position.scenario
    drawing = drawing_of(scenario.raw, text)
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


def seat_levels(position: Position) -> list[SeatLevels]:
    """Return every nation with the levels that the film counts."""
    return [
        SeatLevels(
            seat=key,
            name=words.nation_name(position.scenario, key),
            levels=[
                FilmLevel("victory_points", pgettext("film", "VP"), nation.victory_points),
                FilmLevel("prestige", pgettext("film", "Prestige"), nation.prestige),
            ],
        )
        for key, nation in position.nations.items()
    ]


class GrandFilms:
    """The films of the Grand Campaign; see `games.contract.film.Films`."""

    def film(self, scenario: Scenario, log: Sequence[LoggedMove]) -> Sequence[Frame]:
        return film(scenario, log)

    def board(self, position: Position, drawing: str) -> Mapping[str, Any]:
        return board(position, drawing)

    def levels(self, position: Position) -> Sequence[SeatLevels]:
        return seat_levels(position)

    def picture(self, position: Position, drawing: str) -> str:
        return picture(position, drawing)
