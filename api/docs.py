"""The description of the interface (OpenAPI), made from its views."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NoReturn

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api import problems
from api.base import Resource
from api.fields import FAR
from api.idempotency import HEADER
from api.problems import MEDIA

PROBLEM = {
    "type": "object",
    "description": "The reason why a request failed (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {
            "type": "string",
            "description": "A code for programs, from the table or the rules.",
        },
        "rule": {
            "type": "string",
            "description": ("The paragraph of the rules that forbids the move."),
        },
        "fields": {"type": "object", "additionalProperties": True},
        "seen": {
            "type": "integer",
            "description": "If the table has moved on: the number of your last entry now.",
        },
        "entries": {"type": "array", "items": {"type": "object", "additionalProperties": True}},
        "number": {
            "type": "string",
            "description": "For a fault of the site: its number in the host's log.",
        },
    },
}
HANDS = {
    "in": "query",
    "name": "hands",
    "schema": {"type": "string", "enum": ["open"]},
    "description": (
        "For a game master of a campaign with hidden hands: open the hands. Their holders can see"
        " that you did."
    ),
}
REF = "The campaign: its `ref`, of which only the first eight characters are read."
READ = ("get", "head")
KEY = {
    "in": "header",
    "name": HEADER,
    "description": (
        "A key that you choose for this request. For a day, a repeated request with the same key"
        " gets the first answer again, and nothing else happens."
    ),
    "schema": {"type": "string", "maxLength": 200, "pattern": "^[!-~]*$"},
}


class BearerScheme(OpenApiAuthenticationExtension):
    """The description of `Bearer` authentication for OpenAPI."""

    target_class = "api.authentication.Bearer"
    name = "token"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        """Return the security scheme of OpenAPI."""
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token that you create on your own page.",
        }


Description = dict[str, Any]
"""The description of the interface or a part of it, as JSON."""

PROBLEM_ANSWER = {
    "description": "A problem",
    "content": {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
JSON = "application/json"
NOT_MODIFIED = {"description": "Your copy is current: nothing has changed since its ETag."}


def complete(
    result: Description, generator: SchemaGenerator, request: Request | None, public: bool
) -> Description:
    """Add what all operations share to the description.

    These are problems, 304 for everything that is read, and the key that makes a repeated request
    harmless.
    """
    result["components"].setdefault("schemas", {})["Problem"] = PROBLEM
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            complete_operation(path, method, operation)
    return result


def complete_operation(path: str, method: str, operation: Description) -> None:
    """Add the shared parts to one operation."""
    operation["operationId"] = f"{name_of_path(path)}_{method}"
    operation["responses"]["default"] = PROBLEM_ANSWER
    parameters = operation.setdefault("parameters", [])
    if method in READ:
        operation["responses"]["304"] = NOT_MODIFIED
        if "{ref}" in path:
            parameters.append(HANDS)
    if method == "post" and "201" in operation["responses"]:
        parameters.append(KEY)
    for parameter in parameters:
        complete_parameter(parameter)
    if not parameters:
        del operation["parameters"]


def complete_parameter(parameter: Description) -> None:
    """Describe a campaign's reference, and bound numbers in addresses."""
    if parameter["in"] != "path":
        return
    if parameter["name"] == "ref":
        parameter["description"] = REF
    elif parameter["schema"].get("type") == "integer":
        parameter["schema"] |= {"minimum": 0, "maximum": FAR}


def name_of_path(path: str) -> str:
    """Return the fixed parts of an address, with `_one` at the end if it is of a single item."""
    words = [word for word in path.removeprefix("/api/v1/").split("/") if word and word[0] != "{"]
    return "_".join(words or ["root"]) + ("_one" if path.rstrip("/").endswith("}") else "")


class SchemaView(Resource):
    """The OpenAPI description of the interface."""

    @extend_schema(exclude=True)
    def get(self, request: Request) -> Response:
        """Return the OpenAPI description in the language of the request."""
        return Response(described(), content_type="application/vnd.oai.openapi+json")


def described() -> Description:
    """Return the whole description, cached for each language."""
    return _described(get_language() or "")


@lru_cache(4)
def _described(_language: str) -> Description:
    schema: Description = SchemaGenerator(api_version="v1").get_schema(request=None, public=True)
    return schema


# The page that describes the interface for people, made from the description that programs read.

OF_CAMPAIGN = "/api/v1/campaigns/{ref}/"
GROUPS = (
    ("begin", pgettext_lazy("api", "Entry point"), ("/api/v1/",)),
    ("read", gettext_lazy("Reading a campaign"), (OF_CAMPAIGN,)),
    ("said", gettext_lazy("Acting in a campaign"), (OF_CAMPAIGN,)),
    ("notices", gettext_lazy("Your notices"), ("/api/v1/notices/",)),
    ("titles", gettext_lazy("Games and their rules"), ("/api/v1/titles/",)),
)
"""The parts of the page: key, heading, and how their addresses begin. The longest match counts."""


Text = list[tuple[str, bool]]
"""A text in pieces, each with a flag whether it is code."""


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a body, or a query or header parameter, whose type is None."""

    name: str
    about: Text
    type: str | None = None
    needed: bool = False


@dataclass(frozen=True, slots=True)
class Call:
    """An address with a method. `media` is the type of an answer that is not JSON."""

    id: str
    method: str
    steps: Sequence[str]
    summary: str
    about: Text
    query: Sequence[Part]
    request_parts: Sequence[Part]
    response_parts: Sequence[Part]
    media: str

    @property
    def is_post(self) -> bool:
        """Whether the method is POST."""
        return self.method == "POST"


@dataclass(frozen=True, slots=True)
class Group:
    """Calls under a heading."""

    key: str
    name: str
    calls: Sequence[Call]


@dataclass(frozen=True, slots=True)
class ProblemKind:
    """A kind of problem by its HTTP status."""

    status: int
    id: str
    title: str


@dataclass(frozen=True, slots=True)
class DocsPage:
    """The page that describes the interface for people."""

    groups: Sequence[Group]
    kinds: Sequence[ProblemKind]
    schema: str


@require_safe
def docs(request: HttpRequest) -> HttpResponse:
    """Show the page that describes the interface for people."""
    schema = described()
    calls: dict[str, list[Call]] = {key: [] for key, _name, _starts in GROUPS}
    for path, operations in schema["paths"].items():
        for method, operation in operations.items():
            calls[group_of(path, method)].append(call_of(schema, path, method, operation))
    page = DocsPage(
        groups=[Group(key, str(name), calls[key]) for key, name, _starts in GROUPS],
        kinds=[
            ProblemKind(status, kind, _(title)) for status, (kind, title) in problems.KINDS.items()
        ],
        schema=reverse("api:schema"),
    )
    return render(request, "api/docs.html", {"page": page})


def group_of(path: str, method: str) -> str:
    """Return the group under which an operation is shown."""
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


def call_of(schema: Description, path: str, method: str, operation: Description) -> Call:
    """Return an operation as the page shows it."""
    body = operation.get("requestBody", {}).get("content", {})
    content = content_of_answer(operation)
    answered = content.get(JSON, {}).get("schema")
    return Call(
        id=operation["operationId"],
        method=method.upper(),
        steps=path.rstrip("/").split("/"),
        summary=operation.get("summary", ""),
        about=pieces(operation.get("description", "")),
        query=[
            Part(parameter["name"], pieces(parameter.get("description", "")))
            for parameter in operation.get("parameters", [])
            if parameter["in"] != "path"
        ],
        request_parts=parts_of(schema, body.get(JSON, {}).get("schema")),
        response_parts=parts_of(schema, answered),
        media="" if answered else ", ".join(content),
    )


def content_of_answer(operation: Description) -> Description:
    """Return the content of a successful answer by media type."""
    responses = operation["responses"]
    for status in ("201", "200"):
        if status in responses:
            content: Description = responses[status].get("content", {})
            return content
    return {}


def parts_of(schema: Description, kind: Description | None) -> list[Part]:
    """Return the fields of a body, one level deep."""
    kind = resolved(schema, kind or {})
    needed = kind.get("required", ())
    return [
        Part(
            name=name,
            about=pieces(part.get("description", "")),
            type=type_of(schema, part),
            needed=name in needed,
        )
        for name, part in kind.get("properties", {}).items()
    ]


def type_of(schema: Description, part: Description) -> str:
    """Return the JSON type of a field, with `[]` for a list."""
    if part.get("type") == "array":
        return f"{type_of(schema, part['items'])}[]"
    return str(resolved(schema, part).get("type", ""))


def resolved(schema: Description, kind: Description) -> Description:
    """Return the schema that a reference leads to."""
    for key in ("allOf", "oneOf"):
        if key in kind:
            kind = kind[key][0]
    if "$ref" not in kind:
        return kind
    _path, _slash, name = kind["$ref"].rpartition("/")
    component: Description = schema["components"]["schemas"][name]
    return component


def pieces(text: str) -> Text:
    """Return a text in pieces; text in backquotes is code."""
    return [(part, bool(place % 2)) for place, part in enumerate(text.split("`")) if part]


# Addresses that do not exist


@extend_schema(exclude=True)
class NowhereView(Resource):
    """The answer to all addresses that do not exist.

    It answers 404 to every method. Nothing is written, so no token is needed.
    """

    writes = False

    def get(self, request: Request, **kwargs: str) -> NoReturn:
        """Raise `Http404`."""
        raise Http404

    post = put = patch = delete = get
