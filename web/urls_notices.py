"""Addresses of the reader's notices, and of what brings them elsewhere."""

from django.urls import path

from web.views import channels, feeds, notices, told, unsubscribe, webhooks

urlpatterns = [
    path("notices/", notices.notices, name="notices"),
    path("notices/read/", notices.read, name="notices_read"),
    path("notices/<int:pk>/", notices.opened, name="notice"),
    path("me/notices/", told.told, name="told"),
    path("unsubscribe/<str:token>/", unsubscribe.unsubscribe, name="unsubscribe"),
    path("feed/<str:token>/notices.atom", feeds.notices, name="feed_notices"),
    path("feed/<str:token>/deadlines.ics", feeds.deadlines, name="feed_deadlines"),
    path("c/<str:ref>/notices/", notices.of_campaign, name="campaign_notices"),
    path("c/<str:ref>/channels/", channels.channels, name="channels"),
    path("c/<str:ref>/webhooks/", webhooks.webhooks, name="webhooks"),
]
