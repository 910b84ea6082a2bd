"""Addresses of the interface for programs, below /api/."""

from django.urls import path, re_path

from api.schema import SchemaView
from api.views import campaigns, docs, nowhere

app_name = "api"

resources = [
    path("v1/campaigns/<str:ref>/", campaigns.CampaignView.as_view(), name="campaign"),
]
"""What there is of one campaign."""

urlpatterns = [
    path("docs/", docs.docs, name="docs"),
    path("v1/", campaigns.RootView.as_view(), name="root"),
    path("v1/schema/", SchemaView.as_view(), name="schema"),
    path("v1/me/", campaigns.MeView.as_view(), name="me"),
    path("v1/campaigns/", campaigns.CampaignsView.as_view(), name="campaigns"),
    *resources,
    re_path(r"^v1/.*$", nowhere.NowhereView.as_view(), name="nowhere"),
]
