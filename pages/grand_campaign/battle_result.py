"""What a battle came to, read from the log lines that tell of it: when it was launched, answered, resolved, and how."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from campaign.selectors import Line
from engine.effects import Effect, Say
from engine.language import Name
from engine.sentence import sentence as put
from engine.title import Branch
from pages.grand_campaign import battle as words
from pages.grand_campaign.plane import Share, Verdict, plane, verdict, written
from web.follow import Follow, follow
from web.titles.talk import talk

if TYPE_CHECKING:
    from web.views.common import TableContext


def sides_named(table: TableContext, known: words.Known) -> tuple[str, str]:
    return words.side_name(table.scenario, known, "attacker"), words.side_name(table.scenario, known, "defender")


def sides_coloured(known: words.Known) -> tuple[str, str]:
    return words.side_nation(known, "attacker"), words.side_nation(known, "defender")


def sentence(found: Verdict, names: tuple[str, str]) -> str:
    """The verdict as a sentence."""
    if found.winner == "draw":
        return _("A tie.") if found.tie else _("A draw.")
    name = names[0] if found.winner == "attacker" else names[1]
    # A nation has a name, insurgents and independents only a word.
    return put(_("The {nation} win."), nation=name) if isinstance(name, Name) else put(_("{side} win."), side=name)


def moments(known: words.Known, entries: Sequence[Line]) -> dict[str, Any]:
    """When the battle was launched, answered, resolved; `entries` are its log lines, newest first."""
    found: dict[str, Any] = {}
    for line in entries:
        if any(_ends(effect, known) for effect in line.effects):
            found.setdefault("resolved", line.entry.at)
        if line.entry.said.get("move") == "respond":
            found["answered"] = line.entry.at
    if entries:
        found["launched"] = entries[-1].entry.at
    return found


def result(table: TableContext, known: words.Known, entries: Sequence[Line]) -> dict[str, Any] | None:
    """What a resolved battle came to: how it was reported, its dice, and every effect as was → is. None while it runs."""
    if words.running(known):
        return None
    word = words.state_word(table.scenario, known)[0]
    made: dict[str, Any] = {"word": word, "plane": "", "follow": None, "how": "", "rule": "", "rolls": []}
    speak = table.title.roll_line
    thrown = [roll for one in reversed(entries) for roll in one.rolls if _of(roll.purpose, known)]
    made["rolls"] = [{"text": speak(table.scenario, roll), "value": roll.value, "sides": roll.sides} for roll in thrown]
    line = next((one for one in entries if any(_ends(effect, known) for effect in one.effects)), None)
    if line is None:
        return made
    said = line.entry.said
    own = said.get("attack") == known["id"]
    if own and "routed" in said:
        names = sides_named(table, known)
        shares = _share(said["routed"]["attacker"]), _share(said["routed"]["defender"])
        found = verdict(table.scenario, *shares, names)
        made["plane"] = plane(table.scenario, sides_coloured(known), names, shares)
        why = f"{found.why[:1].upper()}{found.why[1:]}."
        routed = {"attacker": written(shares[0]), "defender": written(shares[1])}
        made["how"] = put(_("Routed {attacker}–{defender}. {verdict} {why}"), **routed, verdict=sentence(found, names), why=why)
        made["rule"] = "9.1"
    else:
        made["how"] = f"{line.text[:1].upper()}{line.text[1:]}."
    if own:
        made["follow"] = _posted(table, known, line.effects)
    return made


def _ends(effect: Effect, known: words.Known) -> bool:
    """Is it the effect by which this battle ended?"""
    return effect.kind == "attack" and effect.subject == str(known["id"]) and "outcome" in effect.facts


def _of(purpose: str, known: words.Known) -> bool:
    return purpose.startswith(f"turn-{known['turn']}/attack/{known['attacker']}/{known['target']}/")


def _share(value: Any) -> Share:
    number = Decimal(str(value))
    return int(number) if number == number.to_integral_value() else number


def _posted(table: TableContext, known: words.Known, effects: Sequence[Effect]) -> Follow:
    """The effects that the result had, read as one branch that has happened."""
    done = Branch(Say("certain"), (1, 1), tuple(effects), table.position)
    speaker = talk(table.title, table.scenario, table.position)
    return follow(speaker, [done], sees=table.access.sees, first=known["attacker"])
