"""Views of a post of a thread: its lines are read, announced as moves, or set aside."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from campaign.models import Campaign
from forum import post_lines
from forum.models import ImportedPost
from forum.post_lines import DecidedLine, Decision
from web.frame.campaign_page import see_other, show
from web.frame.raw_forms import form_key
from web.frame.requests import since
from web.frame.table import TableContext
from web.typed_moves.announcing import announce_moves, confirm_count, note_access
from web.typed_moves.post import PostForm, ReadPost, read_post
from web.typed_moves.post_page import counts_text, post_page
from web.typed_moves.reader import post_of, seat_of


def read_post_lines(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the lines of a post, or announce them or set them aside according to `do`."""
    form = PostForm(request.POST)
    post = post_of(table, form.number)
    seat = seat_of(table, post.author)
    if not seat or post.post is not None or not table.access.speaks_for(seat):
        raise PermissionDenied(_("This is not your seat."))
    if post.gone_at is not None:
        messages.warning(request, _("This post was deleted on its board. Nothing was announced."))
        return see_other(f"{table.url('heard')}#p{post.pk}")
    act = ACTS.get(form_key(request), show_lines)
    return act(request, table, post, form)


def show_lines(
    request: HttpRequest, table: TableContext, post: ImportedPost, form: PostForm
) -> HttpResponse:
    """Show the open lines; a line that the user has set aside is decided first."""
    if form.line_aside:
        post = post_lines.decide(post, [DecidedLine(form.line_aside, Decision.ASIDE)])
    lines = read_post(table, post, form.lines)
    note_access(table, [reading for line in lines.lines for reading in line.readings])
    return show_page(request, table, lines)


def show_page(request: HttpRequest, table: TableContext, lines: ReadPost) -> HttpResponse:
    context = {"page": post_page(table, lines)}
    return show(request, table, "typed_moves/post.html", context, tab="orders")


def announce(
    request: HttpRequest, table: TableContext, post: ImportedPost, form: PostForm
) -> HttpResponse:
    """Announce the understood moves, up to a question, a die or a refusal.

    Nothing is announced if a line has been decided or a move has been made since the page was
    shown, because the user has not seen what the lines mean now.
    """
    lines = read_post(table, post, form.lines)
    note_access(table, lines.moves)
    moved = since(table, form.seen_entry) if 0 <= form.seen_entry <= table.seen else []
    if lines.is_stale or moved:
        messages.warning(
            request,
            _(
                "The position has changed. No move has been announced; the lines have been read "
                "again."
            ),
        )
        return show_page(request, table, lines)
    done = announce_moves(table, lines.moves, form.seen_entry, None)
    post = post_lines.decide(post, lines.decisions_after(done.count))
    if done.count:
        confirm_count(request, done.count)
    if done.why:
        messages.warning(request, _("The next move was refused: %(why)s") % {"why": done.why})
    now = TableContext(request, Campaign.objects.get(pk=table.campaign.pk), table.access)
    rest = read_post(now, post, lines.open_after(done.count))
    if rest.is_finished and done.count:
        post_lines.set_aside(post)
        messages.success(request, counts_text(lines))
        return see_other(f"{table.url('heard')}#p{post.pk}")
    return show_page(request, now, rest)


def finish(
    request: HttpRequest, table: TableContext, post: ImportedPost, form: PostForm
) -> HttpResponse:
    """Set all open lines aside, so that the post counts as read."""
    post_lines.set_aside(post)
    return see_other(f"{table.url('heard')}#p{post.pk}")


def reopen(
    request: HttpRequest, table: TableContext, post: ImportedPost, form: PostForm
) -> HttpResponse:
    """Show the lines again that were set aside."""
    return show_lines(request, table, post_lines.reopen(post), form)


Act = Callable[[HttpRequest, TableContext, ImportedPost, PostForm], HttpResponse]
ACTS: Mapping[str, Act] = {"announce": announce, "finish": finish, "reopen": reopen}
