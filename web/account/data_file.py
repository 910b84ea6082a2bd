"""The page on which a user has everything that is kept about them made as a file."""

from __future__ import annotations

import base64
import logging
import secrets
from dataclasses import dataclass
from datetime import datetime

from cryptography.fernet import InvalidToken
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from campaign import keys
from people.models import OwnData, User
from web import own_data
from web.account.access import user_of
from web.frame import files, throttle
from web.frame.reauthentication import signed_in_lately
from web.frame.sentences import with_times
from web.tasks import make_own_data
from web.templatetags.tabula import when

log = logging.getLogger(__name__)
SECONDS_BETWEEN_LOOKS = 3
LIMIT = throttle.Limit("own-data", address=30, person=6)


@dataclass(frozen=True, slots=True)
class DataFilePage:
    """How far the file is."""

    has_failed: bool
    ready_at: datetime | None
    is_made: bool
    """Whether it is being made, or waits for that."""
    done: int
    parts: int

    @property
    def is_ready(self) -> bool:
        return self.ready_at is not None

    @property
    def ready_text(self) -> str:
        """Return when the file was made, and until when it can be downloaded."""
        assert self.ready_at is not None
        text = _("The file was made %(at)s. It can be taken until %(until)s, then it is removed.")
        return with_times(text, at=when(self.ready_at), until=when(self.ready_at + own_data.DAY))

    @property
    def progress_text(self) -> str:
        if not self.parts:
            return _("It waits for its turn.")
        return _("%(done)s of %(of)s parts") % {"done": self.done, "of": self.parts}

    @property
    def again_text(self) -> str:
        text = _("This page looks again every %(again)s seconds.")
        return text % {"again": SECONDS_BETWEEN_LOOKS}

    @property
    def verb(self) -> str:
        return _("Make it anew") if self.is_ready else _("Make the file")


def data_file_page(row: OwnData | None) -> DataFilePage:
    """Return how far the file is; `row` is None if there is none."""
    if row is None:
        return DataFilePage(has_failed=False, ready_at=None, is_made=False, done=0, parts=0)
    return DataFilePage(
        has_failed=row.failed,
        ready_at=row.ready_at,
        is_made=row.ready_at is None and not row.failed,
        done=row.done,
        parts=row.of,
    )


def own_user(request: HttpRequest) -> User:
    """Return the user, who must have an account of their own."""
    user = user_of(request)
    if user.guest or user.demo:
        raise PermissionDenied(_("This is for people with an account of their own."))
    return user


@login_required
@signed_in_lately
@require_http_methods(["GET", "HEAD", "POST"])
def data(request: HttpRequest) -> HttpResponse:
    """Show how far the file is. A POST has it made."""
    user = own_user(request)
    row = OwnData.objects.filter(user=user).first()
    if request.method == "POST":
        return ask_for_file(request, user, row)
    row = current_row(row)
    page = data_file_page(row)
    answer = render(request, "moderation/own_data.html", {"page": page})
    if page.is_made:
        answer.headers["Refresh"] = str(SECONDS_BETWEEN_LOOKS)
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def ask_for_file(request: HttpRequest, user: User, row: OwnData | None) -> HttpResponse:
    """Have the file made, unless it is being made."""
    if row is None or can_be_made_anew(row):
        if refusal := throttle.spend(request, LIMIT, f"user {user.pk}"):
            return throttle.refused(request, refusal)
        leave_to_worker(user, translation.get_language() or "en")
    return redirect("own_data")


def can_be_made_anew(row: OwnData) -> bool:
    """Return whether the file is ready, or has failed, or its worker has died."""
    is_silent = timezone.now() - row.asked_at > own_data.SILENCE
    return row.ready_at is not None or row.failed or is_silent


def current_row(row: OwnData | None) -> OwnData | None:
    """Return the row after what is due was done.

    A file that no worker begins is made here, and one that is too old is removed.
    """
    now = timezone.now()
    if row is not None and is_left_alone(row, now):
        own_data.make(row.pk)
        row.refresh_from_db()
    if row is not None and row.ready_at is not None and now - row.ready_at > own_data.DAY:
        own_data.remove(row)
        return None
    return row


def is_left_alone(row: OwnData, now: datetime) -> bool:
    """Return whether no worker has begun to make a file."""
    is_waiting = row.ready_at is None and row.heard_at is None
    return is_waiting and now - row.asked_at > own_data.PATIENCE


def leave_to_worker(user: User, language: str) -> None:
    """Ask the worker for the file. Earlier files of the user are removed."""
    for old in OwnData.objects.filter(user=user):
        own_data.remove(old)
    row = OwnData.objects.create(
        user=user, key=secrets.token_hex(16), language=language, asked_at=timezone.now()
    )
    try:
        make_own_data.apply_async((row.pk,), retry=False)
    except Exception as error:  # whatever the broker or its client raises: the page makes it itself
        log.warning("Nobody takes a file of own data: %s", error)


@login_required
@signed_in_lately
@require_safe
def download(request: HttpRequest) -> HttpResponse:
    """Answer with the file."""
    user = own_user(request)
    row = OwnData.objects.filter(user=user, ready_at__gt=timezone.now() - own_data.DAY).first()
    content = unsealed(row) if row is not None else None
    if content is None:
        raise Http404
    answer = HttpResponse(content, content_type="application/zip")
    answer.headers["Content-Disposition"] = 'attachment; filename="tabula-my-data.zip"'
    answer.headers["Cache-Control"] = "private, no-store"
    return answer


def unsealed(row: OwnData) -> bytes | None:
    """Return the content of a file; None if the installation has another key since."""
    sealed = files.content(own_data.file_of(row))
    try:
        return base64.b64decode(keys.unseal(sealed.decode())) if sealed is not None else None
    except InvalidToken:
        return None
