"""A campaign founded from a record or an audit pack: the form, and the page that tells how far it is."""

from __future__ import annotations

import logging
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign.errors import Refused, TableError
from campaign.models import Campaign, Import
from campaign.services import imports
from campaign.services.seating import solo
from people.validators import zones
from web import throttle
from web.packed import record_of
from web.tasks import take_over_record
from web.views.common import address, see_other

log = logging.getLogger(__name__)

SHOWN = 50
"""Faults told at once; a record that has more is none."""
LATEST = 5
LONGEST_TEXT = 2_000_000
AGAIN = 2
"""After so many seconds the page looks again."""
FIELDS = {"bad-name": "name", "bad-time-zone": "time_zone", "bad-visibility": "visibility"}


@login_required
def imported(request: HttpRequest) -> HttpResponse:
    """The form; posted, on to the page that tells how far it is."""
    if getattr(request.user, "guest", False) and request.method == "POST":
        raise PermissionDenied(_("A guest plays alone. Make an account first: what you have goes with you."))
    errors: dict[str, str] = {}
    if request.method == "POST":
        if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
            return throttle.refused(request, wait)
        data = request.POST
        try:
            sent = _sent(request)
            row, new = imports.keep(
                request.user, sent, data.get("name", ""), data.get("time_zone", ""), data.get("visibility", "")
            )
        except TableError as refused:
            errors[FIELDS.get(refused.code, "record")] = str(refused)
        else:
            if new:
                _ask(row)
            return see_other(reverse("import_run", args=[row.pk]))
    return render(request, "import.html", _context(request, errors), status=422 if errors else 200)


@login_required
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """How far it is, or what came of it. Posted, it is done here and now, where no worker has taken it."""
    row = _mine(request.user).filter(pk=pk).first()
    if row is None:
        raise Http404
    if request.method == "POST":
        if imports.untaken(row, timezone.now()):
            imports.work(row.pk)
        return redirect("import_run", pk=row.pk)
    made, faults = row.campaign, row.told
    there = "" if made is None else address("table" if solo(made) else "seats", made.address)
    context = {
        "row": row, "made": made, "there": there, "faults": faults[:SHOWN], "more": max(0, len(faults) - SHOWN), "again": AGAIN,
        "untaken": imports.untaken(row, timezone.now()), "resumed": row.attempt > 1,
    }  # fmt: skip
    answer = render(request, "import_run.html", context)
    if row.open:
        answer.headers["Refresh"] = str(AGAIN)
    elif there:
        answer.headers["Refresh"] = f"{AGAIN}; url={there}"
    answer.headers["Cache-Control"] = "no-store, private"
    return answer


def _ask(row: Import) -> None:
    """Leaves it to the worker; where none can be asked it waits for the pulse, or for the page's button."""
    try:
        take_over_record.apply_async((row.pk,), retry=False)
    except Exception as error:  # Whatever the broker or its client raises, the page is shown all the same.
        log.warning("Nobody takes records to found from: %s", error)


def _sent(request: HttpRequest) -> bytes:
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
    return text.encode("utf-8", "surrogatepass")


def _context(request: HttpRequest, errors: dict[str, str]) -> dict[str, Any]:
    posted = request.POST
    values = {
        "name": posted.get("name", ""), "text": posted.get("text", "")[:LONGEST_TEXT],
        "time_zone": posted.get("time_zone") or getattr(request.user, "time_zone", "UTC"),
        "visibility": posted.get("visibility") or Campaign.Visibility.UNLISTED,
    }  # fmt: skip
    return {
        "errors": errors, "values": values, "zones": zones(), "visibilities": Campaign.Visibility.choices,
        "latest": _mine(request.user).order_by("-pk")[:LATEST],
    }  # fmt: skip


def _mine(user: Any) -> QuerySet[Import]:
    """What somebody sent, without the records."""
    return Import.objects.filter(user_id=user.pk).select_related("campaign").defer("content")
