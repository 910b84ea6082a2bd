"""The picture of the map at an entry: drawn by the worker, cached by its content."""

from __future__ import annotations

import io
import os
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from celery.contrib.testing.worker import start_worker
from django.core.cache import cache
from django.test import Client
from PIL import Image

from campaign.log import history, positions
from campaign.pictures import images, png
from campaign.pictures.palette import light_palette
from campaign.tasks import draw_picture
from config import storage
from config.celery import app
from games.grand_campaign.drawing import picture as grand_campaign_picture
from games.grand_campaign.drawing.drawing import for_scenario
from tests.web.grand_table import GrandTable, grand_table, new_campaign
from web.exports import picture_views as view
from web.frame import throttle

__all__ = ["grand_table", "new_campaign"]
pytestmark = pytest.mark.django_db

HUNS, ROMANS, INDEPENDENT = (122, 74, 43), (181, 53, 47), (216, 185, 140)


@pytest.fixture(scope="module", autouse=True)
def box(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Return a broker's folder of this module alone, whatever broker the run has."""
    folder, usual = (
        tmp_path_factory.mktemp("broker"),
        (app.conf.broker_url, app.conf.broker_transport_options),
    )
    shown = dict.fromkeys(("data_folder_in", "data_folder_out", "control_folder"), str(folder))
    app.conf.broker_url, app.conf.broker_transport_options = "filesystem://", shown
    app._after_fork()  # connections to the earlier broker are dropped
    yield folder
    app.conf.broker_url, app.conf.broker_transport_options = usual
    app._after_fork()


@pytest.fixture(autouse=True)
def var(settings: Any, tmp_path: Path, box: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep pictures and messages of this test apart.

    Requests do not wait; fonts stay where they were made.
    """
    png.fonts()
    settings.STORAGES = {**settings.STORAGES, "made": storage.make_storage(str(tmp_path), tmp_path)}
    for message in box.glob("*.msg"):
        message.unlink()
    monkeypatch.setattr(view, "HELD", 0.0)
    return tmp_path


def messages(box: Path) -> int:
    """Return the number of messages that wait for the worker."""
    return len(list(box.glob("*.msg")))


def number(grand_table: GrandTable) -> int:
    return int(grand_table.campaign.last_number)


def drawn(grand_table: GrandTable, at: int) -> str:
    """Let the worker draw the picture after an entry, and return its address."""
    draw_picture(grand_table.campaign.pk, at, "en")
    return str(grand_table.get("nobody", f"map.png?at={at}").headers["Location"])


def image(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content))


def land(grand_table: GrandTable, picture: Image.Image, province: str) -> tuple[int, int, int]:
    """Return the most frequent colour of the land around a province's seat."""
    drawing = for_scenario(positions.scenario(grand_table.campaign).raw)
    scale = (1600 - 32) / drawing.width
    x, y = (round(16 + scale * part) for part in drawing.provinces[province].seat.at)
    about = picture.convert("RGB").crop((x - 25, y - 25, x + 25, y + 25)).getcolors(maxcolors=1000)
    assert about is not None
    return max(about)[1]  # type: ignore[return-value]


def test_a_picture_is_a_png_of_few_colours_that_shows_the_owners(grand_table: GrandTable) -> None:
    before = number(grand_table)
    grand_table.play("gm", "set-owner", province="asia", owner="huns", reason="Taken.")
    was = grand_table.get("nobody", drawn(grand_table, before)).content
    answer = grand_table.get("nobody", drawn(grand_table, number(grand_table)))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "image/png"
    for content in (was, answer.content):
        created = image(content)
        assert (created.format, created.size, created.mode) == ("PNG", (1600, 1099), "P")
        assert len(created.getcolors() or ()) <= 96
        assert len(content) < 400_000
    assert land(grand_table, image(was), "asia") == ROMANS
    assert land(grand_table, image(answer.content), "asia") == HUNS
    assert land(grand_table, image(answer.content), "arabia") == INDEPENDENT
    assert was != answer.content


@pytest.mark.long
def test_equal_pictures_have_one_name(grand_table: GrandTable, var: Path) -> None:
    at = number(grand_table)
    first = drawn(grand_table, at)
    written = var / images.file(
        grand_table.campaign, at, first.rsplit("-", 1)[1].removesuffix(".png")
    )
    when = written.stat().st_mtime_ns
    grand_table.play("huns", "barracks")
    assert drawn(grand_table, at) == first
    assert written.stat().st_mtime_ns == when
    assert drawn(grand_table, number(grand_table)) != first
    assert images.picture_after(
        grand_table.campaign, images.place(grand_table.campaign, at)
    ).text == (  # type: ignore[arg-type]
        f"Map of The Long Frontier: turn 1 of 6, after entry {at}."
    )


def test_browsers_keep_a_picture_for_ever(grand_table: GrandTable) -> None:
    where = drawn(grand_table, number(grand_table))
    onward = grand_table.get("nobody", "map.png")
    assert (onward.status_code, onward.headers["Location"]) == (302, where)
    assert onward.headers["Cache-Control"] == "private, no-cache"
    answer = grand_table.get("nobody", where)
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert (
        answer.headers["Content-Disposition"]
        == f'inline; filename="the-long-frontier-{number(grand_table)}.png"'
    )
    tag = answer.headers["ETag"]
    assert tag == f'"{where[-28:-4]}"'
    again = Client().get(where, headers={"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")


def test_the_page_reloads_until_the_worker_has_drawn_the_picture(
    grand_table: GrandTable, box: Path
) -> None:
    where = grand_table.get("nobody", "map.png").headers["Location"]
    page = Client().get(where, headers={"accept": "text/html,image/*"})
    assert (page.status_code, page.headers["Refresh"], page.headers["Retry-After"]) == (
        202,
        "3",
        "3",
    )
    assert page.headers["Cache-Control"] == "no-store"
    assert "The picture is being drawn" in page.content.decode()
    image = Client().get(where, headers={"accept": "image/png"})
    assert (image.status_code, image.content, image.headers["Retry-After"]) == (202, b"", "3")
    assert messages(box) == 1  # two requests, one message to the worker


@pytest.mark.django_db(transaction=True)
@pytest.mark.thorough
def test_a_worker_draws_what_a_request_waits_for(
    grand_table: GrandTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker in its own thread reads the broker's message.

    Then the waiting request is answered.
    """
    monkeypatch.setattr(view, "HELD", 60.0)
    with start_worker(app, perform_ping_check=False, pool="solo", shutdown_timeout=30):
        answer = grand_table.get("nobody", grand_table.get("nobody", "map.png").headers["Location"])
    assert answer.status_code == 200
    assert image(answer.content).size == (1600, 1099)


def test_only_a_few_requests_wait_at_once(grand_table: GrandTable, box: Path) -> None:
    cache.set(images.WAITING, {str(n): time.time() for n in range(images.QUEUE)}, 300)
    where = grand_table.get("nobody", "map.png").headers["Location"]
    assert grand_table.get("nobody", where).status_code == 202
    assert messages(box) == 0
    # Pictures that were not drawn in time are forgotten.
    cache.set(
        images.WAITING, {str(n): time.time() - images.LAPSES for n in range(images.QUEUE)}, 300
    )
    assert grand_table.get("nobody", where).status_code == 202
    assert messages(box) == 1


@pytest.mark.long
def test_a_stranger_may_request_few_old_entries_but_every_turn(
    grand_table: GrandTable, box: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(view, "STRANGERS", throttle.Limit("picture", address=2, person=5))
    for owner in ("huns", None, "romans"):
        grand_table.play("gm", "set-owner", province="asia", owner=owner, reason="A slip.")
    stops = [stop.number for stop in history.trail(grand_table.campaign).stops][:-1][-4:]
    asked = [
        grand_table.get("nobody", grand_table.get("nobody", f"map.png?at={at}").headers["Location"])
        for at in stops
    ]
    assert [answer.status_code for answer in asked] == [202, 202, 429, 429]
    assert int(asked[-1].headers["Retry-After"]) > 3000
    again = grand_table.get(
        "nobody", grand_table.get("nobody", f"map.png?at={stops[0]}").headers["Location"]
    )
    assert again.status_code == 202  # it waits for the worker: another look draws nothing more
    assert (
        grand_table.get(
            "nobody", grand_table.get("nobody", "map.png").headers["Location"]
        ).status_code
        == 202
    )  # the last entry does not count
    own = grand_table.get("hun", f"map.png?at={stops[-1]}").headers["Location"]
    assert grand_table.get("hun", own).status_code == 202  # members have their own limit
    draw_picture(grand_table.campaign.pk, stops[-1], "en")
    assert grand_table.get("nobody", own).status_code == 200  # pictures that exist do not count


def test_an_entry_that_is_not_in_force_has_no_picture(grand_table: GrandTable) -> None:
    at = number(grand_table)
    grand_table.play("huns", "barracks")
    where = grand_table.get("nobody", f"map.png?at={at + 1}").headers["Location"]
    for asked in ("x", "-1", "999", "1e3", "9" * 12, "٣"):
        assert grand_table.get("nobody", f"map.png?at={asked}").status_code == 404
    from campaign import services

    services.undo_to(
        grand_table.campaign, grand_table.people["gm"], at, "A slip", grand_table.seen("gm")
    )
    grand_table.campaign.refresh_from_db()
    assert grand_table.get("nobody", f"map.png?at={at + 1}").status_code == 404
    assert grand_table.get("nobody", where).status_code == 404


def test_an_outdated_address_leads_to_the_current_picture(grand_table: GrandTable) -> None:
    at = number(grand_table)
    answer = grand_table.get("nobody", f"map/{at}-{'0' * 24}.png")
    assert (answer.status_code, answer.headers["Location"]) == (
        302,
        grand_table.get("nobody", f"map.png?at={at}").headers["Location"],
    )


def test_a_picture_stays_under_its_entrys_address(grand_table: GrandTable) -> None:
    """Pictures in posts keep their address after a renaming or an undo."""
    from campaign import services

    before = number(grand_table)
    first = grand_table.get(
        "nobody", f"map/{before}.en.png"
    )  # the first picture of a campaign is drawn at once
    assert (first.status_code, first.headers["Cache-Control"]) == (200, "public, max-age=15")
    grand_table.play("huns", "barracks")
    at = number(grand_table)
    meanwhile = grand_table.get("nobody", f"map/{at}.en.png")
    assert (meanwhile.status_code, meanwhile.headers["Cache-Control"]) == (
        200,
        "public, max-age=15",
    )
    assert meanwhile.content == first.content, (
        "until it is drawn, a board's reader sees the picture before it"
    )
    assert (
        grand_table.clients["gm"]
        .get(f"{grand_table.home}map/{at}.en.png", headers={"accept": "text/html"})
        .status_code
        == 202
    )
    for language in ("en", "it"):
        draw_picture(grand_table.campaign.pk, at, language)
    english, italian = (
        grand_table.get("nobody", f"map/{at}.{language}.png") for language in ("en", "it")
    )
    assert (english.status_code, english.headers["Content-Type"]) == (200, "image/png")
    assert english.headers["Cache-Control"] == "public, max-age=3600"
    assert english.content != italian.content
    assert image(english.content).size == (1600, 1099)
    tag = english.headers["ETag"]
    where = f"{grand_table.home}map/{at}.en.png"
    assert Client().get(where, headers={"if-none-match": tag}).status_code == 304
    assert Client().get(where, headers={"accept-language": "it"}).content == english.content
    services.undo_to(
        grand_table.campaign, grand_table.people["gm"], at - 1, "A slip", grand_table.seen("gm")
    )
    grand_table.campaign.refresh_from_db()
    assert (
        grand_table.get("nobody", f"map/{at}.en.png").status_code == 200
    )  # it was shown before, and is shown while it is stored
    assert grand_table.get("nobody", "map/999.en.png").status_code == 404
    assert grand_table.get("nobody", f"map/{at}.fr.png").status_code == 404


@pytest.mark.long
def test_strangers_get_a_members_picture_under_no_address(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(visibility="members")
    grand_table.play("gm", "start")
    draw_picture(grand_table.campaign.pk, number(grand_table), "en")
    assert grand_table.statuses(f"map/{number(grand_table)}.en.png") == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }
    assert (
        grand_table.get("hun", f"map/{number(grand_table)}.en.png").headers["Cache-Control"]
        == "private, max-age=3600"
    )


def test_members_see_the_picture_of_a_members_campaign(
    new_campaign: Callable[..., GrandTable],
) -> None:
    grand_table = new_campaign(visibility="members")
    grand_table.play("gm", "start")
    where = grand_table.get("hun", "map.png").headers["Location"]
    draw_picture(grand_table.campaign.pk, number(grand_table), "en")
    assert grand_table.statuses(where) == {
        "gm": 200,
        "hun": 200,
        "roman": 200,
        "stranger": 404,
        "nobody": 404,
    }
    assert (
        grand_table.get("hun", where).headers["Cache-Control"]
        == "private, max-age=31536000, immutable"
    )


def test_names_in_pictures_are_escaped(new_campaign: Callable[..., GrandTable]) -> None:
    grand_table = new_campaign(name='<b>&"' + "W" * 50)
    grand_table.play("gm", "start")
    at = images.place(grand_table.campaign)
    assert at is not None
    created = images.drawing(grand_table.campaign, at)
    assert "&lt;b&gt;&amp;&quot;WWW" in created.svg
    assert "<b>" not in created.svg
    content = png.png(created.svg, created.literal)
    assert image(content).format == "PNG"


def test_hidden_hands_are_on_no_picture(new_campaign: Callable[..., GrandTable]) -> None:
    """Equal entries with another hidden card give the same picture under the same name."""
    names = []
    for card in ("spy", "assassin"):
        grand_table = new_campaign(hands="hidden")
        grand_table.play("gm", "start")
        grand_table.play("gm", "give-card", nation="huns", card=card, reason="A correction.")
        at = images.place(grand_table.campaign)
        assert at is not None
        names.append(images.picture_after(grand_table.campaign, at).digest)
    assert names[0] == names[1]


def test_the_oldest_pictures_are_deleted_if_there_are_too_many(var: Path) -> None:
    folder = var / "pictures" / "abcdefgh"
    folder.mkdir(parents=True)
    for n in range(4):
        path = folder / f"{n}-{'0' * 24}.png"
        path.write_bytes(b"x" * 100)
        os.utime(path, (n, n))
    images.prune(250)
    assert sorted(path.name[0] for path in folder.iterdir()) == ["2", "3"]


def test_a_picture_has_only_literal_colours(grand_table: GrandTable) -> None:
    at = images.place(grand_table.campaign)
    assert at is not None
    svg = images.drawing(grand_table.campaign, at).svg
    assert re.findall(r"var\(|light-dark|color-mix|calc\(|--f\b", svg) == []
    used = set(re.findall(r'class="([^"]+)"', svg))
    styled = grand_campaign_picture.sheet(
        for_scenario(positions.scenario(grand_table.campaign).raw),
        positions.scenario(grand_table.campaign).raw,
        light_palette(),
    )
    plain = {"map__svg", "map__world", "m-hits", "m-arrows", "m-nations"}
    assert [
        colour
        for colour in sorted(used)
        if not any(f".{name}" in styled for name in colour.split()) and colour not in plain
    ] == []


def test_colours_are_mixed_as_browsers_mix_them() -> None:
    """Expected values are those that Chromium computes for `color-mix(in oklab, …)`."""
    assert grand_campaign_picture.mixed("#b5352f", "#000000", 0.4) == "#591512"
    assert grand_campaign_picture.mixed("#e8c440", "#ffffff", 0.45) == "#f2dfa1"
    assert light_palette()["n-huns"] == "#7a4a2b"


def test_a_picture_has_the_language_of_its_reader(grand_table: GrandTable) -> None:
    """The worker draws in the language that the page named; equal words give an equal digest."""
    client = grand_table.clients["nobody"]
    where = client.get(f"{grand_table.home}map.png", headers={"accept-language": "it"}).headers[
        "Location"
    ]
    assert where != grand_table.get("nobody", "map.png").headers["Location"]
    draw_picture(grand_table.campaign.pk, number(grand_table), "it")
    assert client.get(where).status_code == 200
