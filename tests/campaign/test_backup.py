"""Backup and restore, on the database of the run: identical digests, all or nothing, no keys in the
file.
"""

from __future__ import annotations

import hashlib
import json
import os
import signal
import zipfile
from collections.abc import Callable
from decimal import Decimal
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import CommandError, call_command, load_command_class
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaign import keys
from campaign.hosting import backup
from campaign.models import Campaign, LogEntry, SeatSet, save_seat_sets
from nations.models import Nation
from people.models import User

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """The demonstration, with its campaigns, in a file."""
    call_command("demo", verbosity=0)
    backup.write(tmp_path / "all.zip")
    return tmp_path / "all.zip"


def digests() -> dict[str, Any]:
    return {one._meta.label_lower: backup.digest(one) for one in backup.tables()}


def empty() -> None:
    call_command("flush", interactive=False, verbosity=0)


def run(*words: Any, **more: Any) -> str:
    out = StringIO()
    call_command(*map(str, words), stdout=out, stderr=out, **more)
    return out.getvalue()


def test_an_empty_installation_gets_all_of_it_back(written: Path) -> None:
    before = digests()
    assert before["campaign.logentry"]["rows"] > 40
    empty()
    assert set(digests()) == set(before)
    assert digests() != before
    shown = run("restore", written, "--noinput")
    assert digests() == before
    assert "each table as it was" in shown
    assert {
        line.split(": ")[1] for line in run("audit").splitlines()
    }  # ends with status 1 where anything differs
    # Numbers go on where they were: the next row takes no number that is taken.
    user = User.objects.create(username="Newcomer")
    assert user.pk > max(User.objects.exclude(pk=user.pk).values_list("pk", flat=True))


def test_fractions_in_json_come_back(tmp_path: Path) -> None:
    call_command("demo", verbosity=0)
    nation = Nation.objects.earliest("pk")
    nation.facts = {"name": "Élan", "share": Decimal("45.5")}
    nation.save()
    backup.write(tmp_path / "all.zip")
    before = digests()
    empty()
    run("restore", tmp_path / "all.zip", "--noinput")
    assert Nation.objects.get(pk=nation.pk).facts == {"name": "Élan", "share": Decimal("45.5")}
    assert digests() == before


def test_keys_that_are_texts_have_one_order_in_every_database() -> None:
    """PostgreSQL would order them by the rules of its language, in which signs count for little;
    not every PostgreSQL has such a language, so the question itself is looked at, too.
    """
    save_seat_sets(["||", "|a|", "|ab|", "|a-b|", "|B|", "|*|"])
    with CaptureQueriesContext(connection) as queries:
        keys_in_order = [json.loads(line)["key"] for line in backup.table_lines(SeatSet)]
    assert keys_in_order == ["|*|", "|B|", "|a-b|", "|ab|", "|a|", "||"]
    asked = any('COLLATE "C" ASC' in query["sql"] for query in queries)
    assert asked is (connection.vendor == "postgresql")


@pytest.mark.long
def test_no_key_and_no_secret_stands_in_the_file(settings: Any, written: Path) -> None:
    settings.SECRET_KEY = "a secret of sessions and forms"
    seed = keys.new_secret()  # the demonstration's own is its name
    Campaign.objects.update(seed_sealed=keys.seal(seed))
    backup.write(written)
    campaign = Campaign.objects.get(title="grand_campaign")
    with zipfile.ZipFile(written) as file:
        text = b"".join(file.read(name) for name in file.namelist()).decode()
    for secret in (
        settings.VAULT_KEY,
        settings.SECRET_KEY,
        seed,
        keys.unseal(campaign.digest_key_sealed),
    ):
        assert secret not in text
    assert written.stat().st_mode & 0o777 == 0o600


def test_rows_that_are_here_are_not_lost_by_accident(written: Path) -> None:
    User.objects.create(username="Latecomer")
    with pytest.raises(CommandError, match="There are rows in this database"):
        run("restore", written, "--noinput")
    assert User.objects.filter(username="Latecomer").exists()
    run("restore", written, "--replace", "--noinput")
    assert not User.objects.filter(username="Latecomer").exists()


@pytest.mark.long
def test_rights_of_the_admin_pages_go_with_the_people_who_held_them(written: Path) -> None:
    """They are in no backup; left behind, they would point to nobody, and the restore would end
    there.
    """
    assert {one._meta.label_lower for one in backup.pointing()} == {
        "admin.logentry",
        "people.browsersession",
        "people.user_groups",
        "people.user_user_permissions",
    }
    late = User.objects.create(username="Latecomer")
    late.groups.add(Group.objects.create(name="Readers"))
    late.user_permissions.add(Permission.objects.earliest("pk"))
    run("restore", written, "--replace", "--noinput")
    assert not User.objects.filter(username="Latecomer").exists()
    assert not User.groups.through.objects.exists()
    assert not User.user_permissions.through.objects.exists()
    assert Group.objects.filter(name="Readers").exists()


def test_an_interrupted_restore_leaves_what_was_there(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create(username="Latecomer")
    before = digests()
    fill = backup._fill

    def cut(model: Any, file: Any) -> None:
        if model is LogEntry:
            raise KeyboardInterrupt
        fill(model, file)

    monkeypatch.setattr(backup, "_fill", cut)
    with pytest.raises(CommandError, match=r"^It was cut off\. Nothing has been changed\.$"):
        run("restore", written, "--replace", "--noinput")
    assert digests() == before


@pytest.mark.long
def test_a_restore_that_a_supervisor_ends_says_so(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, fill = digests(), backup._fill

    def ended(model: Any, file: Any) -> None:
        if model is LogEntry:
            os.kill(os.getpid(), signal.SIGTERM)
        fill(model, file)

    monkeypatch.setattr(backup, "_fill", ended)
    usual = signal.getsignal(signal.SIGTERM)
    with pytest.raises(CommandError, match=r"^It was cut off\. Nothing has been changed\.$"):
        run("restore", written, "--replace", "--noinput")
    assert signal.getsignal(signal.SIGTERM) == usual
    assert digests() == before


@pytest.mark.long
def test_cut_off_behind_the_last_row_it_does_not_deny_what_it_did(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create(username="Latecomer")
    whole = backup.read

    def late(*args: Any, **more: Any) -> None:
        whole(*args, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(backup, "read", late)
    assert "each table as it was" in run("restore", written, "--replace", "--noinput")
    assert not User.objects.filter(username="Latecomer").exists()


@pytest.mark.long
def test_an_interrupted_backup_leaves_the_one_before(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written.read_bytes()
    lines = backup.table_lines

    def full(model: Any) -> Any:
        if model is LogEntry:
            raise OSError(28, "No space left on device")
        return lines(model)

    monkeypatch.setattr(backup, "table_lines", full)
    with pytest.raises(CommandError, match="What was there before is still there"):
        run("backup", written)
    assert written.read_bytes() == before
    assert [path.name for path in written.parent.iterdir()] == [written.name]


def test_another_installations_key(
    written: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is asked for, kept, and the one before stays beside it."""
    key, before = settings.VAULT_KEY, digests()
    empty()
    settings.VAULT_KEY, settings.VAR = "2" * 64, tmp_path / "var"
    with pytest.raises(CommandError, match=r"Set VAULT_KEY to that key.*Nothing has been changed"):
        run("restore", written, "--noinput")
    assert backup.occupied() == {}
    monkeypatch.delenv("VAULT_KEY")
    (settings.VAR / "keys").mkdir(parents=True)
    (settings.VAR / "keys" / "vault").write_text("2" * 64)
    typed = iter(["wrong", key])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.setattr("getpass.getpass", lambda prompt: next(typed))
    shown = run("restore", written)
    assert "This is not its key." in shown
    assert digests() == before
    assert (settings.VAR / "keys" / "vault").read_text() == key
    assert [path.read_text() for path in (settings.VAR / "keys").glob("vault.before-*")] == [
        "2" * 64
    ]


def spoilt(path: Path, change: Callable[[dict[str, bytes]], Any]) -> Path:
    with zipfile.ZipFile(path) as file:
        members = {name: file.read(name) for name in file.namelist()}
    change(members)
    created = path.with_name("spoilt.zip")
    with zipfile.ZipFile(created, "w") as file:
        for name, content in members.items():
            file.writestr(name, content)
    return created


@pytest.mark.long
def test_what_is_no_backup(written: Path, tmp_path: Path) -> None:
    empty()
    (tmp_path / "text.zip").write_text("no zip at all")

    def manifest(**given: Any) -> Callable[[dict[str, bytes]], None]:
        return lambda members: members.update(
            {
                "manifest.json": (
                    json.dumps({**json.loads(members["manifest.json"]), **given}).encode()
                )
            }
        )

    wrong: dict[str, Callable[[dict[str, bytes]], Any]] = {
        "a part of it is missing": lambda members: members.pop("campaign.logentry.jsonl"),
        "Its format is tabula-backup/9": manifest(format="tabula-backup/9"),
        "other migrations": manifest(migrations=["campaign.0001_initial"]),
        "the file is damaged": lambda members: members.update(
            {"people.user.jsonl": members["people.user.jsonl"][:-2] + b"\n"}
        ),
    }
    for words, change in wrong.items():
        with pytest.raises(CommandError, match=words):
            run("restore", spoilt(written, change), "--noinput")
    with pytest.raises(CommandError, match="is no backup"):
        run("restore", tmp_path / "text.zip", "--noinput")
    with zipfile.ZipFile(written) as whole:
        log = whole.getinfo("campaign.logentry.jsonl").header_offset + 100
    bytes_ = written.read_bytes()
    (tmp_path / "broken.zip").write_bytes(bytes_[:log] + b"\xff" * 40 + bytes_[log + 40 :])
    with pytest.raises(CommandError, match="is no backup"):
        run("restore", tmp_path / "broken.zip", "--noinput")
    assert backup.occupied() == {}


def test_it_is_of_Snapshot(tmp_path: Path) -> None:
    """Inside, nothing is written; a PostgreSQL transaction is read-only, an SQLite one holds no
    write lock.
    """
    call_command("demo", verbosity=0)
    with backup._Snapshot():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SHOW transaction_isolation")
                assert cursor.fetchone() == ("repeatable read",)
        else:
            assert connection.transaction_mode == "DEFERRED"
    assert getattr(connection, "transaction_mode", "IMMEDIATE") == "IMMEDIATE"


def altered(members: dict[str, bytes], form: str = "tabula-backup/2") -> None:
    """Somebody without the key renames a user and repairs the digest."""
    rows = members["people.user.jsonl"]
    members["people.user.jsonl"] = rows.replace(b"Ingrid", b"Ongrid")
    assert members["people.user.jsonl"] != rows
    manifest = {**json.loads(members["manifest.json"]), "format": form}
    manifest["tables"]["people.user"]["sha256"] = hashlib.sha256(
        members["people.user.jsonl"]
    ).hexdigest()
    members["manifest.json"] = json.dumps(manifest, indent=1, sort_keys=True).encode()


def test_an_altered_file_with_a_repaired_digest_is_refused(written: Path) -> None:
    empty()

    def forged(members: dict[str, bytes]) -> None:
        altered(members)
        members["manifest.sig"] = backup.signature(members["manifest.json"], "another key").encode()

    changes: list[tuple[str, Callable[[dict[str, bytes]], Any]]] = [
        ("Its signature is not the one of this vault key", altered),
        ("Its signature is not the one of this vault key", forged),
        ("Its signature is missing", lambda members: members.pop("manifest.sig")),
        (
            "before backups were signed.*say --unsigned",
            lambda members: altered(members, "tabula-backup/1"),
        ),
    ]
    for words, change in changes:
        with pytest.raises(CommandError, match=rf"{words}.*Nothing has been changed\."):
            run("restore", spoilt(written, change), "--noinput")
        assert backup.occupied() == {}


@pytest.mark.long
def test_a_backup_from_before_signatures_is_restored_where_somebody_trusts_it(
    written: Path,
) -> None:
    before = digests()

    def older(members: dict[str, bytes]) -> None:
        del members["manifest.sig"]
        manifest = {**json.loads(members["manifest.json"]), "format": "tabula-backup/1"}
        members["manifest.json"] = json.dumps(manifest).encode()

    old = spoilt(written, older)
    empty()
    assert "It was not signed" in run("restore", old, "--noinput", "--unsigned")
    assert digests() == before


def test_help_tells_what_replace_removes() -> None:
    content = " ".join(
        load_command_class("config", "restore")
        .create_parser("manage.py", "restore")
        .format_help()
        .split()
    )
    assert "also those that are not in FILE, and who may use the admin pages" in content
    assert "--replace must still be said" in content
