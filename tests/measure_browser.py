"""The cost of the table in a browser: `script/measure browser`.

It prints which targets are met and fails for none. A Chromium with a processor slowed down six
times represents a phone. The site runs as in production, with collected files and a demonstration
of its own. Its table is opened once without and five times with the files in the browser's cache.
Lighthouse (npm) makes a report too, if npx can fetch it.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from time import sleep
from typing import Any
from urllib.request import urlopen

import brotli
import pytest

SLOWER = 6
VISITS = 5
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}, "service_workers": "block"}
PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "service_workers": "block",
}
SETTING_UP = (
    ["-m", "config.keys"],
    *(
        ["manage.py", *command.split()]
        for command in (
            "messages --compile",
            "migrate --verbosity 0",
            "createcachetable",
            "demo --if-empty",
            "collectstatic --noinput --verbosity 0",
        )
    ),
)
PACKED = (".woff2", ".png")
WATCH = """
window.measured = {tasks: [], shift: 0};
new PerformanceObserver((list) => list.getEntries().forEach((one) => measured.tasks.push(Math.round(one.duration))))
  .observe({type: "longtask", buffered: true});
new PerformanceObserver((list) => list.getEntries().forEach((one) => { if (!one.hadRecentInput) measured.shift += one.value; }))
  .observe({type: "layout-shift", buffered: true});
"""  # noqa: E501
TIMES = """
() => {
  const [one] = performance.getEntriesByType("navigation");
  return {ready: one.domContentLoadedEventEnd - one.responseStart, loaded: one.loadEventEnd - one.responseStart};
}
"""  # noqa: E501
FRAMES = """
() => new Promise((done) => {
  const gaps = []; let before = 0; const start = performance.now();
  (function frame(now) {
    if (before) gaps.push(now - before);
    before = now;
    if (performance.now() - start < 2000) requestAnimationFrame(frame);
    else done({frames: gaps.length / 2, longest: Math.round(Math.max(...gaps))});
  })(start);
})
"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[str]:
    """Return the address of the demonstration, served like the one process of `script/serve`."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    own = {
        "TABULA_VAR": str(tmp_path),
        "TABULA_DEMO": "1",
        "ALLOWED_HOSTS": "127.0.0.1",
        "SITE_URL": address,
        "DEBUG": "0",
    }
    kept = {key: value for key, value in os.environ.items() if key in ("PATH", "HOME", "LANG")}
    for arguments in SETTING_UP:
        subprocess.run(
            [sys.executable, *arguments], env=kept | own, check=True, capture_output=True
        )
    process = subprocess.Popen(
        [sys.executable, "-m", "config.serve", "--bind", f"127.0.0.1:{port}"],
        env=kept | own,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        for _try in range(120):
            try:
                urlopen(f"{address}/").close()
                break
            except OSError:
                sleep(0.5)
        yield address
    finally:
        process.terminate()
        process.wait(30)


def weight(url: str, body: bytes) -> float:
    """Return the transferred kilobytes.

    Fonts and pictures as they are, files by Brotli, pages by gzip, as the proxy sends them.
    """
    path = url.split("?")[0]
    if path.endswith(PACKED):
        return len(body) / 1000
    return (
        len(
            brotli.compress(body) if path.endswith((".js", ".css", ".svg")) else gzip.compress(body)
        )
        / 1000
    )


def line(name: str, value: str, met: bool | None = None, target: str = "") -> None:
    word = "" if met is None else "met" if met else "not met"
    print(f"{name:56}{value:>14}  {target:16}{word}")


def test_measure(chromium: Any, site: str, capsys: Any, tmp_path: Path) -> None:
    context = chromium.new_context(
        viewport={"width": 390, "height": 844},
        is_mobile=True,
        has_touch=True,
        service_workers="block",
    )
    page = context.new_page()
    page.goto(site)
    page.locator('form[action="/demonstration/1/"] button').first.click()
    page.wait_for_load_state("networkidle")
    home = site + page.locator('a[href^="/c/"]').first.get_attribute("href").split("story")[0]
    cookies = context.cookies()
    context.clear_cookies()
    context.close()
    context = chromium.new_context(
        viewport={"width": 390, "height": 844},
        is_mobile=True,
        has_touch=True,
        service_workers="block",
    )
    context.add_cookies(cookies)
    page = context.new_page()
    page.add_init_script(WATCH)
    sizes: dict[str, float] = {}
    page.on(
        "response",
        lambda answer: (
            sizes.update({answer.url: weight(answer.url, answer.body())}) if answer.ok else None
        ),
    )
    page.goto(home)
    page.wait_for_load_state("networkidle")
    html = sizes[home]
    kinds = {
        "HTML": html,
        "outlines of the map": sum(
            size for url, size in sizes.items() if url.endswith(".svg") and "/static/" not in url
        ),
        "styles and scripts": sum(
            size for url, size in sizes.items() if url.split("?")[0].endswith((".css", ".js"))
        ),
        "letters": sum(size for url, size in sizes.items() if url.endswith(".woff2")),
    }
    everything = sum(sizes.values())
    wire = context.new_cdp_session(page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    ready, loaded, longest, shift = [], [], [], 0.0
    for _visit in range(VISITS):
        page.goto(f"{home}log/")  # from here, because the same address again would be a reload
        page.wait_for_load_state("networkidle")
        page.goto(home)
        page.wait_for_load_state("networkidle")
        times = page.evaluate(TIMES)
        page.wait_for_timeout(1500)
        measured = page.evaluate("measured")
        ready.append(times["ready"])
        loaded.append(times["loaded"])
        longest.append(max(measured["tasks"], default=0))
        shift = max(shift, measured["shift"])
    wire.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    zoomed = {}
    for motion in ("no-preference", "reduce"):
        wide = chromium.new_context(**DESK, reduced_motion=motion).new_page()
        wide.context.add_cookies(cookies)
        wide.goto(home)
        wide.wait_for_load_state("networkidle")
        wide.wait_for_timeout(500)
        wide.evaluate("document.querySelector('.map__zoom [data-times=\"1.6\"]').click()")
        zoomed[motion] = wide.evaluate(FRAMES)
    box = wide.locator(".map__svg").first.bounding_box()
    wide.evaluate(f"window.moved = ({FRAMES})()")
    wide.mouse.move(box["x"] + 300, box["y"] + 200)
    wide.mouse.down()
    for step in range(60):
        wide.mouse.move(box["x"] + 300 + step * 3, box["y"] + 200 + step)
    wide.mouse.up()
    dragged = wide.evaluate("moved")
    with capsys.disabled():
        print(f"\nThe table in Chromium; processor throttled {SLOWER} times, {VISITS} later visits")
        for name, size in kinds.items():
            line(f"first visit: {name}", f"{size:.1f} kB")
        line("first visit: everything", f"{everything:.1f} kB", everything <= 120, "at most 120 kB")
        line("later visits, compressed", f"{html:.1f} kB", html <= 25, "at most 25 kB")
        line(
            "ready (files in the cache), median",
            f"{median(ready):.0f} ms",
            median(ready) <= 1000,
            "at most 1,000 ms",
        )
        line("… each visit", " ".join(f"{time:.0f}" for time in ready))
        line("loaded (files in the cache), median", f"{median(loaded):.0f} ms")
        line(
            "longest task, median",
            f"{median(longest):.0f} ms",
            max(longest) <= 200,
            "at most 200 ms",
        )
        line("… each visit", " ".join(map(str, longest)))
        line("layout shift, most", f"{shift:.3f}", shift == 0, "0")
        for name, durations in (
            ("zoom, gliding", zoomed["no-preference"]),
            ("zoom, at once", zoomed["reduce"]),
            ("drag", dragged),
        ):
            line(
                f"map, {name}: frames a second",
                f"{durations['frames']:.0f}",
                durations["frames"] >= 55,
                "60",
            )
            line(f"map, {name}: longest frame", f"{durations['longest']} ms")
        lighthouse(
            home,
            next(cookie["value"] for cookie in cookies if cookie["name"] == "sessionid"),
            tmp_path,
        )


def lighthouse(url: str, session: str, folder: Path) -> None:
    npx, chromium = shutil.which("npx"), shutil.which("chromium")
    if npx is None or chromium is None:
        line("Lighthouse", "not here")
        return
    headers = folder / "headers.json"
    headers.write_text(json.dumps({"Cookie": f"sessionid={session}"}))
    report = folder / "report.json"
    asked = [
        npx,
        "--yes",
        "lighthouse@12",
        url,
        "--quiet",
        "--output=json",
        f"--output-path={report}",
        f"--extra-headers={headers}",
        "--chrome-flags=--headless=new --no-sandbox --disable-gpu",
    ]
    try:
        subprocess.run(
            asked,
            check=True,
            capture_output=True,
            timeout=240,
            env={**os.environ, "CHROME_PATH": chromium},
        )
    except (OSError, subprocess.SubprocessError) as error:
        line("Lighthouse", f"away ({type(error).__name__})")
        return
    for key, category in json.loads(report.read_text())["categories"].items():
        score = round(100 * (category["score"] or 0))
        line(f"Lighthouse: {key}", str(score), score >= 95, "at least 95")
