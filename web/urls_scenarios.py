"""Scenarios before they are played."""

from django.urls import path

from web.views import shelf

urlpatterns = [
    path("scenarios/", shelf.library, name="scenarios"),
    path("scenarios/new/", shelf.new, name="scenario_new"),
    path("scenarios/<slug:title>/<slug:key>/", shelf.shipped, name="scenario_shipped"),
    path("scenarios/<slug:title>/<slug:key>/drawing.json", shelf.drawing, name="scenario_drawing"),
    path("scenarios/<slug:ref>/", shelf.shown, name="scenario_shown"),
    path("scenarios/<slug:ref>.json", shelf.file, name="scenario_file"),
]
