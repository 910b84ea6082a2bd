"""What the table costs in a browser: `script/measure browser`. It prints what is met and what is not, and judges nothing.

A Chromium whose processor is throttled six times stands for a telephone. The table of the demonstration is opened twice: a
first visit, and one on which files lie in the browser's cache. Lighthouse (npm) looks at it, too, where npx is there and can
fetch it: a report, no more.
"""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import brotli
import pytest
import rjsmin
from django.contrib.staticfiles import finders
from django.test import Client
from lightningcss import bundle_css, process_stylesheet

from people.models import User
from tests.browser.laid_out import demonstration

pytestmark = [pytest.mark.django_db(transaction=True)]
SLOWER = 6
PACKED = (".woff2", ".png")
WATCH = """
window.measured = {tasks: [], shift: 0};
new PerformanceObserver((list) => list.getEntries().forEach((one) => measured.tasks.push(Math.round(one.duration))))
  .observe({type: "longtask", buffered: true});
new PerformanceObserver((list) => list.getEntries().forEach((one) => { if (!one.hadRecentInput) measured.shift += one.value; }))
  .observe({type: "layout-shift", buffered: true});
"""
TIMES = """
() => {
  const [one] = performance.getEntriesByType("navigation");
  return {ready: one.domContentLoadedEventEnd - one.responseStart, loaded: one.loadEventEnd - one.responseStart};
}
"""
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


def weight(url: str, body: bytes) -> float:
    """Kilobytes as they are sent: letters and pictures as they are; what is collected, and outlines, by Brotli; pages by gzip, as
    the proxy sends them."""
    path = url.split("?")[0]
    if path.endswith(PACKED):
        return len(body) / 1000
    if path.endswith(".js") and not path.endswith(".min.js"):
        body = rjsmin.jsmin(body.decode()).encode()
    if path.endswith(".css"):
        body = _style(Path(path).name, body.decode()).encode()
    return len(brotli.compress(body) if path.endswith((".js", ".css", ".svg")) else gzip.compress(body)) / 1000


def _style(name: str, text: str) -> str:
    """As `collectstatic` makes it: a style that imports others is one file with them, and those are not sent themselves."""
    base = finders.find("css/base.css")
    assert base is not None
    if name == "base.css":
        return str(bundle_css(base, minify=True))
    return "" if f'"{name}"' in Path(base).read_text() else str(process_stylesheet(text, minify=True))


def line(name: str, value: str, met: bool | None = None, target: str = "") -> None:
    word = "" if met is None else "met" if met else "not met"
    print(f"{name:56}{value:>14}  {target:16}{word}")


def test_measure(new_page: Callable[..., Any], live_server: Any, capsys: Any, tmp_path: Path) -> None:
    campaign, client = demonstration(), Client()
    client.force_login(User.objects.get(username="Ingrid"))
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": live_server.url}
    home = f"{live_server.url}/c/{campaign.address}/"
    page = new_page(width=390, height=844, is_mobile=True, has_touch=True)
    page.context.add_cookies([cookie])
    page.add_init_script(WATCH)
    sizes: dict[str, float] = {}
    page.on("response", lambda answer: sizes.update({answer.url: weight(answer.url, answer.body())}) if answer.ok else None)
    page.went(home)
    page.wait_for_load_state("networkidle")
    html = sizes[home]
    kinds = {
        "HTML": html,
        "outlines of the map": sum(size for url, size in sizes.items() if url.endswith(".svg") and "/static/" not in url),
        "styles and scripts": sum(size for url, size in sizes.items() if url.split("?")[0].endswith((".css", ".js"))),
        "letters": sum(size for url, size in sizes.items() if url.endswith(".woff2")),
    }
    wire = page.context.new_cdp_session(page)
    wire.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.went(home)
    page.wait_for_load_state("networkidle")
    times = page.evaluate(TIMES)
    page.wait_for_timeout(1500)
    measured = page.evaluate("measured")
    wire.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    wide = new_page()
    wide.context.add_cookies([cookie])
    wide.goto(home)
    wide.evaluate("document.querySelector('.map__zoom [data-times=\"1.6\"]').click()")
    frames = wide.evaluate(FRAMES)
    box = wide.locator(".map__svg").first.bounding_box()
    wide.evaluate(f"window.moved = ({FRAMES})()")
    wide.mouse.move(box["x"] + 300, box["y"] + 200)
    wide.mouse.down()
    for step in range(60):
        wide.mouse.move(box["x"] + 300 + step * 3, box["y"] + 200 + step)
    wide.mouse.up()
    dragged = wide.evaluate("moved")
    with capsys.disabled():
        print(f"\nThe table in Chromium, {campaign.last_number} entries; processor throttled {SLOWER} times")
        for name, size in kinds.items():
            line(f"first visit: {name}", f"{size:.1f} kB")
        everything = sum(sizes.values())
        line("first visit: everything", f"{everything:.1f} kB", everything <= 120, "at most 120 kB")
        line("later visits, compressed", f"{html:.1f} kB", html <= 25, "at most 25 kB")
        line("ready (files in the cache)", f"{times['ready']:.0f} ms", times["ready"] <= 1000, "at most 1,000 ms")
        line("loaded (files in the cache)", f"{times['loaded']:.0f} ms")
        longest = max(measured["tasks"], default=0)
        line("longest task", f"{longest} ms", longest <= 200, "at most 200 ms")
        line("layout shift", f"{measured['shift']:.3f}", measured["shift"] == 0, "0")
        for name, one in (("zoom", frames), ("drag", dragged)):
            line(f"map, {name}: frames a second", f"{one['frames']:.0f}", one["frames"] >= 55, "60")
            line(f"map, {name}: longest frame", f"{one['longest']} ms")
        lighthouse(home, cookie["value"], tmp_path)


def lighthouse(url: str, session: str, folder: Path) -> None:
    npx, chromium = shutil.which("npx"), shutil.which("chromium")
    if npx is None or chromium is None:
        line("Lighthouse", "not here")
        return
    headers = folder / "headers.json"
    headers.write_text(json.dumps({"Cookie": f"sessionid={session}"}))
    report = folder / "report.json"
    asked = [npx, "--yes", "lighthouse@12", url, "--quiet", "--output=json", f"--output-path={report}",
             f"--extra-headers={headers}", "--chrome-flags=--headless=new --no-sandbox --disable-gpu"]  # fmt: skip
    try:
        subprocess.run(asked, check=True, capture_output=True, timeout=240, env={**os.environ, "CHROME_PATH": chromium})
    except (OSError, subprocess.SubprocessError) as error:
        line("Lighthouse", f"away ({type(error).__name__})")
        return
    for key, category in json.loads(report.read_text())["categories"].items():
        score = round(100 * (category["score"] or 0))
        line(f"Lighthouse: {key}", str(score), score >= 95, "at least 95")
