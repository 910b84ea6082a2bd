"""The pages of battles, and what of them other pages show."""

from web.battles.claims import ClaimSheet, claim_sheet
from web.battles.contract import BattleForms, BattleWords, battle_forms, battle_words
from web.battles.evidence import EvidenceItem, evidence_item
from web.battles.summary import (
    BattleSide,
    BattleSummary,
    battle_summaries,
    battle_summary,
    is_running,
)

__all__ = [
    "BattleForms",
    "BattleSide",
    "BattleSummary",
    "BattleWords",
    "ClaimSheet",
    "EvidenceItem",
    "battle_forms",
    "battle_summaries",
    "battle_summary",
    "battle_words",
    "claim_sheet",
    "evidence_item",
    "is_running",
]
