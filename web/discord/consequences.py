"""The consequences of a move, as lines of a message."""

from __future__ import annotations

from django.utils.translation import pgettext

from forum.dialects import escape_markdown
from web.moves.preview import Block, Cell, Follow


def consequences(follow: Follow | None) -> str:
    """Return the chances if a die decides, the changes of each seat, and the outcomes."""
    return "\n".join(lines_of(follow)) if follow is not None else ""


def lines_of(follow: Follow) -> list[str]:
    return [
        *(chance_lines(follow) if follow.odds else []),
        *(escape_markdown(line) for line in map(block_line, follow.blocks) if line),
        *(outcome_line(end) for end in follow.outcomes),
    ]


def chance_lines(follow: Follow) -> list[str]:
    """Return the chance of each branch, and its effects on sieges and owners of provinces."""
    things = [
        row
        for block in follow.blocks
        if block.seat is None
        for row in block.rows
        if not row.account and not row.both
    ]
    lines = []
    for index, end in enumerate(follow.columns):
        texts = [change_text(row.label, row.cells[index]) for row in things]
        texts = [text for text in texts if text] or [end.label]
        lines.append(escape_markdown(f"{', '.join(texts)}: {end.chance}"))
    return lines


def block_line(block: Block) -> str:
    """Return the changes of a seat that no die decides; empty if there are none."""
    changes = [
        change_text(row.label, row.cells[0])
        for row in block.rows
        if row.both and not row.cells[0].stays
    ]
    return ": ".join(filter(None, [block.name, ", ".join(changes)])) if changes else ""


def change_text(label: str, cell: Cell) -> str:
    if cell.now:
        return f"{label} {cell.was} → {cell.now}"
    return f"{label} {cell.text}".strip()


def outcome_line(outcome: Follow) -> str:
    """Return the consequences of one outcome of a battle."""
    changes = "; ".join(lines_of(outcome)) or escape_markdown(
        pgettext("discord", "nothing changes")
    )
    return f"• {escape_markdown(outcome.label)}: {changes}"
