"""Pictures of a table after an entry: which one it is, where it lies, who draws it.

A picture is named by the digest of what is drawn, so that its address never shows anything else. The file is made by the
worker (`web.tasks`) and kept in the storage that all machines share (`web.files`); the oldest go when there are too many,
and are drawn again when asked for.
"""

from __future__ import annotations

import io
import logging
import time
from functools import lru_cache
from hashlib import sha256
from typing import Any, NamedTuple

from django.core.cache import cache
from django.utils.translation import get_language

from campaign import moments
from campaign.models import Campaign
from web import draw, files
from web.titles import extras

log = logging.getLogger(__name__)

VERSION = 1
"""To be raised with every change of how `web.draw` draws: then all pictures have new names."""
MOST = 256 * 2**20
"""So many bytes are kept."""
QUEUE, PATIENCE, LAPSES = 30, 60, 300
"""So many wait for the worker at once; after so many seconds one is asked for again; after so many nobody draws it."""
WAITING = "pictures:waiting"


class Known(NamedTuple):
    """A picture that may or may not have been drawn: the entry it stands after, its name, its measures, what it says."""

    number: int
    digest: str
    width: int
    height: int
    text: str


class Place(NamedTuple):
    """An entry's number and how many moves had been made when it stood. `free`: no move of its turn came after it."""

    number: int
    moves: int
    free: bool


def draws(campaign: Campaign) -> bool:
    """Has this title a picture?"""
    return extras(campaign.title, "picture") is not None


def place(campaign: Campaign, number: int | None = None) -> Place | None:
    """Where the log stood after this entry, by default the last one; None where no such entry is in force."""
    road = moments.trail(campaign)
    if not road.stops:
        return Place(0, 0, True) if not number else None
    at = len(road.stops) - 1 if number is None else road.at(number)
    if at is None:
        return None
    here = road.stops[at]
    free = not any(later.is_move and later.turn == here.turn for later in road.stops[at + 1 :])
    return Place(here.number, here.moves, free)


def known(campaign: Campaign, at: Place) -> Known:
    """The picture after an entry, in the language that is active."""
    key = moments.trail(campaign).keys[at.moves]
    return _known(campaign, at, key, campaign.name, get_language() or "")


@lru_cache(2048)
def _known(campaign: Campaign, at: Place, key: str, name: str, language: str) -> Known:
    made = _picture(campaign, at)
    digest = sha256(f"{VERSION}\n{draw.COLOURS}\n{made.svg}".encode()).hexdigest()[:24]
    return Known(at.number, digest, made.width, made.height, made.text)


def _picture(campaign: Campaign, at: Place) -> Any:
    own = extras(campaign.title, "picture")
    assert own is not None
    return own.picture(campaign, moments.after(campaign, at.moves), at.number)


def svg(campaign: Campaign, at: Place) -> str:
    """The picture after an entry as it is before it becomes dots, in the language that is active."""
    return str(_picture(campaign, at).svg)


def caption(campaign: Campaign, at: Place) -> str:
    """What is on the picture after an entry, in the language that is active, without drawing it."""
    own = extras(campaign.title, "picture")
    assert own is not None
    return str(own.caption(campaign, moments.after(campaign, at.moves), at.number))


def drawn_once(campaign: Campaign, number: int) -> str | None:
    """The digest of the last picture that was drawn after an entry, whatever became of the entry since; None where none is
    kept."""
    found = files.newest(f"pictures/{campaign.public_id}", f"{number}-")
    return found.rpartition("-")[2].removesuffix(".png") if found else None


def file(campaign: Campaign, number: int, digest: str) -> str:
    """The picture's name in the storage (`web.files`). The folder is the campaign's: nobody comes to it by another's address."""
    return f"pictures/{campaign.public_id}/{number}-{digest}.png"


def make(campaign: Campaign, at: Place) -> str:
    """Draws the picture, unless it is there; its name in the storage."""
    wanted = known(campaign, at)
    name = file(campaign, wanted.number, wanted.digest)
    if not files.there(name):
        made = _picture(campaign, at)
        files.put(name, io.BytesIO(draw.png(made.svg, made.literal)))
        prune()
    return name


def prune(most: int = MOST) -> None:
    """Removes the oldest until what is left is no more than this."""
    files.prune("pictures", most)


def ask(campaign: Campaign, wanted: Known) -> bool:
    """Leaves it to the worker. False where it waits there already, and where too many do: it is to be asked again.

    What waits is a note in the cache, a bound and no count: a message that is lost costs `PATIENCE` seconds.
    """
    from web.tasks import draw_picture

    now, name = time.time(), _name(campaign, wanted)
    waiting = {one: since for one, since in cache.get(WAITING, {}).items() if since > now - LAPSES}
    if now - waiting.get(name, 0) < PATIENCE or (len(waiting) >= QUEUE and name not in waiting):
        return False
    cache.set(WAITING, {**waiting, name: now}, LAPSES)
    try:
        draw_picture.apply_async((campaign.pk, wanted.number, get_language() or ""), expires=LAPSES, retry=False)
    except Exception as error:  # Whatever the broker or its client raises, the page is shown all the same.
        log.warning("Nobody takes pictures to draw: %s", error)
        return False
    return True


def waits(campaign: Campaign, wanted: Known) -> bool:
    """Was it left to the worker a moment ago? Then whoever looks again has nothing more drawn."""
    return time.time() - float(cache.get(WAITING, {}).get(_name(campaign, wanted), 0)) < PATIENCE


def _name(campaign: Campaign, wanted: Known) -> str:
    return f"{campaign.pk}-{wanted.number}-{wanted.digest}"


def drawn(campaign: Campaign, wanted: Known) -> None:
    """It waits no more."""
    waiting = cache.get(WAITING, {})
    if waiting.pop(_name(campaign, wanted), None):
        cache.set(WAITING, waiting, LAPSES)
