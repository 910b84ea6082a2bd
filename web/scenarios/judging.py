"""Checks of scenarios that users bring."""

from __future__ import annotations

from collections.abc import Sequence

from django.core.files.uploadedfile import UploadedFile
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from campaign import imports
from campaign import scenarios as shelves
from engine.errors import MalformedRecord
from engine.strict_json import read, replace_unprintable
from games.contract.plain import RawScenario
from games.contract.scenarios import OwnScenarios
from games.contract.title import Title
from games.registry import TITLES
from web.titles.contract import pages_of

LISTED_FAULTS = 12
"""The number of faults that a form lists; it only counts the others."""
LONGEST_TEXT = 400_000
"""The largest number of characters of a pasted scenario: 100 kB and a generous margin."""
TOO_LONG_HERE = gettext_noop(
    "It has more than %(most)s characters, so it takes a long time to read. Upload it "
    "under Scenarios first, then choose it here"
)
TOO_LARGE_HERE = gettext_noop(
    "Its map is large, so it takes a long time to read. Upload it under Scenarios first, "
    "then choose it here"
)


class Faults(Exception):
    """The error that a scenario has several faults."""

    def __init__(self, faults: Sequence[MalformedRecord]) -> None:
        sentences = [f"{fault}." for fault in faults[:LISTED_FAULTS]]
        more = len(faults) - LISTED_FAULTS
        if more > 0:
            sentences.append(pgettext("scenarios", "And %(more)s more.") % {"more": more})
        super().__init__(" ".join(sentences))


def editable_titles() -> list[Title]:
    """Return the titles for which users can write scenarios."""
    return [
        title
        for title in TITLES.values()
        if isinstance(title, OwnScenarios) and pages_of(title.key).scenarios is not None
    ]


def warnings_about(title: Title, scenario: RawScenario, most: int) -> list[str]:
    """Return at most `most` warnings: features that are allowed but probably not intended."""
    return [
        replace_unprintable(str(warning))
        for warning in shelves.scenario_warnings(title, scenario)[:most]
    ]


def decoded(sent: UploadedFile) -> str:
    """Return the text of an uploaded scenario file.

    Raises:
        MalformedRecord: The file is too large or is not text.
    """
    if (sent.size or 0) > LONGEST_TEXT:
        raise MalformedRecord("", _("The file is larger than 400 kB"))
    try:
        return str(sent.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise MalformedRecord("", _("The file is not text in UTF-8")) from None


def scenario_and_drawing(title: Title, text: str) -> tuple[RawScenario, str]:
    """Return the scenario object of a text, valid for a campaign, and the drawing within it.

    Raises:
        MalformedRecord: The text has a single fault, or it takes too long to read in a request.
        Faults: The text has several faults.
    """
    check_size(text)
    if type(read(text)) is not dict:
        raise MalformedRecord(
            "scenario",
            _("must be an object, from %(open)s to %(close)s") % {"open": "{", "close": "}"},
        )
    judged = imports.check_scenario_at_once(title.key, text, mapped=False)
    if not judged.faults:
        if isinstance(title, OwnScenarios) and title.takes_long(judged.scenario):
            raise MalformedRecord("", _(TOO_LARGE_HERE))
        judged = imports.check_scenario_at_once(title.key, text)
    if judged.faults:
        raise Faults(judged.faults)
    return judged.scenario, judged.drawing


def check_size(text: str) -> None:
    """Check that a text is short enough to be read in a request.

    A worker reads longer texts for a shelf.

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
