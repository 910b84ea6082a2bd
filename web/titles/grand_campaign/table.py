"""The table of a Grand Campaign: map, standings with thresholds, provinces, cards on the table,
truces.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django.utils.html import format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as noop

from campaign.log import selectors
from engine.effects import Effect
from engine.language import sentence
from games.contract.title import Field, Offer
from games.grand_campaign.rules.view import by_name
from games.grand_campaign.text import words
from web.frame import page_cache
from web.frame.campaign_page import GAME_MASTER
from web.frame.parts import part_of_page
from web.moves.forms import to_text
from web.moves.offers import SeatOffers as Desk
from web.play.table import Cell, Place, places
from web.titles.grand_campaign import atlas, battle

if TYPE_CHECKING:
    from web.frame.campaign_page import TableContext

NEAR = {
    4: noop("One loss more costs prestige and forbids covert attacks (2.1)"),
    3: noop("No covert attacks (2.1)"),
    2: noop("No attacks at all (2.2)"),
}


LABELS = (
    noop("VP"),
    noop("Stability"),
    noop("Prestige"),
    noop("Income"),
    noop("Army"),
    noop("Provinces"),
    noop("Cards"),
)


def styles(table: TableContext) -> dict[str, str]:
    """Colours of nations the stylesheet does not know."""
    scenario = table.scenario.raw
    return atlas.nation_styles(atlas.drawing_for(table.campaign), scenario)


def state_of(table: TableContext) -> atlas.State:
    """The map's part of the position."""
    return atlas.from_record(
        table.view, [level.name for level in table.scenario.rules.fortifications]
    )


def standings(table: TableContext) -> list[Place]:
    nations = table.view["nations"]
    order = sorted(nations, key=lambda k: (-nations[k]["victory_points"], -nations[k]["income"], k))
    return [
        place._replace(note=words.fall_text(table.position.nations[place.seat]))
        for place in places(table, order, {key: _cells(nations[key]) for key in order})
    ]


def _cells(nation: Mapping[str, Any]) -> list[Cell]:
    labels = page_cache.kept.get(
        ("labels of standings", get_language()), lambda: [_(one) for one in LABELS]
    )
    low = 2 if nation["stability"] < 2 else nation["stability"]
    warn = "" if nation["fallen"] or low not in NEAR else _(NEAR[low])
    texts = (
        str(nation["victory_points"]).replace("-", "−"),
        str(nation["stability"]),
        str(nation["prestige"]),
        f"{nation['income']}t",
        str(nation["army"]),
        str(nation["provinces_owned"]),
        str(nation["cards"] + len(nation["table"])),
    )
    warns = ("", warn, "", "", "", "", "")
    return [Cell(label, text, note) for label, text, note in zip(labels, texts, warns, strict=True)]


def contest(table: TableContext, facts: Mapping[str, Any]) -> dict[str, str]:
    """Words of a running battle."""
    scenario = table.scenario
    where = str(words.province_name(scenario, facts["target"]))
    if facts["source"]:
        where = f"{words.province_name(scenario, facts['source'])} → {where}"
    state, tone = battle.state_word(scenario, facts)
    kind = words.book()["kinds"][facts["kind"]]
    if facts["leader"]:
        led = words.listed(table.holders(facts["leader"])) or table.name_of(facts["leader"])
        kind = sentence(_("{kind}, defence led by {who}"), kind=kind, who=led)
    facts_shown = {"where": where, "kind": kind, "state": state, "tone": tone}
    if not facts["defender"]:
        facts_shown |= {
            "defender": "independent",
            "defender_name": words.province_name(scenario, facts["target"]),
        }
    return facts_shown


def happened(table: TableContext, effect: Effect) -> str:
    """An effect that is no account's, in words: cards by name, the rest by its cause."""
    cause = table.sentence(effect.cause)
    if effect.kind == "card":
        return f"{'+' if effect.change > 0 else '−'} {words.card_name(effect.subject)}, {cause}"
    return cause


def context(table: TableContext, asked: Mapping[str, str]) -> dict[str, Any]:
    """What the table's page shows beyond every title's."""
    provinces = rows(table)
    chosen = next((row for row in provinces if row["key"] == asked.get("province", "")), None)
    selected = chosen["key"] if chosen else None
    state, known = _known_state(table)
    return {
        "map": page_cache.shared(
            table, ("map", selected), known, lambda: _map(table, state, selected)
        ),
        "provinces": provinces,
        "province": _sheet(table, chosen) if chosen else None,
        "on_table": [
            {
                "name": words.card_name(card),
                "text": words.card_text(table.scenario.rules, card),
                "seat": seat,
                "owner": table.name_of(seat),
            }
            for seat, nation in table.view["nations"].items()
            for card in nation["table"]
        ],
        "truces": truces(table),
        "seat_word": _("Nation"),
        "own_map": "titles/grand_campaign/_map.html",
        "map_picture": table.url("map_picture"),
        "own_table": page_cache.shared(
            table,
            "provinces as read",
            known,
            lambda: part_of_page(
                "titles/grand_campaign/_table.html",
                {"provinces": provinces, "lines": _lines(provinces)},
            ),
        ),
        "own_rail": "titles/grand_campaign/_table_rail.html",
        "chooser": (
            None
            if chosen
            else page_cache.shared(table, "chooser", known, lambda: _chooser(provinces))
        ),
        "map_aside": "frame/_waits.html",
        "own_scripts": ["js/map.js"],
    }


def truces(table: TableContext) -> list[dict[str, Any]]:
    """The truces that hold."""
    return [
        {
            "pair": [(seat, table.name_of(seat)) for seat in truce["nations"]],
            "until": truce["until"],
        }
        for truce in table.view["truces"]
    ]


def part(
    table: TableContext, name: str, asked: Mapping[str, str]
) -> tuple[str, dict[str, Any]] | None:
    """The template and context of one part of the page, asked for by itself; None where there is no
    such part.
    """
    if name != "province":
        return None
    provinces = rows(table)
    chosen = next((row for row in provinces if row["key"] == asked.get("province", "")), None)
    sheet = _sheet(table, chosen) if chosen else None
    return "titles/grand_campaign/_province.html", {
        "province": sheet,
        "options": _options(provinces),
    }


def rows(table: TableContext) -> list[dict[str, Any]]:
    """The provinces as they stand now; nobody changes one."""
    scenario, (state, known) = table.scenario.raw, _known_state(table)

    def draw_provinces() -> list[dict[str, Any]]:
        return atlas.provinces_table(atlas.drawing_for(table.campaign), scenario, state)

    provinces: list[dict[str, Any]] = page_cache.shared(table, "provinces", known, draw_provinces)
    return provinces


def _known_state(table: TableContext) -> tuple[atlas.State, Hashable]:
    """The map's part of the position as this reader may see it, and what it is known by."""

    def read_state() -> tuple[atlas.State, Hashable]:
        state = state_of(table)
        return state, page_cache.content(state)

    known: tuple[atlas.State, Hashable] = page_cache.of_position(table, "map state", read_state)
    return known


def _lines(provinces: Sequence[Mapping[str, Any]]) -> SafeString:
    """The rows of the table of provinces: of ninety a move changes one or two."""

    def line(cells: tuple[Any, ...]) -> str:
        return part_of_page(
            "titles/grand_campaign/_table_row.html",
            {"p": dict(zip(atlas.CELLS, cells, strict=True))},
        )

    return page_cache.pieces("province", (row["cells"] for row in provinces), line)


def _options(provinces: Sequence[Mapping[str, Any]]) -> SafeString:
    """The provinces to choose from."""
    shown = ((row["key"], row["name"], row["owner_name"]) for row in provinces)
    return format_html_join("", '<option value="{}">{}, {}</option>', shown)


def _chooser(provinces: list[dict[str, Any]]) -> str:
    """Where no province is chosen: all of them to choose from."""
    return part_of_page(
        "titles/grand_campaign/_province.html", {"province": None, "options": _options(provinces)}
    )


def _map(table: TableContext, state: atlas.State, selected: str | None) -> dict[str, Any]:
    scenario = table.scenario.raw
    drawing, links = atlas.drawing_for(table.campaign), "?province={}#province".format
    return atlas.map_context(
        drawing,
        scenario,
        state,
        selected=selected,
        links=links,
        fought=True,
        file=atlas.outlines_address(drawing, table.campaign),
    )


def _sheet(table: TableContext, row: Mapping[str, Any]) -> dict[str, Any]:
    """One province: what the map says of it, its neighbours, what was done there."""
    scenario = table.scenario
    near = {
        way: [(key, words.province_name(scenario, key)) for key in row[way]]
        for way in ("by_land", "by_sea")
    }
    attack = next(
        (
            a
            for a in table.view["attacks"]
            if a["status"] != "resolved" and a["target"] == row["key"]
        ),
        None,
    )
    held = table.view["provinces"][row["key"]]
    return {
        **row,
        **near,
        "capital_name": table.name_of(row["capital_of"]) if row["capital_of"] else "",
        "holds": scenario.rules.fortifications[row["level"] - 1].holds if row["level"] else 0,
        "fleet_from": held.get("fleets_from"),
        "attack": (
            attack
            and {
                **attack,
                "name": table.name_of(attack["attacker"]),
                "url": table.url("battle", attack["id"]),
                "from_name": words.province_name(scenario, attack["from"]),
            }
        ),
        "source": row["key"] in table.view["sources"],
        "attacked": row["key"] in table.view["attacked"],
        "history": history(table, row["key"]),
        "here": offers_for_province(table, row["key"]),
        "acts": (
            bool(table.own_seats or table.game_master)
            and table.campaign.started
            and not table.campaign.ended
        ),
    }


def history(table: TableContext, province: str) -> list[dict[str, Any]]:
    """What was done in a province and stands, oldest first, as far as the reader may see it."""
    stop = selectors.entries(table.campaign, table.user).filter(
        struck_by=None, number__isnull=False, effects__contains=f'"{province}"'
    )
    rows = []
    for entry in reversed(stop):
        texts = [
            table.sentence(effect.cause)
            for effect in entry.all_effects
            if table.access.sees(effect.audience)
            and _concerns_province(
                province, effect.kind, effect.subject, effect.facts, effect.cause.facts
            )
        ]
        if texts:
            rows.append(
                {
                    "number": entry.number,
                    "url": table.url("entry", entry.number),
                    "text": "; ".join(dict.fromkeys(texts)),
                }
            )
    return rows


def _concerns_province(province: str, kind: str, subject: str, *facts: Mapping[str, Any]) -> bool:
    if kind == "holding":
        return subject == province
    named = chain.from_iterable((known.get("target"), known.get("province")) for known in facts)
    return kind == "attack" and province in named


# What a reader may do in a province now: the offers whose fields may name it, each a link to its
# form filled in.


def offers_for_province(table: TableContext, province: str) -> list[dict[str, Any]]:
    """The offers, in the order of the nation's page; of a game master those of the nation whose
    slot is open.

    A player who may do something, only not here, or nothing at all now, is told so by an empty
    list.
    """
    seats = table.own_seats or (
        (table.campaign.active_seat,) if table.game_master and table.campaign.active_seat else ()
    )
    rows = []
    for seat in seats:
        if seat == GAME_MASTER:
            continue
        desk = Desk(table, seat)
        for offer in desk.offers:
            for chosen in list(_choices(offer, province))[:1]:
                query = urlencode(
                    {"open": offer.key, **{key: to_text(value) for key, value in chosen.items()}}
                )
                role = next(key for key, value in chosen.items() if value == province)
                rows.append(
                    {
                        "name": desk.talk.offer_name(offer),
                        "sub": desk.talk.offer_sub(offer),
                        "from_here": role == "from",
                        "cost": offer.cost,
                        "url": f"{table.url('nation', seat)}?{query}#o-{offer.key}",
                        "seat": seat,
                        "nation": table.name_of(seat) if table.game_master else "",
                    }
                )
    return rows


def _choices(offer: Offer, province: str) -> Iterator[Mapping[str, Any]]:
    """The ways to fill the fields for provinces of an offer, up to the one that names this
    province.
    """
    if offer.refusal is not None:
        return
    fields = [one for one in offer.fields if one.kind == "province"]

    def after(chosen: dict[str, Any], at: int) -> Iterator[Mapping[str, Any]]:
        if at == len(fields):
            return
        allowed = offer.values(fields[at].key, chosen) or ()
        if province in allowed:
            yield {**chosen, fields[at].key: province}
            return
        for value in allowed:
            yield from after({**chosen, fields[at].key: value}, at + 1)

    yield from after({}, 0)


# What the start or the next turn will do, for the game master's button (1.2, 1.3).


def opening(table: TableContext) -> list[tuple[str, str]]:
    """Sentences with their rules: what the start or the next turn throws and opens."""
    position, scenario = table.position, table.scenario
    standing = [key for key in scenario.order if not position.nations[key].fallen]
    if position.phase == "setup":
        count = len(scenario.order)
        return [
            (sentence(_("A d{n} picks who opens turn 1."), n=count), "1.2"),
            (
                sentence(_("{n} cards are drawn, d{die} each."), n=count, die=position.rules.die),
                "1.3",
            ),
            (_("From then on scenario, options and seed cannot change."), ""),
        ]
    turn = position.turn + 1
    lines = [
        (
            sentence(
                _("{n} cards are drawn, d{die} each."), n=len(standing), die=position.rules.die
            ),
            "1.3",
        )
    ]
    if turn in position.rules.event_turns:
        lines.append((sentence(_("{n} random events are rolled."), n=len(standing)), "1.3"))
    opener = words.nation_name(scenario, _opener(table, turn))
    lines.append((sentence(_("The slot of {nation:the} opens."), nation=opener), "1.2"))
    if not position.options.hidden:
        lines.append((sentence(_("Link {n} of the dice is published."), n=position.turn), ""))
    return lines


def _opener(table: TableContext, turn: int) -> str:
    """Who opens this turn: by the rotation, fallen nations passed over (1.2)."""
    keys, position = list(table.scenario.order), table.position
    place = (position.opener + turn - 2) % len(keys)
    return next(key for key in keys[place:] + keys[:place] if not position.nations[key].fallen)


# The tools of the game master for what stands on a sheet beside its accounts (13).

Values = Callable[[Mapping[str, Any]], Sequence[Any] | None]


def corrections(table: TableContext, typed: Any) -> list[Offer]:
    """The tools for what stands on a sheet beside its accounts: structures, assets, fortification,
    fleet. They show how it stands with the nation that was typed.
    """
    position, scenario = table.position, table.scenario
    offers = table.title.offers(position, GAME_MASTER)
    refusal = next((one.refusal for one in offers if one.move == "adjust"), None)
    standing = [key for key, nation in position.nations.items() if not nation.fallen]
    held = [
        key for key, owner in position.owner.items() if owner and not position.under_attack(key)
    ]
    if not standing or not held:
        return []
    chosen = typed.get("nation") if typed.get("nation") in standing else standing[0]
    nation, culture = position.nations[chosen], scenario.nations[chosen].culture
    levels = [row.name for row in scenario.rules.fortifications]
    coast = [key for key in held if scenario.provinces[key].maritime]

    def built(key: str) -> str | None:
        level = position.fortification.get(key, 0)
        return levels[level - 1] if level else None

    def offer(move: str, fields: Sequence[Field], values: Mapping[str, Values]) -> Offer:
        listed = (*fields, Field("reason", "text"))
        known: dict[str, Values] = {**values, "reason": lambda _given: None}
        return Offer(
            move,
            move,
            "correction",
            GAME_MASTER,
            GAME_MASTER,
            {},
            listed,
            None,
            refusal,
            lambda key, given: known[key](given),
        )

    def of_sheet(key: str, kind: str, now: Any) -> Field:
        return Field(key, kind, True, now, ("nation",))

    every = list(scenario.rules.structures[culture])
    return [
        offer(
            "set-structures",
            [Field("nation", "nation"), of_sheet("structures", "cards", tuple(nation.structures))],
            {"nation": lambda _given: standing, "structures": lambda _given: [every]},
        ),
        offer(
            "set-assets",
            [
                Field("nation", "nation"),
                of_sheet("barracks", "choice", nation.barracks),
                of_sheet("siege_trains", "number", nation.siege_trains),
            ],
            {
                "nation": lambda _given: standing,
                "barracks": lambda _given: [True, False],
                "siege_trains": lambda _given: None,
            },
        ),
        offer(
            "set-fortification",
            [Field("province", "province"), Field("fortification")],
            {
                "province": lambda _given: by_name(position, held),
                "fortification": lambda given: [
                    one for one in (*levels, None) if one != built(given.get("province", ""))
                ],
            },
        ),
        offer(
            "set-fleet",
            [Field("province", "province"), Field("fleet")],
            {
                "province": lambda _given: by_name(position, coast),
                "fleet": lambda given: [given.get("province") not in position.fleets],
            },
        ),
    ]
