"""Conversion of uploaded pictures in a child process, which needs no Django."""

from __future__ import annotations

import hashlib
import io
import warnings
from typing import NamedTuple

from PIL import Image, UnidentifiedImageError

MOST_PIXELS = 20_000_000
FORMATS = ("PNG", "JPEG", "WEBP")
LONGEST_SIDE = 16383
"""The longest side that WebP allows."""
TOO_LARGE, NO_PICTURE = "too-large", "no-picture"


class Kept(NamedTuple):
    """A converted picture."""

    digest: str
    content: bytes
    width: int
    height: int


def encode(sent: bytes) -> Kept | str:
    """Return the picture as WebP without EXIF, profile or comment, or TOO_LARGE or NO_PICTURE.

    The header gives the size before a pixel is decoded, so a decompression bomb costs nothing.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            bare = _decoded(sent)
        if bare is None:
            return TOO_LARGE
        out = io.BytesIO()
        bare.save(out, "WEBP", quality=85, method=2)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        return TOO_LARGE
    except (
        UnidentifiedImageError,
        OSError,
        ValueError,
        SyntaxError,
        EOFError,
        IndexError,
        KeyError,
        TypeError,
        OverflowError,
    ):
        return NO_PICTURE
    content = out.getvalue()
    return Kept(hashlib.sha256(content).hexdigest(), content, bare.width, bare.height)


def _decoded(sent: bytes) -> Image.Image | None:
    """Return the pixels of the first frame; None if there are too many.

    It keeps no copy, because memory is limited.
    """
    with Image.open(io.BytesIO(sent), formats=FORMATS) as picture:
        if picture.width * picture.height > MOST_PIXELS:
            return None
        picture.seek(0)
        clear = "A" in picture.getbands() or "transparency" in picture.info
        mode = "RGBA" if clear else "RGB"
        bare = Image.new(mode, picture.size)
        bare.paste(picture if picture.mode == mode else picture.convert(mode))
    if max(bare.size) > LONGEST_SIDE:
        bare.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    return bare
