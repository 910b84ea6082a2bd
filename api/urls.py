"""Addresses of the interface for programs, below /api/."""

from django.urls import path, re_path

from api import acts, campaigns, docs, founding, moderation, moves, sheets, talk, tending, urls_reads
from api.docs import SchemaView

app_name = "api"

resources = [
    path("v1/campaigns/<str:ref>/", campaigns.CampaignView.as_view(), name="campaign"),
    path("v1/campaigns/<str:ref>/offers/", moves.OffersView.as_view(), name="offers"),
    path("v1/campaigns/<str:ref>/preview/", moves.PreviewView.as_view(), name="preview"),
    path("v1/campaigns/<str:ref>/moves/", moves.MovesView.as_view(), name="moves"),
    path("v1/campaigns/<str:ref>/undo/", moves.UndoView.as_view(), name="undo"),
    path("v1/campaigns/<str:ref>/restore/", moves.RestoreView.as_view(), name="restore"),
    path("v1/campaigns/<str:ref>/battles/<int:number>/acts/", acts.BattleActsView.as_view(), name="battle_acts"),
    path("v1/campaigns/<str:ref>/log/<int:number>/countersign/", acts.CountersignView.as_view(), name="countersign"),
    path("v1/campaigns/<str:ref>/log/<int:number>/link/", acts.LinkView.as_view(), name="link"),
    path("v1/campaigns/<str:ref>/clocks/extend/", acts.ExtendView.as_view(), name="extend"),
    path("v1/campaigns/<str:ref>/dice/given/", acts.DieView.as_view(), name="die"),
    path("v1/campaigns/<str:ref>/dice/by-hand/", acts.ByHandView.as_view(), name="by_hand"),
    path("v1/campaigns/<str:ref>/dice/mixing/", acts.MixingView.as_view(), name="mixing"),
    path("v1/campaigns/<str:ref>/dice/dropped/", acts.DropView.as_view(), name="drop"),
    path("v1/campaigns/<str:ref>/talk/", acts.TalkView.as_view(), name="talk"),
    path("v1/campaigns/<str:ref>/messages/", talk.MessagesView.as_view(), name="messages"),
    path("v1/campaigns/<str:ref>/messages/<slug:key>/", talk.MessagesOfView.as_view(), name="messages_of"),
    path("v1/campaigns/<str:ref>/messages/<slug:key>/acts/", talk.MessageActsView.as_view(), name="message_acts"),
    path("v1/campaigns/<str:ref>/press/", talk.PressView.as_view(), name="press"),
    path("v1/campaigns/<str:ref>/rulings/", tending.RulingsView.as_view(), name="rulings"),
    path("v1/campaigns/<str:ref>/amendments/", tending.AmendmentsView.as_view(), name="amendments"),
    path("v1/campaigns/<str:ref>/amendments/<int:number>/", tending.AmendmentView.as_view(), name="amendment"),
    path("v1/campaigns/<str:ref>/sheet/", sheets.SheetView.as_view(), name="sheet"),
    path("v1/campaigns/<str:ref>/sheet/check/", sheets.SheetCheckView.as_view(), name="sheet_check"),
    path("v1/campaigns/<str:ref>/clocks/terms/", tending.TermsOfClocksView.as_view(), name="clock_terms"),
    path("v1/campaigns/<str:ref>/life/", tending.LifeView.as_view(), name="life"),
    path("v1/campaigns/<str:ref>/invitations/", founding.InvitationsView.as_view(), name="invitations"),
    path("v1/campaigns/<str:ref>/invitations/<int:number>/revoke/", founding.RevokeView.as_view(), name="revoke"),
    path("v1/campaigns/<str:ref>/people/acts/", tending.PeopleActsView.as_view(), name="people_acts"),
    path("v1/campaigns/<str:ref>/lobby/acts/", tending.LobbyActsView.as_view(), name="lobby_acts"),
    *urls_reads.resources,
]
"""What there is of one campaign."""

urlpatterns = [
    path("docs/", docs.docs, name="docs"),
    path("v1/", campaigns.RootView.as_view(), name="root"),
    path("v1/schema/", SchemaView.as_view(), name="schema"),
    path("v1/imports/", founding.ImportsView.as_view(), name="imports"),
    path("v1/imports/<int:number>/", founding.ImportView.as_view(), name="import"),
    path("v1/invitations/", founding.TakeView.as_view(), name="take"),
    path("v1/me/", campaigns.MeView.as_view(), name="me"),
    path("v1/reports/", moderation.TextReportsView.as_view(), name="text_reports"),
    path("v1/campaigns/", founding.FoundView.as_view(), name="campaigns"),
    *resources,
    *urls_reads.others,
    re_path(r"^v1/.*$", docs.NowhereView.as_view(), name="nowhere"),
]
