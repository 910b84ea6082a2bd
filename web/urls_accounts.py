"""Addresses of what accounts came to: charts over the log."""

from django.urls import path

from web.views import charts

urlpatterns = [
    path("c/<str:ref>/charts/", charts.charts, name="charts"),
]
