"""Backup and restore on the test database.

The digests are identical, a restore writes everything or nothing, and the file contains no keys.
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
    """Write the demonstration campaigns to a file and return its path."""
    call_command("demo", verbosity=0)
    backup.write(tmp_path / "all.zip")
    return tmp_path / "all.zip"


def digests() -> dict[str, Any]:
    return {model._meta.label_lower: backup.digest(model) for model in backup.tables()}


def empty() -> None:
    call_command("flush", interactive=False, verbosity=0)


def run(*words: Any, **more: Any) -> str:
    out = StringIO()
    call_command(*map(str, words), stdout=out, stderr=out, **more)
    return out.getvalue()


def test_a_restore_gives_an_empty_installation_every_row(written: Path) -> None:
    before = digests()
    assert before["campaign.logentry"]["rows"] > 40
    empty()
    assert set(digests()) == set(before)
    assert digests() != before
    shown = run("restore", written, "--noinput")
    assert digests() == before
    assert "All users have to sign in again" in shown
    assert {
        line.split(": ")[1] for line in run("audit").splitlines()
    }  # ends with status 1 if anything differs
    # The sequences continue where they were: the next row takes no number that is already used.
    user = User.objects.create(username="Newcomer")
    assert user.pk > max(User.objects.exclude(pk=user.pk).values_list("pk", flat=True))


def test_fractions_in_json_are_restored(tmp_path: Path) -> None:
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
    """Text keys have the same order in every database.

    PostgreSQL would order them by the rules of its language, in which punctuation counts for
    little. Not every PostgreSQL has such a language, so the test also looks at the query itself.
    """
    save_seat_sets(["||", "|a|", "|ab|", "|a-b|", "|B|", "|*|"])
    with CaptureQueriesContext(connection) as queries:
        keys_in_order = [json.loads(line)["key"] for line in backup.table_lines(SeatSet)]
    assert keys_in_order == ["|*|", "|B|", "|a-b|", "|ab|", "|a|", "||"]
    asked = any('COLLATE "C" ASC' in query["sql"] for query in queries)
    assert asked is (connection.vendor == "postgresql")


@pytest.mark.long
def test_the_file_contains_no_key_and_no_secret(settings: Any, written: Path) -> None:
    settings.SECRET_KEY = "a secret of sessions and forms"
    seed = keys.new_secret()  # the value for the demonstration is its name
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


def test_existing_rows_are_not_replaced_by_accident(written: Path) -> None:
    User.objects.create(username="Latecomer")
    with pytest.raises(CommandError, match="This database contains rows"):
        run("restore", written, "--noinput")
    assert User.objects.filter(username="Latecomer").exists()
    run("restore", written, "--replace", "--noinput")
    assert not User.objects.filter(username="Latecomer").exists()


@pytest.mark.long
def test_a_restore_removes_admin_rights_with_their_users(written: Path) -> None:
    """No backup contains these rights.

    If they stayed, they would refer to users that no longer exist, and the restore would stop
    there.
    """
    assert {model._meta.label_lower for model in backup.models_referring_to_backup()} == {
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


def test_an_interrupted_restore_changes_nothing(
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
    with pytest.raises(
        CommandError, match=r"^The restore was interrupted\. Nothing has been changed\.$"
    ):
        run("restore", written, "--replace", "--noinput")
    assert digests() == before


@pytest.mark.long
def test_a_restore_that_a_supervisor_stops_reports_it(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, fill = digests(), backup._fill

    def ended(model: Any, file: Any) -> None:
        if model is LogEntry:
            os.kill(os.getpid(), signal.SIGTERM)
        fill(model, file)

    monkeypatch.setattr(backup, "_fill", ended)
    usual = signal.getsignal(signal.SIGTERM)
    with pytest.raises(
        CommandError, match=r"^The restore was interrupted\. Nothing has been changed\.$"
    ):
        run("restore", written, "--replace", "--noinput")
    assert signal.getsignal(signal.SIGTERM) == usual
    assert digests() == before


@pytest.mark.long
def test_a_restore_that_is_stopped_after_the_last_row_reports_success(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    User.objects.create(username="Latecomer")
    whole = backup.read

    def late(*args: Any, **more: Any) -> None:
        whole(*args, **more)
        raise KeyboardInterrupt

    monkeypatch.setattr(backup, "read", late)
    assert "All users have to sign in again" in run("restore", written, "--replace", "--noinput")
    assert not User.objects.filter(username="Latecomer").exists()


@pytest.mark.long
def test_an_interrupted_backup_keeps_the_previous_file(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = written.read_bytes()
    lines = backup.table_lines

    def full(model: Any) -> Any:
        if model is LogEntry:
            raise OSError(28, "No space left on device")
        return lines(model)

    monkeypatch.setattr(backup, "table_lines", full)
    with pytest.raises(CommandError, match="An existing file with this name has not been changed"):
        run("backup", written)
    assert written.read_bytes() == before
    assert [path.name for path in written.parent.iterdir()] == [written.name]


def test_a_backup_of_another_installation_needs_its_key(
    written: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The restore asks for the key, stores it, and keeps the previous key beside it."""
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
    assert "This is not the key of the backup." in shown
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
def test_files_that_are_no_backup_are_refused(written: Path, tmp_path: Path) -> None:
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
        "part of it is missing": lambda members: members.pop("campaign.logentry.jsonl"),
        "The format of the backup is tabula-backup/9": manifest(format="tabula-backup/9"),
        "The migrations of the backup differ": manifest(migrations=["campaign.0001_initial"]),
        "the file is damaged": lambda members: members.update(
            {"people.user.jsonl": members["people.user.jsonl"][:-2] + b"\n"}
        ),
    }
    for words, change in wrong.items():
        with pytest.raises(CommandError, match=words):
            run("restore", spoilt(written, change), "--noinput")
    with pytest.raises(CommandError, match="is not a backup"):
        run("restore", tmp_path / "text.zip", "--noinput")
    with zipfile.ZipFile(written) as whole:
        log = whole.getinfo("campaign.logentry.jsonl").header_offset + 100
    bytes_ = written.read_bytes()
    (tmp_path / "broken.zip").write_bytes(bytes_[:log] + b"\xff" * 40 + bytes_[log + 40 :])
    with pytest.raises(CommandError, match="is not a backup"):
        run("restore", tmp_path / "broken.zip", "--noinput")
    assert backup.occupied() == {}


def test_a_backup_reads_from_one_snapshot(tmp_path: Path) -> None:
    """A backup reads from one snapshot and writes nothing.

    A PostgreSQL transaction is read-only; an SQLite transaction holds no write lock.
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
    """Rename a user and repair the digest, as someone without the key could do."""
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
        ("The signature does not match this vault key", altered),
        ("The signature does not match this vault key", forged),
        ("The signature is missing", lambda members: members.pop("manifest.sig")),
        (
            "before backups were signed.*use --unsigned",
            lambda members: altered(members, "tabula-backup/1"),
        ),
    ]
    for words, change in changes:
        with pytest.raises(CommandError, match=rf"{words}.*Nothing has been changed\."):
            run("restore", spoilt(written, change), "--noinput")
        assert backup.occupied() == {}


@pytest.mark.long
def test_a_backup_from_before_signatures_is_restored_if_the_host_trusts_it(
    written: Path,
) -> None:
    before = digests()

    def older(members: dict[str, bytes]) -> None:
        del members["manifest.sig"]
        manifest = {**json.loads(members["manifest.json"]), "format": "tabula-backup/1"}
        members["manifest.json"] = json.dumps(manifest).encode()

    old = spoilt(written, older)
    empty()
    assert "The backup was not signed" in run("restore", old, "--noinput", "--unsigned")
    assert digests() == before


def test_the_help_says_what_replace_removes() -> None:
    content = " ".join(
        load_command_class("config", "restore")
        .create_parser("manage.py", "restore")
        .format_help()
        .split()
    )
    assert "including those that are not in FILE, and all access to the admin pages" in content
    assert "and with --replace remove its rows at once" in content
