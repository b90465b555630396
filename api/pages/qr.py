"""Addresses as QR codes, from the laptop to the phone: drawn into the page, so that nothing else is to be loaded."""

from functools import lru_cache

import segno
from markupsafe import Markup, escape


@lru_cache(maxsize=256)
def qr_code(address: str, label: str) -> Markup:
    """Return an address as an SVG element.

    Args:
        address: What a camera reads.
        label: What a screen reader says.
    """
    drawn = segno.make(address, micro=False, error="m").svg_inline(border=4, omitsize=True, svgclass="qr")
    # Attributes only: the content policy allows no style in a page.
    named = drawn.replace("<svg ", f'<svg role="img" aria-label="{escape(label)}" ', 1)
    return Markup(named)  # noqa: S704 - drawn by segno, the label escaped
