"""Several addresses of servers in one setting, separated by spaces or commas."""

import re
from typing import Final

# A comma may also stand within an address, between the hosts of sentinels.
_BETWEEN: Final = re.compile(r"[\s,]+(?=[a-z]+://)")


def urls_in(text: str) -> tuple[str, ...]:
    """Return the addresses in a text, in its order; none in an empty one."""
    return tuple(url for url in _BETWEEN.split(text.strip()) if url)
