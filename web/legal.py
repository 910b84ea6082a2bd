"""The terms and the privacy page: the host's own Markdown, or ours, which says what this software keeps."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe
from markdown_it import MarkdownIt

from people.models import User
from web.shell.requests import inside_this_site

PAGES: dict[str, Any] = {"terms": gettext_lazy("Terms"), "privacy": gettext_lazy("Privacy")}
CONTACT = "{contact}"
"""In a text, in whose place the host's contact stands."""


@require_safe
def page(request: HttpRequest, key: str) -> HttpResponse:
    """The host's text, whatever language it is in; ours is in English."""
    if key not in PAGES:
        raise Http404
    own = settings.TERMS_FILE if key == "terms" else settings.PRIVACY_FILE
    context = {
        "name": PAGES[key], "text": text_of(key), "version": settings.TERMS_VERSION, "contact": settings.CONTACT, "key": key,
        "english": not own and get_language() != "en", "others": {one: name for one, name in PAGES.items() if one != key},
    }  # fmt: skip
    return render(request, "moderation/legal.html", context)


def text_of(key: str) -> SafeString:
    own = settings.TERMS_FILE if key == "terms" else settings.PRIVACY_FILE
    file = Path(own) if own else settings.BASE_DIR / "docs" / "legal" / f"{key}.md"
    return rendered(file, file.stat().st_mtime_ns, settings.CONTACT)


@lru_cache(8)
def rendered(file: Path, changed: int, contact: str) -> SafeString:
    """Markdown as HTML, read anew when the file has `changed`. HTML in it is text, and no link of it runs a script."""
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = parser.parse(file.read_text(encoding="utf-8").replace(CONTACT, contact or "the host of this site"))
    first = next((place for place, token in enumerate(tokens) if token.type == "heading_close" and token.tag == "h1"), -1)
    return SafeString(parser.renderer.render(tokens[first + 1 :], parser.options, {}))


# Agreeing. Who signs up agrees by that; when the version changes, people are asked again where the host says so.


def agree(user: User) -> None:
    """They agree to the terms of now."""
    User.objects.filter(pk=user.pk).update(terms_version=settings.TERMS_VERSION, terms_at=timezone.now())
    user.terms_version = settings.TERMS_VERSION


def must_agree(user: Any) -> bool:
    """Is this person asked before they go on?"""
    if not settings.TERMS_ASK_AGAIN or not user.is_authenticated or user.guest or user.demo:
        return False
    return bool(user.terms_version != settings.TERMS_VERSION)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def ask(request: HttpRequest) -> HttpResponse:
    """The terms have changed: who goes on here agrees to them."""
    user: Any = request.user
    onward = inside_this_site(request, request.POST.get("next") or request.GET.get("next", "")) or reverse("front")
    if request.method == "POST":
        agree(user)
        return redirect(onward)
    if not must_agree(user):
        return redirect(onward)
    context = {"version": settings.TERMS_VERSION, "text": text_of("terms"), "next": onward, "before": user.terms_version}
    return render(request, "moderation/agree.html", context)


FREE = (
    "/terms/",
    "/privacy/",
    "/sign-out/",
    "/me/leave/",
    "/me/data/",
    "/me/again/",
    "/language/",
    "/worker.js",
    "/manifest.webmanifest",
    "/offline/",
    "/api/",
    "/static/",
    "/admin/",
    "/health/",
)
"""Addresses at which nobody is asked: who does not agree takes what is theirs and leaves."""


def asks_again(get_response: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Leads a reader who has not agreed to the terms of now to the page that asks. What they have typed is not lost: only pages
    are held up, no form that is sent."""

    def middleware(request: HttpRequest) -> HttpResponse:
        page_asked = request.method == "GET" and not getattr(request, "htmx", False) and not request.path.startswith(FREE)
        if settings.TERMS_ASK_AGAIN and page_asked and must_agree(request.user):
            return redirect(reverse("agree") + "?" + urlencode({"next": request.get_full_path()}))
        return get_response(request)

    return middleware
