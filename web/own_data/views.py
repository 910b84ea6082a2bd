"""Views of the file with all data stored about a user."""

from __future__ import annotations

import logging

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.views.decorators.http import require_http_methods, require_safe

from people.models import OwnDataExport, User
from web.account.access import own_user
from web.frame import throttle
from web.frame.reauthentication import signed_in_lately
from web.own_data import storage
from web.own_data.page import SECONDS_BETWEEN_LOOKS, own_data_page
from web.tasks import make_own_data

log = logging.getLogger(__name__)
LIMIT = throttle.Limit("own-data", address=30, person=6)


@login_required
@signed_in_lately
@require_http_methods(["GET", "HEAD", "POST"])
def own_data(request: HttpRequest) -> HttpResponse:
    """Show the progress of the file. A POST requests it."""
    user = own_user(request)
    row = OwnDataExport.objects.filter(user=user).first()
    if request.method == "POST":
        return ask_for_file(request, user, row)
    page = own_data_page(current_row(row))
    answer = render(request, "own_data/own_data.html", {"page": page})
    if page.is_made:
        answer.headers["Refresh"] = str(SECONDS_BETWEEN_LOOKS)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def ask_for_file(request: HttpRequest, user: User, row: OwnDataExport | None) -> HttpResponse:
    """Request the file, unless it is already being made."""
    if row is None or can_be_made_anew(row):
        if refusal := throttle.spend(request, LIMIT, f"user {user.pk}"):
            return throttle.refused(request, refusal)
        leave_to_worker(user, translation.get_language() or "en")
    return redirect("own_data")


def can_be_made_anew(row: OwnDataExport) -> bool:
    """Return whether the file is ready, has failed, or its worker has died."""
    is_silent = timezone.now() - row.asked_at > storage.SILENCE
    return row.ready_at is not None or row.failed or is_silent


def current_row(row: OwnDataExport | None) -> OwnDataExport | None:
    """Return the row, up to date.

    A file that no worker has begun is made here, and a file that is too old is removed.
    """
    if row is None:
        return None
    if is_left_alone(row):
        storage.make(row.pk)
        row.refresh_from_db()
    if row.ready_at is not None and timezone.now() - row.ready_at > storage.LIFETIME:
        storage.remove(row)
        return None
    return row


def is_left_alone(row: OwnDataExport) -> bool:
    """Return whether no worker has begun to make the file in time."""
    is_waiting = row.ready_at is None and row.heartbeat_at is None
    return is_waiting and timezone.now() - row.asked_at > storage.PATIENCE


def leave_to_worker(user: User, language: str) -> None:
    """Ask the worker for the file. Earlier files of the user are removed."""
    row = storage.new_row(user, language)
    try:
        make_own_data.apply_async((row.pk,), retry=False)
    # The broker or its client may raise anything; then the page makes the file itself.
    except Exception as error:
        log.warning("A file of own data was not queued: %s", error)


@login_required
@signed_in_lately
@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """Send the file."""
    user = own_user(request)
    rows = OwnDataExport.objects.filter(user=user, ready_at__gt=timezone.now() - storage.LIFETIME)
    row = rows.first()
    content = storage.content_of(row) if row is not None else None
    if content is None:
        raise Http404
    answer = HttpResponse(content, content_type="application/zip")
    answer.headers["Content-Disposition"] = 'attachment; filename="tabula-my-data.zip"'
    answer.headers["Cache-Control"] = "private, no-store"
    return answer
