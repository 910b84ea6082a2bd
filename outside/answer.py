"""What came back."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from email.message import Message
from typing import Any
from xml.etree.ElementTree import Element, ParseError

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import fromstring
from urllib3 import HTTPHeaderDict

from outside.errors import Doubtful


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer read to its end. A redirect is an answer, too: nothing is followed."""

    status: int
    headers: HTTPHeaderDict
    """By name in any case; `getlist` for those that come more than once."""
    bytes: bytes = field(repr=False)
    url: str = field(repr=False)
    """As it was asked; it may hold a secret."""
    host: str = ""

    @property
    def ok(self) -> bool:
        return 200 <= self.status < 300

    @property
    def text(self) -> str:
        """The body as text, in the charset that it names, else UTF-8; what is none becomes U+FFFD."""
        said = Message()
        said["content-type"] = self.headers.get("content-type", "")
        try:
            return self.bytes.decode(said.get_content_charset() or "utf-8", errors="replace")
        except LookupError:
            return self.bytes.decode("utf-8", errors="replace")

    def json(self) -> Any:
        """Raises `Doubtful` where it is none."""
        try:
            return json.loads(self.bytes)
        except (ValueError, RecursionError):
            raise Doubtful("broken", self.host) from None

    def xml(self) -> Element:
        """The root element; no entities, no document types. Raises `Doubtful` where it is none."""
        try:
            return fromstring(self.bytes, forbid_dtd=True)
        except (ParseError, DefusedXmlException, LookupError, ValueError, RecursionError):
            raise Doubtful("broken", self.host) from None
