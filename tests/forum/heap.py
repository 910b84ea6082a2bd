"""Reports of Heap, the toy title: a closed turn, a decided duel, the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.contract.report import DRY, Bullets, Contents, Heading, Report, ReportEntry, Span


class HeapReports:
    kinds = ("opening", "battle", "turn", "final")

    def contents(self, scenario: Any, lines: Sequence[ReportEntry]) -> list[Contents]:
        if not lines:
            return []
        last = lines[-1].after
        result = (
            [Contents("final", "final", "End", last.turn, True)]
            if max(last.stones.values()) >= 10
            else []
        )
        result += [
            Contents(f"battle-{n}", "battle", f"Duel {n}", last.turn, duel["status"] == "resolved")
            for n, duel in enumerate(last.duels, 1)
        ]
        for turn in range(last.turn, 0, -1):
            if any(line.after.turn == turn for line in lines):
                result.append(
                    Contents(f"turn-{turn}", "turn", f"Turn {turn}", turn, turn < last.turn)
                )
                result.append(
                    Contents(f"opening-{turn}", "opening", f"Turn {turn} opens", turn, True)
                )
        return result

    def report(
        self,
        scenario: Any,
        start: Any,
        lines: Sequence[ReportEntry],
        key: str,
        name: str,
        people: Mapping[str, str],
        tone: str = DRY,
    ) -> Report | None:
        kind, _, number = key.partition("-")
        mine = [
            line
            for line in lines
            if kind not in ("turn", "opening") or line.after.turn == int(number)
        ]
        if not mine or kind not in self.kinds:
            return None
        shown = mine[:1] if kind == "opening" else mine
        at_length = " and nobody forgot it" * {"battle": 30, "turn": 20}.get(kind, 0)
        items = tuple(
            (Span(f"{line.number}: {line.move['by']} {line.move['move']}{at_length}"),)
            for line in shown
        )
        blocks = (Heading((Span(f"{name}: {key}"),)), Bullets(items))
        return Report(f"{name}: {key}", blocks, (), (), shown[0].number, shown[-1].number)
