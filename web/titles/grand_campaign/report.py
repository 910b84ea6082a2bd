"""The set-up sheet of a battle as a report for the forum."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from engine.language import sentence
from games.contract.report import Bullets, Contents, Heading, Report, Span
from games.grand_campaign.text.words import province_name
from web.titles.grand_campaign import battle

if TYPE_CHECKING:
    from web.shell.campaign_page import TableContext


def sheets(table: TableContext) -> list[Contents]:
    """The battles that are to be fought now, the latest first."""
    found = [(number, known) for number, known in table.rows.contests.items() if known["status"] == "fighting"]
    return [
        Contents(
            f"setup-{number}", "setup", _titled(_("#{number} {province}: set-up"), table, known, number), known["turn"], True
        )
        for number, known in sorted(found, reverse=True)
    ]


def sheet(table: TableContext, number: int) -> Report | None:
    """How both enter the battle; None where it is not to be fought now."""
    known = table.rows.contests.get(number)
    if known is None or known["status"] != "fighting":
        return None
    title = f"{table.campaign.name}, {_titled(_('#{number}: set-up in {province}'), table, known, number)}"
    people = {seat.key: seat.holder.username for seat in table.seats if seat.holder is not None}
    lines = battle.setup_sheet(table.scenario, known, people)
    items = tuple((Span(f"{one.label}: ", bold=True), Span(one.text + (f" (§{one.rule})" if one.rule else ""))) for one in lines)
    return Report(title, (Heading((Span(title),), 1), Bullets(items)), (), (), 0, 0)


def _titled(text: str, table: TableContext, known: Mapping[str, Any], number: int) -> str:
    return sentence(text, number=number, province=province_name(table.scenario, known["target"]))
