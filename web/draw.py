"""From SVG to PNG without a browser: resvg with the site's own fonts, then as few colours as a post needs.

The fonts that pages load are variable and packed; resvg wants plain ones, all letters in one file. They are made from
`static/fonts` at first use.
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

import resvg_py
from django.conf import settings
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer
from PIL import Image

logging.getLogger("fontTools").setLevel(logging.ERROR)
COLOURS, ALIKE = 80, 8
FACES = (("eb-garamond", "EB Garamond", "normal", 600), ("eb-garamond", "EB Garamond", "italic", 400),
         ("source-sans-3", "Source Sans 3", "normal", 400), ("source-sans-3", "Source Sans 3", "normal", 600))  # fmt: skip
SETS = ("latin", "latin-ext")
FAMILY, FULL, TYPOGRAPHIC, SUBFAMILY = 1, 4, 16, 17


def png(svg: str, keep: Sequence[str]) -> bytes:
    """The picture in at most `COLOURS` colours; those of `keep` (`#rrggbb`) stand in it unchanged. About a second and a half."""
    drawn = resvg_py.svg_to_bytes(svg_string=svg, skip_system_fonts=True, font_dirs=[str(fonts())])
    whole = Image.open(io.BytesIO(bytes(drawn))).convert("RGB")
    kept = list(dict.fromkeys(_rgb(colour) for colour in keep))[: COLOURS // 2]
    found = (whole.quantize(COLOURS - len(kept), Image.Quantize.MEDIANCUT).getpalette() or [])[: 3 * (COLOURS - len(kept))]
    others = zip(found[::3], found[1::3], found[2::3], strict=True)
    # Pillow looks for one that is near: nothing may be nearly a colour that is kept.
    shades = [next((colour for colour in kept if math.dist(colour, one) < ALIKE), one) for one in others]
    palette = Image.new("P", (1, 1))
    palette.putpalette([part for colour in (*kept, *shades) for part in colour])
    made = io.BytesIO()
    # Without dithering: land in one colour stays in it, and packs well.
    whole.quantize(palette=palette, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


@cache
def fonts() -> Path:
    """The folder with the plain fonts; made where it is missing, by its name never stale. Two at once make one."""
    source = settings.BASE_DIR / "static" / "fonts"
    names = [f"{family}-{letters}-wght-{style}.woff2" for family, _name, style, _weight in FACES for letters in SETS]
    mark = hashlib.sha256(repr(FACES).encode())
    for name in sorted(set(names)):
        mark.update((source / name).read_bytes())
    folder: Path = settings.VAR / "fonts" / mark.hexdigest()[:16]
    if not folder.is_dir():
        folder.parent.mkdir(parents=True, exist_ok=True)
        draft = Path(mkdtemp(dir=folder.parent))
        for family, name, style, weight in FACES:
            parts = [_plain(source / f"{family}-{letters}-wght-{style}.woff2", name, weight) for letters in SETS]
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
        if "-latin-ext-" in file.name and rare in font:  # kerning of rare letters: half of the time, seen by nobody
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
    made = io.BytesIO()
    font.save(made)
    made.seek(0)
    return made
