"""States of the three other titles: each kind of decision, and the ends."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from django.test import Client

from campaign import practice, services
from campaign.imports import check_record, import_record
from campaign.log import selectors
from campaign.models import Campaign
from games.registry import TITLES
from games.roman_empire.bots.choosing import sensible as sensible_empire
from tests.frozen.grand import Founder
from tests.frozen.scene import Scene, state
from tests.march_on_rome.founded import founded
from tests.march_on_rome.test_page_web import MOMENTS
from tests.roman_empire.games import steps

MARCH, TETRARCHY, EMPIRE = "march_on_rome", "tetrarchia", "roman_empire"
SEED = "b" * 64
BOARD = ("", "moves/", "film/", "log/", "undo/", "/")
READ = (
    "history/",
    "charts/",
    "ledger/",
    "dice/",
    "reports/",
    "rules/",
    "about/",
    "clocks/",
    "story/",
    "rulings/",
    "notices/",
)
TABLE = (
    "seats/",
    "desk/",
    "lobby/",
    "talk/",
    "press/",
    "posts/",
    "channels/",
    "terms/",
    "record.json",
)
EVERY = (*BOARD, *READ, *TABLE, "e/1/", "live/", "/notices/", "/me/")


def windows(people: dict[str, Any]) -> dict[str, Client]:
    """Return a signed-in client for each of these users, and an anonymous one."""
    clients = {who: Client() for who in (*people, "nobody")}
    for who, user in people.items():
        clients[who].force_login(user)
    return clients


def scene(campaign: Campaign, people: dict[str, Any], *pages: str) -> Scene:
    """Return the state of this campaign for these users and an anonymous reader."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    return Scene(windows(people), f"/c/{campaign.address}/", [f"e/{campaign.last_number}/", *pages])


def post(
    built: Scene, campaign: Campaign, who: str, user: Any, where: str = "act/", **data: str
) -> Any:
    """Send a form of the board from a fresh page."""
    campaign.refresh_from_db()
    answer = built.clients[who].post(
        built.home + where, {"seen": str(selectors.seen(campaign, user)), **data}
    )
    assert answer.status_code in (302, 303), answer.content.decode()[-2000:]
    campaign.refresh_from_db()
    return answer


# March on Rome -----------------------------------------------------------------------------


def reign(founder: Founder, moment: str, *pages: str) -> Scene:
    """Return a reign at one of its moments, for the player and two other readers.

    They are an outsider and an anonymous reader.
    """
    seed, there, _ = MOMENTS[moment]
    people = {"gm": founder.person("Marozia"), "stranger": founder.person("Sid")}
    return scene(founded(people["gm"], seed, there), people, *pages)


@state(MARCH, [*EVERY, "/rules/march_on_rome/", "/hall/march_on_rome/"], forms=("gm", "stranger"))
def begun(founder: Founder) -> Scene:
    return reign_until(founder, lambda position: position.phase != "setup")


def reign_until(founder: Founder, there: Callable[[Any], bool], general: str = "Albinus") -> Scene:
    people = {"gm": founder.person("Marozia"), "stranger": founder.person("Sid")}
    return scene(founded(people["gm"], 363, there, general), people)


@state(MARCH, EVERY, forms=("gm",), thorough=True)
def choose(founder: Founder) -> Scene:
    return reign(
        founder,
        "choose",
        "?target=britannia",
        "?target=italia",
        "?target=nowhere",
        "history/?at=4",
        "reports/turn-1/",
    )


@state(MARCH, EVERY, forms=("gm",))
def devote(founder: Founder) -> Scene:
    return reign(founder, "devote")


@state(MARCH, BOARD, forms=("gm",))
def defence(founder: Founder) -> Scene:
    return reign(founder, "defence")


@state(MARCH, BOARD, forms=("gm",))
def answer(founder: Founder) -> Scene:
    return reign(founder, "answer")


@state(MARCH, BOARD, forms=("gm",))
def year(founder: Founder) -> Scene:
    return reign(founder, "year")


@state(MARCH, EVERY, forms=("gm",))
def won(founder: Founder) -> Scene:
    return reign(founder, "won", "history/?at=9", "/hall/march_on_rome/")


@state(MARCH, BOARD + READ)
def driven_out(founder: Founder) -> Scene:
    return reign(founder, "driven out", "history/?at=9&by=turns")


@state(MARCH, BOARD)
def hostile_name(founder: Founder) -> Scene:
    return reign_until(founder, lambda position: position.turn == 2, '<script>alert("1")</script>')


@state(MARCH, [*BOARD, "/me/", "/sign-up/", "/sign-out/", "/learn/march_on_rome/"], forms=("gm",))
def guest(founder: Founder) -> Scene:
    """Someone without an account plays."""
    client = Client()
    location = client.post("/play/march_on_rome/")["Location"]
    return Scene({"gm": client, "nobody": Client()}, location, ["/found/?title=march_on_rome"])


@state(
    MARCH,
    [
        "",
        "lesson/",
        "/learn/march_on_rome/",
        "/learn/tetrarchia/",
        "/learn/roman_empire/",
        "/learn/grand_campaign/",
    ],
    forms=("gm",),
)
def lesson(founder: Founder) -> Scene:
    user = founder.person("Marozia")
    return scene(practice.begin_lesson(user, MARCH), {"gm": user})


# Tetrarchia -----------------------------------------------------------------------------


def seated(
    founder: Founder, title: str, name: str, seats: dict[str, str], options: dict[str, Any]
) -> tuple[Campaign, dict[str, Any]]:
    """Return a campaign with several players in these seats, and its people."""
    people = {who: founder.person(who.title()) for who in ("gm", "stranger", *seats)}
    campaign = services.found_campaign(
        people["gm"], title, name, "standard", options, visibility="listed", seed=SEED
    )
    for who, seat in seats.items():
        services.take_seat(people[who], services.invite(campaign, people["gm"], seat)[1])
    campaign.refresh_from_db()
    return campaign, people


def played(
    campaign: Campaign, user: Any, choose_move: Callable[[Any], Any], there: Callable[[Any], bool]
) -> Campaign:
    """Let a program play on until the position is `there`; the game master enters every move."""
    while not there(position := selectors.position(campaign)):
        raw = choose_move(position)
        assert raw is not None
        content = {"by": "gm", **raw}
        if raw.get("by") not in (None, "gm"):
            content = {**raw, "by": "gm", "for": raw["by"]}
        campaign = services.play(campaign, user, content, selectors.seen(campaign, user)).campaign
    return campaign


def pair(founder: Founder) -> tuple[Campaign, dict[str, Any]]:
    return seated(
        founder,
        TETRARCHY,
        "Four against the night",
        {"hun": "east", "roman": "west"},
        {"players": 2},
    )


@state(
    TETRARCHY,
    [*EVERY, "/rules/tetrarchia/", "/hall/tetrarchia/", "/found/?title=tetrarchia"],
    forms=("gm",),
)
def before(founder: Founder) -> Scene:
    return scene(*pair(founder))


@state(TETRARCHY, EVERY, forms=("hun",))
def fleets(founder: Founder) -> Scene:
    campaign, people = pair(founder)
    built = scene(campaign, people)
    post(built, campaign, "gm", people["gm"], do="begin")
    return scene(campaign, people)


@state(TETRARCHY, EVERY, forms=("hun",), thorough=True)
def emperors_turn(founder: Founder) -> Scene:
    campaign, people = pair(founder)
    built = scene(campaign, people)
    post(built, campaign, "gm", people["gm"], do="begin")
    post(built, campaign, "hun", people["hun"], do="place_fleets", zones="internum-aegaeum")
    post(built, campaign, "hun", people["hun"], do="enter", at="bithynia")
    post(
        built,
        campaign,
        "roman",
        people["roman"],
        "aloud/",
        text="Maximian to <b>ROMA</b>?\nI hold {the} East.",
    )
    return scene(campaign, people, "?at=thracia", "?at=asia", "?at=nowhere", "undo/?to=3")


@state(TETRARCHY, EVERY)
def after_barbarians(founder: Founder) -> Scene:
    campaign, people = pair(founder)
    built = scene(campaign, people)
    post(built, campaign, "gm", people["gm"], do="begin")
    post(built, campaign, "hun", people["hun"], do="place_fleets", zones="internum-aegaeum")
    post(built, campaign, "gm", people["gm"], "onward/", how="deputy")
    return scene(campaign, people, "history/?at=6", "reports/turn-1/")


@state(TETRARCHY, [*BOARD, *READ], forms=("gm",))
def alone(founder: Founder) -> Scene:
    user = founder.person("Ada")
    campaign = services.found_campaign(
        user, TETRARCHY, "The night", "standard", {}, visibility="listed", seed=SEED
    )
    people = {"gm": user, "stranger": founder.person("Sid")}
    built = scene(campaign, people)
    post(built, campaign, "gm", user, do="place_fleets", zones="internum-aegaeum")
    return scene(campaign, people, "?at=thracia")


@state(TETRARCHY, [*BOARD, *READ], forms=("gm",))
def over(founder: Founder) -> Scene:
    user = founder.person("Ada")
    campaign = services.found_campaign(
        user, TETRARCHY, "The night", "standard", {}, visibility="listed", seed=SEED
    )
    people = {"gm": user, "stranger": founder.person("Sid")}
    built = scene(campaign, people)
    post(built, campaign, "gm", user, do="place_fleets", zones="internum-aegaeum")
    while not campaign.ended:
        post(built, campaign, "gm", user, "onward/", how="end")
    return scene(campaign, people, "/hall/tetrarchia/", "history/?at=9")


@state(TETRARCHY, ["", "lesson/"], forms=("gm",))
def tetrarchs_lesson(founder: Founder) -> Scene:
    user = founder.person("Marozia")
    return scene(practice.begin_lesson(user, TETRARCHY), {"gm": user})


# Roman Empire -----------------------------------------------------------------------------


def three(founder: Founder, **options: Any) -> tuple[Campaign, dict[str, Any]]:
    seats = {"hun": "A", "roman": "B", "third": "C"}
    return seated(founder, EMPIRE, "From Caesar on", seats, {"players": 3, **options})


def empire_until(founder: Founder, there: Callable[[Any], bool], *pages: str) -> Scene:
    campaign, people = three(founder)
    return scene(played(campaign, people["gm"], sensible_empire, there), people, *pages)


@state(
    EMPIRE,
    [*EVERY, "/rules/roman_empire/", "/hall/roman_empire/", "/found/?title=roman_empire"],
    forms=("gm",),
)
def unopened(founder: Founder) -> Scene:
    return scene(*three(founder))


@state(EMPIRE, EVERY, forms=("hun", "roman"))
def draw(founder: Founder) -> Scene:
    return empire_until(founder, lambda position: position.draw is not None)


@state(EMPIRE, EVERY, forms=("gm", "hun"), thorough=True)
def peoples_phase(founder: Founder) -> Scene:
    pages = ("?at=baetica", "?at=italia", "?at=nowhere", "reports/turn-1/", "history/?at=5")
    return empire_until(
        founder, lambda position: position.phase == "people" and position.in_hand > 0, *pages
    )


@state(EMPIRE, [*BOARD, *READ], forms=("gm", "hun"))
def fight(founder: Founder) -> Scene:
    return empire_until(founder, lambda position: position.pending is not None)


@state(EMPIRE, [*BOARD, *READ], forms=("gm", "hun"))
def faction_phase(founder: Founder) -> Scene:
    return empire_until(
        founder, lambda position: position.phase == "faction" and position.period >= 2
    )


@state(EMPIRE, EVERY, forms=("gm",))
def empire_over(founder: Founder) -> Scene:
    pages = ("/hall/roman_empire/", "history/?at=40", "reports/end/")
    people = {who: founder.person(who.title()) for who in ("gm", "stranger")}
    options = {"players": 3}
    moves = [move for _, move, _ in steps(SEED, options, "sensible")]
    record = {
        "format": TITLES[EMPIRE].format,
        "scenario": "standard",
        "options": options,
        "dice": {"seed": SEED},
        "moves": moves,
    }
    judged = check_record(json.dumps(record))
    assert judged.faults == []
    return scene(
        import_record(people["gm"], judged, "From Caesar on", "Europe/Rome", "listed"),
        people,
        *pages,
    )


@state(EMPIRE, ["", "lesson/"], forms=("gm",))
def empires_lesson(founder: Founder) -> Scene:
    user = founder.person("Marozia")
    return scene(practice.begin_lesson(user, EMPIRE), {"gm": user})
