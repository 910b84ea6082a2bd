"""Addresses of the site. Those of campaigns begin with /c/."""

from allauth.account import views as allauth
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django.contrib.auth.decorators import login_required
from django.urls import path, re_path

from web import (
    amendments,
    battles,
    charts,
    desk,
    dice,
    discord,
    editor,
    forecasts,
    help,
    ledger,
    lessons,
    people,
    playtests,
    pocket,
    practice,
    ratings,
    resume,
    scenarios,
    shapes,
    talk,
)
from web.clocks import views
from web.exports import imports
from web.exports import views as exports_views
from web.forum import posts, replies, reports
from web.lobby import about, founding
from web.lobby import views as lobby_views
from web.log import after_undo, history, undo
from web.log import views as log_views
from web.notices import channels, settings
from web.notices import views as notices_views
from web.play import announce, compose, nation, plan, table, text_views, title_page
from web.seats import absence, access_log, handover, standing_orders
from web.seats import views as seats_views
from web.shell import views as shell_views

urlpatterns = [
    path("", shell_views.front, name="front"),
    path("manifest.webmanifest", pocket.manifest, name="manifest"),
    path("worker.js", pocket.worker, name="worker"),
    path("offline/", pocket.offline, name="offline"),
    path("language/", shell_views.choose, name="language"),
    path("demonstration/<int:pk>/", shell_views.become, name="become"),
    # Signing up and in, one's account, the second factor. The names are allauth's own: its views ask for each other by them.
    path("sign-in/", allauth.login, name="account_login"),
    path("sign-in/code/", people.AskForCodeView.as_view(), name="account_request_login_code"),
    path("sign-in/code/type/", people.TypeCodeView.as_view(), name="account_confirm_login_code"),
    path("sign-in/second/", mfa.authenticate, name="mfa_authenticate"),
    path("sign-up/", people.SignUpView.as_view(), name="account_signup"),
    path("sign-out/", allauth.logout, name="account_logout"),
    path("me/", people.me, name="me"),
    path("me/absence/", absence.absent, name="absence"),
    path("me/programs/", people.programs, name="programs"),
    path("me/discord/", discord.account, name="discord_account"),
    path("discord/interactions/", discord.interactions, name="discord"),
    path("me/password/", login_required(people.ChangePasswordView.as_view()), name="account_change_password"),
    path("me/inactive/", allauth.account_inactive, name="account_inactive"),
    path("me/email/", login_required(people.AddressView.as_view()), name="account_email"),
    re_path(r"^me/email/(?P<key>[-:\w]+)/$", allauth.confirm_email, name="account_confirm_email"),
    path("me/again/", allauth.reauthenticate, name="account_reauthenticate"),
    path("me/again/code/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("me/second-factor/", mfa.index, name="mfa_index"),
    path("me/second-factor/on/", totp.activate_totp, name="mfa_activate_totp"),
    path("me/second-factor/off/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("me/second-factor/codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path("me/second-factor/codes/new/", recovery.generate_recovery_codes, name="mfa_generate_recovery_codes"),
    path("me/second-factor/codes/file/", recovery.download_recovery_codes, name="mfa_download_recovery_codes"),
    path("password/", people.ForgottenPasswordView.as_view(), name="account_reset_password"),
    path("password/sent/", allauth.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        people.NewPasswordView.as_view(),
        name="account_reset_password_from_key",
    ),
    path("password/changed/", allauth.password_reset_from_key_done, name="account_reset_password_from_key_done"),
    # Addresses of what accounts came to: charts over the log, the ledger that adds up.
    path("c/<str:ref>/charts/", charts.charts, name="charts"),
    path("c/<str:ref>/ledger/", ledger.ledger, name="ledger"),
    path("c/<str:ref>/ledger.csv", ledger.ledgers, name="ledger_file"),
    # Addresses of battles, of the game master's desk and what is countersigned, of the record.
    path("c/<str:ref>/battles/", battles.battles, name="battles"),
    path("c/<str:ref>/b/<int:number>/", battles.battle, name="battle"),
    path("c/<str:ref>/b/<int:number>/evidence/<int:entry>/", battles.evidence, name="evidence"),
    path("c/<str:ref>/desk/", desk.desk, name="desk"),
    path("c/<str:ref>/desk/away/<str:seat>/", absence.absence_actions, name="remedies"),
    path("c/<str:ref>/e/<int:number>/countersign/", desk.countersign, name="countersign"),
    path("c/<str:ref>/record.json", log_views.record, name="record"),
    # Addresses of what is read: the reports by their keys (turn-3, slot-3-huns, battle-16), rules and rulings of a campaign.
    path("c/<str:ref>/heard/", replies.replies_view, name="heard"),
    path("c/<str:ref>/reports/", reports.reports, name="reports"),
    path("c/<str:ref>/reports/tone/", reports.tone, name="report_tone"),
    path("c/<str:ref>/reports/<slug:key>/", reports.report, name="report"),
    path("c/<str:ref>/rules/", scenarios.of_campaign, name="campaign_rules"),
    path("c/<str:ref>/rulings/", scenarios.rulings, name="rulings"),
    path("c/<str:ref>/resume/", resume.page, name="resume"),
    path("c/<str:ref>/sheet.csv", resume.sheet, name="sheet_file"),
    path("c/<str:ref>/resume.json", resume.move, name="sheet_move"),
    path("c/<str:ref>/rules/changes/", amendments.page, name="amendments"),
    # Addresses of what is told elsewhere: the outbox, a post, a place.
    path("c/<str:ref>/posts/", posts.posts, name="posts"),
    path("c/<str:ref>/posts/<int:number>/", posts.post, name="post"),
    path("c/<str:ref>/threads/new/", posts.new, name="new_thread"),
    path("c/<str:ref>/threads/<int:pk>/", posts.thread, name="thread"),
    # Addresses of the table: founding, joining, the table itself, its log, seats and dice, the rules.
    path("found/", founding.choose, name="found"),
    path("found/import/", imports.imported, name="import"),
    path("play/<slug:title>/", title_page.play, name="play"),
    path("learn/<slug:title>/", lessons.learn, name="learn"),
    path("c/<str:ref>/lesson/", lessons.lesson, name="lesson"),
    path("hall/<slug:title>/", lobby_views.hall, name="hall"),
    path("ratings/", ratings.ratings, name="ratings"),
    path("ratings/<int:number>/", ratings.person, name="ratings_person"),
    path("found/import/<int:pk>/", imports.run, name="import_run"),
    path("join/", seats_views.invitation, name="invitation"),
    path("join/<str:token>/", seats_views.join, name="join"),
    path("lobby/", lobby_views.lobbies, name="lobbies"),
    path("help/", help.page, name="help"),
    path("help/<slug:key>/", help.guide, name="guide"),
    path("rules/", scenarios.index, name="rules"),
    path("rules/<slug:title>/", scenarios.rules, name="rules"),
    path("c/<str:ref>/", table.table, name="table"),
    path("c/<str:ref>/act/", title_page.act, name="act"),
    path("c/<str:ref>/moves/", compose.moves, name="moves"),
    path("c/<str:ref>/film/", compose.film, name="film"),
    path("c/<str:ref>/onward/", title_page.play_on, name="onward"),
    path("c/<str:ref>/list/", title_page.move_queue, name="sequence"),
    path("c/<str:ref>/live/", log_views.moved, name="live"),
    path("c/<str:ref>/aloud/", title_page.talk_view, name="aloud"),
    path("c/<str:ref>/talk/", talk.talk_page, name="talk"),
    path("c/<str:ref>/talk/messages.txt", talk.messages_file, name="talk_file"),
    path("c/<str:ref>/talk/reports/", talk.reports_page, name="talk_reports"),
    path("c/<str:ref>/talk/<slug:key>/", talk.thread_page, name="talk_thread"),
    path("c/<str:ref>/press/", talk.press_page, name="press"),
    path("c/<str:ref>/log/", log_views.log, name="log"),
    path("c/<str:ref>/history/", history.history, name="history"),
    path("c/<str:ref>/e/<int:number>/", log_views.entry, name="entry"),
    path("c/<str:ref>/e/<int:number>/branch/", history.branch, name="branch"),
    path("c/<str:ref>/rewind/", undo.rewind, name="rewind"),
    path("c/<str:ref>/e/<int:number>/undone/", after_undo.after_undo, name="after_undo"),
    path("c/<str:ref>/seats/", seats_views.seats, name="seats"),
    path("c/<str:ref>/about/", about.about, name="about"),
    path("c/<str:ref>/lobby/", lobby_views.lobby, name="lobby"),
    path("c/<str:ref>/terms/", founding.terms, name="terms"),
    path("c/<str:ref>/clocks/", views.clocks, name="clocks"),
    path("c/<str:ref>/dice/", dice.dice, name="dice"),
    path("c/<str:ref>/dice/by-hand/", dice.manual_dice_page, name="by_hand"),
    path("c/<str:ref>/dice/mixing/", dice.mixing_page, name="mixing"),
    path("c/<str:ref>/dice/rolls.json", dice.rolls, name="rolls_file"),
    # Addresses of a nation's page and of moves.
    path("c/<str:ref>/n/<str:seat>/", nation.nation, name="nation"),
    path("c/<str:ref>/n/<str:seat>/plan/", plan.plan, name="plan"),
    path("c/<str:ref>/n/<str:seat>/notes/", handover.notes, name="seat_notes"),
    path("c/<str:ref>/n/<str:seat>/handover/", handover.handover, name="handover"),
    path("c/<str:ref>/n/<str:seat>/standing/", standing_orders.standing_orders_view, name="standing"),
    path("c/<str:ref>/n/<str:seat>/look/", access_log.open_hand_view, name="look"),
    path("c/<str:ref>/n/<str:seat>/looks/", access_log.access_log_view, name="looks"),
    path("c/<str:ref>/move/", announce.announce, name="announce"),
    path("c/<str:ref>/preview/", announce.preview, name="preview"),
    path("c/<str:ref>/e/<int:number>/link/", log_views.link, name="link"),
    path("c/<str:ref>/orders/", text_views.text_moves_page, name="orders"),
    path("c/<str:ref>/undo/", announce.undo, name="undo"),
    # Addresses of the reader's notices, and of what brings them elsewhere.
    path("notices/", notices_views.notices, name="notices"),
    path("notices/read/", notices_views.read, name="notices_read"),
    path("notices/<int:pk>/", notices_views.opened, name="notice"),
    path("me/notices/", settings.notification_settings, name="told"),
    path("unsubscribe/<str:token>/", notices_views.unsubscribe, name="unsubscribe"),
    path("feed/<str:token>/notices.atom", notices_views.notices_feed, name="feed_notices"),
    path("feed/<str:token>/deadlines.ics", notices_views.deadlines_feed, name="feed_deadlines"),
    path("c/<str:ref>/notices/", notices_views.of_campaign, name="campaign_notices"),
    path("c/<str:ref>/channels/", channels.channels, name="channels"),
    path("c/<str:ref>/webhooks/", channels.webhooks, name="webhooks"),
    # Addresses of files: sheets of a campaign, shipped scenarios.
    path("c/<str:ref>/n/<str:seat>/ledger.csv", ledger.nation_ledger_sheet, name="ledger_sheet"),
    path("c/<str:ref>/pack.zip", exports_views.pack, name="pack"),
    path("c/<str:ref>/pack/", exports_views.waits, name="pack_waits"),
    path("c/<str:ref>/log.csv", ledger.log, name="log_sheet"),
    path("c/<str:ref>/dice.csv", ledger.dice, name="dice_sheet"),
    path("scenarios/<slug:title>/<slug:key>.json", founding.scenario, name="scenario"),
    # Scenarios before they are played.
    path("scenarios/", scenarios.library, name="scenarios"),
    path("practice/<slug:title>/", practice.begin, name="practice"),
    path("scenarios/new/", scenarios.new, name="scenario_new"),
    path("scenarios/begin/", shapes.begin, name="scenario_begin"),
    path("scenarios/playtest/", playtests.page, name="scenario_playtest"),
    path("scenarios/fork/", editor.fork, name="scenario_fork"),
    path("scenarios/drafts/<slug:ref>/", editor.editor, name="scenario_editor"),
    path("scenarios/drafts/<slug:ref>/act/", editor.act, name="scenario_act"),
    path("scenarios/drafts/<slug:ref>/numbers/", editor.numbers, name="scenario_numbers"),
    path("scenarios/drafts/<slug:ref>/publish/", editor.publish, name="scenario_publish"),
    path("scenarios/drafts/<slug:ref>/away/", editor.put_away, name="scenario_put_away"),
    path("scenarios/<slug:ref>/rules/", scenarios.of_scenario, name="scenario_rules"),
    path("scenarios/<slug:title>/<slug:key>/", scenarios.shipped, name="scenario_shipped"),
    path("scenarios/<slug:title>/<slug:key>/drawing.json", scenarios.drawing, name="scenario_drawing"),
    path("scenarios/<slug:ref>/", scenarios.scenario_view, name="scenario_shown"),
    path("scenarios/<slug:ref>.json", scenarios.file, name="scenario_file"),
    # Addresses of what is shown to people elsewhere: pictures of the map, the page to share.
    path("c/<str:ref>/story/", exports_views.story, name="story"),
    path("c/<str:ref>/forecast/", forecasts.switch, name="forecast"),
    path("c/<str:ref>/map.png", exports_views.latest, name="map_picture"),
    re_path(
        r"^c/(?P<ref>[^/]+)/map/(?P<number>[0-9]{1,9})\.(?P<language>en|it)\.png$", exports_views.after, name="map_picture_at"
    ),
    re_path(
        r"^c/(?P<ref>[^/]+)/map/(?P<number>[0-9]{1,9})-(?P<digest>[0-9a-f]{24})\.png$", exports_views.picture, name="picture"
    ),
]
