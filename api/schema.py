"""The description of the interface (OpenAPI), made from its views."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.utils.translation import get_language
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from api.once import HEADER
from api.problems import MEDIA
from api.serializers.moves import FAR
from api.views.base import Resource

PROBLEM = {
    "type": "object",
    "description": "What stands in the way (RFC 9457).",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "description": "For programs: the table's word, or the rules' own."},
        "rule": {"type": "string", "description": "The paragraph of the rules that forbids it."},
        "fields": {"type": "object", "additionalProperties": True},
        "seen": {"type": "integer", "description": "Of a table that has moved on: your last entry now."},
        "entries": {"type": "array", "items": {"type": "object", "additionalProperties": True}},
        "number": {"type": "string", "description": "Of a fault of ours: its number in the host's log."},
    },
}
HANDS = {
    "in": "query",
    "name": "hands",
    "schema": {"type": "string", "enum": ["open"]},
    "description": "Of a game master where hands are hidden: open them to you. Their holders read that you did.",
}
REF = "The campaign: its `ref`, of which only the first eight characters are read."
READ = ("get", "head")
KEY = {
    "in": "header",
    "name": HEADER,
    "description": "Your name for this request: for a day it is answered as at first, and nothing is done again.",
    "schema": {"type": "string", "maxLength": 200, "pattern": "^[!-~]*$"},
}


class BearerScheme(OpenApiAuthenticationExtension):
    target_class = "api.authentication.Bearer"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "bearer", "description": "A token that you make on your own page."}


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """What all operations have: problems, 304 where something is read, the key that makes a write happen once."""
    result["components"].setdefault("schemas", {})["Problem"] = PROBLEM
    told = {"description": "A problem", "content": {MEDIA: {"schema": {"$ref": "#/components/schemas/Problem"}}}}
    for path, operations in result["paths"].items():
        for method, operation in operations.items():
            operation["operationId"] = f"{_called(path)}_{method}"
            operation["responses"]["default"] = told
            if method in READ and "{ref}" in path:
                operation.setdefault("parameters", []).append(HANDS)
            if method in READ:
                operation["responses"]["304"] = {"description": "You have it already: nothing is otherwise than its ETag says."}
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
    """The whole description, as plain JSON values that nobody changes; made once for each language."""
    return _described(get_language() or "")


@lru_cache(4)
def _described(_language: str) -> dict[str, Any]:
    made: dict[str, Any] = SchemaGenerator(api_version="v1").get_schema(request=None, public=True)
    return made
