"""The environment of the tests without settings, which tests set themselves. The games are the same for all."""

import os


def settings_named() -> list[str]:
    """Return the variables that hold settings, but for the games."""
    return [name for name in os.environ if name.startswith("TABLEE_") and name != "TABLEE_GAMES"]


def without_settings() -> dict[str, str]:
    """Return the environment for a process that is started with settings of its own."""
    settings = settings_named()
    return {name: value for name, value in os.environ.items() if name not in settings}
