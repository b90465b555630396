"""Python's collector of cycles, told to look rarely at what is there to stay."""

import gc
from typing import Final

_YOUNG: Final = 10_000
_MIDDLE: Final = 20
_OLD: Final = 50


def collect_rarely() -> None:
    """Leave out of collections all that is loaded by now, and make those of old objects rare.

    A process holds a hundred thousand objects after its start, and as many again for the matches in memory. To look at
    all of them stops it for a tenth of a second, and everybody who waits for an answer. Hardly anything of ours is a
    cycle; those that come about are young, and are found as before.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG, _MIDDLE, _OLD)
