"""Which scenario a founding form means: a shipped one, the one that stands, one from a shelf, or
one's own, pasted or sent as a file.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from itertools import islice
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views.decorators.http import require_http_methods, require_safe

from campaign import drafts, imports, playtests, rulebook
from campaign import rulebook as readings
from campaign import scenarios as shelves
from campaign.errors import NoSuchEntry, Refused, TableError
from campaign.limited import LimitExceeded
from campaign.log import positions, selectors
from campaign.models import Scenario
from campaign.playtests import Balance, Result, Share
from campaign.rulebook import LONGEST as LONGEST_RULING
from campaign.rulebook import chapters, marked, numbers, rule_on, searched, translated, with_rules
from engine.errors import MalformedRecord
from engine.language import FIRST, language, reading_in
from engine.strict_json import read, whole
from games.contract.title import Amendable, Editable, Title, Varied
from games.registry import TITLES
from people import services as people_services
from web.frame import page_cache, throttle
from web.frame.campaign_page import TableContext, campaign_page, see_other, show
from web.log.lines import rows
from web.play import gm_move
from web.tasks import ask_to_play_test, ask_to_take_over
from web.titles import chosen_readings, extras

OWN, SHELF = "own", "shelf:"
OFFERED, TOLD = 60, 12
"""So many scenarios of others stand in the form; so many faults are told at once."""
LONGEST_TEXT = 400_000  # a scenario of 100 kB with room to breathe
FIELDS = {"scenario": gettext_lazy("Scenario"), "scenario_text": gettext_lazy("Your scenario")}
CHOOSE = gettext_noop("Choose one of the scenarios.")
WHICH = gettext_noop(
    "There is a scenario of yours below. Choose “One of your own”, or empty that field."
)

TOO_LONG_HERE = gettext_noop(
    "It has more than %(most)s characters: reading it takes long. Bring it under Scenarios first,"
    " then choose it here"
)
TOO_LARGE_HERE = gettext_noop(
    "Its map is large: reading it takes long. Bring it under Scenarios first, then choose it here"
)


class Chosen(NamedTuple):
    """`raw` is a scenario that its title can read, whatever was posted; `key` the choice; `text`
    what stands as one's own; `choices` keys with names, in `groups` under their headings; `drawing`
    the text of its map, if it brings one.
    """

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
    request: HttpRequest,
    title: Title,
    standing: Mapping[str, Any] | None,
    errors: dict[str, str],
    drawing: str = "",
) -> Chosen:
    """What the form says; `standing` is the campaign's scenario, where there is one, `drawing` the
    text of its map. What is wrong goes into `errors`.
    """
    shipped = dict(title.scenarios())
    first = [(key, str(raw.get("name", key))) for key, raw in shipped.items()]
    if standing is not None:
        shipped[""] = standing
        first = [
            ("", _("As it is now: %(name)s") % {"name": standing.get("name") or _("the scenario")}),
            *first,
        ]
    own = takes_own(title)
    asked = (
        request.POST.get("scenario", "")
        if request.method == "POST"
        else request.GET.get("scenario", "")
    )
    groups = _from_shelves(request, title, asked) if own else []
    choices = [
        *first,
        *(one for _name, rows in groups for one in rows),
        *([(OWN, _("One of your own, pasted"))] if own else []),
    ]
    was = (
        written(standing)
        if own and standing is not None and not _is_shipped(title, standing)
        else ""
    )
    key, text = choices[0][0], was
    raw, drawn = shipped[key], drawing if key == "" else ""
    choice = Chosen(raw, key, text, choices, own, drawn, tuple(groups))
    if request.method != "POST":
        return (
            _taken(choice, request, asked)
            if asked.startswith(SHELF) and asked in dict(choices)
            else choice
        )
    key = asked
    text = request.POST.get("scenario_text", was) if own else ""
    sent = request.FILES.get("scenario_file") if own else None
    if key == OWN and own:
        drawn = ""
        try:
            if sent is not None:
                text = _sent(sent)
            raw, drawn = _scenario_and_drawing(title, text)
        except MalformedRecord as wrong:
            # A key of the text stands in it, whatever signs it has.
            errors["scenario_text"] = scenario_shown(f"{wrong}.")
        except Faults as many:
            errors["scenario_text"] = scenario_shown(str(many))
        except LimitExceeded as refused:
            errors["scenario_text"] = str(refused)
    elif sent is not None or (text.strip() and text.split() != was.split()):
        errors["scenario"] = _(WHICH)
    elif key.startswith(SHELF) and key in dict(choices):
        return _taken(choice._replace(text=text), request, key)
    elif key not in shipped:
        errors["scenario"] = _(CHOOSE)
    if key in shipped:
        raw, drawn = shipped[key], drawing if key == "" else ""
    return choice._replace(
        raw=raw, key=key if key in dict(choices) else choices[0][0], text=text, drawing=drawn
    )


def _from_shelves(
    request: HttpRequest, title: Title, asked: str
) -> list[tuple[str, list[tuple[str, str]]]]:
    """The scenarios of shelves that this reader may choose, each group with its heading; one that
    is asked for by its address, too.
    """

    def named(rows: Iterable[Scenario]) -> list[tuple[str, str]]:
        return [(f"{SHELF}{row.public_id}", row.name) for row in rows if row.title == title.key]

    mine = named(shelves.scenarios_of_user(request.user)) if request.user.pk else []
    public = named(islice(shelves.public(request.user).filter(title=title.key), OFFERED))
    known = {key for key, _name in (*mine, *public)}
    if asked.startswith(SHELF) and asked not in known:
        row = shelves.seen(asked.removeprefix(SHELF)[:8], request.user)
        public += named([row]) if row is not None and row.removed_at is None else []
    return [
        (name, rows)
        for name, rows in ((_("Your scenarios"), mine), (_("Shared by others"), public))
        if rows
    ]


def _taken(choice: Chosen, request: HttpRequest, key: str) -> Chosen:
    row = shelves.seen(key.removeprefix(SHELF), request.user)
    if row is None:  # withdrawn this very moment
        return choice
    return choice._replace(
        raw=read(row.text), key=key, drawing=row.drawing.text if row.drawing else ""
    )


class Faults(Exception):
    """Several things are wrong."""

    def __init__(self, faults: list[MalformedRecord]) -> None:
        more = len(faults) - TOLD
        lines = [f"{one}." for one in faults[:TOLD]] + (
            [_("And %(more)s more.") % {"more": more}] if more > 0 else []
        )
        super().__init__(" ".join(lines))


def scenario_shown(text: str) -> str:
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
    return any(
        bare == {key: value for key, value in raw.items() if key != "rules"}
        for raw in title.scenarios().values()
    )


def _sent(sent: Any) -> str:
    if (sent.size or 0) > LONGEST_TEXT:
        raise MalformedRecord("", _("The file is larger than 400 kB"))
    try:
        return str(sent.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise MalformedRecord("", _("The file is not text in UTF-8")) from None


def _scenario_and_drawing(title: Title, text: str) -> tuple[dict[str, Any], str]:
    """The scenario object of a text and the drawing within it, fit for this table. Raises
    `MalformedRecord`, or `Faults`.
    """
    if not text.strip():
        raise MalformedRecord("", _("Paste the scenario, or choose a file with it"))
    if len(text) > LONGEST_TEXT:
        raise MalformedRecord("", _("The text is longer than 400,000 characters"))
    if len(text) > imports.SMALL:  # a worker reads it for a shelf, so that no request takes long
        most = number_format(imports.SMALL, force_grouping=True)
        raise MalformedRecord("", _(TOO_LONG_HERE) % {"most": most})
    raw = read(text)
    if type(raw) is not dict:
        raise MalformedRecord(
            "scenario",
            _("must be an object, from %(open)s to %(close)s") % {"open": "{", "close": "}"},
        )
    takes_long = getattr(extras(title.key, "founding"), "takes_long", None)
    judged = imports.judge_scenario(title.key, text, mapped=False)
    if not judged.faults:
        if takes_long is not None and takes_long(judged.scenario):
            raise MalformedRecord("", _(TOO_LARGE_HERE))
        judged = imports.judge_scenario(title.key, text)
    if judged.faults:
        raise Faults(judged.faults)
    return judged.scenario, judged.drawing


def judge(title: Title, text: str, drawn: str = "", *, mapped: bool = True) -> shelves.Judged:
    """A scenario and its drawing as they were sent, with every fault of the record's, the table's
    and the pages' asking; of its map only where that is asked for, which takes time.
    """
    part = extras(title.key, "founding")
    if part is None or not hasattr(part, "vet"):
        return shelves.judge(title, text, drawn, mapped=mapped)
    vet = part.vet

    def asked(scenario: dict[str, Any]) -> list[MalformedRecord]:
        try:
            vet(scenario)
        except MalformedRecord as wrong:
            return [wrong]
        return []

    return shelves.judge(title, text, drawn, asked, mapped=mapped)


# Scenarios: those that are shipped, one's own, those that others share; what one looks like before
# anybody plays it.

SHOWN = 40
"""Faults told at once."""
LISTED = 200
ACTS = ("share", "remove", "back")
SHARINGS = (
    (Scenario.Sharing.PRIVATE, gettext_lazy("Private"), gettext_lazy("nobody but you")),
    (Scenario.Sharing.LINK, gettext_lazy("By link"), gettext_lazy("everybody with its address")),
    (
        Scenario.Sharing.PUBLIC,
        gettext_lazy("Public"),
        gettext_lazy("in the list of scenarios, for everybody"),
    ),
)


def written_here() -> list[Title]:
    """The titles whose scenarios people write."""
    return [title for title in TITLES.values() if takes_own(title) and extras(title.key, "shown")]


@require_safe
def library(request: HttpRequest) -> HttpResponse:
    """One's own, the removed ones folded away; those of others; the shipped."""
    known = {title.key: title.name for title in written_here()}

    def rows(rows_found: Any) -> list[dict[str, Any]]:
        return [
            {"one": one, "title": known[one.title], "owner": one.owner}
            for one in rows_found
            if one.title in known
        ]

    user = request.user
    context = {
        "mine": rows(shelves.scenarios_of_user(user)) if user.pk else [],
        "removed": rows(shelves.scenarios_of_user(user, removed=True)[:LISTED]) if user.pk else [],
        "drafts": drafts.drafts_of(user)[:LISTED] if user.pk else [],
        "public": rows(shelves.public(user)[:LISTED]),
        "shipped": [
            {"title": title, "key": key, "name": raw.get("name", key)}
            for title in written_here()
            for key, raw in title.scenarios().items()
        ],
        "guest": people_services.is_guest(user),
    }
    return render(request, "scenarios/library.html", context)


@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Bring a scenario: a file with both, or scenario and drawing apart, or pasted text. Everything
    that is wrong is told.
    """
    if people_services.is_guest(request.user) and request.method == "POST":
        raise PermissionDenied(
            _("A guest plays alone. Make an account first: what you have goes with you.")
        )
    titles = written_here()
    title = next((one for one in titles if one.key == request.POST.get("title")), titles[0])
    faults: list[MalformedRecord] = []
    warnings: list[str] = []
    errors: dict[str, str] = {}
    text = request.POST.get("text", "")
    if request.method == "POST":
        if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
            return throttle.refused(request, wait)
        try:
            text = (
                _sent_scenario(request, "file", shelves.LONGEST + shelves.LONGEST_DRAWING) or text
            )
            drawn = _sent_scenario(request, "drawing", shelves.LONGEST_DRAWING)
            if not text.strip():
                raise MalformedRecord("file", _("Choose the file of a scenario, or paste its text"))
            if len(text) + len(drawn) > imports.SMALL:
                return _left_to_worker(request, title, text, drawn, _name_of_file(request))
            # What is wrong but for its map is told at once; the map takes time, and is the
            # worker's.
            judged = imports.judge_scenario(title.key, text, drawn, mapped=False)
            faults = judged.faults
            warnings = _warnings(title, judged.scenario)
            if not faults:
                return _left_to_worker(request, title, text, drawn, str(judged.scenario["name"]))
        except MalformedRecord as wrong:
            errors[wrong.where] = f"{wrong.why}."
        except TableError as refused:
            errors["file"] = str(refused)
    context = {
        "titles": titles,
        "chosen": title.key,
        "errors": errors,
        "faults": [scenario_shown(f"{one}") for one in faults[:SHOWN]],
        "warnings": warnings,
        "more": max(0, len(faults) - SHOWN),
        "text": text[: shelves.LONGEST],
        "sharings": SHARINGS,
        "sharing": request.POST.get("sharing", Scenario.Sharing.PRIVATE),
        "mended": bool(errors or faults),
    }
    return render(request, "scenarios/new.html", context, status=422 if errors or faults else 200)


def scenario_view(request: HttpRequest, ref: str) -> HttpResponse:
    """One of somebody's shelf: the map, what one begins with, the rules that differ; its owner
    shares and removes it here.
    """
    row = shelves.seen(ref, request.user)
    title = TITLES.get(row.title) if row else None
    if row is None or title is None:
        raise Http404
    mine = row.owner_id == request.user.pk
    if request.method == "POST":
        act = request.POST.get("act", "")
        if not mine or act not in ACTS:
            raise PermissionDenied(_("This scenario is another person's."))
        return _done(request, row, act)
    raw = read(row.text)
    context = _looked_at(title, raw, row.drawing.text if row.drawing else "") | {
        "row": row,
        "mine": mine,
        "sharings": SHARINGS,
        "address": request.build_absolute_uri(),
        "choice": f"{SHELF}{row.public_id}",
    }
    return render(request, "scenarios/one.html", context)


@require_safe
def shipped(request: HttpRequest, title: str, key: str) -> HttpResponse:
    """A shipped scenario, looked at in the same way."""
    title_known, raw = _shipped(title, key)
    return render(
        request,
        "scenarios/one.html",
        _looked_at(title_known, raw, "") | {"shipped": key, "choice": key},
    )


@require_safe
def file(request: HttpRequest, ref: str) -> HttpResponse:
    """A scenario as a file: with its drawing, if it has one. Brought here again it is the same."""
    row = shelves.seen(ref, request.user)
    if row is None:
        raise Http404
    raw = read(row.text)
    whole = {"scenario": raw, "drawing": read(row.drawing.text)} if row.drawing else raw
    return _download(f"{raw['key']}.json", whole)


@require_safe
def drawing(request: HttpRequest, title: str, key: str) -> HttpResponse:
    """The drawing of a shipped scenario: what one's own may begin with."""
    title_known, raw = _shipped(title, key)
    part = extras(title_known.key, "shown")
    text = part.drawing_of(raw) if part else ""
    if not text:
        raise Http404
    return _download(f"{key}-drawing.json", read(text))


def _done(request: HttpRequest, row: Scenario, act: str) -> HttpResponse:
    try:
        if act == "share":
            shelves.share(request.user, row.public_id, request.POST.get("sharing", ""))
            messages.success(request, _("Saved."))
        elif act == "remove":
            shelves.remove(request.user, row.public_id)
            messages.success(
                request,
                _("%(name)s is removed. Campaigns that play it keep theirs.") % {"name": row.name},
            )
            return redirect("scenarios")
        else:
            shelves.bring_back(request.user, row.public_id)
            messages.success(request, _("%(name)s is among your scenarios.") % {"name": row.name})
    except TableError as refused:
        messages.error(request, str(refused))
    return redirect("scenario_shown", row.public_id)


def _shipped(title: str, key: str) -> tuple[Title, Mapping[str, Any]]:
    title_known = next((one for one in written_here() if one.key == title), None)
    raw = title_known.scenarios().get(key) if title_known else None
    if title_known is None or raw is None:
        raise Http404
    return title_known, raw


def _looked_at(title: Title, raw: Mapping[str, Any], drawing: str) -> dict[str, Any]:
    part = extras(title.key, "shown")
    assert part is not None
    seen: dict[str, Any] = part.context(raw, drawing)
    return {
        "title": title,
        "raw": raw,
        "part": part.TEMPLATE,
        "editable": isinstance(title, Editable),
        "warnings": _warnings(title, raw),
        **seen,
    }


def _warnings(title: Title, raw: Any) -> list[str]:
    return [scenario_shown(str(one)) for one in shelves.warned(title, raw)[:SHOWN]]


def _left_to_worker(
    request: HttpRequest, title: Title, text: str, drawn: str, name: str
) -> HttpResponse:
    """Keep the scenario until a worker reads it, and redirect to its progress. Raises
    `TableError`.
    """
    sharing = request.POST.get("sharing", Scenario.Sharing.PRIVATE)
    row, new_one = imports.keep_scenario(request.user, title.key, text, drawn, sharing, name)
    if new_one:
        ask_to_take_over(row.pk)
    return see_other(reverse("import_run", args=[row.pk]))


def _name_of_file(request: HttpRequest) -> str:
    """Return the name that a scenario has until a worker has read it."""
    sent = request.FILES.get("file")
    return scenario_shown(str(sent.name)) if sent is not None else _("A long scenario")


def _sent_scenario(request: HttpRequest, name: str, most: int) -> str:
    """The text of a file of the form; empty where none was sent."""
    sent = request.FILES.get(name)
    if sent is None:
        return ""
    if (sent.size or 0) > most:
        raise MalformedRecord(
            name, _("The file is larger than %(most)s kB") % {"most": most // 1000}
        )
    try:
        return str(sent.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise MalformedRecord(name, _("The file is not text in UTF-8")) from None


def _download(name: str, value: Any) -> HttpResponse:
    answer = HttpResponse(pretty(value), content_type="application/json; charset=utf-8")
    answer.headers["Content-Disposition"] = (
        f'attachment; filename="{"".join(c for c in name if c.isalnum() or c in "-_.")}"'
    )
    return answer


def pretty(value: Any, depth: int = 3) -> str:
    """JSON for people and diffs: the upper levels a line an entry, what lies below them in one
    line.
    """
    if depth == 0 or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=False, default=float)
    if isinstance(value, list) and not isinstance(value[0], (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=float)
    inner = (
        [
            f"{json.dumps(key, ensure_ascii=False)}: {pretty(one, depth - 1)}"
            for key, one in value.items()
        ]
        if isinstance(value, dict)
        else [pretty(one, 0) for one in value]
    )
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    body = ",\n".join(inner).replace("\n", "\n ")
    return f"{opening}\n {body}\n{closing}" + ("\n" if depth == 3 else "")


# The rules of a title, a paragraph an anchor: `#r-7.1`; within a campaign with its rulings.

LONGEST = 60


def index(request: HttpRequest) -> HttpResponse:
    """A citation without title: browsers keep its anchor through the redirection."""
    first = with_rules()
    if not first:
        raise Http404
    return redirect("rules", first[0])


def rules(request: HttpRequest, title: str) -> HttpResponse:
    """A title's rules, with the way to those of every other."""
    titles = [(key, TITLES[key].name) for key in with_rules()]
    return render(request, "scenarios/rulebook.html", {**context(request, title), "titles": titles})


@require_safe
def of_scenario(request: HttpRequest, ref: str) -> HttpResponse:
    """The rules with the numbers of a scenario of somebody's shelf."""
    row = shelves.seen(ref, request.user)
    title = TITLES.get(row.title) if row else None
    if row is None or not isinstance(title, Varied):
        raise Http404
    scenario = title.scenario(read(row.text))
    whole = {**context(request, row.title, None, scenario), "of": row, "titles": []}
    return render(request, "scenarios/rulebook.html", whole)


@require_safe
@campaign_page
def of_campaign(request: HttpRequest, table: TableContext) -> HttpResponse:
    """The rules with the numbers of this campaign and its rulings at their paragraphs; with
    `?turn=` as they were then.
    """
    title, scenario, asked = table.title, table.scenario, request.GET.get("turn", "")
    changed = sorted(set(title.rules_changed(scenario))) if isinstance(title, Varied) else []
    turn = int(asked) if asked.isdecimal() and changed and int(asked) < changed[-1] else None
    if turn is not None and isinstance(title, Varied):
        scenario = title.scenario_at(scenario, turn)
    rulings = page_cache.of_change(
        table.campaign, "rulings", lambda: rulebook.by_rule(table.campaign)
    )
    known = table.campaign.pk, page_cache.rules_of(table), turn
    whole = context(request, table.campaign.title, rulings, scenario, known, table.url("rulings"))
    whole["as_of"] = turn
    if changed:
        # Each stretch of turns with the same rules: its first turn, and the last one; the present
        # has no end.
        firsts = [1, *changed]
        whole["spans"] = [
            (first, (firsts[n + 1] - 1) if n + 1 < len(firsts) else None)
            for n, first in enumerate(firsts)
            if n + 1 == len(firsts) or firsts[n + 1] > first
        ]
        whole["span"] = max(
            (first for first in firsts if turn is not None and first <= max(turn, 1)),
            default=firsts[-1],
        )
    whole["amendable"] = isinstance(table.title, Amendable)
    options = positions.options(table.campaign)
    whole["chosen_readings"] = chosen_readings(table.campaign.title, table.scenario, options)
    return show(request, table, "scenarios/campaign_rules.html", whole, here="rules")


def context(
    request: HttpRequest,
    title: str,
    rulings: dict[str, list[rulebook.Ruling]] | None = None,
    scenario: Any = None,
    known: Hashable = None,
    book: str = "",
) -> dict[str, Any]:
    """What `components/rules.html` shows: all, or with `?q=` the paragraphs that hold every word,
    marked, or with `?only=` those in which a number differs from the usual rules.

    In the reader's language, with `?text=en` in English: that text decides where they differ.
    `original` says of which of the two the page is, and is empty where there is only one; `tongue`
    the text's language where it is not the page's. `known` is by what the scenario's rules are
    known: their text is then filled in once. `book` is the address of the rulings.
    """
    ours = translated(title)
    english = ours and request.GET.get("text") == FIRST
    with reading_in(FIRST if english else language()):
        name, parts = (
            page_cache.kept.get(
                ("rules text", title, known, language()), lambda: chapters(title, scenario)
            )
            if known
            else chapters(title, scenario)
        )
    if not parts:
        raise Http404
    asked = " ".join(request.GET.get("q", "")[:LONGEST].split())
    words = asked.split()
    differ = sum(chapter.differs for chapter in parts)
    only = bool(differ and request.GET.get("only"))
    beside = {
        rule: [_of_ruling(one, book) for one in some] for rule, some in (rulings or {}).items()
    }
    shown, hits = [], 0
    for chapter in parts:
        matching = [p for p in chapter.paragraphs if not words or searched(p, words)]
        if only:
            matching = [p for p in matching if rulebook.MARK in p.html]
        hits += len(matching) if chapter.number else 0
        if matching and (chapter.number or not words):
            rows = [
                {
                    "number": p.number,
                    "html": marked(p.html, words),
                    "rulings": beside.get(p.number, ()) if p.number else (),
                }
                for p in matching
            ]
            on_chapter = beside.get(chapter.number, ()) if chapter.number else ()
            head = {"number": chapter.number, "name": chapter.heading or chapter.name}
            shown.append({**head, "paragraphs": rows, "rulings": on_chapter})
    free = beside.get("", ())
    return {
        "name": name,
        "chapters": shown,
        "contents": [c for c in parts if c.number],
        "differ": differ,
        "amended": sum(chapter.amended for chapter in parts),
        "only": only,
        "title": title,
        "q": asked,
        "hits": hits,
        "back": page_before(request),
        "free": free,
        "original": ("shown" if english else "beside") if ours else "",
        "tongue": FIRST if language() != FIRST and (english or not ours) else "",
    }


def _of_ruling(one: rulebook.Ruling, book: str) -> dict[str, Any]:
    """What stands of a ruling beside its paragraph."""
    return {"number": one.number, "text": one.text, "by": one.by, "at": one.at, "book": book}


def page_before(request: HttpRequest) -> str:
    """The page of this site that one came from, unless it is the rules."""
    came = urlsplit(request.META.get("HTTP_REFERER", ""))
    if (
        came.netloc != request.get_host()
        or not came.path.startswith("/")
        or came.path.startswith("//")
    ):
        return ""
    if came.path == request.path or came.path.startswith("/rules/"):
        return ""
    return came.path + (f"?{came.query}" if came.query else "")


# The rulings book of a campaign: read by all, written by the game master.

RULING_FIELDS = ("text", "rule", "entry", "revises")


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def rulings(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?revise=` a number opens the form with that ruling; `?rule=` and `?entry=` fill a
    new one.
    """
    book = readings.ruling_book(table.campaign)
    if request.method == "POST":
        return _write(request, table, book)
    form: dict[str, Any] | None = None
    if table.access.host:
        form = {field: request.GET.get(field, "")[:60] for field in ("rule", "entry")}
        asked = request.GET.get("revise", "")
        if asked:
            old = next((one for one in book if str(one.number) == asked), None)
            if old is None:
                raise Http404
            form = {
                "text": old.text,
                "rule": old.rule,
                "entry": old.about or "",
                "revises": old.number,
            }
    return _page(request, table, book, form)


def _page(
    request: HttpRequest,
    table: TableContext,
    book: list[readings.Ruling],
    form: Any,
    wrong: str = "",
    field: str = "",
) -> HttpResponse:
    judged = selectors.lines(table.campaign, table.access, readings.judgments(table.campaign))
    context = {
        "judgments": rows(table, judged),
        "rulings": book,
        "form": form,
        "wrong": wrong,
        "wrong_field": field,
        "longest": LONGEST_RULING,
        "own": gm_move.always(table) if form is not None else None,
        "has_rules": bool(chapters(table.campaign.title)[1]),
        "next_number": max((one.number for one in book), default=0) + 1,
    }
    return show(
        request,
        table,
        "scenarios/rulings.html",
        context,
        here="rules",
        status=400 if wrong else 200,
    )


def _write(request: HttpRequest, table: TableContext, book: list[readings.Ruling]) -> HttpResponse:
    typed = {field: request.POST.get(field, "").strip() for field in RULING_FIELDS}
    rule = typed["rule"].removeprefix("§").strip()
    known = numbers(table.campaign.title)
    if not table.access.host:
        # The door says it in its words, before anything typed is judged.
        rule_on(table.campaign, request.user, typed["text"])
    if rule and known and rule not in known:
        unknown = _("The rules have no paragraph %(rule)s. Choose one that is there.") % {
            "rule": rule
        }
        return _page(request, table, book, typed, unknown, "rule")
    entry = whole(typed["entry"])
    if typed["entry"] and entry is None:
        return _page(request, table, book, typed, _("An entry is a number of the log."), "entry")
    try:
        entry_said = rule_on(
            table.campaign,
            request.user,
            typed["text"],
            rule=rule,
            entry=entry,
            revises=whole(typed["revises"]),
        )
    except NoSuchEntry as error:
        return _page(request, table, book, typed, str(error), "entry")
    except Refused as error:
        return _page(
            request, table, book, typed, str(error), "rule" if error.code == "no-rule" else "text"
        )
    number = entry_said.content["ruling"]
    done = (
        _("Ruling %(number)s is revised.")
        if typed["revises"]
        else _("Ruling %(number)s is in the book.")
    )
    messages.success(request, done % {"number": number})
    return see_other(f"{table.url('rulings')}#ruling-{number}")


# A play-test on its page: asked for, how far it is, what came of it.

AGAIN = 3
"""After so many seconds the page looks again."""


class Bar(NamedTuple):
    """One row of the picture, in hundredths of its width: the bar, where its share lies, the number
    beside it.
    """

    name: str
    colour: str
    to: str
    low: str
    high: str
    wins: int
    percent: str
    beside: int


class Line(NamedTuple):
    """A nation in the table; `spread` is from where to where eight of ten of its campaigns lie, in
    hundredths.
    """

    name: str
    colour: str
    balance: Balance
    low: str
    mean: str
    high: str


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    """The play-test of a scenario of one's own, `?scenario=`, or of a draft, `?draft=`; posted, it
    is asked for.
    """
    if people_services.is_guest(request.user) and request.method == "POST":
        raise PermissionDenied(
            _("A guest plays alone. Make an account first: what you have goes with you.")
        )
    title, raw, back, query = _asked(
        request, request.GET.get("scenario", ""), request.GET.get("draft", "")
    )
    wrong = ""
    if request.method == "POST":
        if wait := throttle.spend(request, throttle.PACK, f"user {request.user.pk}"):
            return throttle.refused(request, wait)
        try:
            row, new = playtests.ask(title, raw)
            if new:
                ask_to_play_test(row.pk)
            if not request.headers.get("HX-Request"):
                return see_other(reverse("scenario_playtest") + f"?{query}")
        except TableError as refused:
            wrong = scenario_shown(str(refused))
    context = {
        **context_of(title, raw, query),
        "name": raw.get("name", ""),
        "back": back,
        "wrong": wrong,
    }
    part = bool(request.headers.get("HX-Request"))
    template = "scenarios/_playtest.html" if part else "scenarios/playtest.html"
    return render(request, template, context, status=422 if wrong and not part else 200)


def _asked(request: HttpRequest, scenario: str, draft: str) -> tuple[str, dict[str, Any], str, str]:
    """Title, scenario, the address that leads back, and the query of this page."""
    if draft:
        mine = drafts.draft_of(request.user, draft[:8])
        if mine is None:
            raise Http404
        raw = drafts.bundle_of(mine)["scenario"]
        return (
            mine.title,
            raw,
            reverse("scenario_editor", args=[mine.public_id]),
            f"draft={mine.public_id}",
        )
    row = shelves.seen(scenario[:8], request.user)
    if row is None or row.owner_id != request.user.pk:
        raise Http404
    return (
        row.title,
        dict(read(row.text)),
        reverse("scenario_shown", args=[row.public_id]),
        f"scenario={row.public_id}",
    )


def context_of(title: str, raw: Mapping[str, Any], query: str) -> dict[str, Any]:
    """What `scenarios/_playtest.html` shows: `query` is `scenario=…` or `draft=…`."""
    row = playtests.stands(title, raw) if playtests.testable(title) else None
    result = playtests.result(row) if row is not None and row.ended_at else None
    context: dict[str, Any] = {
        "testable": playtests.testable(title),
        "test_query": query,
        "test_games": playtests.GAMES,
        "test": row,
        "test_runs": row is not None and row.ended_at is None,
        "result": None,
        "again": AGAIN,
        "stopped": playtests.why_stopped(row) if row is not None else "",
    }
    if result is not None and row is not None:
        context |= _shown(json.loads(row.scenario), raw, result)
    return context


def _shown(played: Mapping[str, Any], raw: Mapping[str, Any], result: Result) -> dict[str, Any]:
    names = {row["key"]: str(row["name"]) for row in (*played["nations"], *raw["nations"])}
    colours = {row["key"]: str(row["colour"]) for row in (*played["nations"], *raw["nations"])}
    most = (
        max(
            [one.won.high for one in result.nations]
            + [one.high for one in result.places]
            + [result.even]
        )
        or 1.0
    )
    points = [*(one.low for one in result.nations), *(one.high for one in result.nations)]
    least, span = min(points), (max(points) - min(points)) or 1.0

    def bar(name: str, colour: str, won: Share) -> Bar:
        return Bar(
            name,
            colour,
            _hundredths(won.share / most),
            _hundredths(won.low / most),
            _hundredths(won.high / most),
            won.wins,
            f"{100 * won.low:.0f}–{100 * won.high:.0f}%",
            won.beside(result.even),
        )

    return {
        "result": result,
        "verdict": verdict(result, names),
        "even": f"{result.even * result.games:.0f}",
        "even_at": _hundredths(result.even / most),
        "bars": [bar(names[one.key], colours[one.key], one.won) for one in result.nations],
        "place_bars": [
            bar(_("Opening place %(n)s") % {"n": n}, "", one)
            for n, one in enumerate(result.places, 1)
        ],
        "lines": [
            Line(
                names[one.key],
                colours[one.key],
                one,
                *(_hundredths((value - least) / span) for value in (one.low, one.mean, one.high)),
            )
            for one in result.nations
        ],
    }


def _hundredths(part: float) -> str:
    return f"{100 * part:.1f}"


def verdict(result: Result, names: Mapping[str, str]) -> str:
    """Who surely wins more or less often than an even share, with their victories."""

    def those(side: int) -> str:
        return ", ".join(
            f"{names[one.key]} ({one.won.wins})"
            for one in result.nations
            if one.won.beside(result.even) == side
        )

    above, below = those(1), those(-1)
    facts = {
        "above": above,
        "below": below,
        "games": result.games,
        "even": f"{result.even * result.games:.0f}",
    }
    if above and below:
        return (
            _(
                "More victories than an even share, %(even)s of %(games)s: %(above)s. Fewer:"
                " %(below)s."
            )
            % facts
        )
    if above:
        return _("More victories than an even share, %(even)s of %(games)s: %(above)s.") % facts
    if below:
        return _("Fewer victories than an even share, %(even)s of %(games)s: %(below)s.") % facts
    return (
        _(
            "Even: no nation is sure to win more or less often than the others, by %(games)s"
            " campaigns."
        )
        % facts
    )
