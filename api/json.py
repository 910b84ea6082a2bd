"""JSON as in records: read strictly, with fractions as decimals; written with plain numbers."""

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
"""The largest body in bytes. A move has some hundreds."""


class TooLarge(APIException):
    """The error for a body that is too large."""

    status_code = 413
    default_code = "too-large"

    def __init__(self) -> None:
        super().__init__(_("The body is larger than 256 kB."))


class Parser(BaseParser):
    """The parser of request bodies."""

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
            raise ParseError(_("A text contains an incomplete character."), "malformed")
        return value


def is_writable(value: object) -> bool:
    """Return whether all texts of a JSON value can be written as UTF-8."""
    if isinstance(value, dict):
        return all(is_text(key) and is_writable(part) for key, part in value.items())
    if isinstance(value, list):
        return all(is_writable(part) for part in value)
    return not isinstance(value, str) or is_text(value)


class Encoder(JSONEncoder):
    """The encoder of answers."""

    def default(self, obj: object) -> object:
        """Return a decimal as a plain number."""
        if isinstance(obj, Decimal):
            return int(obj) if obj == obj.to_integral_value() else float(obj)
        return super().default(obj)


class Renderer(JSONRenderer):
    """The renderer of answers."""

    encoder_class = Encoder


class JsonOnly(BaseContentNegotiation):
    """The content negotiation, which always chooses JSON, even if a program accepts other types."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser | None:
        """Return the parser for a JSON body; None for other types."""
        kind = (request.content_type or "").partition(";")[0].strip().lower()
        is_json = kind == "application/json" or kind.endswith("+json")
        return next(iter(parsers)) if is_json else None

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the only renderer with its media type."""
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
