"""The faults of a draft in sentences, each with its place and the act that corrects it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from engine.errors import MalformedRecord, explain_fault
from engine.language import Name, sentence
from games.grand_campaign.drawing import editing
from games.grand_campaign.title import GrandCampaign
from web.titles.grand_campaign.record import Bundle, NationRecord, ProvinceRecord

TITLE = GrandCampaign()
FEW, MANY = 0.55, 1.7
"""The parts of the mean number of provinces below and above which a nation gets a warning."""


@dataclass(frozen=True, slots=True)
class Check:
    """A fault or a warning.

    It has a sentence, the province or nation that it concerns, and the act that corrects it with
    the text of its button.
    """

    text: str
    province: str = ""
    nation: str = ""
    button: str = ""
    act: Mapping[str, object] = field(default_factory=dict)

    @property
    def query(self) -> str:
        """The query that opens the panel of the check's province or nation."""
        if self.province:
            return f"province={self.province}"
        return f"nation={self.nation}" if self.nation else "tab=scenario"

    @property
    def fields(self) -> list[tuple[str, str]]:
        """The act as fields of a form."""
        return [
            (key, " ".join(value) if isinstance(value, list) else str(value))
            for key, value in self.act.items()
        ]


class Names:
    """The names of a draft's provinces and nations; the draft may have faults."""

    def __init__(self, bundle: Bundle) -> None:
        """Read the names of this draft."""
        self.scenario = bundle["scenario"]
        provinces, nations = self.scenario["provinces"], self.scenario["nations"]
        drawn = bundle["drawing"].get("nations", {})
        self.province_records = {province["key"]: province for province in provinces}
        self.nation_records = {nation["key"]: nation for nation in nations}
        self.provinces = {province["key"]: province["name"] for province in provinces}
        self.nations = {
            nation["key"]: Name.with_forms(nation["name"], drawn.get(nation["key"], {}))
            for nation in nations
        }

    def count_provinces(self, nation: str) -> int:
        """Return how many provinces a nation has."""
        return sum(row["owner"] == nation for row in self.scenario["provinces"])


def checks(bundle: Bundle) -> tuple[list[Check], list[Check]]:
    """Return the faults, which prevent publishing, and the warnings, which do not."""
    names = Names(bundle)
    scenario = bundle["scenario"]
    _drawing, touching, drawing_faults = editing.drawn(bundle)
    faults = [
        *(check_of(fault, names, bundle) for fault in TITLE.scenario_faults(scenario)),
        *(missing_border(a, b, names) for a, b in touching),
    ]
    if not faults:
        faults = [
            check_of(fault.at(f"drawing.{fault.where}"), names, bundle) for fault in drawing_faults
        ]
    warnings = [check_of(fault, names, bundle) for fault in TITLE.scenario_warnings(scenario)]
    return faults, [*warnings, *unequal_sizes(names)]


def missing_border(a: str, b: str, names: Names) -> Check:
    """Return the fault for two provinces that touch but have no border."""
    text = _("{a} and {b} touch but have no border.")
    return Check(
        text=sentence(text, a=names.provinces[a], b=names.provinces[b]),
        province=a,
        button=_("Add the border"),
        act={"act": "border", "a": a, "b": b, "there": "1"},
    )


def check_of(fault: MalformedRecord, names: Names, bundle: Bundle) -> Check:
    """Return a fault of the record as a sentence about its province or nation."""
    province, nation = place_of(fault.where, names)
    if fault.message == "capital" and nation:
        return wrong_capital(nation, names)
    if fault.message == "not-maritime" and province:
        return fleet_without_sea(province, names)
    place = names.provinces.get(province) or names.nations.get(nation) or field_name(fault.where)
    why = explain_fault(fault, bundle).why
    return Check(
        text=sentence("{place}: {why}", place=place, why=why), province=province, nation=nation
    )


def fleet_without_sea(province: str, names: Names) -> Check:
    """Return the fault that a province without a sea route has a fleet."""
    text = _("{province} has a fleet but no sea route.")
    return Check(
        text=sentence(text, province=names.provinces[province]),
        province=province,
        button=_("Remove the fleet"),
        act={"act": "province", "province": province, "fleet": ""},
    )


def wrong_capital(key: str, names: Names) -> Check:
    """Return the fault that a nation's capital is missing or not its own."""
    nation = names.nations[key]
    capital = names.province_records.get(names.nation_records[key]["capital"])
    if not names.count_provinces(key):
        text = _("{nation:The} {nation:have|has} no province.")
        return Check(text=sentence(text, nation=nation), nation=key)
    if capital is None:
        text = _("{nation:The} {nation:have|has} no capital.")
        return Check(text=sentence(text, nation=nation), nation=key)
    if capital["owner"]:
        text = _("{province} is the capital of {nation:the} and belongs to {owner:the}.")
        owner = names.nations.get(capital["owner"], capital["owner"])
        shown = sentence(text, province=capital["name"], nation=nation, owner=owner)
    else:
        text = _("{province} is the capital of {nation:the} and belongs to no one.")
        shown = sentence(text, province=capital["name"], nation=nation)
    return Check(
        text=shown,
        province=capital["key"],
        nation=key,
        button=sentence(_("Give it to {nation:the}"), nation=nation),
        act={"act": "owner", "provinces": [capital["key"]], "owner": key},
    )


def place_of(where: str, names: Names) -> tuple[str, str]:
    """Return the province and the nation that a fault concerns, each empty if there is none.

    The place of a fault names rows by their key or by their number.
    """
    steps, scenario = where.split("."), names.scenario
    province = _key_in(steps, "provinces", scenario["provinces"])
    if province:
        return province, ""
    return "", _key_in(steps, "nations", scenario["nations"])


def _key_in(
    steps: Sequence[str], part: str, records: Sequence[ProvinceRecord] | Sequence[NationRecord]
) -> str:
    """Return the key of the record that a place names, empty if it names none of this part."""
    if part not in steps[:-1]:
        return ""
    keys, named = [record["key"] for record in records], steps[steps.index(part) + 1]
    if named.isdecimal() and named not in keys and int(named) < len(keys):
        return keys[int(named)]
    return named if named in keys else ""


def unequal_sizes(names: Names) -> Iterable[Check]:
    """Yield the nations that start with far fewer or far more provinces than the others."""
    counts = {key: names.count_provinces(key) for key in names.nations}
    mean = sum(counts.values()) / (len(counts) or 1)
    text = _("{nation:The} {nation:begin|begins} with {n} provinces; the average is {mean}.")
    for key, count in counts.items():
        if count and not FEW * mean <= count <= MANY * mean:
            shown = sentence(text, nation=names.nations[key], n=count, mean=f"{mean:.1f}")
            yield Check(text=shown, nation=key)


def field_name(where: str) -> str:
    """Return the name of a field of the scenario, or its key if it has no name."""
    fields = {
        "scenario.name": pgettext("editor", "Name"),
        "scenario.key": pgettext("editor", "Key"),
        "scenario.turns": pgettext("editor", "Turns"),
        "scenario.nations": pgettext("editor", "Nations"),
        "scenario.borders": pgettext("editor", "Borders"),
        "scenario.sea_routes": pgettext("editor", "Sea routes"),
    }
    for key, name in fields.items():
        if where == key or where.startswith(f"{key}."):
            return name
    return where
