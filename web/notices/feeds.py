"""The addresses that feed readers and calendars fetch.

There is no session: the token in the address identifies the owner of the feed.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.utils.translation import pgettext
from django.views.decorators.http import require_safe

from notices import selectors, services
from notices.calendar import calendar, events_of_user
from notices.channels.mail import reading_as
from notices.deadlines import absolute_time
from notices.delivery import still_allowed
from notices.models import FeedAddress
from notices.wording import NoticeInWords, notices_in_words
from people.models import User

MOST_NOTICES = 50


class Atom(Atom1Feed):
    """A feed with the time of its newest notice, so that it stays the same without news."""

    newest: datetime | None = None

    def latest_post_date(self) -> datetime:
        return self.newest or super().latest_post_date()


@require_safe
def notices_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Send the newest notices, including read ones; struck ones are marked."""
    user = owner_or_404(token, FeedAddress.Kind.NOTICES)
    with reading_as(user.language, user.time_zone):
        rows = still_allowed(user, selectors.notices(user)[:MOST_NOTICES])
        feed = atom(request, user, notices_in_words(rows))
        return private(feed.writeString("utf-8"), "application/atom+xml")


def owner_or_404(token: str, what: str) -> User:
    """Return the owner of a feed. A revoked token gets the same answer as an unknown one."""
    feed = services.find_feed(token, what)
    if feed is None:
        raise Http404
    return feed.user


def atom(request: HttpRequest, user: User, notices: Sequence[NoticeInWords]) -> Atom:
    """Return a feed with these notices."""
    site = f"{request.scheme}://{request.get_host()}"
    tag = f"tag:{host_of(request)},2026"
    feed = Atom(
        title=_("Notices of %(name)s at Tabula") % {"name": user.username},
        link=site + reverse("notices"),
        description="",
        language=user.language or None,
        feed_guid=f"{tag}:notices/{user.pk}",
    )
    for notice in notices:
        row = notice.notice
        names = {"campaign": row.campaign.name, "title": notice.title}
        lines = [line for line in (notice.struck, notice.body, absolute_time(row.at)) if line]
        feed.add_item(
            title=pgettext("heading", "[%(campaign)s] %(title)s") % names,
            link=site + reverse("notice", args=(row.pk,)),
            description="\n".join(lines),
            unique_id=f"{tag}:notice/{row.pk}",
            pubdate=row.at,
            updateddate=row.at,
            author_name=row.campaign.name,
        )
    feed.newest = notices[0].notice.at if notices else user.date_joined
    return feed


def host_of(request: HttpRequest) -> str:
    """Return the host of the site without its port."""
    return request.get_host().split(":")[0]


@require_safe
def deadlines_feed(request: HttpRequest, token: str) -> HttpResponse:
    """Send the deadlines of a user and of their campaigns' turns.

    `?all=1` adds everyone's deadlines in the campaigns where the user is game master.
    """
    user = owner_or_404(token, FeedAddress.Kind.DEADLINES)
    site, everyone = f"{request.scheme}://{request.get_host()}", request.GET.get("all") == "1"
    with reading_as(user.language, user.time_zone):
        events = events_of_user(user, site, host_of(request), of_everyone=everyone)
        name = _("Deadlines of %(name)s at Tabula") % {"name": user.username}
        return private(calendar(name, events, timezone.now()), "text/calendar")


def private(body: str, form: str) -> HttpResponse:
    """Return an answer that only its reader may cache."""
    response = HttpResponse(body, content_type=f"{form}; charset=utf-8")
    response.headers["Cache-Control"] = "private, max-age=300"
    response.headers["X-Robots-Tag"] = "noindex"
    return response
