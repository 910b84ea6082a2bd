"""Addresses of what is shown to people elsewhere: pictures of the map, the page to share."""

from django.urls import path, re_path

from web.views import picture, story

urlpatterns = [
    path("c/<str:ref>/story/", story.story, name="story"),
    path("c/<str:ref>/map.png", picture.latest, name="map_picture"),
    re_path(r"^c/(?P<ref>[^/]+)/map/(?P<number>[0-9]{1,9})\.(?P<language>en|it)\.png$", picture.after, name="map_picture_at"),
    re_path(r"^c/(?P<ref>[^/]+)/map/(?P<number>[0-9]{1,9})-(?P<digest>[0-9a-f]{24})\.png$", picture.picture, name="picture"),
]
