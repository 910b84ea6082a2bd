"""Which scenario a founding form means: a shipped one, the one that stands, one from a shelf, or one's own, pasted or sent as
a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from campaign import scenarios as shelves
from campaign.models import Scenario
from campaign.services import shelf
from engine.errors import MalformedRecord
from engine.strict_json import read
from engine.title import Title
from web.titles import extras

OWN, SHELF = "own", "shelf:"
OFFERED, TOLD = 60, 12
"""So many scenarios of others stand in the form; so many faults are told at once."""
LONGEST_TEXT = 400_000  # a scenario of 100 kB with room to breathe
LONG_TEXT = 150_000
"""Characters, with a drawing: what is longer is read by the worker, for a shelf, not while somebody waits for this form."""
FIELDS = {"scenario": gettext_lazy("Scenario"), "scenario_text": gettext_lazy("Your scenario")}
CHOOSE = gettext_noop("Choose one of the scenarios.")
WHICH = gettext_noop("There is a scenario of yours below. Choose “One of your own”, or empty that field.")

TOO_LARGE_HERE = gettext_noop("Its map is large: it takes long to read. Bring it under Scenarios first, then choose it here")


class Chosen(NamedTuple):
    """`raw` is a scenario that its title can read, whatever was posted; `key` the choice; `text` what stands as one's own;
    `choices` keys with names, in `groups` under their headings; `drawing` the text of its map, if it brings one."""

    raw: Mapping[str, Any]
    key: str
    text: str
    choices: list[tuple[str, str]]
    own: bool
    drawing: str = ""
    groups: tuple[tuple[str, list[tuple[str, str]]], ...] = ()


def takes_own(title: Title) -> bool:
    return bool(getattr(extras(title.key, "founding"), "OWN_SCENARIOS", False))


def chosen(
    request: HttpRequest, title: Title, standing: Mapping[str, Any] | None, errors: dict[str, str], drawing: str = ""
) -> Chosen:
    """What the form says; `standing` is the campaign's scenario, where there is one, `drawing` the text of its map. What is
    wrong goes into `errors`."""
    shipped = dict(title.scenarios())
    first = [(key, str(raw.get("name", key))) for key, raw in shipped.items()]
    if standing is not None:
        shipped[""] = standing
        first = [("", _("As it stands: %(name)s") % {"name": standing.get("name") or _("the scenario")}), *first]
    own = takes_own(title)
    asked = request.POST.get("scenario", "") if request.method == "POST" else request.GET.get("scenario", "")
    groups = _from_shelves(request, title, asked) if own else []
    choices = [*first, *(one for _name, rows in groups for one in rows), *([(OWN, _("One of your own, pasted"))] if own else [])]
    was = written(standing) if own and standing is not None and not _is_shipped(title, standing) else ""
    key, text = choices[0][0], was
    raw, drawn = shipped[key], drawing if key == "" else ""
    made = Chosen(raw, key, text, choices, own, drawn, tuple(groups))
    if request.method != "POST":
        return _taken(made, request, asked) if asked.startswith(SHELF) and asked in dict(choices) else made
    key = asked
    text = request.POST.get("scenario_text", was) if own else ""
    sent = request.FILES.get("scenario_file") if own else None
    if key == OWN and own:
        drawn = ""
        try:
            if sent is not None:
                text = _sent(sent)
            raw, drawn = _own(title, text)
        except MalformedRecord as wrong:
            # A key of the text stands in it, whatever signs it has.
            errors["scenario_text"] = shown(f"{wrong}.")
        except Faults as many:
            errors["scenario_text"] = shown(str(many))
    elif sent is not None or (text.strip() and text.split() != was.split()):
        errors["scenario"] = _(WHICH)
    elif key.startswith(SHELF) and key in dict(choices):
        return _taken(made._replace(text=text), request, key)
    elif key not in shipped:
        errors["scenario"] = _(CHOOSE)
    if key in shipped:
        raw, drawn = shipped[key], drawing if key == "" else ""
    return made._replace(raw=raw, key=key if key in dict(choices) else choices[0][0], text=text, drawing=drawn)


def _from_shelves(request: HttpRequest, title: Title, asked: str) -> list[tuple[str, list[tuple[str, str]]]]:
    """The scenarios of shelves that this reader may choose, each group with its heading; one that is asked for by its address,
    too."""

    def named(rows: Iterable[Scenario]) -> list[tuple[str, str]]:
        return [(f"{SHELF}{row.public_id}", row.name) for row in rows if row.title == title.key]

    mine = named(shelves.mine(request.user)) if request.user.pk else []
    public = named(islice(shelves.public(request.user).filter(title=title.key), OFFERED))
    known = {key for key, _name in (*mine, *public)}
    if asked.startswith(SHELF) and asked not in known:
        row = shelves.seen(asked.removeprefix(SHELF)[:8], request.user)
        public += named([row]) if row is not None and row.removed_at is None else []
    return [(name, rows) for name, rows in ((_("Your scenarios"), mine), (_("Shared by others"), public)) if rows]


def _taken(made: Chosen, request: HttpRequest, key: str) -> Chosen:
    row = shelves.seen(key.removeprefix(SHELF), request.user)
    if row is None:  # withdrawn this very moment
        return made
    return made._replace(raw=read(row.text), key=key, drawing=row.drawing.text if row.drawing else "")


class Faults(Exception):
    """Several things are wrong."""

    def __init__(self, faults: list[MalformedRecord]) -> None:
        more = len(faults) - TOLD
        told = [f"{one}." for one in faults[:TOLD]] + ([_("And %(more)s more.") % {"more": more}] if more > 0 else [])
        super().__init__(" ".join(told))


def shown(text: str) -> str:
    return "".join(sign if sign.isprintable() else "\ufffd" for sign in text)


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


def _own(title: Title, text: str) -> tuple[dict[str, Any], str]:
    """The scenario object of a text and the drawing within it, fit for this table. Raises `MalformedRecord`, or `Faults`."""
    if not text.strip():
        raise MalformedRecord("", _("Paste the scenario, or choose a file with it"))
    if len(text) > LONGEST_TEXT:
        raise MalformedRecord("", _("The text is longer than 400,000 characters"))
    raw = read(text)
    if type(raw) is not dict:
        raise MalformedRecord("scenario", _("must be an object, from %(open)s to %(close)s") % {"open": "{", "close": "}"})
    takes_long = getattr(extras(title.key, "founding"), "takes_long", None)
    judged = judge(title, text, mapped=False)
    if not judged.faults:
        if len(text) > LONG_TEXT or (takes_long is not None and takes_long(judged.scenario)):
            raise MalformedRecord("", _(TOO_LARGE_HERE))
        judged = judge(title, text)
    if judged.faults:
        raise Faults(judged.faults)
    return judged.scenario, judged.drawing


def judge(title: Title, text: str, drawn: str = "", *, mapped: bool = True) -> shelf.Judged:
    """A scenario and its drawing as they were sent, with every fault of the record's, the table's and the pages' asking; of
    its map only where that is asked for, which takes time."""
    part = extras(title.key, "founding")
    if part is None or not hasattr(part, "vet"):
        return shelf.judge(title, text, drawn, mapped=mapped)
    vet = part.vet

    def asked(scenario: dict[str, Any]) -> list[MalformedRecord]:
        try:
            vet(scenario)
        except MalformedRecord as wrong:
            return [wrong]
        return []

    return shelf.judge(title, text, drawn, asked, mapped=mapped)
