"""The vault key.

A wrong key is refused at start and by `check`; `rotate_vault` leaves nothing sealed with the old
key.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from cryptography.fernet import InvalidToken
from django.apps import apps
from django.core.management import CommandError, call_command
from django.core.management.base import SystemCheckError
from django.db import connection, models
from django.utils import timezone

from campaign import keys
from campaign.models import (
    Campaign,
    DiceRenewal,
    Lobby,
    LogEntry,
    SeatNote,
    VaultKey,
    save_seat_sets,
)
from people import sign_in_ways
from people.models import BrowserSession, User
from people.sessions import SessionStore

pytestmark = pytest.mark.django_db(transaction=True)
OLD, NEW = "1" * 64, "2" * 64
ROOT = Path(__file__).resolve().parents[2]
TOKEN = re.compile(r"gAAAAA[A-Za-z0-9_-]{40,}={0,2}")


@pytest.fixture
def full(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the demonstration with a sealed value in every possible column.

    The keys have a folder of their own.
    """
    settings.VAR = tmp_path
    keys.write_key(tmp_path / "keys" / "vault", OLD)
    monkeypatch.delenv("VAULT_KEY")
    call_command("demo", verbosity=0)
    user, now = User.objects.earliest("pk"), timezone.now()
    campaign, entry = Campaign.objects.earliest("pk"), LogEntry.objects.earliest("pk")
    SeatNote.objects.create(
        campaign=campaign, user=user, seat="huns", text_sealed=keys.seal("a note"), changed_at=now
    )
    if not Lobby.objects.exists():
        Lobby.objects.create(
            campaign=campaign,
            words="",
            seed_sealed=keys.seal("a draw"),
            commitment="0" * 64,
            opened_at=now,
        )
    DiceRenewal.objects.create(
        campaign=campaign,
        number=1,
        entry=entry,
        seed_sealed=keys.seal("new dice"),
        commitment="0" * 64,
    )
    apps.get_model("battles", "LobbyPassword").objects.create(
        launch=entry, number=1, sealed=keys.seal("4711"), set_by=user, set_at=now
    )
    apps.get_model("forum", "Thread").objects.create(
        campaign=campaign,
        name="A",
        transport="mybb",
        sealed=keys.seal("{}"),
        session=keys.seal("[]"),
        dialect="bbcode",
        made_by=user,
        made_at=now,
    )
    apps.get_model("notices", "Channel").objects.create(
        user=user, service="discord", sealed=keys.seal("x://y"), created_at=now
    )
    apps.get_model("notices", "RequestedMail").objects.create(
        sealed=keys.seal("a code"), made_at=now, next_at=now, expires_at=now
    )
    apps.get_model("notices", "Webhook").objects.create(
        campaign=campaign,
        made_by=user,
        made_at=now,
        key="abcdefgh",
        host="h",
        sealed=keys.seal("a"),
        secret=keys.seal("b"),
        upto=0,
    )
    save_seat_sets(["|*|"])
    thread = apps.get_model("talk", "Conversation").objects.create(
        campaign=campaign, key="abcdefgh", parties_id="|*|", begun_at=now
    )
    thread.messages.create(
        number=1, seat="huns", author=user, sealed=keys.seal("a message"), sight="reported", at=now
    )
    LogEntry.objects.filter(pk=entry.pk).update(sealed=keys.seal("a text that is removed"))
    shown = {"kind": "person", "ref": "1", "reason": "R.", "by": user, "at": now}
    for name in ("AbuseReport", "Removal"):
        apps.get_model("moderation", name).objects.create(sealed=keys.seal("what it said"), **shown)
    factor = sign_in_ways.SecondFactor()
    Authenticator.objects.create(
        user=user, type="totp", data={"secret": factor.encrypt("JBSWY3DPEHPK3PXP")}
    )
    Authenticator.objects.create(
        user=user,
        type="recovery_codes",
        data={
            "seed": factor.encrypt("seed"),
            "migrated_codes": [factor.encrypt("12345678")],
            "used_mask": 0,
        },
    )
    session = SessionStore()
    session["token"] = {"name": "A program", "sealed": keys.seal("tab_secret")}
    session.save()
    return tmp_path


def sealed_texts() -> Iterator[tuple[str, str]]:
    """Return every text in any table that looks sealed, whichever code wrote it."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_concrete_fields:
            if (
                isinstance(field, models.TextField | models.CharField | models.JSONField)
                and model is not BrowserSession
            ):
                for value in model._base_manager.values_list(field.attname, flat=True):
                    for token in TOKEN.findall(
                        value if isinstance(value, str) else json.dumps(value)
                    ):
                        yield f"{model._meta.label_lower}.{field.attname}", token
    for session in BrowserSession.objects.all():
        for token in TOKEN.findall(json.dumps(session.get_decoded())):
            yield "people.browsersession.session_data", token


def places_opened_by(key: str) -> tuple[list[str], list[str]]:
    """Return the places whose secret this key opens, with its value, and the other places."""
    yes, no = [], []
    for where, token in sealed_texts():
        fernets = sign_in_ways._vault(key) if where.startswith("mfa.") else keys._vault(key)
        try:
            yes.append(f"{where} {fernets.decrypt(token.encode()).decode()}")
        except InvalidToken:
            no.append(where)
    return sorted(yes), sorted(no)


def rotate(*words: str) -> str:
    out = StringIO()
    call_command("rotate_vault", *words, stdout=out)
    return out.getvalue()


def all_places() -> set[str]:
    columns = {f"{label}.{column}" for label, those in keys.SEALED.items() for column in those}
    return columns | {"mfa.authenticator.data", "people.browsersession.session_data"}


@pytest.mark.long
def test_nothing_is_left_under_the_old_key(full: Path, settings: Any) -> None:
    before, none = places_opened_by(OLD)
    assert none == []
    assert {
        line.split()[0] for line in before
    } == all_places()  # every sealed column must be named there
    (full / "new").write_text(NEW + "\n")
    shown = rotate("--to", str(full / "new"))
    assert re.search(r"campaign\.campaign: 0 of \d+\ncampaign\.campaign: (\d+) of \1\n", shown)
    assert places_opened_by(NEW) == (before, [])
    assert places_opened_by(OLD)[0] == []
    folder = full / "keys"
    assert (folder / "vault").read_text() == NEW
    assert [path.read_text() for path in folder.glob("vault.before-*")] == [OLD]
    assert not (folder / "vault.next").exists()
    assert (folder / "vault").stat().st_mode & 0o777 == 0o600
    assert keys.vault_state() == "wrong-key"  # of this process, which still has the old key
    settings.VAULT_KEY = NEW
    assert keys.vault_state() == "ok"
    assert "has been installed" in rotate()  # a key that the command generates
    settings.VAULT_KEY = (folder / "vault").read_text()
    assert places_opened_by(settings.VAULT_KEY) == (before, [])


def test_a_rotation_that_meets_a_secret_it_cannot_open_changes_nothing(full: Path) -> None:
    assert keys.refusal() is None  # the database knows its key from here on
    seed = keys.reseal(Campaign.objects.latest("pk").seed_sealed, OLD, "another")
    Campaign.objects.filter(pk=Campaign.objects.latest("pk").pk).update(seed_sealed=seed)
    before = places_opened_by(OLD)
    with pytest.raises(
        CommandError,
        match=r"A secret of campaign.campaign \d+ does not open.*Nothing has been changed",
    ):
        rotate()
    assert places_opened_by(OLD) == before


KILLED = """
import os, signal, sys
import django; django.setup()
from campaign import keys; from campaign import keys as vault
from django.core.management import call_command
where = sys.argv[1]
def dies(*_a, **_k): os.kill(os.getpid(), signal.SIGKILL)
if where == "middle": vault._second_factor = dies
if where == "end": keys.change_vault = dies
call_command("rotate_vault")
"""


def run_in_other_process(full: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run another process on the database of this test."""
    here = connection.settings_dict
    url = f"sqlite:///{here['NAME']}"
    if connection.vendor == "postgresql":
        url = re.sub(r"/[^/?]*(\?|$)", rf"/{here['NAME']}\1", os.environ["DATABASE_URL"])
    environment = {
        **os.environ,
        "DATABASE_URL": url,
        "TABULA_VAR": str(full),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    return subprocess.run(
        [sys.executable, *words],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.long
@pytest.mark.parametrize("where", ["middle", "end"])
def test_a_rotation_that_was_killed_is_completed_by_another_run(
    full: Path, where: str, settings: Any
) -> None:
    """In the middle everything is sealed with the old key.

    After the last row everything is sealed with the new key, which is stored beside the old one.
    """
    before = places_opened_by(OLD)[0]
    connection.close()
    assert run_in_other_process(full, "-c", KILLED, where).returncode == -9
    kept = (full / "keys" / "vault.next").read_text()
    assert (full / "keys" / "vault").read_text() == OLD
    assert places_opened_by(OLD if where == "middle" else kept) == (before, [])
    connection.close()
    again = run_in_other_process(full, "manage.py", "rotate_vault")
    assert again.returncode == 0, again.stderr  # warnings of the test settings are printed there
    assert (full / "keys" / "vault").read_text() == kept
    assert places_opened_by(kept) == (before, [])
    assert not (full / "keys" / "vault.next").exists()


@pytest.mark.long
def test_every_process_refuses_to_start_with_a_wrong_key(full: Path, settings: Any) -> None:
    assert keys.refusal() is None
    assert VaultKey.objects.get().fingerprint == keys.fingerprint(OLD)
    call_command("check", databases=["default"], stdout=StringIO())
    connection.close()
    keys.write_key(full / "keys" / "vault", NEW)
    starts = (
        ("-c", "import config.wsgi"),
        ("-m", "celery", "--app", "config", "worker", "--pool", "solo"),
        ("-m", "config.worker"),
        ("-m", "celery", "--app", "config", "beat"),
        ("-m", "config.serve", "--bind", "127.0.0.1:0"),
    )
    for words in starts:
        done = run_in_other_process(full, *words)
        assert done.returncode == keys.EXIT_STATUS, (words, done)
        lines = [line for line in done.stderr.splitlines() if "vault key" in line]
        assert len(lines) == 1, (words, done.stderr)
        assert lines[0].startswith("Tabula does not start. The vault key is not the one"), words
        assert "Traceback" not in done.stderr
    settings.VAULT_KEY = NEW
    assert keys.vault_state() == "wrong-key"
    with pytest.raises(
        SystemCheckError, match="The vault key is not the one that sealed this database's secrets"
    ):
        call_command("check", databases=["default"])
    for command in ("tick", "rotate_vault"):
        with pytest.raises(
            CommandError, match=r"Nothing has been (done|changed)\. The vault key is not"
        ):
            call_command(command, stdout=StringIO())
    with pytest.raises(CommandError, match="No backup has been written"):
        call_command("backup", str(full / "b.zip"))
    # A database from before fingerprints is tested with a secret.
    VaultKey.objects.all().delete()
    assert keys.vault_state() == "wrong-key"
    assert not VaultKey.objects.exists()
    settings.VAULT_KEY = OLD
    assert keys.vault_state() == "ok"


@pytest.mark.long
def test_an_empty_database_starts_and_is_migrated(tmp_path: Path) -> None:
    environment = {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{tmp_path / 'new.sqlite3'}",
        "TABULA_VAR": str(tmp_path),
    }
    code = "import config.wsgi; from campaign.keys import vault_state as s; print(s())"
    for words in (("-c", code), ("manage.py", "migrate", "campaign", "0001", "--verbosity", "0")):
        done = subprocess.run(
            [sys.executable, *words],
            env=environment,
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=300,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() in (["unknown"], [])
