"""Choosing the language of pages: for this browser, and for good where somebody is signed in."""

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from people.models import User
from web.onward import onward


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    language = request.POST.get("language", "")
    if language not in dict(settings.LANGUAGES):
        raise BadRequest(_("There are no pages in this language."))
    if isinstance(request.user, User):
        request.user.language = language
        request.user.save(update_fields=["language"])
    answer = redirect(onward(request) or "front")
    answer.set_cookie(
        settings.LANGUAGE_COOKIE_NAME,
        language,
        max_age=settings.LANGUAGE_COOKIE_AGE,
        secure=settings.LANGUAGE_COOKIE_SECURE,
        httponly=settings.LANGUAGE_COOKIE_HTTPONLY,
        samesite="Lax",
    )
    return answer
