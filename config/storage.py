"""The storage of pictures and packs: TABULA_STORAGE as an entry of Django's STORAGES."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from django.core.exceptions import ImproperlyConfigured

KNOWN = {"endpoint": "endpoint_url", "region": "region_name", "style": "addressing_style"}


def make_storage(where: str, var: Path) -> dict[str, Any]:
    """Return the storage of `campaign.files`. Raises `ImproperlyConfigured`.

    `where` is empty for `var`, the path of a folder, or `s3://bucket/folder?endpoint=URL`. The keys
    of a bucket are AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, which its library reads.
    """
    if not where.startswith("s3://"):
        if "://" in where or (where and not Path(where).is_absolute()):
            raise ImproperlyConfigured(
                f"TABULA_STORAGE is {where!r}. It must be the full path of a folder, or"
                " s3://BUCKET/FOLDER."
            )
        options = {"location": where or str(var), "allow_overwrite": True}
        return {"BACKEND": "campaign.files.WholeFiles", "OPTIONS": options}
    url = urlsplit(where)
    query = {
        name: values[-1] for name, values in parse_qs(url.query, keep_blank_values=True).items()
    }
    if not url.netloc or "@" in url.netloc or set(query) - set(KNOWN):
        raise ImproperlyConfigured(
            "Write a bucket in TABULA_STORAGE as s3://BUCKET/FOLDER, followed by"
            " ?endpoint=URL, region=NAME, style=path or style=virtual if needed. The keys are"
            " AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."
        )
    if find_spec("storages") is None or find_spec("boto3") is None:
        raise ImproperlyConfigured(
            "TABULA_STORAGE names a bucket: also install requirements-s3.txt."
        )
    from botocore.config import Config

    # A request waits for an answer: at most twice ten seconds.
    client = Config(connect_timeout=5, read_timeout=10, retries={"total_max_attempts": 2})
    named = {KNOWN[name]: value for name, value in query.items()}
    if style := named.pop("addressing_style", ""):
        client = client.merge(Config(s3={"addressing_style": style}))
    options = {
        "bucket_name": url.netloc,
        "location": url.path.strip("/"),
        "file_overwrite": True,
        "default_acl": None,
        "client_config": client,
        **named,
    }
    return {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
