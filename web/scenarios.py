"""Which scenario a founding form means: a shipped one, the one that stands, or one's own, pasted or sent as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from campaign.services.vetting import vet
from engine.errors import MalformedRecord
from engine.strict_json import read
from engine.title import Title
from web.titles import extras

OWN = "own"
LONGEST_TEXT = 400_000  # a scenario of 100 kB with room to breathe
FIELDS = {"scenario": gettext_lazy("Scenario"), "scenario_text": gettext_lazy("Your scenario")}
CHOOSE = gettext_noop("Choose one of the scenarios.")
WHICH = gettext_noop("There is a scenario of yours below. Choose “One of your own”, or empty that field.")


class Chosen(NamedTuple):
    """`raw` is a scenario that its title can read, whatever was posted; `key` the choice; `text` what stands as one's own;
    `choices` keys with names."""

    raw: Mapping[str, Any]
    key: str
    text: str
    choices: list[tuple[str, str]]
    own: bool


def takes_own(title: Title) -> bool:
    return bool(getattr(extras(title.key, "founding"), "OWN_SCENARIOS", False))


def chosen(request: HttpRequest, title: Title, standing: Mapping[str, Any] | None, errors: dict[str, str]) -> Chosen:
    """What the form says; `standing` is the campaign's scenario, where there is one. What is wrong goes into `errors`."""
    shipped = dict(title.scenarios())
    choices = [(key, str(raw.get("name", key))) for key, raw in shipped.items()]
    if standing is not None:
        shipped[""] = standing
        choices = [("", _("As it stands: %(name)s") % {"name": standing.get("name") or _("the scenario")}), *choices]
    own = takes_own(title)
    if own:
        choices.append((OWN, _("One of your own")))
    was = written(standing) if own and standing is not None and not _is_shipped(title, standing) else ""
    key, text = choices[0][0], was
    raw = shipped[key]
    if request.method != "POST":
        return Chosen(raw, key, text, choices, own)
    key = request.POST.get("scenario", "")
    text = request.POST.get("scenario_text", was) if own else ""
    sent = request.FILES.get("scenario_file") if own else None
    if key == OWN and own:
        try:
            if sent is not None:
                text = _sent(sent)
            raw = _own(title, text)
        except MalformedRecord as wrong:
            # A key of the text stands in it, whatever signs it has.
            errors["scenario_text"] = "".join(sign if sign.isprintable() else "\ufffd" for sign in f"{wrong}.")
    elif sent is not None or (text.strip() and text.split() != was.split()):
        errors["scenario"] = _(WHICH)
    elif key not in shipped:
        errors["scenario"] = _(CHOOSE)
    raw = shipped.get(key, raw)
    return Chosen(raw, key if key in dict(choices) else choices[0][0], text, choices, own)


def written(scenario: Mapping[str, Any]) -> str:
    """A scenario as people may change it; its rules stand in the form's other fields."""
    bare = {key: value for key, value in scenario.items() if key != "rules"}
    lines = []
    for key, value in bare.items():
        if isinstance(value, list):
            rows = ",\n".join("  " + json.dumps(row, ensure_ascii=False) for row in value)
            lines.append(f" {json.dumps(key)}: [\n{rows}]" if value else f" {json.dumps(key)}: []")
        else:
            lines.append(f" {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}")
    return "{\n" + ",\n".join(lines) + "}\n"


def _is_shipped(title: Title, scenario: Mapping[str, Any]) -> bool:
    bare = {key: value for key, value in scenario.items() if key != "rules"}
    return any(bare == {key: value for key, value in raw.items() if key != "rules"} for raw in title.scenarios().values())


def _sent(sent: Any) -> str:
    if (sent.size or 0) > LONGEST_TEXT:
        raise MalformedRecord("", _("The file is larger than 400 kB"))
    try:
        return str(sent.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise MalformedRecord("", _("The file is no text in UTF-8")) from None


def _own(title: Title, text: str) -> dict[str, Any]:
    """The scenario object of a text, fit for this table. Raises `MalformedRecord` with its key that is wrong."""
    if not text.strip():
        raise MalformedRecord("", _("Paste the scenario, or choose a file with it"))
    if len(text) > LONGEST_TEXT:
        raise MalformedRecord("", _("The text is longer than 400,000 characters"))
    raw = read(text)
    if type(raw) is not dict:
        raise MalformedRecord("scenario", _("must be an object, from %(open)s to %(close)s") % {"open": "{", "close": "}"})
    title.scenario(raw)
    vet(raw)
    part = extras(title.key, "founding")
    if part is not None and hasattr(part, "vet"):
        part.vet(raw)
    return raw
