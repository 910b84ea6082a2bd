"""The types of channels through which notices leave, and the error that all of them raise.

Each type sends a message once, or raises `NotSent`.
"""


class NotSent(Exception):
    """The error that a message did not arrive, as far as the sender knows.

    The text is for the owner of the channel and contains no secret. `gone` means that the address
    will not accept messages any more, so that another attempt is useless. `blameless` means that
    the address is not the cause. `doubtful` means that the message may have arrived; it is not sent
    again unless the second message would replace the first.
    """

    def __init__(
        self, why: str, *, gone: bool = False, blameless: bool = False, doubtful: bool = False
    ) -> None:
        super().__init__(why)
        self.gone = gone
        self.blameless = blameless
        self.doubtful = doubtful
