"""The views of threads, for game masters. Credentials are typed here and never shown."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods

from campaign.errors import TableError
from forum import services
from forum.boards import Topic, Transport, TransportError
from forum.boards.registry import transport, transports
from forum.models import Thread
from forum.posts import first_post, outbox, reports, sending, threads
from forum.posts.threads import WrongSetting
from outgoing import OutsideError
from web.forum.common import refusals_as_messages
from web.forum.posts.rows import must_be_host
from web.forum.threads.forms import FirstPostForm, ThreadForm
from web.forum.threads.page import thread_page, ways_page
from web.frame import requests, throttle
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.table import TableContext


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def new(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Set up a thread: first its transport (`?transport=`), then its address."""
    must_be_host(table)
    form_data = request.POST if request.method == "POST" else request.GET
    way = transports().get(form_data.get("transport", ""))
    if way is None:
        page = ways_page(table)
        return show(request, table, "forum/thread_new.html", {"page": page}, tab="reports")
    if request.method != "POST":
        return show_form(request, table, way, ThreadForm(way, table.campaign))
    if not requests.first_time(request):  # two threads of one place would post everything twice
        return see_other(table.url("posts"))
    return set_up(request, table, way)


def set_up(request: HttpRequest, table: TableContext, way: Transport) -> HttpResponse:
    """Set up the thread of a form, and draft the announcement if it has not been made."""
    form = ThreadForm(way, table.campaign, request.POST)
    try:
        thread = services.set_up(table.campaign, table.user, transport=way.key, **form.settings())
    except WrongSetting as error:
        requests.allow_again(request)
        form.show_error(error.field, str(error))
        return show_form(request, table, way, form)
    except TableError as error:
        requests.allow_again(request)
        if error.status == 403:
            raise
        messages.error(request, str(error))
        return see_other(table.url("posts"))
    if reports.may_announce(table.campaign) and reports.reporter(table.campaign) is not None:
        services.draft(table.campaign, table.user, thread, reports.ANNOUNCEMENT)
    if way.automatic:
        messages.success(request, _("The thread has been set up. Now test it with a test post."))
        return see_other(table.url("thread", thread.pk))
    messages.success(request, _("The thread has been set up."))
    return see_other(table.url("posts"))


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def thread(request: HttpRequest, table: TableContext, pk: int) -> HttpResponse:
    """Show one thread; a POST saves, checks, tests, unlocks or removes it."""
    must_be_host(table)
    place = outbox.thread(table.campaign, pk)
    way = transports().get(place.transport) if place is not None else None
    if place is None or way is None:
        raise Http404
    if request.method != "POST":
        form = ThreadForm(way, table.campaign, thread=place)
        return show_form(request, table, way, form, place)
    do = form_key(request)
    if do == "save":
        return save(request, table, way, place)
    if do in ("test", "check"):
        refusal = throttle.mail(request, throttle.CHANNEL, str(table.user.pk))
        if refusal:
            return refusal
    back, action = table.url("thread", place.pk), ACTIONS.get(do)
    if action is not None:
        with refusals_as_messages(request):
            back = action(request, table, place)
    return see_other(back)


def save(request: HttpRequest, table: TableContext, way: Transport, place: Thread) -> HttpResponse:
    """Change the settings of a thread."""
    form = ThreadForm(way, table.campaign, request.POST, thread=place)
    settings = form.settings()
    try:
        services.change(place, table.user, **settings, active=form.cleaned_data["active"])
    except WrongSetting as error:
        form.show_error(error.field, str(error))
        return show_form(request, table, way, form, place)
    messages.success(request, pgettext("notice", "Saved."))
    return see_other(table.url("thread", place.pk))


def show_form(
    request: HttpRequest,
    table: TableContext,
    way: Transport,
    form: ThreadForm,
    place: Thread | None = None,
) -> HttpResponse:
    """Show the form of a thread."""
    page = thread_page(table, way, form, place)
    status = 422 if form.errors else 200
    return show(request, table, "forum/thread.html", {"page": page}, tab="reports", status=status)


# Actions of the other buttons. Each returns the address of the next page.


def test(request: HttpRequest, table: TableContext, place: Thread) -> str:
    """Make a test post."""
    post = services.try_out(place, table.user)
    messages.success(request, _("The test post has been created."))
    return table.url("post", post.number)


def check(request: HttpRequest, table: TableContext, place: Thread) -> str:
    """Show what the board says about the topic. Nothing is posted."""
    try:
        topic = sending.show_topic(place, table.user)
    except (TransportError, OutsideError) as error:
        messages.error(request, str(error))
    else:
        show_topic(request, place, topic)
    return table.url("thread", place.pk)


def show_topic(request: HttpRequest, place: Thread, topic: Topic) -> None:
    """Show the name of a topic, and whether posts get there."""
    board = topic.board or threads.place_name(topic.address)
    facts = {"board": board, "topic": topic.title, "why": topic.refusal}
    if topic.refusal:
        text = _("{board}: {topic}. This account cannot reply there: {why}")
        messages.warning(request, text.format(**facts))
        return
    if transport(place.transport).automatic:
        text = _("{board}: {topic}. This account can reply there.")
    else:
        text = _("{board}: {topic}. Guests can read it.")
    messages.success(request, text.format(**facts))


def keep_first_post(request: HttpRequest, table: TableContext, place: Thread) -> str:
    """Keep the first post of the thread up to date."""
    form = FirstPostForm(request.POST)
    form.is_valid()
    first_post.keep(place, table.user, form.cleaned_data["link"])
    messages.success(
        request, _("The program will update the first post on the board within a minute.")
    )
    return table.url("thread", place.pk)


def update_first_post(request: HttpRequest, table: TableContext, place: Thread) -> str:
    """Change the first post of the thread now."""
    if first_post.update_now(place, table.user):
        text = _("The program will update the first post on the board within a minute.")
    else:
        text = _("The first post on the board is up to date.")
    messages.success(request, text)
    return table.url("thread", place.pk)


def stop_first_post(request: HttpRequest, table: TableContext, place: Thread) -> str:
    """Leave the first post of the thread as it is."""
    first_post.stop(place, table.user)
    messages.success(request, _("The program will no longer update the first post on the board."))
    return table.url("thread", place.pk)


def unlock(request: HttpRequest, table: TableContext, place: Thread) -> str:
    """Let posts go to a thread that has refused them."""
    services.unlock(place, table.user)
    messages.success(request, _("The program will try once more within a minute."))
    return table.url("thread", place.pk)


def remove(request: HttpRequest, table: TableContext, place: Thread) -> str:
    """Remove a thread and its credentials."""
    services.remove(place, table.user)
    text = _("The thread and its credentials have been removed. Earlier posts stay recorded here.")
    messages.success(request, text)
    return table.url("posts")


ACTIONS: dict[str, Callable[[HttpRequest, TableContext, Thread], str]] = {
    "test": test,
    "check": check,
    "unlock": unlock,
    "remove": remove,
    "keep_first": keep_first_post,
    "update_first": update_first_post,
    "stop_first": stop_first_post,
}
