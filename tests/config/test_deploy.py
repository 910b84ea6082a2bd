"""The deployment kit and the pages for hosts, compared with the Procfile and the settings.

The tests need no containers.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from http.client import HTTPConnection, HTTPSConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from ssl import CERT_NONE, SSLContext, create_default_context
from time import monotonic, sleep
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
HOSTING = "\n\n".join(
    page.read_text("utf-8") for page in sorted((ROOT / "docs" / "host").glob("*.md"))
)
PROCFILE = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
NOT_FOR_HOSTS = {"TABULA_DEBUG", "TABULA_DEMO", "TABULA_BROKER_FOLDER", "TABULA_HASHED_STATIC"}
"""The variables that only scripts and tests set."""


def settings_read() -> set[str]:
    """The names in the environment that the settings ask for, read from their source."""
    tree = ast.parse((ROOT / "config" / "settings.py").read_text("utf-8"))
    calls = (
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    )
    asked = {
        call.args[0].value
        for call in calls
        if isinstance(call.func, ast.Attribute)
        and isinstance(call.func.value, ast.Name)
        and call.func.value.id == "env"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }
    return {str(name) for name in asked}


def procfile_reads() -> set[str]:
    """The variables of the Procfile's commands."""
    return set(re.findall(r"\$\{?([A-Z_]+)", "\n".join(PROCFILE.values())))


def rendered() -> set[str]:
    """Return the names in the first column of the tables of settings."""
    rows = re.findall(r"^\| (`[A-Z][A-Z_]+`[^|]*)\|", HOSTING, re.M)
    return set(re.findall(r"`([A-Z][A-Z_]+)`", " ".join(rows)))


def compose() -> dict[str, Any]:
    result = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    assert isinstance(result, dict)
    return result


# Settings -----------------------------------------------------------------------------------------
def test_the_page_lists_every_setting_and_no_other() -> None:
    read = settings_read()
    assert {
        "ALLOWED_HOSTS",
        "DATABASE_URL",
        "TABULA_OUTSIDE_INSECURE",
        "METRICS_ALLOWED",
        "LOG_FORMAT",
    } <= read
    assert {"ALLOWED_HOSTS", "SECRET_KEY", "VAULT_KEY"} <= rendered()
    assert sorted(read - NOT_FOR_HOSTS - rendered()) == []
    assert sorted(procfile_reads() - rendered()) == []
    known = read | procfile_reads() | elsewhere()
    assert sorted(rendered() - known) == []


def elsewhere() -> set[str]:
    """Names in the environment that are read elsewhere than in the settings."""
    rooms = ("config", "campaign", "web", "outgoing", "notices", "forum", "people")
    sources = "\n".join(
        path.read_text("utf-8") for room in rooms for path in (ROOT / room).rglob("*.py")
    )
    return set(re.findall(r"(?:environ(?:\.get\(|\[)|\benv\.\w+\()\s*\"([A-Z_]+)", sources))


def test_compose_names_settings_that_exist() -> None:
    services = compose()["services"]
    known = settings_read() | procfile_reads() | elsewhere() | {"TABULA_STAY_WHEN_REFUSED"}
    for name in PROCFILE:
        assert sorted(set(services[name]["environment"]) - known) == [], name
        assert {"ALLOWED_HOSTS", "SECRET_KEY", "VAULT_KEY", "DATABASE_URL", "REDIS_URL"} <= set(
            services[name]["environment"]
        )
        assert services[name]["env_file"] == [".env"], (
            "a setting of the host's reaches every process"
        )
    example = set(re.findall(r"^#? ?([A-Z_]+)=", (DEPLOY / "env.example").read_text(), re.M))
    assert example - {"DATABASE_PASSWORD"} <= known, "the example sets what nothing reads"
    fixed = {
        "ALLOWED_HOSTS",
        "SECRET_KEY",
        "VAULT_KEY",
        "DATABASE_URL",
        "REDIS_URL",
        "TABULA_VAR",
        "TABULA_LIVE",
    }
    fixed |= {"TRUSTED_PROXIES", "TABULA_STAY_WHEN_REFUSED"}
    for name in PROCFILE:
        own = set(services[name]["environment"]) - fixed
        assert own <= {
            "BIND",
            "TRUSTED_PROXIES_GUARDED",
            "PORT",
            "LIVE_PORT",
        }, "it would hide what the env file says"
    without = set(re.findall(r"\$\{([A-Z_]+):\?", (DEPLOY / "compose.yaml").read_text()))
    assert without <= example, "compose wants what the example does not name"
    assert set(re.findall(r"\{\$([A-Z_]+)\}", (DEPLOY / "Caddyfile").read_text())) <= set(
        services["caddy"]["environment"]
    )


def test_compose_mounts_and_joins_what_it_declares() -> None:
    """Volumes and networks of services are declared, or are files of the kit.

    The folder for data is a volume.
    """
    kit = compose()
    mounted, joined = set(), set()
    for name, service in kit["services"].items():
        for mount in service.get("volumes", []):
            source, target, *_mode = mount.split(":")
            assert target.startswith("/"), name
            if source.startswith("./"):
                assert (DEPLOY / source).is_file(), name
            else:
                mounted.add(source)
        joined |= set(service["networks"])
        assert set(service.get("depends_on", [])) <= set(kit["services"]), name
    assert mounted == set(kit["volumes"]) == {"var", "database", "valkey", "caddy"}
    assert joined == set(kit["networks"]) == {"inside", "proxy", "outside"}
    for name in PROCFILE:
        service = kit["services"][name]
        assert f"var:{service['environment']['TABULA_VAR']}" in service["volumes"], (
            "the container itself is read-only"
        )
    build = kit["services"]["web"]["build"]
    assert (DEPLOY / build["context"] / build["dockerfile"]).is_file()


# Processes ----------------------------------------------------------------------------------------
def test_the_kit_starts_what_the_procfile_names() -> None:
    """Compose and units start `deploy/run` with a process of the Procfile.

    Each process has its place.
    """
    assert list(PROCFILE) == ["release", "web", "live", "worker", "beat"]
    services = compose()["services"]
    assert {
        name: services[name]["command"] for name in services if services[name]["image"] == "tabula"
    } == {name: [name] for name in PROCFILE}
    containerfile = (DEPLOY / "Containerfile").read_text()
    assert 'ENTRYPOINT ["deploy/run"]' in containerfile
    started = {}
    for unit in (DEPLOY / "systemd").glob("*.service"):
        if match := re.search(r"^ExecStart=/srv/tabula/deploy/run (\w+)$", unit.read_text(), re.M):
            started[unit.stem] = match[1]
    assert started == {f"tabula-{name}": name for name in PROCFILE if name != "release"}
    assert "deploy/run release" in HOSTING


def test_the_runner_reads_the_procfile(tmp_path: Path) -> None:
    """Each command runs as written, with variables and quotes.

    A signal to the runner reaches the process.
    """
    (tmp_path / "deploy").mkdir()
    shutil.copy(DEPLOY / "run", tmp_path / "deploy" / "run")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    show = tmp_path / ".venv" / "bin" / "show"
    show.write_text('#!/bin/sh\necho "$PWD" $$ "$MORE" "$@"\n')
    show.chmod(0o755)
    lines = [
        'one: show "a  b" --port "${PORT:-8000}"',
        "two: true && exec show last",
        "three: MORE=here show",
        "four: exec show exec",
    ]
    (tmp_path / "Procfile").write_text("\n".join(lines) + "\n")

    def run(*arguments: str, **more: str) -> tuple[int, str, str]:
        process = subprocess.Popen(
            [str(tmp_path / "deploy" / "run"), *arguments],
            cwd="/",
            env={"PATH": os.environ["PATH"], **more},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        out, wrong = process.communicate(timeout=30)
        return process.returncode, out.replace(str(process.pid), "PID"), wrong

    assert run("one", PORT="9") == (0, f"{tmp_path} PID  a  b --port 9\n", "")
    assert run("two")[1] == f"{tmp_path} PID  last\n"
    assert run("three")[1] == f"{tmp_path} PID here\n"
    assert run("four")[1] == f"{tmp_path} PID  exec\n"
    status, out, wrong = run("five")
    assert (status, out) == (64, "")
    assert wrong == "The Procfile names no process five. It names: one two three four \n"
    assert run()[0] != 0


def test_in_containers_the_site_listens_inside_and_only_the_proxy_outside() -> None:
    result = compose()
    services, networks = result["services"], result["networks"]
    assert services["web"]["environment"]["BIND"] == "0.0.0.0"
    assert [name for name in services if services[name].get("ports")] == ["caddy"]
    assert [name for name in services if "proxy" in services[name]["networks"]] == [
        "web",
        "live",
        "caddy",
    ]
    assert networks["inside"] == networks["proxy"] == {"internal": True}
    # The web process asks Discord and Steam about sign-ins; the worker sends letters and posts.
    assert [name for name in services if "outside" in services[name]["networks"]] == [
        "release",
        "web",
        "worker",
        "caddy",
    ]
    port = str(services["web"]["environment"]["PORT"])
    assert f"reverse_proxy web:{port} " in (DEPLOY / "Caddyfile").read_text()
    assert (
        f"reverse_proxy /live/* live:{services['live']['environment']['LIVE_PORT']}\n"
        in (DEPLOY / "Caddyfile").read_text()
    )
    assert {
        name for name in services if services[name].get("environment", {}).get("TABULA_LIVE") == "1"
    } == set(PROCFILE)
    assert f"127.0.0.1:{port}/health/live" in str(services["web"]["healthcheck"]["test"])
    assert str(services["web"]["environment"]["TRUSTED_PROXIES"]) == "1"
    assert services["database"]["environment"]["POSTGRES_DB"] == "tabula"
    assert "noeviction" in services["valkey"]["command"]


def test_the_image_has_all_that_runs_and_nothing_secret() -> None:
    left_out = (ROOT / ".dockerignore").read_text().split()
    assert {".git", "var", "deploy/.env", "tests"} <= set(left_out)
    assert not {
        "config",
        "Procfile",
        "pyproject.toml",
        "locale",
        "static",
        "templates",
        "deploy",
    } & set(left_out)
    lines = (DEPLOY / "Containerfile").read_text().splitlines()
    assert (
        lines.index("COPY requirements.txt ./")
        < lines.index("COPY . .")
        < lines.index("USER tabula")
    )
    secret = re.compile(r"^(?:SECRET_KEY|VAULT_KEY|DATABASE_PASSWORD)=.+", re.M)
    assert not secret.search((DEPLOY / "env.example").read_text())


# systemd ------------------------------------------------------------------------------------------
def units() -> list[Path]:
    return sorted((DEPLOY / "systemd").iterdir())


def test_units_agree_with_each_other() -> None:
    names = {unit.name for unit in units()}
    assert names == {
        "tabula.target",
        "tabula-web.service",
        "tabula-live.service",
        "tabula-worker.service",
        "tabula-beat.service",
        "tabula-tick.service",
        "tabula-tick.timer",
        "tabula-backup.service",
        "tabula-backup.timer",
    }
    for unit in units():
        text = unit.read_text()
        assert {
            unit
            for unit in re.findall(r"\btabula[\w-]*\.\w+\b", text)
            if not unit.endswith((".env", ".tabula"))
        } <= names
        if unit.suffix == ".service":
            for line in (
                "User=tabula",
                "WorkingDirectory=/srv/tabula",
                "EnvironmentFile=/etc/tabula.env",
                "NoNewPrivileges=yes",
            ):
                assert line in text.splitlines(), (unit.name, line)
        assert unit.name in HOSTING or unit.stem.removeprefix("tabula-") in (
            "web",
            "live",
            "worker",
            "beat",
            "tick",
            "backup",
        )


def test_units_start_everything_and_do_not_start_a_refused_process_again() -> None:
    from campaign import keys
    from config import processes

    started = {f"tabula-{name}.service" for name in PROCFILE if name != "release"}
    target = (DEPLOY / "systemd" / "tabula.target").read_text()
    assert set(re.findall(r"^Wants=(.+)$", target, re.M)[0].split()) == started
    for name in started:
        text = (DEPLOY / "systemd" / name).read_text()
        assert "Restart=always" in text
        assert f"RestartPreventExitStatus={keys.EXIT_STATUS}\n" in text
    assert processes.REFUSED == keys.EXIT_STATUS == 3


def test_the_page_lists_the_groups_and_kinds_of_work_of_the_settings() -> None:
    from django.conf import settings

    rows = re.findall(
        r"^\| `(\w+)` \| (.+?) \| (.+?) \|$", HOSTING.split("| group | ")[1].split("\n\n")[0], re.M
    )
    assert {name: re.findall(r"`([\w-]+)`", kinds) for name, kinds, _processes in rows} == {
        name: list(queues) for name, (_processes, queues) in settings.GROUPS.items()
    }
    kinds = [queue for _processes, queues in settings.GROUPS.values() for queue in queues]
    assert sorted(kinds) == sorted(["celery", *settings.TICKS])
    assert "--queues" not in HOSTING, (
        "a list of queues in a command would be wrong with the next kind of work"
    )
    for unit in units():
        assert "--queues" not in unit.read_text()


def test_in_a_container_a_process_that_is_refused_stays(tmp_path: Path) -> None:
    """Status 3 is reported once and not left to restarts; any other status is passed on.

    A signal ends the process, and the one that stays.
    """
    (tmp_path / "deploy").mkdir()
    shutil.copy(DEPLOY / "run", tmp_path / "deploy" / "run")
    (tmp_path / "Procfile").write_text(
        "wrong: exec sh -c 'exit 3'\nother: exec sh -c 'exit 4'\nlong: exec sleep 60\n"
    )

    def start(name: str, **more: str) -> subprocess.Popen[str]:
        environment = {"PATH": os.environ["PATH"], **more}
        command = [str(tmp_path / "deploy" / "run"), name]
        return subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True)

    stay = {"TABULA_STAY_WHEN_REFUSED": "1"}
    with start("wrong") as first, start("other", **stay) as second:
        assert (first.wait(20), second.wait(20)) == (3, 4)
    with start("wrong", **stay) as refused:
        assert refused.stderr is not None
        assert refused.stderr.readline().startswith("Not started again: ")
        sleep(0.5)
        assert refused.poll() is None
        refused.terminate()
        assert refused.wait(20) == 3
    with start("long", **stay) as running:
        sleep(0.5)
        running.terminate()
        assert running.wait(20) == 143


def test_systemd_takes_the_units(tmp_path: Path) -> None:
    """`systemd-analyze verify` with this checkout in the place of /srv/tabula."""
    analyze = shutil.which("systemd-analyze")
    if analyze is None:
        pytest.skip("there is no systemd-analyze here")
    python = tmp_path / "python"
    python.symlink_to("/bin/true")
    for unit in units():
        text = (
            unit.read_text()
            .replace("/srv/tabula/.venv/bin/python", str(python))
            .replace("/srv/tabula", str(ROOT))
        )
        (tmp_path / unit.name).write_text(text)
    done = subprocess.run(
        [analyze, "verify", "--man=no", *(str(tmp_path / unit.name) for unit in units())],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    # Faults in the machine's own units do not count.
    assert [line for line in done.stderr.splitlines() if "tabula" in line] == []
    (tmp_path / "tabula-web.service").write_text(
        "[Service]\nExecStart=deploy/run web\nRestrat=always\n"
    )
    bad = subprocess.run(
        [analyze, "verify", "--man=no", str(tmp_path / "tabula-web.service")],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "tabula-web.service" in bad.stderr, "verify would find one"


# nginx --------------------------------------------------------------------------------------------
def test_the_example_for_nginx_says_what_the_site_needs() -> None:
    text = (DEPLOY / "nginx.conf").read_text()
    assert "proxy_set_header X-Forwarded-For $remote_addr;" in text, (
        "what a stranger wrote there must not pass"
    )
    for line in (
        "proxy_set_header X-Forwarded-Proto $scheme;",
        "proxy_set_header Host $host;",
        "server 127.0.0.1:8000;",
        "gzip on;",
    ):
        assert line in text
    from config import middleware
    from web.imports.record_files import HEAVIEST

    sizes = [int(size) * 1024 * 1024 for size in re.findall(r"client_max_body_size (\d+)m;", text)]
    assert sizes[0] >= middleware.HEAVY + middleware.ROUND_IT
    assert sizes[1] >= HEAVIEST + middleware.ROUND_IT
    wait = int(re.findall(r"proxy_read_timeout (\d+)s;", text)[0])
    assert wait > int(
        (re.findall(r"--timeout \"?(?:\$\{\w+:-)?(\d+)", PROCFILE["web"]) or ["120"])[0]
    )


@pytest.fixture
def behind(tmp_path: Path) -> Iterator[tuple[int, int]]:
    """Run nginx with the example before a server that echoes its requests.

    Yield the ports of http and https.
    """
    nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if nginx is None:
        pytest.skip("there is no nginx here")

    class Echo(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = (
                "\n".join(f"{name}: {value}" for name, value in self.headers.items()).encode()
                + b"\n"
                + b"." * 2000
            )
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None: ...

    class Stream(Echo):
        """A stream like that of `config.change_life`: one event, and another after a pause."""

        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream; charset=utf-8")
            self.end_headers()
            self.wfile.write(b"event: hello\n\n")
            sleep(1)
            self.wfile.write(
                f"path: {self.path} for {self.headers['X-Forwarded-For']}\n\n".encode()
            )

    server, stream = (ThreadingHTTPServer(("127.0.0.1", 0), kind) for kind in (Echo, Stream))
    for http_server in (server, stream):
        threading.Thread(target=http_server.serve_forever, daemon=True).start()
    plain, tls = free_port(), free_port()
    certificate(tmp_path)
    site = (DEPLOY / "nginx.conf").read_text()
    for old, new in (
        ("listen [::]:80;", ""),
        ("listen [::]:443 ssl http2;", ""),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl", f"listen 127.0.0.1:{tls} ssl"),
        ("127.0.0.1:8000", f"127.0.0.1:{server.server_port}"),
        ("127.0.0.1:8001", f"127.0.0.1:{stream.server_port}"),
        ("/etc/letsencrypt/live/tabula.example.org/", f"{tmp_path}/"),
    ):
        assert old in site
        site = site.replace(old, new)
    (tmp_path / "site.conf").write_text(site)
    paths = "\n".join(
        f"{name}_temp_path {tmp_path}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    (tmp_path / "nginx.conf").write_text(
        f"daemon off; master_process off; pid {tmp_path}/pid; error_log"
        f" {tmp_path}/error.log;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}\ninclude"
        f" {tmp_path}/site.conf;\n}}\n"
    )
    command = [
        nginx,
        "-p",
        str(tmp_path),
        "-c",
        str(tmp_path / "nginx.conf"),
        "-e",
        str(tmp_path / "error.log"),
    ]
    tried = subprocess.run(
        [*command, "-t"], capture_output=True, text=True, timeout=60, check=False
    )
    assert tried.returncode == 0, tried.stderr
    process = subprocess.Popen(command)
    try:
        end = monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", tls), timeout=1).close()
                break
            except OSError:
                assert monotonic() < end, (tmp_path / "error.log").read_text()
                sleep(0.05)
        yield plain, tls
    finally:
        process.terminate()
        process.wait(20)
        for http_server in (server, stream):
            http_server.shutdown()
            http_server.server_close()


def free_port() -> int:
    with socket.socket() as result:
        result.bind(("127.0.0.1", 0))
        return int(result.getsockname()[1])


def certificate(folder: Path) -> None:
    """One that we signed ourselves, for a day."""
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec

    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "tabula.example.org")]),
    )
    now = datetime.now(UTC)
    created = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(created.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    )


def statuses(tls: int, wanted: list[str]) -> list[int]:
    """Send all requests at once from one address, and return the statuses.

    Each has a connection of its own.
    """
    context: SSLContext = create_default_context()
    context.check_hostname, context.verify_mode = False, CERT_NONE

    def ask(where: str) -> int:
        door = HTTPSConnection("127.0.0.1", tls, timeout=30, context=context)
        door.request("GET", where, headers={"Host": "tabula.example.org"})
        status = door.getresponse().status
        door.close()
        return status

    with ThreadPoolExecutor(24) as pool:
        return list(pool.map(ask, wanted))


def test_nginx_lets_twelve_first_visitors_of_one_address_in_and_refuses_a_flood(
    behind: tuple[int, int],
) -> None:
    """Each asks for a page and twelve files; the example refused 52 of these 156 requests."""
    _plain, tls = behind
    first = [
        where
        for _visitor in range(12)
        for where in ("/", *(f"/static/file-{n}.css" for n in range(12)))
    ]
    assert len(first) == 156
    assert set(statuses(tls, first)) == {200}
    flood = statuses(tls, ["/"] * 400)
    assert flood.count(429) > 100, "pages are still limited"
    assert set(statuses(tls, ["/static/file.css"] * 50)) == {200}


def test_nginx_compresses_limits_and_forwards_the_true_address(
    behind: tuple[int, int],
) -> None:
    import gzip

    plain, tls = behind
    context: SSLContext = create_default_context()
    context.check_hostname, context.verify_mode = False, CERT_NONE

    def ask(method: str, where: str, **headers: str) -> tuple[int, Any, bytes]:
        door = HTTPSConnection("127.0.0.1", tls, timeout=30, context=context)
        door.request(method, where, headers={"Host": "tabula.example.org", **headers})
        answer = door.getresponse()
        result = answer.status, answer.headers, answer.read()
        door.close()
        return result

    status, headers, body = ask(
        "GET",
        "/",
        **{"Accept-Encoding": "gzip", "X-Forwarded-For": "192.0.2.1", "X-Forwarded-Proto": "http"},
    )
    assert (status, headers["Content-Encoding"]) == (200, "gzip")
    seen = dict(
        line.split(": ", 1) for line in gzip.decompress(body).decode().splitlines() if ": " in line
    )
    assert (seen["X-Forwarded-For"], seen["X-Forwarded-Proto"], seen["Host"]) == (
        "127.0.0.1",
        "https",
        "tabula.example.org",
    )
    assert ask("GET", "/metrics")[0] == 404
    door = HTTPSConnection("127.0.0.1", tls, timeout=30, context=context)
    begun = monotonic()
    door.request(
        "GET", "/live/abcdefgh/", headers={"Host": "tabula.example.org", "Accept-Encoding": "gzip"}
    )
    answer = door.getresponse()
    assert (answer.headers["Content-Encoding"], answer.readline(), answer.readline()) == (
        None,
        b"event: hello\n",
        b"\n",
    )
    assert monotonic() - begun < 0.9, "it was kept back"
    assert answer.readline() == b"path: /live/abcdefgh/ for 127.0.0.1\n"
    door.close()
    assert ask("POST", "/c/abcdefgh/", **{"Content-Length": str(40_000_000)})[0] == 413
    door = HTTPConnection("127.0.0.1", plain, timeout=30)
    door.request("GET", "/c/abcdefgh/?x=1", headers={"Host": "tabula.example.org"})
    answer = door.getresponse()
    assert (answer.status, answer.headers["Location"]) == (
        301,
        "https://tabula.example.org/c/abcdefgh/?x=1",
    )
    door.close()
