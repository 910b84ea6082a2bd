"""Addresses of the site. Those of campaigns begin with /c/."""

from django.urls import path

from web import (
    urls_accounts,
    urls_battle,
    urls_nation,
    urls_notices,
    urls_people,
    urls_pictures,
    urls_posts,
    urls_report,
    urls_scenarios,
    urls_sheets,
    urls_table,
)
from web.views import demo, front, language

urlpatterns = [
    path("", front.front, name="front"),
    path("language/", language.choose, name="language"),
    path("demonstration/<int:pk>/", demo.become, name="become"),
    *urls_people.urlpatterns,
    *urls_accounts.urlpatterns,
    *urls_battle.urlpatterns,
    *urls_report.urlpatterns,
    *urls_posts.urlpatterns,
    *urls_table.urlpatterns,
    *urls_nation.urlpatterns,
    *urls_notices.urlpatterns,
    *urls_sheets.urlpatterns,
    *urls_scenarios.urlpatterns,
    *urls_pictures.urlpatterns,
]
