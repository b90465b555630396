"""Why a match was put aside, in a sentence for operators."""

import msgspec

from domain.errors import BrokenLog, TableeError
from domain.match.upcasting import NEWER


def reason_of(error: Exception) -> str:
    """Return why something could not be done with a match, without a full stop.

    Only what was foreseen speaks for itself: the words of a stranger's error might hold a card that is still sealed.
    """
    if isinstance(error, BrokenLog) and error.code == NEWER:
        return f"A newer release than this one wrote event {error.version}: {error.detail.rstrip('.')}"
    if isinstance(error, BrokenLog):
        return f"Its log is broken at event {error.version} ({error.code}): {error.detail.rstrip('.')}"
    if isinstance(error, TableeError):
        said = str(error).rstrip(".")
        return said if error.code in said else f"{error.code}: {said}"
    if isinstance(error, msgspec.MsgspecError | OSError):
        return f"{type(error).__name__}: {error}"
    return f"It could not be taken ({type(error).__name__}); the service log says where"


def version_of(error: Exception, otherwise: int = 0) -> int:
    """Return the event that is wrong, if the error names one."""
    return error.version if isinstance(error, BrokenLog) else otherwise
