"""When oneself is away: said, changed, taken back."""

from __future__ import annotations

from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import absences
from campaign.errors import NoSuchEntry, TableError
from campaign.models import Campaign
from campaign.services import absence
from engine.strict_json import whole
from people.absence_form import ALL, SOME, AwayForm
from people.models import Absence, User
from web import throttle
from web.absent import days

SHOWN = 30
FIELDS = {
    "backwards": "last", "past": "last", "too-long": "last", "overlaps": "first", "bad-note": "note", "no-campaign": "campaigns",
}  # fmt: skip
"""Where what is wrong stands in the form."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def absent(request: HttpRequest) -> HttpResponse:
    """The reader's calendar; `?change=N` opens one of it. A guest plays alone: there is nobody to tell."""
    user = cast(User, request.user)
    found, campaigns = absences.mine(user)[:SHOWN], list(absences.where(user))
    if request.method == "POST" and not user.guest:
        return _posted(request, user, found, campaigns)
    opened = _opened(request.GET.get("change", ""), found)
    return _page(request, found, campaigns, _form(opened, campaigns), opened)


def _posted(request: HttpRequest, user: User, found: list[Absence], campaigns: list[Campaign]) -> HttpResponse:
    opened = _opened(request.POST.get("absence", ""), found)
    if request.POST.get("absence") and opened is None:
        raise Http404
    if wait := throttle.spend(request, throttle.ABSENCE, f"user {user.pk}"):
        return throttle.refused(request, wait)
    if request.POST.get("do") == "take-back" and opened is not None:
        absence.take_back(user, opened.pk)
        messages.success(request, _("Taken back. Your campaigns are told."))
        return redirect("absence")
    form = AwayForm(request.POST, known=_known(opened, campaigns))
    if form.is_valid():
        said = form.cleaned_data
        given: dict[str, Any] = {"note": said["note"], "masters_only": said["masters_only"], "campaigns": None}
        if said["whom"] == SOME:
            told = {one.public_id: one for one in [*campaigns, *_told(opened)]}
            given["campaigns"] = [told[key] for key in said["campaigns"]]
        try:
            if opened is None:
                absence.announce(user, said["first"], said["last"], **given)
            else:
                absence.change(user, opened.pk, said["first"], said["last"], **given)
        except NoSuchEntry as error:
            raise Http404 from error
        except TableError as error:
            form.add_error(FIELDS.get(error.code), str(error))
        else:
            messages.success(request, _("Said. Whoever waits for you there sees it."))
            return redirect("absence")
    return _page(request, found, campaigns, form, opened)


def _page(
    request: HttpRequest, found: list[Absence], campaigns: list[Campaign], form: AwayForm, opened: Absence | None
) -> HttpResponse:
    now = timezone.now()
    context = {
        "form": form,
        "opened": opened,
        "absences": [
            {
                "one": one, "days": days(one.first, one.last), "told": [campaign.name for campaign in _told(one)],
                "over": one.ends_at <= now, "now": one.begins_at <= now < one.ends_at,
                "open": opened is not None and one.pk == opened.pk,
            }
            for one in found
        ],
        "campaigns": campaigns,
    }  # fmt: skip
    return render(request, "account/absence.html", context, status=422 if form.errors else 200)


def _form(opened: Absence | None, campaigns: list[Campaign]) -> AwayForm:
    if opened is None:
        return AwayForm(known=_known(None, campaigns))
    initial = {
        "first": opened.first, "last": opened.last, "note": opened.note, "masters_only": opened.masters_only,
        "whom": ALL if opened.everywhere else SOME, "campaigns": [one.public_id for one in _told(opened)],
    }  # fmt: skip
    return AwayForm(initial=initial, known=_known(opened, campaigns))


def _opened(number: str, found: list[Absence]) -> Absence | None:
    """The one of this number that is not over."""
    wanted, now = whole(number), timezone.now()
    return next((one for one in found if one.pk == wanted and one.ends_at > now), None)


def _told(one: Absence | None) -> list[Campaign]:
    """The campaigns that are told where not all are; asked for already."""
    return [] if one is None else [told.campaign for told in one.told.all() if told.dropped_at is None]


def _known(opened: Absence | None, campaigns: list[Campaign]) -> list[tuple[str, str]]:
    return [(key, one.name) for key, one in {one.public_id: one for one in [*campaigns, *_told(opened)]}.items()]
