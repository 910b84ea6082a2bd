"""Attacks on barbarian armies in Tetrarchia, which are no contests of the table."""

from __future__ import annotations

from importlib import import_module

from campaign.models import LogEntry
from engine.strict_json import canonical

upgrade = import_module("campaign.migrations.0044_contest_entries")


def move_with(*subjects: str) -> LogEntry:
    effects = [{"kind": "attack", "subject": subject} for subject in subjects]
    return LogEntry(kind=LogEntry.Kind.MOVE, effects=canonical(effects))


def test_an_attack_on_an_army_is_no_contest() -> None:
    assert move_with("pannonia_inferior").contests == []
    assert move_with("12", "3").contests == [3, 12]


def test_the_upgrade_leaves_armies_out() -> None:
    assert upgrade.numbers_in("|pannonia_inferior|") == []
    assert upgrade.numbers_in("|12|3|") == [12, 3]
