"""Views of the help page, the guides and the legal pages."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from web.account.access import user_of
from web.frame.requests import inside_this_site
from web.help.forms import AgreementForm
from web.help.guides import guide_page
from web.help.legal import NAMES, agree, agreement_page, legal_page, must_agree
from web.help.page import help_page


@require_safe
def help_view(request: HttpRequest) -> HttpResponse:
    """Show the first steps in the reader's newest campaigns, the glossary, and the guides."""
    return render(request, "help/help.html", {"page": help_page(request.user)})


@require_safe
def guide(request: HttpRequest, key: str) -> HttpResponse:
    """Show a guide."""
    page = guide_page(key)
    if page is None:
        raise Http404
    return render(request, "help/guide.html", {"page": page})


@require_safe
def legal(request: HttpRequest, key: str) -> HttpResponse:
    """Show the terms or the privacy page."""
    if key not in NAMES:
        raise Http404
    return render(request, "help/legal.html", {"page": legal_page(key)})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def agreement(request: HttpRequest) -> HttpResponse:
    """Show changed terms. A POST agrees to them."""
    user = user_of(request)
    form = AgreementForm(request.GET.dict() | request.POST.dict())
    next_url = inside_this_site(request, form.next_address()) or reverse("front")
    if request.method == "POST":
        agree(user)
        return redirect(next_url)
    if not must_agree(user):
        return redirect(next_url)
    return render(request, "help/agreement.html", {"page": agreement_page(next_url)})
