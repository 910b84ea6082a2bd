"""Ways out. Each takes what is to be said and says it once, or raises `NotSent`."""


class NotSent(Exception):
    """It did not arrive, as far as one knows. The text is for the channel's owner and holds no
    secret.

    `gone`: the address will not take anything any more, so trying again is of no use. `ours`: it is
    not the address's fault. `doubtful`: it may have arrived, so it is not said again where it
    cannot be told apart from the first time.
    """

    def __init__(
        self, why: str, *, gone: bool = False, ours: bool = False, doubtful: bool = False
    ) -> None:
        super().__init__(why)
        self.gone = gone
        self.ours = ours
        self.doubtful = doubtful
