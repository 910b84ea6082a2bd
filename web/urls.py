"""URLs of the site.

Those of campaigns begin with /c/ and are in a separate list, so that Django tries no others for
them.
"""

from allauth.account import views as allauth
from allauth.mfa.base import views as mfa
from allauth.mfa.recovery_codes import views as recovery
from allauth.mfa.totp import views as totp
from django.contrib.auth.decorators import login_required
from django.urls import include, path, re_path

from engine.language import LANGUAGES
from web.account import (
    account_closing,
    credentials,
    other_sites,
    passkeys,
    reauthentication,
    sign_in,
)
from web.account import views as account
from web.amendments import views as amendment_views
from web.announcements import series
from web.announcements import views as announcements
from web.battles import views as battles
from web.board import move_list, play_at_once
from web.board import views as board_views
from web.charts import views as charts_views
from web.clocks import views
from web.desk import countersigning
from web.desk import views as desk_views
from web.dice import views as dice
from web.discord import views as discord
from web.editor import beginning
from web.editor import views as editor
from web.exports import outline_views, pack_views, picture_views, resume_views
from web.forecast import views as forecast_views
from web.forum.posts import views as posts
from web.forum.replies import views as replies
from web.forum.reports import views as reports
from web.forum.threads import views as threads
from web.frame import offline, stream
from web.frame import views as shell_views
from web.help import views as help_views
from web.history import views as history_views
from web.imports import views as imports_views
from web.ledger import views as ledger_views
from web.lobby import found_views
from web.lobby import views as lobby_views
from web.log import views as log_views
from web.moderation import views as moderation
from web.nation import views as nation
from web.notices import channels, feeds, webhooks
from web.notices import views as notices_views
from web.own_data import views as own_data
from web.plan import views as plan
from web.playtest import views as playtest
from web.practice import views as practice_views
from web.ratings import views as ratings
from web.rules import views as rules
from web.rulings import views as rulings
from web.scenarios import views as scenarios
from web.seats import absence_views, invitation_views, start_views
from web.seats import views as seats_views
from web.sheets import views as sheets_views
from web.story import views as story_views
from web.table import views as table_views
from web.talk import views as talk
from web.typed_moves import views as typed_moves_views
from web.undo import views as undo_views

of_campaign = [
    # The most frequent pages come first, because Django tries the URLs in order.
    path("", table_views.table, name="table"),
    path("n/<str:seat>/", nation.nation, name="nation"),
    path("log/", log_views.log, name="log"),
    path("e/<int:number>/", log_views.entry, name="entry"),
    path("live/", log_views.moved, name="live"),
    path("move/", announcements.announce, name="announce"),
    path("preview/", announcements.preview, name="preview"),
    path("battles/", battles.battles, name="battles"),
    path("b/<int:number>/", battles.battle, name="battle"),
    path("dice/", dice.dice, name="dice"),
    path("ledger/", ledger_views.ledger, name="ledger"),
    path("charts/", charts_views.charts, name="charts"),
    path("history/", history_views.history, name="history"),
    path("story/", story_views.story, name="story"),
    path("reports/", reports.reports, name="reports"),
    path("rules/", rules.of_campaign, name="campaign_rules"),
    path("rulings/", rulings.rulings, name="rulings"),
    path("clocks/", views.clocks, name="clocks"),
    path("about/", lobby_views.about, name="about"),
    # Reports of its texts, and its ledgers as a file
    path("reported/", moderation.of_campaign, name="reported"),
    path("ledger.csv", sheets_views.ledgers, name="ledger_file"),
    # Battles, the game master's desk and countersignatures, the record
    path("b/<int:number>/evidence/<int:entry>/", battles.evidence, name="evidence"),
    path("desk/", desk_views.desk, name="desk"),
    path("desk/away/<str:seat>/", absence_views.absence_actions, name="remedies"),
    path("e/<int:number>/countersign/", countersigning.countersign, name="countersign"),
    path("record.json", log_views.record, name="record"),
    # Reports by their keys (turn-3, slot-3-huns, battle-16), and changes of the rules
    path("heard/", replies.replies, name="heard"),
    path("reports/tone/", reports.tone, name="report_tone"),
    path("reports/<slug:key>/", reports.report, name="report"),
    path("resume/", resume_views.resume, name="resume"),
    path("sheet.csv", resume_views.sheet, name="sheet_file"),
    path("resume.json", resume_views.move, name="sheet_move"),
    path("rules/changes/", amendment_views.page, name="amendments"),
    # Reports on forums: the outbox, a post, a thread
    path("posts/", posts.posts, name="posts"),
    path("posts/<int:number>/", posts.post, name="post"),
    path("threads/new/", threads.new, name="new_thread"),
    path("threads/<int:pk>/", threads.thread, name="thread"),
    # Acts at the table, its talk, its log, seats and dice
    path("lesson/", practice_views.lesson, name="lesson"),
    path("act/", board_views.act, name="act"),
    path("moves/", series.moves, name="moves"),
    path("film/", history_views.film, name="film"),
    path("onward/", board_views.play_on, name="onward"),
    path("list/", move_list.move_list, name="sequence"),
    path("aloud/", board_views.talk_view, name="aloud"),
    path("talk/", talk.talk_page, name="talk"),
    path("talk/messages.txt", talk.messages_file, name="talk_file"),
    path("talk/<slug:key>/", talk.thread_page, name="talk_thread"),
    path("press/", talk.press_page, name="press"),
    path("history/film/", history_views.film_of_history, name="history_film"),
    path("e/<int:number>/branch/", history_views.branch, name="branch"),
    path("rewind/", undo_views.rewind, name="rewind"),
    path("e/<int:number>/undone/", undo_views.after_undo, name="after_undo"),
    path("seats/", seats_views.seats, name="seats"),
    path("start/", start_views.start, name="start"),
    path("lobby/", lobby_views.lobby, name="lobby"),
    path("terms/", found_views.terms, name="terms"),
    path("dice/by-hand/", dice.manual_dice, name="by_hand"),
    path("dice/mixing/", dice.mixing, name="mixing"),
    path("dice/rolls.json", dice.rolls, name="rolls_file"),
    path("dice/log.jsonl", dice.log, name="log_file"),
    # Pages of a nation, and moves
    path("n/<str:seat>/plan/", plan.plan, name="plan"),
    path("n/<str:seat>/notes/", seats_views.notes, name="seat_notes"),
    path("n/<str:seat>/handover/", seats_views.handover, name="handover"),
    path("n/<str:seat>/standing/", absence_views.orders, name="standing"),
    path("n/<str:seat>/look/", seats_views.open_hands, name="look"),
    path("n/<str:seat>/looks/", seats_views.access_log, name="looks"),
    path("e/<int:number>/link/", log_views.link, name="link"),
    path("orders/", typed_moves_views.typed_moves, name="orders"),
    path("undo/", undo_views.undo, name="undo"),
    path("undo/last/", undo_views.last_undo, name="last_undo"),
    # Notices and their channels
    path("notices/", notices_views.of_campaign, name="campaign_notices"),
    path("channels/", channels.channels, name="channels"),
    path("webhooks/", webhooks.webhooks, name="webhooks"),
    # Files
    path("n/<str:seat>/ledger.csv", sheets_views.nation_ledger, name="ledger_sheet"),
    path("pack.zip", pack_views.pack, name="pack"),
    path("pack/", pack_views.wait_for_pack, name="pack_waits"),
    path("log.csv", sheets_views.log, name="log_sheet"),
    path("dice.csv", sheets_views.dice, name="dice_sheet"),
    # Forecast, and pictures of the map
    path("forecast/", forecast_views.switch, name="forecast"),
    re_path(
        r"^maps/(?P<name>[0-9a-f]{20})\.svg$",
        outline_views.campaign_outlines,
        name="campaign_outlines",
    ),
    path("map.png", picture_views.latest, name="map_picture"),
    re_path(
        rf"^map/(?P<number>[0-9]{{1,9}})\.(?P<language>{'|'.join(LANGUAGES)})\.png$",
        picture_views.after,
        name="map_picture_at",
    ),
    re_path(
        r"^map/(?P<number>[0-9]{1,9})-(?P<digest>[0-9a-f]{24})\.png$",
        picture_views.picture,
        name="picture",
    ),
]

urlpatterns = [
    path("c/<str:ref>/", include(of_campaign)),
    path("", shell_views.front, name="front"),
    path("live/<path:public_id>/", stream.stream, name="stream"),
    path("manifest.webmanifest", offline.manifest, name="manifest"),
    path("worker.js", offline.worker, name="worker"),
    path("offline/", offline.offline, name="offline"),
    path("language/", shell_views.choose, name="language"),
    path("demonstration/<int:pk>/", shell_views.become, name="become"),
    # Sign-up and sign-in, the account, the second factor. The names are allauth's, because its
    # views use them to reverse URLs.
    path("sign-in/", sign_in.SignInView.as_view(), name="account_login"),
    path("sign-in/passkey/", passkeys.sign_in, name="mfa_login_webauthn"),
    path("sign-in/discord/", other_sites.leave, {"site": "discord"}, name="discord_login"),
    path("sign-in/discord/back/", other_sites.back_from_discord, name="discord_callback"),
    path("sign-in/steam/", other_sites.leave, {"site": "steam"}, name="steam_login"),
    path("sign-in/steam/back/", other_sites.back_from_steam, name="steam_callback"),
    path("sign-in/code/", sign_in.AskForCodeView.as_view(), name="account_request_login_code"),
    path("sign-in/code/type/", sign_in.TypeCodeView.as_view(), name="account_confirm_login_code"),
    path("sign-in/second/", sign_in.SecondFactorView.as_view(), name="mfa_authenticate"),
    path("sign-up/", sign_in.SignUpView.as_view(), name="account_signup"),
    path("sign-up/elsewhere/", sign_in.SignUpElsewhereView.as_view(), name="socialaccount_signup"),
    path("sign-out/", allauth.logout, name="account_logout"),
    path("me/", account.account_settings, name="me"),
    path("me/absence/", absence_views.absent, name="absence"),
    path("me/access/", credentials.show, name="credentials"),
    path("me/programs/", account.programs, name="programs"),
    path("me/discord/", discord.account, name="discord_account"),
    path("discord/interactions/", discord.interactions, name="discord"),
    path("me/ways/", account.ways, name="ways"),
    path("me/ways/passkey/", passkeys.add_passkey, name="mfa_add_webauthn"),
    path("me/ways/link/", account.link, name="socialaccount_connections"),
    path(
        "me/password/new/",
        login_required(sign_in.FirstPasswordView.as_view()),
        name="account_set_password",
    ),
    # Reported texts, moderation, a user's own data, terms and privacy
    path("report/<slug:kind>/<str:ref>/", moderation.report, name="report_text"),
    path("me/reports/", moderation.own_reports, name="own_reports"),
    path("me/blocks/", moderation.blocks, name="blocks"),
    path("me/data/", own_data.own_data, name="own_data"),
    path("me/data/file.zip", own_data.download, name="own_data_file"),
    path("me/leave/", account_closing.leave, name="leave"),
    path("left/", account_closing.left, name="left"),
    path("moderation/", moderation.queue, name="moderation"),
    path("moderation/invitations/", moderation.site_invitations, name="site_invitations"),
    path("invited/<str:token>/", moderation.invited, name="invited"),
    path("terms/agree/", help_views.agreement, name="agree"),
    path("terms/", help_views.legal, {"key": "terms"}, name="terms_of_site"),
    path("privacy/", help_views.legal, {"key": "privacy"}, name="privacy"),
    path(
        "me/password/",
        login_required(sign_in.ChangePasswordView.as_view()),
        name="account_change_password",
    ),
    path("me/inactive/", allauth.account_inactive, name="account_inactive"),
    path("me/email/", login_required(sign_in.AddressView.as_view()), name="account_email"),
    re_path(r"^me/email/(?P<key>[-:\w]+)/$", allauth.confirm_email, name="account_confirm_email"),
    path("me/again/", allauth.reauthenticate, name="account_reauthenticate"),
    path("me/again/code/", mfa.reauthenticate, name="mfa_reauthenticate"),
    path("me/again/passkey/", reauthentication.by_passkey, name="mfa_reauthenticate_webauthn"),
    path("me/again/mail/", reauthentication.by_mail, name="mail_reauthenticate"),
    path("me/second-factor/", mfa.index, name="mfa_index"),
    path("me/second-factor/on/", totp.activate_totp, name="mfa_activate_totp"),
    path(
        "me/second-factor/off/",
        login_required(sign_in.SecondFactorOffView.as_view()),
        name="mfa_deactivate_totp",
    ),
    path("me/second-factor/codes/", recovery.view_recovery_codes, name="mfa_view_recovery_codes"),
    path(
        "me/second-factor/codes/new/",
        login_required(sign_in.NewRecoveryCodesView.as_view()),
        name="mfa_generate_recovery_codes",
    ),
    path(
        "me/second-factor/codes/file/",
        recovery.download_recovery_codes,
        name="mfa_download_recovery_codes",
    ),
    path("password/", sign_in.ForgottenPasswordView.as_view(), name="account_reset_password"),
    path("password/sent/", allauth.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^password/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        sign_in.NewPasswordView.as_view(),
        name="account_reset_password_from_key",
    ),
    path(
        "password/changed/",
        allauth.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    # Founding, joining, learning, the rules
    path("found/", found_views.choose, name="found"),
    path("found/import/", imports_views.import_record, name="import"),
    path("play/<slug:title>/", play_at_once.play, name="play"),
    path("learn/<slug:title>/", practice_views.learn, name="learn"),
    path("hall/<slug:title>/", lobby_views.hall, name="hall"),
    path("ratings/", ratings.ratings, name="ratings"),
    path("ratings/<int:number>/", ratings.person, name="ratings_person"),
    path("found/import/<int:pk>/", imports_views.run, name="import_run"),
    path("join/", invitation_views.invitation, name="invitation"),
    path("join/<str:token>/", invitation_views.join, name="join"),
    path("lobby/", lobby_views.lobbies, name="lobbies"),
    path("help/", help_views.help_view, name="help"),
    path("help/<slug:key>/", help_views.guide, name="guide"),
    path("rules/", rules.index, name="rules"),
    path("rules/<slug:title>/", rules.rules, name="rules"),
    # The reader's notices and their channels
    path("notices/", notices_views.notices, name="notices"),
    path("notices/read/", notices_views.read, name="notices_read"),
    path("notices/<int:pk>/", notices_views.opened, name="notice"),
    path("me/notices/", notices_views.notification_settings, name="told"),
    path("unsubscribe/<str:token>/", notices_views.unsubscribe, name="unsubscribe"),
    path("feed/<str:token>/notices.atom", feeds.notices_feed, name="feed_notices"),
    path("feed/<str:token>/deadlines.ics", feeds.deadlines_feed, name="feed_deadlines"),
    # Scenarios before they are played
    path("scenarios/<slug:title>/<slug:key>.json", found_views.scenario, name="scenario"),
    path("scenarios/", scenarios.library, name="scenarios"),
    path("practice/<slug:title>/", practice_views.begin, name="practice"),
    path("scenarios/new/", scenarios.new, name="scenario_new"),
    path("scenarios/begin/", beginning.begin_shape, name="scenario_begin"),
    path("scenarios/playtest/", playtest.playtest, name="scenario_playtest"),
    path("scenarios/fork/", beginning.fork, name="scenario_fork"),
    path("scenarios/drafts/<slug:ref>/", editor.editor, name="scenario_editor"),
    path("scenarios/drafts/<slug:ref>/act/", editor.act, name="scenario_act"),
    path("scenarios/drafts/<slug:ref>/numbers/", editor.numbers, name="scenario_numbers"),
    path("scenarios/drafts/<slug:ref>/publish/", editor.publish, name="scenario_publish"),
    path("scenarios/drafts/<slug:ref>/away/", editor.put_away, name="scenario_put_away"),
    path("scenarios/<slug:ref>/rules/", rules.of_scenario, name="scenario_rules"),
    path("scenarios/<slug:title>/<slug:key>/", scenarios.shipped, name="scenario_shipped"),
    path(
        "scenarios/<slug:title>/<slug:key>/drawing.json", scenarios.drawing, name="scenario_drawing"
    ),
    path("scenarios/<slug:ref>/", scenarios.scenario_view, name="scenario_shown"),
    path("scenarios/<slug:ref>.json", scenarios.file, name="scenario_file"),
    # Outlines of the map
    re_path(r"^maps/(?P<name>[0-9a-f]{20})\.svg$", outline_views.outlines, name="outlines"),
]
