"""Every address of the interface that is none."""

from __future__ import annotations

from typing import Any, NoReturn

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from api.views.base import Resource


@extend_schema(exclude=True)
class NowhereView(Resource):
    """404, whatever is asked of it. Nothing is written, so nobody needs a token to be told."""

    writes = False

    def get(self, request: Request, **kwargs: Any) -> NoReturn:
        raise Http404

    post = put = patch = delete = get
