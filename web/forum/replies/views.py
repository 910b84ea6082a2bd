"""The view of the replies, for all members. Game masters choose the threads."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from campaign import access
from forum import post_lines, reading, services
from forum.models import Thread
from web.forum.common import refusals_as_messages
from web.forum.replies.forms import FollowingForm, RepliesQuery, ReplyForm
from web.forum.replies.page import replies_page
from web.frame.campaign_page import campaign_page, see_other, show
from web.frame.raw_forms import form_key
from web.frame.table import TableContext
from web.typed_moves.reader import post_of, seat_of


@require_http_methods(["GET", "HEAD", "POST"])
@campaign_page
def replies(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the replies; `?page=` counts from 1, the newest. A POST takes a post or a thread."""
    if not table.access.member:
        raise PermissionDenied(_("Only members of this campaign can read this page."))
    if request.method == "POST":
        if form_key(request) in ("read", "aside"):
            return take_post(request, table)
        return follow(request, table)
    query = RepliesQuery(request.GET)
    if not query.is_valid() or query.number < 1:
        raise Http404
    page = replies_page(table, query.number)
    return show(request, table, "forum/replies.html", {"page": page}, tab="reports")


def take_post(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Set a post aside, or pass its form on to the page that reads its lines as moves."""
    form = ReplyForm(request.POST)
    form.is_valid()
    post = post_of(table, form.cleaned_data["post"])
    seat = seat_of(table, post.author)
    if not seat or post.post is not None or not table.access.speaks_for(seat):
        raise PermissionDenied(_("This is not your seat."))
    if form.cleaned_data["do"] == "aside":
        post_lines.set_aside(post)
        return see_other(f"{table.url('heard')}#p{post.pk}")
    answer = HttpResponse(status=307)  # sends the same form to the page that reads moves
    answer["Location"] = table.url("orders")
    return answer


def follow(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Follow a thread, stop following it, or try again after an error."""
    table.must_be_host()
    access.must_have_account(table.user)
    form = FollowingForm(request.POST)
    form.is_valid()
    thread, do = thread_or_404(table, form.cleaned_data["thread"]), form_key(request)
    if do not in ("follow", "stop", "again"):
        raise Http404
    with refusals_as_messages(request):
        if do == "again":
            services.read_again(thread, table.user)
            text = _("The program will try again within a minute.")
        else:
            is_followed, is_shown = do == "follow", form.cleaned_data["shown"]
            services.set_following(thread, table.user, active=is_followed, shown=is_shown)
            text = _("The thread is no longer read.")
            if is_followed:
                text = _("The thread will be read every 15 minutes.")
        messages.success(request, text)
    return see_other(table.url("heard"))


def thread_or_404(table: TableContext, number: int | None) -> Thread:
    """Return the thread with this id, if it can be followed. Raises `Http404`."""
    for place in reading.followable_threads(table.campaign):
        if place.thread.pk == number:
            return place.thread
    raise Http404
