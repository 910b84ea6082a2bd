"""Addresses of the table: founding, joining, the table itself, its log, seats and dice, the rules."""

from django.urls import path

from web.views import about, dice, found, founding, hall, history, join, live, lobby, log, play, played, rules, seats, table, talk

urlpatterns = [
    path("found/", founding.choose, name="found"),
    path("play/<slug:title>/", play.play, name="play"),
    path("hall/<slug:title>/", hall.hall, name="hall"),
    path("join/", join.invitation, name="invitation"),
    path("join/<str:token>/", join.join, name="join"),
    path("lobby/", lobby.lobbies, name="lobbies"),
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:title>/", rules.rules, name="rules"),
    path("c/<str:ref>/", table.table, name="table"),
    path("c/<str:ref>/act/", played.act, name="act"),
    path("c/<str:ref>/onward/", played.onward, name="onward"),
    path("c/<str:ref>/live/", live.moved, name="live"),
    path("c/<str:ref>/talk/", talk.say, name="talk"),
    path("c/<str:ref>/log/", log.log, name="log"),
    path("c/<str:ref>/history/", history.history, name="history"),
    path("c/<str:ref>/e/<int:number>/", log.entry, name="entry"),
    path("c/<str:ref>/seats/", seats.seats, name="seats"),
    path("c/<str:ref>/about/", about.about, name="about"),
    path("c/<str:ref>/lobby/", lobby.lobby, name="lobby"),
    path("c/<str:ref>/terms/", found.terms, name="terms"),
    path("c/<str:ref>/dice/", dice.dice, name="dice"),
    path("c/<str:ref>/dice/rolls.json", dice.rolls, name="rolls_file"),
]
