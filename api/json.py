"""JSON as the record has it: strict when read, fractions as decimals; written as plain numbers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import IO, TYPE_CHECKING, Any

from django.utils.translation import gettext as _
from rest_framework.exceptions import APIException, ParseError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer, JSONRenderer
from rest_framework.utils.encoders import JSONEncoder

from engine.errors import MalformedRecord
from engine.strict_json import is_text, read

if TYPE_CHECKING:  # Django REST framework imports this module while its own settings load.
    from rest_framework.request import Request

LARGEST = 256_000
"""The most bytes of a body: a move has some hundreds."""


class TooLarge(APIException):
    status_code = 413
    default_code = "too-large"

    def __init__(self) -> None:
        super().__init__(_("The body has more than 256 kB."))


class Parser(BaseParser):
    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, object] | None = None,
    ) -> Any:
        """Return the JSON value of a body. Raises `TooLarge` and `ParseError`."""
        body = stream.read(LARGEST + 1)
        if len(body) > LARGEST:
            raise TooLarge
        try:
            value = read(body)
        except MalformedRecord as error:
            raise ParseError(str(error), "malformed") from None
        if not is_writable(value):
            raise ParseError(_("A text holds half a character."), "malformed")
        return value


def is_writable(value: object) -> bool:
    """Return whether UTF-8 can write all texts of a JSON value."""
    if isinstance(value, dict):
        return all(is_text(key) and is_writable(part) for key, part in value.items())
    if isinstance(value, list):
        return all(is_writable(part) for part in value)
    return not isinstance(value, str) or is_text(value)


class Encoder(JSONEncoder):
    def default(self, obj: object) -> object:
        if isinstance(obj, Decimal):
            return int(obj) if obj == obj.to_integral_value() else float(obj)
        return super().default(obj)


class Renderer(JSONRenderer):
    encoder_class = Encoder


class Always(BaseContentNegotiation):
    """Reads and writes JSON alone, whatever else a program accepts."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        is_json = kind == "application/json" or kind.endswith("+json")
        return next(iter(parsers)) if is_json else None

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
