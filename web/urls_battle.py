"""Addresses of battles and of the game master's desk."""

from django.urls import path

from web.views import battle, desk

urlpatterns = [
    path("c/<str:ref>/battles/", battle.battles, name="battles"),
    path("c/<str:ref>/b/<int:number>/", battle.battle, name="battle"),
    path("c/<str:ref>/desk/", desk.desk, name="desk"),
]
