"""The size of touch targets on a phone of 390 px: at least 44 px high and wide."""

from __future__ import annotations

from typing import Any

import pytest

from tests.web.contests import challenge, siege
from tests.web.grand_table import GrandTable, grand_table, new_campaign

__all__ = ["challenge", "grand_table", "new_campaign", "siege"]

pytestmark = pytest.mark.browser

# A target is as large as the area in which a finger lands on it, its label or an overlay for that
# purpose. Links in running text are exempt, and so is the width of the ribbon's slots, which share
# the width of the phone.
MISSED = """() => {
  const missed = [];
  const tag = (one) => `${one.tagName.toLowerCase()}.${one.className}`;
  const name = (one) => `${tag(one)} "${(one.innerText || one.value || one.id).trim().slice(0, 9)}" in ${tag(one.parentElement)}`;
  for (const one of document.querySelectorAll('a, button, input, select, textarea, summary')) {
    if (one.type === 'hidden' || one.disabled || one.matches('.skip, .sr, .sr *, svg *') || !one.checkVisibility()) continue;
    const label = one.matches('[type=radio], [type=checkbox]') ? one.closest('label') : null;
    const prose = one.matches('a') && getComputedStyle(one).display === 'inline'
      && [...one.parentElement.childNodes].some((near) => near.nodeType === 3 && near.textContent.trim().length > 1);
    if (prose) continue;
    (label || one).scrollIntoView({ block: 'center', inline: 'center' });
    const box = (label || one).getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const hit = (dx, dy) => {
      const there = document.elementFromPoint(Math.min(Math.max(x + dx, 1), innerWidth - 1), y + dy);
      return there && ((label || one).contains(there) || there.closest('label')?.control === one);
    };
    const wide = one.closest('.order') || (hit(-21, 0) && hit(21, 0));
    if (!wide || !hit(0, -21) || !hit(0, 21)) missed.push(name(one));
  }
  return [...new Set(missed)];
}"""  # noqa: E501


def phone(new_page: Any, table: GrandTable, who: str, live_server: Any) -> Any:
    page = new_page(width=390, has_touch=True, is_mobile=True)
    cookie = table.clients[who].cookies["sessionid"]
    page.context.add_cookies([{"name": "sessionid", "value": cookie.value, "url": live_server.url}])
    return page


OF_A_CAMPAIGN = [
    "",
    "desk/",
    "n/huns/",
    "n/huns/?open=attack-land",
    "n/romans/",
    "battles/",
    "b/1/",
    "b/1/?by=winner",
    "log/",
    "e/3/",
    "history/?by=turns",
    "history/?at=2",
    "story/",
    "seats/",
    "desk/away/romans/",
    "n/romans/standing/",
    "about/",
    "clocks/",
    "dice/",
    "orders/",
    "reports/",
    "reports/turn-1/",
    "reports/tone/",
    "rules/",
    "rulings/",
    "notices/",
    "posts/",
    "threads/new/",
    "threads/new/?transport=discord",
    "channels/",
    "webhooks/",
    "heard/",
]


OF_THE_SITE = [
    "/",
    "/lobby/",
    "/found/",
    "/notices/",
    "/me/",
    "/me/absence/",
    "/me/programs/",
    "/me/notices/",
    "/rules/",
]


def missed(page: Any, paths: list[str]) -> dict[str, list[str]]:
    """Return the targets on each page that are too small."""
    result = {}
    for path in paths:
        assert page.goto(path).status == 200, path
        result[path] = page.evaluate(MISSED)
    return {path: names for path, names in result.items() if names}


def test_targets_of_a_running_campaign_are_large_enough(
    live_server: Any, challenge: GrandTable, new_page: Any
) -> None:
    paths = [challenge.home + path for path in OF_A_CAMPAIGN]
    assert missed(phone(new_page, challenge, "gm", live_server), paths) == {}


def test_targets_of_other_pages_are_large_enough(
    live_server: Any, grand_table: GrandTable, new_page: Any
) -> None:
    assert missed(phone(new_page, grand_table, "hun", live_server), OF_THE_SITE) == {}
