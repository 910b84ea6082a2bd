"""The forms, sheets and maps that a title adds to the pages of every title, as one object.

The pages call `pages_of`. `config.hooks` registers the object of each title when the process
starts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from web.battles.contract import BattleForms
from web.editor.contract import EditorPart
from web.exports.contract import ResumeSheet
from web.history.contract import TitleHistory
from web.lobby.contract import FoundingForm
from web.nation.contract import NationOfTitle
from web.scenarios.contract import Previews
from web.seats.contract import StartOfTitle
from web.table.contract import OwnTable


@dataclass(frozen=True, slots=True)
class TitlePages:
    """The parts of pages that a title has, each None if the title does not have it."""

    battle_forms: BattleForms | None = None
    """Forms of battles: results and answers to challenges."""
    editor: EditorPart[Any] | None = None
    founding: FoundingForm | None = None
    """A part of the form that founds a campaign."""
    history: TitleHistory | None = None
    invitation: StartOfTitle | None = None
    """The part of an invitation that shows the start."""
    nation: NationOfTitle | None = None
    resume: ResumeSheet | None = None
    """The sheet on which a campaign from elsewhere is typed."""
    scenarios: Previews | None = None
    table: OwnTable | None = None


NO_PAGES = TitlePages()
registered: dict[str, TitlePages] = {}
"""The parts that each title adds, by the title's key."""


def pages_of(title_key: str) -> TitlePages:
    """Return the parts that a title adds to the pages, which may be none."""
    return registered.get(title_key, NO_PAGES)
