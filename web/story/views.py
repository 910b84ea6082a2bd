"""The view of the story, a page for outsiders."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from web.frame.campaign_page import campaign_page, show
from web.frame.table import TableContext
from web.story.page import story_page


@require_safe
@campaign_page
def story(request: HttpRequest, table: TableContext) -> HttpResponse:
    """Show the story so far."""
    page = story_page(table)
    return show(request, table, "story/story.html", {"page": page}, tab="story")
