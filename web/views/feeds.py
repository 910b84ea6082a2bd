"""What a reader of feeds or a calendar fetches: no session, the token in the address says whose it is."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from notices import deadlines as listed
from notices import selectors
from notices.calendar import calendar
from notices.contents import still_his
from notices.letters import read_by
from notices.models import Feed
from notices.services import feeds as services
from notices.times import absolute

MOST = 50


def _owner(token: str, what: str) -> Any:
    """Whose feed it is; 404 where the token opens none, whether it was revoked or never was one."""
    feed = services.opened(token, what)
    if feed is None:
        raise Http404
    return feed.user


def _private(body: str, form: str) -> HttpResponse:
    response = HttpResponse(body, content_type=f"{form}; charset=utf-8")
    response.headers["Cache-Control"] = "private, max-age=300"
    response.headers["X-Robots-Tag"] = "noindex"
    return response


class Atom(Atom1Feed):
    """With the time of the newest notice, not that of the asking: a feed that says nothing new is the same."""

    newest: datetime | None = None

    def latest_post_date(self) -> datetime:
        return self.newest or super().latest_post_date()


@require_safe
def notices(request: HttpRequest, token: str) -> HttpResponse:
    """The newest notices, struck ones said to be so. `read` ones too: a feed keeps what it told."""
    user = _owner(token, Feed.What.NOTICES)
    site = f"{request.scheme}://{request.get_host()}"
    with read_by(user.language, user.time_zone):
        told = selectors.told(still_his(user, selectors.notices(user)[:MOST]))
        feed = Atom(
            title=_("Notices of %(name)s at Tabula") % {"name": user.username}, link=site + reverse("notices"), description="",
            language=user.language or None, feed_guid=f"tag:{request.get_host().split(':')[0]},2026:notices/{user.pk}",
        )  # fmt: skip
        for one in told:
            heading = _("[%(campaign)s] %(title)s") % {"campaign": one.notice.campaign.name, "title": one.title}
            lines = [line for line in (one.struck, one.body, absolute(one.notice.at)) if line]
            feed.add_item(
                title=heading, link=site + reverse("notice", args=(one.notice.pk,)), description="\n".join(lines),
                unique_id=f"tag:{request.get_host().split(':')[0]},2026:notice/{one.notice.pk}",
                pubdate=one.notice.at, updateddate=one.notice.at, author_name=one.notice.campaign.name,
            )  # fmt: skip
        feed.newest = told[0].notice.at if told else user.date_joined
        return _private(feed.writeString("utf-8"), "application/atom+xml")


@require_safe
def deadlines(request: HttpRequest, token: str) -> HttpResponse:
    """The deadlines that run for him, and those of his campaigns' turns; `?all=1` everybody's, where he is game master."""
    user = _owner(token, Feed.What.DEADLINES)
    site, host = f"{request.scheme}://{request.get_host()}", request.get_host().split(":")[0]
    with read_by(user.language, user.time_zone):
        events = listed.of_person(user, site, host, everybody=request.GET.get("all") == "1")
        name = _("Deadlines of %(name)s at Tabula") % {"name": user.username}
        return _private(calendar(name, events, timezone.now()), "text/calendar")
