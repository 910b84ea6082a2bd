"""Addresses of what accounts came to: charts over the log, the ledger that adds up."""

from django.urls import path

from web.views import charts, ledger, sheets

urlpatterns = [
    path("c/<str:ref>/charts/", charts.charts, name="charts"),
    path("c/<str:ref>/ledger/", ledger.ledger, name="ledger"),
    path("c/<str:ref>/ledger.csv", sheets.ledgers, name="ledger_file"),
]
