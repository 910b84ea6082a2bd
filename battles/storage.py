"""Where the bytes of pictures are kept: in the database, so that one backup has them all. Another place is another class.

A picture that comes in is read and written anew by Pillow: what is kept is pixels and nothing that came with them.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from typing import NamedTuple

from django.utils.translation import gettext as _
from PIL import Image, UnidentifiedImageError

from battles.models import Picture
from campaign.errors import Refused

HEAVIEST = 5 * 1024 * 1024
MOST_PIXELS = 20_000_000
FORMATS = ("PNG", "JPEG", "WEBP")
MEDIA = "image/webp"


class Kept(NamedTuple):
    """A picture as it is kept."""

    digest: str
    content: bytes
    width: int
    height: int


def reencode(sent: bytes) -> Kept:
    """The picture as WebP without EXIF, profile or comment. Raises `Refused` for anything that is no small picture.

    The size is asked of the header before a pixel is decoded, so a decompression bomb costs nothing.
    """
    if len(sent) > HEAVIEST:
        raise Refused("too-heavy", _("The picture has more than 5 MB. Save it smaller."))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(sent), formats=FORMATS) as picture:
                if picture.width * picture.height > MOST_PIXELS:
                    raise Refused("too-large", _("The picture has more than 20 megapixels. Save it smaller."))
                bare = _upright(picture)
        out = io.BytesIO()
        bare.save(out, "WEBP", quality=85, method=2)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Refused("too-large", _("The picture has more than 20 megapixels. Save it smaller.")) from None
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, EOFError, IndexError, KeyError, TypeError, OverflowError):
        raise Refused("no-picture", _("This is not a PNG, JPEG or WebP picture.")) from None
    content = out.getvalue()
    return Kept(hashlib.sha256(content).hexdigest(), content, bare.width, bare.height)


def _upright(picture: Image.Image) -> Image.Image:
    """The first frame's pixels alone. WebP has no side longer than 16383."""
    picture.seek(0)
    clear = "A" in picture.getbands() or "transparency" in picture.info
    bare = Image.new("RGBA" if clear else "RGB", picture.size)
    bare.paste(picture.convert(bare.mode))
    if max(bare.size) > 16383:
        bare.thumbnail((16383, 16383))
    return bare


class Pictures:
    """The storage: bytes by their hash."""

    def put(self, kept: Kept) -> None:
        Picture.objects.get_or_create(digest=kept.digest, defaults={"content": kept.content})

    def get(self, digest: str) -> bytes | None:
        """The bytes, None where there are none or they were erased."""
        content = Picture.objects.filter(digest=digest).values_list("content", flat=True).first()
        return None if content is None else bytes(content)

    def erase(self, digest: str) -> None:
        Picture.objects.filter(digest=digest).delete()


pictures = Pictures()
