"""What every request passes before a handler sees it, outermost first in ``entrance.py``."""
