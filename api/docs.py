"""The description of the interface (OpenAPI), made from its views."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NoReturn

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import problems
from api.base import HEADER, Resource
from api.moves import FAR
from api.problems import MEDIA

PROBLEM = {
    "type": "object",
    "description": "What stands in the way (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {
            "type": "string",
            "description": "For programs: the table's word, or the rules' own.",
        },
        "rule": {"type": "string", "description": "The paragraph of the rules that forbids it."},
        "fields": {"type": "object", "additionalProperties": True},
        "seen": {
            "type": "integer",
            "description": "Of a table that has moved on: your last entry now.",
        },
        "entries": {"type": "array", "items": {"type": "object", "additionalProperties": True}},
        "number": {
            "type": "string",
            "description": "Of a fault of ours: its number in the host's log.",
        },
    },
}
HANDS = {
    "in": "query",
    "name": "hands",
    "schema": {"type": "string", "enum": ["open"]},
    "description": (
        "Of a game master where hands are hidden: open them to you. Their holders read that you"
        " did."
    ),
}
REF = "The campaign: its `ref`, of which only the first eight characters are read."
READ = ("get", "head")
KEY = {
    "in": "header",
    "name": HEADER,
    "description": (
        "Your name for this request: for a day it is answered as at first, and nothing is done"
        " again."
    ),
    "schema": {"type": "string", "maxLength": 200, "pattern": "^[!-~]*$"},
}


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "api.authentication.Bearer"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token that you make on your own page.",
        }


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """What all operations have: problems, 304 where something is read, the key that makes a write
    happen once.
    """
    result["components"].setdefault("schemas", {})["Problem"] = PROBLEM
    problem_answer = {
        "description": "A problem",
        "content": {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            operation["operationId"] = f"{_called(path)}_{method}"
            operation["responses"]["default"] = problem_answer
            if method in READ and "{ref}" in path:
                operation.setdefault("parameters", []).append(HANDS)
            if method in READ:
                operation["responses"]["304"] = {
                    "description": "You have it already: nothing is otherwise than its ETag says."
                }
            if method == "post" and "201" in operation["responses"]:
                operation.setdefault("parameters", []).append(KEY)
            for parameter in operation.get("parameters", []):
                if parameter["name"] == "ref" and parameter["in"] == "path":
                    parameter["description"] = REF
                elif parameter["in"] == "path" and parameter["schema"].get("type") == "integer":
                    parameter["schema"] |= {"minimum": 0, "maximum": FAR}
    return result


def _called(path: str) -> str:
    words = [word for word in path.removeprefix("/api/v1/").split("/") if word and word[0] != "{"]
    return "_".join(words or ["root"]) + ("_one" if path.rstrip("/").endswith("}") else "")


class SchemaView(Resource):
    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        return Response(described(), content_type="application/vnd.oai.openapi+json")


def described() -> dict[str, Any]:
    """The whole description, as plain JSON values that nobody changes; made once for each
    language.
    """
    return _described(get_language() or "")


@lru_cache(4)
def _described(_language: str) -> dict[str, Any]:
    schema: dict[str, Any] = SchemaGenerator(api_version="v1").get_schema(request=None, public=True)
    return schema


# The interface described for people: one page, made from the same description as programs read.

ONE = "/api/v1/campaigns/{ref}/"
GROUPS = (
    ("begin", gettext_lazy("To begin with"), ("/api/v1/",)),
    ("read", gettext_lazy("What can be read of a campaign"), (ONE,)),
    ("said", gettext_lazy("What can be sent to a campaign"), (ONE,)),
    ("notices", gettext_lazy("Your notices"), ("/api/v1/notices/",)),
    ("titles", gettext_lazy("Games and their rules"), ("/api/v1/titles/",)),
)
"""The parts of the page: key, heading, where their addresses begin. The longest beginning
counts.
"""


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    schema = described()
    groups: dict[str, list[dict[str, Any]]] = {key: [] for key, _name, _starts in GROUPS}
    for path, operations in schema["paths"].items():
        for method, one in operations.items():
            groups[group_of(path, method)].append(description_of(schema, path, method, one))
    kinds = [
        {"status": status, "id": kind, "title": _(title)}
        for status, (kind, title) in problems.KINDS.items()
    ]
    parts = [{"key": key, "name": name, "calls": groups[key]} for key, name, _starts in GROUPS]
    return render(
        request, "api/docs.html", {"parts": parts, "kinds": kinds, "schema": reverse("api:schema")}
    )


def group_of(path: str, method: str) -> str:
    fitting = [
        (len(start), key)
        for key, _name, starts in GROUPS
        for start in starts
        if path.startswith(start)
    ]
    key = max(fitting)[1]
    if key in ("read", "said"):
        return "read" if method == "get" else "said"
    return key


def description_of(
    schema: Mapping[str, Any], path: str, method: str, one: Mapping[str, Any]
) -> dict[str, Any]:
    asked = one.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    answers = [one["responses"][status] for status in ("201", "200") if status in one["responses"]]
    content = answers[0].get("content", {}) if answers else {}
    answered = content.get("application/json", {}).get("schema")
    return {
        "id": one["operationId"],
        "method": method.upper(),
        "steps": path.rstrip("/").split("/"),
        "summary": one.get("summary", ""),
        "about": pieces(one.get("description", "")),
        "query": [
            {"name": p["name"], "about": pieces(p.get("description", ""))}
            for p in one.get("parameters", [])
            if p["in"] != "path"
        ],
        "asked": fields(schema, asked),
        "answered": fields(schema, answered),
        "media": "" if answered else ", ".join(content),
    }


def fields(schema: Mapping[str, Any], kind: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """The parts of a body, one level deep."""
    kind = whole(schema, kind or {})
    needed = kind.get("required", ())
    return [
        {
            "name": name,
            "about": pieces(part.get("description", "")),
            "type": type_of(schema, part),
            "needed": name in needed,
        }
        for name, part in kind.get("properties", {}).items()
    ]


def type_of(schema: Mapping[str, Any], part: Mapping[str, Any]) -> str:
    """The JSON type, with `[]` for a list of them."""
    if part.get("type") == "array":
        return f"{type_of(schema, part['items'])}[]"
    return str(whole(schema, part).get("type", ""))


def whole(schema: Mapping[str, Any], kind: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a reference leads to."""
    for key in ("allOf", "oneOf"):
        if key in kind:
            kind = kind[key][0]
    if "$ref" in kind:
        part: Mapping[str, Any] = schema["components"]["schemas"][kind["$ref"].rpartition("/")[2]]
        return part
    return kind


def pieces(text: str) -> list[tuple[str, bool]]:
    """A text in pieces; every other one stood in backquotes and is code."""
    return [(part, bool(n % 2)) for n, part in enumerate(text.split("`")) if part]


# Every address of the interface that is none.


@extend_schema(exclude=True)
class NowhereView(Resource):
    """404, whatever is asked of it. Nothing is written, so nobody needs a token to be told."""

    writes = False

    def get(self, request: Request, **kwargs: Any) -> NoReturn:
        raise Http404

    post = put = patch = delete = get
