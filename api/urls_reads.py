"""Addresses of what is read, below /api/v1/."""

from django.urls import path

from api import battles, campaigns, dice, founding, lobby, log, nations, notices, posts, reports, rewinds, seat, titles

_OF = "v1/campaigns/<str:ref>/"

resources = [
    path(f"{_OF}lobby/", lobby.LobbyView.as_view(), name="lobby"),
    path(f"{_OF}terms/", campaigns.TermsView.as_view(), name="terms"),
    path(f"{_OF}position/", campaigns.PositionView.as_view(), name="position"),
    path(f"{_OF}standings/", campaigns.StandingsView.as_view(), name="standings"),
    path(f"{_OF}forecast/", campaigns.ForecastView.as_view(), name="forecast"),
    path(f"{_OF}people/", campaigns.PeopleView.as_view(), name="people"),
    path(f"{_OF}absences/", campaigns.AbsencesView.as_view(), name="absences"),
    path(f"{_OF}clocks/", campaigns.ClocksView.as_view(), name="clocks"),
    path(f"{_OF}log/", log.LogView.as_view(), name="log"),
    path(f"{_OF}log/<int:number>/", log.EntryView.as_view(), name="entry"),
    path(f"{_OF}branches/", log.BranchesView.as_view(), name="branches"),
    path(f"{_OF}branches/<int:number>/", rewinds.BranchView.as_view(), name="branch"),
    path(f"{_OF}rewind/", rewinds.RewindView.as_view(), name="rewind"),
    path(f"{_OF}nations/", nations.NationsView.as_view(), name="nations"),
    path(f"{_OF}nations/<str:holder>/", nations.NationView.as_view(), name="nation"),
    path(f"{_OF}provinces/", nations.ProvincesView.as_view(), name="provinces"),
    path(f"{_OF}ledger/", nations.LedgerView.as_view(), name="ledger"),
    path(f"{_OF}actions/", nations.ActionsView.as_view(), name="actions"),
    path(f"{_OF}battles/", battles.BattlesView.as_view(), name="battles"),
    path(f"{_OF}battles/<int:number>/", battles.BattleView.as_view(), name="battle"),
    path(f"{_OF}battles/<int:number>/evidence/<int:entry>/", battles.EvidenceView.as_view(), name="evidence"),
    path(f"{_OF}dice/", dice.DiceView.as_view(), name="dice"),
    path(f"{_OF}rolls/", dice.RollsView.as_view(), name="rolls"),
    path(f"{_OF}seats/<str:seat>/orders/", seat.OrdersView.as_view(), name="orders"),
    path(f"{_OF}seats/<str:seat>/plan/", seat.PlanView.as_view(), name="plan"),
    path(f"{_OF}seats/<str:seat>/plan/announce/", seat.AnnounceView.as_view(), name="plan_announce"),
    path(f"{_OF}seats/<str:seat>/looks/", seat.LooksView.as_view(), name="looks"),
    path(f"{_OF}seats/<str:seat>/notes/", seat.NotesView.as_view(), name="notes"),
    path(f"{_OF}reports/", reports.ReportsView.as_view(), name="reports"),
    path(f"{_OF}reports/<slug:key>/", reports.ReportView.as_view(), name="report"),
    path(f"{_OF}threads/", posts.ThreadsView.as_view(), name="threads"),
    path(f"{_OF}posts/", posts.PostsView.as_view(), name="posts"),
    path(f"{_OF}posts/<int:number>/", posts.PostView.as_view(), name="post"),
    path(f"{_OF}posts/<int:number>/acts/", posts.PostActsView.as_view(), name="post_acts"),
    path(f"{_OF}heard/", reports.HeardView.as_view(), name="heard"),
    path(f"{_OF}record/", campaigns.RecordView.as_view(), name="record"),
    path(f"{_OF}files/", campaigns.FilesView.as_view(), name="files"),
]
"""What there is of one campaign."""

others = [
    path("v1/lobbies/", lobby.LobbiesView.as_view(), name="lobbies"),
    path("v1/ratings/", battles.RatingsView.as_view(), name="ratings"),
    path("v1/deadlines/", campaigns.DeadlinesView.as_view(), name="deadlines"),
    path("v1/notices/", notices.NoticesView.as_view(), name="notices"),
    path("v1/notices/unread/", notices.UnreadView.as_view(), name="unread"),
    path("v1/notices/read/", notices.ReadView.as_view(), name="notices_read"),
    path("v1/scenarios/", founding.BringScenarioView.as_view(), name="scenarios"),
    path("v1/scenarios/<slug:scenario>/", titles.ShelvedView.as_view(), name="shelved"),
    path("v1/titles/", titles.TitlesView.as_view(), name="titles"),
    path("v1/titles/<slug:title>/", titles.TitleView.as_view(), name="title"),
    path("v1/titles/<slug:title>/scenarios/<slug:key>/", titles.ScenarioView.as_view(), name="scenario"),
    path("v1/titles/<slug:title>/rules/", titles.RulebookView.as_view(), name="rulebook"),
    path("v1/titles/<slug:title>/rules/<str:number>/", titles.RuleView.as_view(), name="rule"),
    path("v1/titles/<slug:title>/hall/", titles.HallView.as_view(), name="hall"),
]
