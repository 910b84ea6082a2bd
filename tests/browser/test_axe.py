"""The check of every address by axe-core: names, roles, contrast, order.

Wide and narrow, light and dark.

The list is compared with the URL conf: an address without a visit fails a test. Pages reached by a
form or a letter are in `test_axe_steps` and `test_axe_people`, those of playing alone in
`test_axe_alone`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress

from tests.addresses import names
from tests.browser.axe import PageChecker, page_checker
from tests.browser.laid_out import (
    MASTER,
    NOBODY,
    PLAYER,
    RIVAL,
    Demonstration,
    add_battle_events,
    claim_battle,
    create_other_campaigns,
)

__all__ = ["page_checker"]

# Readers and addresses, by the name of the address. A path without a slash before it belongs to the
# demonstration, {x} to another campaign.
VISITS: dict[str, list[tuple[str, str]]] = {
    "front": [(NOBODY, "/"), (MASTER, "/"), ("Fresh", "/"), (NOBODY, "/api/docs/")],
    "lobbies": [(NOBODY, "/lobby/")],
    "help": [(MASTER, "/help/"), (NOBODY, "/help/")],
    "guide": [(NOBODY, "/help/boards/")],
    "ratings": [(NOBODY, "/ratings/"), (PLAYER, "/ratings/"), ("Fresh", "/ratings/")],
    "ratings_person": [(NOBODY, "/ratings/{rated}/")],
    "offline": [(NOBODY, "/offline/")],
    "hall": [(NOBODY, "/hall/grand_campaign/")],
    "found": [(PLAYER, "/found/")],
    "privacy": [(NOBODY, "/privacy/")],
    "terms_of_site": [(NOBODY, "/terms/")],
    "rules": [
        (NOBODY, "/rules/"),
        (NOBODY, "/rules/grand_campaign/"),
        (NOBODY, "/rules/grand_campaign/?q=siege"),
    ],
    "notices": [(MASTER, "/notices/"), ("Fresh", "/notices/")],
    "account_login": [(NOBODY, "/sign-in/")],
    "account_signup": [(NOBODY, "/sign-up/")],
    "account_logout": [(PLAYER, "/sign-out/")],
    "account_request_login_code": [(NOBODY, "/sign-in/code/")],
    "account_reset_password": [(NOBODY, "/password/")],
    "account_reset_password_done": [(NOBODY, "/password/sent/")],
    "account_reset_password_from_key_done": [(NOBODY, "/password/changed/")],
    "account_inactive": [(NOBODY, "/me/inactive/")],
    "account_email": [("Fresh", "/me/email/")],
    "account_change_password": [("Fresh", "/me/password/")],
    "me": [(PLAYER, "/me/"), (MASTER, "/me/")],
    "told": [("Fresh", "/me/notices/"), (PLAYER, "/me/notices/")],
    "absence": [(PLAYER, "/me/absence/")],
    "credentials": [("Fresh", "/me/access/")],
    "programs": [(PLAYER, "/me/programs/"), (PLAYER, "/me/programs/?revoke=all")],
    "table": [
        (NOBODY, ""),
        (PLAYER, ""),
        (MASTER, ""),
        (PLAYER, "?province=dalmatia"),
        (MASTER, "{draft}"),
        (NOBODY, "{ended}"),
        (MASTER, "{paused}"),
        (NOBODY, "{given_up}"),
    ],
    "log": [(NOBODY, "log/"), (NOBODY, "log/?before=30")],
    "entry": [(NOBODY, "e/46/"), (NOBODY, "e/{struck}/")],
    "branch": [(MASTER, "e/{undo}/branch/")],
    "after_undo": [(MASTER, "e/{undo}/undone/")],
    "last_undo": [(PLAYER, "undo/last/"), (MASTER, "undo/last/")],
    "rewind": [(MASTER, "rewind/"), (MASTER, "rewind/?entry=40"), (MASTER, "rewind/?undo={undo}")],
    "nation": [
        (NOBODY, "n/romans/"),
        (PLAYER, "n/romans/"),
        (PLAYER, "n/romans/?open=attack-land"),
        (MASTER, "n/romans/"),
        (NOBODY, "n/huns/?ledger=all"),
    ],
    "plan": [(PLAYER, "n/romans/plan/"), (PLAYER, "n/romans/plan/?open=attack-land")],
    "import": [("Fresh", "/found/import/")],
    "scenarios": [(NOBODY, "/scenarios/"), (PLAYER, "/scenarios/")],
    "practice": [
        (NOBODY, "/practice/grand_campaign/"),
        (NOBODY, "/practice/roman_empire/"),
        (NOBODY, "/practice/tetrarchia/"),
    ],
    "scenario_new": [(PLAYER, "/scenarios/new/")],
    "scenario_begin": [
        (PLAYER, f"/scenarios/begin/?from={way}") for way in ("map", "other", "file", "grid")
    ],
    "scenario_shipped": [(NOBODY, "/scenarios/grand_campaign/420ad/")],
    "orders": [(PLAYER, "orders/"), (MASTER, "orders/")],
    "seat_notes": [(PLAYER, "n/romans/notes/")],
    "handover": [(PLAYER, "{paused}n/romans/handover/"), (PLAYER, "{paused}n/romans/")],
    "standing": [
        (PLAYER, "n/romans/standing/"),
        (PLAYER, "n/romans/standing/?suggest=bold"),
        (MASTER, "n/romans/standing/"),
    ],
    "looks": [(PLAYER, "n/romans/looks/"), (MASTER, "n/romans/looks/")],
    "battles": [(NOBODY, "battles/"), (PLAYER, "battles/"), (NOBODY, "{draft}battles/")],
    # The battles are resolved, fought, claimed, disputed with evidence, challenged, to be answered,
    # and an insurrection.
    "battle": [
        (NOBODY, "b/1/"),
        (NOBODY, "b/3/"),
        (PLAYER, "b/6/"),
        (RIVAL, "b/6/"),
        (MASTER, "b/6/"),
        (MASTER, "b/6/?by=shares&attacker=31&defender=46"),
        (MASTER, "b/8/"),
        ("Tomasz", "b/8/"),
        (MASTER, "b/7/"),
        ("Shirin", "b/7/"),
    ],
    "desk": [
        (MASTER, "desk/"),
        (MASTER, "desk/?fix=adjust"),
        (MASTER, "desk/?fix=set-structures"),
        (MASTER, "desk/?remind=all"),
        (MASTER, "{draft}desk/"),
        (MASTER, "{ended}desk/"),
    ],
    "remedies": [(MASTER, "desk/away/romans/")],
    "seats": [
        (MASTER, "seats/"),
        (MASTER, "{draft}seats/"),
        (MASTER, "{paused}seats/?program=huns"),
    ],
    "terms": [(MASTER, "{draft}terms/")],
    "channels": [(MASTER, "channels/")],
    "webhooks": [(MASTER, "webhooks/")],
    "lobby": [
        (NOBODY, "{draft}lobby/"),
        ("Fresh", "{draft}lobby/"),
        (MASTER, "{draft}lobby/"),
        (NOBODY, "lobby/"),
    ],
    "clocks": [(NOBODY, "clocks/"), (MASTER, "clocks/"), ("Fresh", "clocks/")],
    "about": [(NOBODY, "about/"), (PLAYER, "about/"), (MASTER, "about/"), ("Fresh", "about/")],
    "history": [
        (NOBODY, "history/"),
        (PLAYER, "history/?at=43&by=turns"),
        (MASTER, "{draft}history/"),
    ],
    "history_film": [
        (NOBODY, "history/film/?since=9&to=24"),
        (NOBODY, "history/film/?since=55&to=9"),
    ],
    "charts": [(NOBODY, "charts/"), (PLAYER, "charts/?account=army"), (NOBODY, "{draft}charts/")],
    "ledger": [
        (NOBODY, "ledger/"),
        (PLAYER, "ledger/?nation=huns&turn=1"),
        (NOBODY, "{draft}ledger/"),
    ],
    "pack_waits": [(PLAYER, "pack/")],
    "dice": [(NOBODY, "dice/"), (NOBODY, "{draft}dice/")],
    "heard": [(MASTER, "heard/"), (PLAYER, "heard/")],
    "reports": [(NOBODY, "reports/")],
    "report_tone": [(MASTER, "reports/tone/")],
    "posts": [(MASTER, "posts/")],
    "new_thread": [(MASTER, "threads/new/"), (MASTER, "threads/new/?transport=discord")],
    "story": [(NOBODY, "story/"), (NOBODY, "{draft}story/"), (NOBODY, "{ended}story/")],
    "campaign_rules": [(NOBODY, "rules/")],
    "rulings": [(NOBODY, "rulings/"), (MASTER, "rulings/")],
    "amendments": [(NOBODY, "rules/changes/"), (MASTER, "rules/changes/")],
    "campaign_notices": [(MASTER, "notices/")],
    "resume": [(MASTER, "{draft}resume/")],
    "talk": [(PLAYER, "talk/"), (MASTER, "talk/?quote=44")],
    "press": [(NOBODY, "press/"), (MASTER, "press/")],
}
STEPS = {
    "account_confirm_login_code",
    "account_reset_password_from_key",
    "account_confirm_email",
    "account_reauthenticate",
    "mfa_authenticate",
    "mfa_reauthenticate",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "invitation",
    "join",
    "announce",
    "preview",
    "undo",
    "report",
    "post",
    "thread",
    "import_run",
    "talk_thread",
    "unsubscribe",
    "account_set_password",
    "agree",
    "blocks",
    "invited",
    "leave",
    "left",
    "moderation",
    "own_data",
    "own_reports",
    "report_text",
    "reported",
    "site_invitations",
    "ways",
    "mail_reauthenticate",
    "mfa_add_webauthn",
    "mfa_reauthenticate_webauthn",
    "socialaccount_signup",
    "learn",
    "lesson",
}
"""Pages reached by a form, a list or a letter.

See `test_axe_steps`, `test_axe_people`, `test_moderation`, `test_passkeys` and `test_lessons`.
"""
NO_PAGE = {
    "start": "leads back once a campaign has started",
    "language": "leads back",
    "discord": "answers Discord",
    "discord_account": "leads back",
    "become": "signs in and leads on",
    "notice": "leads on",
    "notices_read": "leads back",
    "evidence": "a picture",
    "record": "a file",
    "ledger_sheet": "a file",
    "ledger_file": "a file",
    "log_sheet": "a file",
    "dice_sheet": "a file",
    "sheet_file": "a file",
    "sheet_move": "a file",
    "rolls_file": "a file",
    "log_file": "a file",
    "pack": "a file",
    "stream": "events for open pages",
    "by_hand": "leads to the dice",
    "mixing": "leads to the dice",
    "scenario": "a file",
    "scenario_drawing": "a file",
    "scenario_file": "a file",
    "scenario_shown": "as the shipped one's",
    "map_picture": "leads to the picture",
    "map_picture_at": "a picture",
    "picture": "a picture",
    "robots": "a text for programs",
    "security_txt": "a text for programs",
    "play": "founds and leads on",
    "mfa_download_recovery_codes": "a file",
    "moves": "answers the board's script",
    "film": "answers the board's script",
    "link": "leads to the entry",
    "countersign": "leads back",
    "forecast": "leads to the story",
    "look": "leads back",
    "live": "a part of a page",
    "feed_notices": "a feed",
    "feed_deadlines": "a calendar",
    "scenario_act": "leads back",
    "scenario_publish": "leads on",
    "scenario_put_away": "leads back",
    "scenario_fork": "leads on",
    "scenario_playtest": "test_begin",
    "scenario_rules": "as a campaign's",
    "scenario_editor": "test_editor",
    "scenario_numbers": "test_editor",
    "act": "leads back to the table",
    "onward": "leads back to the table",
    "sequence": "leads back to the table",
    "aloud": "leads back to the table",
    "talk_file": "a file",
    "campaign_outlines": "a file",
    "outlines": "a file",
    "own_data_file": "a file",
    "socialaccount_connections": "leads back",
    "discord_login": "leads to another site",
    "discord_callback": "leads on",
    "steam_login": "leads to another site",
    "steam_callback": "leads on",
    "mfa_login_webauthn": "answers a script",
    "manifest": "a file",
    "worker": "a script",
}
WITH_MAP = {(NOBODY, ""), (PLAYER, "?province=dalmatia"), (NOBODY, "{ended}")}
"""Pages on which the map with its thousand texts is checked; it is equal on all others."""


def test_every_address_is_visited() -> None:
    """A new address needs a visit above, or a reason why it shows nothing."""
    assert names() - set(VISITS) - STEPS - set(NO_PAGE) == set()
    assert (set(VISITS) | STEPS | set(NO_PAGE)) - names() == set()
    assert sum(map(len, (VISITS, STEPS, NO_PAGE))) == len(names())


BROKEN = """<!doctype html><html lang=en><title>x</title><style>@media (prefers-color-scheme: dark) { p { color: #eee } }
body { background: #fff; color: #000 } @media (max-width: 400px) { i { display: block; width: 900px } }</style>
<main><h1>x</h1><p>Unreadable by night.</p><i>x</i><input></main>"""  # noqa: E501


@pytest.mark.browser
def test_faults_are_found(new_page: Callable[..., Any]) -> None:
    """The faults are a field without a name, a colour of one scheme, a width of one window."""
    created = PageChecker(new_page, "")
    page = new_page()
    page.set_content(BROKEN)
    created.check(page, "broken")
    assert created.faults == [
        "broken 1280 light: label input",
        "broken 1280 dark: color-contrast p",
        "broken 390 dark: color-contrast p",
        "broken 390 dark: label input",
        "broken 390 dark: 518 pixels too wide",
    ]


MAIN = [
    (NOBODY, "/"),
    (NOBODY, "/sign-in/"),
    (PLAYER, "/me/"),
    (MASTER, "/notices/"),
    (PLAYER, "/found/"),
    (PLAYER, "?province=dalmatia"),
    (MASTER, ""),
    (NOBODY, "log/"),
    (PLAYER, "n/romans/?open=attack-land"),
    (PLAYER, "n/romans/plan/"),
    (PLAYER, "b/6/"),
    (MASTER, "desk/"),
    (MASTER, "seats/"),
    (NOBODY, "{draft}lobby/"),
    (NOBODY, "history/"),
    (NOBODY, "dice/"),
    (NOBODY, "story/"),
    (NOBODY, "reports/"),
]
"""The most visited pages; the default run checks only these."""
PARTS = 3
"""The rest of the visits in parts, which two browsers share."""


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "part", ["main", *(pytest.param(part, marks=pytest.mark.nightly) for part in range(PARTS))]
)
def test_no_page_breaks_a_rule(
    page_checker: PageChecker, person: Callable[..., Any], part: int | str
) -> None:
    newcomer = person("Fresh")
    EmailAddress.objects.create(user=newcomer, email=newcomer.email, primary=True, verified=True)
    demonstration = Demonstration()
    add_battle_events(demonstration)
    claim_battle(demonstration)
    create_other_campaigns(demonstration)
    every = [visit for visits in VISITS.values() for visit in visits]
    assert set(MAIN) <= set(every)
    visits = (
        MAIN
        if isinstance(part, str)
        else [visit for visit in every if visit not in MAIN][part::PARTS]
    )
    for name, path in visits:
        way = path.format(**demonstration.at)
        page_checker.visit(
            name,
            way if way.startswith("/") else demonstration.home + way,
            whole=(name, path) in WITH_MAP,
        )
    assert page_checker.checks == 3 * len(visits) > 0
