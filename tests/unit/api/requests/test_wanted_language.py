"""Which language an asker gets, in problem documents and on pages."""

from typing import Any

import pytest
from litestar import Request

from api.requests.headers import wanted_language


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("*", "en"),
        ("de", "en"),
        ("fr", "fr"),
        ("fr-CH, en;q=0.5", "fr"),
        ("en;q=0.5, fr;q=0.9", "fr"),
        ("en;q=0.9, fr;q=0.900", "en"),
        ("fr;q=0, de", "en"),
        ("fr;q=0.000", "en"),
        (" fr ; q=1.0", "fr"),
        ("en;q=nan, fr;q=inf", "en"),
        (",;,;q=,", "en"),
        ("x," * 5000 + "fr", "en"),
    ],
)
def test_the_language_that_is_wanted_most_and_that_there_is(accepted, language):
    request: Request[Any, Any, Any] = Request(
        {"type": "http", "headers": [(b"accept-language", accepted.encode())]}  # type: ignore[arg-type]
    )
    assert wanted_language(request) == language
