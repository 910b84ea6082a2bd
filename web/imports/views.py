"""Views that found a campaign from a record or an audit pack, and show the progress."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone

from campaign import imports
from campaign.errors import TableError
from campaign.models import ImportJob
from people.models import User
from web.frame import throttle
from web.frame.campaign_page import see_other
from web.frame.guests import refuse_guest
from web.imports.forms import RecordForm
from web.imports.page import NO_ERRORS, FormErrors, errors_of, import_page, imports_of
from web.imports.work import AGAIN, address_of_shapes, result_url, work_page
from web.tasks import ask_to_take_over

REFUSED = 422


@login_required
def import_record(request: HttpRequest) -> HttpResponse:
    """Show the form, or store the upload and redirect to its page."""
    form = RecordForm(request.POST, request.FILES)
    if request.method != "POST":
        return show_form(request, form, NO_ERRORS)
    refuse_guest(request)
    wait = throttle.spend(request, throttle.REIGN, f"user {request.user.pk}")
    if wait:
        return throttle.refused(request, wait)
    try:
        row, is_new = imports.store_upload(
            request.user,
            form.record(),
            form.text_of("name"),
            form.text_of("time_zone"),
            form.text_of("visibility"),
        )
    except TableError as refusal:
        return show_form(request, form, errors_of(refusal.code, str(refusal)), REFUSED)
    if is_new:
        ask_to_take_over(row.pk)
    return see_other(reverse("import_run", args=[row.pk]))


def show_form(
    request: HttpRequest, form: RecordForm, errors: FormErrors, status: int = 200
) -> HttpResponse:
    page = import_page(cast(User, request.user), form, errors)
    return render(request, "imports/import.html", {"page": page}, status=status)


@login_required
def run(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the progress or the result of an import; on POST do the work if no worker has."""
    row = imports_of(cast(User, request.user)).filter(pk=pk).first()
    if row is None:
        raise Http404
    if request.method == "POST":
        if imports.waits_for_worker(row, timezone.now()):
            imports.work(row.pk)
        return redirect("import_run", pk=row.pk)
    if row.kind == ImportJob.Kind.SHAPES and row.state == ImportJob.State.FOUNDED:
        return redirect(address_of_shapes(row))
    answer = render(request, "imports/run.html", {"page": work_page(row)})
    url = result_url(row)
    if row.open:
        answer.headers["Refresh"] = str(AGAIN)
    elif url:
        answer.headers["Refresh"] = f"{AGAIN}; url={url}"
    answer.headers["Cache-Control"] = "no-store, private"
    return answer
