"""What is wrong with a scenario that a user sends."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.files.uploadedfile import UploadedFile
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from campaign import imports
from campaign import scenarios as shelves
from campaign.hooks import JudgedScenario
from engine.errors import MalformedRecord
from engine.strict_json import read
from games.contract.plain import RawScenario
from games.contract.title import Title
from games.registry import TITLES
from web.scenarios.text import printable_text
from web.titles import extras

LISTED_FAULTS = 12
"""Faults that a form lists; it counts the others."""
LONGEST_TEXT = 400_000
"""Characters of a pasted scenario: 100 kB with room to breathe."""
TOO_LONG_HERE = gettext_noop(
    "It has more than %(most)s characters: reading it takes long. Bring it under Scenarios first,"
    " then choose it here"
)
TOO_LARGE_HERE = gettext_noop(
    "Its map is large: reading it takes long. Bring it under Scenarios first, then choose it here"
)


class Faults(Exception):
    """Several faults of a scenario."""

    def __init__(self, faults: Sequence[MalformedRecord]) -> None:
        sentences = [f"{fault}." for fault in faults[:LISTED_FAULTS]]
        more = len(faults) - LISTED_FAULTS
        if more > 0:
            sentences.append(_("And %(more)s more.") % {"more": more})
        super().__init__(" ".join(sentences))


def takes_own(title: Title) -> bool:
    """Return whether people may bring scenarios of this title."""
    return bool(getattr(extras(title.key, "founding"), "OWN_SCENARIOS", False))


def editable_titles() -> list[Title]:
    """Return the titles whose scenarios people write."""
    return [title for title in TITLES.values() if takes_own(title) and extras(title.key, "shown")]


def judge(title: Title, text: str, drawn: str = "", *, mapped: bool = True) -> JudgedScenario:
    """Return a scenario with its drawing and every fault that record, table or pages find.

    The faults of its map take time to find; `mapped=False` leaves them out.
    """
    vet = getattr(extras(title.key, "founding"), "vet", None)
    if vet is None:
        return shelves.judge(title, text, drawn, mapped=mapped)

    def faults_of_pages(scenario: RawScenario) -> list[MalformedRecord]:
        try:
            vet(scenario)
        except MalformedRecord as fault:
            return [fault]
        return []

    return shelves.judge(title, text, drawn, faults_of_pages, mapped=mapped)


def warnings_about(title: Title, scenario: RawScenario, most: int) -> list[str]:
    """Return what the rules allow but the author hardly means, at most so many sentences."""
    return [printable_text(str(warning)) for warning in shelves.warned(title, scenario)[:most]]


def decoded(sent: UploadedFile) -> str:
    """Return the text of a pasted scenario's file.

    Raises:
        MalformedRecord: The file is too large or is no text.
    """
    if (sent.size or 0) > LONGEST_TEXT:
        raise MalformedRecord("", _("The file is larger than 400 kB"))
    try:
        return str(sent.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise MalformedRecord("", _("The file is not text in UTF-8")) from None


def scenario_and_drawing(title: Title, text: str) -> tuple[RawScenario, str]:
    """Return the scenario object of a text, fit for a campaign, and the drawing within it.

    Raises:
        MalformedRecord: One thing is wrong, or it takes too long to read in a request.
        Faults: Several things are wrong.
    """
    check_size(text)
    if type(read(text)) is not dict:
        raise MalformedRecord(
            "scenario",
            _("must be an object, from %(open)s to %(close)s") % {"open": "{", "close": "}"},
        )
    judged = imports.judge_scenario(title.key, text, mapped=False)
    if not judged.faults:
        takes_long = getattr(extras(title.key, "founding"), "takes_long", None)
        if takes_long is not None and takes_long(judged.scenario):
            raise MalformedRecord("", _(TOO_LARGE_HERE))
        judged = imports.judge_scenario(title.key, text)
    if judged.faults:
        raise Faults(judged.faults)
    return judged.scenario, judged.drawing


def check_size(text: str) -> None:
    """Check that a request can read a text; a worker reads longer ones for a shelf.

    Raises:
        MalformedRecord: The text is empty or too long.
    """
    if not text.strip():
        raise MalformedRecord("", _("Paste the scenario, or choose a file with it"))
    if len(text) > LONGEST_TEXT:
        raise MalformedRecord("", _("The text is longer than 400,000 characters"))
    if len(text) > imports.SMALL:
        most = number_format(imports.SMALL, force_grouping=True)
        raise MalformedRecord("", _(TOO_LONG_HERE) % {"most": most})
