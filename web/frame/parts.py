"""Parts of pages that are rendered by themselves."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString


def part_of_page(
    template: str, context: Mapping[str, Any] | None = None, request: HttpRequest | None = None
) -> SafeString:
    """Return a rendered template as markup that another template shows as it is."""
    return SafeString(render_to_string(template, dict(context or {}), request))
