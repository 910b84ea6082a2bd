"""A campaign founded from a record or an audit pack."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaign.errors import Refused, TableError
from campaign.models import Campaign
from campaign.services.importing import Judged, import_record, judge
from people.validators import zones
from web import once, throttle
from web.packed import record_of
from web.views.common import address, see_other
from web.views.found import founded

SHOWN = 20
"""Faults told at once; a record that has more is none."""
LONGEST_TEXT = 2_000_000
PATIENCE = 60
"""Seconds in which the same form is the same click: thousands of moves take their time."""
FIELDS = {"bad-name": "name", "bad-time-zone": "time_zone", "bad-visibility": "visibility"}


@login_required
def imported(request: HttpRequest) -> HttpResponse:
    """The form; posted, the campaign, or everything that is wrong."""
    if getattr(request.user, "guest", False) and request.method == "POST":
        raise PermissionDenied(_("A guest plays alone. Make an account first: what you have goes with you."))
    errors: dict[str, str] = {}
    faults: list[str] = []
    if request.method == "POST":
        if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
            return throttle.refused(request, wait)
        try:
            judged = judge(_sent(request))
            faults = judged.faults
            if not faults and not once.first(request, PATIENCE):
                return see_other(founded(request, "seats"))
            if not faults:
                made = _made(request, judged)
                count = ngettext("%(count)d move replayed.", "%(count)d moves replayed.", len(judged.moves)) % {
                    "count": len(judged.moves)
                }
                messages.success(request, _("%(name)s is founded.") % {"name": made.name} + f" {count}")
                return see_other(address("seats", made.address))
        except TableError as refused:
            errors[FIELDS.get(refused.code, "record")] = str(refused)
    return render(request, "import.html", _context(request, errors, faults), status=422 if errors or faults else 200)


def _made(request: HttpRequest, judged: Judged) -> Campaign:
    data = request.POST
    try:
        return import_record(request.user, judged, data.get("name", ""), data.get("time_zone", ""), data.get("visibility", ""))
    except BaseException:
        once.forget(request)
        raise


def _sent(request: HttpRequest) -> str | bytes:
    """The file that was sent, or the text that was pasted."""
    file, text = request.FILES.get("file"), request.POST.get("text", "")
    if file is not None and text.strip():
        raise Refused("both", _("Send a file or paste a record, not both."))
    if file is not None:
        return record_of(file, file.size or 0)
    if not text.strip():
        raise Refused("none", _("Choose the file of a record or an audit pack, or paste a record."))
    if len(text) > LONGEST_TEXT:
        raise Refused("too-large", _("This is too long to be pasted: send it as a file."))
    return text


def _context(request: HttpRequest, errors: dict[str, str], faults: list[str]) -> dict[str, Any]:
    posted = request.POST
    values = {
        "name": posted.get("name", ""), "text": posted.get("text", "")[:LONGEST_TEXT],
        "time_zone": posted.get("time_zone") or getattr(request.user, "time_zone", "UTC"),
        "visibility": posted.get("visibility") or Campaign.Visibility.UNLISTED,
    }  # fmt: skip
    return {
        "errors": errors, "faults": faults[:SHOWN], "more": max(0, len(faults) - SHOWN), "values": values, "zones": zones(),
        "visibilities": Campaign.Visibility.choices,
    }  # fmt: skip
