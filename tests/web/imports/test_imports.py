"""Campaigns founded from a file, and malicious files."""

from __future__ import annotations

import io
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from campaign import imports
from campaign.log import record
from campaign.models import Campaign, ImportJob
from campaign.pack_files import LARGEST, MANY, record_in
from engine.strict_json import canonical
from tests.web.contests import visible_text
from tests.web.frame.test_who_may import guest_of
from tests.web.grand_table import GrandTable, grand_table, new_campaign
from web.tasks import take_over_record

__all__ = ["grand_table", "new_campaign"]


def send(grand_table: GrandTable, content: bytes | None, text: str = "", **other: str) -> Any:
    data: dict[str, Any] = {
        "name": "Taken over",
        "time_zone": "Europe/Rome",
        "visibility": "unlisted",
        "text": text,
        **other,
    }
    if content is not None:
        data["file"] = SimpleUploadedFile("record.json", content)
    return grand_table.clients["stranger"].post("/found/import/", data)


def ran(grand_table: GrandTable, answer: Any) -> Any:
    """Return the page of an import after the worker has read it."""
    assert answer.status_code == 303
    take_over_record(int(answer["Location"].rstrip("/").rpartition("/")[2]))
    return grand_table.clients["stranger"].get(answer["Location"])


def packed(**members: bytes) -> bytes:
    created = io.BytesIO()
    with zipfile.ZipFile(created, "w", zipfile.ZIP_DEFLATED) as pack:
        for name, content in members.items():
            pack.writestr(name.replace("__", "/"), content)
    return created.getvalue()


@pytest.fixture
def text(grand_table: GrandTable) -> bytes:
    return canonical(record.full_record(grand_table.campaign)).encode()


def test_signed_in_users_may_import(grand_table: GrandTable) -> None:
    page = {
        who: grand_table.clients[who].get("/found/import/").status_code
        for who in ("gm", "stranger", "nobody")
    }
    assert page == {"gm": 200, "stranger": 200, "nobody": 302}
    asked = grand_table.clients["gm"].get("/found/import/").content.decode()
    assert "Listed: anyone can find it" in asked, "not what lists hold of who plays alone"


@pytest.mark.parametrize("how", ["file", "text", "pack"])
def test_a_record_founds_a_campaign(grand_table: GrandTable, text: bytes, how: str) -> None:
    pack = packed(**{"record.json": text, "index.html": b"x", "maps__turn-1.svg": b"x"})
    answer = send(
        grand_table,
        {"file": text, "text": None, "pack": pack}[how],
        text.decode() if how == "text" else "",
    )
    page = ran(grand_table, answer)
    created = Campaign.objects.order_by("-pk").first()
    assert created is not None
    assert (created.name, created.founder) == ("Taken over", grand_table.people["stranger"])
    assert page["Refresh"] == f"2; url=/c/{created.address}/seats/"
    assert "has been created" in visible_text(page)
    assert record.full_record(created)["moves"] == record.full_record(grand_table.campaign)["moves"]


def refused(grand_table: GrandTable, *sent: Any, **other: str) -> str:
    before = Campaign.objects.count()
    answer = send(grand_table, *sent, **other)
    if answer.status_code == 303:
        answer = ran(grand_table, answer)
    else:
        assert answer.status_code == 422
    assert Campaign.objects.count() == before
    return visible_text(answer)


def test_every_fault_is_listed(grand_table: GrandTable) -> None:
    shown = refused(
        grand_table,
        b'{"format": "grand-campaign/1", "options": {"hands": 3}, "dice": {}, "moves": 1,'
        b' "x<b>": 2}',
    )
    assert "x<b>: unknown key." in shown
    assert "moves: must be a list." in shown
    assert "No campaign has been created." in shown


def test_a_bad_name_keeps_what_was_pasted(grand_table: GrandTable, text: bytes) -> None:
    shown = refused(grand_table, None, text.decode(), name="")
    assert "A campaign needs a name" in shown
    assert '"format":"grand-campaign/1"' in shown


def test_an_import_needs_either_text_or_file(grand_table: GrandTable, text: bytes) -> None:
    assert "Choose the file of a record or an audit pack" in refused(grand_table, None)
    assert "not both" in refused(grand_table, text, text.decode())


def test_malicious_packs_are_refused(
    grand_table: GrandTable, text: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    outside = "a file with a path outside the pack"
    for name in ("../evil.txt", "/etc/passwd", "..\\evil.txt", "C:\\x", "maps/../../x"):
        assert outside in refused(grand_table, packed(**{"record.json": text, name: b"x"}))
    link = zipfile.ZipInfo("link")
    link.external_attr = 0o120777 << 16
    created = io.BytesIO()
    with zipfile.ZipFile(created, "w") as pack:
        pack.writestr("record.json", text)
        pack.writestr(link, "/etc/passwd")
    assert outside in refused(grand_table, created.getvalue())
    assert "record.json is missing" in refused(grand_table, packed(**{"other.json": text}))
    assert "damaged or has a password" in refused(
        grand_table, packed(**{"record.json": text})[:-40]
    )
    broken = packed(**{"record.json": text})
    assert "damaged or has a password" in refused(
        grand_table, broken[:50] + b"\xff" * 40 + broken[90:]
    )
    bomb = packed(**{"record.json": b" " * (LARGEST + 10)})
    assert len(bomb) < 100_000
    assert "larger than 20 MB" in refused(grand_table, bomb)
    method = io.BytesIO()
    with zipfile.ZipFile(method, "w", zipfile.ZIP_LZMA) as pack:
        pack.writestr("record.json", text)
    assert "cannot read the compression of this pack" in refused(grand_table, method.getvalue())
    many = packed(**{"record.json": text, **{f"{n}": b"" for n in range(2001)}})
    assert "too many files" in refused(grand_table, many)


def test_the_page_of_an_import_shows_progress(grand_table: GrandTable, text: bytes) -> None:
    """Only the sender sees the progress.

    Without a script the page reloads and then redirects.
    """
    answer = send(grand_table, text)
    where, row = answer["Location"], ImportJob.objects.get()
    asked = {who: client.get(where).status_code for who, client in grand_table.clients.items()}
    assert asked == {"gm": 404, "hun": 404, "roman": 404, "stranger": 200, "nobody": 302}
    page = grand_table.clients["stranger"].get(where)
    assert (page["Refresh"], page["Cache-Control"]) == ("2", "no-store, private")
    assert "Waiting in the queue" in visible_text(page)
    ImportJob.objects.update(
        state="replaying", done=7, total=30, attempt=1, heartbeat_at=row.made_at
    )
    assert "7 of 30 moves replayed" in visible_text(grand_table.clients["stranger"].get(where))
    assert "Taken over" in visible_text(grand_table.clients["stranger"].get("/found/import/")), (
        "found again from the form"
    )


def test_without_a_worker_the_sender_runs_the_import(grand_table: GrandTable, text: bytes) -> None:
    where, client = send(grand_table, text)["Location"], grand_table.clients["stranger"]
    client.post(where)
    assert ImportJob.objects.get().state == "waiting", "a worker may be about to take it"
    ImportJob.objects.update(made_at=timezone.now() - imports.NO_WORKER - timedelta(seconds=1))
    assert "Do it now" in visible_text(client.get(where))
    assert grand_table.clients["gm"].post(where).status_code == 404
    client.post(where)
    assert Campaign.objects.filter(name="Taken over").count() == 1


def test_a_guest_may_look_but_not_import(grand_table: GrandTable, text: bytes) -> None:
    client = guest_of(grand_table)
    assert client.get("/found/import/").status_code == 200
    data = {"name": "X", "time_zone": "UTC", "visibility": "unlisted", "text": text.decode()}
    assert client.post("/found/import/", data).status_code == 403
    assert not Campaign.objects.filter(name="X").exists()


def test_a_list_of_too_many_files_is_not_even_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pack of 100 MB may list two million files, and to read the list takes a gigabyte."""
    many = io.BytesIO()
    with zipfile.ZipFile(many, "w") as created:
        for n in range(2001):
            created.writestr(f"{n}.txt", "")
    many.seek(0)
    monkeypatch.setattr(zipfile, "ZipFile", None)
    assert record_in(many.getvalue()) == MANY
