"""Every address and every move, requested by five readers and compared with a written table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from campaign import services
from campaign.errors import TableError
from campaign.log import selectors
from engine.errors import IllegalMove
from games.grand_campaign.rules.form import SPECS
from games.grand_campaign.rules.scenario import load
from games.registry import TITLES
from people import services as people_services
from tests.addresses import names
from tests.web.contests import attack_independents
from tests.web.grand_table import WHO, GrandTable, campaign_in_huns_slot, new_campaign  # noqa: F401

pytestmark = [pytest.mark.django_db, pytest.mark.thorough]

# gm, hun, roman, stranger, anonymous reader
SEEN = (200, 200, 200, 200, 200)
MASTER = (200, 403, 403, 403, 302)
SIGNED_IN = (200, 200, 200, 200, 302)
BACK = (302, 302, 302, 302, 302)

PAGES: dict[str, tuple[str, tuple[int, ...]]] = {
    "front": ("/", SEEN),
    "found": ("/found/", SIGNED_IN),
    "manifest": ("/manifest.webmanifest", SEEN),
    "worker": ("/worker.js", SEEN),
    "offline": ("/offline/", SEEN),
    "stream": ("/live/abcdefgh/", (404,) * 5),  # only `config.live` answers: config/test_live.py
    "robots": ("/robots.txt", SEEN),
    "security_txt": (
        "/.well-known/security.txt",
        (404,) * 5,
    ),  # pages with a user: tests/config/test_monitoring.py
    "import": ("/found/import/", SIGNED_IN),
    "import_run": (
        "/found/import/999999/",
        (404, 404, 404, 404, 302),
    ),  # only for its sender: imports/test_imports.py
    "scenario": ("/scenarios/grand_campaign/420ad.json", SEEN),
    "scenarios": ("/scenarios/", SEEN),
    "practice": ("/practice/grand_campaign/", SEEN),
    "scenario_new": ("/scenarios/new/", SIGNED_IN),
    "scenario_rules": ("/scenarios/abcdefgh/rules/", (404,) * 5),
    "scenario_editor": (
        "/scenarios/drafts/abcdefgh/",
        (404, 404, 404, 404, 302),
    ),  # its owner's: scenarios/test_editor.py
    "scenario_numbers": ("/scenarios/drafts/abcdefgh/numbers/", (404, 404, 404, 404, 302)),
    "scenario_act": ("/scenarios/drafts/abcdefgh/act/", (405, 405, 405, 405, 302)),
    "scenario_publish": ("/scenarios/drafts/abcdefgh/publish/", (405, 405, 405, 405, 302)),
    "scenario_put_away": ("/scenarios/drafts/abcdefgh/away/", (405, 405, 405, 405, 302)),
    "scenario_begin": ("/scenarios/begin/", SIGNED_IN),
    "scenario_playtest": (
        "/scenarios/playtest/?scenario=abcdefgh",
        (404, 404, 404, 404, 302),
    ),  # its owner's
    "scenario_fork": ("/scenarios/fork/", (405, 405, 405, 405, 302)),
    "scenario_shipped": ("/scenarios/grand_campaign/420ad/", SEEN),
    "scenario_drawing": ("/scenarios/grand_campaign/420ad/drawing.json", SEEN),
    "scenario_shown": (
        "/scenarios/abcdefgh/",
        (404,) * 5,
    ),  # owners and readers: scenarios/test_scenarios.py
    "scenario_file": ("/scenarios/abcdefgh.json", (404,) * 5),
    "invitation": ("/join/", (410, 410, 410, 410, 410)),  # no link was opened before
    "lobbies": ("/lobby/", SEEN),
    "help": ("/help/", SEEN),
    "guide": ("/help/boards/", SEEN),
    "lobby": ("lobby/", SEEN),
    "about": ("about/", SEEN),
    "clocks": ("clocks/", SEEN),
    "join": ("/join/0123456789abcdef/", (410, 410, 410, 410, 410)),
    "rules": ("/rules/grand_campaign/", SEEN),
    "me": ("/me/", SIGNED_IN),
    "absence": ("/me/absence/", SIGNED_IN),
    "notices": ("/notices/", SIGNED_IN),
    "notice": ("/notices/999999999/", (404, 404, 404, 404, 302)),
    "notices_read": ("/notices/read/", (405, 405, 405, 405, 405)),
    "campaign_notices": ("notices/", SIGNED_IN),
    "table": ("", SEEN),
    "campaign_rules": ("rules/", SEEN),
    "rulings": ("rulings/", SEEN),
    "resume": ("resume/", (302, 403, 403, 403, 302)),  # the campaign has begun
    "sheet_file": ("sheet.csv", SEEN),
    "sheet_move": ("resume.json", SEEN),
    "amendments": ("rules/changes/", SEEN),
    "live": ("live/", SEEN),
    "log": ("log/", SEEN),
    "entry": ("e/1/", SEEN),
    "branch": ("e/1/branch/", (404,) * 5),  # no undo here: tests/web/log/test_undo_page.py has some
    "rewind": ("rewind/?entry=1", MASTER),
    "after_undo": (
        "e/1/undone/",
        (404, 403, 403, 403, 302),
    ),  # no undo here: tests/web/log/test_undo_page.py has one
    "countersign": ("e/1/countersign/", BACK),
    "nation": ("n/romans/", SEEN),
    "plan": (
        "n/romans/plan/",
        (403, 403, 200, 403, 302),
    ),  # only for the holder: tests/web/play/test_plan.py
    "seat_notes": (
        "n/romans/notes/",
        (403, 403, 200, 403, 302),
    ),  # also: seats/test_handover.py
    "handover": (
        "n/romans/handover/",
        (403, 403, 302, 403, 302),
    ),  # nothing was handed over to them
    "standing": (
        "n/romans/standing/",
        (200, 403, 200, 403, 302),
    ),  # holder and game master: seats/test_standing_orders.py
    "looks": ("n/romans/looks/", (200, 403, 200, 403, 302)),  # seats/test_access_log.py
    "look": ("n/romans/look/", (303, 403, 403, 403, 302)),
    "battles": ("battles/", SEEN),
    "battle": ("b/1/", SEEN),
    "evidence": (
        "b/1/evidence/1/",
        (404,) * 5,
    ),  # there is none: tests/web/battles/test_claims.py has some
    "history": ("history/", SEEN),
    "history_film": ("history/film/", SEEN),
    "charts": ("charts/", SEEN),
    "story": ("story/", SEEN),
    "forecast": ("forecast/", BACK),  # a POST switches it: tests/web/titles/test_forecast.py
    "map_picture": ("map.png", BACK),  # to the picture itself: exports/test_picture.py
    "picture": (f"map/1-{'0' * 24}.png", BACK),
    "outlines": (
        f"/maps/{'0' * 20}.svg",
        (404,) * 5,
    ),  # there is no such map: titles/test_table.py requests one
    "campaign_outlines": (f"maps/{'0' * 20}.svg", (404,) * 5),
    "ledger": ("ledger/", SEEN),
    "ledger_file": ("ledger.csv", SEEN),
    "dice": ("dice/", SEEN),
    "by_hand": ("dice/by-hand/", BACK),
    "mixing": ("dice/mixing/", BACK),
    "pack": ("pack.zip", (202,) * 5),  # made by the worker: exports/test_audit_pack.py
    "pack_waits": ("pack/", SEEN),
    "rolls_file": ("dice/rolls.json", SEEN),
    "log_file": ("dice/log.jsonl", SEEN),
    "link": ("e/1/link/", BACK),
    "orders": ("orders/", (200, 200, 200, 403, 302)),
    "ledger_sheet": ("n/huns/ledger.csv", SEEN),
    "log_sheet": ("log.csv", SEEN),
    "dice_sheet": ("dice.csv", SEEN),
    "record": ("record.json", SEEN),
    "map_picture_at": (
        "map/999.en.png",
        (404,) * 5,
    ),  # no such entry: exports/test_picture.py shows some
    "reports": ("reports/", (303, 200, 200, 200, 200)),
    "report_tone": ("reports/tone/", MASTER),
    "heard": ("heard/", (200, 200, 200, 403, 302)),
    "posts": ("posts/", MASTER),
    "post": (
        "posts/1/",
        (404, 403, 403, 403, 302),
    ),  # there is none: tests/web/forum/test_posts.py has some
    "new_thread": ("threads/new/", MASTER),
    "thread": ("threads/1/", (404, 403, 403, 403, 302)),
    "report": ("reports/turn-1/", SEEN),
    "desk": ("desk/", MASTER),
    "remedies": ("desk/away/romans/", MASTER),
    "channels": ("channels/", MASTER),
    "webhooks": ("webhooks/", MASTER),
    "seats": ("seats/", MASTER),
    # after the start they are fixed: back to the table
    "terms": ("terms/", (302, 403, 403, 403, 302)),
    "announce": ("move/", BACK),
    "language": ("/language/", (405,) * 5),  # a POST chooses: tests/web/frame/test_languages.py
    "hall": ("/hall/grand_campaign/", SEEN),
    "ratings": ("/ratings/", SEEN),
    "ratings_person": (
        "/ratings/999999/",
        (404,) * 5,
    ),  # users who have not joined: tests/web/frame/test_ratings.py has others
    "play": ("/play/march_on_rome/", (405,) * 5),  # a POST plays: tests/web/frame/test_guests.py
    "act": (
        "act/",
        (404,) * 5,
    ),  # for titles with their own page: tests/web/play/test_title_page.py
    "moves": ("moves/", (404,) * 5),  # also: tests/web/play/test_compose.py
    "film": ("film/", (404,) * 5),
    "onward": ("onward/", (404,) * 5),
    "sequence": ("list/", (404,) * 5),  # tests/roman_empire/test_list.py
    "aloud": ("aloud/", (404,) * 5),
    "talk": (
        "talk/",
        (200, 200, 200, 403, 302),
    ),  # readers of threads: tests/talk and tests/web/frame/test_talk.py
    "talk_file": ("talk/messages.txt", (200, 200, 200, 403, 302)),
    "reported": ("reported/", MASTER),  # content for each reader: tests/moderation
    "terms_of_site": ("/terms/", SEEN),
    "privacy": ("/privacy/", SEEN),
    "left": ("/left/", SEEN),
    "talk_thread": ("talk/abcdefgh/", (404, 404, 404, 403, 302)),
    "press": ("press/", SEEN),
    "preview": ("preview/", BACK),
    "start": ("start/", (302, 403, 403, 403, 302)),  # a campaign that has started
    "last_undo": ("undo/last/", (200, 200, 200, 403, 302)),
    "undo": ("undo/", (403, 302, 302, 403, 302)),  # the game master undoes from the desk
}
ELSEWHERE = {
    "become",
    "account_login",
    "account_signup",
    "account_logout",
    "account_inactive",
    "account_change_password",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_request_login_code",
    "account_confirm_login_code",
    "account_email",
    "account_confirm_email",
    "account_reauthenticate",
    "mfa_reauthenticate",
    "mfa_authenticate",
    "mfa_index",
    "mfa_activate_totp",
    "mfa_deactivate_totp",
    "mfa_view_recovery_codes",
    "mfa_generate_recovery_codes",
    "mfa_download_recovery_codes",
    "mfa_login_webauthn",
    "mfa_add_webauthn",
    "mfa_reauthenticate_webauthn",
    "mail_reauthenticate",
    "ways",
    "credentials",
    "account_set_password",
    "socialaccount_signup",
    "socialaccount_connections",
    "discord_login",
    "discord_callback",
    "steam_login",
    "steam_callback",
    "learn",
    "lesson",
    "report_text",
    "own_reports",
    "blocks",
    "own_data",
    "own_data_file",
    "leave",
    "agree",
    "moderation",
    "site_invitations",
    "invited",
    "told",
    "programs",
    "discord",
    "discord_account",
    "unsubscribe",
    "feed_notices",
    "feed_deadlines",
}
"""Addresses of people, tested by tests/people, tests/notices, tests/moderation,
tests/web/frame/test_demo.py and test_programs.py.
"""


@pytest.fixture
def grand_table(new_campaign: Callable[..., GrandTable]) -> GrandTable:  # noqa: F811
    """Return a campaign in turn 1, with the Hun's slot and their covert attack on the Vandals."""
    return campaign_in_huns_slot(new_campaign, "covert attack", attack_independents)


def test_every_address_is_in_the_table() -> None:
    assert names() - ELSEWHERE == set(PAGES)


def test_readers_may_open_these_addresses(grand_table: GrandTable) -> None:
    answers = {
        name: tuple(grand_table.statuses(path).values()) for name, (path, _) in PAGES.items()
    }
    assert answers == {name: expected for name, (_, expected) in PAGES.items()}


def test_a_guest_opens_what_a_stranger_opens(grand_table: GrandTable) -> None:
    """Only the form for a campaign with others asks a guest to sign up first."""
    guest, wanted = (
        guest_of(grand_table),
        {name: expected[3] for name, (_, expected) in PAGES.items()} | {"found": 302},
    )
    paths = {
        name: path if path.startswith("/") else grand_table.home + path
        for name, (path, _) in PAGES.items()
    }
    assert {name: guest.get(path).status_code for name, path in paths.items()} == wanted


def guest_of(grand_table: GrandTable) -> Client:
    """Return a client of a guest who plays elsewhere."""
    client, person = Client(), people_services.make_guest()
    session = client.session
    people_services.remember_guest(session, person)
    session.save()
    client.cookies["sessionid"] = session.session_key
    grand_table.people["guest"] = person
    return client


@pytest.mark.long
def test_a_members_campaign_is_not_found_by_others(
    new_campaign: Callable[..., GrandTable],  # noqa: F811
) -> None:
    grand_table = new_campaign(visibility="members")
    grand_table.play("gm", "start")
    grand_table.slot_to("huns")
    attack_independents(grand_table)
    its = {name: path for name, (path, _) in PAGES.items() if not path.startswith("/")}
    found_so = {name: tuple(grand_table.statuses(path).values()) for name, path in its.items()}
    assert found_so == {name: (*PAGES[name][1][:3], 404, 404) for name in its}


# Moves that the Hun, in their own slot, or the game master could make. All five readers try each as
# the Hun, as the game master, and as the game master for the Hun. The permission to act at all
# depends on seats; the rules of the move are checked later.
SHEET = {"stability": 6, "prestige": 6, "income": 450, "army": 1600, "victory_points": 0}
MOVES: dict[str, dict[str, Any]] = {
    "start": {},
    "open-turn": {},
    "build": {"structure": "hamlets"},
    "tax-exemption": {},
    "tax-increase": {},
    "barracks": {},
    "siege-train": {},
    "provincial-levy": {},
    "fortify": {"province": "hunnia"},
    "fleet": {"province": "scythia"},
    "attack": {"kind": "land", "from": "pannonia", "target": "dalmatia"},
    "respond": {"attack": 1, "choice": "accept"},
    "play": {"card": "chancellor"},
    "keep": {"card": "bodyguard", "value": True},
    "offer": {"card": "spy"},
    "take": {"from": "romans", "card": "spy", "give": "spy"},
    "end-slot": {},
    "report": {"attack": 1, "winner": "draw"},
    "forfeit": {"attack": 1, "side": "attacker"},
    "adjust": {"nation": "huns", "account": "army", "change": 5, "reason": "r"},
    "set-owner": {"province": "dalmatia", "owner": "huns", "reason": "r"},
    "give-card": {"nation": "huns", "card": "spy", "reason": "r"},
    "discard-card": {"nation": "huns", "card": "spy", "reason": "r"},
    "set-structures": {"nation": "huns", "structures": ["hamlets"], "reason": "r"},
    "set-assets": {"nation": "huns", "barracks": True, "reason": "r"},
    "set-fortification": {"province": "hunnia", "fortification": "walls", "reason": "r"},
    "set-fleet": {"province": "scythia", "fleet": True, "reason": "r"},
    "amend": {"rules": {"siege_train": 30}, "reason": "r"},
    "resume": {
        "turn": 1,
        "first": "huns",
        "reason": "r",
        "provinces": {},
        "nations": dict.fromkeys(load("420ad").order, SHEET),
    },
}
CORRECTIONS = {"set-structures", "set-assets", "set-fortification", "set-fleet"}
TURNS = {"start", "open-turn", "amend", "resume"}
MASTERS = {
    *TURNS,
    *CORRECTIONS,
    "report",
    "forfeit",
    "adjust",
    "set-owner",
    "give-card",
    "discard-card",
}


def voice(grand_table: GrandTable, who: str, raw: dict[str, Any]) -> str:
    """Return `heard` if the reader may send the move, otherwise the status of the refusal.

    The rules may still refuse the move.
    """
    user = grand_table.people.get(who)
    try:
        services.preview(grand_table.campaign, user, raw)
    except TableError as error:
        return error.code
    except IllegalMove as refusal:
        return "not-allowed" if refusal.code in ("not-allowed", "bad-argument") else "heard"
    return "heard"


@pytest.mark.parametrize("move", MOVES)
def test_readers_may_make_these_moves(grand_table: GrandTable, move: str) -> None:
    content = MOVES[move]
    as_hun = {who: voice(grand_table, who, {"by": "huns", "move": move, **content}) for who in WHO}
    as_master = {who: voice(grand_table, who, {"by": "gm", "move": move, **content}) for who in WHO}
    for_hun = {
        who: voice(grand_table, who, {"by": "gm", "for": "huns", "move": move, **content})
        for who in WHO
    }
    outside = {"stranger": "not-at-the-table", "nobody": "not-at-the-table"}
    guest_of(grand_table)
    for raw in ({"by": "huns", "move": move, **content}, {"by": "gm", "move": move, **content}):
        assert voice(grand_table, "guest", raw) == "not-at-the-table"
    others = {"hun": "not-your-seat", "roman": "not-your-seat", **outside}
    if move in MASTERS:
        # A phase that forbids the move to everyone is reported before a missing permission (RECORD,
        # Error codes).
        hun = "heard" if move in TURNS else "not-allowed"
        assert as_hun == {"gm": "not-your-seat", "hun": hun, "roman": "not-your-seat", **outside}
        assert as_master == {"gm": "heard", **others}
        assert for_hun == {"gm": "not-allowed", **others}
    else:
        hun = "not-allowed" if move == "respond" else "heard"
        assert as_hun == {"gm": "not-your-seat", "hun": hun, "roman": "not-your-seat", **outside}
        assert as_master == {"gm": "not-allowed", **others}
        assert for_hun == {"gm": hun, **others}


def test_every_move_is_in_the_table() -> None:
    assert TITLES["grand_campaign"].key, "its rules are read"
    assert set(MOVES) == set(SPECS)


def test_requests_wrote_nothing(grand_table: GrandTable) -> None:
    before = selectors.seen(grand_table.campaign, grand_table.people["gm"])
    for who in WHO:
        for move, content in MOVES.items():
            voice(grand_table, who, {"by": "huns", "move": move, **content})
    assert selectors.seen(grand_table.campaign, grand_table.people["gm"]) == before
