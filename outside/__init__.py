"""The one way out: whatever this site asks of another leaves by `outside.client.Client`."""

from outside.errors import Doubtful, OutsideError, Refused, Unreachable

__all__ = ["Doubtful", "OutsideError", "Refused", "Unreachable"]
