"""The sheet of a nation in words.

It shows levels and thresholds, the hand, structures and works, and attacks that wait for an answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.language import gettext as _
from engine.language import ngettext, npgettext, pgettext, sentence
from games.contract.nation import AccountNote, Gauge, GaugeMark
from games.grand_campaign.rules.construction import TRACK_RULE
from games.grand_campaign.rules.numbers import Rules
from games.grand_campaign.rules.position import THRESHOLDS, Attack, Position, has_slot_to_come
from games.grand_campaign.rules.scenario import Scenario
from games.grand_campaign.text.words import (
    amount,
    book,
    card_name,
    card_text,
    half,
    nation_name,
    part,
    province_name,
    structure_name,
)

ART = {
    "ambush": "swords",
    "assassin": "stop",
    "bodyguard": "shield",
    "chancellor": "scroll",
    "diplomat": "hand",
    "local-insurrection": "torch",
    "mercenaries": "coin",
    "naval-technology": "ship",
    "reinforcements": "shield",
    "scouts": "eye",
    "spy": "eye",
    "traitor": "torch",
}
"""The pictures of cards."""
LEVEL_TOP, INCOME_TOP = 14, 900
"""The ends of the scales of stability and prestige, and of income."""

View = Mapping[str, Any]
"""A position as the title's view shows it, which is plain data."""
NationView = View
"""A nation in that view."""


@dataclass(frozen=True, slots=True)
class CardInHand:
    """A card with its picture and text; `note` says how it is held, or which nation offers it."""

    name: str
    art: str
    text: str
    rule: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as its reader may see it; `cards` are those that the reader may see."""

    heading: str
    cards: list[CardInHand]
    text: str
    """The text that is shown instead of cards."""
    is_hidden: bool
    rule: str


@dataclass(frozen=True, slots=True)
class TrackStep:
    """A structure of a track; its `state` is `built`, `next` or `later`."""

    name: str
    about: str
    state: str

    @property
    def state_text(self) -> str:
        """Return the state for screen readers."""
        return {"built": pgettext("structure", "built"), "next": pgettext("structure", "next")}.get(
            self.state, ""
        )


@dataclass(frozen=True, slots=True)
class Track:
    name: str
    rule: str
    steps: list[TrackStep]


@dataclass(frozen=True, slots=True)
class Fact:
    """Works of one kind, with the places where they are; `text` may be empty."""

    name: str
    text: str


def facts(scenario: Scenario, seat: str, view: View) -> list[str]:
    """Return the capital, the army, the number of provinces and the culture of a nation."""
    info = scenario.nations[seat]
    own = sum(1 for province in view["provinces"].values() if province["owner"] == seat)
    return [
        sentence(_("capital {province}"), province=province_name(scenario, info.capital)),
        info.army,
        sentence(npgettext("nation sheet", "{n} province", "{n} provinces", own), n=own),
        book()["cultures"][info.culture],
    ]


class Gauges:
    """Notes on the levels of a nation's accounts, with their scales and nearby thresholds."""

    def __init__(self, position: Position, seat: str, view: View, *, has_ended: bool) -> None:
        self.position, self.seat, self.view, self.has_ended = position, seat, view, has_ended
        self.nation: NationView = view["nations"][seat]
        self.rules = position.rules

    def note_on(self, account: str) -> AccountNote:
        """Return the note on an account, or an empty note for an account without notes."""
        make = {
            "stability": self.stability,
            "prestige": self.prestige,
            "income": self.income,
            "army": self.army,
            "victory_points": self.victory_points,
        }.get(account)
        return make(self.nation[account]) if make is not None else AccountNote()

    def stability(self, level: int) -> AccountNote:
        gauge = gauge_of(level, LEVEL_TOP, [1, *watched_levels(0)])
        if self.nation["fallen"]:
            return AccountNote(gauge=gauge)
        if level <= 2:
            note, rule = _("no attacks at all; at 1 the nation crumbles"), "2.2"
        elif level == 3:
            note, rule = _("no covert attacks; 1 above the threshold of 2"), "2.1"
        else:
            note, rule = sentence(_("{n} above the threshold of 3"), n=level - 3), "2.1"
        return AccountNote(note, rule, is_warning=level <= 4, gauge=gauge)

    def prestige(self, level: int) -> AccountNote:
        prestigious = self.rules.prestigious
        gauge = gauge_of(level, LEVEL_TOP, watched_levels(1), [prestigious])
        if self.nation["fallen"]:
            return AccountNote(gauge=gauge)
        cost = amount(self.rules.costs["independent-prestigious"])
        if level >= prestigious:
            note = sentence(_("covert attacks on this nation cost {cost}"), cost=cost)
            return AccountNote(note, "2.7", gauge=gauge)
        if level <= 2:
            note = _("1 above the threshold of 1") if level == 2 else _("below the threshold of 1")
            return AccountNote(note, "2.4", is_warning=True, gauge=gauge)
        text = _("from {n} on, covert attacks on this nation cost {cost}")
        return AccountNote(sentence(text, n=prestigious, cost=cost), "2.7", gauge=gauge)

    def income(self, level: int) -> AccountNote:
        steps = [least for least, _actions in self.rules.raw["income_actions"] if least]
        gauge = gauge_of(level, INCOME_TOP, [], steps)
        if not has_slot_to_come(self.position, self.seat):
            return AccountNote(_("gives no more actions in this campaign"), "3.1", gauge=gauge)
        actions = amount(self.rules.actions(level))
        higher = next((least for least in steps if least > level), None)
        if higher is None:
            note = sentence(_("gives {actions} next turn"), actions=actions)
        else:
            note = sentence(
                _("gives {actions} next turn; {talents}t more gives {then}"),
                actions=actions,
                talents=higher - level,
                then=half(self.rules.actions(higher)),
            )
        return AccountNote(note, "3.1", is_warning=bool(steps) and level <= steps[0], gauge=gauge)

    def army(self, level: int) -> AccountNote:
        army = self.rules.army
        low, full, top = army["minimum"], army["full"], army["maximum"]
        gauge = gauge_of(level, top, [], [low, full, top], low=low)
        return AccountNote(sentence(_("full at {full}"), full=full), "2.8", gauge=gauge)

    def victory_points(self, level: int) -> AccountNote:
        nations = self.view["nations"].values()
        place = ordinal(1 + sum(1 for other in nations if other["victory_points"] > level))
        label = pgettext("field", "Victory points")
        if self.has_ended:
            return AccountNote(place, "12", label=label)
        text = _("{place}; {points} if scored now")
        note = sentence(text, place=place, points=self.nation["forecast"])
        return AccountNote(note, "12", label=label)


def watched_levels(account: int) -> list[int]:
    """Return the thresholds of stability (0) or prestige (1)."""
    return sorted({threshold.level for threshold in THRESHOLDS if threshold.watched == account})


def gauge_of(
    level: int, top: int, thresholds: Sequence[int], steps: Sequence[int] = (), low: int = 0
) -> Gauge:
    """Return a scale with its marks, from `low` to `top` or to the values beyond them."""
    top, low = max([top, level, *thresholds, *steps]), min(low, level)

    def at(value: int) -> str:
        return f"{(value - low) / (top - low) * 100:.1f}%"

    marks = [GaugeMark(at(value), is_threshold=True) for value in thresholds]
    marks += [GaugeMark(at(value), is_threshold=False) for value in steps]
    return Gauge(at(level), marks)


def ordinal(number: int) -> str:
    """Return a place as an ordinal number, such as 1st or 2nd."""
    forms = {
        1: pgettext("place", "{number}st"),
        2: pgettext("place", "{number}nd"),
        3: pgettext("place", "{number}rd"),
    }
    last = number % 10 if number // 10 % 10 != 1 else 0
    return sentence(forms.get(last) or pgettext("place", "{number}th"), number=number)


# Challenges


def challenge_title(scenario: Scenario, attack: Attack) -> str:
    """Return the attack that waits for an answer, in a few words."""
    text = (
        _("{nation:The} {nation:attack|attacks} {province}")
        if attack.source
        else _("Insurgents of {nation:the} rise in {province}")
    )
    return sentence(
        text,
        nation=nation_name(scenario, attack.attacker),
        province=province_name(scenario, attack.target),
    )


def attack_parts(scenario: Scenario, position: Position, attack: Attack) -> list[str]:
    """Return kind, battle, points, train, cards and walls of an attack."""
    parts = []
    if attack.source:
        text, kind = _("{kind} from {province}"), book()["kinds"][attack.kind]
        parts.append(sentence(text, kind=kind, province=province_name(scenario, attack.source)))
    parts.append(book()["battles"][attack.battle])
    text = pgettext("nation sheet", "{points} points against {other}")
    parts.append(sentence(text, points=attack.points_attacker, other=attack.points_defender))
    if attack.siege_train:
        parts.append(part("siege-train"))
    parts += [card_name(card) for card in attack.cards_attacker]
    level = position.fortification.get(attack.target)
    if level:
        walls = structure_name(scenario.rules.fortifications[level - 1].name)
        text = _("{province} is protected by {fortification}")
        target = province_name(scenario, attack.target)
        parts.append(sentence(text, province=target, fortification=walls))
    return parts


# Structures and works


def tracks(scenario: Scenario, seat: str, nation: NationView) -> list[Track]:
    """Return the structures of each track in their order."""
    culture = scenario.nations[seat].culture
    return [
        Track(
            name=track_name(track, culture),
            rule=rule,
            steps=track_steps(scenario.rules, culture, track, nation["structures"]),
        )
        for track, rule in TRACK_RULE.items()
    ]


def track_name(track: str, culture: str) -> str:
    """Return the name of a track, which may depend on the culture."""
    name = book()["tracks"][track]
    return str(name if isinstance(name, str) else name[culture])


def track_steps(
    rules: Rules, culture: str, track: str, structures: Sequence[str]
) -> list[TrackStep]:
    steps, points, following = [], book()["accounts"]["victory_points"], "next"
    for row in rules.track(culture, track):
        state = "built" if row.name in structures else following
        if state == "next":
            following = "later"
        gained = f", {row.points} {points}" if row.points else ""
        about = f"{half(row.cost)}, +{row.gain}{gained}"
        steps.append(TrackStep(structure_name(row.name), about, state))
    return steps


def works(scenario: Scenario, seat: str, view: View, nation: NationView) -> list[Fact]:
    """Return where fortifications and fleets are, and the barracks and trains of a nation."""
    own = {key: place for key, place in view["provinces"].items() if place["owner"] == seat}
    names = {key: province_name(scenario, key) for key in own}
    forts = [
        f"{names[key]}, {structure_name(place['fortification'])}"
        for key, place in own.items()
        if place["fortification"]
    ]
    fleets = [
        fleet_text(names[key], place.get("fleets_from", 0), view["turn"])
        for key, place in own.items()
        if place["fleet"]
    ]
    army = [structure_name("barracks")] if nation["barracks"] else []
    trains = nation["siege_trains"]
    if trains:
        army.append(sentence(ngettext("{n} siege train", "{n} siege trains", trains), n=trains))
    return [
        Fact(_("Fortified"), "; ".join(sorted(forts))),
        Fact(_("Fleets"), "; ".join(sorted(fleets))),
        Fact(_("Barracks, siege trains"), ", ".join(army)),
    ]


def fleet_text(province: str, first_turn: int, turn: int) -> str:
    """Return the place of a fleet, with the turn from which it carries attacks if that is later."""
    if first_turn <= turn:
        return province
    text = _("{province} (can carry attacks from turn {turn} on)")
    return sentence(text, province=province, turn=first_turn)


# Cards


def card_in_hand(rules: Rules, key: str, note: str = "") -> CardInHand:
    return CardInHand(
        name=card_name(key),
        art=ART.get(key, "scroll"),
        text=card_text(rules, key),
        rule=book()["card_rules"].get(key, "4"),
        note=note,
    )


def hand(position: Position, seat: str, view: View, *, is_own: bool) -> Hand:
    """Return the hand as its reader may see it: the cards, or only their number.

    `is_own` says whether the reader plays the nation.
    """
    nation: NationView = view["nations"][seat]
    keys, rules, has_fallen = nation["hand"], position.rules, position.nations[seat].fallen
    kept_back = _("kept back") if nation.get("keep", False) else ""
    notes = {"bodyguard": kept_back}
    cards = [card_in_hand(rules, key, notes.get(key, "")) for key in keys or ()]
    heading = _("open hands") if view["hands"] == "open" else _("hidden hands")
    return Hand(
        heading=f"{len(cards)} · {heading}" if cards else heading,
        cards=cards,
        text=empty_hand_text(has_fallen=has_fallen, is_own=is_own)
        if keys is not None
        else hidden_hand_text(nation_name(position.scenario, seat), nation["cards"]),
        is_hidden=keys is None,
        rule="2.3" if keys is not None and has_fallen else "",
    )


def hidden_hand_text(name: str, count: int) -> str:
    text = ngettext(
        "{n} card, which only {nation:the} and the game master can see.",
        "{n} cards, which only {nation:the} and the game master can see.",
        count,
    )
    return sentence(text, n=count, nation=name)


def empty_hand_text(*, has_fallen: bool, is_own: bool) -> str:
    if has_fallen:
        return _("No cards. A fallen nation draws no more cards and takes no more turns.")
    if is_own:
        return _("Your hand is empty. You draw again when the next turn opens.")
    return _("No cards. The nation draws again when the next turn opens.")
