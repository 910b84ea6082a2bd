"""Views of talk and of the press."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_http_methods, require_safe

from campaign import founding
from campaign.errors import NoSuchEntry, NotAllowed, NotNow, Refused
from campaign.log.talk import proclaim, report_press
from talk import selectors, services
from talk.models import Conversation, Message
from talk.selectors import NoSuchThread, Reader
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.table import TableContext
from web.talk.forms import (
    MessageForm,
    PageQuery,
    ProclamationForm,
    ReportPressForm,
    SightForm,
    StartForm,
)
from web.talk.page import Draft
from web.talk.page import talk_page as threads_of
from web.talk.parties import reader_of
from web.talk.press import press_page as press_of
from web.talk.text_file import messages_text
from web.talk.thread import thread_page as thread_of


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def talk_page(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Show the reader's threads and the form for a new message.

    A POST writes the message, or changes the rule on what the game master may read.
    """
    reader = reader_of(table)
    if request.method != "POST":
        return show_threads(request, table, reader, draft_of_address(request))
    try:
        if "sight" in request.POST:
            return change_sight(request, table)
        form = MessageForm(request.POST)
        message = write(table, form, form.recipients, form.seat_key)
    except (Refused, NotNow, NoSuchEntry) as error:
        draft = typed_draft(request, str(error))
        return show_threads(request, table, reader, draft, status=error.status)
    return see_other(f"{table.url('talk_thread', message.conversation.key)}#m{message.number}")


def show_threads(
    request: HttpRequest, table: TableContext, reader: Reader, draft: Draft, status: int = 200
) -> HttpResponse:
    """Show the reader's threads, with the typed data in the form for a new message."""
    page = threads_of(table, reader, draft)
    return show(request, table, "talk/talk.html", {"page": page}, tab="talk", status=status)


def draft_of_address(request: HttpRequest) -> Draft:
    """Return the message that an address suggests with `?to=` and `?quote=`."""
    form = StartForm(request.GET)
    form.is_valid()
    return Draft(recipients=form.cleaned_data["to"], quoted=form.cleaned_data["quote"])


def typed_draft(request: HttpRequest, error: str) -> Draft:
    """Return the typed message with its error."""
    form, asked = MessageForm(request.POST), draft_of_address(request)
    return Draft(
        recipients=form.recipients or asked.recipients,
        voice=form.seat_key,
        text=form.message,
        quoted=asked.quoted if form.entry is None else form.entry,
        error=error,
    )


def change_sight(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Change the rule on what the game master may read."""
    form = SightForm(request.POST)
    form.is_valid()
    founding.change_sight(table.campaign, table.user, form.cleaned_data["sight"])
    messages.success(request, _("The rule applies from now on. Everyone is notified."))
    return see_other(table.url("talk"))


def write(table: TableContext, form: MessageForm, to: list[str], seat: str) -> Message:
    """Write a message to these seats on behalf of a seat."""
    return services.write(
        table.campaign, table.user, to, form.message, seat=seat, quoted=form.entry
    )


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def thread_page(request: HttpRequest, table: TableContext, key: str) -> HttpResponseBase:
    """Show the messages of a thread. A POST answers or mutes it."""
    reader = reader_of(table)
    error, status = "", 200
    try:
        thread = selectors.thread_of(reader, key)
        if request.method == "POST":
            try:
                return see_other(do_in_thread(request, table, reader, thread))
            except (Refused, NotNow, NoSuchEntry) as refusal:
                error, status = str(refusal), refusal.status
    except NoSuchThread as missing:
        raise Http404 from missing
    typed = typed_draft(request, error)
    page = thread_of(
        table,
        reader,
        thread,
        before=PageQuery(request.GET).number_of("before"),
        quoted=typed.quoted,
        text=typed.text if error else "",
        error=error,
        marks_read=request.method == "GET",
    )
    return show(request, table, "talk/thread.html", {"page": page}, tab="talk", status=status)


def do_in_thread(
    request: HttpRequest, table: TableContext, reader: Reader, thread: Conversation
) -> str:
    """Process a form of a thread; return the address of the next page."""
    page_url, do = table.url("talk_thread", thread.key), form_key(request)
    if do in ("mute", "unmute"):
        services.mute(reader, thread, do == "mute")
        return page_url
    if not reader.takes_part_in(thread):
        raise NoSuchThread
    form = MessageForm(request.POST)
    voices = reader.voices_in(thread)
    seat = form.seat_key or voices[0]
    if seat not in voices:
        raise Refused("not-your-seat", _("This is not your seat."))
    to = [services.TO_WHOLE_TABLE] if thread.is_whole_table else list(thread.seats)
    return f"{page_url}#m{write(table, form, to, seat).number}"


@require_safe
@campaign_page
def messages_file(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Send all messages that the reader may read here, as a single text file."""
    text = messages_text(table, reader_of(table))
    answer = HttpResponse(text, content_type="text/plain; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{table.campaign.address}-talk.txt"'
    return answer


# Press


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def press_page(request: HttpRequest, table: TableContext) -> HttpResponseBase:
    """Show the proclamations, the latest first.

    A POST publishes a proclamation, or sets whether the report of a turn includes them.
    """
    if table.campaign.programs:
        raise Http404
    error, status = "", 200
    if request.method == "POST":
        must_be_signed_in(request)
        try:
            return publish(request, table)
        except (Refused, NotNow) as refusal:
            error, status = str(refusal), refusal.status
    before = PageQuery(request.GET).number_of("before")
    page = press_of(table, before, ProclamationForm(request.POST), error)
    return show(request, table, "talk/press.html", {"page": page}, tab="press", status=status)


def must_be_signed_in(request: HttpRequest) -> None:
    """Raise `NotAllowed` for a reader without an account."""
    if not request.user.is_authenticated:
        text = _("Only people with a seat at this table, and the game master, can write here.")
        raise NotAllowed("not-at-the-table", text)


def publish(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Publish a proclamation, or set whether the report of a turn includes them."""
    if form_key(request) == "report":
        report_press(table.campaign, table.user, ReportPressForm(request.POST).is_on)
        messages.success(request, pgettext("notice", "Saved."))
        return see_other(table.url("press"))
    cleaned_data = ProclamationForm(request.POST).cleaned_data
    entry = proclaim(
        table.campaign,
        table.user,
        cleaned_data["headline"],
        cleaned_data["text"],
        cleaned_data["seat"],
    )
    messages.success(request, _("You have published the proclamation. Everyone can read it."))
    return see_other(f"{table.url('press')}#e{entry.number}")
