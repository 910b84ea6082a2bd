"""A nation of the Grand Campaign: gauges with their thresholds, structures, hand, what stands
where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from engine.language import sentence
from games.grand_campaign.rules.construction import TRACK_RULE
from games.grand_campaign.rules.numbers import Rules
from games.grand_campaign.rules.position import THRESHOLDS, has_slot_to_come
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
from web.titles.grand_campaign import atlas
from web.titles.grand_campaign.table import state_of

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext
    from web.play.forms import Card, Control
    from web.play.nation import Block, Desk

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
LEVEL_TOP, INCOME_TOP = 14, 900


def context(table: TableContext, seat: str, desk: Desk, page: Mapping[str, Any]) -> dict[str, Any]:
    """What the page of a nation shows beyond every title's."""
    opened = seat in table.own_seats or (table.access.eyes is not None and table.access.opens(seat))
    view = table.title.view(table.position, seat) if opened else table.view
    nation, info = view["nations"][seat], table.scenario.nations[seat]
    own = sum(1 for province in view["provinces"].values() if province["owner"] == seat)
    gauge = Gauges(table, seat, nation)
    meta = [
        sentence(_("capital {province}"), province=province_name(table.scenario, info.capital)),
        info.army,
        sentence(ngettext("{n} province", "{n} provinces", own), n=own),
        book()["cultures"][info.culture],
    ]
    return {
        "meta": meta,
        "fallen": fall_text(table.position.nations[seat]),
        "accounts": [{**account, **gauge.gauge_of(account["key"])} for account in page["accounts"]],
        "purse_rule": "3.2",
        "challenges": [{**one, **challenge(table, one["number"])} for one in page["challenges"]],
        "tracks": tracks(table, seat, nation),
        "facts": works_by_place(table, seat, view, nation),
        "hand": hand(table, nation),
        "hand_open": view["hands"] == "open",
        "mine": seat in table.own_seats,
        "on_table": on_table(table, view),
        "truces": truces(table, seat, view),
        "more": "titles/grand_campaign/_nation.html",
        "card_map": crop(table, page["blocks"], page["here_url"]),
        "own_scripts": ["js/map.js"],
    }


class Gauges:
    """Where each account stands on its scale, and what is near."""

    def __init__(self, table: TableContext, seat: str, nation: Mapping[str, Any]) -> None:
        self.table, self.seat, self.nation = table, seat, nation
        self.rules = table.scenario.rules

    def gauge_of(self, account: str) -> dict[str, Any]:
        find = getattr(self, account, None)
        return find(self.nation[account]) if find else {}

    def _scale(
        self, value: int, top: int, marks: list[tuple[int, bool]], low: int = 0
    ) -> dict[str, Any]:
        top = max([top, value, *(mark for mark, _ in marks)])
        low = min(low, value)

        def at(level: int) -> str:
            return f"{(level - low) / (top - low) * 100:.1f}%"

        return {
            "marks": [{"at": at(level), "threshold": threshold} for level, threshold in marks],
            "at": at(value),
        }

    def _watched(self, account: int) -> list[int]:
        return sorted({t.level for t in THRESHOLDS if t.watched == account})

    def stability(self, value: int) -> dict[str, Any]:
        gauge = self._scale(
            value, LEVEL_TOP, [(1, True)] + [(level, True) for level in self._watched(0)]
        )
        if self.nation["fallen"]:
            return gauge
        if value <= 2:
            return gauge | {
                "note": _("no attacks at all; at 1 the nation crumbles"),
                "rule": "2.2",
                "warn": True,
            }
        if value == 3:
            return gauge | {
                "note": _("no covert attacks; 1 above the threshold of 2"),
                "rule": "2.1",
                "warn": True,
            }
        return gauge | {
            "note": sentence(_("{n} above the threshold of 3"), n=value - 3),
            "rule": "2.1",
            "warn": value == 4,
        }

    def prestige(self, value: int) -> dict[str, Any]:
        gauge = self._scale(
            value,
            LEVEL_TOP,
            [(level, True) for level in self._watched(1)] + [(self.rules.prestigious, False)],
        )
        if self.nation["fallen"]:
            return gauge
        if value >= self.rules.prestigious:
            cost = half(self.rules.costs["independent-prestigious"])
            return gauge | {
                "note": sentence(_("covert attacks on you cost {cost}"), cost=cost),
                "rule": "2.7",
            }
        if value <= 2:
            note = _("1 above the threshold of 1") if value == 2 else _("below the threshold of 1")
            return gauge | {"note": note, "rule": "2.4", "warn": True}
        cost = half(self.rules.costs["independent-prestigious"])
        note = sentence(
            _("from {n} on, covert attacks on you cost {cost}"), n=self.rules.prestigious, cost=cost
        )
        return gauge | {"note": note, "rule": "2.7"}

    def income(self, value: int) -> dict[str, Any]:
        rows = [least for least, _ in self.rules.raw["income_actions"] if least]
        gauge = self._scale(value, INCOME_TOP, [(least, False) for least in rows])
        if not has_slot_to_come(self.table.position, self.seat):
            return gauge | {"note": _("gives no more actions in this campaign"), "rule": "3.1"}
        note = sentence(_("gives {actions} next slot"), actions=half(self.rules.actions(value)))
        higher = next((least for least in rows if least > value), None)
        if higher is not None:
            facts = {
                "actions": half(self.rules.actions(value)),
                "talents": higher - value,
                "then": half(self.rules.actions(higher)),
            }
            note = sentence(_("gives {actions} next slot; {talents}t more gives {then}"), **facts)
        return gauge | {"note": note, "rule": "3.1", "warn": bool(rows) and value <= rows[0]}

    def army(self, value: int) -> dict[str, Any]:
        army = self.rules.army
        low, full, top = army["minimum"], army["full"], army["maximum"]
        gauge = self._scale(value, top, [(low, False), (full, False), (top, False)], low)
        return gauge | {"note": sentence(_("full at {full}"), full=full), "rule": "2.8"}

    def victory_points(self, value: int) -> dict[str, Any]:
        nations = self.table.view["nations"]
        place = 1 + sum(1 for other in nations.values() if other["victory_points"] > value)
        note = sentence(
            _("{place}; {points} if it were scored now"),
            place=ordinal(place),
            points=self.nation["forecast"],
        )
        if self.table.campaign.ended:
            return {"label": _("Victory points"), "note": ordinal(place), "rule": "12"}
        return {"label": _("Victory points"), "note": note, "rule": "12"}


def ordinal(number: int) -> str:
    """A place as read: 1st, 2nd."""
    forms = {
        1: pgettext("place", "{number}st"),
        2: pgettext("place", "{number}nd"),
        3: pgettext("place", "{number}rd"),
    }
    last = number % 10 if number // 10 % 10 != 1 else 0
    return sentence(forms.get(last) or pgettext("place", "{number}th"), number=number)


def challenge(table: TableContext, number: int) -> dict[str, Any]:
    """The attack that waits for an answer, in words."""
    attack = table.position.attacks[number - 1]
    target = province_name(table.scenario, attack.target)
    kind, source = book()["kinds"][attack.kind], province_name(table.scenario, attack.source)
    parts = (
        [sentence(_("{kind} from {province}"), kind=kind, province=source)] if attack.source else []
    )
    points = {"points": attack.points_attacker, "other": attack.points_defender}
    parts += [
        book()["battles"][attack.battle],
        sentence(_("{points} points against {other}"), **points),
    ]
    if attack.siege_train:
        parts.append(part("siege-train"))
    parts += [card_name(card) for card in attack.cards_attacker]
    level = table.position.fortification.get(attack.target)
    if level:
        walls = structure_name(table.scenario.rules.fortifications[level - 1].name)
        parts.append(
            sentence(
                _("{province} is protected by {fortification}"),
                province=target,
                fortification=walls,
            )
        )
    title = (
        _("{nation:The} {nation:attack|attacks} {province}")
        if attack.source
        else _("Insurgents of {nation:the} rise in {province}")
    )
    title = sentence(title, nation=nation_name(table.scenario, attack.attacker), province=target)
    return {"title": title, "text": ", ".join(parts), "url": table.url("battle", number)}


def tracks(table: TableContext, seat: str, nation: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The structures in their order: built, next, later."""
    rules, culture = table.scenario.rules, table.scenario.nations[seat].culture
    tracks_shown, points = [], book()["accounts"]["victory_points"]
    for track, number in TRACK_RULE.items():
        name = book()["tracks"][track]
        rows = rules.track(culture, track)
        built = [row.name in nation["structures"] for row in rows]
        following = built.index(False) if False in built else len(built)
        tracks_shown.append(
            {
                "name": name if isinstance(name, str) else name[culture],
                "rule": number,
                "steps": [
                    {
                        "name": structure_name(row.name),
                        "is": "built" if built[at] else "next" if at == following else "later",
                        "about": (
                            f"{half(row.cost)},"
                            f" +{row.gain}{f', {row.points} {points}' if row.points else ''}"
                        ),
                    }
                    for at, row in enumerate(rows)
                ],
            }
        )
    return tracks_shown


def works_by_place(
    table: TableContext, seat: str, view: Mapping[str, Any], nation: Mapping[str, Any]
) -> list[dict[str, str]]:
    """What stands where: fortifications, fleets, barracks, trains."""
    forts, fleets = [], []
    for key, province in view["provinces"].items():
        if province["owner"] != seat:
            continue
        name = province_name(table.scenario, key)
        if province["fortification"]:
            forts.append(f"{name}, {structure_name(province['fortification'])}")
        if province["fleet"]:
            first = province.get("fleets_from", 0)
            late = sentence(
                _("{province} (carries attacks from turn {turn} on)"), province=name, turn=first
            )
            fleets.append(late if first > view["turn"] else name)
    trains = nation["siege_trains"]
    army = [structure_name("barracks")] if nation["barracks"] else []
    if trains:
        army.append(sentence(ngettext("{n} siege train", "{n} siege trains", trains), n=trains))
    rows = ((_("Fortified"), forts), (_("Fleets"), fleets))
    lines = [{"name": name, "text": "; ".join(sorted(works))} for name, works in rows]
    return [*lines, {"name": _("Barracks, trains"), "text": ", ".join(army)}]


def _card(rules: Rules, key: str) -> dict[str, str]:
    return {
        "key": key,
        "name": card_name(key),
        "art": ART.get(key, "scroll"),
        "text": card_text(rules, key),
        "rule": book()["card_rules"].get(key, "4"),
    }


def hand(table: TableContext, nation: Mapping[str, Any]) -> dict[str, Any]:
    """The hand as its reader may see it: cards, or only how many."""
    cards = nation["hand"]
    return {
        "cards": None if cards is None else [_card(table.scenario.rules, key) for key in cards],
        "count": nation["cards"],
        "keep": nation.get("keep", False),
    }


def on_table(table: TableContext, view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The cards that any nation has put on the table."""
    cards = []
    for key, other in view["nations"].items():
        cards += [
            {**_card(table.scenario.rules, card), "seat": key, "owner": table.name_of(key)}
            for card in other["table"]
        ]
    return cards


def truces(table: TableContext, seat: str, view: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The truces of this nation that hold."""
    running_truces = [
        truce
        for truce in view["truces"]
        if seat in truce["nations"] and truce["until"] >= view["turn"]
    ]
    return [
        {"seat": other, "name": table.name_of(other), "until": truce["until"]}
        for truce in running_truces
        for other in truce["nations"]
        if other != seat
    ]


# The map beside an open form: the provinces its fields may be are lit, and choosing one there fills
# the field.


def crop(table: TableContext, blocks: Sequence[Block], here: str) -> atlas.FramedMap | None:
    """The map about the places that the open offer may choose; None where it chooses none.

    The last field's provinces are lit, those of the fields before it are marked as places to start
    from. Each is a link to the page with the form as it stands and this province in its field.
    """
    card = next((card for block in blocks for card in block.cards if card.open), None)
    fields = [control for control in card.controls if control.kind == "province"] if card else []
    if card is None or not fields:
        return None
    chosen = {
        control.key: next((c.value for c in control.choices or () if c.chosen), "")
        for control in fields
    }
    goals = [choice.value for choice in fields[-1].choices or ()]
    means = {choice.value: control for control in fields for choice in control.choices or ()}
    starts = [key for key in means if key not in goals]
    first = chosen.get("from") or chosen.get(fields[-1].key) or None
    raw = table.scenario.raw
    drawing = atlas.drawing_for(table.campaign)
    asked = {key: _query(card, control, key) for key, control in means.items()}
    return atlas.framed_map(
        drawing,
        raw,
        state_of(table),
        highlight=goals,
        starts=starts,
        selected=first if "from" in chosen else None,
        target=chosen[fields[-1].key] if len(fields) > 1 else first,
        window=atlas.window_on(drawing, {*goals, *([first] if first else [])}),
        links=lambda key: f"{here}?{asked[key]}#{card.ident}" if key in asked else "",
        fills={key: control.ident for key, control in means.items()},
        title=_("The provinces that this move may concern. The fields below show the same."),
        uid="n",
        file=atlas.outlines_address(drawing, table.campaign),
    )


def _query(card: Card, meant: Control, province: str) -> str:
    """The form as it stands, this province in the field meant; what depends on it is chosen
    anew.
    """
    pairs = [("open", card.offer.key)]
    depends = {
        one.key for one in card.offer.fields if meant.key in one.depends and one.kind == "province"
    }
    for control in card.controls:
        if control.key == meant.key:
            pairs.append((control.key, province))
        elif control.key in depends:
            continue
        elif control.choices is not None:
            pairs += [(control.key, choice.value) for choice in control.choices if choice.chosen]
        elif control.parts:
            pairs += [(one.name, one.value) for one in control.parts]
        elif control.value:
            pairs.append((control.key, control.value))
    return urlencode(pairs)
