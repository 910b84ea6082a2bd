"""Addresses of files: sheets of a campaign, shipped scenarios."""

from django.urls import path

from web.views import found, packed, sheets

urlpatterns = [
    path("c/<str:ref>/n/<str:seat>/ledger.csv", sheets.ledger, name="ledger_sheet"),
    path("c/<str:ref>/pack.zip", packed.pack, name="pack"),
    path("c/<str:ref>/pack/", packed.waits, name="pack_waits"),
    path("c/<str:ref>/log.csv", sheets.log, name="log_sheet"),
    path("c/<str:ref>/dice.csv", sheets.dice, name="dice_sheet"),
    path("scenarios/<slug:title>/<slug:key>.json", found.scenario, name="scenario"),
]
