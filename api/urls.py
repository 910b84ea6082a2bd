"""Addresses of the interface for programs, below /api/."""

from django.urls import path, re_path

from api import (
    acts,
    battles,
    branches,
    campaign_acts,
    campaigns,
    clocks,
    dice,
    dice_acts,
    docs,
    files,
    founding,
    invitations,
    lobby,
    log,
    moderation,
    moves,
    nations,
    notices,
    offers,
    posts,
    ratings,
    reports,
    rewinds,
    rulings,
    seat,
    sheets,
    standing_orders,
    standings,
    table,
    talk,
    titles,
    undo,
)

app_name = "api"

reading = [
    path("v1/campaigns/<str:ref>/lobby/", lobby.LobbyView.as_view(), name="lobby"),
    path("v1/campaigns/<str:ref>/terms/", table.TermsView.as_view(), name="terms"),
    path("v1/campaigns/<str:ref>/position/", table.PositionView.as_view(), name="position"),
    path("v1/campaigns/<str:ref>/standings/", standings.StandingsView.as_view(), name="standings"),
    path("v1/campaigns/<str:ref>/forecast/", standings.ForecastView.as_view(), name="forecast"),
    path("v1/campaigns/<str:ref>/people/", table.PeopleView.as_view(), name="people"),
    path("v1/campaigns/<str:ref>/absences/", table.AbsencesView.as_view(), name="absences"),
    path("v1/campaigns/<str:ref>/clocks/", clocks.ClocksView.as_view(), name="clocks"),
    path("v1/campaigns/<str:ref>/log/", log.LogView.as_view(), name="log"),
    path("v1/campaigns/<str:ref>/log/<int:number>/", log.EntryView.as_view(), name="entry"),
    path("v1/campaigns/<str:ref>/branches/", branches.BranchesView.as_view(), name="branches"),
    path(
        "v1/campaigns/<str:ref>/branches/<int:number>/",
        branches.BranchView.as_view(),
        name="branch",
    ),
    path("v1/campaigns/<str:ref>/rewind/", rewinds.RewindView.as_view(), name="rewind"),
    path("v1/campaigns/<str:ref>/nations/", nations.NationsView.as_view(), name="nations"),
    path(
        "v1/campaigns/<str:ref>/nations/<str:holder>/", nations.NationView.as_view(), name="nation"
    ),
    path("v1/campaigns/<str:ref>/provinces/", nations.ProvincesView.as_view(), name="provinces"),
    path("v1/campaigns/<str:ref>/ledger/", nations.LedgerView.as_view(), name="ledger"),
    path("v1/campaigns/<str:ref>/actions/", nations.ActionsView.as_view(), name="actions"),
    path("v1/campaigns/<str:ref>/battles/", battles.BattlesView.as_view(), name="battles"),
    path(
        "v1/campaigns/<str:ref>/battles/<int:number>/", battles.BattleView.as_view(), name="battle"
    ),
    path(
        "v1/campaigns/<str:ref>/battles/<int:number>/evidence/<int:entry>/",
        battles.EvidenceView.as_view(),
        name="evidence",
    ),
    path("v1/campaigns/<str:ref>/dice/", dice.DiceView.as_view(), name="dice"),
    path("v1/campaigns/<str:ref>/rolls/", dice.RollsView.as_view(), name="rolls"),
    path(
        "v1/campaigns/<str:ref>/seats/<str:seat>/orders/",
        standing_orders.OrdersView.as_view(),
        name="orders",
    ),
    path("v1/campaigns/<str:ref>/seats/<str:seat>/plan/", seat.PlanView.as_view(), name="plan"),
    path(
        "v1/campaigns/<str:ref>/seats/<str:seat>/plan/announce/",
        seat.AnnounceView.as_view(),
        name="plan_announce",
    ),
    path("v1/campaigns/<str:ref>/seats/<str:seat>/looks/", seat.LooksView.as_view(), name="looks"),
    path("v1/campaigns/<str:ref>/seats/<str:seat>/notes/", seat.NotesView.as_view(), name="notes"),
    path("v1/campaigns/<str:ref>/reports/", reports.ReportsView.as_view(), name="reports"),
    path("v1/campaigns/<str:ref>/reports/<slug:key>/", reports.ReportView.as_view(), name="report"),
    path("v1/campaigns/<str:ref>/threads/", posts.ThreadsView.as_view(), name="threads"),
    path("v1/campaigns/<str:ref>/posts/", posts.PostsView.as_view(), name="posts"),
    path("v1/campaigns/<str:ref>/posts/<int:number>/", posts.PostView.as_view(), name="post"),
    path(
        "v1/campaigns/<str:ref>/posts/<int:number>/acts/",
        posts.PostActsView.as_view(),
        name="post_acts",
    ),
    path("v1/campaigns/<str:ref>/heard/", reports.ForumPostsView.as_view(), name="heard"),
    path("v1/campaigns/<str:ref>/record/", files.RecordView.as_view(), name="record"),
    path("v1/campaigns/<str:ref>/files/", files.FilesView.as_view(), name="files"),
]
"""Addresses of one campaign that are only read."""

elsewhere = [
    path("v1/lobbies/", lobby.LobbiesView.as_view(), name="lobbies"),
    path("v1/ratings/", ratings.RatingsView.as_view(), name="ratings"),
    path("v1/deadlines/", clocks.DeadlinesView.as_view(), name="deadlines"),
    path("v1/notices/", notices.NoticesView.as_view(), name="notices"),
    path("v1/notices/unread/", notices.UnreadView.as_view(), name="unread"),
    path("v1/notices/read/", notices.ReadView.as_view(), name="notices_read"),
    path("v1/scenarios/", founding.BringScenarioView.as_view(), name="scenarios"),
    path("v1/scenarios/<slug:scenario>/", titles.ShelvedView.as_view(), name="shelved"),
    path("v1/titles/", titles.TitlesView.as_view(), name="titles"),
    path("v1/titles/<slug:title>/", titles.TitleView.as_view(), name="title"),
    path(
        "v1/titles/<slug:title>/scenarios/<slug:key>/",
        titles.ScenarioView.as_view(),
        name="scenario",
    ),
    path("v1/titles/<slug:title>/rules/", titles.RulebookView.as_view(), name="rulebook"),
    path("v1/titles/<slug:title>/rules/<str:number>/", titles.RuleView.as_view(), name="rule"),
    path("v1/titles/<slug:title>/hall/", titles.HallView.as_view(), name="hall"),
]
"""Addresses outside campaigns."""

resources = [
    path("v1/campaigns/<str:ref>/", campaigns.CampaignView.as_view(), name="campaign"),
    path("v1/campaigns/<str:ref>/offers/", offers.OffersView.as_view(), name="offers"),
    path("v1/campaigns/<str:ref>/preview/", moves.PreviewView.as_view(), name="preview"),
    path("v1/campaigns/<str:ref>/moves/", moves.MovesView.as_view(), name="moves"),
    path("v1/campaigns/<str:ref>/undo/", undo.UndoView.as_view(), name="undo"),
    path("v1/campaigns/<str:ref>/restore/", undo.RestoreView.as_view(), name="restore"),
    path(
        "v1/campaigns/<str:ref>/battles/<int:number>/acts/",
        acts.BattleActsView.as_view(),
        name="battle_acts",
    ),
    path(
        "v1/campaigns/<str:ref>/log/<int:number>/countersign/",
        acts.CountersignView.as_view(),
        name="countersign",
    ),
    path("v1/campaigns/<str:ref>/log/<int:number>/link/", acts.LinkView.as_view(), name="link"),
    path("v1/campaigns/<str:ref>/clocks/extend/", clocks.ExtendView.as_view(), name="extend"),
    path("v1/campaigns/<str:ref>/dice/given/", dice_acts.DieView.as_view(), name="die"),
    path("v1/campaigns/<str:ref>/dice/by-hand/", dice_acts.ByHandView.as_view(), name="by_hand"),
    path("v1/campaigns/<str:ref>/dice/mixing/", dice_acts.MixingView.as_view(), name="mixing"),
    path("v1/campaigns/<str:ref>/dice/dropped/", dice_acts.DropView.as_view(), name="drop"),
    path("v1/campaigns/<str:ref>/talk/", acts.TalkView.as_view(), name="talk"),
    path("v1/campaigns/<str:ref>/messages/", talk.MessagesView.as_view(), name="messages"),
    path(
        "v1/campaigns/<str:ref>/messages/<slug:key>/",
        talk.ThreadView.as_view(),
        name="messages_of",
    ),
    path(
        "v1/campaigns/<str:ref>/messages/<slug:key>/acts/",
        talk.MessageActsView.as_view(),
        name="message_acts",
    ),
    path("v1/campaigns/<str:ref>/press/", talk.PressView.as_view(), name="press"),
    path("v1/campaigns/<str:ref>/rulings/", rulings.RulingsView.as_view(), name="rulings"),
    path("v1/campaigns/<str:ref>/amendments/", rulings.AmendmentsView.as_view(), name="amendments"),
    path(
        "v1/campaigns/<str:ref>/amendments/<int:number>/",
        rulings.AmendmentView.as_view(),
        name="amendment",
    ),
    path("v1/campaigns/<str:ref>/sheet/", sheets.SheetView.as_view(), name="sheet"),
    path(
        "v1/campaigns/<str:ref>/sheet/check/", sheets.SheetCheckView.as_view(), name="sheet_check"
    ),
    path(
        "v1/campaigns/<str:ref>/clocks/terms/",
        clocks.TermsOfClocksView.as_view(),
        name="clock_terms",
    ),
    path("v1/campaigns/<str:ref>/life/", campaign_acts.LifeView.as_view(), name="life"),
    path(
        "v1/campaigns/<str:ref>/invitations/",
        invitations.InvitationsView.as_view(),
        name="invitations",
    ),
    path(
        "v1/campaigns/<str:ref>/invitations/<int:number>/revoke/",
        invitations.RevokeView.as_view(),
        name="revoke",
    ),
    path(
        "v1/campaigns/<str:ref>/people/acts/",
        campaign_acts.PeopleActsView.as_view(),
        name="people_acts",
    ),
    path("v1/campaigns/<str:ref>/lobby/acts/", lobby.LobbyActsView.as_view(), name="lobby_acts"),
    *reading,
]
"""All addresses of one campaign."""

urlpatterns = [
    path("docs/", docs.docs, name="docs"),
    path("v1/", campaigns.RootView.as_view(), name="root"),
    path("v1/schema/", docs.SchemaView.as_view(), name="schema"),
    path("v1/imports/", founding.ImportsView.as_view(), name="imports"),
    path("v1/imports/<int:number>/", founding.ImportView.as_view(), name="import"),
    path("v1/invitations/", invitations.TakeView.as_view(), name="take"),
    path("v1/me/", campaigns.MeView.as_view(), name="me"),
    path("v1/reports/", moderation.TextReportsView.as_view(), name="text_reports"),
    path("v1/campaigns/", founding.FoundView.as_view(), name="campaigns"),
    *resources,
    *elsewhere,
    re_path(r"^v1/.*$", docs.NowhereView.as_view(), name="nowhere"),
]
