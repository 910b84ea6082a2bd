"""JSON as the record has it: strict when read, fractions as decimals; written as plain numbers."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

from engine.errors import MalformedRecord
from engine.strict_json import is_text, read

LARGEST = 256_000
"""Bytes of a body: a move has some hundreds."""


class TooLarge(APIException):
    status_code = 413
    default_code = "too-large"

    def __init__(self) -> None:
        super().__init__(_("The body has more than 256 kB."))


class Parser(BaseParser):
    media_type = "application/json"

    def parse(
        self,
        stream: Any,
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        body = stream.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise TooLarge
        try:
            value = read(body)
        except MalformedRecord as error:
            raise ParseError(str(error), "malformed") from None
        if not _texts(value):
            raise ParseError(_("A text holds half a character."), "malformed")
        return value


def _texts(value: Any) -> bool:
    """Return whether UTF-8 can write all texts of a value."""
    if isinstance(value, dict):
        return all(is_text(key) and _texts(part) for key, part in value.items())
    if isinstance(value, list):
        return all(_texts(part) for part in value)
    return not isinstance(value, str) or is_text(value)


class Encoder(JSONEncoder):
    def default(self, obj: Any) -> Any:
        if isinstance(obj, Decimal):
            return int(obj) if obj == obj.to_integral_value() else float(obj)
        return super().default(obj)


class Renderer(JSONRenderer):
    encoder_class = Encoder


class Always(BaseContentNegotiation):
    """Reads and writes JSON alone, whatever else a program accepts."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        return parsers[0] if kind == "application/json" or kind.endswith("+json") else None

    def select_renderer(
        self, request: Any, renderers: Any, format_suffix: str | None = None
    ) -> Any:
        return renderers[0], renderers[0].media_type
