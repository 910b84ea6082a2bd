"""Claims of the Grand Campaign's battles: what a claimed result means, the forum's line read into the form, the naval
battle by agreement (8.2), who leads independents how often (7.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from django.utils.translation import gettext as _

from games.grand_campaign.agreed import NAVAL, agreement_of, claimable  # noqa: F401  asked of this part by the battle page
from games.grand_campaign.battles import MODULES
from games.grand_campaign.drawing import spellings as known_spellings
from games.grand_campaign.words import nation_name, province_name
from pages.grand_campaign import battle as words
from pages.grand_campaign import drawn, result_line
from pages.grand_campaign.battle_result import sentence, sides_coloured, sides_named
from pages.grand_campaign.plane import Verdict, plane, share, verdict, written

if TYPE_CHECKING:
    from battles.models import Claim
    from campaign.models import LogEntry
    from web.views.common import TableContext


class Stages(NamedTuple):
    """What the table said of a battle: its acts, its claims from the latest on, whether the reader may say a result,
    whether both agreed to fight at sea, who stands in for which seat."""

    said: Sequence[LogEntry] = ()
    claims: Sequence[Claim] = ()
    enters: bool = False
    agreed: bool = False
    instead: Mapping[str, Any] = MappingProxyType({})

    def claim(self, known: words.Known) -> Claim | None:
        """The claim that counts: a live one while the battle runs, the one that was applied afterwards."""
        wanted = ("open", "disputed") if words.running(known) else ("confirmed", "judged")
        return next((claim for claim in self.claims if claim.state in wanted), None)


def agreements(known: words.Known) -> dict[str, tuple[str, str]]:
    """What the two players may agree to in this battle: key -> text and rule."""
    naval = _("A naval battle in Mare Nostrum instead of encounter and battle")
    return {NAVAL: (naval, "8.2")} if words.naval_possible(known) else {}


def claimed(table: TableContext, known: words.Known, raw: Mapping[str, Any]) -> dict[str, Any]:
    """A claimed result in words, with its plane where it is two shares."""
    names = sides_named(table, known)
    if "routed" in raw:
        own, enemy = (share(str(raw["routed"][side])) for side in ("attacker", "defender"))
        assert own is not None
        assert enemy is not None
        found = verdict(table.scenario, own, enemy, names)
        return {
            "shares": [(names[0], written(own)), (names[1], written(enemy))],
            "sentence": sentence(found, names), "because": found.why, "rule": "9.1",
            "plane": plane(table.scenario, sides_coloured(known), names, (own, enemy)),
        }  # fmt: skip
    if raw.get("called_off"):
        return {"sentence": _("Called off: a draw."), "because": _("no close combat in the first 6 turns"), "rule": "9.1"}
    who = str(raw.get(NAVAL) or raw.get("winner") or "draw")
    text = sentence(Verdict(who, False, ""), names)
    because, rule = (_("in the naval battle"), "8.2") if NAVAL in raw else (_("as the game gave it"), "9.1")
    return {"sentence": text, "because": because, "rule": rule}


# The result line -----------------------------------------------------------------------------------------------------


def pasted(table: TableContext, known: words.Known, typed: Any) -> tuple[Any, result_line.Reading | None]:
    """What was typed, with the shares of the pasted line where it was to be read; and what was read in it."""
    if not typed.get("read") or not typed.get("line", "").strip():
        return typed, None
    found = result_line.read(typed["line"], sides(table, known))
    filled = {key: typed[key] for key in typed}
    if found.shares is not None:
        own, enemy = found.shares
        if known["battle"] in MODULES:
            side = "draw" if found.draw or own == enemy else "attacker" if own < enemy else "defender"
            filled |= {"by": "winner", "side": side}
        else:
            filled |= {"by": "shares", "attacker": written(own), "defender": written(enemy)}
    return filled, found


def sides(table: TableContext, known: words.Known) -> dict[str, result_line.Side]:
    """By what names the two sides of this battle may be called."""
    own = {army: written for army, written in drawn.of(table.campaign).aliases.items() if written != (army,)}
    spellings = {**known_spellings(), **own}
    held = {seat.key: seat.holder for seat in table.seats if seat.holder is not None}
    made = {}
    for side in words.sides(table.scenario, known, {}):
        user = held.get(side.leader or "")
        people = (user.username, getattr(user, "fog2_name", ""), getattr(user, "forum_name", "")) if user else ()
        armies = next((all_ for army, all_ in spellings.items() if side.army in (army, *all_)), (side.army,))
        # On a forum a nation may be called as the scenario has it, whatever the reader's language.
        nations = (side.name, table.scenario.nations[side.nation].name) if side.nation != words.INDEPENDENT else ()
        made[side.key] = result_line.Side(tuple(filter(None, people)), nations, tuple(armies), side.points)
    return made


# Neutral commands ----------------------------------------------------------------------------------------------------


def commands(table: TableContext) -> list[dict[str, Any]]:
    """Who leads the troops of independents: how often now, which battles, how often in all; the next in the rotation
    rotation after the one who led last is asked first (7.9)."""
    made = []
    contests = table.rows.contests
    for key in table.scenario.order:
        led = [(number, known) for number, known in contests.items() if known.get("leader") == key]
        now = [(number, known) for number, known in led if words.running(known)]
        made.append({
            "key": key, "name": nation_name(table.scenario, key), "now": len(now), "all": len(led),
            "battles": [{"number": number, "url": table.url("battle", number),
                         "where": province_name(table.scenario, known["target"])} for number, known in now],
            "last": table.position.led_last == key,
        })  # fmt: skip
    return made if any(one["all"] for one in made) else []
