"""A nation of the Grand Campaign: its levels and thresholds, hand, structures, works, truces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.forms import BoundField
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.language import sentence
from games.grand_campaign.drawing import atlas
from games.grand_campaign.rules.construction import TRACK_RULE
from games.grand_campaign.rules.numbers import Rules
from games.grand_campaign.rules.position import THRESHOLDS, Attack, has_slot_to_come
from games.grand_campaign.text.words import (
    book,
    card_name,
    card_text,
    fall_text,
    half,
    nation_name,
    part,
    province_name,
    structure_name,
)
from web.frame.table import TableContext
from web.moves.forms import OfferForm
from web.moves.offers import OfferCard
from web.nation.contract import (
    AccountNote,
    ChallengeText,
    Gauge,
    GaugeMark,
    MapCrop,
    TitlePart,
)
from web.templatetags.tabula import nation as nation_tag
from web.templatetags.tabula import put as with_names
from web.titles.grand_campaign import maps
from web.titles.grand_campaign.table import state_of

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
"""The title's view of a position, which is plain data."""
NationView = View
"""A nation in that view."""


@dataclass(frozen=True, slots=True)
class CardInHand:
    """A card with its picture and text; `note` says how it is held, or who offers it."""

    name: str
    art: str
    text: str
    rule: str
    note: str | SafeString = ""


@dataclass(frozen=True, slots=True)
class Hand:
    """A hand as its reader may see it: `cards` are those that the reader sees."""

    heading: str
    cards: list[CardInHand]
    text: str
    """What is shown instead of cards."""
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
        return {"built": _(", built"), "next": _(", next")}.get(self.state, "")


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


@dataclass(frozen=True, slots=True)
class Truce:
    """A truce with another nation, to the end of a turn."""

    seat: str
    name: str
    until: int


@dataclass(frozen=True, slots=True)
class NationDetails:
    """What `titles/grand_campaign/_nation.html` shows."""

    hand: Hand
    on_table: list[CardInHand]
    tracks: list[Track]
    works: list[Fact]
    truces: list[Truce]


def title_part(table: TableContext, seat: str) -> TitlePart:
    """Return what the page of a nation shows beyond that of every title."""
    sees_hand = seat in table.own_seats
    if not sees_hand and table.access.eyes is not None:
        sees_hand = table.access.opens(seat)
    view = table.title.view(table.position, seat) if sees_hand else table.view
    nation = view["nations"][seat]
    gauges = Gauges(table, seat, nation)
    keys = [account.key for account in table.title.accounts]
    return TitlePart(
        template="titles/grand_campaign/_nation.html",
        details=NationDetails(
            hand=hand(table, seat, nation, is_open=view["hands"] == "open"),
            on_table=on_table(table, seat, view),
            tracks=tracks(table, seat, nation),
            works=works(table, seat, view, nation),
            truces=truces(table, seat, view),
        ),
        facts=facts(table, seat, view),
        fallen=fall_text(table.position.nations[seat]),
        purse_rule="3.2",
        account_notes={key: gauges.note_on(key) for key in keys},
        scripts=("js/map.js",),
    )


def facts(table: TableContext, seat: str, view: View) -> list[str]:
    """Return the capital, the army, the number of provinces and the culture of a nation."""
    info = table.scenario.nations[seat]
    own = sum(1 for province in view["provinces"].values() if province["owner"] == seat)
    return [
        sentence(_("capital {province}"), province=province_name(table.scenario, info.capital)),
        info.army,
        sentence(ngettext("{n} province", "{n} provinces", own), n=own),
        book()["cultures"][info.culture],
    ]


class Gauges:
    """Notes on the levels of a nation's accounts: where they are on their scales, what is near."""

    def __init__(self, table: TableContext, seat: str, nation: NationView) -> None:
        self.table, self.seat, self.nation = table, seat, nation
        self.rules: Rules = table.scenario.rules

    def note_on(self, account: str) -> AccountNote:
        """Return the note on an account; empty for an account without one."""
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
        cost = half(self.rules.costs["independent-prestigious"])
        if level >= prestigious:
            note = sentence(_("covert attacks on you cost {cost}"), cost=cost)
            return AccountNote(note, "2.7", gauge=gauge)
        if level <= 2:
            note = _("1 above the threshold of 1") if level == 2 else _("below the threshold of 1")
            return AccountNote(note, "2.4", is_warning=True, gauge=gauge)
        text = _("from {n} on, covert attacks on you cost {cost}")
        return AccountNote(sentence(text, n=prestigious, cost=cost), "2.7", gauge=gauge)

    def income(self, level: int) -> AccountNote:
        steps = [least for least, _actions in self.rules.raw["income_actions"] if least]
        gauge = gauge_of(level, INCOME_TOP, [], steps)
        if not has_slot_to_come(self.table.position, self.seat):
            return AccountNote(_("gives no more actions in this campaign"), "3.1", gauge=gauge)
        actions = half(self.rules.actions(level))
        higher = next((least for least in steps if least > level), None)
        if higher is None:
            note = sentence(_("gives {actions} next slot"), actions=actions)
        else:
            note = sentence(
                _("gives {actions} next slot; {talents}t more gives {then}"),
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
        nations = self.table.view["nations"].values()
        place = ordinal(1 + sum(1 for other in nations if other["victory_points"] > level))
        label = _("Victory points")
        if self.table.campaign.ended:
            return AccountNote(place, "12", label=label)
        text = _("{place}; {points} if it were scored now")
        note = sentence(text, place=place, points=self.nation["forecast"])
        return AccountNote(note, "12", label=label)


def watched_levels(account: int) -> list[int]:
    """Return the thresholds of stability (0) or prestige (1)."""
    return sorted({threshold.level for threshold in THRESHOLDS if threshold.watched == account})


def gauge_of(
    level: int, top: int, thresholds: Sequence[int], steps: Sequence[int] = (), low: int = 0
) -> Gauge:
    """Return a scale from `low` to `top`, or to what is beyond them, with its marks."""
    top, low = max([top, level, *thresholds, *steps]), min(low, level)

    def at(value: int) -> str:
        return f"{(value - low) / (top - low) * 100:.1f}%"

    marks = [GaugeMark(at(value), is_threshold=True) for value in thresholds]
    marks += [GaugeMark(at(value), is_threshold=False) for value in steps]
    return Gauge(at(level), marks)


def ordinal(number: int) -> str:
    """Return a place as people read it: 1st, 2nd."""
    forms = {
        1: pgettext("place", "{number}st"),
        2: pgettext("place", "{number}nd"),
        3: pgettext("place", "{number}rd"),
    }
    last = number % 10 if number // 10 % 10 != 1 else 0
    return sentence(forms.get(last) or pgettext("place", "{number}th"), number=number)


# Challenges


def challenge_text(table: TableContext, number: int) -> ChallengeText:
    """Return the attack that waits for an answer, in words."""
    attack: Attack = table.position.attacks[number - 1]
    title = (
        _("{nation:The} {nation:attack|attacks} {province}")
        if attack.source
        else _("Insurgents of {nation:the} rise in {province}")
    )
    return ChallengeText(
        title=sentence(
            title,
            nation=nation_name(table.scenario, attack.attacker),
            province=province_name(table.scenario, attack.target),
        ),
        text=", ".join(attack_parts(table, attack)),
        url=table.url("battle", number),
    )


def attack_parts(table: TableContext, attack: Attack) -> list[str]:
    """Return kind, battle, points, train, cards and walls of an attack."""
    scenario, parts = table.scenario, []
    if attack.source:
        text, kind = _("{kind} from {province}"), book()["kinds"][attack.kind]
        parts.append(sentence(text, kind=kind, province=province_name(scenario, attack.source)))
    parts.append(book()["battles"][attack.battle])
    text = _("{points} points against {other}")
    parts.append(sentence(text, points=attack.points_attacker, other=attack.points_defender))
    if attack.siege_train:
        parts.append(part("siege-train"))
    parts += [card_name(card) for card in attack.cards_attacker]
    level = table.position.fortification.get(attack.target)
    if level:
        walls = structure_name(scenario.rules.fortifications[level - 1].name)
        text = _("{province} is protected by {fortification}")
        target = province_name(scenario, attack.target)
        parts.append(sentence(text, province=target, fortification=walls))
    return parts


# Structures and works


def tracks(table: TableContext, seat: str, nation: NationView) -> list[Track]:
    """Return the structures of each track in their order."""
    culture = table.scenario.nations[seat].culture
    return [
        Track(
            name=track_name(track, culture),
            rule=rule,
            steps=track_steps(table.scenario.rules, culture, track, nation["structures"]),
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


def works(table: TableContext, seat: str, view: View, nation: NationView) -> list[Fact]:
    """Return where fortifications and fleets are, and the barracks and trains of a nation."""
    own = {key: place for key, place in view["provinces"].items() if place["owner"] == seat}
    names = {key: province_name(table.scenario, key) for key in own}
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
        Fact(_("Barracks, trains"), ", ".join(army)),
    ]


def fleet_text(province: str, first_turn: int, turn: int) -> str:
    """Return where a fleet is, and from which turn on it carries attacks if that is later."""
    if first_turn <= turn:
        return province
    text = _("{province} (carries attacks from turn {turn} on)")
    return sentence(text, province=province, turn=first_turn)


# Cards and truces


def card_in_hand(rules: Rules, key: str, note: str = "") -> CardInHand:
    return CardInHand(
        name=card_name(key),
        art=ART.get(key, "scroll"),
        text=card_text(rules, key),
        rule=book()["card_rules"].get(key, "4"),
        note=note,
    )


def hand(table: TableContext, seat: str, nation: NationView, *, is_open: bool) -> Hand:
    """Return the hand as its reader may see it: the cards, or only how many there are."""
    keys, rules = nation["hand"], table.scenario.rules
    kept_back = _("kept back") if nation.get("keep", False) else ""
    notes = {"bodyguard": kept_back}
    cards = [card_in_hand(rules, key, notes.get(key, "")) for key in keys or ()]
    heading = _("open hands") if is_open else _("hidden hands")
    return Hand(
        heading=f"{len(cards)} · {heading}" if cards else heading,
        cards=cards,
        text=hidden_hand_text(table, seat, nation)
        if keys is None
        else empty_hand_text(table, seat),
        is_hidden=keys is None,
        rule="2.3" if keys is not None and fall_text(table.position.nations[seat]) else "",
    )


def hidden_hand_text(table: TableContext, seat: str, nation: NationView) -> str:
    text = ngettext(
        "%(n)s card, seen by %(who)s and the game master only.",
        "%(n)s cards, seen by %(who)s and the game master only.",
        nation["cards"],
    )
    return text % {"n": nation["cards"], "who": table.name_of(seat)}


def empty_hand_text(table: TableContext, seat: str) -> str:
    if fall_text(table.position.nations[seat]):
        return _("No card. A fallen nation draws no more cards and takes no more slots.")
    if seat in table.own_seats:
        return _("Your hand is empty. One is drawn when the next turn opens.")
    return _("No card. One is drawn when the next turn opens.")


def on_table(table: TableContext, seat: str, view: View) -> list[CardInHand]:
    """Return the cards that any nation has put on the table."""
    rules = table.scenario.rules
    return [
        card_in_hand(rules, card, offered_by(table, seat, owner))
        for owner, nation in view["nations"].items()
        for card in nation["table"]
    ]


def offered_by(table: TableContext, seat: str, owner: str) -> SafeString | str:
    """Return until when a nation offers its card, or which other nation offers it."""
    if owner == seat:
        return _("offered until their next slot")
    return with_names(_("from {nation}"), nation=nation_tag(owner, table.name_of(owner)))


def truces(table: TableContext, seat: str, view: View) -> list[Truce]:
    """Return the truces of this nation that are in force."""
    return [
        Truce(other, table.name_of(other), truce["until"])
        for truce in view["truces"]
        if seat in truce["nations"] and truce["until"] >= view["turn"]
        for other in truce["nations"]
        if other != seat
    ]


# The map beside an open form. The provinces that its fields may be are lit, and choosing one there
# fills the field.


@dataclass(frozen=True, slots=True)
class ProvinceFields:
    """The fields for provinces of an open form: the last is the goal, the others lead to it."""

    form: OfferForm
    fields: list[BoundField]

    @property
    def goal(self) -> BoundField:
        return self.fields[-1]

    def values(self, field: BoundField) -> list[str]:
        return [choice.value for choice in self.form.choices(field.name)]

    @property
    def by_province(self) -> dict[str, BoundField]:
        """Return the field that choosing a province fills."""
        return {value: field for field in self.fields for value in self.values(field)}

    @property
    def chosen(self) -> dict[str, str]:
        return {field.name: str(field.value()) for field in self.fields}


def crop(table: TableContext, card: OfferCard, here: str) -> MapCrop | None:
    """Return a map of the places that the open form may choose; None if it chooses none.

    The provinces of the last field are lit, those of the fields before it are marked as places to
    start from. Each is a link to the page with the form as it is and this province in its field.
    """
    fields = card.form.of_kind("province") if card.form is not None else []
    if card.form is None or not fields:
        return None
    provinces = ProvinceFields(card.form, fields)
    goals, means, chosen = provinces.values(provinces.goal), provinces.by_province, provinces.chosen
    goal = chosen[provinces.goal.name]
    first = chosen.get("from") or goal or None
    drawing = maps.drawing_for(table.campaign)
    queries = {key: form_query(card, field, key) for key, field in means.items()}
    shown = atlas.framed_map(
        drawing,
        table.scenario.raw,
        state_of(table),
        highlight=goals,
        starts=[key for key in means if key not in goals],
        selected=first if "from" in chosen else None,
        target=goal if len(fields) > 1 else first,
        window=atlas.window_on(drawing, {*goals, *([first] if first else [])}),
        links=lambda key: f"{here}?{queries[key]}#{card.ident}" if key in queries else "",
        fills={key: str(field.auto_id) for key, field in means.items()},
        title=_("The provinces that this move may concern. The fields below show the same."),
        uid="n",
        file=maps.outlines_address(drawing, table.campaign),
    )
    return MapCrop(SafeString(shown.svg), shown.style, laid_out=shown.laid_out)


def form_query(card: OfferCard, meant: BoundField, province: str) -> str:
    """Return the form as a query, with a province in one field; what depends on it is left out."""
    depends = {
        field.key
        for field in card.offer.fields
        if meant.name in field.depends and field.kind == "province"
    }
    pairs = [("open", card.offer.key)]
    for field in card.fields:
        if field.name == meant.name:
            pairs.append((field.name, province))
        elif field.name not in depends:
            pairs += field_pairs(field)
    return urlencode(pairs)


def field_pairs(field: BoundField) -> list[tuple[str, str]]:
    """Return a field as pairs of a query, as its form would post it."""
    value = field.value()
    if isinstance(value, list):
        return [(field.name, str(item)) for item in value]
    if isinstance(value, dict):
        return [(f"{field.name}.{name}", text) for name, text in value.items()]
    if isinstance(value, bool):
        return [(field.name, "true")] if value else []
    return [(field.name, str(value))] if value else []
