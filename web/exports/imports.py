"""A record out of what somebody sends: the record itself, or an audit pack, of which nothing but the record is read."""

from __future__ import annotations

import zipfile
import zlib
from io import BytesIO
from pathlib import PurePosixPath
from typing import IO, Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from campaign import imports
from campaign.errors import Refused, TableError
from campaign.imports import LARGEST
from campaign.models import Campaign, Import
from campaign.scenarios import LONGEST_DRAWING
from campaign.seats.seating import solo
from people import services as people_services
from people.validators import zones
from web.exports.packs import DRAWING, MEMBER
from web.shell import throttle
from web.shell.campaign_page import address, see_other
from web.tasks import ask_to_take_over

MOST = 2_000
"""Files in a pack: ours has a page a turn and a picture an entry at most."""
ENTRY = b"PK\x01\x02"
"""Before each file in a pack's list."""
HEAVIEST = 100_000_000
"""Bytes of a pack, packed."""


def record_of(sent: IO[bytes] | Any, size: int) -> bytes:
    """The record in a file, with the drawing of a pack that has one (`importing.BOTH`).

    Raises `Refused` for what is too large, no pack of ours, or built to harm: nothing is ever unpacked to a disk, and no
    more is read than a record may have.
    """
    head = sent.read(4)
    sent.seek(0)
    if not head.startswith(b"PK"):
        if size > LARGEST:
            raise Refused("too-large", _("The record has more than 20 MB."))
        return sent.read(LARGEST + 1)
    if size > HEAVIEST:
        raise Refused("too-large", _("The pack has more than 100 MB."))
    packed = sent.read()
    if packed.count(ENTRY) > MOST:  # to read a list of millions takes a gigabyte
        raise Refused("no-pack", _("This is not an audit pack: it has too many files."))
    try:
        with zipfile.ZipFile(BytesIO(packed)) as pack:
            return _with_drawing(pack, _member(pack))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError, ValueError, zlib.error):
        raise Refused("no-pack", _("The pack is damaged or has a password.")) from None


def _member(pack: zipfile.ZipFile) -> bytes:
    members = pack.infolist()
    for one in members:
        path = PurePosixPath(one.filename.replace("\\", "/"))
        if path.is_absolute() or ".." in path.parts or ":" in one.filename or (one.external_attr >> 16) & 0o170000 == 0o120000:
            raise Refused("no-pack", _("This is not an audit pack: a file in it would lie outside of it."))
    named = [one for one in members if one.filename == MEMBER]
    if len(named) != 1:
        raise Refused("no-pack", _("This is not an audit pack: it has no %(name)s.") % {"name": MEMBER})
    return _unpacked(pack, named[0], LARGEST, _("The record has more than 20 MB."))


def _unpacked(pack: zipfile.ZipFile, one: zipfile.ZipInfo, most: int, otherwise: str) -> bytes:
    """The bytes of a member, `most` of them; `otherwise` says that there are more."""
    if one.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):  # the others are unpacked whole before any is read
        raise Refused("no-pack", _("The pack is packed in a way that cannot be read here. Pack it as a plain zip."))
    if one.file_size > most:
        raise Refused("too-large", otherwise)
    with pack.open(one) as member:
        text = member.read(most + 1)  # what it says of its size is not believed
    if len(text) > most:
        raise Refused("too-large", otherwise)
    return text


def _with_drawing(pack: zipfile.ZipFile, record: bytes) -> bytes:
    """The record and the campaign's own map as one text; the record alone where the pack has none."""
    named = [one for one in pack.infolist() if one.filename == DRAWING]
    if not named:
        return record
    drawing = _unpacked(pack, named[-1], LONGEST_DRAWING, _("The pack’s %(name)s is too large.") % {"name": DRAWING})
    return b'{"drawing":' + drawing + b',"record":' + record + b"}"


# A campaign founded from a record or an audit pack: the form, and the page that tells how far it is; that of a scenario,
# too.

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
    if people_services.is_guest(request.user) and request.method == "POST":
        raise PermissionDenied(_("A guest plays alone. Make an account first: what you have goes with you."))
    errors: dict[str, str] = {}
    if request.method == "POST":
        if wait := throttle.spend(request, throttle.REIGN, f"user {request.user.pk}"):
            return throttle.refused(request, wait)
        data = request.POST
        try:
            sent = _sent(request)
            row, new = imports.store_upload(
                request.user, sent, data.get("name", ""), data.get("time_zone", ""), data.get("visibility", "")
            )
        except TableError as refused:
            errors[FIELDS.get(refused.code, "record")] = str(refused)
        else:
            if new:
                ask_to_take_over(row.pk)
            return see_other(reverse("import_run", args=[row.pk]))
    return render(request, "exports/import.html", _context(request, errors), status=422 if errors else 200)


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
    result, faults, there = row.campaign or row.scenario, row.fault_list, ""
    if row.campaign is not None:
        there = address("table" if solo(row.campaign) else "seats", row.campaign.address)
    elif row.scenario is not None:
        there = reverse("scenario_shown", args=[row.scenario.public_id])
    context = {
        "row": row, "made": result, "there": there, "faults": faults[:SHOWN], "more": max(0, len(faults) - SHOWN), "again": AGAIN,
        "untaken": imports.untaken(row, timezone.now()), "resumed": row.attempt > 1,
        "scenario": row.kind == Import.Kind.SCENARIO, "minutes": max(1, round(settings.IMPORT_SECONDS / 60)),
    }  # fmt: skip
    answer = render(request, "exports/import_run.html", context)
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
