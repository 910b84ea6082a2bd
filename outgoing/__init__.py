"""The one way out: whatever this site asks of another leaves by `outgoing.client.Client`."""

from outgoing.client import Doubtful, OutsideError, Refused, Unreachable

__all__ = ["Doubtful", "OutsideError", "Refused", "Unreachable"]
