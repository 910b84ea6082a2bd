"""Pictures of a table after an entry: which one it is, where it lies, who draws it.

A picture is named by the digest of what is drawn, so that its address never shows anything else.
The file is made by the worker (`web.tasks`) and kept in the storage that all machines share
(`web.frame.files`); the oldest go when there are too many, and are drawn again when asked for.
"""

from __future__ import annotations

import hashlib
import io
import logging
import math
import os
import time
from collections.abc import Sequence
from functools import cache as functools_cache
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING, Any, NamedTuple

import resvg_py
from django.conf import settings
from django.core.cache import cache
from django.utils.translation import get_language
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from PIL import Image

from campaign.log import history, positions
from campaign.models import Campaign
from web.frame import files
from web.titles import draws, extras

if TYPE_CHECKING:
    pass

log = logging.getLogger(__name__)

VERSION = 1
"""To be raised with every change of how `web.exports.images` draws: then all pictures have new
names.
"""
MOST = 256 * 2**20
"""So many bytes are kept."""
QUEUE, PATIENCE, LAPSES = 30, 60, 300
"""So many wait for the worker at once; after so many seconds one is asked for again; after so many
nobody draws it.
"""
WAITING = "pictures:waiting"


class Known(NamedTuple):
    """A picture that may or may not have been drawn: the entry it stands after, its name, its
    measures, what it says.
    """

    number: int
    digest: str
    width: int
    height: int
    text: str


class Place(NamedTuple):
    """An entry's number and how many moves had been made when it stood. `free`: no move of its turn
    came after it.
    """

    number: int
    moves: int
    free: bool


def place(campaign: Campaign, number: int | None = None) -> Place | None:
    """Where the log stood after this entry, by default the last one; None where no such entry is in
    force.
    """
    road = history.trail(campaign)
    if not road.stops:
        return Place(0, 0, True) if not number else None
    at = len(road.stops) - 1 if number is None else road.at(number)
    if at is None:
        return None
    here = road.stops[at]
    free = not any(later.is_move and later.turn == here.turn for later in road.stops[at + 1 :])
    return Place(here.number, here.moves, free)


def picture_after(campaign: Campaign, at: Place) -> Known:
    """The picture after an entry, in the language that is active."""
    key = history.trail(campaign).keys[at.moves]
    return _known(campaign, at, key, campaign.name, get_language() or "")


@lru_cache(2048)
def _known(campaign: Campaign, at: Place, key: str, name: str, language: str) -> Known:
    picture = _picture(campaign, at)
    digest = sha256(f"{VERSION}\n{COLOURS}\n{picture.svg}".encode()).hexdigest()[:24]
    return Known(at.number, digest, picture.width, picture.height, picture.text)


def _picture(campaign: Campaign, at: Place) -> Any:
    own = extras(campaign.title, "picture")
    assert own is not None
    return own.picture(campaign, history.after(campaign, at.moves), at.number)


def svg(campaign: Campaign, at: Place) -> str:
    """The picture after an entry as it is before it becomes dots, in the language that is
    active.
    """
    return str(_picture(campaign, at).svg)


def caption(campaign: Campaign, at: Place) -> str:
    """What is on the picture after an entry, in the language that is active, without drawing it."""
    own = extras(campaign.title, "picture")
    assert own is not None
    position = positions.retold(campaign).after(at.moves - 1)
    return str(own.caption(campaign, position, at.number))


def drawn_once(campaign: Campaign, number: int) -> str | None:
    """The digest of the last picture that was drawn after an entry, whatever became of the entry
    since; None where none is kept.
    """
    name = files.newest(f"pictures/{campaign.public_id}", f"{number}-")
    return name.rpartition("-")[2].removesuffix(".png") if name else None


def drawn_before(campaign: Campaign, number: int) -> tuple[int, str] | None:
    """The entry and the digest of the latest picture that is kept of this campaign up to an entry;
    None where none is.
    """
    kept = []
    for name in files.kept(f"pictures/{campaign.public_id}"):
        entry, _dash, digest = name.rpartition("/")[2].removesuffix(".png").partition("-")
        if entry.isdecimal() and int(entry) <= number:
            kept.append((int(entry), digest))
    return max(kept, key=lambda one: one[0], default=None)


def file(campaign: Campaign, number: int, digest: str) -> str:
    """The picture's name in the storage (`web.frame.files`). The folder is the campaign's own."""
    return f"pictures/{campaign.public_id}/{number}-{digest}.png"


def make(campaign: Campaign, at: Place) -> str:
    """Draws the picture, unless it is there; its name in the storage."""
    wanted = picture_after(campaign, at)
    name = file(campaign, wanted.number, wanted.digest)
    if not files.there(name):
        picture = _picture(campaign, at)
        files.put(name, io.BytesIO(png(picture.svg, picture.literal)))
        prune()
    return name


def prune(most: int = MOST) -> None:
    """Removes the oldest until what is left is no more than this."""
    files.prune("pictures", most)


def ask(campaign: Campaign, wanted: Known) -> bool:
    """Leaves it to the worker. False where it waits there already, and where too many do: it is to
    be asked again.

    What waits is a note in the cache, a bound and no count: a message that is lost costs `PATIENCE`
    seconds.
    """
    from web.tasks import draw_picture

    now, name = time.time(), _name(campaign, wanted)
    waiting = {one: since for one, since in cache.get(WAITING, {}).items() if since > now - LAPSES}
    if now - waiting.get(name, 0) < PATIENCE or (len(waiting) >= QUEUE and name not in waiting):
        return False
    cache.set(WAITING, {**waiting, name: now}, LAPSES)
    try:
        draw_picture.apply_async(
            (campaign.pk, wanted.number, get_language() or ""), expires=LAPSES, retry=False
        )
    except (
        Exception
    ) as error:  # Whatever the broker or its client raises, the page is shown all the same.
        log.warning("Nobody takes pictures to draw: %s", error)
        return False
    return True


def wanted_soon(campaign: Campaign, number: int) -> bool:
    """Is the picture after an entry, in the language that is active, still to be drawn? Then the
    worker is asked for it.
    """
    at = place(campaign, number) if draws(campaign) else None
    if at is None:
        return False
    wanted = picture_after(campaign, at)
    if files.there(file(campaign, wanted.number, wanted.digest)):
        return False
    ask(campaign, wanted)
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


# From SVG to PNG without a browser: resvg with the site's own fonts, then as few colours as a post
# needs.
#
# The fonts that pages load are variable and packed; resvg wants plain ones, all letters in one
# file. They are made from `static/fonts` at first use.

logging.getLogger("fontTools").setLevel(logging.ERROR)
COLOURS, ALIKE = 80, 8
FACES = (
    ("eb-garamond", "EB Garamond", "normal", 600),
    ("eb-garamond", "EB Garamond", "italic", 400),
    ("source-sans-3", "Source Sans 3", "normal", 400),
    ("source-sans-3", "Source Sans 3", "normal", 600),
)
SETS = ("latin", "latin-ext")
FAMILY, FULL, TYPOGRAPHIC, SUBFAMILY = 1, 4, 16, 17


def png(svg: str, keep: Sequence[str]) -> bytes:
    """The picture in at most `COLOURS` colours; those of `keep` (`#rrggbb`) stand in it unchanged.
    About a second and a half.
    """
    drawn = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_dirs=[str(fonts())])
    whole = Image.open(io.BytesIO(bytes(drawn))).convert("RGB")
    kept = list(dict.fromkeys(_rgb(colour) for colour in keep))[: COLOURS // 2]
    colours = (whole.quantize(COLOURS - len(kept), Image.Quantize.MEDIANCUT).getpalette() or [])[
        : 3 * (COLOURS - len(kept))
    ]
    others = zip(colours[::3], colours[1::3], colours[2::3], strict=True)
    # Pillow looks for one that is near: nothing may be nearly a colour that is kept.
    shades = [
        next((colour for colour in kept if math.dist(colour, one) < ALIKE), one) for one in others
    ]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in (*kept, *shades) for part in colour])
    stream = io.BytesIO()
    # Without dithering: land in one colour stays in it, and packs well.
    whole.quantize(palette=palette, dither=Image.Dither.NONE).save(stream, "PNG", optimize=True)
    return stream.getvalue()


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


@functools_cache
def fonts() -> Path:
    """The folder with the plain fonts; made where it is missing, by its name never stale. Two at
    once make one.
    """
    source = settings.BASE_DIR / "static" / "fonts"
    names = [
        f"{family}-{letters}-wght-{style}.woff2"
        for family, _name, style, _weight in FACES
        for letters in SETS
    ]
    mark = hashlib.sha256(repr(FACES).encode())
    for name in sorted(set(names)):
        mark.update((source / name).read_bytes())
    folder: Path = settings.VAR / "fonts" / mark.hexdigest()[:16]
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(dir=folder.parent))
        for family, name, style, weight in FACES:
            parts = [
                _plain(source / f"{family}-{letters}-wght-{style}.woff2", name, weight)
                for letters in SETS
            ]
            Merger().merge(parts).save(draft / f"{family}-{style}-{weight}.ttf")
        try:
            os.rename(draft, folder)
        except OSError:  # another was first
            for file in draft.iterdir():
                file.unlink()
            draft.rmdir()
    return folder


def _plain(file: Path, family: str, weight: int) -> io.BytesIO:
    """One weight of a variable font under its family's own name."""
    font = TTFont(file)
    for rare in ("GSUB", "GPOS", "GDEF"):
        if (
            "-latin-ext-" in file.name and rare in font
        ):  # kerning of rare letters: half of the time, seen by nobody
            del font[rare]
    font = instancer.instantiateVariableFont(font, {"wght": weight}, inplace=True)
    font.flavor = None
    names = font["name"]
    for known in (TYPOGRAPHIC, SUBFAMILY):
        names.removeNames(nameID=known)
    for record in names.names:
        if record.nameID == FAMILY:
            record.string = family
        elif record.nameID == FULL:
            record.string = f"{family} {weight}"
    stream = io.BytesIO()
    font.save(stream)
    stream.seek(0)
    return stream


# What a page says of itself to whoever shows a link to it elsewhere: title, sentence, picture, one
# address.
