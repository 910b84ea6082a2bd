"""Where a campaign is told: set up, changed, tried out. For its game masters; credentials are typed here and never shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings as site
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign.errors import TableError
from engine.strict_json import whole
from forum import kinds, selectors, services, tones
from forum.dialects import DIALECTS
from forum.models import Thread
from forum.services.places import LEAST, WrongSetting
from forum.transports import Transport, transports
from web import once, throttle
from web.views.common import TableContext, campaign_page, see_other, show
from web.views.posts import must_be_host

PREFIX = "set-"
"""Of the fields that a transport asks for."""


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def new(request: HttpRequest, table: TableContext) -> HttpResponse:
    """First how the posts get there, then where there is: `?transport=` is what was chosen."""
    must_be_host(table)
    key = (request.POST if request.method == "POST" else request.GET).get("transport", "")
    way = transports().get(key)
    if way is None:
        ways = [{"one": one, "url": f"{table.url('new_thread')}?transport={one.key}"} for one in transports().values()]
        return show(request, table, "campaign/thread_new.html", {"ways": ways, "posts_url": table.url("posts")}, here="reports")
    typed: dict[str, Any] = {
        "name": "", "dialect": way.dialect, "language": get_language() or "en", "limit": "", "tone": "",
        "at_once": False, "active": True,
        "kinds": kinds.usual(table.campaign), "settings": {},
    }  # fmt: skip
    if request.method != "POST":
        return _form(request, table, way, typed)
    typed = _typed(request, way)
    if not once.first(request):  # two threads of one place would post everything twice
        return see_other(table.url("posts"))
    try:
        made = services.set_up(table.campaign, table.user, transport=way.key, **_given(typed))
    except WrongSetting as error:
        once.forget(request)
        return _form(request, table, way, typed, error)
    except TableError as error:
        once.forget(request)
        if error.status == 403:
            raise
        messages.error(request, str(error))
        return see_other(table.url("posts"))
    messages.success(request, _("Set up. Now try it out with a test post.") if way.automatic else _("Set up."))
    return see_other(table.url("thread", made.pk) if way.automatic else table.url("posts"))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def thread(request: HttpRequest, table: TableContext, pk: int) -> HttpResponse:
    """One place: `do` of a POST is save, test, unlock, remove."""
    must_be_host(table)
    found = selectors.thread(table.campaign, pk)
    way = transports().get(found.transport) if found is not None else None
    if found is None or way is None:
        raise Http404
    if request.method != "POST":
        typed = {
            "name": found.name, "dialect": found.dialect, "language": found.language, "limit": found.limit or "",
            "tone": found.tone,
            "at_once": found.at_once, "active": found.active, "kinds": found.drafted, "settings": found.told,
        }  # fmt: skip
        return _form(request, table, way, typed, thread=found)
    do = request.POST.get("do", "")
    if do == "save":
        typed = _typed(request, way)
        try:
            services.change(found, table.user, **_given(typed), active=bool(typed["active"]))
        except WrongSetting as error:
            return _form(request, table, way, typed, error, found)
        messages.success(request, _("Saved."))
        return see_other(table.url("thread", found.pk))
    if do == "test" and (refusal := throttle.mail(request, throttle.CHANNEL, str(table.user.pk))):
        return refusal
    return _do(request, table, found, do)


def _do(request: HttpRequest, table: TableContext, found: Thread, do: str) -> HttpResponse:
    back = table.url("thread", found.pk)
    try:
        if do == "test":
            made = services.try_out(found, table.user)
            messages.success(request, _("The test post is made."))
            back = table.url("post", made.number)
        elif do == "unlock":
            services.unlock(found, table.user)
            messages.success(request, _("It is tried again, once, within a minute."))
        elif do == "remove":
            services.remove(found, table.user)
            messages.success(request, _("Removed, and its credentials with it. What was posted stays told here."))
            back = table.url("posts")
    except TableError as error:
        if error.status == 403:
            raise
        messages.error(request, str(error))
    return see_other(back)


def _typed(request: HttpRequest, way: Transport) -> dict[str, Any]:
    said = request.POST
    return {
        "name": said.get("name", ""), "dialect": said.get("dialect", ""), "language": said.get("language", ""),
        "limit": said.get("limit", "").strip(), "tone": said.get("tone", ""),
        "at_once": said.get("at_once") == "on", "active": said.get("active") == "on",
        "kinds": said.getlist("kinds"), "settings": {need.key: said.get(PREFIX + need.key, "") for need in way.needs},
    }  # fmt: skip


def _given(typed: Mapping[str, Any]) -> dict[str, Any]:
    """As the services want it. A limit that is no number is one that nobody may choose."""
    limit = whole(typed["limit"]) if typed["limit"] else None
    return {
        **{key: typed[key] for key in ("name", "settings", "dialect", "language", "kinds", "at_once", "tone")},
        "limit": -1 if typed["limit"] and limit is None else limit,
    }


def _form(
    request: HttpRequest,
    table: TableContext,
    way: Transport,
    typed: Mapping[str, Any],
    wrong: WrongSetting | None = None,
    thread: Thread | None = None,
) -> HttpResponse:
    errors = {wrong.field: str(wrong)} if wrong else {}
    needs = [
        {
            "need": need, "name": PREFIX + need.key, "error": errors.get(need.key, ""),
            "value": "" if need.secret else typed["settings"].get(need.key, ""),
            "kept": need.secret and thread is not None and bool(thread.sealed),
        }
        for need in way.needs
    ]  # fmt: skip
    context = {
        "way": way, "typed": typed, "needs": needs, "errors": errors, "thread": thread, "least": LEAST,
        "dialects": [(key, one.name, one.key == way.dialect) for key, one in DIALECTS.items()],
        "languages": site.LANGUAGES, "tones": [(key, str(name).split(": ", 1)[0]) for key, name in tones.TONES.items()],
        "offered": [(kind, kinds.NAMES[kind]) for kind in kinds.offered(table.campaign)],
        "posts_url": table.url("posts"), "new_url": table.url("new_thread"),
    }  # fmt: skip
    return show(request, table, "campaign/thread.html", context, here="reports", status=422 if wrong else 200)
