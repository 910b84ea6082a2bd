"""What stands in every report of a campaign: tone, subject, greeting, signature, parts and their order, in each language."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.utils import translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from engine.language import LANGUAGES
from forum import dressing, placeholders, tones
from forum.services import tone as writing
from web import looks
from web.views.common import TableContext, campaign_page, see_other, show
from web.views.report import speaking

LAST = "address"
"""The part whose place is the end."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def tone(request: HttpRequest, table: TableContext) -> HttpResponse:
    """`?language=` says of which one; by default the reader's."""
    table.must_be_host()
    asked = (request.POST if request.method == "POST" else request.GET).get("language", "")
    language = asked if asked in LANGUAGES else translation.get_language() or LANGUAGES[0]
    with speaking(table, language):
        how = dressing.template(table.campaign)
    if request.method == "POST":
        how = _typed(request.POST)
        try:
            writing.set_template(
                table.campaign, request.user, language,
                tone=how.tone, subject=how.subject, greeting=how.greeting, signature=how.signature, parts=how.order,
            )  # fmt: skip
        except writing.Wrong as wrong:
            return _page(request, table, language, how, wrong)
        messages.success(request, _("So the reports will be told."))
        return see_other(f"{table.url('report_tone')}?language={language}")
    return _page(request, table, language, how, None)


def _typed(said: QueryDict) -> dressing.Template:
    """What the form says; parts in the order of their numbers, those without a tick left out."""
    places = {part: said.get(f"place-{part}", "") for part in dressing.PARTS}
    told = [part for part in dressing.PARTS if part in dressing.NEEDED or f"show-{part}" in said]
    number = {part: int(at) if at.isascii() and at.isdigit() and len(at) < 3 else 99 for part, at in places.items()}
    order = sorted(told, key=lambda part: (part == LAST, number[part], list(dressing.PARTS).index(part)))
    subject, greeting, signature = (said.get(name, "").replace("\r\n", "\n") for name in ("subject", "greeting", "signature"))
    return dressing.Template(said.get("tone", ""), subject, greeting, signature, tuple(order))


def _page(
    request: HttpRequest, table: TableContext, language: str, how: dressing.Template, wrong: writing.Wrong | None
) -> HttpResponse:
    order = [part for part in how.order if part in dressing.PARTS]
    rows: list[dict[str, Any]] = [
        {"key": part, "name": dressing.PARTS[part], "needed": part in dressing.NEEDED, "shown": part in how.order, "place": n}
        for n, part in enumerate([*order, *(part for part in dressing.PARTS if part not in order)], 1)
    ]
    rows.sort(key=lambda row: row["key"] == LAST)
    context = {
        "how": how, "rows": rows, "places": range(1, len(rows)), "last": LAST, "language": language, "wrong": wrong,
        "tongue": dict(looks.languages())[language],
        "tongues": [(name, code, code == language) for code, name in looks.languages()],
        "tones": [(code, *str(name).split(": ", 1)) for code, name in tones.TONES.items()],
        "placeholders": [(f"{{{name}}}", said) for name, said in placeholders.NAMES.items()],
        "most_subject": writing.SUBJECT, "most_text": writing.TEXT, "reports_url": table.url("reports"),
    }  # fmt: skip
    return show(request, table, "campaign/report_tone.html", context, here="reports", status=400 if wrong else 200)
