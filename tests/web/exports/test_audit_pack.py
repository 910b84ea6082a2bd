"""The audit pack: its content, who may download it, its pages on a disk, its scripts."""

from __future__ import annotations

import io
import json
import re
import time
import zipfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import imports, services
from campaign.hosting import host_acts
from campaign.log import record
from config import storage
from forum.models import Post
from tests.layout import without_layout
from tests.web.contests import visible_text
from tests.web.dice.unpacked import run_script
from tests.web.grand_table import GrandTable, draft, grand_table, new_campaign
from web.exports import packs
from web.tasks import make_pack

__all__ = ["draft", "grand_table", "new_campaign"]


def whole(grand_table: GrandTable, who: str = "nobody", audience: str = "all") -> bytes:
    """Ask for a pack, let the worker make it, and return it."""
    assert grand_table.get(who, "pack.zip").status_code == 202
    make_pack(grand_table.campaign.pk, audience, "en")
    answer = grand_table.get(who, "pack.zip")
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "application/zip"
    return bytes(answer.content)


def pack(grand_table: GrandTable, who: str = "nobody", audience: str = "all") -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(whole(grand_table, who, audience))) as file:
        return {name: file.read(name) for name in file.namelist()}


@pytest.fixture(autouse=True)
def var(settings: Any, tmp_path: Path) -> Path:
    """Keep the packs of this test apart from others."""
    settings.STORAGES = {
        **settings.STORAGES,
        "made": storage.make_storage(str(tmp_path / "var"), tmp_path),
    }
    return tmp_path / "var"


@pytest.fixture
def two(grand_table: GrandTable) -> GrandTable:
    """Return a campaign in turn 2 with an undo and a typed text that looks like HTML."""
    while grand_table.campaign.active_seat:
        grand_table.play(grand_table.campaign.active_seat, "end-slot")
    grand_table.play("gm", "open-turn")
    number = grand_table.campaign.last_number
    grand_table.play(
        "gm",
        "adjust",
        nation="huns",
        account="income",
        change=25,
        reason="<script>alert(1)</script>",
    )
    grand_table.play("gm", "adjust", nation="huns", account="income", change=10, reason="a slip")
    services.undo_to(
        grand_table.campaign, grand_table.people["gm"], number + 1, "A slip", grand_table.seen("gm")
    )
    grand_table.campaign.refresh_from_db()
    return grand_table


def test_the_pack_has_all_its_files(two: GrandTable) -> None:
    result = pack(two)
    assert {
        "record.json",
        "rolls.json",
        "log.jsonl",
        "people.json",
        "verify.py",
        "rules/engine/dice.py",
        "index.html",
        "log.html",
        "ledgers.html",
        "dice.html",
        "sheets/log.csv",
        "sheets/dice.csv",
        "sheets/ledger-huns.csv",
        "maps/turn-1.svg",
        "maps/turn-2.svg",
        "reports/turn-1.html",
        "style/pack.css",
    } <= set(result)
    assert json.loads(result["record.json"]) == json.loads(two.get("nobody", "record.json").content)
    assert json.loads(result["people.json"])[str(two.people["gm"].pk)] == "Marozia"
    assert result["maps/turn-1.svg"].startswith(b"<svg")
    assert result["maps/turn-1.svg"] != result["maps/turn-2.svg"] or two.campaign.turn == 2


def test_the_pages_open_from_a_disk(two: GrandTable) -> None:
    """Links lead to files of the pack, to the web or within the page.

    Nothing is loaded from elsewhere.
    """
    result = pack(two)
    for name, content in result.items():
        if not name.endswith(".html"):
            continue
        html = without_layout(content.decode())
        folder = Path(name).parent
        for kind, link in re.findall(r'\b(href|src)="([^"#]+)', html):
            if link.startswith(("http://", "https://")):
                assert kind == "href"
            else:
                assert (folder / link).as_posix().replace("reports/../", "") in result, (name, link)
        assert "<script" not in html.lower()
        assert html.count("<h1") == 1, name
        # On a phone a table scrolls, not the page.
        assert html.count("<table") == html.count('<div class="wide"><table'), name
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in result["log.html"].decode()


def test_dice_thrown_elsewhere_are_marked(draft: GrandTable) -> None:
    """They differ from dice whose link is not published yet; their source is linked."""
    services.give_die(
        draft.campaign, draft.people["gm"], "start", 4, "https://forum.example/roll/7"
    )
    draft.play("gm", "start")
    page = without_layout(pack(draft)["dice.html"].decode())
    assert page.count('by hand: <a href="https://forum.example/roll/7"') == 1
    assert "<td>by hand" in page
    assert page.count("with key 1") == 6


def test_the_packs_script_finds_nothing_wrong(two: GrandTable, tmp_path: Path) -> None:
    """Forged packs are in tests/web/dice/test_verify.py."""
    for name, content in pack(two).items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    code, lines = run_script(tmp_path, two.campaign.commitment, two.campaign.last_hash)
    assert (code, lines[-1]) == (0, "No faults were found.")
    assert "python verify.py ." in (tmp_path / "index.html").read_text("utf-8")
    for missing in ("rules", "log.jsonl"):
        (tmp_path / missing).rename(tmp_path / "elsewhere")
        code, lines = run_script(tmp_path)
        assert (code, len(lines)) == (1, 1)
        assert f"{tmp_path} is not an unpacked pack with a folder rules/" in lines[0]
        (tmp_path / "elsewhere").rename(tmp_path / missing)


def test_the_pack_founds_the_same_campaign(two: GrandTable) -> None:
    content = whole(two)
    answer = two.clients["stranger"].post(
        "/found/import/",
        {
            "name": "Again",
            "time_zone": "UTC",
            "visibility": "unlisted",
            "file": SimpleUploadedFile("x.zip", content),
        },
    )
    assert answer.status_code == 303
    imports.work(int(answer["Location"].rstrip("/").rpartition("/")[2]))
    created = two.people["stranger"].founded.get()
    assert record.full_record(created)["moves"] == record.full_record(two.campaign)["moves"]


def test_reports_as_posted(two: GrandTable) -> None:
    thread = two.campaign.threads.create(
        name="Thread",
        transport="clipboard",
        dialect="phpbb",
        made_by=two.people["gm"],
        made_at=two.campaign.founded_at,
    )
    two.campaign.posts.create(
        thread=thread,
        number=1,
        report="turn-1",
        kind="turn",
        subject="Turn 1",
        text="[b]As posted[/b]",
        state=Post.State.POSTED,
        permalink="https://forum.example/p1",
        made_at=two.campaign.founded_at,
        posted_at=two.campaign.founded_at,
    )
    result = pack(two)
    assert result["posts/post-1-1.txt"].decode() == "Turn 1\n\n[b]As posted[/b]\n"
    assert "https://forum.example/p1" in result["index.html"].decode()


def test_only_the_game_master_gets_a_pack_with_hidden_hands(
    new_campaign: Callable[..., GrandTable], var: Path
) -> None:
    """Other readers reach neither the file nor its waiting page.

    The worker makes no public pack either.
    """
    table = new_campaign(hands="hidden")
    table.play("gm", "start")
    for path, created in (("pack.zip", 202), ("pack/", 200)):
        assert table.statuses(path) == {
            "gm": created,
            "hun": 403,
            "roman": 403,
            "stranger": 403,
            "nobody": 302,
        }
    assert "only the game master may download its record" in visible_text(
        table.get("hun", "pack.zip")
    )
    make_pack(table.campaign.pk, "all", "en")
    assert not (var / packs.folder(table.campaign)).exists(), (
        "no worker makes what everybody may have"
    )
    pack(table, "gm", "gm")
    assert table.statuses("pack.zip") == {
        "gm": 200,
        "hun": 403,
        "roman": 403,
        "stranger": 403,
        "nobody": 302,
    }
    assert table.get("hun", "pack/").status_code == 403


def test_queries_do_not_grow_with_the_log(two: GrandTable) -> None:
    """The worker has its own bound; waiting and downloading need few queries."""

    def asked(do: Callable[[], Any]) -> int:
        with CaptureQueriesContext(connection) as queries:
            do()
        return len(queries)

    def make() -> None:
        make_pack(two.campaign.pk, "all", "en")

    make()  # fill the caches of the process
    two.play("gm", "adjust", nation="huns", account="income", change=3, reason="One more")
    before = asked(make)
    for n in range(30):
        two.play(
            "gm",
            "adjust",
            nation="huns",
            account="income",
            change=1 if n % 2 else -1,
            reason=f"No. {n}",
        )
    assert asked(lambda: two.get("hun", "pack/")) <= 13
    assert asked(make) == before <= 44
    assert asked(lambda: two.get("hun", "pack.zip")) <= 8
    assert asked(lambda: two.get("hun", "pack/")) <= 13


def test_the_packs_pages_name_their_language(two: GrandTable) -> None:
    make_pack(two.campaign.pk, "all", "de")
    answer = two.clients["nobody"].get(two.home + "pack.zip", headers={"accept-language": "de"})
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        for name in ("index.html", "log.html", "ledgers.html", "dice.html"):
            assert '<html lang="de">' in file.read(name).decode()


def test_the_waiting_page_shows_progress(two: GrandTable) -> None:
    assert (
        two.clients["hun"].get(two.home + "pack.zip", headers={"accept": "text/html"})["Location"]
        == two.home + "pack/"
    )
    page = two.get("hun", "pack/")
    assert (page.status_code, page["Refresh"], page["Cache-Control"]) == (
        200,
        "2",
        "no-store, private",
    )
    assert "Waiting in the queue." in visible_text(page)
    wanted = packs.wanted_pack(two.campaign, two.people["hun"])
    cache.set(wanted.key, (time.time(), time.time(), 7, 30))
    assert "7 of 30 files" in visible_text(two.get("hun", "pack/"))
    make_pack(two.campaign.pk, "all", "en")
    page = two.get("hun", "pack/")
    assert page["Refresh"] == f"1; url={two.home}pack.zip"
    assert "The audit pack is ready." in visible_text(page)
    two.play("gm", "adjust", nation="huns", account="income", change=5, reason="More")
    assert two.get("hun", "pack.zip").status_code == 202, "another log, another pack"
    assert (
        two.clients["hun"].get(two.home + "pack/", headers={"accept-language": "it"}).status_code
        == 200
    )


def test_without_a_worker_the_page_makes_it(two: GrandTable) -> None:
    two.get("hun", "pack/")
    wanted = packs.wanted_pack(two.campaign, two.people["hun"])
    cache.set(wanted.key, (time.time() - packs.PATIENCE - 1, 0.0, 0, 0))
    assert "The audit pack is ready." in visible_text(two.get("hun", "pack/"))
    assert two.get("roman", "pack.zip").status_code == 200


def test_a_pack_of_a_worker_that_died_is_made_again(two: GrandTable) -> None:
    two.get("hun", "pack/")
    wanted = packs.wanted_pack(two.campaign, two.people["hun"])
    cache.set(wanted.key, (time.time() - 100, time.time() - packs.SILENCE - 1, 3, 30))
    two.get("hun", "pack/")
    at = packs.progress(wanted)
    assert at is not None
    assert (at.reported, at.done) == (0, 0), "asked for again"


def test_packs_are_deleted_in_time(two: GrandTable, var: Path) -> None:
    """The pulse deletes packs after a day; the erasure of a member deletes them at once."""
    whole(two)
    now = datetime.now(UTC)
    assert packs.tick(now) == 0
    assert packs.tick(now + timedelta(seconds=packs.KEEP + 60)) == 1
    assert list(var.glob("packs/*/*")) == []
    cache.clear()
    assert b"Ingrid" in data_of_pack(two)
    host_acts.erase_person(two.people["hun"], now=now)
    assert list(var.glob("packs/*/*")) == []
    two.campaign.refresh_from_db()
    assert b"Ingrid" not in data_of_pack(two)


def data_of_pack(grand_table: GrandTable) -> bytes:
    """Return all members but the program, whose comments have names of their own."""
    return b"".join(
        text for name, text in pack(grand_table).items() if not name.startswith("rules/")
    )


def test_too_many_packs_are_refused(grand_table: GrandTable) -> None:
    for n in range(6):
        assert grand_table.get("hun", "pack.zip").status_code == 202
        assert grand_table.get("hun", "pack.zip").status_code == 202, "the same one"
        grand_table.play(
            "gm", "adjust", nation="huns", account="income", change=1, reason=f"No. {n}"
        )
    assert grand_table.get("hun", "pack.zip").status_code == 429
    assert grand_table.get("roman", "pack.zip").status_code == 202


def test_there_is_a_pack_before_the_start(draft: GrandTable) -> None:
    assert "index.html" in pack(draft)
