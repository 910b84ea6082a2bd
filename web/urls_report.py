"""Addresses of what is read: the reports by their keys (turn-3, slot-3-huns, battle-16), rules and rulings of a campaign."""

from django.urls import path

from web.views import heard, report, report_tone, rules, rulings

urlpatterns = [
    path("c/<str:ref>/heard/", heard.heard, name="heard"),
    path("c/<str:ref>/reports/", report.reports, name="reports"),
    path("c/<str:ref>/reports/tone/", report_tone.tone, name="report_tone"),
    path("c/<str:ref>/reports/<slug:key>/", report.report, name="report"),
    path("c/<str:ref>/rules/", rules.of_campaign, name="campaign_rules"),
    path("c/<str:ref>/rulings/", rulings.rulings, name="rulings"),
]
