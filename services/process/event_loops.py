"""The event loop that the service's processes run on."""

import asyncio


def quick_loop() -> "type[asyncio.AbstractEventLoop] | None":
    """Return uvloop's, for ``asyncio.Runner``; None, which means Python's own, where uvloop cannot be had."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop
