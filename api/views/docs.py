"""The interface described for people: one page, made from the same description as programs read."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from api import problems, schema


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    found = schema.described()
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, operations in found["paths"].items():
        for method, one in operations.items():
            groups.setdefault(path.removeprefix("/api/v1/").split("/")[0] or "", []).append({
                "method": method.upper(), "path": path, "summary": one.get("summary", ""), "about": one.get("description", ""),
                "id": one["operationId"], "parameters": [p for p in one.get("parameters", []) if p["in"] == "query"],
            })  # fmt: skip
    kinds = [{"status": status, "id": kind, "title": _(title)} for status, (kind, title) in problems.KINDS.items()]
    every = [one for some in groups.values() for one in some]
    return render(request, "api/docs.html", {"operations": every, "kinds": kinds, "schema": reverse("api:schema")})
