"""The Empire falls apart: provinces, rivals and procurators at the start (2)."""

from __future__ import annotations

from engine.dice import Dice
from engine.effects import Say
from games.march_on_rome.board import CORE, LOST, NUMBERED, PC, SENATE, TABLES, npc, row
from games.march_on_rome.position import Position

D6, D8, D12 = 6, 8, 12


def begin(position: Position, dice: Dice) -> None:
    """Set up the board and open the first year."""
    province = NUMBERED[dice.roll("setup/pc/province", D8, 0)]
    table = TABLES["setup"]["pc"]["legions"]
    legions = table["base"] + dice.roll("setup/pc/legions", D6, 0)
    _declare(position, PC, province, legions, "2.2")
    rivals = row("npc_count", dice.roll("setup/npc-count", D12, 0))
    for number in range(1, rivals["npcs"] + 1):
        who = npc(number)
        legions = rivals["base"] + sum(dice.several(f"setup/{who}/legions", rivals["sides"], rivals["dice"], 0))
        province = _free_core(position, dice, who)
        position.npc_seq = number
        _declare(position, who, province, legions, "2.4")
    for key in CORE:
        if position.owner[key] == LOST:
            position.set_owner(key, SENATE, Say("procurator", "2.5"))
            legions = row("garrison", dice.roll(f"setup/garrison/{key}", D6, 0))["legions"]
            position.change_garrison(key, legions, Say("garrison", "2.5", {"province": key}))
    position.phase = "pc"
    position.note("begun", PC, PC, "2", turn=position.turn)


def _free_core(position: Position, dice: Dice, who: str) -> str:
    """A core province that no general holds (2.4)."""
    purpose, again = f"setup/{who}/province", 0
    found = NUMBERED[dice.roll(purpose, D8, 0)]
    while position.owner[found] != LOST:
        again += 1
        found = NUMBERED[dice.roll(f"{purpose}/reroll-{again}", D8, 0)]
    return found


def _declare(position: Position, who: str, province: str, legions: int, rule: str) -> None:
    """Legions make their general emperor in a province."""
    said = Say("declares", rule, {"general": who, "province": province})
    position.legions[who] = 0
    position.change_legions(who, legions, said)
    position.set_owner(province, who, said)
