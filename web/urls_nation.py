"""Addresses of a nation's page and of moves."""

from django.urls import path

from web.views import announce, handover, linked, looks, nation, orders, plan, standing

urlpatterns = [
    path("c/<str:ref>/n/<str:seat>/", nation.nation, name="nation"),
    path("c/<str:ref>/n/<str:seat>/plan/", plan.plan, name="plan"),
    path("c/<str:ref>/n/<str:seat>/notes/", handover.notes, name="seat_notes"),
    path("c/<str:ref>/n/<str:seat>/handover/", handover.handover, name="handover"),
    path("c/<str:ref>/n/<str:seat>/standing/", standing.standing, name="standing"),
    path("c/<str:ref>/n/<str:seat>/look/", looks.look, name="look"),
    path("c/<str:ref>/n/<str:seat>/looks/", looks.looks, name="looks"),
    path("c/<str:ref>/move/", announce.announce, name="announce"),
    path("c/<str:ref>/preview/", announce.preview, name="preview"),
    path("c/<str:ref>/e/<int:number>/link/", linked.link, name="link"),
    path("c/<str:ref>/orders/", orders.orders, name="orders"),
    path("c/<str:ref>/undo/", announce.undo, name="undo"),
]
