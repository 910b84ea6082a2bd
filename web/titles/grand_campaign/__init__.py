"""The Grand Campaign's own in the pages."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from web.battles.contract import BattleForms
    from web.titles.grand_campaign import battle_forms

    checked: BattleForms = battle_forms
    """mypy checks that the module has what the pages of battles ask for."""
