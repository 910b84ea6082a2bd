"""Ends somebody's letters without signing in: by one click of a mail program (RFC 8058), or on the page behind the link."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from notices.channels import mail
from notices.services import channels as services


@csrf_exempt  # a mail program has no page of ours open; the token is what says it may
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Looking changes nothing: programs that look at links before a person does unsubscribe nobody. Letters end here or grow
    fewer; to have them sent again one signs in."""
    channel = mail.of_token(token)
    if channel is None:
        raise Http404
    done = ""
    if request.method == "POST":
        one_click = request.POST.get("List-Unsubscribe") == "One-Click"
        done = "off" if one_click else request.POST.get("do", "")
        if done == "off":
            services.switch(channel, on=False)
        elif done == "digest":
            services.digest_only(channel)
        channel.refresh_from_db()
    response = render(request, "notices/unsubscribe.html", {"channel": channel, "done": done, "token": token})
    response.headers["Cache-Control"] = "private, no-store"
    return response
