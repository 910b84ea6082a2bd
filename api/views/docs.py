"""The interface described for people: one page, made from the same description as programs read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from api import problems, schema

ONE = "/api/v1/campaigns/{ref}/"
GROUPS = (
    ("begin", gettext_lazy("To begin with"), ("/api/v1/",)),
    ("read", gettext_lazy("What is read of a campaign"), (ONE,)),
    ("said", gettext_lazy("What is said in a campaign"), (ONE,)),
    ("notices", gettext_lazy("Your notices"), ("/api/v1/notices/",)),
    ("titles", gettext_lazy("Games and their rules"), ("/api/v1/titles/",)),
)
"""The parts of the page: key, heading, where their addresses begin. The longest beginning counts."""


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    found = schema.described()
    groups: dict[str, list[dict[str, Any]]] = {key: [] for key, _name, _starts in GROUPS}
    for path, operations in found["paths"].items():
        for method, one in operations.items():
            groups[group_of(path, method)].append(told(found, path, method, one))
    kinds = [{"status": status, "id": kind, "title": _(title)} for status, (kind, title) in problems.KINDS.items()]
    parts = [{"key": key, "name": name, "calls": groups[key]} for key, name, _starts in GROUPS]
    return render(request, "api/docs.html", {"parts": parts, "kinds": kinds, "schema": reverse("api:schema")})


def group_of(path: str, method: str) -> str:
    fitting = [(len(start), key) for key, _name, starts in GROUPS for start in starts if path.startswith(start)]
    key = max(fitting)[1]
    if key in ("read", "said"):
        return "read" if method == "get" else "said"
    return key


def told(found: Mapping[str, Any], path: str, method: str, one: Mapping[str, Any]) -> dict[str, Any]:
    asked = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answers = [one["responses"][status] for status in ("201", "200") if status in one["responses"]]
    content = answers[0].get("content", {}) if answers else {}
    answered = content.get("application/json", {}).get("schema")
    return {
        "id": one["operationId"], "method": method.upper(), "steps": path.rstrip("/").split("/"),
        "summary": one.get("summary", ""), "about": pieces(one.get("description", "")),
        "query": [
            {"name": p["name"], "about": pieces(p.get("description", ""))} for p in one.get("parameters", []) if p["in"] != "path"
        ],
        "asked": fields(found, asked), "answered": fields(found, answered), "media": "" if answered else ", ".join(content),
    }  # fmt: skip


def fields(found: Mapping[str, Any], kind: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The parts of a body, one level deep."""
    kind = whole(found, kind or {})
    needed = kind.get("required", ())
    return [
        {"name": name, "about": pieces(part.get("description", "")), "type": type_of(found, part), "needed": name in needed}
        for name, part in kind.get("properties", {}).items()
    ]


def type_of(found: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    """The JSON type, with `[]` for a list of them."""
    if part.get("type") == "array":
        return f"{type_of(found, part['items'])}[]"
    return str(whole(found, part).get("type", ""))


def whole(found: Mapping[str, Any], kind: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a reference leads to."""
    for key in ("allOf", "oneOf"):
        if key in kind:
            kind = kind[key][0]
    if "$ref" in kind:
        made: Mapping[str, Any] = found["components"]["schemas"][kind["$ref"].rpartition("/")[2]]
        return made
    return kind


def pieces(text: str) -> list[tuple[str, bool]]:
    """A text in pieces; every other one stood in backquotes and is code."""
    return [(part, bool(n % 2)) for n, part in enumerate(text.split("`")) if part]
