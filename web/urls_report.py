"""Addresses of the reports: their list, and each by its key: turn-3, slot-3-huns, battle-16."""

from django.urls import path

from web.views import report

urlpatterns = [
    path("c/<str:ref>/reports/", report.reports, name="reports"),
    path("c/<str:ref>/reports/<slug:key>/", report.report, name="report"),
]
