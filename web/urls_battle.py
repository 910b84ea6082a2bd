"""Addresses of battles, of the game master's desk and what is countersigned, of the record."""

from django.urls import path

from web.views import battle, claim, countersign, desk, record, remedies

urlpatterns = [
    path("c/<str:ref>/battles/", battle.battles, name="battles"),
    path("c/<str:ref>/b/<int:number>/", battle.battle, name="battle"),
    path("c/<str:ref>/b/<int:number>/evidence/<int:entry>/", claim.evidence, name="evidence"),
    path("c/<str:ref>/desk/", desk.desk, name="desk"),
    path("c/<str:ref>/desk/away/<str:seat>/", remedies.remedies, name="remedies"),
    path("c/<str:ref>/e/<int:number>/countersign/", countersign.countersign, name="countersign"),
    path("c/<str:ref>/record.json", record.record, name="record"),
]
