"""Pictures of a table after an entry: which one it is, where its file is, who draws it.

A picture is named by the digest of what is drawn, so that its address never shows anything else.
The worker makes the file (`campaign.tasks`), which is kept in the storage that all machines share
(`campaign.files`); the oldest files are removed when there are too many, and are drawn again on
request.
"""

from __future__ import annotations

import io
import time
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

from django.core.cache import cache
from django.utils.translation import get_language

from campaign import files, scenarios
from campaign.log import history, positions
from campaign.models import Campaign
from campaign.pictures.palette import light_palette
from campaign.pictures.png import COLOURS, png
from games.contract.maps import MapPicture, Maps, WithMaps

VERSION = 1
"""Raise it with every change of how `campaign.pictures.png` draws, so that all names change."""
MOST = 256 * 2**20
"""The largest number of bytes of all pictures that are kept."""
QUEUE, PATIENCE, LAPSES = 30, 60, 300
"""The most pictures that wait for the worker; the seconds after which a picture is requested again;
the seconds after which the worker forgets a request.
"""
WAITING = "pictures:waiting"
"""The key in the cache of the pictures that wait, each with the time of its request."""


class KnownPicture(NamedTuple):
    """A picture that may or may not have been drawn: its entry, its name, its size, its caption."""

    number: int
    digest: str
    width: int
    height: int
    text: str


class Place(NamedTuple):
    """An entry's number and the number of moves until then.

    `free` says that no move of its turn came after it.
    """

    number: int
    moves: int
    free: bool


def place(campaign: Campaign, number: int | None = None) -> Place | None:
    """Return the place of an entry in the log, by default of the last one.

    None if no such entry is in force.
    """
    trail = history.trail(campaign)
    if not trail.stops:
        return Place(0, 0, True) if not number else None
    index = len(trail.stops) - 1 if number is None else trail.at(number)
    if index is None:
        return None
    stop = trail.stops[index]
    later_stops = trail.stops[index + 1 :]
    free = not any(later.is_move and later.turn == stop.turn for later in later_stops)
    return Place(stop.number, stop.moves, free)


def picture_after(campaign: Campaign, at: Place) -> KnownPicture:
    """Return the picture after an entry, in the active language."""
    key = history.trail(campaign).keys[at.moves]
    return known_picture(campaign, at, key, campaign.name, get_language() or "")


@lru_cache(2048)
def known_picture(
    campaign: Campaign, at: Place, key: str, name: str, language: str
) -> KnownPicture:
    """Return the name, size and caption of a picture.

    Besides the place, they depend on `key`, `name` and `language`.
    """
    picture = drawing(campaign, at)
    digest = sha256(f"{VERSION}\n{COLOURS}\n{picture.svg}".encode()).hexdigest()[:24]
    return KnownPicture(at.number, digest, picture.width, picture.height, picture.text)


def maps(campaign: Campaign) -> Maps:
    """Return the maps of a campaign's title. The title must draw maps (`WithMaps`)."""
    assert isinstance(campaign.game, WithMaps)
    return campaign.game.maps


def drawing(campaign: Campaign, at: Place) -> MapPicture:
    """Return the picture after an entry before it is made a PNG, in the active language."""
    return maps(campaign).picture(
        history.after(campaign, at.moves),
        scenarios.text_of(campaign),
        name=campaign.name,
        number=at.number,
        palette=light_palette(),
    )


def svg(campaign: Campaign, at: Place) -> str:
    """Return the picture after an entry as SVG, in the active language."""
    return drawing(campaign, at).svg


def caption(campaign: Campaign, at: Place) -> str:
    """Return what is on the picture, in the active language, without drawing it."""
    position = positions.replayed_log(campaign).after(at.moves - 1)
    return maps(campaign).picture_caption(position, name=campaign.name)


def drawn_once(campaign: Campaign, number: int) -> str | None:
    """Return the digest of the last picture that was drawn after an entry; None if none is kept.

    The entry may have been undone since.
    """
    name = files.newest(f"pictures/{campaign.public_id}", f"{number}-")
    return name.rpartition("-")[2].removesuffix(".png") if name else None


def drawn_before(campaign: Campaign, number: int) -> tuple[int, str] | None:
    """Return the entry and the digest of the latest kept picture up to an entry.

    None if there is none.
    """
    kept = []
    for name in files.kept(f"pictures/{campaign.public_id}"):
        entry, _dash, digest = name.rpartition("/")[2].removesuffix(".png").partition("-")
        if entry.isdecimal() and int(entry) <= number:
            kept.append((int(entry), digest))
    return max(kept, key=lambda entry_and_digest: entry_and_digest[0], default=None)


def file(campaign: Campaign, number: int, digest: str) -> str:
    """Return the name of a picture in the storage (`campaign.files`), in the campaign's folder."""
    return f"pictures/{campaign.public_id}/{number}-{digest}.png"


def make(campaign: Campaign, at: Place) -> str:
    """Draw a picture unless its file exists. Return the name of the file in the storage."""
    wanted = picture_after(campaign, at)
    name = file(campaign, wanted.number, wanted.digest)
    if not files.exists(name):
        picture = drawing(campaign, at)
        files.put(name, io.BytesIO(png(picture.svg, picture.literal)))
        prune()
    return name


def prune(most: int = MOST) -> None:
    """Remove the oldest pictures until at most this many bytes are left."""
    files.prune("pictures", most)


def join_queue(campaign: Campaign, wanted: KnownPicture) -> bool:
    """Note that a picture waits for the worker, and return whether the worker must be asked.

    False if it waits already, or if too many wait and the page must ask again. The pictures that
    wait are a note in the cache, which only limits them: a lost message costs `PATIENCE` seconds.
    """
    now, name = time.time(), name_in_queue(campaign, wanted)
    requests = cache.get(WAITING, {})
    waiting = {key: since for key, since in requests.items() if since > now - LAPSES}
    if now - waiting.get(name, 0) < PATIENCE or (len(waiting) >= QUEUE and name not in waiting):
        return False
    cache.set(WAITING, {**waiting, name: now}, LAPSES)
    return True


def waits(campaign: Campaign, wanted: KnownPicture) -> bool:
    """Return whether a picture was left to the worker less than `PATIENCE` seconds ago."""
    since = cache.get(WAITING, {}).get(name_in_queue(campaign, wanted), 0)
    return time.time() - float(since) < PATIENCE


def name_in_queue(campaign: Campaign, wanted: KnownPicture) -> str:
    """Return the name of a picture among those that wait."""
    return f"{campaign.pk}-{wanted.number}-{wanted.digest}"


def drawn(campaign: Campaign, wanted: KnownPicture) -> None:
    """Note that a picture does not wait any more."""
    waiting = cache.get(WAITING, {})
    if waiting.pop(name_in_queue(campaign, wanted), None):
        cache.set(WAITING, waiting, LAPSES)
