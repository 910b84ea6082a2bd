"""Addresses of the reader's notices."""

from django.urls import path

from web.views import notices

urlpatterns = [
    path("notices/", notices.notices, name="notices"),
    path("notices/read/", notices.read, name="notices_read"),
    path("notices/<int:pk>/", notices.opened, name="notice"),
    path("c/<str:ref>/notices/", notices.of_campaign, name="campaign_notices"),
]
