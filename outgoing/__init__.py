"""The only way to other sites: all outgoing requests use `outgoing.client.Client`."""

from outgoing.client import Doubtful, OutsideError, Refused, Unreachable

__all__ = ["Doubtful", "OutsideError", "Refused", "Unreachable"]
