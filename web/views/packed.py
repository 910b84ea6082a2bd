"""The audit pack as a file."""

from __future__ import annotations

from io import BytesIO

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.views.decorators.http import require_safe

from web import throttle
from web.pack import Pack
from web.views.common import TableContext, campaign_page


@require_safe
@campaign_page
def pack(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """The whole campaign in one zip, for who may take its record; it is much work, so nobody asks for many."""
    made = Pack(table)  # who may not have it is told before he is counted
    if request.method == "GET" and (
        wait := throttle.spend(
            request, throttle.PACK, f"user {table.user.pk}" if table.user.is_authenticated else throttle.address(request)
        )
    ):
        return throttle.refused(request, wait)
    file = BytesIO()
    made.write(file)
    answer = HttpResponse(file.getvalue(), content_type="application/zip")
    answer["Content-Disposition"] = f'attachment; filename="{table.ref}.zip"'
    return answer
