"""The process of open pages: `python -m config.live`, as the Procfile starts it.

It serves Django's ASGI application. A proxy sends `/live/` here (`web.frame.stream`), and
everything else to the site. Settings come from the environment: BIND (127.0.0.1), LIVE_PORT (8001).
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys

import uvicorn
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.conf import settings
from django.core.asgi import get_asgi_application
from django.db import connections

from campaign import schema
from config.processes import REFUSED
from config.web import refusal


class Server(uvicorn.Server):
    """A server whose requests share one thread and one database connection."""

    def __init__(self, host: str, port: int) -> None:
        application = get_asgi_application()
        from web.frame.stream import broadcaster  # now that Django is set up

        self.broadcaster = broadcaster
        config = uvicorn.Config(
            application,
            host,
            port,
            log_config=None,
            access_log=False,
            proxy_headers=False,
            lifespan="off",
            limit_concurrency=5000,
            timeout_graceful_shutdown=5,
        )
        super().__init__(config)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Answer requests until the process is ended."""
        # Without this context, Django creates a thread for each request, and an open page keeps it.
        async with ThreadSensitiveContext(), asyncio.TaskGroup() as group:
            listening = group.create_task(self.broadcaster.listen())
            await super().serve(sockets)
            listening.cancel()
            await sync_to_async(connections.close_all)()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the open pages, because the server waits for them."""
        self.broadcaster.end_all()
        await super().shutdown(sockets)


def main() -> int:
    """Serve open pages; return the exit status."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    host, port = os.environ.get("BIND", "127.0.0.1"), int(os.environ.get("LIVE_PORT", "8001"))
    why = refusal(host, settings.TRUSTED_PROXIES, settings.TRUSTED_PROXIES_GUARDED)
    if not settings.REDIS_URL:
        why = "REDIS_URL is not set: open pages receive moves through Redis or Valkey."
    if why:
        sys.stderr.write(f"{why}\n")
        return REFUSED
    server = Server(host, port)
    schema.at_start()
    server.run()
    return 0 if server.started else 1


if __name__ == "__main__":
    sys.exit(main())
