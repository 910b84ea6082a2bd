"""SVG as PNG without a browser: resvg with the site's own fonts, then only a few colours.

The fonts that pages load are variable and packed; resvg needs plain ones, with all letters in one
file. They are made from `static/fonts` at first use.
"""

from __future__ import annotations

import hashlib
import io
import logging
import math
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import NamedTuple

import resvg_py
from django.conf import settings
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from PIL import Image

logging.getLogger("fontTools").setLevel(logging.ERROR)

COLOURS = 80
"""The largest number of colours in a picture."""
ALIKE = 8
"""The distance below which Pillow might take one colour for another."""


class Face(NamedTuple):
    """A font that pictures use: the name of its file, its family, its style and its weight."""

    file: str
    family: str
    style: str
    weight: int

    def source(self, letters: str) -> Path:
        """Return the file of `static/fonts` with these letters."""
        return FONTS / f"{self.file}-{letters}-wght-{self.style}.woff2"


FACES = (
    Face("eb-garamond", "EB Garamond", "normal", 600),
    Face("eb-garamond", "EB Garamond", "italic", 400),
    Face("source-sans-3", "Source Sans 3", "normal", 400),
    Face("source-sans-3", "Source Sans 3", "normal", 600),
)
FONTS = Path(settings.BASE_DIR) / "static" / "fonts"
SETS = ("latin", "latin-ext")
FAMILY, FULL, TYPOGRAPHIC, SUBFAMILY = 1, 4, 16, 17
"""Numbers of names within a font."""

Colour = tuple[int, int, int]


def png(svg: str, keep: Sequence[str]) -> bytes:
    """Return a picture in at most `COLOURS` colours. Those of `keep` (`#rrggbb`) are not changed.

    Takes about a second and a half.
    """
    drawn = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_dirs=[str(fonts())])
    image = Image.open(io.BytesIO(bytes(drawn))).convert("RGB")
    stream = io.BytesIO()
    # Without dithering, land in one colour keeps it, and the file is small.
    few_colours = image.quantize(palette=palette(image, keep), dither=Image.Dither.NONE)
    few_colours.save(stream, "PNG", optimize=True)
    return stream.getvalue()


def palette(image: Image.Image, keep: Sequence[str]) -> Image.Image:
    """Return an image with the colours to use: those to keep, then the most frequent others."""
    kept = list(dict.fromkeys(rgb(colour) for colour in keep))[: COLOURS // 2]
    others = frequent_colours(image, COLOURS - len(kept))
    # Pillow looks for a colour that is near: no other colour may be nearly a kept one.
    shades = [replacement(colour, kept) for colour in others]
    palette_image = Image.new("P", (1, 1))
    palette_image.putpalette([part for colour in (*kept, *shades) for part in colour])
    return palette_image


def frequent_colours(image: Image.Image, most: int) -> list[Colour]:
    """Return the most frequent colours of an image."""
    parts = (image.quantize(most, Image.Quantize.MEDIANCUT).getpalette() or [])[: 3 * most]
    return list(zip(parts[::3], parts[1::3], parts[2::3], strict=True))


def replacement(colour: Colour, kept: Sequence[Colour]) -> Colour:
    """Return the kept colour that is nearly the same; the colour itself if there is none."""
    return next((known for known in kept if math.dist(known, colour) < ALIKE), colour)


def rgb(colour: str) -> Colour:
    """Return the parts of a colour `#rrggbb`."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


@cache
def fonts() -> Path:
    """Return the folder with the plain fonts, and make it if it is missing.

    Its name depends on the sources, so it is never stale. Processes that make it at once get the
    same one.
    """
    folder: Path = settings.VAR / "fonts" / digest_of_fonts()
    if not folder.is_dir():
        make_fonts(folder)
    return folder


def digest_of_fonts() -> str:
    """Return a digest of the faces and of their source files."""
    digest = hashlib.sha256(repr(FACES).encode())
    for path in sorted({face.source(letters) for face in FACES for letters in SETS}):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def make_fonts(folder: Path) -> None:
    """Make the plain fonts in a folder that appears complete or not at all."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(dir=folder.parent))
    for face in FACES:
        parts = [plain_font(face.source(letters), face, letters) for letters in SETS]
        Merger().merge(parts).save(draft / f"{face.file}-{face.style}-{face.weight}.ttf")
    try:
        os.rename(draft, folder)
    except OSError:  # another process was first
        for path in draft.iterdir():
            path.unlink()
        draft.rmdir()


def plain_font(path: Path, face: Face, letters: str) -> io.BytesIO:
    """Return one weight of a variable font under the name of its family."""
    font = TTFont(path)
    if letters == "latin-ext":
        drop_kerning(font)
    font = instancer.instantiateVariableFont(font, {"wght": face.weight}, inplace=True)
    font.flavor = None
    names = font["name"]
    for number in (TYPOGRAPHIC, SUBFAMILY):
        names.removeNames(nameID=number)
    for record in names.names:
        if record.nameID == FAMILY:
            record.string = face.family
        elif record.nameID == FULL:
            record.string = f"{face.family} {face.weight}"
    stream = io.BytesIO()
    font.save(stream)
    stream.seek(0)
    return stream


def drop_kerning(font: TTFont) -> None:
    """Remove the kerning of rare letters, which takes half of the time and is not visible."""
    for table in ("GSUB", "GPOS", "GDEF"):
        if table in font:
            del font[table]
