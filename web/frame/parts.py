"""Parts of pages that are rendered on their own."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.safestring import SafeString

from web.frame.table import TableContext


def part_of_page(
    template: str, context: Mapping[str, object] | None = None, request: HttpRequest | None = None
) -> SafeString:
    """Return a rendered template as safe markup for another template."""
    return SafeString(render_to_string(template, dict(context or {}), request))


def part_alone(
    request: HttpRequest, table: TableContext, template: str, context: Mapping[str, object]
) -> HttpResponse:
    """Answer with a part of a campaign's page, for a browser that has the rest of the page."""
    answer = render(request, template, {"table": table, "campaign": table.campaign, **context})
    # The address belongs to the whole page: a browser that goes back must not find the part under
    # it.
    answer.headers["Cache-Control"] = "no-store"
    patch_vary_headers(answer, ["HX-Target"])
    return answer
