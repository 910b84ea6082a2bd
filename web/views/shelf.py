"""Scenarios: those that are shipped, one's own, those that others share; what one looks like before anybody plays it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from campaign import scenarios as shelves
from campaign.errors import TableError
from campaign.models import Scenario
from campaign.services import imports, shelf
from engine.errors import MalformedRecord
from engine.strict_json import read
from engine.title import Title
from games.registry import TITLES
from web import scenarios, throttle
from web.tasks import ask_to_take_over
from web.titles import extras
from web.views.common import see_other

SHOWN = 40
"""Faults told at once."""
LISTED = 200
ACTS = ("share", "remove", "back")
SHARINGS = (
    (Scenario.Sharing.PRIVATE, gettext_lazy("Private"), gettext_lazy("nobody but you")),
    (Scenario.Sharing.LINK, gettext_lazy("By link"), gettext_lazy("whoever has its address")),
    (Scenario.Sharing.PUBLIC, gettext_lazy("Public"), gettext_lazy("in the list of scenarios, for everybody")),
)


def written_here() -> list[Title]:
    """The titles whose scenarios people write."""
    return [title for title in TITLES.values() if scenarios.takes_own(title) and extras(title.key, "shown")]


@require_safe
def library(request: HttpRequest) -> HttpResponse:
    """One's own, the removed ones folded away; those of others; the shipped."""
    known = {title.key: title.name for title in written_here()}

    def rows(found: Any) -> list[dict[str, Any]]:
        return [{"one": one, "title": known[one.title], "owner": one.owner} for one in found if one.title in known]

    user = request.user
    context = {
        "mine": rows(shelves.mine(user)) if user.pk else [],
        "removed": rows(shelves.mine(user, removed=True)[:LISTED]) if user.pk else [],
        "public": rows(shelves.public(user)[:LISTED]),
        "shipped": [
            {"title": title, "key": key, "name": raw.get("name", key)}
            for title in written_here()
            for key, raw in title.scenarios().items()
        ],
        "guest": getattr(user, "guest", False),
    }
    return render(request, "scenarios/library.html", context)


@login_required
def new(request: HttpRequest) -> HttpResponse:
    """Bring a scenario: a file with both, or scenario and drawing apart, or pasted text. Everything that is wrong is told."""
    if getattr(request.user, "guest", False) and request.method == "POST":
        raise PermissionDenied(_("A guest plays alone. Make an account first: what you have goes with you."))
    titles = written_here()
    title = next((one for one in titles if one.key == request.POST.get("title")), titles[0])
    faults: list[MalformedRecord] = []
    errors: dict[str, str] = {}
    text = request.POST.get("text", "")
    if request.method == "POST":
        if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
            return throttle.refused(request, wait)
        try:
            text = _sent(request, "file", shelf.LONGEST + shelf.LONGEST_DRAWING) or text
            drawn = _sent(request, "drawing", shelf.LONGEST_DRAWING)
            if not text.strip():
                raise MalformedRecord("file", _("Choose the file of a scenario, or paste its text"))
            # What is wrong but for its map is told at once; the map takes time, and is the worker's.
            judged = scenarios.judge(title, text, drawn, mapped=False)
            faults = judged.faults
            if not faults:
                sharing = request.POST.get("sharing", Scenario.Sharing.PRIVATE)
                row, new_one = imports.keep_scenario(
                    request.user, title.key, text, drawn, sharing, str(judged.scenario["name"])
                )  # fmt: skip
                if new_one:
                    ask_to_take_over(row.pk)
                return see_other(reverse("import_run", args=[row.pk]))
        except MalformedRecord as wrong:
            errors[wrong.where] = f"{wrong.why}."
        except TableError as refused:
            errors["file"] = str(refused)
    context = {
        "titles": titles, "chosen": title.key, "errors": errors, "faults": [scenarios.shown(f"{one}") for one in faults[:SHOWN]],
        "more": max(0, len(faults) - SHOWN), "text": text[: shelf.LONGEST], "sharings": SHARINGS,
        "sharing": request.POST.get("sharing", Scenario.Sharing.PRIVATE), "mended": bool(errors or faults),
    }  # fmt: skip
    return render(request, "scenarios/new.html", context, status=422 if errors or faults else 200)


def shown(request: HttpRequest, ref: str) -> HttpResponse:
    """One of somebody's shelf: the map, what one begins with, the rules that differ; its owner shares and removes it here."""
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
        "row": row, "mine": mine, "sharings": SHARINGS, "address": request.build_absolute_uri(),
        "choice": f"{scenarios.SHELF}{row.public_id}",
    }  # fmt: skip
    return render(request, "scenarios/one.html", context)


@require_safe
def shipped(request: HttpRequest, title: str, key: str) -> HttpResponse:
    """A shipped scenario, looked at in the same way."""
    found, raw = _shipped(title, key)
    return render(request, "scenarios/one.html", _looked_at(found, raw, "") | {"shipped": key, "choice": key})


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
    found, raw = _shipped(title, key)
    part = extras(found.key, "shown")
    text = part.drawing_of(raw) if part else ""
    if not text:
        raise Http404
    return _download(f"{key}-drawing.json", read(text))


def _done(request: HttpRequest, row: Scenario, act: str) -> HttpResponse:
    try:
        if act == "share":
            shelf.share(request.user, row.public_id, request.POST.get("sharing", ""))
            messages.success(request, _("Saved."))
        elif act == "remove":
            shelf.remove(request.user, row.public_id)
            messages.success(request, _("%(name)s is removed. Campaigns that play it keep theirs.") % {"name": row.name})
            return redirect("scenarios")
        else:
            shelf.bring_back(request.user, row.public_id)
            messages.success(request, _("%(name)s is among your scenarios.") % {"name": row.name})
    except TableError as refused:
        messages.error(request, str(refused))
    return redirect("scenario_shown", row.public_id)


def _shipped(title: str, key: str) -> tuple[Title, Mapping[str, Any]]:
    found = next((one for one in written_here() if one.key == title), None)
    raw = found.scenarios().get(key) if found else None
    if found is None or raw is None:
        raise Http404
    return found, raw


def _looked_at(title: Title, raw: Mapping[str, Any], drawing: str) -> dict[str, Any]:
    part = extras(title.key, "shown")
    assert part is not None
    seen: dict[str, Any] = part.context(raw, drawing)
    return {"title": title, "raw": raw, "part": part.TEMPLATE, **seen}


def _sent(request: HttpRequest, name: str, most: int) -> str:
    """The text of a file of the form; empty where none was sent."""
    sent = request.FILES.get(name)
    if sent is None:
        return ""
    if (sent.size or 0) > most:
        raise MalformedRecord(name, _("The file is larger than %(most)s kB") % {"most": most // 1000})
    try:
        return str(sent.read().decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise MalformedRecord(name, _("The file is no text in UTF-8")) from None


def _download(name: str, value: Any) -> HttpResponse:
    answer = HttpResponse(pretty(value), content_type="application/json; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{"".join(c for c in name if c.isalnum() or c in "-_.")}"'
    return answer


def pretty(value: Any, depth: int = 3) -> str:
    """JSON for people and diffs: the upper levels a line an entry, what lies below them in one line."""
    if depth == 0 or not isinstance(value, (dict, list)) or not value:
        return json.dumps(value, ensure_ascii=False, default=float)
    if isinstance(value, list) and not isinstance(value[0], (dict, list)):
        return json.dumps(value, ensure_ascii=False, default=float)
    inner = (
        [f"{json.dumps(key, ensure_ascii=False)}: {pretty(one, depth - 1)}" for key, one in value.items()]
        if isinstance(value, dict)
        else [pretty(one, 0) for one in value]
    )
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    body = ",\n".join(inner).replace("\n", "\n ")
    return f"{opening}\n {body}\n{closing}" + ("\n" if depth == 3 else "")
