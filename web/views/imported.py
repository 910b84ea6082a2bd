"""A campaign founded from a record or an audit pack: the form, and the page that tells how far it is; that of a scenario,
too."""

from __future__ import annotations

from typing import Any

from django.conf import settings
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
from web.tasks import ask_to_take_over
from web.views.common import address, see_other

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
                ask_to_take_over(row.pk)
            return see_other(reverse("import_run", args=[row.pk]))
    return render(request, "import.html", _context(request, errors), status=422 if errors else 200)


@login_required
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """How far it is, or what came of it. Posted, it is done here and now, where no worker has taken it."""
    row = sent_by(request.user).filter(pk=pk).first()
    if row is None:
        raise Http404
    if request.method == "POST":
        if imports.untaken(row, timezone.now()):
            imports.work(row.pk)
        return redirect("import_run", pk=row.pk)
    made, faults, there = row.campaign or row.scenario, row.told, ""
    if row.campaign is not None:
        there = address("table" if solo(row.campaign) else "seats", row.campaign.address)
    elif row.scenario is not None:
        there = reverse("scenario_shown", args=[row.scenario.public_id])
    context = {
        "row": row, "made": made, "there": there, "faults": faults[:SHOWN], "more": max(0, len(faults) - SHOWN), "again": AGAIN,
        "untaken": imports.untaken(row, timezone.now()), "resumed": row.attempt > 1,
        "scenario": row.kind == Import.Kind.SCENARIO, "minutes": max(1, round(settings.IMPORT_SECONDS / 60)),
    }  # fmt: skip
    answer = render(request, "import_run.html", context)
    if row.open:
        answer.headers["Refresh"] = str(AGAIN)
    elif there:
        answer.headers["Refresh"] = f"{AGAIN}; url={there}"
    answer.headers["Cache-Control"] = "no-store, private"
    return answer


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
        "latest": sent_by(request.user).filter(kind=Import.Kind.RECORD).order_by("-pk")[:LATEST],
    }  # fmt: skip


def sent_by(user: Any) -> QuerySet[Import]:
    """What somebody sent, without its text."""
    return Import.objects.filter(user_id=user.pk).select_related("campaign", "scenario").defer("content")
