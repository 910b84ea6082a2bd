"""The views of the outbox and of its posts, for the campaign's game masters."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods

from campaign.errors import Refused
from forum import services
from forum.models import Post, Thread
from forum.posts import outbox, reports
from forum.posts.outbox import OutboxReport, State, is_automatic
from web.forum.common import refusals_as_messages
from web.forum.posts.forms import (
    AddressForm,
    DraftForm,
    FrequencyForm,
    OutboxQuery,
    PartForm,
    SelectionForm,
)
from web.forum.posts.page import mark_of, outbox_page
from web.forum.posts.post import post_page
from web.forum.posts.rows import must_be_host
from web.forum.threads.set_up import set_up_thread
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.table import TableContext

# All posts


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def posts(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the outbox. A POST drafts a report, changes several posts, or sets the frequency.

    `?at=` is the mark of the page that the browser has: without a change the answer is 204.
    """
    must_be_host(table)
    if request.method == "POST":
        return change_outbox(request, table)
    wholes, query = outbox.outbox_reports(table.campaign), OutboxQuery(request.GET)
    if query.text_of("at") == mark_of(wholes):
        return HttpResponse(status=204)
    page = outbox_page(table, wholes, query.text_of("show"), query.text_of("report"))
    return show(request, table, "forum/posts.html", {"page": page}, tab="reports")


def change_outbox(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Do the action of a form of the outbox; without `do`, draft a report."""
    action = OUTBOX_ACTIONS.get(form_key(request))
    with refusals_as_messages(request):
        if action is None:
            return see_other(table.url("post", draft(table, request.POST).number))
        messages.success(request, action(table, request.POST))
    return see_other(table.url("posts"))


def draft(table: TableContext, post_data: QueryDict) -> Post:
    """Draft a report for a thread."""
    form = DraftForm(post_data)
    form.is_valid()
    thread = chosen_thread(table, form)
    if thread is None:
        raise Refused("no-thread", _("Choose where to post the report."))
    return services.draft(table.campaign, table.user, thread, form.cleaned_data["report"])


def chosen_thread(table: TableContext, form: DraftForm) -> Thread | None:
    """Return the thread that a form names, or the only one if it names none."""
    if not form.names_thread:
        threads = outbox.threads(table.campaign)
        return threads[0] if len(threads) == 1 else None
    number = form.cleaned_data["thread"]
    return outbox.thread(table.campaign, number) if number is not None else None


def mark_as_posted(table: TableContext, post_data: QueryDict) -> str:
    """Record one link for all selected posts."""
    form = SelectionForm(post_data)
    form.is_valid()
    numbers, link = form.cleaned_data["post"], form.cleaned_data["link"]
    changed = services.record_posted_together(table.campaign, table.user, numbers, link)
    text = ngettext(
        "%(count)s post has been marked as posted.",
        "%(count)s posts have been marked as posted.",
        len(changed),
    )
    return text % {"count": len(changed)}


def skip(table: TableContext, post_data: QueryDict) -> str:
    """Skip all selected posts."""
    form = SelectionForm(post_data)
    form.is_valid()
    skipped = services.skip_together(table.campaign, table.user, form.cleaned_data["post"])
    text = ngettext(
        "%(count)s post has been skipped.", "%(count)s posts have been skipped.", len(skipped)
    )
    return text % {"count": len(skipped)}


def set_frequency(table: TableContext, post_data: QueryDict) -> str:
    """Set how often the campaign posts."""
    form = FrequencyForm(post_data)
    form.is_valid()
    services.set_frequency(table.campaign, table.user, form.cleaned_data["frequency"])
    return _("Saved. This applies from the next report on.")


def use_thread(table: TableContext, post_data: QueryDict) -> str:
    """Set up a thread to which the user copies reports, and draft the report that is due."""
    form = AddressForm(post_data)
    form.is_valid()
    thread = set_up_thread(table.campaign, table.user, form.cleaned_data["address"])
    due = reports.due_in_new_thread(reports.contents(table.campaign))
    if due is not None:
        services.draft(table.campaign, table.user, thread, due.key)
    return _("Saved. From now on reports are drafted for this thread.")


OUTBOX_ACTIONS: dict[str, Callable[[TableContext, QueryDict], str]] = {
    "posted": mark_as_posted,
    "aside": skip,
    "frequency": set_frequency,
    "place": use_thread,
}

# One post


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def post(request: HttpRequest, table: TableContext, number: int) -> HttpResponse:
    """Show one report for a thread; a POST changes one of its parts."""
    must_be_host(table)
    whole = outbox.outbox_report(table.campaign, number)
    if whole is None:
        thread = outbox.thread_of_first_post(table.campaign, number)
        if thread is None:
            raise Http404
        return see_other(table.url("thread", thread))
    if request.method == "POST":
        return change_post(request, table, whole)
    page = post_page(table, whole, is_impatient=bool(request.GET.get("now")))
    return show(request, table, "forum/post.html", {"page": page}, tab="reports")


def change_post(request: HttpRequest, table: TableContext, whole: OutboxReport) -> HttpResponse:
    """Do the action of a form of a post. A script that copies stays on its page."""
    form = PartForm(request.POST)
    form.is_valid()
    part = next((post for post in whole.parts if post.part == form.part_number), whole.head)
    action = POST_ACTIONS.get(form_key(request))
    if action is not None:
        with refusals_as_messages(request):
            messages.success(request, action(table, part, form))
    if request.headers.get("X-Requested-With") == "fetch":
        return HttpResponse(status=204)
    if form.returns_to_outbox:
        return see_other(table.url("posts"))
    return see_other(table.url("post", whole.head.number))


def make_ready(table: TableContext, part: Post, form: PartForm) -> str:
    services.mark_ready(part, table.user)
    if is_automatic(part.thread):
        return _("It will be sent within a minute.")
    return _("The text can no longer change.")


def note_copy(table: TableContext, part: Post, form: PartForm) -> str:
    services.record_copy(part, table.user, part=form.part_number)
    return _(
        "The text can no longer change. Copy it, post it, and enter the link of the post here."
    )


def note_link(table: TableContext, part: Post, form: PartForm) -> str:
    services.record_posted(part, table.user, form.cleaned_data["link"], part=form.part_number)
    return _("Marked as posted.")


def note_absence(table: TableContext, part: Post, form: PartForm) -> str:
    after = services.record_absent(part, table.user)
    if after.state == State.READY:
        return _("It will be sent again.")
    return _("It will not be sent again: the moves it reports have been undone.")


def try_again(table: TableContext, part: Post, form: PartForm) -> str:
    services.retry(part, table.user)
    return _("The program will try again within a minute.")


def make_draft_again(table: TableContext, part: Post, form: PartForm) -> str:
    services.return_to_draft(part, table.user)
    return _("It is a draft again: its text is created from the log each time.")


def take_back_link(table: TableContext, part: Post, form: PartForm) -> str:
    services.undo_posted(part, table.user)
    return _("Marked as not posted. It is waiting for its link.")


def skip_post(table: TableContext, part: Post, form: PartForm) -> str:
    services.skip(part, table.user)
    return _("Skipped. You can restore it.")


def bring_back(table: TableContext, part: Post, form: PartForm) -> str:
    services.resume_post(part, table.user)
    return _("Restored.")


def change_there(table: TableContext, part: Post, form: PartForm) -> str:
    services.edit(part, table.user)
    return _("The post will be changed there within a minute.")


def leave_there(table: TableContext, part: Post, form: PartForm) -> str:
    services.cancel_edit(part, table.user)
    return _("The post there will not be changed.")


POST_ACTIONS: dict[str, Callable[[TableContext, Post, PartForm], str]] = {
    "ready": make_ready,
    "copied": note_copy,
    "posted": note_link,
    "absent": note_absence,
    "again": try_again,
    "unready": make_draft_again,
    "unposted": take_back_link,
    "aside": skip_post,
    "back": bring_back,
    "edit": change_there,
    "keep": leave_there,
}
"""The action on a part of a report for each value of `do`. Each returns the message for the user.
"""
