"""The dice of a film, which cover no place of the fight on a small telephone."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True), pytest.mark.long]
PLAY = """async () => {
  const { Film } = await import('/static/js/film.js');
  const board = document.querySelector('.play-stage'), tray = board.querySelector('.film__tray');
  const size = board.getBoundingClientRect(), spaces = {}, covered = [];
  for (let x = 20; x < size.width - 20; x += 50)
    for (let y = 20; y < size.height - 20; y += 30) spaces[`${x} ${y}`] = { x, y };
  let now = '';
  const stage = {
    board: { stage: board, spaces, at: { s: 1, x: 0, y: 0 } }, begin() {}, settle() {}, glide() {},
    change() {
      const dice = tray.getBoundingClientRect(), { x, y } = spaces[now];
      const box = board.getBoundingClientRect(); // the bar of the film has another height
      const [left, top] = [box.left + x, box.top + y];
      if (tray.hidden || dice.bottom > box.bottom || dice.top < box.top) covered.push('no dice');
      if (left > dice.left - 12 && left < dice.right + 12 && top > dice.top - 12 &&
        top < dice.bottom + 12) covered.push(now);
    },
  };
  const panel = document.querySelector('[data-film=bar]');
  const film = new Film({ panel, tray, stage });
  const dice = ['attack', 'attack', 'defence'].map((label) => ({ sides: 6, value: 3, label }));
  film.choose(2.5);
  const playing = async (key) => {
    now = key;
    const frame = { intro: '', dice, say: '', changes: [{ kind: 'army', to: key }], places: [key] };
    const done = film.play([{ ...frame, weight: 0, tone: '' }]);
    film.skip();
    await done;
  };
  for (const key of Object.keys(spaces)) await playing(key);
  return [Object.keys(spaces).length > 30, covered];
}"""


@pytest.mark.parametrize("title", ["march_on_rome", "tetrarchia", "roman_empire"])
def test_the_dice_cover_no_place_of_the_fight(new_page: Any, title: str) -> None:
    page = new_page(390, 664)
    page.goto(f"/learn/{title}/")
    page.get_by_role("button", name="Start the lesson").click()
    page.wait_for_url("**/c/**")
    page.locator("#lesson.is-beside").wait_for()
    assert page.evaluate(PLAY) == [True, []]
