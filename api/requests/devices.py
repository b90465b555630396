"""What a device calls itself, so that a person recognises it in the list of theirs."""

from typing import Final

from api.parts import Http

# The first that fits: browsers name their forebears too, and systems theirs.
_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrom", "Chrome"),
    ("CriOS/", "Chrome"),
    ("Safari/", "Safari"),
)
_SYSTEMS: Final = (
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
)


def device_of(request: Http) -> str:
    """Return a device's browser and system, such as "Firefox, Android"; empty if it does not say."""
    agent = request.headers.get("user-agent", "")
    named = (next((name for mark, name in known if mark in agent), "") for known in (_BROWSERS, _SYSTEMS))
    return ", ".join(filter(None, named))
