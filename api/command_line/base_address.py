"""The address under which people reach the service, for links that are printed."""

from typing import Literal

from services.log.embedded.running import find_running
from services.process.settings import Settings

Known = Literal["public", "local", "guessed"]
"""How the address in a link is known: from a public URL, from a service on this machine, or not at all."""


def base_address(settings: Settings, url: str) -> tuple[str, Known]:
    """Return the address under which the service is reached, and how that is known."""
    running = find_running(settings.data_folder)
    if running is not None and running.log_store_url != url:
        running = None
    public = (running.public_url if running is not None else None) or settings.public_url
    if public is not None:
        return public.rstrip("/"), "public"
    if running is not None and running.api_url is not None:
        return running.api_url, "local"
    return settings.api_url, "guessed"
